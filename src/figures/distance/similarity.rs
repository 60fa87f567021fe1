//! PE(m)·PE(n) of all positions, as a map and against the offset; raw and with the mean removed.

use crate::draw::diagonals::{Diagonal, Panels, diagonals};
use crate::draw::grid::cell_rect;
use crate::draw::{DrawContext, Pen, Point, Scale, Space, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::figures::distance::nearest::lone;
use crate::math::Clamp;
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Matrix, Sinusoidal};

/// PE(0)·PE(offset)/(d/2), the mean of cos(ω·offset) over the complete pairs, for offsets 0 … n − 1.
fn by_offset(d_model: usize, n: usize) -> Vec<f64> {
    let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
    let pairs = d_model / 2;
    let similarity = |offset: usize| {
        let cosines = (0..pairs).map(|pair| pe.sin_cos_at(pair, offset as f64).1);
        cosines.sum::<f64>() / pairs as f64
    };
    (0..n).map(similarity).collect()
}

/// The last offset before the similarity rises for the first time; `None` if it only falls.
#[cfg(test)]
fn falls_to(by_offset: &[f64]) -> Option<usize> {
    by_offset.windows(2).position(|two| two[1] > two[0])
}

/// The nearer offset at which two positions are least alike, if they are less alike than at `offset`.
fn least_before(by_offset: &[f64], offset: usize) -> Option<usize> {
    let least = (0..offset).min_by(|a, b| by_offset[*a].total_cmp(&by_offset[*b]))?;
    (by_offset[least] < by_offset[offset]).then_some(least)
}

/// Cosine of the angle between PE(m) and PE(n), raw or after the mean of the n rows is removed.
fn table(by_offset: &[f64], centred: bool) -> Matrix<f64> {
    let n = by_offset.len();
    let mut table = Matrix::zeros(n, n);
    for p in 0..n {
        for q in 0..n {
            *table.at_mut(p, q) = by_offset[p.abs_diff(q)];
        }
    }
    if !centred {
        return table;
    }
    // (a − m)·(b − m) from the products of a and b with all rows, where m is the mean of the rows.
    let means: Vec<f64> = (0..n)
        .map(|p| table.row(p).iter().sum::<f64>() / n as f64)
        .collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    for p in 0..n {
        for q in 0..n {
            *table.at_mut(p, q) += mean - means[p] - means[q];
        }
    }
    let norms: Vec<f64> = (0..n).map(|p| table.at(p, p).max(0.0).sqrt()).collect();
    for p in 0..n {
        for q in 0..n {
            let product = norms[p] * norms[q];
            let cosine = table.at(p, q) / product;
            *table.at_mut(p, q) = if product > 0.0 { cosine } else { 0.0 };
        }
    }
    table
}

fn smallest(table: &Matrix<f64>) -> f64 {
    table.values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Smaller differences are rounding.
const ROUNDING: f64 = 1e-9;

pub struct Similarity {
    lang: Lang,
    d_model: usize,
    pos: usize,
    k: i64,
    centred: bool,
    by_offset: Vec<f64>,
    table: Matrix<f64>,
    diagonals: Vec<Diagonal>,
}

const RAW: Text = Text::new("PE(m)·PE(n) / (d/2)", "PE(m)·PE(n) / (d/2)");
const CENTRED: Text = Text::new("cosine, mean removed", "去均值后的余弦");
const OFFSET: Text = Text::new("offset |m − n|", "偏移量 |m − n|");
const ROW: Text = Text::new("position m", "位置 m");
const COLUMN: Text = Text::new("position n", "位置 n");

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 512, |_| (2, 1024));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 50, |_| (2, 256)).under_more();
    IS_CENTRED: bool = Key::toggle("centred", "Remove the mean", "去掉均值", false);
    POS: i64 = Key::whole("pos", "position", "位置", 10, |v| (0, v.get(MAX_LEN) - 1)).without_control();
    K: i64 = Key::whole("k", "offset", "偏移量", 5, |v| {
        (-v.get(POS), v.get(MAX_LEN) - 1 - v.get(POS))
    })
    .without_control();
}

