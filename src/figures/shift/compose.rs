//! Two shifts in succession are one shift: M_k · M_j = M_(j+k), on dials and in numbers.

use crate::draw::pen::arc;
use crate::draw::{Circle, DrawContext, Pen, Point, Rect, Space, TextStyle, Theme, dial};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::figures::distance::nearest::lone;
use crate::math::rotation::Rotation;
use crate::text::markup::{Node, html};
use crate::text::number::{tiny, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Layout, Sinusoidal};
use std::f64::consts::PI;

pub struct Compose {
    lang: Lang,
    pe: Sinusoidal,
    pos: i64,
    j: i64,
    k: i64,
    pair: usize,
    laws: [f64; 5],
}

type Block = [[f64; 2]; 2];

fn times(a: Block, b: Block) -> Block {
    let entry = |r: usize, c: usize| a[r][0] * b[0][c] + a[r][1] * b[1][c];
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

fn apart(a: Block, b: Block) -> f64 {
    let differences = a.iter().flatten().zip(b.iter().flatten());
    differences.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const ONE: Block = [[1.0, 0.0], [0.0, 1.0]];

/// Largest differences over all entries (outside the blocks all are 0): of M_k·M_j from M_(j+k),
/// of M_(−k)·M_k from I, of M_(−k) from M_kᵀ, of |M_k·PE(pos)| from |PE(pos)|, of M_0 from I.
fn laws(pe: &Sinusoidal, pos: i64, j: i64, k: i64) -> [f64; 5] {
    let shift = |by| Rotation::new(pe, by);
    let [first, second, both, back, none] = [j, k, j + k, -k, 0].map(shift);
    let mut worst = [0.0f64; 5];
    for pair in 0..pe.pairs() {
        let block = |rotation: &Rotation| rotation.block(pair).unwrap_or(ONE);
        let m = block(&second);
        let transposed = [[m[0][0], m[1][0]], [m[0][1], m[1][1]]];
        let found = [
            apart(times(m, block(&first)), block(&both)),
            apart(times(block(&back), m), ONE),
            apart(block(&back), transposed),
            0.0,
            apart(block(&none), ONE),
        ];
        for (worst, found) in worst.iter_mut().zip(found) {
            *worst = worst.max(found);
        }
    }
    let norm = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    // The last sine of an odd width has no cosine and does not rotate.
    let row = &pe.row(pos)[..pe.d_model() / 2 * 2];
    worst[3] = (norm(&second.apply(row)) - norm(row)).abs();
    worst
}

impl Compose {
    fn target(&self) -> i64 {
        self.pos + self.j + self.k
    }

    fn line_height(&self, theme: &Theme) -> f64 {
        9.4 * theme.label_size()
    }

    /// Draws the shifts as arcs over the position axis.
    fn draw_line(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let stops = [self.pos, self.pos + self.j, self.target()];
        let low = stops.into_iter().min().unwrap_or(0) as f64 - 1.0;
        let high = stops.into_iter().max().unwrap_or(0) as f64 + 1.0;
        let (left, right) = (2.2 * size, context.frame.width - 2.2 * size);
        let x = |pos: i64| left + (pos as f64 - low) / (high - low) * (right - left);
        let y = 4.6 * size;
        pen.line(&[(left, y), (right, y)], theme.muted, theme.hairline());
        let mut space = Space::new(Rect::all(context.frame));
        let mut jump =
            |[from, to]: [i64; 2], up: f64, outside: f64, name: &str, colour: RGBColor| {
                let (a, b) = (x(from), x(to));
                let half = (b - a).abs() / 2.0;
                if half < 0.5 {
                    return;
                }
                let flat = (2.6 * size / half).min(1.0);
                let centre = Point::new((a + b) / 2.0, 0.0);
                let (start, end) = if a < b { (PI, 0.0) } else { (0.0, PI) };
                let mut points = arc(centre, |_| half, start, end);
                for point in &mut points {
                    point.y = y + up * flat * point.y;
                }
                pen.line(&points, colour, theme.stroke());
                let head = 2.4 * theme.stroke();
                let tip = Point::new(x(to), y);
                let wing = |side: f64| tip + (0.45 * side * head, -up * head);
                pen.polygon(&[tip, wing(-1.0), wing(1.0)], colour, 1.0);
                let height = up * flat * half;
                let label = (centre.x, y - height - outside * up.signum() * 0.75 * size);
                let style = TextStyle::new(size, colour).bold();
                space.take(pen.text_bounds(label, name, style));
                pen.text(label, name, style);
            };
        let names = [
            format!("j = {}", whole(self.j)),
            format!("k = {}", whole(self.k)),
            format!("j + k = {}", whole(self.j + self.k)),
        ];
        jump([stops[0], stops[1]], 1.0, 1.0, &names[0], theme.accent);
        // If k leads back, its arc is lower and its name inside it: two names do not fit above the same positions.
        let back = self.j.signum() == -self.k.signum();
        let (up, outside) = if back { (0.6, -1.0) } else { (1.0, 1.0) };
        jump([stops[1], stops[2]], up, outside, &names[1], theme.muted);
        jump([stops[0], stops[2]], -1.0, 1.0, &names[2], theme.there);
        for (stop, colour) in [
            (stops[1], theme.accent),
            (stops[2], theme.there),
            (stops[0], theme.here),
        ] {
            pen.disc((x(stop), y), 2.2 * theme.stroke(), colour);
        }
        let small = TextStyle::new(size, theme.muted);
        for (index, stop) in stops.into_iter().enumerate() {
            if stops[..index].contains(&stop) {
                continue;
            }
            // Keeps the numbers clear of the arc below the axis, which ends at two of them.
            let way = (self.j + self.k).signum();
            let outside = match stop {
                stop if stop == self.pos => -way,
                stop if stop == self.target() => way,
                _ => 0,
            } as f64;
            let number = whole(stop);
            let places = [outside, 2.0 * outside].map(|by| (x(stop) + by * size, y + 0.95 * size));
            let bounds = places.map(|at| pen.text_bounds(at, &number, small));
            if let Some(found) = space.find(&bounds) {
                space.take(bounds[found]);
                pen.text(places[found], &number, small);
            }
        }
        let title = labels::POSITION_AXIS.get(self.lang);
        let (right, left) = (right + 1.9 * size, left - 1.9 * size);
        let (above, below) = (y - 0.9 * size, y + 0.95 * size);
        let places = [
            ((right, above), small.align_right()),
            ((left, above), small.align_left()),
            ((right, below), small.align_right()),
            ((left, below), small.align_left()),
        ];
        let bounds = places.map(|(at, style)| pen.text_bounds(at, title, style));
        if let Some(found) = space.find(&bounds) {
            let (at, style) = places[found];
            pen.text(at, title, style);
        }
    }
}

impl Compose {
    /// The largest deviations from the laws of rotations in floating point.
    fn laws_table(&self) -> Node {
        let heads = [
            Text::new("law", "规律"),
            Text::new("largest difference, 64-bit floats", "最大差（64 位浮点）"),
        ];
        let mut rows = vec![heads.map(|text| html::words(text.get(self.lang))).to_vec()];
        let names = [
            "Mₖ·Mⱼ = Mⱼ₊ₖ",
            "M₋ₖ·Mₖ = I",
            "M₋ₖ = Mₖᵀ",
            "‖Mₖ·PE(pos)‖ = ‖PE(pos)‖",
            "M₀ = I",
        ];
        for (name, off) in names.into_iter().zip(self.laws) {
            rows.push(vec![html::words(name), html::words(tiny(off))]);
        }
        html::table(rows)
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 16, |_| (2, 512)).under_more();
    POS: i64 = Key::whole("pos", "position", "位置", 2, |_| (0, 100)).under_more();
    J: i64 = Key::whole("j", "j, first offset", "j，先移动", 5, |_| (-64, 64));
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (-64, 64));
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 1, |v| {
        (0, (v.get(D_MODEL) / 2 - 1).max(0))
    })
    .under_more();
}

