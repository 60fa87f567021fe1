//! ALiBi: the bias of each head by distance, and how far back its softmax reaches if all logits are equal but for the bias.

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle};
use crate::math::Clamp;
use crate::text::number::{short, whole};
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use posenc_encoding::{alibi_bias, alibi_slopes, alibi_window};

const MAX_HEADS: usize = 32;
/// The number of keys in the row whose weights are summed.
const KEYS: usize = 4096;
const HALF: f64 = 0.5;
const NEARLY: f64 = 0.9;
/// The longest distance whose bias is drawn, and the bias at the lower end of the axis unless a head has more.
const FAR: i64 = 10;
const LEAST: f64 = -5.0;
/// Room for the names of heads at the right of their lines, in label sizes.
const NAMES: f64 = 8.3;

const BACK: Text = Text::new("nearest keys", "最近的键");
const HEAD: Text = Text::new("head h", "头 h");
const DISTANCE: Text = Text::new("distance m − n", "距离 m − n");
const BIAS: Text = Text::new("added to the logit", "加到注意力分数上的数");

pub struct Alibi {
    lang: Lang,
    slopes: Vec<f64>,
    /// Counted from 1, as in the paper.
    head: usize,
    windows: bool,
}

pub struct Plan {
    /// `None` before the lesson's prediction about them.
    windows: Option<Chart>,
    biases: Chart,
}

fn is_wide(width: f64) -> bool {
    width >= 540.0
}

impl Alibi {
    fn slope(&self) -> f64 {
        self.slopes[self.head - 1]
    }

    /// The bias of a head with this slope at the longest distance.
    fn farthest(slope: f64) -> f64 {
        alibi_bias(slope, FAR, 0).unwrap_or_default()
    }

    fn window(&self, share: f64) -> i64 {
        alibi_window(self.slope(), share, KEYS) as i64
    }

    /// The number of heads whose slopes are those of a power of two of heads; the others have slopes of twice as many heads.
    fn power_of_two(&self) -> usize {
        self.slopes.len().next_power_of_two() / if self.is_power_of_two() { 1 } else { 2 }
    }

    fn is_power_of_two(&self) -> bool {
        self.slopes.len().is_power_of_two()
    }

    fn colour(&self, theme: &Theme, head: usize) -> RGBColor {
        if head == self.head {
            theme.accent
        } else if head > self.power_of_two() {
            theme.series[1]
        } else {
            theme.series[0]
        }
    }

    /// Says at the lower left of the biases, where no line is, which heads have the second colour.
    fn draw_key(&self, pen: &Pen, theme: &Theme, plot: Rect) {
        if self.is_power_of_two() {
            return;
        }
        let words = match self.lang {
            Lang::En => format!("every second of {}", 2 * self.power_of_two()),
            Lang::Zh => format!("{} 个头的斜率每隔一个取一个", 2 * self.power_of_two()),
        };
        let size = theme.label_size();
        let style = TextStyle::new(size, theme.series[1]).bold().align_left();
        let style = style.fitting(&words, 0.6 * plot.width);
        pen.text((plot.x + 0.6 * size, plot.bottom() - size), &words, style);
    }

    /// Draws the bias of every head, with names for the flattest, the chosen and the steepest.
    fn draw_biases(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        chart.axes(pen, context, self.lang.texts([BIAS, DISTANCE]));
        let mut heads: Vec<usize> = (1..=self.slopes.len()).collect();
        heads.sort_by(|&a, &b| self.slopes[a - 1].total_cmp(&self.slopes[b - 1]));
        let mut named = Vec::new();
        for (index, &head) in heads.iter().enumerate() {
            let (slope, chosen) = (self.slopes[head - 1], head == self.head);
            let end = (FAR as f64, Alibi::farthest(slope));
            let colour = self.colour(theme, head);
            let width = if chosen { 2.0 } else { 0.8 } * theme.stroke();
            chart.curve(pen, [(0.0, 0.0), end], colour, width);
            if !chosen && index > 0 && index + 1 < heads.len() {
                continue;
            }
            let slope_named = short(slope, if slope < 0.01 { 2 } else { 4 });
            let lines = match self.lang {
                Lang::En => [format!("head {head}"), format!("−{slope_named} a step")],
                Lang::Zh => [format!("头 {head}"), format!("每步 −{slope_named}")],
            };
            named.push((chart.at(end).y, lines, colour));
        }
        // The names are below each other, and the last one is above the end of the axis.
        let (mut least, mut most) = (f64::NEG_INFINITY, chart.plot.bottom() - 1.3 * size);
        for (y, ..) in &mut named {
            *y = y.max(least);
            least = *y + 2.9 * size;
        }
        for (y, lines, colour) in named.iter_mut().rev() {
            *y = y.min(most);
            most = *y - 2.9 * size;
            for (line, words) in lines.iter().enumerate() {
                let style = TextStyle::new(size, *colour).bold().align_left();
                let at = (
                    chart.plot.right() + 0.5 * size,
                    *y + 1.3 * line as f64 * size,
                );
                pen.text(at, words, style.fitting(words, NAMES * size));
            }
        }
    }
}

