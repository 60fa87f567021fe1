//! The distance of one position from all others, and which of them is nearest: encodings may be unique and still be hard to
//! tell apart.

use crate::draw::chart::Chart;
use crate::draw::text_style::tag_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle};
use crate::math::Clamp;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{short, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Sinusoidal};

/// Values of d_model that are compared in the tables.
const WIDTHS: [usize; 6] = [2, 4, 8, 16, 32, 64];

/// Returns |PE(m) − PE(m + offset)| over the complete pairs, for offsets 0 … n − 1: the square is the
/// sum of the squared chords 2·sin(ω·offset/2).
pub fn distances(d_model: usize, n: usize) -> Vec<f64> {
    let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
    let mut squares = vec![0.0; n];
    for pair in 0..d_model / 2 {
        let (step_sin, step_cos) = pe.sin_cos_at(pair, 0.5);
        let (mut sin, mut cos) = (0.0, 1.0);
        for square in &mut squares {
            *square += 4.0 * sin * sin;
            (sin, cos) = (
                sin * step_cos + cos * step_sin,
                cos * step_cos - sin * step_sin,
            );
        }
    }
    squares.into_iter().map(f64::sqrt).collect()
}

/// Returns the offset of the position nearest to `pos`; `None` if there is no other position.
fn nearest(distances: &[f64], pos: usize) -> Option<usize> {
    let reach = pos.max(distances.len() - 1 - pos);
    (1..=reach).min_by(|&a, &b| distances[a].total_cmp(&distances[b]))
}

/// Returns the note on odd widths; empty for an even one.
pub fn lone(lang: Lang, d_model: usize) -> &'static str {
    match (d_model % 2 == 1, lang) {
        (false, _) => "",
        (true, Lang::En) => " The last dimension has no partner and is left out.",
        (true, Lang::Zh) => "最后一维没有配对，不计入。",
    }
}

pub struct Nearest {
    lang: Lang,
    d_model: usize,
    pos: usize,
    distances: Vec<f64>,
    /// The distances at each of [`WIDTHS`].
    others: [Vec<f64>; WIDTHS.len()],
}

const DISTANCE: Text = Text::new("distance from pos", "与 pos 的距离");

impl Nearest {
    /// Returns the positions at an offset on either side of `pos`.
    fn at(&self, offset: usize) -> impl Iterator<Item = usize> {
        let right = Some(self.pos + offset).filter(|&p| p < self.distances.len());
        [self.pos.checked_sub(offset), right].into_iter().flatten()
    }

    fn names(&self, offset: usize) -> String {
        let names: Vec<String> = self.at(offset).map(|p| whole(p as i64)).collect();
        let and = match self.lang {
            Lang::En => " and ",
            Lang::Zh => " 和 ",
        };
        names.join(and)
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 4, |_| (2, 128));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 100, |_| (2, 4096)).under_more();
    POS: i64 = Key::whole("pos", "position", "位置", 50, |v| (0, v.get(MAX_LEN) - 1));
}