impl Figure for Similarity {
    const NAME: ViewName = ViewName::Similarity;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), Some(POS)];

    type Layout = Panels;

    fn new(values: &Values, lang: Lang, previous: Option<Similarity>) -> Similarity {
        let (d_model, n) = (values.count(D_MODEL), values.count(MAX_LEN));
        let centred = values.get(IS_CENTRED);
        let same = |before: &Similarity| before.d_model == d_model && before.by_offset.len() == n;
        let (pos, k) = (values.count(POS), values.get(K));
        match previous.filter(same) {
            Some(before) if before.centred == centred => Similarity {
                lang,
                pos,
                k,
                ..before
            },
            before => {
                let by_offset = before.map_or_else(|| by_offset(d_model, n), |it| it.by_offset);
                let table = table(&by_offset, centred);
                let diagonals = diagonals(&table).split_off(n - 1);
                Similarity {
                    lang,
                    d_model,
                    pos,
                    k,
                    centred,
                    by_offset,
                    table,
                    diagonals,
                }
            }
        }
    }

    fn caption(&self) -> String {
        let n = whole(self.by_offset.len() as i64);
        let (p, q) = (self.pos as i64, self.pos as i64 + self.k);
        let here = fixed(self.table.at(p as usize, q as usize), 3);
        let (p, q) = (whole(p), whole(q));
        let lone = lone(self.lang, self.d_model);
        // Along the diagonals of two or three rows nothing changes, by symmetry.
        let varies = self.diagonals.iter().any(|it| it.high - it.low > ROUNDING);
        let said = match (self.lang, self.centred) {
            (Lang::En, false) => {
                "Each diagonal has one colour: PE(m)·PE(n) depends on m − n alone.".into()
            }
            (Lang::Zh, false) => "每条对角线颜色一致：PE(m)·PE(n) 只取决于 m − n。".into(),
            (Lang::En, true) if varies => format!(
                "With the mean of the {n} rows removed the colours change along a diagonal (the band)."
            ),
            (Lang::Zh, true) if varies => {
                format!("减去 {n} 行的均值后，同一条对角线上颜色也不一致（见色带）。")
            }
            (Lang::En, true) => {
                format!("With the mean of the {n} rows removed each diagonal still has one colour.")
            }
            (Lang::Zh, true) => format!("减去 {n} 行的均值后，每条对角线颜色仍然一致。"),
        };
        match self.lang {
            Lang::En => format!("{said} Positions {p} and {q} score {here}.{lone}"),
            Lang::Zh => format!("{said}位置 {p} 与 {q} 之间为 {here}。{lone}"),
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Panels::height(width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Panels {
        let last = self.by_offset.len() as f64 - 1.0;
        let low = smallest(&self.table).min(0.0);
        Panels::new(
            context,
            Scale::linear(0.0, last),
            Scale::linear(1.1 * low, 1.05),
        )
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, panels: &Panels) {
        let theme = context.theme;
        let titles = self.lang.texts([ROW, COLUMN]);
        let measured = labels::COSINE.get(self.lang);
        panels.draw_map(pen, context, &self.table, (1.0, self.k), titles, measured);
        let n = self.by_offset.len();
        let cell = cell_rect(
            panels.map,
            (n, n),
            self.pos,
            (self.pos as i64 + self.k) as usize,
        );
        let centre = cell.centre();
        pen.disc(centre, 1.8 * theme.stroke(), theme.there);
        let chart = &panels.chart;
        let up = if self.centred { CENTRED } else { RAW };
        chart.axes(pen, context, self.lang.texts([up, OFFSET]));
        panels.draw_curve(pen, context, &self.diagonals);
        let offset = self.k.abs() as f64;
        let here = self.table.at(self.pos, (self.pos as i64 + self.k) as usize);
        chart.upright(pen, context, offset, "", theme.there);
        chart.dots(pen, [(offset, here)], theme.there, 2.0 * theme.stroke());
        let size = theme.label_size();
        let mut space = Space::new(chart.plot);
        let curve = self
            .diagonals
            .iter()
            .map(|it| chart.at((it.offset as f64, it.mean)));
        let curve: Vec<_> = curve.collect();
        for line in curve.windows(2) {
            space.take_line([line[0], line[1]], theme.stroke());
        }
        let x = chart.x.pixel(offset);
        space.take_line(chart.plot.vertical(x), theme.stroke());
        // Beside its mark, above the curve, which falls, or below it.
        let mut name = |at: Point, words: &str, style: TextStyle| {
            let (gap, half) = (0.9 * size, 0.5 * style.width(words));
            let places = [
                (gap + half, -gap),
                (-gap - half, -1.8 * gap),
                (-gap - half, -3.6 * gap),
                (-gap - half, 1.8 * gap),
                (gap + half, 1.8 * gap),
                (0.0, 1.8 * gap),
                (-half, 3.0 * gap),
            ];
            let (left, right) = (chart.plot.x + half + 2.0, chart.plot.right() - half - 2.0);
            let place = |(dx, dy): (f64, f64)| {
                let x = (at.x + dx).clamped(left, right);
                (Point::new(x, at.y + dy), style)
            };
            space.write(pen, words, &places.map(place));
        };
        let at = chart.at((offset, here));
        let style = TextStyle::new(1.5 * size, theme.there).bold();
        name(at, &fixed(here, 3), style);
        // It does not simply fall: nearer positions may be less alike.
        if let Some(offset) = least_before(&self.by_offset, self.k.unsigned_abs() as usize)
            && !self.centred
        {
            let least = fixed(self.by_offset[offset], 3);
            let words = match self.lang {
                Lang::En => format!("at {offset}: {least}"),
                Lang::Zh => format!("{offset} 处：{least}"),
            };
            let at = chart.at((offset as f64, self.by_offset[offset]));
            let (radius, width) = (2.6 * theme.stroke(), 0.75 * theme.stroke());
            pen.ring(at, radius, theme.accent, width);
            name(at, &words, TextStyle::new(1.1 * size, theme.accent).bold());
        }
    }

    fn handles(&self, _: &DrawContext, panels: &Panels) -> Vec<Handle> {
        let (panels, n) = (panels, self.by_offset.len());
        let map = Handle::area(panels.map)
            .sets(POS, Mapping::row((n, n)))
            .sets(K, Mapping::offset((n, n)));
        vec![map, Handle::along_x(&panels.chart, K).pushing(POS)]
    }

    /// `similarity(d, offset)`, `falls_to(d)`, `least_before(d, offset)`, and the smallest value over n positions: `least_raw(d, n)`,
    /// `least_centred(d, n)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let &[d, n] = arguments else {
            let (&[d], "falls_to") = (arguments, name) else {
                return None;
            };
            return falls_to(&by_offset(d as usize, 1000)).map(|offset| offset as f64);
        };
        let (d, n) = (d as usize, n as usize);
        Some(match name {
            "similarity" => by_offset(d, n + 1)[n],
            "least_before" => least_before(&by_offset(d, n + 1), n)? as f64,
            "least_raw" => smallest(&table(&by_offset(d, n), false)),
            "least_centred" => smallest(&table(&by_offset(d, n), true)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy 2.4, computed from products of rows.
    #[test]
    fn it_falls_only_so_far() {
        assert_eq!(Similarity::lesson_number("falls_to", &[512.0]), Some(43.0));
        assert_eq!(Similarity::lesson_number("falls_to", &[64.0]), Some(5.0));
        for (name, least) in [("least_raw", 0.511_869), ("least_centred", -0.342_475)] {
            let found = Similarity::lesson_number(name, &[512.0, 50.0]).unwrap();
            assert!((found - least).abs() < 1e-6, "{name}: {found}");
        }
    }

    #[test]
    fn only_the_raw_product_depends_on_the_offset_alone() {
        let spread = |centred| {
            let table = table(&by_offset(64, 50), centred);
            let widths = diagonals(&table).into_iter().map(|d| d.high - d.low);
            widths.fold(0.0, f64::max)
        };
        assert_eq!(spread(false), 0.0);
        assert!(spread(true) > 0.1);
    }

    #[test]
    fn the_table_agrees_with_products_of_rows() {
        let pe = Sinusoidal::new(6, 10_000.0, Layout::Interleaved);
        let row = |p: i64| (0..6).map(move |d| (p, d));
        let rows: Vec<Vec<f64>> = (0..7)
            .map(|p| row(p).map(|(p, d)| pe.value(p, d)).collect())
            .collect();
        let mean: Vec<f64> = (0..6)
            .map(|d| rows.iter().map(|row| row[d]).sum::<f64>() / 7.0)
            .collect();
        let centred: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| row.iter().zip(&mean).map(|(a, b)| a - b).collect())
            .collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (raw, removed) = (
            table(&by_offset(6, 7), false),
            table(&by_offset(6, 7), true),
        );
        for p in 0..7 {
            for q in 0..7 {
                assert!((raw.at(p, q) - dot(&rows[p], &rows[q]) / 3.0).abs() < 1e-12);
                let (a, b) = (&centred[p], &centred[q]);
                let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
                assert!((removed.at(p, q) - cosine).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn few_rows_have_diagonals_of_one_colour_without_their_mean() {
        for (n, varies) in [(2, false), (3, false), (4, true)] {
            let values = Values::with(Similarity::FIELDS, &format!("centred=on max_len={n}"));
            let caption = Similarity::new(&values, Lang::En, None).caption();
            assert_eq!(caption.contains("the colours change"), varies, "{caption}");
        }
    }

    #[test]
    fn dragging_along_the_curve_keeps_the_pair_inside() {
        let mut values = Values::new(Similarity::FIELDS);
        values.set("pos", "49");
        assert_eq!(values.get(K), 0);
        values.set("k", "-49");
        let figure = Similarity::new(&values, Lang::En, None);
        assert!(figure.caption().contains("Positions 49 and 0"));
    }
}
