//! M_k as a heatmap, with PE(pos), to which it is applied, and the product PE(pos + k).

use crate::draw::grid::{cell_rect, cells, colour_bar, colour_key};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::settings;
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle};
use crate::math::linear::product;
use crate::math::rotation::Rotation;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short, subscript, tiny, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Column, Layout, Matrix, Member, Sinusoidal};

pub struct ShiftMatrix {
    lang: Lang,
    pe: Sinusoidal,
    k: i64,
    pos: i64,
    /// The selected entry: row and column.
    cell: (usize, usize),
    matrix: Matrix<f64>,
    here: Vec<f64>,
    there: Vec<f64>,
    laws: Laws,
}

/// Properties of M_k, computed from its entries.
#[derive(Clone, Copy)]
struct Laws {
    /// The product of the determinants of the blocks.
    determinant: f64,
    /// Largest |MᵀM − I| over the dimensions that have a partner.
    orthogonality: f64,
}

fn laws(pe: &Sinusoidal, rotation: &Rotation, matrix: &Matrix<f64>) -> Laws {
    let d = pe.d_model();
    let mut transposed = Matrix::zeros(d, d);
    for row in 0..d {
        for column in 0..d {
            *transposed.at_mut(column, row) = matrix.at(row, column);
        }
    }
    let square = product(&transposed, matrix);
    let mut worst = 0.0f64;
    for row in 0..d {
        for column in 0..d {
            let one = f64::from(u8::from(row == column && partner(pe, row).is_some()));
            worst = worst.max((square.at(row, column) - one).abs());
        }
    }
    let blocks = (0..pe.pairs()).filter_map(|pair| rotation.block(pair));
    Laws {
        determinant: blocks.map(|[[a, b], [c, d]]| a * d - b * c).product(),
        orthogonality: worst,
    }
}

/// The pair of a dimension, and its two dimensions, if it has both.
fn partner(pe: &Sinusoidal, dimension: usize) -> Option<(usize, [usize; 2])> {
    let Column::Wave { pair, .. } = pe.column(dimension) else {
        return None;
    };
    let sine = pe.dimension(pair, Member::Sine)?;
    Some((pair, [sine, pe.dimension(pair, Member::Cosine)?]))
}

pub struct Plan {
    matrix: Rect,
    here: Rect,
    there: Rect,
    bar: Option<Rect>,
}

const LEFT: f64 = 4.4;
const ABOVE: f64 = 1.7;
const BELOW: f64 = 3.1;
/// Widths of the two vectors with their margins, and of the colour bar, in label sizes.
const VECTORS: f64 = 7.6;
const BAR: f64 = 4.6;

fn side(width: f64, theme: &Theme) -> f64 {
    let size = theme.label_size();
    let bar = if width > 34.0 * size { BAR } else { 0.0 };
    let around = (ABOVE + BELOW) * size;
    let most = theme.fitted(400.0 * theme.scale + around, 17.0) - around;
    (width - (LEFT + VECTORS + bar) * size).min(most)
}

impl Plan {
    fn new(context: &DrawContext) -> Plan {
        let (width, size) = (context.frame.width, context.theme.label_size());
        let side = side(width, context.theme);
        let bar = width > 34.0 * size;
        let taken = side + (LEFT + VECTORS + if bar { BAR } else { 0.0 }) * size;
        let matrix = Rect::new(
            ((width - taken) / 2.0).max(0.0) + LEFT * size,
            ABOVE * size,
            side,
            side,
        );
        let strip = |from: f64| matrix.across(matrix.right() + from * size, 1.6 * size);
        Plan {
            matrix,
            here: strip(1.6),
            there: strip(4.8),
            bar: bar.then(|| strip(VECTORS + 0.8).with_width(0.9 * size)),
        }
    }
}

/// Black or white, whichever is legible on the colour of a value.
fn ink_on(context: &DrawContext, value: f64) -> RGBColor {
    let [red, green, blue] = context.colours.colour(value as f32).map(u32::from);
    if 3 * red + 6 * green + blue > 1280 {
        RGBColor(0, 0, 0)
    } else {
        RGBColor(255, 255, 255)
    }
}