impl Figure for Compose {
    const NAME: ViewName = ViewName::Compose;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), Some(J)];

    type Layout = Circle;

    fn new(values: &Values, lang: Lang, _: Option<Compose>) -> Compose {
        let pe = Sinusoidal::new(values.count(D_MODEL), 10_000.0, Layout::Interleaved);
        let [pos, j, k] = [POS, J, K].map(|key| values.get(key));
        Compose {
            lang,
            pos,
            j,
            k,
            pair: values.count(PAIR),
            laws: laws(&pe, pos, j, k),
            pe,
        }
    }

    fn caption(&self) -> String {
        let sum = whole(self.j + self.k);
        let (j, k, target) = (whole(self.j), whole(self.k), whole(self.target()));
        let (pos, worst) = (whole(self.pos), tiny(self.laws[0]));
        let said = match (self.lang, self.j == -self.k) {
            (Lang::En, true) => format!(
                "k undoes j: the arrow is back at position {pos}, since the rotations add up to 0. Mₖ·Mⱼ differs from the identity by at most {worst}."
            ),
            (Lang::Zh, true) => format!(
                "k 抵消了 j：转角之和为 0，箭头回到位置 {pos}。Mₖ·Mⱼ 与单位矩阵最多相差 {worst}。"
            ),
            (Lang::En, false) => format!(
                "A shift by {j} and then by {k} ends at position {target}, where one shift by {sum} ends: on the dial the rotations add up. Mₖ·Mⱼ and Mⱼ₊ₖ differ by at most {worst} over all entries."
            ),
            (Lang::Zh, false) => format!(
                "先移 {j} 再移 {k}，到达位置 {target}，与一次移 {sum} 相同：圆盘上，两次的转角相加。Mₖ·Mⱼ 与 Mⱼ₊ₖ 的所有元素最多相差 {worst}。"
            ),
        };
        said + lone(self.lang, self.pe.d_model())
    }

    fn more(&self) -> Option<Node> {
        let button = |value: &'static str, en, zh| {
            html::button("set", value, Text::new(en, zh).get(self.lang))
        };
        let buttons = vec![
            button("undo", "Undo: k = −j", "抵消：k = −j"),
            button("swap", "Swap j and k", "交换 j 与 k"),
            button("none", "No shift: k = 0", "不移动：k = 0"),
        ];
        let parts = vec![html::div("row", buttons), self.laws_table()];
        Some(Node::new("div", parts))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match (action, value) {
            ("set", "undo") => values.set_to(K, -self.j),
            ("set", "none") => values.set_to(K, 0),
            ("set", "swap") => {
                values.set_to(J, self.k);
                values.set_to(K, self.j);
            }
            _ => {}
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let dial = (0.46 * width).clamp(200.0, 320.0) * theme.scale;
        Some(theme.fitted(self.line_height(theme) + dial, 16.0))
    }

    /// The circle of the selected pair.
    fn layout(&self, context: &DrawContext) -> Circle {
        let (frame, size) = (context.frame, context.theme.label_size());
        let top = self.line_height(context.theme);
        let height = frame.height - top;
        let radius = (frame.width / 2.0 - dial::BESIDE * size).min(height / 2.0 - 2.2 * size);
        Circle {
            centre: Point::new(frame.width / 2.0, top + height / 2.0 - 0.3 * size),
            radius: radius.max(20.0),
        }
    }

    /// The hand of pos + j sets j, and that of pos + j + k sets k.
    fn handles(&self, context: &DrawContext, circle: &Circle) -> Vec<Handle> {
        let (theme, step) = (context.theme, self.pe.frequency(self.pair));
        let angle = |position: i64| self.pe.angle(self.pair, position);
        let hand = |(from, to): (i64, i64), (field, colour)| {
            let turned = Mapping::Turn {
                centre: circle.centre,
                zero: angle(from),
                step,
            };
            let tip = circle.at(angle(to), 1.0);
            Handle::grip(tip)
                .sets(field, turned)
                .ringed(tip, colour, f64::INFINITY)
        };
        let middle = self.pos + self.j;
        vec![
            hand((middle, self.target()), (K, theme.there)),
            hand((self.pos, middle), (J, theme.accent)),
        ]
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, circle: &Circle) {
        let (theme, size) = (context.theme, context.theme.label_size());
        self.draw_line(pen, context);
        let (pair, circle) = (self.pair, *circle);
        let omega = self.pe.frequency(pair);
        let start = self.pe.angle(pair, self.pos);
        let turns = [self.j, self.k, self.j + self.k].map(|by| by as f64 * omega);
        let (middle, end) = (start + turns[0], start + turns[2]);
        dial::axes(pen, theme, circle);
        dial::turn(pen, theme, circle, 0.26, (start, turns[0]), theme.accent);
        dial::turn(pen, theme, circle, 0.42, (middle, turns[1]), theme.muted);
        dial::turn(pen, theme, circle, 0.64, (start, turns[2]), theme.there);
        let arrow = 1.2 * theme.stroke();
        let centre = circle.centre;
        pen.arrow(centre, circle.at(middle, 1.0), theme.accent, arrow);
        pen.arrow(centre, circle.at(end, 1.0), theme.there, arrow);
        pen.arrow(centre, circle.at(start, 1.0), theme.here, arrow);
        let stops = [self.pos, self.target(), self.pos + self.j].map(whole);
        let colours = [theme.here, theme.there, theme.accent];
        let hands = [start, end, middle].into_iter().zip(&stops).zip(colours);
        let mut named: Vec<dial::Named> = Vec::new();
        for ((angle, name), colour) in hands {
            // Hands that nearly coincide have one number.
            let at = circle.at(angle, 1.0);
            let free = |other: &dial::Named| circle.at(other.angle, 1.0).distance(at) > 1.5 * size;
            if named.iter().all(free) {
                named.push(dial::Named {
                    angle,
                    name,
                    colour,
                });
            }
        }
        dial::names(pen, context, self.lang, circle, &named);
        let below = centre + (0.0, circle.radius + 1.9 * size);
        let style = TextStyle::new(size, theme.muted);
        pen.text(below, &labels::pair_tag(self.lang, pair), style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compose(changes: &str) -> Compose {
        let values = Values::with(Compose::FIELDS, changes);
        Compose::new(&values, Lang::En, None)
    }

    #[test]
    fn the_laws_hold_for_every_pair() {
        for changes in [
            "d_model=512 j=5 k=3 pos=17",
            "d_model=512 j=-64 k=64 pos=100",
            "d_model=3 j=7 k=-2",
        ] {
            let laws = compose(changes).laws;
            assert!(laws.iter().all(|off| *off < 2e-14), "{laws:?}");
        }
    }

    #[test]
    fn an_odd_width_has_frequencies_of_its_own() {
        let odd = compose("d_model=5 pair=1");
        assert!((odd.pe.frequency(1) - 10_000f64.powf(-2.0 / 5.0)).abs() < 1e-15);
        assert!(odd.caption().contains("The last dimension has no partner"));
    }

    #[test]
    fn a_wrong_sum_would_be_seen() {
        let pe = Sinusoidal::new(16, 10_000.0, Layout::Interleaved);
        let block = |by| Rotation::new(&pe, by).block(0).unwrap();
        assert!(apart(times(block(5), block(3)), block(9)) > 0.5);
        assert_eq!(
            times([[1.0, 2.0], [3.0, 4.0]], ONE),
            [[1.0, 2.0], [3.0, 4.0]]
        );
    }

    #[test]
    fn buttons_undo_and_swap() {
        let mut values = Values::with(Compose::FIELDS, "j=5 k=3");
        compose("j=5 k=3").act("set", "swap", &mut values);
        assert_eq!((values.get(J), values.get(K)), (3, 5));
        compose("j=3 k=5").act("set", "undo", &mut values);
        assert_eq!(values.get(K), -3);
        assert!(compose("j=3 k=-3").caption().starts_with("k undoes j"));
    }
}
