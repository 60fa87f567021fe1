//! The relative shift of Transformer-XL's code, step by step: padding a column and reshaping twice
//! turn a matrix over offsets into one over keys.

mod picture;
mod words;

use crate::draw::colour_map::readable_on;
use crate::draw::grid::cell_rect;
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::text::Lang;
use crate::text::markup::{Node, html};
use crate::text::number::whole;
use plotters::style::RGBColor;
use posenc_encoding::{Matrix, RelativeShift};
use words::{KEY, OFFSET, QUERY, STEPS, TAPE};

const QUERIES: usize = 4;
const MEMORY: usize = 3;
/// The last step, after which every entry is in the column of its key.
const LAST: usize = 4;

/// The query and the offset of an entry; `None` for a zero of the padding.
type Entry = Option<(usize, usize)>;

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
    /// `rows` is the largest number of rows of a matrix, and of columns; the matrix above another has `above` rows.
    fn new(width: f64, [rows, above]: [usize; 2], theme: &Theme) -> Plan {
        let size = theme.label_size();
        let is_beside = width > 46.0 * size;
        let most = rows as f64;
        let tape = Rect::new(0.5 * size, 2.0 * size, width - size, 1.8 * size);
        let (room, high, count) = match is_beside {
            true => (0.5 * width - 2.0 * size, 2.7 * most, 1.0),
            false => (width - 2.0 * size, 2.3 * most, 2.0),
        };
        let around = ABOVE + (count - 1.0) * (HEAD + GAP);
        let least = around + count * 1.5 * most;
        let high = theme.fitted((around + count * high) * size, least) - around * size;
        let cell = ((room - SIDE * size) / (most + 1.5)).min(high / (count * most));
        // Matrices one below the other leave room for the words beside the arrow.
        let cell = match is_beside {
            true => cell,
            false => cell.min((width - (SIDE + 8.2) * size) / most),
        };
        let place = |x: f64, y: f64| Rect::new(x + SIDE * size, y, most * cell, most * cell);
        let top = tape.bottom() + (1.4 + HEAD) * size;
        let below = top + above as f64 * cell + (HEAD + GAP) * size;
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

    /// The plan with this matrix above the one after it.
    fn plan(&self, width: f64, before: usize, theme: &Theme) -> Plan {
        let above = self.matrices[before].positions;
        Plan::new(width, [self.keys() + 1, above], theme)
    }

    /// The rectangle of a matrix within its room.
    fn rect(&self, plan: &Plan, room: Rect, step: usize) -> Rect {
        let matrix = &self.matrices[step];
        room.with_size(
            matrix.dimensions as f64 * plan.cell,
            matrix.positions as f64 * plan.cell,
        )
    }

    /// The matrix that is shown beside that of the step: the one before it and, with the last, the first.
    fn before(&self) -> usize {
        match self.step {
            LAST => 0,
            step => step.saturating_sub(1),
        }
    }

    /// The steps whose matrices are shown, and their rooms; at first, the other room has the keys alone.
    fn shown(&self, plan: &Plan) -> Vec<(usize, Rect)> {
        let both = [(self.before(), plan.rooms[0]), (self.step, plan.rooms[1])];
        both[..if self.step == 0 { 1 } else { 2 }].to_vec()
    }

    /// Whether an entry of the last step is in the column of a key that is ahead of its query.
    fn ahead(&self, row: usize, column: usize) -> bool {
        column > row + self.memory
    }

    /// Each offset has a shade, the nearest the darkest: columns before the shift, diagonals after it.
    fn colour(&self, context: &DrawContext, offset: usize) -> [u8; 3] {
        let share = offset as f32 / (self.keys() - 1) as f32;
        context.colours.colour(0.9 - 0.8 * share)
    }

    fn draw_cell(&self, pen: &Pen, context: &DrawContext, rect: Rect, entry: Entry, faded: bool) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (name, ink) = match entry {
            None => ("0".to_string(), theme.muted),
            Some((_, offset)) => {
                let [r, g, b] = self.colour(context, offset);
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
        if step == 0 || step == LAST {
            self.draw_headings(pen, context, rect, step);
        }
    }

    /// Numbers the columns and rows of the first or the last matrix.
    fn draw_headings(&self, pen: &Pen, context: &DrawContext, rect: Rect, step: usize) {
        let size = context.theme.label_size();
        let style = TextStyle::new(size, context.theme.muted);
        let shape = (QUERIES, self.keys());
        for column in 0..shape.1 {
            let number = match step {
                0 => (shape.1 - 1 - column) as i64,
                _ => column as i64 - self.memory as i64,
            };
            let cell = cell_rect(rect, shape, 0, column);
            let at = (cell.centre_x(), rect.y - 0.7 * size);
            pen.text(at, &whole(number), style);
        }
        let at = (rect.x, rect.y - 2.0 * size);
        let across = if step == 0 { OFFSET } else { KEY };
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
            let [from, to] = place.horizontal(y);
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
        self.describe()
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
        // The highest are those of the reshaped matrix and, where one is below the other, of the sliced one below it.
        let plan = self.plan(width, 2, theme);
        let rows = self.keys() + usize::from(plan.is_beside);
        Some(plan.rooms[1].y + rows as f64 * plan.cell + 0.8 * theme.label_size())
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        self.plan(context.frame.width, self.before(), context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_tape(pen, context, plan.tape);
        for (step, room) in self.shown(plan) {
            self.draw_matrix(pen, context, plan, room, step);
        }
        if self.step == 0 {
            self.draw_wanted(pen, context, plan);
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
        if self.step == 0 {
            // In the place that an entry will have, it is chosen as well.
            let shape = (QUERIES, self.keys());
            let places = self.matrices[LAST].values.iter().enumerate();
            let places = places.map(|(at, entry)| {
                let is_ahead = self.ahead(at / shape.1, at % shape.1);
                entry.filter(|_| !is_ahead)
            });
            let places: Vec<Entry> = places.collect();
            handles.push(entries(
                self.rect(plan, plan.rooms[1], LAST),
                shape,
                &places,
            ));
        }
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
