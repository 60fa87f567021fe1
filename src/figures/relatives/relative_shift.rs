//! The relative shift of Transformer-XL's code, step by step: padding a column and reshaping twice
//! turn a matrix over offsets into one over keys.

use crate::draw::colour_map::readable_on;
use crate::draw::grid::cell_rect;
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::text::markup::{Node, html};
use crate::text::number::whole;
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use posenc_encoding::{Matrix, RelativeShift};

const QUERIES: usize = 4;
const MEMORY: usize = 3;
/// The last step, after which every entry is in the column of its key.
const LAST: usize = 4;

/// The query and the offset of an entry; `None` for a zero of the padding.
type Entry = Option<(usize, usize)>;

const STEPS: [Text; LAST + 1] = [
    Text::new("Computed", "计算"),
    Text::new("Pad", "补零"),
    Text::new("Reshape", "reshape"),
    Text::new("Slice", "去首行"),
    Text::new("Reshape back", "再 reshape"),
];
/// What leads from each matrix to the next; the last is what leads from the first to the last.
const CHANGES: [Text; LAST + 1] = [
    Text::new("a zero before each row", "每行前补一个零"),
    Text::new("same numbers, shorter rows", "数不变，每行变短"),
    Text::new("first row left out", "去掉第一行"),
    Text::new("same numbers, longer rows", "数不变，每行变长"),
    Text::new("each row shifts left", "每行左移"),
];
const TAPE: Text = Text::new("in memory, one row after the other", "内存中逐行存放");
const OFFSET: Text = Text::new("offset m − n", "偏移量 m − n");
const KEY: Text = Text::new("key n", "键 n");
const QUERY: Text = Text::new("query m", "查询 m");

pub struct Shift {
    lang: Lang,
    memory: usize,
    step: usize,
    /// The entry that is highlighted in every step, by query and offset.
    followed: (usize, usize),
    matrices: [Matrix<Entry>; LAST + 1],
}

pub struct Plan {
    tape: Rect,
    /// The first has the matrix before the current step, the second, beside or below it, the one after it.
    rooms: [Rect; 2],
    cell: f64,
    is_beside: bool,
}

const HEAD: f64 = 3.8;
/// Height of everything above and below a matrix, in multiples of the label size.
const ABOVE: f64 = 6.0 + HEAD;
const SIDE: f64 = 3.6;
/// Height of the gap between two matrices, one below the other.
const GAP: f64 = 1.2;

impl Plan {
    /// `rows` is the largest number of rows of a matrix.
    fn new(width: f64, rows: usize, theme: &Theme) -> Plan {
        let size = theme.label_size();
        let is_beside = width > 46.0 * size;
        let most = (QUERIES + MEMORY + 1) as f64;
        let tape = Rect::new(0.5 * size, 2.0 * size, width - size, 1.8 * size);
        let (room, high, count) = match is_beside {
            true => (0.5 * width - 2.0 * size, 2.7 * most, 1.0),
            false => (width - 2.0 * size, 1.7 * most, 2.0),
        };
        let around = ABOVE + (count - 1.0) * (HEAD + GAP);
        let least = around + count * 1.5 * most;
        let high = theme.fitted((around + count * high) * size, least) - around * size;
        let cell = ((room - SIDE * size) / most).min(high / (count * most));
        let place = |x: f64, y: f64| Rect::new(x + SIDE * size, y, most * cell, most * cell);
        let top = tape.bottom() + (1.4 + HEAD) * size;
        let below = top + rows as f64 * cell + (HEAD + GAP) * size;
        let rooms = match is_beside {
            true => [place(0.0, top), place(0.5 * width + size, top)],
            false => [place(0.0, top), place(0.0, below)],
        };
        Plan {
            tape,
            rooms,
            cell,
            is_beside,
        }
    }
}

impl Shift {
    fn keys(&self) -> usize {
        QUERIES + self.memory
    }

    /// The rectangle of a matrix within its room.
    fn rect(&self, plan: &Plan, room: Rect, step: usize) -> Rect {
        let matrix = &self.matrices[step];
        room.with_size(
            matrix.dimensions as f64 * plan.cell,
            matrix.positions as f64 * plan.cell,
        )
    }

    /// The steps whose matrices are shown, and their rooms: the current one after the one before or, at the beginning,
    /// before the last one, which is what the others lead to.
    fn shown(&self, plan: &Plan) -> [(usize, Rect); 2] {
        let [before, after] = plan.rooms;
        match self.step {
            0 => [(0, before), (LAST, after)],
            step => [(step - 1, before), (step, after)],
        }
    }

