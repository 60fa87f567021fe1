//! The difference of the table from the nearest correct one; under "More" three more panels: the table, the similarity of
//! its rows, and the errors of the best-fit M_k.

use super::compute::{Map, REACH, Study};
use super::phases::Phases;
use super::words::{
    ALIKE, COLUMN, CORRECT, DIFFERENCE, DIMENSION, ERROR, FIRST_WRONG, FITTED, MEASURED, NO_FIT,
    OF_WAVES, OFFSET, ONLY_ODD, PHASES, POSITION, POSITION_M, POSITION_N, ROW, SHORT, SHORT_NAMES,
    SHORT_OF_WAVES, THIS, VALUES, WAIT,
};
use super::{Inspect, Panels, Shown};
use crate::draw::chart::Chart;
use crate::draw::grid::{cell_rect, cells, colour_bar, grid_axes, grid_in};
use crate::draw::{
    Circle, DrawContext, Image, Part, Pen, PhaseMap, Point, Rect, Scale, TextStyle, Theme,
};
use crate::text::number::fixed;
use crate::text::{Text, labels};
use posenc_encoding::colour_angles;
use posenc_inspect::{Code, Report};

/// Width, in label sizes, below which all panels are in one column.
const NARROW: f64 = 42.0;
/// Height of a panel and of its title, in label sizes.
const PANEL: f64 = 12.0;
/// Height of the map of differences.
const LEAD: f64 = 17.0;
/// Its height without the other panels.
const ALONE: f64 = 20.0;
const TITLE: f64 = 2.0;
/// Maximum number of rows and columns in the map of similarities; from more rows, it shows an even sample.
const MAX_ROWS: usize = 256;
/// Width of a colour bar with its numbers, in label sizes.
const BAR: f64 = 4.4;
/// Upper end of the error axis; larger errors are drawn there. The error of noise is 1.
const MAX_ERROR: f64 = 1.2;

/// The rectangles of the panels; those that are not shown are empty.
pub struct Plan {
    pub panels: [Rect; 4],
}

/// The panel of the differences.
const DIFFERENCES: usize = 1;

impl Plan {
    pub(super) fn height(panels: Panels, width: f64, theme: &Theme) -> f64 {
        let size = theme.label_size();
        if panels == Panels::Difference {
            return theme.fitted((ALONE + TITLE) * size, 14.0);
        }
        match width < NARROW * size {
            true => (LEAD + 3.0 * PANEL + 4.0 * TITLE) * size,
            false => theme.fitted((LEAD + PANEL + 2.0 * TITLE) * size, 14.0),
        }
    }

    /// The differences come first and have more room than the others.
    pub(super) fn new(panels: Panels, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let share = (LEAD + TITLE) / (LEAD + PANEL + 2.0 * TITLE);
        let none = all.with_size(0.0, 0.0);
        let panels = if panels == Panels::Difference {
            [none, all, none, none]
        } else if all.width < NARROW * size {
            let (differences, rest) = all.split_top((LEAD + TITLE) * size);
            let (table, rest) = rest.split_top((PANEL + TITLE) * size);
            let (alike, errors) = rest.split_top((PANEL + TITLE) * size);
            [table, differences, alike, errors]
        } else if context.is_low() {
            let (differences, rest) = all.split_left(0.31 * all.width);
            let (table, rest) = rest.split_left(rest.width / 3.0);
            let (alike, errors) = rest.split_left(0.5 * rest.width);
            [table, differences, alike, errors]
        } else {
            let (above, below) = all.split_top(share * all.height);
            let (differences, table) = above.split_left(0.62 * all.width);
            let (errors, alike) = below.split_left(0.62 * all.width);
            [table, differences, alike, errors]
        };
        Plan { panels }
    }

    /// The part of a panel below its title.
    pub(super) fn room(&self, panel: usize, context: &DrawContext) -> Rect {
        self.panels[panel]
            .split_top(TITLE * context.theme.label_size())
            .1
    }

    pub fn chart(&self, context: &DrawContext) -> Chart {
        let (x, y) = (
            Scale::linear(0.0, REACH as f64),
            Scale::linear(0.0, MAX_ERROR),
        );
        Chart::new(context, self.room(3, context), x, y)
    }
}

