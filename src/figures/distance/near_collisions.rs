//! The first pair alone never repeats at whole positions, yet comes very close: its circle with all
//! positions, the chords to position 0, and the effect of more pairs.

use crate::draw::chart::Chart;
use crate::draw::pen::around;
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle};
use crate::figures::distance::nearest::{WIDTHS, distances, lone};
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{short, tiny, whole};
use crate::text::{Lang, Text};
use posenc_encoding::wrap_to_pi;
use posenc_sort::argsort;
use std::f64::consts::TAU;

/// The offsets below 1000 that are closest to position 0: 2π · 7, 53 and 113 are almost whole numbers.
const CLOSE: [usize; 3] = [44, 333, 710];

/// A chord shorter than this looks like none.
const CLOSE_TO_0: f64 = 0.05;

/// The magnified stretch of the circle on either side of position 0, in radians.
const LENS: f64 = 0.06;

/// Returns the angle of the first pair, whose frequency is 1, wrapped to −π … π.
fn remainder(position: usize) -> f64 {
    wrap_to_pi(position as f64)
}

/// Returns the offsets with a smaller distance than all offsets before them.
fn records(distances: &[f64]) -> Vec<usize> {
    let mut least = f64::INFINITY;
    let closer = |&offset: &usize| {
        let record = distances[offset] < least;
        least = least.min(distances[offset]);
        record
    };
    (1..distances.len()).filter(closer).collect()
}

/// Formats a distance, as a power of ten if it is small.
fn length(distance: f64) -> String {
    if distance > 0.0 && distance < 1e-3 {
        tiny(distance)
    } else {
        short(distance, if distance < 0.01 { 2 } else { 3 })
    }
}

pub struct NearCollisions {
    lang: Lang,
    d_model: usize,
    k: usize,
    chords: Vec<f64>,
    distances: Vec<f64>,
}

const DISTANCE: Text = Text::new("distance from position 0", "与位置 0 的距离");
const OFFSET: Text = Text::new("position", "位置");
const LENS_NAME: Text = Text::new("around position 0, magnified", "位置 0 附近（放大）");
const FIRST: Text = Text::new("first pair", "第一个维度对");

struct Plan {
    centre: (f64, f64),
    radius: f64,
    lens: Rect,
    chart: Chart,
}

