//! The position table of Whisper's decoder, compared with the formula, with random curves as smooth as its own and with
//! noise: the similarity of its rows, and the error of the best-fit M_k.

mod table;

use crate::draw::chart::Chart;
use crate::draw::grid::{cells, colour_key, grid_axes};
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Choice, Field, Key, Values, ViewName, choices, fields};
use crate::figure::{ComputedTable, Figure, Handle};
use crate::math::held_out::held_out_error;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, percent, subscript};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Layout, Matrix, Sinusoidal, WhisperComponents};
use table::{
    cosines, leading, near_neighbours, noise, similarity, similarity_of_rows, smooth, variance,
};

const POSITIONS: usize = WhisperComponents::POSITIONS;
const WIDTH: usize = WhisperComponents::WIDTH;
const COMPONENTS: usize = WhisperComponents::COUNT;
/// The largest offset for which a matrix is fitted.
const REACH: usize = 32;
const SEED: u64 = 1;
/// The largest error on the axis.
const MOST: f64 = 1.3;

const ROW: Text = Text::new("position m", "位置 m");
const COLUMN: Text = Text::new("position n", "位置 n");
const ERROR: Text = Text::new("error of the best Mₖ", "最佳 Mₖ 的误差");
const OFFSET: Text = Text::new("offset k", "偏移量 k");
const LICENCE: Text = Text::new("Licence of the table", "这张表的许可");
const GRANT: &str = "Whisper, Copyright © 2022 OpenAI, MIT License. Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the “Software”), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED “AS IS”, WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

choices! {
    enum Shown {
        Learned "whisper" "Whisper’s decoder" "Whisper 解码器";
        Formula "formula" "the formula" "公式";
        Smooth "smooth" "smooth random" "平滑随机";
        Noise "noise" "noise" "噪声";
    }
}

/// The rows' coordinates along the leading components, and the held-out error of the best-fit matrix for each offset
/// from 1 on, as far as it has been computed.
struct Fitted {
    rows: Matrix<f64>,
    errors: Vec<f64>,
}

impl Fitted {
    fn new(rows: Matrix<f64>) -> Fitted {
        Fitted {
            rows,
            errors: Vec::new(),
        }
    }

    /// Returns the held-out error of the best-fit matrix for an offset.
    fn error(&self, k: usize) -> f64 {
        let known = self.errors.get(k - 1).copied();
        known.unwrap_or_else(|| held_out_error(&self.rows, k))
    }
}

impl Shown {
    /// The tables whose maps are shown: Whisper's, or the smooth one, between noise and the formula.
    fn maps(self) -> [Shown; 3] {
        let middle = match self {
            Shown::Smooth => Shown::Smooth,
            _ => Shown::Learned,
        };
        [Shown::Noise, middle, Shown::Formula]
    }

    /// The name above a map.
    fn short(self, lang: Lang) -> &'static str {
        let name = match self {
            Shown::Learned => Text::new("Whisper", "Whisper"),
            Shown::Formula => Text::new("formula", "公式"),
            Shown::Smooth => Text::new("smooth", "平滑随机"),
            Shown::Noise => Text::new("noise", "噪声"),
        };
        name.get(lang)
    }

    fn colour(self, theme: &Theme) -> RGBColor {
        match self {
            Shown::Noise => theme.muted,
            Shown::Smooth => theme.series[0],
            Shown::Learned => theme.there,
            Shown::Formula => theme.here,
        }
    }

    fn similarity(self) -> Matrix<f64> {
        match self {
            Shown::Learned => similarity_of_rows(&WhisperComponents::new()),
            Shown::Formula => {
                let pe = Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved);
                let alike = |offset: usize| -> f64 {
                    let cosine = |pair| pe.sin_cos_at(pair, offset as f64).1;
                    (0..pe.pairs()).map(cosine).sum()
                };
                let by_offset: Vec<f64> = (0..POSITIONS).map(alike).collect();
                similarity(POSITIONS, |p, q| by_offset[p.abs_diff(q)])
            }
            Shown::Smooth => cosines(&smooth(COMPONENTS)),
            Shown::Noise => cosines(&noise()),
        }
    }
}

/// The maps of noise, which training starts from, of a table and of the formula, and the chart below them.
pub struct Plan {
    maps: [Rect; 3],
    chart: Chart,
}

/// Room at the right of the chart for the names of its curves, and height of the chart, in label sizes.
const NAMES: f64 = 9.5;
const CHART: f64 = 16.0;
/// The space at the left of the maps and between two of them, in label sizes.
const LEFT: f64 = 4.0;
const GAP: f64 = 1.2;

