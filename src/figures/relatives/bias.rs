//! The parameters of three learned encodings: T5 has one number per bucket and head, BERT and GPT-2
//! have a row per position, ViT has a row per patch.

use crate::draw::chart::Chart;
use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::math::random::Normals;
use crate::text::number::whole;
use crate::text::{Lang, Text};
use posenc_encoding::{Layout, Matrix, Sinusoidal, T5_BUCKETS, t5_bucket};

/// The largest offset that is drawn, in both directions.
const REACH: i64 = 140;
/// The number of positions that are shown, and of rows of the learned table.
const POSITIONS: usize = 12;
const LEARNED: usize = 8;
/// The number of patches along a side of the image.
const SIDE: usize = 4;
const PATCH_ROWS: usize = SIDE * SIDE + 1;
const WIDTH: usize = 16;
const SEED: u64 = 1;

const OFFSET: Text = Text::new("offset, key − query", "偏移量，键的位置 − 查询的位置");
const BUCKET: Text = Text::new("bucket", "桶");
const SIMULATED: Text = Text::new("learned, simulated (seed 1)", "可学习（模拟，种子 1）");
const FORMULA: Text = Text::new("sinusoidal", "正弦编码");
const NO_ROW: Text = Text::new("no row", "没有这一行");
const PATCHES: Text = Text::new("image, patches numbered", "图像，图块编号");
const CLASS: Text = Text::new("[CLS] 0", "[CLS] 0");

choices! {
    enum Show {
        Buckets "buckets" "T5 buckets" "T5 的桶";
        Rows "rows" "Learned rows" "可学习位置表";
        Patches "patches" "ViT patches" "ViT 图块";
    }
}

pub struct Bias {
    lang: Lang,
    show: Show,
    causal: bool,
    offset: i64,
    pos: usize,
    learned: Matrix<f64>,
    formula: Sinusoidal,
}

/// First and last offset of the bucket of `offset`, limited to ±[`REACH`].
fn bucket_ends(offset: i64, causal: bool) -> (i64, i64) {
    let bucket = t5_bucket(offset, causal);
    let same = |other: &i64| t5_bucket(*other, causal) == bucket;
    let first = (-REACH..=offset).find(same).unwrap_or(offset);
    let last = (offset..=REACH).rev().find(same).unwrap_or(offset);
    (first, last)
}

impl Bias {
    fn chart(&self, context: &DrawContext) -> Chart {
        let reach = REACH as f64;
        let area = Rect::all(context.frame);
        Chart::new(
            context,
            area,
            Scale::linear(-reach, reach),
            Scale::linear(0.0, T5_BUCKETS as f64),
        )
    }

    fn draw_buckets(&self, pen: &Pen, context: &DrawContext) {
        let (theme, chart) = (context.theme, self.chart(context));
        let size = theme.label_size();
        chart.axes(pen, context, self.lang.texts([BUCKET, OFFSET]));
        let (first, last) = bucket_ends(self.offset, self.causal);
        let left = chart.x.pixel((first as f64 - 0.5).max(-REACH as f64));
        let right = chart.x.pixel((last as f64 + 0.5).min(REACH as f64));
        let band = chart.plot.across(left, right - left);
        pen.fill(band, theme.there, 0.15);
        let steps = (-REACH..=REACH).flat_map(|offset| {
            let bucket = t5_bucket(offset, self.causal) as f64;
            [(offset as f64 - 0.5, bucket), (offset as f64 + 0.5, bucket)]
        });
        chart.curve(pen, steps, theme.ink, theme.stroke());
        let bucket = t5_bucket(self.offset, self.causal);
        let here = (self.offset as f64, bucket as f64);
        chart.dots(pen, [here], theme.there, 2.5 * theme.stroke());
        let name = match self.lang {
            Lang::En => format!("bucket {bucket}"),
            Lang::Zh => format!("桶 {bucket}"),
        };
        let (x, y) = chart.at(here);
        let down = if y < chart.plot.y + 3.0 * size {
            1.7
        } else {
            -1.7
        };
        let x = x.clamped(chart.plot.x + 3.0 * size, chart.plot.right() - 3.0 * size);
        pen.tag((x, y + down * size), &name, size, theme.there, theme.panel);
    }