fields! {
    HEADS: i64 = Key::whole("heads", "Heads", "头数", 8, |_| (1, MAX_HEADS as i64));
    SELECTED_HEAD: i64 = Key::whole("head", "Head h", "头 h", 3, |v| (1, v.get(HEADS)));
    WINDOWS: bool = Key::toggle("windows", "Windows", "窗口", true).under_more();
}

impl Figure for Alibi {
    const NAME: ViewName = ViewName::Alibi;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(SELECTED_HEAD), Some(HEADS)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<Alibi>) -> Alibi {
        Alibi {
            lang,
            slopes: alibi_slopes(values.count(HEADS)),
            head: values.count(SELECTED_HEAD),
            windows: values.get(WINDOWS),
        }
    }

    fn title(&self) -> Text {
        match self.windows {
            true => Self::NAME.title(),
            false => Text::new(
                "Each head has its price per step",
                "每个头，一步扣多少各不相同",
            ),
        }
    }

    fn caption(&self) -> String {
        let (head, heads, power_of_two) = (self.head, self.slopes.len(), self.power_of_two());
        let slope = short(self.slope(), 4);
        let [half, nearly] = [HALF, NEARLY].map(|share| whole(self.window(share)));
        let window = match self.lang {
            _ if !self.windows => String::new(),
            Lang::En => format!(
                " With equal content, the softmax of a long row has half of its weight within {half} and 90% within {nearly} positions, the query’s own included."
            ),
            Lang::Zh => format!(
                "内容都相同时，一长行 softmax 的一半权重落在最近的 {half} 个键上，90% 落在最近的 {nearly} 个键上（含查询自己的位置）。"
            ),
        };
        let rest = match self.lang {
            _ if self.is_power_of_two() => String::new(),
            Lang::En => format!(
                " {heads} is not a power of two: {power_of_two} slopes are those of {power_of_two} heads, to which every second slope of {1} adds {0}.",
                heads - power_of_two,
                2 * power_of_two
            ),
            Lang::Zh => format!(
                "{heads} 不是 2 的幂：{power_of_two} 个斜率取自 {power_of_two} 个头的情形，另外 {} 个从 {} 个头的斜率中每隔一个取一个。",
                heads - power_of_two,
                2 * power_of_two
            ),
        };
        match self.lang {
            Lang::En => format!(
                "Head {head} of {heads} lowers a logit by {slope} for every position further back.{window}{rest}"
            ),
            Lang::Zh => format!(
                "{heads} 个头中的第 {head} 个：每往回一个位置，注意力分数减去 {slope}。{window}{rest}"
            ),
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let high = (0.48 * width).min(410.0) * theme.scale;
        Some(match is_wide(width) {
            true => theme.fitted(high, 15.0),
            false => (1.0 + f64::from(self.windows)) * high.max(200.0 * theme.scale),
        })
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        let all = Rect::all(context.frame);
        let (room, windows) = match is_wide(all.width) {
            _ if !self.windows => (all, None),
            true => {
                let (left, right) = all.split_left(0.54 * all.width);
                (left, Some(right))
            }
            false => {
                let (top, bottom) = all.split_top(0.5 * all.height);
                (top, Some(bottom))
            }
        };
        // At least 8 heads, so that ticks are at whole heads.
        let heads = Scale::linear(0.5, self.slopes.len().max(8) as f64 + 0.5);
        let steepest = self.slopes.iter().copied().fold(0.0, f64::max);
        let lowest = Alibi::farthest(steepest).min(LEAST);
        let room = room.with_width(room.width - (NAMES - 0.4) * context.theme.label_size());
        let distances = Scale::linear(0.0, FAR as f64);
        Plan {
            windows: windows.map(|area| Chart::new(context, area, heads, Scale::log(1.0, 5e3))),
            biases: Chart::new(context, room, distances, Scale::linear(lowest, 0.0)),
        }
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let theme = context.theme;
        let (size, lang) = (theme.label_size(), self.lang);
        self.draw_biases(pen, context, &plan.biases);
        self.draw_key(pen, theme, plan.biases.plot);
        let Some(chart) = &plan.windows else { return };
        chart.axes(pen, context, lang.texts([BACK, HEAD]));
        for (index, &slope) in self.slopes.iter().enumerate() {
            let head = index + 1;
            let colour = self.colour(theme, head);
            let chosen = head == self.head;
            let (at, bold) = (head as f64, if chosen { 1.5 } else { 1.0 });
            let ends =
                [HALF, NEARLY].map(|share| chart.at((at, alibi_window(slope, share, KEYS) as f64)));
            pen.line(&ends, colour, bold * theme.hairline());
            pen.disc(ends[0], 1.9 * bold * theme.stroke(), colour);
            pen.ring(
                ends[1],
                1.9 * bold * theme.stroke(),
                colour,
                theme.hairline(),
            );
            if !chosen {
                continue;
            }
            // To the left above the ring and to the right below the disc: other heads are on the other sides.
            for (share, at, side) in [(HALF, ends[0], 1.0), (NEARLY, ends[1], -1.0)] {
                let (percent, keys) = (100.0 * share, whole(self.window(share)));
                let words = match lang {
                    Lang::En => format!("{percent}% on {keys}"),
                    Lang::Zh => format!("{percent}%：{keys} 个键"),
                };
                let style = TextStyle::new(size, colour).bold();
                let half = style.width(&words) / 2.0;
                let (left, right) = (chart.plot.x + half, chart.plot.right() - half);
                let x = (at.x + side * (half + 0.3 * size))
                    .clamped(left + 0.3 * size, right - 0.3 * size);
                pen.text((x, at.y + 1.5 * side * size), &words, style);
            }
        }
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let windows = plan.windows.iter();
        windows
            .map(|chart| Handle::along_x(chart, SELECTED_HEAD))
            .collect()
    }

    /// The numbers that texts quote.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let slope = |heads: f64, head: f64| alibi_slopes(heads as usize)[head as usize - 1];
        Some(match (name, arguments) {
            ("alibi_slope", &[heads, head]) => slope(heads, head),
            ("alibi_window", &[heads, head, share]) => {
                alibi_window(slope(heads, head), share, KEYS) as f64
            }
            ("alibi_drop", &[heads, head, distance]) => {
                -alibi_bias(slope(heads, head), distance as i64, 0)?
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Alibi {
        Alibi::new(&Values::with(Alibi::FIELDS, changes), Lang::En, None)
    }

    #[test]
    fn a_steep_head_sees_its_neighbours_and_a_flat_one_hundreds_of_keys() {
        // (1 − e^(−mw))/(1 − e^(−4096m)) by NumPy.
        for (head, half, nearly) in [(1, 2, 5), (3, 6, 19), (8, 178, 590)] {
            let caption = shown(&format!("head={head}")).caption();
            let within = format!("within {half} and 90% within {nearly} positions");
            assert!(caption.contains(&within), "{caption}");
        }
    }

    #[test]
    fn heads_beyond_a_power_of_two_are_marked() {
        for (heads, power_of_two) in [(1, 1), (3, 2), (8, 8), (12, 8), (31, 16), (32, 32)] {
            assert_eq!(
                shown(&format!("heads={heads}")).power_of_two(),
                power_of_two
            );
        }
        let twelve = shown("heads=12 head=9");
        assert!(
            twelve.caption().contains(
                "8 slopes are those of 8 heads, to which every second slope of 16 adds 4."
            )
        );
        // 2^(−1/2): the first slope of 16 heads.
        assert!((twelve.slope() - 0.5f64.sqrt()).abs() < 1e-15);
    }
}