impl ShiftMatrix {
    /// Draws the selected block enlarged, in the corner of the matrix where all entries are zero; in other layouts than
    /// the interleaved one, or if the matrix has few cells, there is no such corner.
    fn draw_block(&self, pen: &Pen, context: &DrawContext, grid: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let room = Rect::new(
            grid.right() - 0.54 * grid.width,
            grid.y + 0.5 * size,
            0.54 * grid.width - 0.5 * size,
            (0.3 * grid.height).min(6.4 * size),
        );
        let Some((pair, both)) = partner(&self.pe, self.cell.0) else {
            return;
        };
        let is_corner = self.pe.layout() == Layout::Interleaved && self.d() >= 16;
        if !is_corner || room.width < 8.4 * size {
            return;
        }
        // Lines from the block to both its enlarged edges.
        let block = [0, 1].map(|i| cell_rect(grid, (self.d(), self.d()), both[i], both[i]));
        let ends = [
            [(block[0].right(), block[0].y), (room.x, room.y)],
            [
                (block[1].right(), block[1].bottom()),
                (room.x, room.bottom()),
            ],
        ];
        for line in ends {
            pen.line(&line, theme.accent, theme.hairline());
        }
        let entry = |row: usize, column: usize| self.matrix.at(both[row], both[column]);
        cells(pen, context, room, (2, 2), 1.0, entry);
        pen.outline(room, theme.accent, 1.0, theme.stroke());
        let index = subscript(pair);
        let names = [["cos", "sin"], ["−sin", "cos"]];
        for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let value = entry(row, column);
            let cell = cell_rect(room, (2, 2), row, column);
            let style = TextStyle::new(size, ink_on(context, value));
            let name = format!("{} kω{index}", names[row][column]);
            let value = fixed(value, 2);
            for (text, down) in [(name, -0.6), (value, 0.7)] {
                let at = (cell.centre_x(), cell.centre_y() + down * size);
                pen.text(at, &text, style.fitting(&text, cell.width - 4.0));
            }
        }
    }

    fn d(&self) -> usize {
        self.pe.d_model()
    }

    /// The selected entry in symbols and numbers.
    fn entry(&self) -> String {
        let (row, column) = self.cell;
        let value = self.matrix.at(row, column);
        let pair = partner(&self.pe, row).filter(|(_, both)| both.contains(&column));
        let Some((pair, [sine, _])) = pair else {
            return "0".into();
        };
        let name = match (row == sine, column == sine) {
            (true, true) | (false, false) => "cos",
            (true, false) => "sin",
            (false, true) => "−sin",
        };
        let index = subscript(pair);
        format!("{name}(kω{index}) = {}", short(value, 5))
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 32, |_| (2, 128)).under_more();
    K: i64 = Key::size("k", "offset", "偏移量", 3, |_| (-4096, 4096));
    POS: i64 = Key::size("pos", "position", "位置", 10, |_| (0, 4096));
    LAYOUT: Layout = settings::LAYOUT_OF_DIMENSIONS;
    ROW: i64 = Key::whole("row", "row", "行", 5, |v| (0, v.get(D_MODEL) - 1)).session();
    COLUMN: i64 = Key::whole("column", "column", "列", 4, |v| (0, v.get(D_MODEL) - 1)).session();
}

