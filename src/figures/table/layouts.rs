//! The three layouts of one table below each other, and where a pair's two columns are in each.

use crate::draw::grid::{cells, colour_bar};
use crate::draw::{DrawContext, Frame, Pen, Rect, TextStyle, Theme, keep_apart};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::text::markup::{Node, html};
use crate::text::number::{short, tiny, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Column, Layout, Matrix, Member, Sinusoidal};

/// A layout, its table, and its difference from the first layout.
struct Strip {
    pe: Sinusoidal,
    table: Matrix<f32>,
    /// Largest difference between a dot product of two rows and the same product in the first layout.
    apart: f64,
}

pub struct Layouts {
    lang: Lang,
    max_len: usize,
    pair: usize,
    strips: [Strip; 3],
}

/// How far the colours of the strips are mixed with the panel's: the two columns of the pair stand out.
const FAINT: f64 = 0.4;
const LAYOUTS: [Layout; 3] = [
    Layout::Interleaved,
    Layout::Concatenated,
    Layout::Tensor2tensor,
];

const NAMES: [Text; 3] = [
    Text::new("Interleaved: side by side", "交错排列：紧挨着"),
    Text::new("Concatenated: half a row apart", "拼接排列：相隔半行"),
    Text::new(
        "tensor2tensor: other frequencies",
        "tensor2tensor：频率不同",
    ),
];

