//! The position table of Whisper's decoder, compared with the formula, with random curves as smooth as its own and with
//! noise: the similarity of its rows, and the error of the best-fit M_k.

mod table;

use crate::draw::diagonals::Panels;
use crate::draw::{DrawContext, Pen, Scale, TextStyle, Theme};
use crate::field::{Choice, Field, Key, Values, ViewName, choices, fields};
use crate::figure::{ComputedTable, Figure, Handle};
use crate::math::held_out::{held_out_error, unmoved_error};
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, percent, subscript};
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use posenc_encoding::{Layout, Matrix, Sinusoidal, WhisperComponents};
use table::{near_neighbours, similarity, similarity_of_rows, variance, with_random_phases};

const POSITIONS: usize = WhisperComponents::POSITIONS;
const WIDTH: usize = WhisperComponents::WIDTH;
const COMPONENTS: usize = WhisperComponents::COUNT;
/// The largest offset for which a matrix is fitted.
const REACH: usize = 32;
const SEED: u64 = 1;
/// The largest error on the axis, with room for the name of a curve.
const MOST: f64 = 1.4;

const UNMOVED: Text = Text::new("no matrix", "不用矩阵");
const ROW: Text = Text::new("position m", "位置 m");
const COLUMN: Text = Text::new("position n", "位置 n");
const ERROR: Text = Text::new("error of the best-fit Mₖ", "最佳拟合 Mₖ 的误差");
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
    /// The error of the unchanged row as the prediction, for each offset from 1 on.
    unmoved: Vec<f64>,
}

impl Fitted {
    fn new(rows: Matrix<f64>) -> Fitted {
        let unmoved = (1..=REACH).map(|k| unmoved_error(&rows, k)).collect();
        Fitted {
            rows,
            errors: Vec::new(),
            unmoved,
        }
    }

    /// Returns the held-out error of the best-fit matrix for an offset.
    fn error(&self, k: usize) -> f64 {
        let known = self.errors.get(k - 1).copied();
        known.unwrap_or_else(|| held_out_error(&self.rows, k))
    }
}

fn leading(rows: &Matrix<f64>, directions: usize) -> Matrix<f64> {
    Matrix::from_fn(rows.positions, directions, |position, i| {
        rows.at(position, i)
    })
}

/// Random rows. They need no principal components: all directions are equivalent.
fn noise() -> Matrix<f64> {
    Normals::seeded(SEED).matrix(POSITIONS, COMPONENTS, 1.0)
}

/// Random curves with the waves of the learned table.
fn smooth(directions: usize) -> Matrix<f64> {
    with_random_phases(&leading(&WhisperComponents::new().coordinates, directions))
}

/// The cosines between rows.
fn cosines(rows: &Matrix<f64>) -> Matrix<f64> {
    similarity(rows.positions, |p, q| {
        let products = rows.row(p).iter().zip(rows.row(q));
        products.map(|(a, b)| a * b).sum()
    })
}

impl Shown {
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

/// Where a curve has its name, and how far above it, in label sizes.
#[derive(Clone, Copy)]
enum At {
    End(f64),
    Peak,
}

pub struct Whisper {
    lang: Lang,
    shown: Shown,
    k: usize,
    components: usize,
    table: Matrix<f64>,
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

    type Layout = Panels;

