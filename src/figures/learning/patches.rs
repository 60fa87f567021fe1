//! Similarity of the encodings of image patches: a fixed 2-D encoding of rows and columns, a 1-D sinusoidal encoding of
//! the flattened patches, and a learned table that is interpolated when the grid size changes.

mod scene;
mod tables;

use crate::draw::colour_map::readable_on;
use crate::draw::grid::{cell_rect, cells, colour_key};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, noun};
use crate::text::{Lang, Text, labels};
use posenc_encoding::cosine_similarities;
use scene::scene;
use tables::{beside, learned, tables};

const WIDTH: usize = 64;
const SEED: u64 = 1;
/// Rows and columns of the grid on which the learned table is trained.
const TRAINED: usize = 7;

const TITLES: [Text; 4] = [
    Text::new("picture", "图像"),
    Text::new("flat 1-D", "一维排列"),
    Text::new("fixed 2-D", "固定二维"),
    Text::new("learned, simulated", "学得的（模拟）"),
];
/// The tables in the order of [`tables`].
const FIXED: usize = 0;
const FLAT: usize = 1;
const LEARNED: usize = 2;
/// The tables of the panels to the right of the picture.
const SHOWN: [usize; 3] = [FLAT, FIXED, LEARNED];
const CLASS: Text = Text::new("class token", "分类词元 [CLS]");

pub struct Patches {
    lang: Lang,
    side: usize,
    row: usize,
    column: usize,
    class: bool,
    /// Per table, the cosines of the selected row with every row: class token, then patches.
    likeness: [Vec<f64>; 3],
    /// Per table, the mean cosine of a patch and its right neighbour.
    beside: [f64; 3],
    /// The same for the learned table before interpolation.
    before: f64,
}

impl Patches {
    fn chosen(&self) -> usize {
        if self.class {
            0
        } else {
            1 + self.row * self.side + self.column
        }
    }

    /// The rectangle of the class token's cell, below a map.
    fn class_box(context: &DrawContext, map: Rect) -> Rect {
        let size = context.theme.label_size();
        map.down(map.bottom() + 0.6 * size, 1.6 * size)
    }

    fn mark(&self, pen: &Pen, context: &DrawContext, map: Rect) {
        let chosen = if self.class {
            Patches::class_box(context, map)
        } else {
            cell_rect(map, (self.side, self.side), self.row, self.column)
        };
        let (theme, width) = (context.theme, 1.2 * context.theme.stroke());
        if !self.class {
            let (_, row, _) = self.beyond();
            let beyond = cell_rect(map, (self.side, self.side), row, self.column);
            pen.outline(beyond, theme.there, 1.0, width);
        }
        pen.outline(chosen, theme.accent, 1.0, width);
    }

    /// The cosine of the chosen row with another; `None` if one of the two is zero, as the class token's is in the fixed
    /// table.
    fn cosine(&self, table: usize, row: usize) -> Option<f64> {
        let zero = table == FIXED && (self.class || row == 0);
        (!zero).then(|| self.likeness[table][row])
    }

    /// Draws the way in a flat list to the patch below, through the end of the row, or back to the one above.
    fn draw_steps(&self, pen: &Pen, theme: &Theme, map: Rect) {
        let (_, row, _) = self.beyond();
        let shape = (self.side, self.side);
        let [here, there] =
            [self.row, row].map(|row| cell_rect(map, shape, row, self.column).centre());
        let [end, start] = match row > self.row {
            true => [map.right(), map.x],
            false => [map.x, map.right()],
        };
        let width = 0.8 * theme.stroke();
        pen.line(&[here, (end, here.y).into()], theme.there, width);
        pen.arrow((start, there.y), there, theme.there, width);
    }

    /// The patch below the chosen one, above it in the last row: its row of a table, its row in the picture, and its name.
    fn beyond(&self) -> (usize, usize, Text) {
        let here = self.chosen();
        if self.row + 1 == self.side {
            return (
                here - self.side,
                self.row - 1,
                Text::new("patch above", "上方的图块"),
            );
        }
        let below = Text::new("patch below", "下方的图块");
        (here + self.side, self.row + 1, below)
    }
}

/// Height of the titles above and the class token below a panel, in label sizes.
const HEAD_AND_FOOT: f64 = 5.0;
/// Height of the key of the colours below all panels.
const KEY: f64 = 1.5;

/// The number of panels per row.
fn across(width: f64, theme: &Theme) -> usize {
    if width > 46.0 * theme.label_size() {
        4
    } else {
        2
    }
}