impl Figure for ShiftMatrix {
    const NAME: ViewName = ViewName::ShiftMatrix;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(COLUMN), Some(ROW)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<ShiftMatrix>) -> ShiftMatrix {
        let pe = Sinusoidal::new(values.count(D_MODEL), 10_000.0, values.get(LAYOUT));
        let (k, pos) = (values.get(K), values.get(POS));
        let same = |old: &ShiftMatrix| old.pe == pe && old.k == k;
        let (matrix, laws) = match previous.filter(same) {
            Some(old) => (old.matrix, old.laws),
            None => {
                let rotation = Rotation::new(&pe, k);
                let matrix = rotation.matrix();
                let laws = laws(&pe, &rotation, &matrix);
                (matrix, laws)
            }
        };
        ShiftMatrix {
            lang,
            k,
            pos,
            cell: (values.count(ROW), values.count(COLUMN)),
            matrix,
            here: pe.row(pos),
            there: pe.row(pos + k),
            laws,
            pe,
        }
    }

    fn caption(&self) -> String {
        let entries = whole((self.d() * self.d()) as i64);
        let some = 4 * (self.d() / 2);
        let said = match (self.lang, self.pe.layout()) {
            (Lang::En, Layout::Interleaved) => format!(
                "{some} of {entries} entries can differ from 0: a 2 × 2 block for every pair, down the diagonal. No entry contains pos; move it, and the two vectors change but the matrix stays."
            ),
            (Lang::En, _) => String::from(
                "Every block is spread over four diagonals [[C, S], [−S, C]], since sines and cosines stand apart. No entry contains pos.",
            ),
            (Lang::Zh, Layout::Interleaved) => format!(
                "{entries} 个元素里最多 {some} 个不为 0：每个维度对一个 2 × 2 块，沿对角线排开。没有一个元素含有 pos：移动 pos，两个向量会变，矩阵不动。"
            ),
            (Lang::Zh, _) => String::from(
                "每个块都拆散到四条对角线 [[C, S], [−S, C]] 上，因为正弦和余弦分开存放。没有一个元素含有 pos。",
            ),
        };
        said + match (self.d() % 2, self.lang) {
            (0, _) => "",
            (_, Lang::En) => " One dimension has no partner: its row and column are zero.",
            (_, Lang::Zh) => "有一维没有配对，它的行和列全为零。",
        }
    }

    fn more(&self) -> Option<Node> {
        let (row, column) = self.cell;
        let entry = self.entry();
        let read = match self.lang {
            Lang::En => format!("Row {row}, column {column} of Mₖ is {entry}. "),
            Lang::Zh => format!("Mₖ 第 {row} 行第 {column} 列：{entry}。"),
        };
        let target = whole(self.pos + self.k);
        let sum = match partner(&self.pe, row) {
            None => match self.lang {
                Lang::En => "This dimension has no partner: its row of Mₖ is zero.".into(),
                Lang::Zh => "这一维没有配对，它在 Mₖ 中的行为零。".into(),
            },
            Some((_, [sine, cosine])) => {
                let n = |value: f64| {
                    let text = fixed(value, 3);
                    if value < 0.0 {
                        format!("({text})")
                    } else {
                        text
                    }
                };
                let product = self.matrix.at(row, sine) * self.here[sine]
                    + self.matrix.at(row, cosine) * self.here[cosine];
                format!(
                    "PE({target})[{row}] = {} · {} + {} · {} = {}",
                    n(self.matrix.at(row, sine)),
                    n(self.here[sine]),
                    n(self.matrix.at(row, cosine)),
                    n(self.here[cosine]),
                    fixed(product, 3)
                )
            }
        };
        let determinant = match self.laws.determinant - 1.0 {
            0.0 => "det Mₖ = 1".to_string(),
            off => format!("|det Mₖ − 1| = {}", tiny(off.abs())),
        };
        let orthogonality = tiny(self.laws.orthogonality);
        let measured = match self.lang {
            Lang::En => format!(
                "Measured in 64-bit floats: {determinant}; MₖᵀMₖ differs from I by at most {orthogonality}."
            ),
            Lang::Zh => {
                format!("64 位浮点实测：{determinant}；MₖᵀMₖ 与 I 的元素最多相差 {orthogonality}。")
            }
        };
        Some(Node::new(
            "div",
            vec![html::p(read + &sum), html::p(measured).class("note")],
        ))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(side(width, theme) + (ABOVE + BELOW) * theme.label_size())
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, plan, d) = (context.theme, plan, self.d());
        let (size, (row, column)) = (theme.label_size(), self.cell);
        let (grid, line) = (plan.matrix, 0.75 * theme.stroke());
        cells(pen, context, grid, (d, d), 1.0, |r, c| self.matrix.at(r, c));
        cells(pen, context, plan.here, (d, 1), 1.0, |r, _| self.here[r]);
        cells(pen, context, plan.there, (d, 1), 1.0, |r, _| self.there[r]);
        let cell = grid.width / d as f64;
        let digits = if cell > 5.5 * size { 5 } else { 2 };
        if cell > 2.6 * size {
            for (r, c) in (0..d).flat_map(|r| (0..d).map(move |c| (r, c))) {
                let value = self.matrix.at(r, c);
                let ink = ink_on(context, value);
                let rect = cell_rect(grid, (d, d), r, c);
                let at = rect.centre();
                let name = if value == 0.0 {
                    "0".to_string()
                } else {
                    fixed(value, digits)
                };
                pen.text(at, &name, TextStyle::new(theme.reduced(0.95), ink));
            }
        }
        for rect in [grid, plan.here, plan.there] {
            pen.outline(rect, theme.muted, 0.6, theme.hairline());
        }
        if let Some((_, both)) = partner(&self.pe, row) {
            for r in both {
                for c in both {
                    let rect = cell_rect(grid, (d, d), r, c);
                    pen.outline(rect, theme.accent, 1.0, line);
                }
                let rect = cell_rect(plan.here, (d, 1), r, 0);
                pen.outline(rect, theme.here, 1.0, line);
            }
        }
        let rect = cell_rect(plan.there, (d, 1), row, 0);
        pen.outline(rect, theme.there, 1.0, line);
        let rect = cell_rect(grid, (d, d), row, column);
        pen.outline(rect, theme.there, 1.0, theme.stroke());

        let small = TextStyle::new(size, theme.muted);
        let every = (2.0 * size / cell).ceil().max(1.0) as usize;
        let every = [1, 2, 4, 8, 16, 32, 64]
            .into_iter()
            .find(|&step| step >= every)
            .unwrap_or(64);
        for i in (0..d).step_by(every) {
            let along = (i as f64 + 0.5) * cell;
            let name = i.to_string();
            let left = (grid.x - 0.4 * size, grid.y + along);
            pen.text(left, &name, small.align_right());
            pen.text((grid.x + along, grid.bottom() + 0.8 * size), &name, small);
        }
        const FROM: Text = Text::new("dimension of PE(pos)", "PE(pos) 的维度");
        const TO: Text = Text::new("dimension of PE(pos+k)", "PE(pos+k) 的维度");
        let middle = grid.centre();
        let (left, under) = (grid.x - 3.2 * size, grid.bottom() + 2.2 * size);
        pen.text((left, middle.y), TO.get(self.lang), small.rotated());
        pen.text((middle.x, under), FROM.get(self.lang), small);
        let bold = |colour| TextStyle::new(size, colour).bold();
        let centre = |rect: Rect| rect.centre_x();
        let top = grid.y - 0.8 * size;
        let name = format!("Mₖ, k = {}", whole(self.k));
        pen.text((middle.x, top), &name, bold(theme.ink));
        let name = format!("PE({})", whole(self.pos));
        pen.text((centre(plan.here), top), &name, bold(theme.here));
        let name = format!("PE({})", whole(self.pos + self.k));
        let at = (centre(plan.there), grid.bottom() + 0.8 * size);
        pen.text(at, &name, bold(theme.there));
        for (sign, after) in [("×", grid), ("=", plan.here)] {
            let at = (after.right() + 0.8 * size, middle.y);
            pen.text(at, sign, TextStyle::new(1.5 * size, theme.ink).bold());
        }
        match plan.bar {
            Some(bar) => colour_bar(pen, context, bar, 1.0, labels::VALUE_AXIS.get(self.lang)),
            None => {
                colour_key(pen, context, (plan.there.right(), under), 1.0, "");
            }
        }
        self.draw_block(pen, context, grid);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let (plan, d) = (plan, self.d());
        vec![
            Handle::cells(plan.matrix, (d, d), [ROW, COLUMN]).on_hover(),
            Handle::rows(plan.there, d, ROW).on_hover(),
        ]
    }

    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        Some(match (name, arguments) {
            ("shift", &[d, k, row, column]) => {
                let pe = Sinusoidal::new(d as usize, 10_000.0, Layout::Interleaved);
                let matrix = Rotation::new(&pe, k as i64).matrix();
                matrix.at(row as usize, column as usize)
            }
            ("entries", &[d]) => d * d,
            ("nonzero", &[d]) => 2.0 * d,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> ShiftMatrix {
        let values = Values::with(ShiftMatrix::FIELDS, changes);
        ShiftMatrix::new(&values, Lang::En, None)
    }

    #[test]
    fn the_golden_matrix() {
        // Vaswani et al.'s formula at d_model = 4, k = 3, by NumPy.
        let expected = [
            [-0.989_992_5, 0.141_12, 0.0, 0.0],
            [-0.141_12, -0.989_992_5, 0.0, 0.0],
            [0.0, 0.0, 0.999_550_03, 0.029_995_5],
            [0.0, 0.0, -0.029_995_5, 0.999_550_03],
        ];
        let matrix = shown("d_model=4 k=3").matrix;
        for (row, line) in expected.iter().enumerate() {
            for (column, value) in line.iter().enumerate() {
                assert!((matrix.at(row, column) - value).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn it_is_a_rotation_in_every_layout() {
        for layout in ["interleaved", "concatenated", "tensor2tensor"] {
            for d in [2, 5, 32, 128] {
                let laws = shown(&format!("d_model={d} k=-77 layout={layout}")).laws;
                assert!((laws.determinant - 1.0).abs() < 1e-13);
                assert!(laws.orthogonality < 1e-15);
            }
        }
    }

    #[test]
    fn pos_is_in_no_entry_and_the_vectors_are_its_own() {
        let (a, b) = (shown("pos=3"), shown("pos=900"));
        assert_eq!(a.matrix, b.matrix);
        assert_ne!(a.here, b.here);
    }

    #[test]
    fn the_sum_below_is_the_entry_above_it() {
        let below = shown("d_model=4 k=3 pos=1 row=1 column=0").more();
        let below = below.unwrap().plain();
        // cos 4 = −0.653644 = −sin 3 · sin 1 + cos 3 · cos 1.
        assert!(below.contains("(−0.141) · 0.841 + (−0.990) · 0.540 = −0.654"));
        assert!(below.contains("−sin(kω₀) = −0.1411"), "{below}");
    }
}