    /// Draws the arrow between the two matrices, with what it does beside it.
    fn draw_change(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let [(step, before), (_, after)] = self.shown(plan);
        let change = if self.step == 0 { LAST } else { step };
        let words = CHANGES[change].get(self.lang);
        let style = TextStyle::new(size, theme.accent).bold();
        let before = self.rect(plan, before, step);
        let (from, to, at, style) = if plan.is_beside {
            let y = before.y + 2.0 * plan.cell;
            let (from, to) = (before.right() + 0.6 * size, after.x - 2.9 * size);
            let style = style.fitting(words, to - from + size);
            let at = (0.5 * (from + to), y - 0.9 * size);
            ((from, y), (to, y), at, style)
        } else {
            // Beside the title of the second matrix.
            let x = before.x + (before.width + 2.0 * size).max(13.0 * size);
            let (from, to) = (before.centre_y(), after.y + 0.5 * plan.cell);
            let at = (x + 0.6 * size, 0.5 * (from + to));
            let style = style.align_left();
            let style = style.fitting(words, context.frame.width - at.0);
            ((x, from), (x, to), at, style)
        };
        pen.arrow(from, to, theme.accent, theme.stroke());
        pen.text(at, words, style);
    }

    /// Whether an entry of the last step is in the column of a key that is ahead of its query.
    fn ahead(&self, row: usize, column: usize) -> bool {
        column > row + self.memory
    }

    fn colour(context: &DrawContext, query: usize) -> [u8; 3] {
        let share = (query as f32 + 0.5) / QUERIES as f32;
        context.colours.colour(1.5 * share - 0.75)
    }

    fn draw_cell(&self, pen: &Pen, context: &DrawContext, rect: Rect, entry: Entry, faded: bool) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (name, ink) = match entry {
            None => ("0".to_string(), theme.muted),
            Some((query, offset)) => {
                let [r, g, b] = Shift::colour(context, query);
                let opacity = if faded { 0.25 } else { 1.0 };
                pen.fill(rect, RGBColor(r, g, b), opacity);
                let ink = if faded {
                    theme.muted
                } else {
                    readable_on([r, g, b])
                };
                (offset.to_string(), ink)
            }
        };
        pen.outline(rect, theme.muted, 0.5, theme.hairline());
        if rect.width > 1.2 * size {
            let middle = rect.centre();
            pen.text(middle, &name, TextStyle::new(size, ink));
        }
    }

    fn draw_matrix(&self, pen: &Pen, context: &DrawContext, plan: &Plan, room: Rect, step: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (matrix, rect) = (&self.matrices[step], self.rect(plan, room, step));
        let shape = (matrix.positions, matrix.dimensions);
        let mut followed = None;
        for row in 0..shape.0 {
            for column in 0..shape.1 {
                let place = cell_rect(rect, shape, row, column);
                let entry = matrix.at(row, column);
                let faded = step == LAST && self.ahead(row, column);
                self.draw_cell(pen, context, place, entry, faded);
                if entry == Some(self.followed) {
                    followed = Some(place);
                }
            }
        }
        if let Some(place) = followed {
            pen.outline(place, theme.accent, 1.0, 1.2 * theme.stroke());
        }
        let style = TextStyle::new(size, theme.muted);
        let title = format!("{} × {}", shape.0, shape.1);
        let name = STEPS[step].get(self.lang);
        let at = (rect.x, rect.y - 3.4 * size);
        let bold = TextStyle::new(size, theme.ink).align_left().bold();
        let comma = match self.lang {
            Lang::En => ", ",
            Lang::Zh => "，",
        };
        pen.text(at, &format!("{name}{comma}{title}"), bold);
        // Rows and columns have a meaning only in the first and the last step.
        let across = match step {
            0 => OFFSET,
            LAST => KEY,
            _ => return,
        };
        for column in 0..shape.1 {
            let number = if step == 0 {
                (shape.1 - 1 - column) as i64
            } else {
                column as i64 - self.memory as i64
            };
            let cell = cell_rect(rect, shape, 0, column);
            let at = (cell.centre_x(), rect.y - 0.7 * size);
            pen.text(at, &whole(number), style);
        }
        let at = (rect.x, rect.y - 2.0 * size);
        pen.text(at, across.get(self.lang), style.align_left());
        for row in 0..shape.0 {
            let cell = cell_rect(rect, shape, row, 0);
            let at = (rect.x - 0.5 * size, cell.centre_y());
            pen.text(at, &row.to_string(), style.align_right());
        }
        let at = (rect.x - 2.1 * size, rect.centre_y());
        pen.text(at, QUERY.get(self.lang), style.rotated());
    }

    /// The number of cells of the tape before the first entry, and the number of all its cells.
    fn tape_room(&self) -> (usize, usize) {
        let cut = if self.step >= 3 { QUERIES } else { 0 };
        (cut, QUERIES * (self.keys() + 1))
    }

    fn draw_tape(&self, pen: &Pen, context: &DrawContext, tape: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let matrix = &self.matrices[self.step];
        let (cut, room) = self.tape_room();
        let title = (tape.x, tape.y - 0.9 * size);
        let style = TextStyle::new(size, theme.muted).align_left();
        pen.text(title, TAPE.get(self.lang), style);
        for cell in 0..cut {
            let place = cell_rect(tape, (1, room), 0, cell);
            let y = tape.centre_y();
            let (from, to) = ((place.x, y), (place.right(), y));
            pen.dashes(from, to, theme.muted, theme.hairline());
        }
        for (index, &entry) in matrix.values.iter().enumerate() {
            let place = cell_rect(tape, (1, room), 0, cut + index);
            self.draw_cell(pen, context, place, entry, false);
        }
        for row in 0..=matrix.positions {
            let x = tape.x + (cut + row * matrix.dimensions) as f64 * tape.width / room as f64;
            let over = 0.4 * size;
            let ends = [(x, tape.y - over), (x, tape.bottom() + over)];
            pen.line(&ends, theme.ink, theme.stroke());
        }
        let followed = Some(self.followed);
        if let Some(index) = matrix.values.iter().position(|&entry| entry == followed) {
            let place = cell_rect(tape, (1, room), 0, cut + index);
            pen.outline(place, theme.accent, 1.0, 1.2 * theme.stroke());
        }
    }
}