    /// The rectangles of the two tables, or of the image and its table.
    fn places(&self, context: &DrawContext) -> [Rect; 2] {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height - 2.4 * size);
        let half = (width - 5.5 * size) / 2.0;
        let place = |x, width, height| Rect::new(x, 1.9 * size, width, height);
        let second = place(width - half - 0.5 * size, half, height);
        if self.show == Show::Patches {
            let side = half.min(height - 2.4 * size);
            [place(size, side, side), second]
        } else {
            [place(2.4 * size, half, height), second]
        }
    }

    /// Draws a table with numbered rows; rows from `has` on are missing.
    fn draw_table(
        &self,
        pen: &Pen,
        context: &DrawContext,
        (rect, title): (Rect, &str),
        (rows, has): (usize, usize),
        limit: f64,
        value: impl Fn(usize, usize) -> f64,
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let high = rect.height / rows as f64;
        let filled = rect.with_height(high * has as f64);
        let heading = (rect.centre_x(), rect.y - 0.9 * size);
        pen.text(heading, title, TextStyle::new(size, theme.muted));
        cells(pen, context, filled, (has, WIDTH), limit, value);
        pen.outline(filled, theme.muted, 0.6, theme.hairline());
        let number = size.min(0.9 * high);
        for row in 0..rows {
            let line = cell_rect(rect, (rows, 1), row, 0);
            let middle = line.y + high / 2.0;
            let chosen = row == self.pos;
            let colour = if chosen { theme.there } else { theme.muted };
            let style = TextStyle::new(number, colour).align_right();
            let style = if chosen { style.bold() } else { style };
            pen.text((rect.x - 0.4 * size, middle), &row.to_string(), style);
            if row >= has {
                for y in [line.y, line.bottom()] {
                    pen.dashes(
                        (line.x, y),
                        (line.right(), y),
                        theme.muted,
                        theme.hairline(),
                    );
                }
                let style = TextStyle::new(number, colour);
                pen.text((line.centre_x(), middle), NO_ROW.get(self.lang), style);
            }
            if chosen {
                pen.outline(line, theme.there, 1.0, theme.stroke());
            }
        }
    }

    fn draw_rows(&self, pen: &Pen, context: &DrawContext) {
        let [learned, formula] = self.places(context);
        let titles = self.lang.texts([SIMULATED, FORMULA]);
        let counts = (POSITIONS, LEARNED);
        self.draw_table(
            pen,
            context,
            (learned, titles[0]),
            counts,
            2.5,
            |row, column| self.learned.at(row, column),
        );
        let counts = (POSITIONS, POSITIONS);
        self.draw_table(
            pen,
            context,
            (formula, titles[1]),
            counts,
            1.0,
            |row, column| self.formula.value(row as i64, column),
        );
    }

    /// The rectangle of the class token, below the image.
    fn class_box(&self, context: &DrawContext) -> Rect {
        let ([image, _], size) = (self.places(context), context.theme.label_size());
        image.down(image.bottom() + 0.6 * size, 1.8 * size)
    }

    fn draw_patches(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let [image, table] = self.places(context);
        let title = (image.centre_x(), image.y - 0.9 * size);
        pen.text(
            title,
            PATCHES.get(self.lang),
            TextStyle::new(size, theme.muted),
        );
        let mut chosen = self.class_box(context);
        for row in 0..PATCH_ROWS {
            let (place, name) = match row.checked_sub(1) {
                None => (self.class_box(context), CLASS.get(self.lang).to_string()),
                Some(patch) => (
                    cell_rect(image, (SIDE, SIDE), patch / SIDE, patch % SIDE),
                    row.to_string(),
                ),
            };
            pen.outline(place, theme.muted, 0.8, theme.hairline());
            if row == self.pos {
                pen.fill(place, theme.there, 0.15);
                chosen = place;
            }
            let middle = place.centre();
            pen.text(middle, &name, TextStyle::new(size, theme.ink));
        }
        pen.outline(chosen, theme.there, 1.0, theme.stroke());
        let title = SIMULATED.get(self.lang);
        let counts = (PATCH_ROWS, PATCH_ROWS);
        self.draw_table(pen, context, (table, title), counts, 2.5, |row, column| {
            self.learned.at(row, column)
        });
        let line = cell_rect(table, (PATCH_ROWS, 1), self.pos, 0);
        let from = (image.right() + 0.3 * size, chosen.centre_y());
        let to = (table.x - 1.8 * size, line.centre_y());
        pen.arrow(from, to, theme.there, 0.8 * theme.stroke());
    }
}