impl Plan {
    /// The side of a map and the height of the picture.
    fn sizes(width: f64, theme: &Theme) -> (f64, f64) {
        let size = theme.label_size();
        let side = (width - (LEFT + 2.0 * GAP + 0.5) * size) / 3.0;
        let around = (4.9 + CHART) * size;
        let height = theme.fitted(side + around, 24.0);
        (side.min(height - around), height)
    }

    fn new(context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let (side, height) = Plan::sizes(all.width, context.theme);
        // Where the maps are low they are farther apart.
        let spare = all.width - (LEFT + 0.5) * size - 3.0 * side;
        let first = Rect::new(LEFT * size, 1.8 * size, side, side);
        let maps = [0.0, 1.0, 2.0].map(|at| first.with_x(first.x + at * (side + 0.5 * spare)));
        let below = all.split_top(height - CHART * size).1;
        Plan {
            maps,
            chart: Chart::new(
                context,
                below.with_width(all.width - NAMES * size),
                Scale::linear(0.0, REACH as f64),
                Scale::linear(0.0, MOST),
            ),
        }
    }
}

pub struct Whisper {
    lang: Lang,
    shown: Shown,
    k: usize,
    components: usize,
    /// The cosines of the tables in [`Shown::maps`].
    tables: [Matrix<f64>; 3],
    near: f64,
    /// For the learned table, for smooth random curves and for noise.
    fitted: [Fitted; 3],
    /// The held-out error of the best-fit matrix for the selected table and offset.
    error: f64,
}

fields! {
    TABLE: Shown = Key::choice("table", "Table", "位置表");
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (1, REACH as i64));
    COMPONENT_COUNT: i64 = Key::whole(
        "components",
        "principal components",
        "主成分个数",
        16,
        |_| (2, COMPONENTS as i64),
    )
    .under_more();
}