impl Figure for Nearest {
    const NAME: ViewName = ViewName::Nearest;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(D_MODEL)];

    type Layout = Chart;

    fn new(values: &Values, lang: Lang, previous: Option<Nearest>) -> Nearest {
        let (d_model, n) = (values.count(D_MODEL), values.count(MAX_LEN));
        let pos = values.count(POS);
        let same = |before: &Nearest| before.d_model == d_model && before.distances.len() == n;
        if let Some(before) = previous.filter(same) {
            return Nearest {
                lang,
                pos,
                ..before
            };
        }
        Nearest {
            lang,
            d_model,
            pos,
            distances: distances(d_model, n),
            others: WIDTHS.map(|width| distances(width, n)),
        }
    }

    fn title(&self) -> Text {
        match nearest(&self.distances, self.pos) {
            Some(1) => Text::new("The next position is the nearest", "最近的就是相邻位置"),
            _ => Text::new("The nearest is not the next one", "最近的不是相邻位置"),
        }
    }

    fn caption(&self) -> String {
        let Some(offset) = nearest(&self.distances, self.pos) else {
            return String::new();
        };
        let n = whole(self.distances.len() as i64);
        let (pos, names) = (whole(self.pos as i64), self.names(offset));
        let (d, away) = (self.d_model, whole(offset as i64));
        let distance = short(self.distances[offset], 3);
        let adjacent = short(self.distances[1], 3);
        let said = match (self.lang, offset) {
            (Lang::En, 1) => format!(
                "At d_model {d} the adjacent position is the nearest of {n} to position {pos}, at distance {distance}."
            ),
            (Lang::Zh, 1) => format!(
                "d_model = {d} 时，{n} 个位置中离位置 {pos} 最近的就是相邻位置，距离为 {distance}。"
            ),
            (Lang::En, _) => format!(
                "At d_model {d} the nearest of {n} positions to position {pos} lies {away} steps away, at {names}: distance {distance}, while the adjacent position is at {adjacent}."
            ),
            (Lang::Zh, _) => format!(
                "d_model = {d} 时，{n} 个位置中离位置 {pos} 最近的是 {names}，相隔 {away} 步，距离仅 {distance}；相邻位置的距离反而是 {adjacent}。"
            ),
        };
        said + lone(self.lang, d)
    }

    fn more(&self) -> Option<Node> {
        let heads = match self.lang {
            Lang::En => ["d_model", "nearest", "its distance", "adjacent"],
            Lang::Zh => ["d_model", "最近的相隔", "其距离", "相邻位置的距离"],
        };
        let mut rows = vec![heads.map(words).to_vec()];
        for (width, distances) in WIDTHS.into_iter().zip(&self.others) {
            let Some(offset) = nearest(distances, self.pos) else {
                continue;
            };
            let pressed = if width == self.d_model {
                "true"
            } else {
                "false"
            };
            let away = match (self.lang, offset) {
                (Lang::En, 1) => "1 step".to_string(),
                (Lang::En, _) => format!("{} steps", whole(offset as i64)),
                (Lang::Zh, _) => format!("{} 步", whole(offset as i64)),
            };
            let class = if offset == 1 { "" } else { "here" };
            rows.push(vec![
                button("width", width.to_string(), width.to_string())
                    .attribute("aria-pressed", pressed),
                span(class, away),
                words(short(distances[offset], 3)),
                words(short(distances[1], 3)),
            ]);
        }
        Some(table(rows))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.6 * width).clamp(220.0, 410.0) * theme.scale, 14.0))
    }

    fn layout(&self, context: &DrawContext) -> Chart {
        let last = self.distances.len() as f64 - 1.0;
        let most = self.distances.iter().copied().fold(1e-9, f64::max);
        let low = -0.12 * most;
        // Room for three lines of tags at the top.
        let size = context.theme.label_size();
        let words = (4.6 * size / (context.frame.height - 3.9 * size)).clamp(0.0, 0.5);
        let high = (most - words * low) / (1.0 - words);
        Chart::new(
            context,
            Rect::all(context.frame),
            Scale::linear(0.0, last),
            Scale::linear(low, high),
        )
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let theme = context.theme;
        let titles = [DISTANCE, labels::POSITION_AXIS].map(|t| t.get(self.lang));
        chart.axes(pen, context, titles);
        let point = |p: usize| (p as f64, self.distances[p.abs_diff(self.pos)]);
        let curve = (0..self.distances.len()).map(point);
        chart.curve(pen, curve, theme.muted, 0.6 * theme.stroke());
        if self.distances.len() <= 160 {
            let dots = (0..self.distances.len()).map(point);
            chart.dots(pen, dots, theme.muted, 1.1 * theme.stroke());
        }
        let Some(offset) = nearest(&self.distances, self.pos) else {
            return;
        };
        let dot = 2.2 * theme.stroke();
        chart.dots(pen, self.at(1).map(point), theme.accent, dot);
        chart.dots(pen, self.at(offset).map(point), theme.there, dot);
        // It ends below its tag.
        let x = chart.x.pixel(self.pos as f64);
        let top = chart.plot.y + 1.7 * theme.label_size();
        let (from, to) = ((x, chart.plot.bottom()), (x, top));
        pen.dashes(from, to, theme.here, 0.75 * theme.stroke());
        chart.dots(pen, [point(self.pos)], theme.here, dot);
        let size = theme.label_size();
        let tag = |p: usize, row: f64, words: &str, colour| {
            let half = 0.5 * tag_width(words, size);
            let x = chart.x.pixel(p as f64);
            let x = x.clamped(chart.plot.x + half, chart.plot.right() - half);
            pen.tag(
                (x, chart.plot.y + row * size),
                words,
                size,
                theme.panel,
                colour,
            );
        };
        let (nearest, adjacent) = match self.lang {
            Lang::En => (format!("nearest {}", self.names(offset)), "adjacent"),
            Lang::Zh => (format!("最近 {}", self.names(offset)), "相邻"),
        };
        let pos = format!("pos {}", whole(self.pos as i64));
        tag(self.pos, 0.9, &pos, theme.here);
        let beside = self.at(offset).last().unwrap_or(self.pos);
        if offset == 1 {
            return tag(beside, 2.3, &nearest, theme.there);
        }
        tag(self.pos, 2.3, adjacent, theme.accent);
        let up = chart.at(point(beside));
        pen.dashes(
            up,
            (up.x, chart.plot.y + 3.7 * size),
            theme.there,
            0.6 * theme.stroke(),
        );
        tag(beside, 3.7, &nearest, theme.there);
    }

    fn handles(&self, _: &DrawContext, chart: &Chart) -> Vec<Handle> {
        vec![Handle::along_x(chart, POS)]
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "width" {
            values.set(D_MODEL.name(), value);
        }
    }

    /// `distance(d, offset)`, and `nearest(d, n, pos)`: the offset from pos to the nearest of n positions.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        match (name, arguments) {
            ("distance", &[d, offset]) => distances(d as usize, offset as usize + 1).pop(),
            ("nearest", &[d, n, pos]) => nearest(&distances(d as usize, n as usize), pos as usize)
                .map(|offset| offset as f64),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy 2.4, from the definition.
    #[test]
    fn the_nearest_position_may_lie_far_away() {
        for (d, n, pos, offset, distance) in [
            (2, 100, 50, 44, 0.017_702_619),
            (4, 100, 50, 19, 0.242_037_793),
            (4, 2000, 1000, 622, 0.072_389_384),
            (4, 2000, 0, 1885, 0.044_406_418),
            (8, 100, 20, 63, 0.645_292_364),
            (16, 100, 50, 1, 1.014_725_339),
            (64, 2000, 1000, 1, 1.471_848_045),
        ] {
            let distances = distances(d, n);
            assert_eq!(nearest(&distances, pos), Some(offset), "{d} of {n}");
            assert!((distances[offset] - distance).abs() < 1e-6, "{d} of {n}");
        }
        assert!((distances(4, 2)[1] - 0.958_903_221).abs() < 1e-9);
        // On the first pair: 2·|sin(k/2)|.
        for (offset, chord) in [
            (44, 0.017_702_618_6),
            (333, 0.008_821_251_9),
            (710, 6.028_870_67e-5),
        ] {
            assert!(
                (distances(2, 711)[offset] - chord).abs() < 1e-10,
                "{offset}"
            );
        }
    }

    /// In any table of up to 4096 positions, but not in every longer one.
    #[test]
    fn from_16_dimensions_up_the_adjacent_position_is_nearest() {
        for d in (16..=128).step_by(2).chain([256, 512, 1024]) {
            assert_eq!(nearest(&distances(d, 4096), 0), Some(1), "{d}");
        }
        assert_eq!(nearest(&distances(16, 596_275), 0), Some(596_274));
    }

    #[test]
    fn distances_agree_with_differences_of_rows() {
        let pe = Sinusoidal::new(6, 10_000.0, Layout::Interleaved);
        let distances = distances(6, 4000);
        for (p, q) in [(0, 3999), (17, 600), (5, 6)] {
            let squares = (0..6).map(|d| (pe.value(p, d) - pe.value(q, d)).powi(2));
            let distance = squares.sum::<f64>().sqrt();
            assert!((distances[(q - p) as usize] - distance).abs() < 1e-11);
        }
    }

    #[test]
    fn two_positions_have_each_other() {
        let mut values = Values::new(Nearest::FIELDS);
        values.set("max_len", "2");
        let figure = Nearest::new(&values, Lang::En, None);
        assert_eq!((figure.pos, figure.names(1).as_str()), (1, "0"));
    }
}