impl NearCollisions {
    fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let narrow = all.width < 42.0 * size;
        let side = if narrow {
            0.66 * all.width
        } else {
            (0.38 * all.width).min(all.height - 4.2 * size)
        };
        let left = if narrow { all.width } else { side };
        let radius = side / 2.0 - 1.7 * size;
        let top = side + 4.2 * size;
        let room = if narrow {
            all.split_top(top).1
        } else {
            all.across(left + 0.6 * size, all.width - left - 0.6 * size)
        };
        let most = self.distances.iter().copied().fold(2.0, f64::max);
        Plan {
            centre: (left / 2.0, side / 2.0),
            radius,
            lens: Rect::new(1.2 * size, side, left - 2.4 * size, 4.2 * size),
            chart: Chart::new(
                context,
                room,
                Scale::linear(0.0, self.chords.len() as f64 - 1.0),
                Scale::log(1e-5, 3.0 * most),
            ),
        }
    }

    fn draw_circle(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let at =
            |position: usize, share: f64| around(plan.centre, share * plan.radius, position as f64);
        pen.ring(plan.centre, plan.radius, theme.rule, theme.hairline());
        // The tick marks of all positions as a single path, in the order of their angles.
        let along: Vec<f64> = (0..self.chords.len()).map(remainder).collect();
        let teeth: Vec<_> = argsort(&along)
            .into_iter()
            .flat_map(|position| [1.0, 0.92, 1.0].map(|share| at(position, share)))
            .collect();
        pen.faint_line(&teeth, theme.muted, 0.4, 0.5 * theme.hairline());
        for (position, colour) in [(0, theme.here), (self.k, theme.there)] {
            pen.line(
                &[plan.centre, at(position, 1.0)],
                colour,
                0.5 * theme.stroke(),
            );
            pen.disc(at(position, 1.0), 1.8 * theme.stroke(), colour);
        }
        let names = match self.lang {
            Lang::En => [
                "pair 0".to_string(),
                format!("{} positions", whole(self.chords.len() as i64)),
            ],
            Lang::Zh => [
                "维度对 0".to_string(),
                format!("{} 个位置", whole(self.chords.len() as i64)),
            ],
        };
        for (row, name) in names.iter().enumerate() {
            let below = (
                plan.centre.0 - 0.15 * plan.radius,
                plan.centre.1 + (row as f64 + 1.2) * 1.3 * size,
            );
            pen.text(below, name, TextStyle::new(size, theme.muted));
        }
    }

    fn draw_lens(&self, pen: &Pen, context: &DrawContext, lens: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (middle, y) = (lens.centre_x(), lens.y + 1.9 * size);
        let style = TextStyle::new(size, theme.muted);
        pen.line(
            &[(lens.x, y), (lens.right(), y)],
            theme.muted,
            theme.hairline(),
        );
        let title = (middle, y + 1.7 * size);
        pen.text(title, LENS_NAME.get(self.lang), style);
        let x = |position: usize| middle + remainder(position) / LENS * lens.width / 2.0;
        let near = |position: &usize| remainder(*position).abs() <= LENS;
        // 0 and k come first, so that other labels are only placed where these leave room.
        let mut taken: Vec<(f64, f64)> = Vec::new();
        let others = (1..self.chords.len()).filter(|&position| position != self.k);
        let order = [0, self.k].into_iter().chain(others);
        for position in order.filter(near) {
            let colour = match position {
                0 => theme.here,
                k if k == self.k => theme.there,
                _ => theme.muted,
            };
            let marked = position == 0 || position == self.k;
            let width = if marked { 1.0 } else { 0.5 } * theme.stroke();
            let x = x(position);
            pen.line(&[(x, y - 0.5 * size), (x, y + 0.5 * size)], colour, width);
            let name = whole(position as i64);
            let half = 0.5 * text_width(&name, size) + 0.3 * size;
            // If the labels of 0 and k would overlap, that of k moves aside.
            let beside = position > 0 && marked && (x - middle).abs() < half + 0.7 * size;
            let x = if beside {
                middle + remainder(position).signum() * (half + 0.7 * size)
            } else {
                x
            };
            let free = taken.iter().all(|&(a, b)| x + half < a || x - half > b);
            let inside = x - half >= lens.x - size && x + half <= lens.right() + size;
            if beside || (free && inside) {
                taken.push((x - half, x + half));
                let above = (x, y - 1.2 * size);
                let style = TextStyle::new(size, colour);
                pen.text(above, &name, if marked { style.bold() } else { style });
            }
        }
    }

    fn draw_chart(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        chart.axes(pen, context, [DISTANCE, OFFSET].map(|t| t.get(self.lang)));
        let points = |distances: &[f64]| {
            let points = distances.iter().enumerate().skip(1);
            points
                .map(|(offset, &distance)| (offset as f64, distance.max(1e-12)))
                .collect::<Vec<_>>()
        };
        chart.curve(pen, points(&self.chords), theme.muted, 0.5 * theme.stroke());
        if self.d_model > 3 {
            let all = points(&self.distances);
            chart.curve(pen, all, theme.accent, 0.6 * theme.stroke());
        }
        let close = |offset: &usize| self.chords[*offset] < CLOSE_TO_0;
        for offset in records(&self.chords).into_iter().filter(close) {
            let at = (offset as f64, self.chords[offset].max(1e-12));
            let lit = offset == self.k;
            let colour = if lit { theme.there } else { theme.muted };
            chart.dots(pen, [at], colour, 1.5 * theme.stroke());
            let (x, y) = chart.at(at);
            let below = (x, y + 1.1 * size);
            let style = TextStyle::new(size, colour).bold();
            pen.text(below, &offset.to_string(), style);
        }
        chart.upright(pen, context, self.k as f64, "", theme.there);
        let here = [self.chords[self.k], self.distances[self.k]].map(|y| (self.k as f64, y));
        chart.dots(pen, here, theme.there, 1.9 * theme.stroke());
        let x = chart.plot.x + 0.27 * chart.plot.width;
        let y = chart.plot.bottom() - 1.1 * size;
        let first = FIRST.get(self.lang);
        pen.tag((x, y), first, size, theme.panel, theme.muted);
        if self.d_model > 3 {
            let name = format!("d_model {}", self.d_model);
            let above = (x, y - 1.5 * size);
            pen.tag(above, &name, size, theme.panel, theme.accent);
        }
    }
}

fields! {
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 720, |_| (64, 2048));
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 2, |_| (2, 128));
    K: i64 = Key::whole("k", "offset", "偏移量", 44, |v| (1, v.get(MAX_LEN) - 1)).without_control();
}

