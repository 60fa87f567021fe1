//! The relative shift of Transformer-XL's code, step by step: padding a column and reshaping twice
//! turn a matrix over offsets into one over keys.

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
use words::{CHANGES, KEY, OFFSET, QUERY, STEPS, TAPE};

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
    /// The first has the matrix before the current step, the second, beside it, the one after it.
    rooms: [Rect; 2],
    cell: f64,
}

const HEAD: f64 = 3.8;
/// Height of everything above and below a matrix, in multiples of the label size.
const ABOVE: f64 = 7.1 + HEAD;
const SIDE: f64 = 3.0;

impl Plan {
    /// `most` is the largest number of rows of a matrix, and of columns.
    fn new(width: f64, most: usize, theme: &Theme) -> Plan {
        let (size, most) = (theme.label_size(), most as f64);
        let tape = Rect::new(0.5 * size, 2.0 * size, width - size, 1.8 * size);
        let high = theme.fitted((ABOVE + 2.0 * most) * size, ABOVE + 1.5 * most);
        let room = 0.5 * width - (SIDE + 0.8) * size;
        let cell = (room / most).min((high - ABOVE * size) / most);
        let top = tape.bottom() + (2.7 + HEAD) * size;
        let place = |x: f64| Rect::new(x + SIDE * size, top, most * cell, most * cell);
        Plan {
            tape,
            rooms: [0.0, 0.5 * width].map(place),
            cell,
        }
    }
}

impl Shift {
    fn keys(&self) -> usize {
        QUERIES + self.memory
    }

    fn plan(&self, width: f64, theme: &Theme) -> Plan {
        Plan::new(width, self.keys() + 1, theme)
    }

    /// The rectangle of a matrix within its room.
    fn rect(&self, plan: &Plan, room: Rect, step: usize) -> Rect {
        let matrix = &self.matrices[step];
        room.with_size(
            matrix.dimensions as f64 * plan.cell,
            matrix.positions as f64 * plan.cell,
        )
    }

    /// The steps whose matrices are shown, and their rooms: that of the step with the one before it, and the last, at first as
    /// what is wanted, with the first.
    fn shown(&self, plan: &Plan) -> [(usize, Rect); 2] {
        let steps = match self.step {
            0 | LAST => [0, LAST],
            step => [step - 1, step],
        };
        [(steps[0], plan.rooms[0]), (steps[1], plan.rooms[1])]
    }

    /// Whether a matrix is the one that is wanted.
    fn is_wanted(&self, step: usize) -> bool {
        self.step == 0 && step == LAST
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
        if rect.width > 0.8 * size {
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
                let (entry, ahead) = (matrix.at(row, column), self.ahead(row, column));
                if self.is_wanted(step) && ahead {
                    continue;
                }
                let faded = self.is_wanted(step) || step == LAST && ahead;
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
        if !self.is_wanted(step) {
            let title = format!("{name}{comma}{title}");
            let room = context.frame.width / 2.0 - SIDE * size;
            pen.text(at, &title, bold.fitting(&title, room));
        }
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

    /// Draws an arrow from one matrix to the other above both, and on it what leads there.
    fn draw_change(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (query, offset) = self.followed;
        // Nothing is asked about an entry that has no place.
        if self.step == 0 && offset > query + self.memory {
            return;
        }
        let words = CHANGES[self.step].get(self.lang);
        let style = TextStyle::new(size, theme.accent).bold();
        let [from, to] = [plan.rooms[0].x, plan.rooms[1].right()];
        let (middle, y) = (0.5 * (from + to), plan.tape.bottom() + 1.5 * size);
        let half = 0.5 * style.width(words) + 0.6 * size;
        let (colour, width) = (theme.accent, theme.stroke());
        pen.line(&[(from, y), (middle - half, y)], colour, width);
        pen.arrow((middle + half, y), (to, y), colour, width);
        pen.text((middle, y), words, style);
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
        let buttons = (0..=LAST).map(|step| {
            let pressed = if step == self.step { "true" } else { "false" };
            html::button("step", step.to_string(), STEPS[step].get(self.lang))
                .attribute("aria-pressed", pressed)
        });
        Some(html::div("row", buttons.collect()))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "step" {
            values.set(STEP.name(), value);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let plan = self.plan(width, theme);
        Some(plan.rooms[0].bottom() + 0.8 * theme.label_size())
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        self.plan(context.frame.width, context.theme)
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
            let placed = matrix.values.iter().enumerate().map(|(at, entry)| {
                let ahead = self.ahead(at / shape.1, at % shape.1);
                entry.filter(|_| !(self.is_wanted(step) && ahead))
            });
            let placed: Vec<Entry> = placed.collect();
            handles.push(entries(self.rect(plan, room, step), shape, &placed));
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