fields! {
    SHOW: Show = Key::choice("show", "Show", "显示");
    CAUSAL: bool = Key::toggle("causal", "Causal (T5)", "因果（T5）", false);
    K: i64 = Key::whole("k", "offset", "偏移量", -40, |_| (-REACH, REACH)).without_control();
    POS: i64 = Key::whole("pos", "position", "位置", 6, |v| {
        let rows = match v.get(SHOW) {
            Show::Patches => PATCH_ROWS,
            Show::Buckets | Show::Rows => POSITIONS,
        };
        (0, rows as i64 - 1)
    })
    .without_control();
}

impl Figure for Bias {
    const NAME: ViewName = ViewName::Bias;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = ();

    fn new(values: &Values, lang: Lang, _: Option<Bias>) -> Bias {
        Bias {
            lang,
            show: values.get(SHOW),
            causal: values.get(CAUSAL),
            offset: values.get(K),
            pos: values.count(POS),
            learned: Normals::seeded(SEED).matrix(PATCH_ROWS, WIDTH, 1.0),
            formula: Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved),
        }
    }

    fn caption(&self) -> String {
        match self.show {
            Show::Buckets => {
                let (bucket, (first, last)) = (
                    t5_bucket(self.offset, self.causal),
                    bucket_ends(self.offset, self.causal),
                );
                let (offset, buckets) = (whole(self.offset), T5_BUCKETS);
                let open = |end: i64| end.abs() == REACH;
                let ends = match (self.lang, open(first), open(last), first == last) {
                    (Lang::En, _, _, true) => "for this offset alone".to_string(),
                    (Lang::Zh, _, _, true) => "只归这一个偏移量".to_string(),
                    (Lang::En, true, _, _) => {
                        format!("shared by all offsets up to {}", whole(last))
                    }
                    (Lang::Zh, true, _, _) => format!("由不大于 {} 的全部偏移量共用", whole(last)),
                    (Lang::En, _, true, _) => {
                        format!("shared by all offsets from {} on", whole(first))
                    }
                    (Lang::Zh, _, true, _) => format!("由不小于 {} 的全部偏移量共用", whole(first)),
                    (Lang::En, ..) => {
                        format!("shared by the offsets {} to {}", whole(first), whole(last))
                    }
                    (Lang::Zh, ..) => format!("由偏移量 {} 到 {} 共用", whole(first), whole(last)),
                };
                match self.lang {
                    Lang::En => format!(
                        "Offset {offset} falls into bucket {bucket}, {ends}. Each head learns {buckets} numbers, one a bucket, and adds them to its logits; the vectors of the tokens are left alone."
                    ),
                    Lang::Zh => format!(
                        "偏移量 {offset} 落入桶 {bucket}，{ends}。每个注意力头学习 {buckets} 个数，每桶一个，加到注意力分数上；词元的向量不受影响。"
                    ),
                }
            }
            Show::Rows => {
                let (pos, last) = (self.pos, LEARNED - 1);
                match (self.lang, pos < LEARNED) {
                    (Lang::En, true) => format!(
                        "Position {pos} reads row {pos} of the learned table, which ends with row {last}. The formula fills as many rows as are asked for."
                    ),
                    (Lang::Zh, true) => format!(
                        "位置 {pos} 读取可学习位置表的第 {pos} 行，而这张表到第 {last} 行为止。公式则要多少行就能算多少行。"
                    ),
                    (Lang::En, false) => format!(
                        "Position {pos} has nothing to read: the learned table ends with row {last}. The formula has a row {pos}, though whether a model can use it is another question."
                    ),
                    (Lang::Zh, false) => format!(
                        "位置 {pos} 无行可读：可学习位置表到第 {last} 行为止。公式能算出第 {pos} 行，至于模型会不会用，是另一回事。"
                    ),
                }
            }
            Show::Patches => {
                let pos = self.pos;
                let (row, column) = (
                    pos.saturating_sub(1) / SIDE + 1,
                    pos.saturating_sub(1) % SIDE + 1,
                );
                let below = pos + SIDE;
                match (self.lang, pos) {
                    (Lang::En, 0) => format!(
                        "The class token reads row 0 of a list of {PATCH_ROWS} rows. It has no place in the image."
                    ),
                    (Lang::Zh, 0) => format!(
                        "分类词元读取这张 {PATCH_ROWS} 行的表的第 0 行，它在图像中没有位置。"
                    ),
                    (Lang::En, _) if below < PATCH_ROWS => format!(
                        "The patch in line {row}, column {column} reads row {pos} of one list of {PATCH_ROWS} rows; the patch beneath it reads row {below}. Nothing in the list says that they touch."
                    ),
                    (Lang::Zh, _) if below < PATCH_ROWS => format!(
                        "第 {row} 排第 {column} 列的图块读取这张 {PATCH_ROWS} 行的表的第 {pos} 行，它正下方的图块读取第 {below} 行。表中没有任何东西说明二者相邻。"
                    ),
                    (Lang::En, _) => format!(
                        "The patch in line {row}, column {column} reads row {pos} of one list of {PATCH_ROWS} rows, a row per patch and one for the class token."
                    ),
                    (Lang::Zh, _) => format!(
                        "第 {row} 排第 {column} 列的图块读取这张 {PATCH_ROWS} 行的表的第 {pos} 行：每个图块一行，分类词元一行。"
                    ),
                }
            }
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.5 * width).clamp(240.0, 330.0) * theme.scale, 14.0))
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, pen: &Pen, context: &DrawContext, _: &()) {
        match self.show {
            Show::Buckets => self.draw_buckets(pen, context),
            Show::Rows => self.draw_rows(pen, context),
            Show::Patches => self.draw_patches(pen, context),
        }
    }

    fn handles(&self, context: &DrawContext, _: &()) -> Vec<Handle> {
        let [first, second] = self.places(context);
        match self.show {
            Show::Buckets => vec![Handle::along_x(&self.chart(context), K)],
            Show::Rows => [first, second]
                .map(|table| Handle::rows(table, POSITIONS, POS))
                .into(),
            Show::Patches => {
                // The class token is row 0 of the table.
                let patch = Mapping::cell((SIDE, SIDE), [SIDE as i64, 1, 1]);
                vec![
                    Handle::area(first).sets(POS, patch),
                    Handle::rows(second, PATCH_ROWS, POS),
                    Handle::area(self.class_box(context)).sets(POS, Mapping::Constant(0)),
                ]
            }
        }
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        let fields = match self.show {
            Show::Buckets => [Some(K), None],
            Show::Rows => [None, Some(POS)],
            Show::Patches => [Some(POS), None],
        };
        let by = match key {
            "ArrowUp" => -(SIDE as i64),
            "ArrowDown" => SIDE as i64,
            _ => return crate::figure::arrows(fields, key, shift, values),
        };
        if self.show != Show::Patches {
            return crate::figure::arrows(fields, key, shift, values);
        }
        let to = self.pos as i64 + by;
        if (1..PATCH_ROWS as i64).contains(&to) {
            values.set_to(POS, to);
        }
        true
    }

    /// The numbers that texts quote.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        Some(match (name, arguments) {
            ("t5-buckets", []) => T5_BUCKETS as f64,
            ("patch-rows", &[side]) => side * side + 1.0,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(settings: &[(&str, &str)]) -> Bias {
        let mut values = Values::new(Bias::FIELDS);
        for (name, text) in settings {
            assert_eq!(values.set(name, text), None);
        }
        Bias::new(&values, Lang::En, None)
    }

    #[test]
    fn the_ends_of_a_bucket_are_those_of_the_reference_code() {
        assert_eq!(bucket_ends(-40, false), (-45, -32));
        assert_eq!(bucket_ends(100, false), (91, REACH));
        assert_eq!(bucket_ends(-40, true), (-45, -40));
        assert_eq!(bucket_ends(-3, true), (-3, -3));
        assert_eq!(bucket_ends(7, true).1, REACH);
        let caption = shown(&[]).caption();
        assert!(
            caption.contains("bucket 12, shared by the offsets −45 to −32"),
            "{caption}"
        );
    }

    #[test]
    fn beyond_the_learned_table_there_is_no_row() {
        assert!(
            shown(&[("show", "rows"), ("pos", "8")])
                .caption()
                .contains("nothing to read")
        );
        assert!(
            shown(&[("show", "rows"), ("pos", "7")])
                .caption()
                .contains("reads row 7")
        );
    }

    #[test]
    fn the_patch_beneath_is_a_line_of_the_image_further() {
        let mut values = Values::new(Bias::FIELDS);
        values.set("show", "patches");
        let step = |values: &mut Values, key| {
            let bias = Bias::new(values, Lang::En, None);
            assert!(bias.key(key, false, values));
            values.get(POS)
        };
        assert_eq!(step(&mut values, "ArrowDown"), 10);
        assert_eq!(step(&mut values, "ArrowLeft"), 9);
        assert_eq!(step(&mut values, "Home"), 0);
        assert_eq!(step(&mut values, "ArrowUp"), 0);
        assert_eq!(step(&mut values, "End"), 16);
        assert_eq!(step(&mut values, "ArrowDown"), 16);
    }
}