impl Figure for NearCollisions {
    const NAME: ViewName = ViewName::NearCollisions;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), Some(D_MODEL)];

    fn new(values: &Values, lang: Lang, previous: Option<NearCollisions>) -> NearCollisions {
        let (d_model, n) = (values.count(D_MODEL), values.count(MAX_LEN));
        let k = values.count(K);
        let same = |it: &NearCollisions| it.d_model == d_model && it.chords.len() == n;
        if let Some(before) = previous.filter(same) {
            return NearCollisions { lang, k, ..before };
        }
        NearCollisions {
            lang,
            d_model,
            k,
            chords: distances(2, n),
            distances: distances(d_model, n),
        }
    }

    fn caption(&self) -> String {
        let (k, d) = (whole(self.k as i64), self.d_model);
        let (chord, distance) = (length(self.chords[self.k]), length(self.distances[self.k]));
        let turns = short(self.k as f64 / TAU, 8);
        let close = self.chords[self.k] < CLOSE_TO_0;
        let said = match (self.lang, d > 3) {
            (Lang::En, false) => format!(
                "On the first pair position {k} has made {turns} turns and stands {chord} from position 0. No two positions ever coincide{}.",
                if close {
                    ", but some come as close as that"
                } else {
                    ""
                }
            ),
            (Lang::Zh, false) => format!(
                "在第一个维度对上，位置 {k} 转过 {turns} 圈，与位置 0 相距 {chord}。任何两个位置都不会重合{}。",
                if close {
                    "，却可以靠得这么近"
                } else {
                    ""
                }
            ),
            (Lang::En, true) => format!(
                "On the first pair position {k} stands {chord} from position 0, after {turns} turns; over all {} pairs of d_model {d} it is {distance}.",
                d / 2
            ),
            (Lang::Zh, true) => format!(
                "在第一个维度对上，位置 {k} 转过 {turns} 圈，与位置 0 相距 {chord}；d_model = {d} 的全部 {} 个维度对合起来，距离为 {distance}。",
                d / 2
            ),
        };
        said + lone(self.lang, d)
    }

    fn actions(&self) -> Option<Node> {
        let name = match self.lang {
            Lang::En => "Position 0 and",
            Lang::Zh => "位置 0 与",
        };
        let mut row = vec![Node::text("span", name)];
        for offset in CLOSE {
            let pressed = if offset == self.k { "true" } else { "false" };
            let it = button("offset", offset.to_string(), offset.to_string());
            row.push(it.attribute("aria-pressed", pressed));
        }
        Some(div("row", row))
    }

    fn more(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => {
                "Distance of positions 1, 44, 333 and 710 from position 0; marked where it is less than that of position 1"
            }
            Lang::Zh => "位置 1、44、333、710 与位置 0 的距离，比位置 1 更近的用颜色标出",
        };
        let mut rows = vec![vec![words("d_model"), words("1")]];
        rows[0].extend(CLOSE.map(|offset| words(offset.to_string())));
        for width in WIDTHS {
            let distances = distances(width, CLOSE[2] + 1);
            let pressed = if width == self.d_model {
                "true"
            } else {
                "false"
            };
            let it = button("width", width.to_string(), width.to_string());
            let mut row = vec![it.attribute("aria-pressed", pressed)];
            row.push(words(length(distances[1])));
            row.extend(CLOSE.map(|offset| {
                let closer = distances[offset] < distances[1];
                span(if closer { "here" } else { "" }, length(distances[offset]))
            }));
            rows.push(row);
        }
        Some(div(
            "tight",
            vec![Node::text("p", note).class("note"), table(rows)],
        ))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        Some(if width < 42.0 * size {
            0.66 * width + 22.0 * size
        } else {
            theme.fitted(0.38 * width + 4.2 * size, 17.0)
        })
    }

    fn draw(&self, pen: &Pen, context: &DrawContext) {
        let plan = self.plan(context);
        self.draw_circle(pen, context, &plan);
        self.draw_lens(pen, context, plan.lens);
        self.draw_chart(pen, context, &plan.chart);
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        vec![Handle::along_x(&self.plan(context).chart, K)]
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match action {
            "width" => {
                values.set(D_MODEL.name(), value);
            }
            "offset" => {
                let offset: i64 = value.parse().unwrap_or(1);
                let len = values.get(MAX_LEN).max(offset + 10);
                values.set_to(MAX_LEN, len);
                values.set_to(K, offset);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy 2.4: 2·|sin(k/2)|.
    #[test]
    fn the_first_pair_nearly_comes_back() {
        let chords = distances(2, 1000);
        for (offset, chord) in [
            (44, 0.017_702_618_6),
            (333, 0.008_821_251_9),
            (710, 6.028_870_67e-5),
        ] {
            assert!((chords[offset] - chord).abs() < 1e-10, "{offset}");
        }
        assert_eq!(records(&chords), [1, 6, 19, 25, 44, 333, 710]);
        assert!(chords[1..].iter().all(|&chord| chord > 0.0));
    }

    #[test]
    fn more_pairs_part_them() {
        for (d, apart) in [
            (4, [0.436_818_1, 1.991_151_8, 0.794_296_3]),
            (16, [2.455_090_8, 3.533_892_4, 3.609_221_4]),
        ] {
            let distances = distances(d, 711);
            for (offset, apart) in CLOSE.into_iter().zip(apart) {
                assert!((distances[offset] - apart).abs() < 1e-6, "{d}: {offset}");
            }
        }
    }

    #[test]
    fn remainders_are_angles_about_zero() {
        assert!((remainder(44) - 0.017_702_8).abs() < 1e-6);
        assert!((remainder(333) + 0.008_821_3).abs() < 1e-6);
    }

    #[test]
    fn a_button_makes_room_for_its_position() {
        let mut values = Values::new(NearCollisions::FIELDS);
        values.set("max_len", "64");
        let figure = NearCollisions::new(&values, Lang::En, None);
        figure.act("offset", "710", &mut values);
        assert_eq!((values.get(MAX_LEN), values.get(K)), (720, 710));
    }
}