fields! {
    SIDE: i64 = Key::whole("side", "patches a side", "每边图块数", 7, |_| (2, 16));
    ROW: i64 = Key::whole("row", "row", "行", 2, |v| (0, v.get(SIDE) - 1)).without_control();
    COLUMN: i64 = Key::whole("column", "column", "列", 4, |v| (0, v.get(SIDE) - 1)).without_control();
    HAS_CLASS: bool = Key::toggle("class", "choose the class token", "选中分类词元", false);
}

impl Figure for Patches {
    const NAME: ViewName = ViewName::Patches;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = [Rect; 4];

    fn new(values: &Values, lang: Lang, _: Option<Patches>) -> Patches {
        let side = values.count(SIDE);
        let tables = tables(side);
        let mut patches = Patches {
            lang,
            side,
            row: values.count(ROW),
            column: values.count(COLUMN),
            class: values.get(HAS_CLASS),
            likeness: Default::default(),
            before: beside(&learned(), TRAINED),
            beside: tables.each_ref().map(|table| beside(table, side)),
        };
        let chosen = patches.chosen();
        patches.likeness = tables
            .each_ref()
            .map(|table| cosine_similarities(table, chosen));
        patches
    }

    fn caption(&self) -> String {
        let side = self.side;
        let value = |table: usize, row: usize| fixed(self.likeness[table][row], 2);
        if self.class {
            let (first, last) = (value(1, 1), value(1, side * side));
            return match self.lang {
                Lang::En => format!(
                    "The class token has no place in the picture. Fixed 2-D gives it a row of zeros, which has no cosine with any other; the flat list counts it as position 0, closer to the first patch ({first}) than to the last ({last}); a learned row is free, and stays as it is when the grid changes."
                ),
                Lang::Zh => format!(
                    "分类词元在图像里没有位置。固定二维编码给它一行零，与任何一行都没有余弦可言；一维排列把它当作位置 0，于是它更像第一个图块（{first}）而不像最后一个（{last}）；可学习位置表中的那一行不受约束，网格改变时也原样保留。"
                ),
            };
        }
        let mut text = match self.lang {
            Lang::En => format!("Patch in row {}, column {}. ", self.row, self.column),
            Lang::Zh => format!("第 {} 行第 {} 列的图块。", self.row, self.column),
        };
        let here = self.chosen();
        // One horizontal and one vertical neighbour, on whichever side there is one.
        let across = if self.column + 1 < side {
            here + 1
        } else {
            here - 1
        };
        let is_last = self.row + 1 == side;
        let (down, ..) = self.beyond();
        let [two, flat] = [0, 1].map(|table| [across, down].map(|row| value(table, row)));
        text += &match self.lang {
            Lang::En => {
                let (under, on) = match is_last {
                    true => ("above", "back"),
                    false => ("beneath", "on"),
                };
                format!(
                    "Its neighbours beside and {under} have cosines {} and {} by the fixed 2-D encoding, {} and {} by the flat one, where {under} is {side} positions {on}.",
                    two[0], two[1], flat[0], flat[1]
                )
            }
            Lang::Zh => format!(
                "它与左右、上下相邻图块的余弦：固定二维编码为 {} 和 {}，一维排列为 {} 和 {}，因为上下相邻在一维里相差 {side} 个位置。",
                two[0], two[1], flat[0], flat[1]
            ),
        };
        let learned = fixed(self.beside[2], 2);
        let before = fixed(self.before, 2);
        text += &match (self.lang, side == TRAINED) {
            (Lang::En, true) => {
                format!(" In the learned table neighbours in a row have {learned} on average.")
            }
            (Lang::Zh, true) => format!("可学习位置表里，同一行相邻图块平均为 {learned}。"),
            (Lang::En, false) => format!(
                " The learned table for {TRAINED} × {TRAINED} is interpolated to {side} × {side}: neighbours in a row had {before} on average and now have {learned}, while the fixed encoding gives them {} on any grid.",
                fixed(self.beside[0], 2)
            ),
            (Lang::Zh, false) => format!(
                "{TRAINED} × {TRAINED} 的可学习位置表被插值成 {side} × {side}：同一行相邻图块的余弦平均由 {before} 变为 {learned}，而固定编码在任何网格上都是 {}。",
                fixed(self.beside[0], 2)
            ),
        };
        text
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let (across, size) = (across(width, theme), theme.label_size());
        let panel = (width - 0.9 * size) / across as f64 + HEAD_AND_FOOT * size;
        Some(panel * (4 / across) as f64 + KEY * size)
    }