    fn new(values: &Values, lang: Lang, previous: Option<Whisper>) -> Whisper {
        let shown = values.get(TABLE);
        let (k, components) = (values.count(K), values.count(COMPONENT_COUNT));
        let (kept, fitted) = match previous {
            Some(it) => (
                (it.shown == shown).then_some((it.table, it.near)),
                (it.components == components).then_some(it.fitted),
            ),
            None => (None, None),
        };
        let (table, near) = kept.unwrap_or_else(|| {
            let table = shown.similarity();
            let near = near_neighbours(&table);
            (table, near)
        });
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
            table,
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
                "The table, {POSITIONS} × {WIDTH}, is that of Whisper tiny.en (Radford et al. 2022), rebuilt from its mean row and {COMPONENTS} principal components in 8-bit numbers: an approximation, with {all} of its variance. The first {components} hold {held}."
            ),
            Lang::Zh => format!(
                "这张表（{POSITIONS} × {WIDTH}）取自 Whisper tiny.en（Radford 等，2022），由均值行和 {COMPONENTS} 个主成分（8 位数）重建而成：是一个近似，保留了 {all} 的方差。前 {components} 个主成分占 {held}。"
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
        Some(Panels::height(width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Panels {
        Panels::new(
            context,
            Scale::linear(0.0, REACH as f64),
            Scale::linear(0.0, MOST),
        )
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, panels: &Panels) {
        let theme = context.theme;
        let titles = [ROW, COLUMN].map(|t| t.get(self.lang));
        panels.draw_map(pen, context, &self.table, (1.0, self.k as i64), titles);
        let chart = &panels.chart;
        chart.axes(pen, context, [ERROR, OFFSET].map(|t| t.get(self.lang)));
        let size = theme.label_size();
        let points = |errors: &[f64]| -> Vec<(f64, f64)> {
            let numbered = errors.iter().enumerate();
            numbered
                .map(|(i, miss)| ((i + 1) as f64, miss.min(MOST)))
                .collect()
        };
        let line = |values: &[(f64, f64)], name: Text, colour: RGBColor, chosen: bool, at: At| {
            let width = if chosen { 1.5 } else { 0.75 } * theme.stroke();
            chart.curve(pen, values.iter().copied(), colour, width);
            let Some(last) = values.last() else { return };
            let style = TextStyle::new(size, colour);
            let style = if chosen { style.bold() } else { style };
            let (point, style, left, up) = match at {
                At::End(up) => (*last, style.align_right(), 0.5, up),
                At::Peak => {
                    let peak = values.iter().max_by(|a, b| a.1.total_cmp(&b.1));
                    (*peak.unwrap_or(last), style, 0.0, 0.8)
                }
            };
            let (x, y) = chart.at(point);
            let at = (x - left * size, y - up * size);
            pen.text(at, name.get(self.lang), style);
        };
        let [learned, smooth, noise] = &self.fitted;
        let exact = [(1.0, 0.0), (REACH as f64, 0.0)];
        let unmoved = points(&learned.unmoved);
        line(&unmoved, UNMOVED, theme.series[1], false, At::Peak);
        for (shown, values, colour, at) in [
            (
                Shown::Noise,
                points(&noise.errors),
                theme.muted,
                At::End(1.5),
            ),
            (
                Shown::Smooth,
                points(&smooth.errors),
                theme.series[0],
                At::End(1.2),
            ),
            // Between this curve and the one above there is no room for a name.
            (
                Shown::Learned,
                points(&learned.errors),
                theme.there,
                At::End(-3.0),
            ),
            (Shown::Formula, exact.to_vec(), theme.here, At::End(0.8)),
        ] {
            line(&values, shown.label(), colour, self.shown == shown, at);
        }
        chart.upright(pen, context, self.k as f64, "", theme.accent);
        let here = (self.k as f64, self.error.min(MOST));
        let dot = chart.at(here);
        pen.disc(dot, 2.2 * theme.stroke(), theme.accent);
        let right = dot.0 < chart.plot.centre_x();
        let style = TextStyle::new(size, theme.accent).bold();
        let (style, side) = if right {
            (style.align_left(), 0.7)
        } else {
            (style.align_right(), -0.7)
        };
        let down = if dot.1 + 1.6 * size < chart.plot.bottom() {
            0.9
        } else {
            -0.9
        };
        let text = fixed(self.error, 2);
        pen.text((dot.0 + side * size, dot.1 + down * size), &text, style);
    }

    fn handles(&self, _: &DrawContext, panels: &Panels) -> Vec<Handle> {
        vec![Handle::along_x(&panels.chart, K)]
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
