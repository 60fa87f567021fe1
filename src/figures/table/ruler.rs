//! Which pairs complete a cycle within the table: their sines as columns of a heatmap and below it, on
//! the same axis, their wavelengths on a logarithmic scale with a line at max_len.

use crate::draw::chart::Chart;
use crate::draw::grid::cells;
use crate::draw::text_style::tag_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::text::markup::{Node, html};
use crate::text::number::{noun, short, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, MAX_D_MODEL, MAX_LEN, Sinusoidal};

pub struct Ruler {
    lang: Lang,
    pe: Sinusoidal,
    max_len: usize,
    pair: usize,
    /// Rows and columns of the heatmap, and its values row by row.
    grid: (usize, usize),
    sines: Vec<f64>,
}

const WAVELENGTH: Text = Text::new("wavelength, positions", "波长（位置数）");
const PAIR: Text = Text::new("pair i", "维度对 i");
/// Maximum number of rows and columns of the heatmap: more would be too small to see.
const MAX_CELLS: (usize, usize) = (64, 256);

/// Returns the mean of sin(pos·ω) over a run of positions: Σ = sin(nω/2)/sin(ω/2) · sine at the middle.
fn mean_sine(pe: &Sinusoidal, pair: usize, first: usize, last: usize) -> f64 {
    let middle = pe.sin_cos_at(pair, (first + last) as f64 / 2.0).0;
    if first == last {
        return middle;
    }
    let n = (last - first + 1) as f64;
    let half = |n: f64| pe.sin_cos_at(pair, n / 2.0).0;
    middle * half(n) / (n * half(1.0))
}

fn sines(pe: &Sinusoidal, max_len: usize) -> ((usize, usize), Vec<f64>) {
    let (rows, columns) = (max_len.min(MAX_CELLS.0), pe.pairs().min(MAX_CELLS.1));
    let mut values = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        let (first, next) = (row * max_len / rows, (row + 1) * max_len / rows);
        for column in 0..columns {
            let pair = column * (pe.pairs() - 1) / (columns - 1).max(1);
            values.push(mean_sine(pe, pair, first, next - 1));
        }
    }
    ((rows, columns), values)
}

impl Ruler {
    /// Says at the crossing with max_len what it means: how many pairs are on its left.
    fn name_cut(&self, pen: &Pen, theme: &Theme, chart: &Chart, cut: f64) {
        let (size, done) = (theme.label_size(), self.complete());
        if done == 0 || done == self.pe.pairs() {
            return;
        }
        let style = TextStyle::new(1.15 * size, theme.series[0])
            .bold()
            .align_left();
        let count = whole(done as i64);
        let text = match self.lang {
            Lang::En => format!(
                "{count} {} full circle",
                noun(&count, "pair comes", "pairs come")
            ),
            Lang::Zh => format!("{count} 个维度对转得满一圈"),
        };
        // Among these pairs, or else beside them.
        let [within, beyond] =
            [cut - chart.plot.x, chart.plot.right() - cut].map(|room| room - size);
        let (text, x, room) = match within > beyond {
            true => (text, chart.plot.x + 0.5 * size, within),
            false => (format!("← {text}"), cut + 0.5 * size, beyond),
        };
        let at = (x, chart.plot.bottom() - 0.9 * size);
        pen.text(at, &text, style.fitting(&text, room));
    }

    /// Returns the number of pairs that complete a cycle within max_len positions.
    pub fn complete(&self) -> usize {
        let within = |&pair: &usize| self.pe.wavelength(pair) <= self.max_len as f64;
        (0..self.pe.pairs()).filter(within).count()
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 512, |_| (2, MAX_D_MODEL as i64));
    LENGTH: i64 = Key::size("max_len", "length", "位置数", 50, |_| (1, MAX_LEN as i64));
    SELECTED_PAIR: i64 = Key::whole("pair", "index i", "维度对", 128, |v| {
        (0, (v.get(D_MODEL) + 1) / 2 - 1)
    })
    .without_control();
}