    /// The rectangles of the picture and of the three maps.
    fn layout(&self, context: &DrawContext) -> [Rect; 4] {
        let size = context.theme.label_size();
        let across = across(context.frame.width, context.theme);
        let gap = 0.9 * size;
        let width = (context.frame.width - gap) / across as f64;
        let height = width + HEAD_AND_FOOT * size;
        std::array::from_fn(|index| {
            Rect::new(
                gap + (index % across) as f64 * width,
                (index / across) as f64 * height + 2.9 * size,
                width - gap,
                width - gap,
            )
        })
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, maps: &[Rect; 4]) {
        let (theme, size, side) = (context.theme, context.theme.label_size(), self.side);
        for (index, &map) in maps.iter().enumerate() {
            let x = map.centre_x();
            let name = TITLES[index].get(self.lang);
            let style = TextStyle::new(size, theme.ink).bold();
            pen.text(
                (x, map.y - 2.1 * size),
                name,
                style.fitting(name, map.width),
            );
            let table = index.checked_sub(1).map(|panel| SHOWN[panel]);
            if !self.class {
                let (beyond, _, words) = self.beyond();
                let steps = if table == Some(FLAT) { side } else { 1 };
                let cosine = |table: usize| fixed(self.likeness[table][beyond], 2);
                let said = match (table, self.lang) {
                    (None, lang) => words.get(lang).to_string(),
                    (Some(LEARNED), _) => cosine(LEARNED),
                    (Some(table), Lang::En) => {
                        let name = noun(&steps.to_string(), "step", "steps");
                        format!("{steps} {name}: {}", cosine(table))
                    }
                    (Some(table), Lang::Zh) => format!("{steps} 步：{}", cosine(table)),
                };
                // The first three say it.
                let colour = if table == Some(LEARNED) {
                    theme.muted
                } else {
                    theme.there
                };
                let style = TextStyle::new(1.2 * size, colour).bold();
                pen.text(
                    (x, map.y - 0.8 * size),
                    &said,
                    style.fitting(&said, map.width),
                );
            }
            let class = Patches::class_box(context, map);
            let mut ink = theme.ink;
            match table {
                None => {
                    scene(pen, theme, map);
                    for line in 0..=side {
                        let share = line as f64 / side as f64;
                        let (x, y) = (map.x + share * map.width, map.y + share * map.height);
                        let hairline = theme.hairline();
                        pen.line(&map.vertical(x), theme.panel, hairline);
                        pen.line(&map.horizontal(y), theme.panel, hairline);
                    }
                }
                Some(FIXED) if self.class => {
                    pen.fill(map, theme.rule, 1.0);
                    let words = Text::new("no cosine", "没有余弦").get(self.lang);
                    pen.text(map.centre(), words, TextStyle::new(size, theme.ink));
                }
                Some(table) => {
                    let likeness = &self.likeness[table];
                    cells(pen, context, map, (side, side), 1.0, |row, column| {
                        likeness[1 + row * side + column]
                    });
                }
            }
            let mut name = CLASS.get(self.lang).to_string();
            match table.map(|table| self.cosine(table, 0)) {
                None => (),
                Some(None) => name += Text::new(": zeros", "：全零").get(self.lang),
                Some(Some(cosine)) => {
                    cells(pen, context, class, (1, 1), 1.0, |_, _| cosine);
                    ink = readable_on(context.colours.colour(cosine as f32));
                    name = format!("{name} {}", fixed(cosine, 2));
                }
            }
            pen.outline(map, theme.muted, 0.6, theme.hairline());
            pen.outline(class, theme.muted, 0.8, theme.hairline());
            let middle = (x, class.centre_y());
            pen.text(middle, &name, TextStyle::new(theme.reduced(0.9), ink));
            if table == Some(FLAT) && !self.class {
                self.draw_steps(pen, theme, map);
            }
            self.mark(pen, context, map);
        }
        let key = (maps[3].right(), context.frame.height - 0.8 * size);
        colour_key(pen, context, key, 1.0, labels::COSINE.get(self.lang));
    }

    fn handles(&self, context: &DrawContext, maps: &[Rect; 4]) -> Vec<Handle> {
        let shape = (self.side, self.side);
        let maps = maps.iter().flat_map(|&map| {
            let patch = Handle::area(map)
                .sets_toggle(HAS_CLASS, false)
                .sets(ROW, Mapping::row(shape))
                .sets(COLUMN, Mapping::column(shape));
            let class = Handle::area(Patches::class_box(context, map));
            [patch, class.sets_toggle(HAS_CLASS, true)]
        });
        maps.collect()
    }