impl Figure for Whisper {
    const NAME: ViewName = ViewName::Whisper;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), None];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<Whisper>) -> Whisper {
        let shown = values.get(TABLE);
        let (k, components) = (values.count(K), values.count(COMPONENT_COUNT));
        let (kept, fitted) = match previous {
            Some(it) => (
                (it.shown.maps() == shown.maps()).then_some(it.tables),
                (it.components == components).then_some(it.fitted),
            ),
            None => (None, None),
        };
        let maps = shown.maps();
        let tables = kept.unwrap_or_else(|| maps.map(Shown::similarity));
        let index = maps.iter().position(|map| *map == shown);
        let near = near_neighbours(&tables[index.unwrap_or(1)]);
        let fitted = fitted.unwrap_or_else(|| {
            [
                leading(&WhisperComponents::new().coordinates, components),
                smooth(components),
                leading(&noise(), components),
            ]
            .map(Fitted::new)
        });
        let error = match shown {
            Shown::Learned => fitted[0].error(k),
            Shown::Smooth => fitted[1].error(k),
            Shown::Noise => fitted[2].error(k),
            Shown::Formula => 0.0,
        };
        Whisper {
            lang,
            shown,
            k,
            components,
            tables,
            near,
            fitted,
            error,
        }
    }

    fn title(&self) -> Text {
        match self.shown {
            Shown::Learned => Self::NAME.title(),
            Shown::Formula => Text::new("The formula has an exact matrix", "公式的矩阵分毫不差"),
            Shown::Smooth => Text::new("Smoothness does not explain it all", "只有平滑还不够"),
            Shown::Noise => Text::new("Random rows: no two are alike", "随机的行，没有两行相像"),
        }
    }

    fn work(&mut self) -> bool {
        let unfinished = |fitted: &&mut Fitted| fitted.errors.len() < REACH;
        let Some(fitted) = self.fitted.iter_mut().find(unfinished) else {
            return false;
        };
        let k = fitted.errors.len() + 1;
        fitted.errors.push(held_out_error(&fitted.rows, k));
        true
    }

    fn caption(&self) -> String {
        let (near, k) = (percent(self.near, 1), subscript(self.k));
        let components = self.components;
        let miss = percent(self.error, 0);
        match (self.lang, self.shown) {
            (Lang::En, Shown::Formula) => format!(
                "The formula, {POSITIONS} × {WIDTH}: {near} of the rows are most like a neighbour, and M{k} is exact, with nothing to fit."
            ),
            (Lang::Zh, Shown::Formula) => format!(
                "公式，{POSITIONS} × {WIDTH}：{near} 的行，与之最像的是相邻的行；M{k} 精确成立，无需拟合。"
            ),
            (Lang::En, shown) => {
                let name = match shown {
                    Shown::Learned => "Learned by Whisper’s decoder".to_string(),
                    Shown::Smooth => format!(
                        "Random curves as smooth as Whisper’s, with its frequencies in every direction and random phases (seed {SEED})"
                    ),
                    _ => format!("Random numbers (seed {SEED})"),
                };
                format!(
                    "{name}: {near} of the rows are most like a neighbour. The best M{k}, fitted on every other row along {components} directions, is off by {miss} of their length on the others."
                )
            }
            (Lang::Zh, shown) => {
                let name = match shown {
                    Shown::Learned => "Whisper 解码器学到的表".to_string(),
                    Shown::Smooth => format!(
                        "与 Whisper 的表同样平滑的随机曲线，每个方向上频率相同，相位随机（种子 {SEED}）"
                    ),
                    _ => format!("随机数（种子 {SEED}）"),
                };
                format!(
                    "{name}：{near} 的行，与之最像的是相邻的行。沿 {components} 个方向、隔行拟合出的最佳 M{k}，在其余各行上的误差是行长的 {miss}。"
                )
            }
        }
    }

    fn more(&self) -> Option<Node> {
        let table = WhisperComponents::new();
        let held = percent(variance(&table, self.components), 1);
        let all = percent(variance(&table, COMPONENTS), 1);
        let components = self.components;
        let text = match self.lang {
            Lang::En => format!(
                "The table, {POSITIONS} × {WIDTH}, is that of Whisper tiny.en (Radford et al. 2022), rebuilt from its mean row and {COMPONENTS} principal components in 8-bit numbers: an approximation, with {all} of its variance. The first {components} hold {held}. The matrix is fitted to the rows minus the mean row, and its error is a share of their length."
            ),
            Lang::Zh => format!(
                "这张表（{POSITIONS} × {WIDTH}）取自 Whisper tiny.en（Radford 等，2022），由均值行和 {COMPONENTS} 个主成分（8 位数）重建而成：是一个近似，保留了 {all} 的方差。前 {components} 个主成分占 {held}。矩阵是对减去均值行之后的各行拟合的，误差也是相对于它们的长度。"
            ),
        };
        let licence = Node::text("p", GRANT).class("note").attribute("lang", "en");
        Some(html::div(
            "",
            vec![
                Node::text("p", text).class("note"),
                html::folded(LICENCE.get(self.lang), licence),
            ],
        ))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Plan::sizes(width, theme).1)
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let room = plan.maps[1].x - plan.maps[0].x - 0.6 * size;
        for ((table, shown), map) in self.tables.iter().zip(self.shown.maps()).zip(plan.maps) {
            let n = table.positions;
            cells(pen, context, map, (n, n), 1.0, |row, column| {
                table.at(row, column)
            });
            let (name, colour) = (shown.short(self.lang), shown.colour(theme));
            let style = match self.shown == shown {
                true => TextStyle::new(1.5 * size, colour).bold(),
                false => TextStyle::new(size, theme.muted),
            };
            let style = style.align_left().fitting(name, room);
            pen.text((map.x, map.y - 0.9 * size), name, style);
            match self.shown == shown {
                true => pen.outline(map, colour, 1.0, theme.stroke()),
                false => pen.outline(map, theme.muted, 0.6, theme.hairline()),
            }
        }
        // All have the axes of the first.
        let n = POSITIONS;
        let first = plan.maps[0];
        let titles = self.lang.texts([ROW, COLUMN]);
        grid_axes(pen, context, first, (n, n), titles);
        let key = (plan.maps[2].right(), first.bottom() + 0.95 * size);
        colour_key(pen, context, key, 1.0, labels::COSINE.get(self.lang));
        let chart = &plan.chart;
        chart.axes(pen, context, self.lang.texts([ERROR, OFFSET]));
        let points = |errors: &[f64]| -> Vec<(f64, f64)> {
            let numbered = errors.iter().enumerate();
            numbered
                .map(|(i, miss)| ((i + 1) as f64, miss.min(MOST)))
                .collect()
        };
        let [learned, smooth, noise] = &self.fitted;
        // The names are beside the ends, from the top, each at least a line below the one before.
        let mut above = f64::NEG_INFINITY;
        for (shown, values) in [
            (Shown::Noise, points(&noise.errors)),
            (Shown::Smooth, points(&smooth.errors)),
            (Shown::Learned, points(&learned.errors)),
            (Shown::Formula, vec![(1.0, 0.0), (REACH as f64, 0.0)]),
        ] {
            let (colour, chosen) = (shown.colour(theme), self.shown == shown);
            let width = if chosen { 1.5 } else { 0.75 } * theme.stroke();
            chart.curve(pen, values.iter().copied(), colour, width);
            let Some(last) = values.last() else { continue };
            let style = TextStyle::new(size, colour).align_left();
            let style = if chosen { style.bold() } else { style };
            let name = shown.label().get(self.lang);
            let y = chart.at(*last).y.max(above + 1.25 * size);
            let at = (chart.plot.right() + 0.6 * size, y);
            pen.text(at, name, style.fitting(name, (NAMES + 0.2) * size));
            above = y;
        }
        chart.upright(pen, context, self.k as f64, "", theme.muted);
        let dot = chart.at((self.k as f64, self.error.min(MOST)));
        let colour = self.shown.colour(theme);
        pen.disc(dot, 2.4 * theme.stroke(), colour);
        let style = TextStyle::new(1.6 * size, colour).bold();
        let (style, side) = match dot.x < chart.plot.centre_x() {
            true => (style.align_left(), 0.7),
            false => (style.align_right(), -0.7),
        };
        // Rising curves leave room below them, but for the axis.
        let down = match dot.y + 1.55 * size < chart.plot.bottom() {
            true => 0.95,
            false => -1.7,
        };
        let text = fixed(self.error, 2);
        pen.text(dot + (side * size, down * size), &text, style);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        vec![Handle::along_x(&plan.chart, K)]
    }

    fn table(&self) -> Option<ComputedTable> {
        (self.shown == Shown::Learned).then(|| ComputedTable {
            table: WhisperComponents::new().rows(),
            parameters: vec![
                ("model", "whisper tiny.en, decoder".to_string()),
                ("components", COMPONENTS.to_string()),
            ],
        })
    }

    /// For Whisper's table: `whisper_near()`, the share of rows whose most similar row is a neighbour; along 16 components,
    /// the errors `whisper_miss(k)` of the best-fit matrix and `whisper_unmoved(k)` of the unchanged row;
    /// `whisper_variance(components)`. For smooth random curves: `whisper_smooth(k)` and `whisper_smooth_unmoved(k)`; for
    /// noise: `whisper_noise(k)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        use crate::math::held_out::unmoved_error;
        let fitted = |rows: &Matrix<f64>, k: f64| held_out_error(&leading(rows, 16), k as usize);
        Some(match (name, arguments) {
            ("whisper_near", []) => near_neighbours(&similarity_of_rows(&WhisperComponents::new())),
            ("whisper_miss", &[k]) => fitted(&WhisperComponents::new().coordinates, k),
            ("whisper_unmoved", &[k]) => unmoved_error(
                &leading(&WhisperComponents::new().coordinates, 16),
                k as usize,
            ),
            ("whisper_smooth", &[k]) => fitted(&smooth(16), k),
            ("whisper_smooth_unmoved", &[k]) => unmoved_error(&smooth(16), k as usize),
            ("whisper_noise", &[k]) => fitted(&noise(), k),
            ("whisper_variance", &[count]) => variance(&WhisperComponents::new(), count as usize),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy (`tests/reference/whisper.py`): 0.114, 0.188 and 0.365 for the published table; without a matrix, for the
    /// reconstructed table, 0.658, 0.978 and 1.154. The error of noise is about the length of its rows.
    #[test]
    fn the_table_has_nearly_learned_its_matrix() {
        let found = |name, k| Whisper::lesson_number(name, &[k]).unwrap();
        for (k, published, unmoved) in [
            (1.0, 0.1143, 0.6583),
            (3.0, 0.1883, 0.9784),
            (10.0, 0.3648, 1.1540),
        ] {
            let miss = found("whisper_miss", k);
            assert!((miss - published).abs() < 1e-3, "{k}: {miss}");
            assert!((found("whisper_unmoved", k) - unmoved).abs() < 1e-3);
            assert!((found("whisper_noise", k) - 1.03).abs() < 0.04);
        }
    }

    /// The ranges over 50 seeds in NumPy (`tests/reference/whisper.py`): smooth as they are, these curves have no matrix as
    /// good as Whisper's, although their unchanged rows have the same error as Whisper's.
    #[test]
    fn smoothness_is_not_enough_for_a_matrix() {
        let found = |name, k| Whisper::lesson_number(name, &[k]).unwrap();
        for (k, errors, unmoved) in [
            (1.0, 0.38..0.43, 0.65..0.68),
            (3.0, 0.47..0.56, 0.97..1.00),
            (10.0, 0.52..0.66, 1.15..1.19),
        ] {
            let error = found("whisper_smooth", k);
            assert!(errors.contains(&error), "{k}: {error}");
            let moved = found("whisper_smooth_unmoved", k);
            assert!(unmoved.contains(&moved), "{k}: {moved}");
            assert!((moved - found("whisper_unmoved", k)).abs() < 0.05, "{k}");
        }
    }

    #[test]
    fn the_work_ends_with_every_offset() {
        let mut figure = Whisper::new(&Values::new(Whisper::FIELDS), Lang::En, None);
        let mut steps = 0;
        while figure.work() {
            steps += 1;
        }
        assert_eq!(steps, 3 * REACH);
        for fitted in &figure.fitted {
            assert_eq!(fitted.errors.len(), REACH);
        }
        assert_eq!(figure.error, figure.fitted[0].errors[2]);
    }
}