/// Returns PE(m)·PE(n) for all pairs of rows.
fn dots(pe: &Sinusoidal, max_len: usize) -> Vec<f64> {
    let rows: Vec<_> = (0..max_len).map(|row| pe.row(row as i64)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum();
    (0..max_len)
        .flat_map(|p| (0..=p).map(move |q| (p, q)))
        .map(|(p, q)| dot(&rows[p], &rows[q]))
        .collect()
}

fn strips(d_model: usize, max_len: usize) -> [Strip; 3] {
    let mut first = None;
    LAYOUTS.map(|layout| {
        let pe = Sinusoidal::new(d_model, 10_000.0, layout);
        let here = dots(&pe, max_len);
        let expected = first.get_or_insert_with(|| here.clone());
        let differences = expected.iter().zip(here).map(|(a, b)| (a - b).abs());
        Strip {
            table: pe.table_f32(max_len),
            apart: differences.fold(0.0, f64::max),
            pe,
        }
    })
}

impl Strip {
    fn column(&self, pair: usize, member: Member) -> Option<usize> {
        self.pe.dimension(pair, member)
    }
}

/// Returns the dimensions shown in each column of a picture with about `most` columns. If there are more dimensions,
/// those of neighbouring pairs are grouped, sines with sines and cosines with cosines.
pub fn grouped(pe: &Sinusoidal, most: usize) -> Vec<Vec<usize>> {
    let (d, pairs) = (pe.d_model(), pe.pairs());
    let each = d.div_ceil(most.max(2));
    if each < 2 {
        return (0..d).map(|dimension| vec![dimension]).collect();
    }
    let group = |first: usize, member: Member| -> Vec<usize> {
        (first..(first + each).min(pairs))
            .filter_map(|pair| pe.dimension(pair, member))
            .collect()
    };
    let firsts = || (0..pairs).step_by(each);
    let mut groups: Vec<Vec<usize>> = match pe.layout() {
        Layout::Interleaved => firsts()
            .flat_map(|first| [group(first, Member::Sine), group(first, Member::Cosine)])
            .collect(),
        _ => [Member::Sine, Member::Cosine]
            .into_iter()
            .flat_map(|member| firsts().map(move |first| (first, member)))
            .map(|(first, member)| group(first, member))
            .collect(),
    };
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the number of columns that are two image pixels wide.
pub fn most_columns(context: &DrawContext, width: f64) -> usize {
    (width * context.frame.pixels / 2.0) as usize
}

/// Height of what is above each strip, in label sizes.
const HEAD: f64 = 3.6;

pub struct Plan {
    strips: [Rect; 3],
    titles: [f64; 3],
    size: f64,
}

impl Plan {
    fn new(frame: Frame, theme: &Theme) -> Plan {
        let size = theme.label_size();
        let (left, right, foot) = (3.6 * size, 4.8 * size, 2.9 * size);
        let each = (frame.height - foot) / 3.0;
        let head = HEAD * size;
        Plan {
            strips: [0.0, 1.0, 2.0].map(|strip| {
                let top = strip * each + head;
                Rect::inside(frame, left, top, right, frame.height - top - (each - head))
            }),
            titles: [0.0, 1.0, 2.0].map(|strip| strip * each + 1.3 * size),
            size,
        }
    }
}

impl Layouts {
    fn grid(&self) -> (usize, usize) {
        (self.max_len, self.strips[0].pe.d_model())
    }

    /// Draws the two columns of the pair, their names above them, and a line from one to the other where they are apart.
    fn draw_pair(&self, pen: &Pen, context: &DrawContext, strip: &Strip, rect: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let pair = [Member::Sine, Member::Cosine].map(|member| strip.column(self.pair, member));
        let [Some(sine), Some(cosine)] = pair else {
            return;
        };
        let each = rect.width / self.grid().1 as f64;
        let middle = |column: usize| rect.x + (column as f64 + 0.5) * each;
        let (width, stroke) = (each.max(2.0), 1.5 * theme.stroke());
        // Adjacent narrow columns are drawn apart, so that both are seen.
        let (mut left, mut right) = (middle(sine), middle(cosine));
        let apart = width.max(2.0 + 1.8 * stroke);
        keep_apart(&mut left, &mut right, apart);
        let style = |colour| TextStyle::new(1.3 * size, colour).bold().align_left();
        let names = [("sin", sine), ("cos", cosine)]
            .map(|(name, column)| format!("{name} {}", whole(column as i64)));
        let wide = [0, 1].map(|member| style(theme.ink).width(&names[member]));
        // The sine's name ends at its column, that of the cosine begins there, as far as there is room.
        let first = (left + 0.2 * size - wide[0]).max(0.0);
        let second = (right - 0.2 * size).max(first + wide[0] + 0.5 * size);
        let second = second.min(context.frame.width - wide[1]);
        let first = first.min(second - 0.5 * size - wide[0]);
        let y = rect.y - 0.75 * size;
        let line = [first + wide[0] + 0.4 * size, second - 0.4 * size];
        if line[1] - line[0] > 10.0 {
            pen.line(&line.map(|x| (x, y)), theme.ink, theme.stroke());
        }
        if right - left < apart + 0.5 {
            let between = 0.5 * (left + right);
            pen.line(&rect.vertical(between), theme.panel, theme.hairline());
        }
        for (member, (x, colour)) in [(left, theme.sine), (right, theme.cosine)]
            .into_iter()
            .enumerate()
        {
            let column = rect.across(x - width / 2.0, width);
            pen.outline(column, colour, 1.0, stroke);
            let (at, style) = match member {
                0 => (first + wide[0], style(colour).align_right()),
                _ => (second, style(colour)),
            };
            pen.text((at, y), &names[member], style);
        }
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 512, |_| (2, 512));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 20, |_| (1, 256)).under_more();
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 32, |v| (0, v.get(D_MODEL) / 2 - 1));
}