    /// The arrow keys move from patch to patch, and from the last row down to the class token.
    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        if values.get(HAS_CLASS) {
            let up = key == "ArrowUp";
            if up {
                values.set_to(HAS_CLASS, false);
                values.set_to(ROW, self.side as i64 - 1);
            }
            return up;
        }
        if key == "ArrowDown" && self.row + 1 == self.side {
            values.set_to(HAS_CLASS, true);
            return true;
        }
        crate::figure::arrows([Some(COLUMN), Some(ROW)], key, shift, values)
    }

    fn more(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => {
                "Cosine of each patch’s vector to the chosen one’s, 64 dimensions. The learned table is simulated: random rows averaged with their neighbours, then interpolated linearly in both directions."
            }
            Lang::Zh => {
                "颜色为各图块的向量与所选图块的余弦相似度，64 维。可学习位置表是模拟的：随机行与邻居取平均，再沿两个方向线性插值。"
            }
        };
        Some(html::p(note).class("note"))
    }

    /// `beside(table, side)`: mean cosine of neighbours in a row; tables are numbered in the order of [`tables()`].
    /// `under(table, side)`: cosine of the first patch and the one beneath it.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let (&[table, side], "beside" | "under") = (arguments, name) else {
            return None;
        };
        let side = side as usize;
        let table = &tables(side)[table as usize];
        Some(match name {
            "beside" => beside(table, side),
            _ => tables::cosine(table, 1, 1 + side),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> (Patches, Values) {
        let values = Values::with(Patches::FIELDS, changes);
        (Patches::new(&values, Lang::En, None), values)
    }

    #[test]
    fn two_dimensions_are_alike_in_both_and_one_is_not() {
        for side in [3, 7, 14] {
            let (figure, _) = shown(&format!("side={side} row=1 column=1"));
            let (here, [two, flat, _]) = (figure.chosen(), &figure.likeness);
            assert!((two[here + 1] - two[here + side]).abs() < 1e-12);
            // Σ cos(ω·1) against Σ cos(ω·side), over the 32 pairs.
            assert!(flat[here + 1] > flat[here + side] + 0.05);
            // The end of a row and the start of the next are adjacent in the 1-D order but not in the picture.
            let (figure, _) = shown(&format!("side={side} row=0 column={}", side - 1));
            let [two, flat, _] = &figure.likeness;
            let next = figure.chosen() + 1;
            assert!(flat[next] > 0.9 && flat[next] > two[next]);
        }
    }

    #[test]
    fn a_finer_grid_makes_interpolated_neighbours_alike_and_leaves_fixed_ones() {
        let at = |table: f64, side: f64| Patches::lesson_number("beside", &[table, side]).unwrap();
        assert!((at(0.0, 7.0) - at(0.0, 14.0)).abs() < 1e-12);
        assert!(at(2.0, 14.0) > at(2.0, 7.0) + 0.1);
        assert!(at(2.0, 3.0) < at(2.0, 7.0) - 0.1);
    }

    #[test]
    fn the_class_token_stands_apart() {
        let (figure, _) = shown("class=on side=12");
        assert!(figure.likeness[0].iter().all(|&cosine| cosine == 0.0));
        assert!(figure.likeness[1][1] > figure.likeness[1][144]);
        assert_eq!(tables(12)[2].row(0), learned().row(0));
    }

    #[test]
    fn neighbours_are_as_alike_wherever_the_patch_is() {
        // In both encodings the cosine depends on the offset alone.
        let caption = |row: usize, column: usize| {
            let settings = format!("side=7 row={row} column={column}");
            let caption = shown(&settings).0.caption();
            caption.split_once("Its ").unwrap().1.to_string()
        };
        let inside = caption(3, 3);
        assert!(inside.starts_with("neighbours beside and beneath"));
        assert!(inside.contains("beneath is 7 positions on"));
        for column in [0, 1, 5, 6] {
            assert_eq!(caption(3, column), inside);
            let last = inside
                .replace("beneath", "above")
                .replace("on. In", "back. In");
            assert_eq!(caption(6, column), last);
        }
    }

    #[test]
    fn every_patch_is_reached_by_keys() {
        let (figure, mut values) = shown("side=4 row=3 column=0");
        assert!(figure.key("ArrowDown", false, &mut values) && values.get(HAS_CLASS));
        let figure = Patches::new(&values, Lang::En, None);
        assert!(figure.key("ArrowUp", false, &mut values) && !values.get(HAS_CLASS));
        figure.key("ArrowRight", false, &mut values);
        assert_eq!((values.get(ROW), values.get(COLUMN)), (3, 1));
    }
}