impl Figure for Ruler {
    const NAME: ViewName = ViewName::Ruler;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(SELECTED_PAIR), None];

    type Layout = (Chart, Rect);

    fn new(values: &Values, lang: Lang, previous: Option<Ruler>) -> Ruler {
        let (d_model, max_len) = (values.count(D_MODEL), values.count(LENGTH));
        let same = |old: &Ruler| old.pe.d_model() == d_model && old.max_len == max_len;
        let (pe, (grid, sines)) = match previous.filter(same) {
            Some(old) => (old.pe, (old.grid, old.sines)),
            None => {
                let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
                let sines = sines(&pe, max_len);
                (pe, sines)
            }
        };
        Ruler {
            lang,
            pe,
            max_len,
            pair: values.count(SELECTED_PAIR),
            grid,
            sines,
        }
    }

    fn title(&self) -> Text {
        match self.complete() {
            0 => Text::new("No pair comes full circle", "没有一个维度对转得满一圈"),
            all if all == self.pe.pairs() => {
                Text::new("Every pair comes full circle", "每个维度对都转得满一圈")
            }
            _ => Self::NAME.title(),
        }
    }

    fn caption(&self) -> String {
        let (done, pairs) = (self.complete(), self.pe.pairs());
        let len = whole(self.max_len as i64);
        let wavelength = self.pe.wavelength(self.pair);
        let (pair, length) = (self.pair, short(wavelength, 7));
        let cycles = short(self.max_len as f64 / wavelength, 3);
        let stripes = match self.lang {
            // Only what makes less than a twelfth of a turn hardly changes.
            _ if 12.0 * self.max_len as f64 > self.pe.wavelength(pairs - 1) => "",
            Lang::En => "; the slowest hardly change and are the stripes of the heatmap",
            Lang::Zh => "；频率最低的那些几乎不变，就成了热力图里的竖条纹",
        };
        match self.lang {
            Lang::En => format!(
                "{done} of {pairs} {} {} a cycle within {len} {}{stripes}. Pair {pair} has a wavelength of {length} positions: {cycles} {} into the table.",
                noun(&pairs.to_string(), "pair", "pairs"),
                noun(&done.to_string(), "completes", "complete"),
                noun(&len, "position", "positions"),
                noun(&cycles, "cycle fits", "cycles fit")
            ),
            Lang::Zh => format!(
                "{pairs} 个维度对中，有 {done} 个在 {len} 个位置内走完一个周期{stripes}。维度对 {pair} 的波长为 {length} 个位置，表中容得下 {cycles} 个周期。"
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let lengths = [50, 512, 5000].map(|len| {
            let words = format!("max_len {}", whole(len));
            html::button("length", len.to_string(), words).attribute(
                "aria-pressed",
                if self.max_len as i64 == len {
                    "true"
                } else {
                    "false"
                },
            )
        });
        Some(html::div("row", lengths.to_vec()))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "length" {
            values.set(LENGTH.name(), value);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.69 * width).clamp(300.0, 475.0) * theme.scale, 18.0))
    }

    /// Returns the chart of wavelengths and the rectangle of the heatmap above it.
    fn layout(&self, context: &DrawContext) -> (Chart, Rect) {
        let size = context.theme.label_size();
        let strip = 0.32 * context.frame.height;
        let room = Rect::all(context.frame).down(
            strip + 0.4 * size,
            context.frame.height - strip - 0.4 * size,
        );
        let longest = self.pe.wavelength(self.pe.pairs() - 1);
        let high = longest.max(self.max_len as f64) * 1.6;
        // Pair i is centred on i, as its column is.
        let pairs = Scale::linear(-0.5, self.pe.pairs() as f64 - 0.5);
        let chart = Chart::new(context, room, pairs, Scale::log(4.0, high));
        let top = 2.0 * size;
        let heat = chart.plot.down(top, (strip - top).max(1.0));
        (chart, heat)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, layout: &(Chart, Rect)) {
        let (theme, (chart, heat)) = (context.theme, *layout);
        let size = theme.label_size();
        let columns = self.grid.1;
        cells(pen, context, heat, self.grid, 1.0, |row, column| {
            self.sines[row * columns + column]
        });
        pen.outline(heat, theme.muted, 0.6, theme.hairline());
        let style = TextStyle::new(size, theme.muted);
        for (row, y) in [
            (0, heat.y + 0.4 * size),
            (self.max_len - 1, heat.bottom() - 0.4 * size),
        ] {
            // A single row has a single number.
            if row > 0 || y < heat.y + size {
                pen.text(
                    (heat.x - 0.5 * size, y),
                    &whole(row as i64),
                    style.align_right(),
                );
            }
        }
        let mut title = match self.lang {
            Lang::En => "sine of every pair, position down",
            Lang::Zh => "各维度对的正弦，位置自上而下",
        }
        .to_string();
        if self.max_len > self.grid.0 {
            let run = short(self.max_len as f64 / self.grid.0 as f64, 3);
            title += &match self.lang {
                Lang::En => format!(", each row the mean of {run}"),
                Lang::Zh => format!("，每行为 {run} 个位置的平均"),
            };
        }
        let room = context.frame.width - size;
        let style = style.fitting(&title, room).align_left();
        pen.text((heat.x, 0.9 * size), &title, style);
        chart.axes(
            pen,
            context,
            [WAVELENGTH, PAIR].map(|text| text.get(self.lang)),
        );
        let below = chart
            .y
            .pixel(self.max_len as f64)
            .clamped(chart.plot.y, chart.plot.bottom());
        let done = self.complete();
        let cut = chart.x.pixel(done as f64 - 0.5);
        let within = chart.plot.down(below, chart.plot.bottom() - below);
        let within = within.across(within.x, (cut - within.x).clamped(0.0, within.width));
        pen.fill(within, theme.series[0], 0.16);
        let [from, to] = chart.plot.horizontal(below);
        pen.dashes(from, to, theme.series[0], 0.75 * theme.stroke());
        let pairs = self.pe.pairs();
        let every = pairs.div_ceil(512);
        let lengths = (0..pairs)
            .step_by(every)
            .map(|pair| (pair as f64, self.pe.wavelength(pair)));
        chart.curve(pen, lengths, theme.ink, theme.stroke());
        if done > 0 && done < pairs {
            let (from, to) = ((cut, chart.plot.bottom()), (cut, heat.y));
            pen.dashes(from, to, theme.series[0], theme.stroke());
        }
        let here = (self.pair as f64, self.pe.wavelength(self.pair));
        let x = chart.x.pixel(here.0);
        pen.dashes(chart.at(here), (x, heat.y), theme.accent, theme.hairline());
        chart.dots(pen, [here], theme.accent, 2.5 * theme.stroke());
        let name = labels::pair_tag(self.lang, self.pair);
        let style = TextStyle::new(size, theme.accent);
        let half = style.width(&name) / 2.0 + 0.4 * size;
        // A slow pair has its dot at the top of the chart, and its name below the middle.
        let y = match chart.at(here).y < chart.plot.y + 2.4 * size {
            true => chart.plot.centre_y() + size,
            false => chart.plot.y + 0.9 * size,
        };
        let at = (x.min(chart.plot.right() - half), y);
        pen.text_on(at, &name, style, theme.panel);
        self.name_cut(pen, theme, &chart, cut);
        let length = format!("max_len {}", whole(self.max_len as i64));
        // At the end that is away from the crossing.
        let half = tag_width(&length, size) / 2.0 + 0.3 * size;
        let at = if 2 * done < pairs {
            chart.plot.right() - half
        } else {
            chart.plot.x + half
        };
        pen.tag((at, below), &length, size, theme.series[0], theme.panel);
    }

    fn handles(&self, _: &DrawContext, layout: &(Chart, Rect)) -> Vec<Handle> {
        let (chart, heat) = *layout;
        let area = Handle::plot(heat.union(chart.plot));
        vec![area.sets(SELECTED_PAIR, Mapping::X(chart.x))]
    }

    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let pe = |d: f64| Sinusoidal::new(d as usize, 10_000.0, Layout::Interleaved);
        Some(match (name, arguments) {
            ("shown", &[d, pair, len]) => len / pe(d).wavelength(pair as usize),
            ("ratio", &[d]) => pe(d).wavelength(1) / pe(d).wavelength(0),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_pairs_that_complete_a_cycle() {
        for (len, count) in [("50", 58), ("512", 123), ("5000", 186)] {
            let mut values = Values::new(Ruler::FIELDS);
            values.set("max_len", len);
            assert_eq!(Ruler::new(&values, Lang::En, None).complete(), count);
        }
    }

    #[test]
    fn the_columns_behind_the_cut_are_the_stripes() {
        // At 50 positions the slowest 100 columns change by less than a tenth of the range, the fastest through
        // nearly the whole range.
        let ruler = Ruler::new(&Values::new(Ruler::FIELDS), Lang::En, None);
        let range = |column: usize| {
            let values = (0..50).map(|row| ruler.sines[row * 256 + column]);
            let (low, high) = values.fold((1.0f64, -1.0f64), |(low, high), v| {
                (low.min(v), high.max(v))
            });
            high - low
        };
        assert!((0..58).all(|column| range(column) > 1.9));
        assert!((156..256).all(|column| range(column) < 0.2));
    }

    #[test]
    fn the_mean_of_a_run_is_the_mean_of_its_sines() {
        let pe = Sinusoidal::new(64, 10_000.0, Layout::Interleaved);
        for pair in [0, 5, 31] {
            let sum: f64 = (7..=20).map(|pos| pe.sin_cos(pair, pos).0).sum();
            assert!((mean_sine(&pe, pair, 7, 20) - sum / 14.0).abs() < 1e-14);
        }
    }
}