impl Inspect {
    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let Shown::Study { study, .. } = &self.shown else {
            self.draw_titles(pen, context, plan, VALUES);
            return self.draw_waiting(pen, context, plan, 0);
        };
        let phases = study.phases().filter(|_| self.by_phase);
        let table = match phases {
            Some(Some(_)) => PHASES,
            _ => VALUES,
        };
        self.draw_titles(pen, context, plan, table);
        let [values, differences] = study.maps();
        let is_alone = self.panels == Panels::Difference;
        if !values || self.by_phase && phases.is_none() {
            return self.draw_waiting(pen, context, plan, 0);
        }
        let room = plan.room(0, context);
        match phases.flatten() {
            _ if is_alone => {}
            Some(phases) => self.draw_phases(pen, context, room, phases),
            None => self.draw_map(pen, context, room, study, (&study.values, MEASURED[0])),
        }
        if !differences {
            return self.draw_waiting(pen, context, plan, DIFFERENCES);
        }
        let room = plan.room(DIFFERENCES, context);
        let map = (&study.differences, MEASURED[1]);
        self.draw_map(pen, context, room, study, map);
        self.draw_wrong(pen, context, self.map_place(context, room), study);
        // Before the report, the place of the mistake is the question.
        if self.reports {
            self.draw_first_wrong(pen, context, self.map_place(context, room), study);
        }
        if is_alone {
            return;
        }
        if self.panels == Panels::Waves {
            return self.draw_waves(pen, context, plan, study);
        }
        if study.near.is_none() {
            return self.draw_waiting(pen, context, plan, 2);
        }
        self.draw_alike(pen, context, plan.room(2, context), study);
        self.draw_errors(pen, context, plan, study);
    }

    fn draw_titles(&self, pen: &Pen, context: &DrawContext, plan: &Plan, table: Text) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let [difference, alike, fitted] = match theme.max_height.is_finite() {
            true => SHORT,
            false if self.reports && self.differs_in_odd_columns() => [ONLY_ODD, ALIKE, FITTED],
            false => [DIFFERENCE, ALIKE, FITTED],
        };
        let [alike, fitted] = match (self.panels == Panels::Waves, theme.max_height.is_finite()) {
            (true, true) => SHORT_OF_WAVES,
            (true, false) => OF_WAVES,
            (false, _) => [alike, fitted],
        };
        for (at, title) in [table, difference, alike, fitted].into_iter().enumerate() {
            let panel = plan.panels[at];
            if panel.is_empty() {
                continue;
            }
            let title = title.get(self.lang);
            let share = if at == DIFFERENCES { 1.2 } else { 1.0 };
            let style = TextStyle::new(share * size, theme.ink);
            let style = style.bold().align_left();
            let style = style.fitting(title, panel.width - 4.5 * size);
            pen.text((panel.x + 3.9 * size, panel.y + 0.9 * size), title, style);
        }
    }

    /// Whether columns were taken for pairs, and sines are right.
    fn differs_in_odd_columns(&self) -> bool {
        self.study().is_some_and(|study| {
            let blocks = &study.differences.blocks;
            let mut even = (0..blocks.len() / 2).map(|pair| blocks[2 * pair]);
            let is_found = |report: &Report| report.has(Code::ExponentColumn);
            study.maps()[1]
                && study.report().is_some_and(is_found)
                && even.all(|difference| difference.abs() < 0.01)
        })
    }

    /// Draws placeholders for the panels from index `from` on, which have not been computed yet.
    pub(super) fn draw_waiting(&self, pen: &Pen, context: &DrawContext, plan: &Plan, from: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let shown = |at: &usize| !plan.panels[*at].is_empty();
        for at in (from..plan.panels.len()).filter(shown) {
            let room = grid_in(context, plan.room(at, context));
            let room = room.with_width(room.width - BAR * size);
            pen.outline(room, theme.rule, 1.0, theme.hairline());
            let style = TextStyle::new(size, theme.muted);
            pen.text(room.centre(), WAIT.get(self.lang), style);
        }
    }

    /// Returns the rectangle of a map in `room`, with margins for axes and colour bar.
    fn map_place(&self, context: &DrawContext, room: Rect) -> Rect {
        let size = context.theme.label_size();
        grid_in(context, room.with_width(room.width - BAR * size))
    }

    /// Draws a map, and below its colour bar what it measures.
    fn draw_map(
        &self,
        pen: &Pen,
        context: &DrawContext,
        room: Rect,
        study: &Study,
        (map, measured): (&Map, Text),
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (table, place) = (study.table(), self.map_place(context, room));
        let shape = (map.rows, map.columns);
        cells(pen, context, place, shape, map.most, |row, column| {
            map.blocks[row * map.columns + column]
        });
        // The axes of a transposed table are its rows and columns, as stored; those of others are position and dimension.
        let titles = match study.report() {
            Some(report) if report.transposed => [ROW, COLUMN],
            _ => [POSITION, DIMENSION],
        };
        let titles = titles.map(|title| title.get(self.lang));
        grid_axes(pen, context, place, (table.rows(), table.columns()), titles);
        let bar = place.across(place.right() + 0.8 * size, 0.8 * size);
        colour_bar(pen, context, bar, map.most, measured.get(self.lang));
        for at in &map.not_finite {
            let cell = cell_rect(place, shape, at / map.columns, at % map.columns);
            pen.ring(cell.centre(), 0.5 * size, theme.wrong, theme.stroke());
        }
    }

    /// Draws the angle of each pair as the colour of a cell, and the colour wheel as the legend.
    fn draw_phases(&self, pen: &Pen, context: &DrawContext, room: Rect, phases: &Phases) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let place = self.map_place(context, room);
        let map = PhaseMap::new(theme);
        let mut rgb = Vec::new();
        let vectors = (&phases.sines[..], &phases.cosines[..]);
        colour_angles(vectors, map.steps(), PhaseMap::NEUTRAL, &mut rgb);
        let image = (phases.blocks.1 as u32, phases.blocks.0 as u32);
        let part = Part::whole(image);
        let image = Image {
            size: image,
            rgb: &rgb,
            part,
        };
        pen.image(place, image);
        let titles = self.lang.texts([POSITION, labels::PAIR_AXIS]);
        grid_axes(pen, context, place, phases.shape, titles);
        let radius = 1.1 * size;
        let centre = Point::new(
            place.right() + 0.6 * size + radius,
            place.y + 1.2 * size + radius,
        );
        map.wheel(pen, theme, Circle { centre, radius }, 2);
        let style = TextStyle::new(size, theme.ink);
        let below = centre + (0.0, radius + 1.1 * size);
        pen.text(below, labels::ANGLE_AXIS.get(self.lang), style);
    }

    /// Marks the rows and the columns that are wrong as a whole at the edges of the map.
    fn draw_wrong(&self, pen: &Pen, context: &DrawContext, place: Rect, study: &Study) {
        let Some(report) = study.report() else { return };
        let (theme, size) = (context.theme, context.theme.label_size());
        let (mut rows, mut columns) = (&report.wrong_rows, &report.wrong_columns);
        if report.transposed {
            (rows, columns) = (columns, rows);
        }
        let (table, map) = (study.table(), &study.differences);
        let shape = (map.rows, map.columns);
        let (mut marks, length) = (Vec::new(), 0.6 * size);
        for row in rows {
            let cell = cell_rect(place, shape, map.block(table, *row, 0).0, 0);
            let y = cell.centre_y();
            let edges = [place.x, place.right() - length];
            marks.extend(edges.map(|x| [Point::new(x, y), Point::new(x + length, y)]));
        }
        for column in columns {
            let cell = cell_rect(place, shape, 0, map.block(table, 0, *column).1);
            let x = cell.centre_x();
            let edges = [place.y, place.bottom() - length];
            marks.extend(edges.map(|y| [Point::new(x, y), Point::new(x, y + length)]));
        }
        pen.lines(&marks, theme.wrong, 1.0, theme.stroke());
    }

    /// Draws a ring around the first wrong cell.
    fn draw_first_wrong(&self, pen: &Pen, context: &DrawContext, place: Rect, study: &Study) {
        let Some((row, column)) = self.first_wrong(study) else {
            return;
        };
        let (theme, size) = (context.theme, context.theme.label_size());
        let map = &study.differences;
        let (block_row, block_column) = map.block(study.table(), row, column);
        let at = cell_rect(place, (map.rows, map.columns), block_row, block_column).centre();
        pen.ring(at, 0.6 * size, theme.wrong, 0.75 * theme.stroke());
        let label = FIRST_WRONG.get(self.lang);
        let style = TextStyle::new(size, theme.wrong).bold();
        let right = at.x < place.centre_x();
        let (style, side) = match right {
            true => (style.align_left(), 1.0),
            false => (style.align_right(), -1.0),
        };
        // Above the map rather than over its first rows.
        let y = match at.y < place.y + 1.6 * size {
            true => place.y - 0.7 * size,
            false => at.y.min(place.bottom() - 0.8 * size),
        };
        let at = (at.x + side * size, y);
        let behind = pen.text_bounds(at, label, style.fitting(label, 0.88 * style.width(label)));
        pen.fill(behind, theme.panel, 0.85);
        pen.text(at, label, style);
    }

    fn draw_alike(&self, pen: &Pen, context: &DrawContext, room: Rect, study: &Study) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let place = self.map_place(context, room);
        // A square: its diagonals are those of the table.
        let side = place.width.min(place.height);
        let place = place.with_width(side).with_height(side);
        let rows = &study.rows.study;
        let n = rows.rows();
        let shown = n.min(MAX_ROWS);
        cells(pen, context, place, (shown, shown), 1.0, |p, q| {
            rows.similarity(p * n / shown, q * n / shown)
        });
        let titles = self.lang.texts([POSITION_M, POSITION_N]);
        grid_axes(pen, context, place, (n, n), titles);
        let bar = place.across(place.right() + 0.8 * size, 0.8 * size);
        colour_bar(pen, context, bar, 1.0, MEASURED[2].get(self.lang));
        if self.k < n {
            let ahead = self.k as f64 / n as f64;
            let from = (place.x + ahead * place.width, place.y);
            let to = (place.right(), place.bottom() - ahead * place.height);
            pen.dashes(from, to, theme.there, 0.75 * theme.stroke());
        }
    }

    fn draw_errors(&self, pen: &Pen, context: &DrawContext, plan: &Plan, study: &Study) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let chart = plan.chart(context);
        chart.axes(pen, context, self.lang.texts([ERROR, OFFSET]));
        if study.rows.reach() == 0 || study.is_done() && study.rows.errors.is_empty() {
            let text = NO_FIT.get(self.lang);
            let style = TextStyle::new(size, theme.muted).fitting(text, chart.plot.width);
            return pen.text(chart.plot.centre(), text, style);
        }
        let points = |errors: &[f64]| -> Vec<(f64, f64)> {
            let numbered = errors.iter().enumerate();
            let points = numbered.map(|(i, miss)| ((i + 1) as f64, miss.min(MAX_ERROR)));
            points.collect()
        };
        let [correct, own] = [&study.correct_rows, &study.rows].map(|rows| points(&rows.errors));
        chart.curve(pen, correct.iter().copied(), theme.muted, theme.stroke());
        chart.curve(
            pen,
            own.iter().copied(),
            theme.accent,
            1.25 * theme.stroke(),
        );
        // The legend is at the top, in the colours of the curves, since the curves may coincide.
        let [this, correct] = match context.is_low() {
            true => SHORT_NAMES,
            false => [THIS, CORRECT],
        };
        for (at, name, colour) in [(0.0, this, theme.accent), (1.0, correct, theme.muted)] {
            let y = chart.plot.y + (1.0 + 1.35 * at) * size;
            let name = name.get(self.lang);
            let style = TextStyle::new(size, colour).bold().align_right();
            let style = style.fitting(name, chart.plot.width - size);
            pen.text((chart.plot.right() - 0.5 * size, y), name, style);
        }
        let Some(miss) = study.rows.errors.get(self.k - 1) else {
            return;
        };
        chart.upright(pen, context, self.k as f64, "", theme.there);
        let dot = chart.at((self.k as f64, miss.min(MAX_ERROR)));
        pen.disc(dot, 2.2 * theme.stroke(), theme.accent);
        let style = TextStyle::new(size, theme.accent).bold();
        let (style, side) = match dot.x < chart.plot.centre_x() {
            true => (style.align_left(), 0.7),
            false => (style.align_right(), -0.7),
        };
        let up = if dot.y - 1.8 * size > chart.plot.y {
            -0.9
        } else {
            0.9
        };
        pen.text(dot + (side * size, up * size), &fixed(*miss, 2), style);
    }
}