fields! {
    MEMORY_LENGTH: i64 = Key::whole("memory", "Memory length", "记忆段长度", 1, |_| (0, MEMORY as i64));
    STEP: i64 = Key::whole("step", "step", "步骤", 0, |_| (0, LAST as i64)).without_control();
    SELECTED_QUERY: i64 = Key::whole("query", "query", "查询", 1, |_| (0, QUERIES as i64 - 1)).without_control();
    SELECTED_OFFSET: i64 = Key::whole("offset", "offset", "偏移量", 2, |v| {
        (0, QUERIES as i64 + v.get(MEMORY_LENGTH) - 1)
    })
    .without_control();
}

impl Figure for Shift {
    const NAME: ViewName = ViewName::RelativeShift;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(SELECTED_OFFSET), Some(SELECTED_QUERY)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<Shift>) -> Shift {
        let memory = values.count(MEMORY_LENGTH);
        let keys = QUERIES + memory;
        let mut computed: Matrix<Entry> = Matrix::zeros(QUERIES, keys);
        for query in 0..QUERIES {
            for column in 0..keys {
                *computed.at_mut(query, column) = Some((query, keys - 1 - column));
            }
        }
        let steps = RelativeShift::new(&computed);
        Shift {
            lang,
            memory,
            step: values.count(STEP).min(LAST),
            followed: (values.count(SELECTED_QUERY), values.count(SELECTED_OFFSET)),
            matrices: [
                computed,
                steps.padded,
                steps.reshaped,
                steps.sliced,
                steps.shifted,
            ],
        }
    }

    fn caption(&self) -> String {
        let (keys, (query, offset)) = (self.keys(), self.followed);
        let (rows, long) = (keys + 1, QUERIES * (keys + 1));
        let last = keys - 1;
        let key = query as i64 - offset as i64;
        let exists = key >= -(self.memory as i64);
        let n = whole(key);
        let left = QUERIES - 1 - query;
        match (self.lang, self.step) {
            (Lang::En, 0) => format!(
                "Row m is query m against every offset, {last} at the left to 0 at the right: one product of matrices. Query {query} at offset {offset} belongs to key {query} − {offset} = {n}, but stands in column {}.",
                last - offset
            ),
            (Lang::Zh, 0) => format!(
                "第 m 行是查询 m 与每个偏移量的乘积，左端偏移量为 {last}，右端为 0：一次矩阵乘法即可算出。查询 {query}、偏移量 {offset} 对应的键是 {query} − {offset} = {n}，此时却在第 {} 列。",
                last - offset
            ),
            (Lang::En, 1) => {
                format!(
                    "A column of zeros, uncoloured, is put before the first: rows of {rows} instead of {keys}."
                )
            }
            (Lang::Zh, 1) => {
                format!("在第一列之前补一列零（不着色）：每行由 {keys} 个变为 {rows} 个。")
            }
            (Lang::En, 2) => format!(
                "The same {long} numbers in the same order, cut into rows of {QUERIES}. In memory, nothing has moved: only the cuts between rows have."
            ),
            (Lang::Zh, 2) => format!(
                "还是那 {long} 个数，顺序不变，改为每行 {QUERIES} 个。内存里没有任何数移动，变的只是分行的位置。"
            ),
            (Lang::En, 3) => format!("The first row is left out, {QUERIES} numbers."),
            (Lang::Zh, 3) => format!("去掉第一行的 {QUERIES} 个数。"),
            (Lang::En, _) if exists => format!(
                "Cut into rows of {keys} again, row {query} has moved to the left by {left}: offset {offset} now stands under key {n} = {query} − {offset}. What is faded is left over from other rows; those keys are ahead of the query and are masked."
            ),
            (Lang::Zh, _) if exists => format!(
                "重新按每行 {keys} 个切分，第 {query} 行左移了 {left} 格：偏移量 {offset} 正好落在键 {n} = {query} − {offset} 之下。变淡的是别的行剩下的数，那些键在查询之后，会被掩码遮住。"
            ),
            (Lang::En, _) => format!(
                "Query {query} has no key at offset {offset}: {n} lies before the memory. Its entry was cut off, or is among the faded ones of the row above, which are masked."
            ),
            (Lang::Zh, _) => format!(
                "查询 {query} 在偏移量 {offset} 处没有键：{n} 在记忆段之前。这个数要么已被切掉，要么落在上一行变淡的部分，会被掩码遮住。"
            ),
        }
    }

    fn actions(&self) -> Option<Node> {
        let button = |step: usize, words: &str, off: bool| {
            html::button("step", step.to_string(), words).flag("disabled", off)
        };
        let [back, on] = match self.lang {
            Lang::En => ["Back", "Next"],
            Lang::Zh => ["上一步", "下一步"],
        };
        let mut row = vec![
            button(self.step.saturating_sub(1), back, self.step == 0),
            button((self.step + 1).min(LAST), on, self.step == LAST),
        ];
        row.extend((0..=LAST).map(|step| {
            let pressed = if step == self.step { "true" } else { "false" };
            button(step, STEPS[step].get(self.lang), false).attribute("aria-pressed", pressed)
        }));
        Some(html::div("row", row))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "step" {
            values.set(STEP.name(), value);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        let rows = self.keys() + 1;
        let plan = Plan::new(width, rows, theme);
        Some(plan.rooms[1].y + rows as f64 * plan.cell + 0.8 * size)
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context.frame.width, self.keys() + 1, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_tape(pen, context, plan.tape);
        for (step, room) in self.shown(plan) {
            self.draw_matrix(pen, context, plan, room, step);
        }
        self.draw_change(pen, context, plan);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let entries = |place: Rect, shape: (usize, usize), entries: &[Entry]| {
            let listed = |number: fn((usize, usize)) -> usize| {
                let numbers = entries.iter().map(|entry| Some(number((*entry)?) as i64));
                let numbers = numbers.collect();
                Mapping::Lookup { shape, numbers }
            };
            Handle::area(place)
                .sets(SELECTED_QUERY, listed(|(query, _)| query))
                .sets(SELECTED_OFFSET, listed(|(_, offset)| offset))
        };
        let (cut, room) = self.tape_room();
        let on_tape = &self.matrices[self.step].values;
        let cells = plan.tape.width / room as f64;
        let tape = plan.tape.across(
            plan.tape.x + cut as f64 * cells,
            on_tape.len() as f64 * cells,
        );
        let mut handles = vec![entries(tape, (1, on_tape.len()), on_tape)];
        for (step, room) in self.shown(plan) {
            let matrix = &self.matrices[step];
            let shape = (matrix.positions, matrix.dimensions);
            handles.push(entries(self.rect(plan, room, step), shape, &matrix.values));
        }
        handles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Shift {
        let values = Values::with(Shift::FIELDS, changes);
        Shift::new(&values, Lang::En, None)
    }

    #[test]
    fn in_the_end_every_offset_stands_under_its_key() {
        for memory in 0..=MEMORY {
            let it = shown(&format!("memory={memory}"));
            let shifted = &it.matrices[LAST];
            for row in 0..QUERIES {
                for column in 0..it.keys() {
                    let key = column as i64 - memory as i64;
                    let expected = (row as i64 >= key).then(|| (row, (row as i64 - key) as usize));
                    let ahead = it.ahead(row, column);
                    assert_eq!(ahead, expected.is_none());
                    assert!(ahead || shifted.at(row, column) == expected);
                }
            }
        }
    }

    #[test]
    fn between_padding_and_slicing_nothing_moves_in_memory() {
        let it = shown("memory=3");
        assert_eq!(it.matrices[1].values, it.matrices[2].values);
        assert_eq!(it.matrices[2].values[QUERIES..], it.matrices[3].values);
        assert_eq!(it.matrices[3].values, it.matrices[LAST].values);
        let entries = it.matrices[1].values.iter().flatten();
        assert!(entries.eq(it.matrices[0].values.iter().flatten()));
    }

    #[test]
    fn an_offset_without_a_key_is_said_to_have_none() {
        let caption = shown("memory=0 step=4 query=0 offset=3").caption();
        assert!(caption.contains("no key at offset 3"), "{caption}");
        let caption = shown("memory=1 step=4 query=1 offset=2").caption();
        assert!(caption.contains("under key −1 = 1 − 2"), "{caption}");
    }
}