impl Figure for Layouts {
    const NAME: ViewName = ViewName::Layouts;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(PAIR), None];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<Layouts>) -> Layouts {
        let (d_model, max_len) = (values.count(D_MODEL), values.count(MAX_LEN));
        let same = |old: &Layouts| old.grid() == (max_len, d_model);
        Layouts {
            lang,
            max_len,
            pair: values.count(PAIR),
            strips: match previous.filter(same) {
                Some(previous) => previous.strips,
                None => strips(d_model, max_len),
            },
        }
    }

    fn caption(&self) -> String {
        let [_, second, third] = &self.strips;
        let (permuted, other) = (tiny(second.apart), short(third.apart, 2));
        let last = |strip: &Strip| short(1.0 / strip.pe.frequency(strip.pe.pairs() - 1), 5);
        let mut said = match self.lang {
            Lang::En => format!(
                "The first two hold the same columns in another order: no dot product of two rows differs by more than {permuted}, which is rounding."
            ),
            Lang::Zh => format!(
                "前两种只是同样的列换了顺序：任意两行的点积最多相差 {permuted}，只是舍入误差。"
            ),
        };
        if third.apart > 0.0 {
            let [first, _, third] = [0, 1, 2].map(|strip| last(&self.strips[strip]));
            said += &match self.lang {
                Lang::En => format!(
                    " In the third they differ by up to {other}, because it has other frequencies: the last timescale is {third} instead of {first}."
                ),
                Lang::Zh => format!(
                    "第三种的点积最多相差 {other}，因为它的频率本来就不同：最后一个时间尺度是 {third}，而不是 {first}。"
                ),
            };
        }
        said
    }

    fn more(&self) -> Option<Node> {
        let words = |text: Text| html::words(text.get(self.lang));
        let mut rows = vec![vec![
            html::words(match self.lang {
                Lang::En => format!("dimensions of pair {}", self.pair),
                Lang::Zh => format!("维度对 {} 所在维度", self.pair),
            }),
            words(Text::new("sine", "正弦")),
            words(Text::new("cosine", "余弦")),
            words(Text::new("wavelength", "波长")),
        ]];
        let names = ["interleaved", "concatenated", "tensor2tensor"];
        for (name, strip) in names.into_iter().zip(&self.strips) {
            let column = |member, class| {
                let found = strip.column(self.pair, member);
                let text = found.map_or("–".into(), |column| whole(column as i64));
                html::span(class, text)
            };
            rows.push(vec![
                html::words(name),
                column(Member::Sine, "sine"),
                column(Member::Cosine, "cosine"),
                html::words(short(strip.pe.wavelength(self.pair), 6)),
            ]);
        }
        Some(html::table(rows))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        let strip = (0.16 * width).clamp(52.0, 110.0) * theme.scale;
        Some(theme.fitted(3.0 * (strip + HEAD * size) + 2.9 * size, 21.0))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context.frame, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let theme = context.theme;
        let (size, (rows, columns)) = (plan.size, self.grid());
        let small = TextStyle::new(size, theme.muted);
        for ((strip, rect), (name, y)) in self
            .strips
            .iter()
            .zip(plan.strips)
            .zip(NAMES.iter().zip(plan.titles))
        {
            let length = format!("λ {}", short(strip.pe.wavelength(self.pair), 4));
            let style = match strip.pe.layout() {
                Layout::Tensor2tensor => TextStyle::new(size, theme.there).bold(),
                _ => small,
            };
            pen.text((rect.right(), y), &length, style.align_right());
            let name = name.get(self.lang);
            let title = TextStyle::new(size, theme.ink).bold().align_left();
            let room = rect.width - style.width(&length) - 0.6 * size;
            pen.text((rect.x, y), name, title.fitting(name, room));
            let groups = grouped(&strip.pe, most_columns(context, rect.width));
            cells(
                pen,
                context,
                rect,
                (rows, groups.len()),
                1.0,
                |row, column| {
                    let group = &groups[column];
                    let value = |&dimension: &usize| strip.table.at(row, dimension);
                    f64::from(group.iter().map(value).sum::<f32>() / group.len() as f32)
                },
            );
            pen.fill(rect, theme.panel, FAINT);
            pen.outline(rect, theme.muted, 0.6, theme.hairline());
            self.draw_pair(pen, context, strip, rect);
            for (row, at) in [(0, rect.y), (rows - 1, rect.bottom())] {
                let inwards = if row == 0 { 0.4 } else { -0.4 };
                let at = (rect.x - 0.4 * size, at + inwards * size);
                pen.text(at, &whole(row as i64), small.align_right());
            }
        }
        let last = plan.strips[2];
        for column in [0, columns / 2, columns - 1] {
            let at = last.x + (column as f64 + 0.5) / columns as f64 * last.width;
            let at = (at, last.bottom() + 0.8 * size);
            pen.text(at, &whole(column as i64), small);
        }
        let middle = plan.strips[1];
        let position = labels::POSITION_AXIS.get(self.lang);
        let beside = (middle.x - 2.8 * size, middle.centre_y());
        pen.text(beside, position, small.rotated());
        let across = (last.centre_x(), last.bottom() + 2.1 * size);
        pen.text(across, labels::DIMENSION_AXIS.get(self.lang), small);
        let first = plan.strips[0];
        // Its name ends above the title of the second strip.
        let bar = first
            .across(first.right() + 0.9 * size, 0.9 * size)
            .down(first.y, first.height - 1.6 * size);
        colour_bar(pen, context, bar, 1.0, labels::VALUE_AXIS.get(self.lang));
        pen.fill(bar, theme.panel, FAINT);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let strips = self.strips.iter().zip(plan.strips);
        let pairs = strips.map(|(strip, rect)| {
            let d_model = self.grid().1;
            let numbers = (0..d_model).map(|column| match strip.pe.column(column) {
                // The sine of an odd d_model that has no cosine cannot be selected.
                Column::Wave { pair, .. } if pair < d_model / 2 => Some(pair as i64),
                _ => None,
            });
            let (shape, numbers) = ((1, d_model), numbers.collect());
            Handle::area(rect).sets(PAIR, Mapping::Lookup { shape, numbers })
        });
        pairs.collect()
    }

    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let of =
            |layout: f64, d: f64| Sinusoidal::new(d as usize, 10_000.0, LAYOUTS[layout as usize]);
        Some(match (name, arguments) {
            ("layout_frequency", &[layout, d, pair]) => of(layout, d).frequency(pair as usize),
            ("timescale", &[layout, d, pair]) => 1.0 / of(layout, d).frequency(pair as usize),
            ("column", &[layout, d, pair, cosine]) => {
                let member = [Member::Sine, Member::Cosine][cosine as usize];
                of(layout, d).dimension(pair as usize, member)? as f64
            }
            ("apart", &[layout, d, len]) => strips(d as usize, len as usize)[layout as usize].apart,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts(changes: &str) -> Layouts {
        Layouts::new(&Values::with(Layouts::FIELDS, changes), Lang::En, None)
    }

    #[test]
    fn only_the_third_changes_dot_products() {
        let [first, second, third] = layouts("d_model=512 max_len=20").strips;
        assert_eq!(first.apart, 0.0);
        assert!(second.apart < 1e-12);
        // NumPy: largest difference of two 20×20 tables of dot products.
        assert!((third.apart - 0.381_764_289).abs() < 1e-8);
        // NumPy again: the largest is between rows that are far apart.
        let [_, _, third] = layouts("d_model=64 max_len=200").strips;
        assert!((third.apart - 7.385_581_964).abs() < 1e-8);
    }

    #[test]
    fn the_pair_is_where_the_layout_puts_it() {
        let strips = layouts("d_model=512 max_len=20").strips;
        let columns = strips.map(|strip| {
            [Member::Sine, Member::Cosine].map(|member| strip.column(32, member).unwrap())
        });
        assert_eq!(columns, [[64, 65], [32, 288], [32, 288]]);
    }

    #[test]
    fn columns_taken_together_are_neighbours_of_one_kind() {
        let of = |layout, d| grouped(&Sinusoidal::new(d, 10_000.0, layout), 4);
        let pairs = [vec![0, 2], vec![1, 3], vec![4, 6], vec![5, 7]];
        assert_eq!(of(Layout::Interleaved, 8), pairs);
        let halves = [vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7]];
        assert_eq!(of(Layout::Concatenated, 8), halves);
        assert_eq!(of(Layout::Concatenated, 4).len(), 4);
        assert_eq!(of(Layout::Tensor2tensor, 5), [[0, 1], [2, 3]]);
    }

    #[test]
    fn the_last_timescale_of_tensor2tensor_is_the_base() {
        assert!(
            (Layouts::lesson_number("timescale", &[2.0, 512.0, 255.0]).unwrap() - 1e4).abs() < 1e-8
        );
        assert!(
            (Layouts::lesson_number("timescale", &[0.0, 512.0, 255.0]).unwrap() - 9_646.616_199)
                .abs()
                < 1e-5
        );
    }

    #[test]
    fn the_famous_picture_is_the_third() {
        // PE(1) of tensor2tensor at d_model = 4: sin 1, sin 1e-4, cos 1, cos 1e-4.
        let strips = layouts("d_model=4 max_len=2").strips;
        let row = strips[2].table.row(1);
        for (value, expected) in row.iter().zip([0.841_471, 1e-4, 0.540_302_3, 1.0]) {
            assert!((value - expected).abs() < 1e-6);
        }
    }
}
