//! The measured frequencies of the pairs beside those of the correct table, and the positions of the rows.

use super::Inspect;
use super::compute::Study;
use super::picture::Plan;
use super::words::{
    BY_ROW, CORRECT, FREQUENCY, NO_WAVES, POSITION, ROW, SHORT_NAMES, THIS, UNMEASURED,
};
use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Scale, TextStyle};
use crate::text::inspection::cell_number;
use crate::text::number::{fixed, short, whole};
use crate::text::{Lang, labels};
use posenc_inspect::{Kind, MeasuredFrequency, WaveStudy};

impl Inspect {
    /// Draws both panels, or their placeholders.
    pub(super) fn draw_waves(&self, pen: &Pen, context: &DrawContext, plan: &Plan, study: &Study) {
        match study.waves() {
            None => self.draw_waiting(pen, context, plan, 2),
            Some(None) => {
                for panel in [2, 3] {
                    let room = plan.room(panel, context);
                    let style = TextStyle::new(context.theme.label_size(), context.theme.muted);
                    let text = NO_WAVES.get(self.lang);
                    pen.text(room.centre(), text, style.fitting(text, 0.9 * room.width));
                }
            }
            Some(Some(waves)) => {
                self.draw_frequencies(pen, context, plan, study, waves);
                self.draw_positions(pen, context, plan, waves);
            }
        }
    }

    fn draw_frequencies(
        &self,
        pen: &Pen,
        context: &DrawContext,
        plan: &Plan,
        study: &Study,
        waves: &WaveStudy,
    ) {
        let theme = context.theme;
        let correct: Vec<(f64, f64)> = (0..waves.pair_count())
            .map(|pair| (pair as f64, waves.correct_frequency(pair)))
            .collect();
        let found = waves.frequencies().iter();
        let found: Vec<(f64, f64)> = found.map(|it| (it.pair as f64, it.frequency)).collect();
        let all = || correct.iter().chain(&found).map(|it| it.1);
        let (low, high) = all().fold((f64::INFINITY, 0.0_f64), |(low, high), it| {
            (low.min(it), high.max(it))
        });
        let x = Scale::linear(0.0, waves.pair_count().saturating_sub(1) as f64);
        let y = Scale::log(0.7 * low, 1.4 * high);
        let chart = Chart::new(context, plan.room(2, context), x, y);
        let titles = self.lang.texts([FREQUENCY, labels::PAIR_AXIS]);
        chart.axes(pen, context, titles);
        chart.curve(pen, correct, theme.muted, theme.stroke());
        chart.curve(pen, found.iter().copied(), theme.accent, theme.stroke());
        chart.dots(pen, found, theme.accent, 1.1 * theme.stroke());
        self.legend(pen, context, &chart, &self.rule(study));
    }

    /// What the measured frequencies are compared with: those of the correct table, or of the base of a cache.
    fn rule(&self, study: &Study) -> String {
        let report = study.report();
        let of_cache = report.filter(|it| it.kind != Kind::Sinusoidal);
        match (of_cache.and_then(|it| it.base), self.lang) {
            (Some(base), Lang::En) => format!("base {}", cell_number(base)),
            (Some(base), Lang::Zh) => format!("底数 {}", cell_number(base)),
            (None, _) => CORRECT.get(self.lang).to_string(),
        }
    }

    fn draw_positions(&self, pen: &Pen, context: &DrawContext, plan: &Plan, waves: &WaveStudy) {
        let theme = context.theme;
        let last = waves.row_count().saturating_sub(1) as f64;
        let found = waves.positions().iter();
        let found: Vec<(f64, f64)> = found.map(|(row, it)| (*row as f64, *it)).collect();
        let end = if waves.axis_count() == 1 { last } else { 0.0 };
        let (low, high) = found.iter().fold((0.0_f64, end), |(low, high), it| {
            (low.min(it.1), high.max(it.1))
        });
        let (x, y) = (Scale::linear(0.0, last), Scale::linear(low, high));
        let chart = Chart::new(context, plan.room(3, context), x, y);
        let titles = self.lang.texts([POSITION, ROW]);
        chart.axes(pen, context, titles);
        let is_one_axis = waves.axis_count() == 1;
        if is_one_axis {
            let by_row = [(0.0, 0.0), (last, last)];
            chart.curve(pen, by_row, theme.muted, theme.stroke());
        }
        if found.is_empty() {
            let text = UNMEASURED.get(self.lang);
            let style = TextStyle::new(theme.label_size(), theme.ink);
            let style = style.fitting(text, chart.plot.width);
            return pen.text(chart.plot.centre(), text, style);
        }
        chart.dots(pen, found, theme.accent, 0.8 * theme.stroke());
        if is_one_axis {
            self.legend(pen, context, &chart, BY_ROW.get(self.lang));
        }
    }

    /// Writes the names of the table's marks and of the line in their colours: at the upper right of frequencies, which fall,
    /// and at the upper left of positions.
    fn legend(&self, pen: &Pen, context: &DrawContext, chart: &Chart, line: &str) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let falls = chart.y.is_log();
        let own = match context.is_low() {
            true => SHORT_NAMES[0],
            false => THIS,
        };
        let own = own.get(self.lang);
        for (at, name, colour) in [(0.0, own, theme.accent), (1.0, line, theme.muted)] {
            let style = TextStyle::new(size, colour).bold();
            let style = style.fitting(name, 0.6 * chart.plot.width);
            let down = (1.0 + 1.35 * at) * size;
            let (x, style) = match falls {
                true => (chart.plot.right() - 0.5 * size, style.align_right()),
                false => (chart.plot.x + 0.5 * size, style.align_left()),
            };
            pen.text((x, chart.plot.y + down), name, style);
        }
    }

    /// How the measured frequencies and positions differ from those of the correct table, in words.
    pub(super) fn describe_waves(&self, study: &Study) -> String {
        let Some(Some(waves)) = study.waves() else {
            return String::new();
        };
        let mut rule = self.rule(study);
        if self.lang == Lang::Zh && rule.ends_with(|last: char| last.is_ascii_digit()) {
            rule.push(' ');
        }
        let found = waves.frequencies();
        let count = whole(found.len() as i64);
        let differs = |it: &&MeasuredFrequency| !it.is(waves.correct_frequency(it.pair));
        let differing = whole(found.iter().filter(differs).count() as i64);
        let ratio = |it: &MeasuredFrequency| it.frequency / waves.correct_frequency(it.pair);
        let ratios = found.iter().filter(differs).map(|it| (it.pair, ratio(it)));
        let off = |it: &(usize, f64)| it.1.ln().abs();
        let farthest = ratios.max_by(|a, b| off(a).total_cmp(&off(b)));
        let farthest = farthest.map(|(pair, ratio)| (pair, short(ratio, 3)));
        let mut text = match (self.lang, farthest) {
            (_, _) if found.is_empty() => String::new(),
            (Lang::En, None) => {
                format!(
                    " {count} frequencies were measured; within their errors all are those of {rule}."
                )
            }
            (Lang::Zh, None) => format!("测得 {count} 个频率，在误差范围内都与{rule}相符。"),
            (Lang::En, Some((pair, ratio))) => format!(
                " Of {count} frequencies measured {differing} differ from those of {rule} by more than their errors, most of all that of pair {pair}: it is {ratio} times as high."
            ),
            (Lang::Zh, Some((pair, ratio))) => format!(
                "测得 {count} 个频率，其中 {differing} 个与{rule}不同，相差超出误差；相差最大的是第 {pair} 对，为后者的 {ratio} 倍。"
            ),
        };
        let positions = waves.positions();
        if waves.axis_count() > 1 && !positions.is_empty() {
            text += match self.lang {
                Lang::En => " Each row has a position along each axis.",
                Lang::Zh => "每一行在各个轴上各有一个位置。",
            };
            return text;
        }
        let off_row = |it: &&(usize, f64)| (it.1 - it.0 as f64).abs() > 0.25;
        let by_row = positions.iter().filter(|it| !off_row(it)).count();
        text += &match (self.lang, positions.iter().find(off_row)) {
            (_, _) if positions.is_empty() => String::new(),
            (Lang::En, None) => {
                format!(" The positions of {by_row} rows are the numbers of the rows.")
            }
            (Lang::Zh, None) => format!("测得位置的 {by_row} 行，位置都等于行号。"),
            (Lang::En, Some((row, position))) => format!(
                " Of {} rows whose positions were measured, {by_row} have the number of the row; row {row} has position {}.",
                positions.len(),
                fixed(*position, 1),
            ),
            (Lang::Zh, Some((row, position))) => format!(
                "测得位置的 {} 行中，有 {by_row} 行的位置等于行号；第 {row} 行的位置是 {}。",
                positions.len(),
                fixed(*position, 1),
            ),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{self, Example};
    use super::*;
    use crate::field::Choice;
    use crate::field::Values;
    use crate::figure::Figure;
    use posenc_inspect::{Code, Precision, Storage, Table};
    use std::f64::consts::TAU;

    fn measured(table: Table) -> Study {
        let mut study = Study::new(table);
        while study.step() || study.measure() {}
        study
    }

    fn example(name: &str) -> Study {
        measured(examples::example(Example::named(name).unwrap()))
    }

    #[test]
    fn the_bend_of_llama_3_is_measured() {
        let study = example("llama3");
        let report = study.report().unwrap();
        assert_eq!((report.kind, report.base), (Kind::RopeCos, Some(5e5)));
        assert!(report.has(Code::ScaledFrequencies));
        let waves = study.waves().unwrap().unwrap();
        // The rule of the model's configuration: low_freq_factor 1, high_freq_factor 4, 8192 positions.
        let own = |pair: usize| {
            let frequency = 5e5_f64.powf(-(pair as f64) / 32.0);
            let share = ((8192.0 * frequency / TAU - 1.0) / 3.0).clamp(0.0, 1.0);
            frequency * (share + (1.0 - share) / 8.0)
        };
        let found = waves.frequencies();
        assert!(found.len() > 20, "{}", found.len());
        for it in found {
            assert!(it.is(own(it.pair)), "{it:?} {}", own(it.pair));
        }
        let divided = |it: &&MeasuredFrequency| it.is(waves.correct_frequency(it.pair) / 8.0);
        assert!(found.iter().filter(divided).count() >= 2);
        for (row, position) in waves.positions() {
            assert!((position - *row as f64).abs() < 0.1, "{row} {position}");
        }
    }

    #[test]
    fn the_correct_table_has_the_frequencies_of_the_paper_and_positions_from_0() {
        let study = example("paper");
        let waves = study.waves().unwrap().unwrap();
        assert_eq!(waves.frequencies().len(), 32);
        for it in waves.frequencies() {
            let paper = 1e4_f64.powf(-(it.pair as f64) / 32.0);
            assert!(it.is(paper) && it.error < 1e-3 * paper, "{it:?}");
            assert!((waves.correct_frequency(it.pair) / paper - 1.0).abs() < 1e-12);
        }
        assert_eq!(waves.positions().len(), 128);
        let off = |(row, position): &(usize, f64)| (position - *row as f64).abs();
        assert!(waves.positions().iter().all(|it| off(it) < 1e-3));
    }

    #[test]
    fn mistakes_have_other_frequencies_or_positions() {
        let study = example("start");
        let waves = study.waves().unwrap().unwrap();
        let off = |(row, position): &(usize, f64)| (position - *row as f64 - 1.0).abs();
        assert!(waves.positions().iter().all(|it| off(it) < 1e-3));
        // A sine and a cosine per pair, of which only the sine has the paper's frequency.
        let study = example("column");
        let waves = study.waves().unwrap().unwrap();
        let ratio = |it: &MeasuredFrequency| it.frequency / waves.correct_frequency(it.pair);
        let lower = 1e4_f64.powf(-1.0 / 64.0);
        let cosines = waves.frequencies().iter().filter(|it| ratio(it) < 0.95);
        let cosines: Vec<f64> = cosines.map(ratio).collect();
        assert!(cosines.len() > 20, "{}", cosines.len());
        assert!(cosines.iter().all(|it| (it / lower - 1.0).abs() < 0.02));
        for name in ["whisper", "noise"] {
            assert!(example(name).waves().unwrap().is_none(), "{name}");
        }
    }

    /// The table of an 8 × 20 grid of patches, whose first columns hold x, and an axial cache of RoPE with y first.
    #[test]
    fn positions_along_two_axes_are_measured() {
        let of = |columns: usize, cell: &dyn Fn(f64, f64, usize) -> f64| {
            let numbers = (0..160 * columns).map(|at| {
                let (row, column) = (at / columns, at % columns);
                cell((row / 20) as f64, (row % 20) as f64, column)
            });
            let storage = Storage::Binary(Precision::F64);
            measured(
                Table::new((160, columns), numbers.collect(), storage)
                    .ok()
                    .unwrap(),
            )
        };
        let image = of(128, &|y, x, column| {
            let position = if column < 64 { x } else { y };
            let angle = position * 1e4_f64.powf(-((column % 32) as f64) / 32.0);
            if column % 64 < 32 {
                angle.sin()
            } else {
                angle.cos()
            }
        });
        let cache = of(64, &|y, x, column| {
            let position = if column % 32 < 16 { y } else { x };
            (position * 100_f64.powf(-((column % 16) as f64) / 16.0)).cos()
        });
        for (study, x_axis) in [(image, 0), (cache, 1)] {
            let waves = study.waves().unwrap().unwrap();
            assert_eq!(waves.axis_count(), 2);
            assert!(waves.frequencies().len() > waves.pair_count());
            for it in waves.frequencies() {
                assert!(it.is(waves.correct_frequency(it.pair)), "{it:?}");
            }
            for both in waves.positions().chunks(2) {
                let [x, y] = [both[x_axis], both[1 - x_axis]];
                assert!((x.1 - (x.0 % 20) as f64).abs() < 1e-3, "{x:?}");
                assert!((y.1 - (y.0 / 20) as f64).abs() < 1e-3, "{y:?}");
            }
            assert_eq!(waves.positions().len(), 320);
            // The nearest correct table has both axes, too.
            assert!(study.differences.blocks.iter().all(|it| it.abs() < 1e-6));
        }
    }

    #[test]
    fn what_was_reshaped_has_no_waves_in_its_columns() {
        let (rows, columns) = (64, 32);
        let cell = |position: usize, column: usize| {
            let angle = position as f64 * 1e4_f64.powf(-((column / 2) as f64) / 16.0);
            if column.is_multiple_of(2) {
                angle.sin()
            } else {
                angle.cos()
            }
        };
        let numbers = (0..rows * columns).map(|at| cell(at % rows, at / rows));
        let storage = Storage::Binary(Precision::F64);
        let table = Table::new((rows, columns), numbers.collect(), storage);
        let study = measured(table.ok().unwrap());
        assert!(study.report().unwrap().has(Code::Reshaped));
        assert!(study.waves().unwrap().is_none());
    }

    #[test]
    fn rows_and_columns_that_do_not_fit_are_listed() {
        let (rows, columns) = (160, 64);
        let cell = |row: usize, column: usize| {
            let angle = row as f64 * 1e4_f64.powf(-((column / 2) as f64) / 32.0);
            match (row, column) {
                (40 | 77, _) => ((row * 31 + column * 17) % 13) as f64 / 6.5 - 1.0,
                (_, 20) => ((row * 7) % 11) as f64 / 5.5 - 1.0,
                _ if column.is_multiple_of(2) => angle.sin(),
                _ => angle.cos(),
            }
        };
        let numbers = (0..rows * columns).map(|at| cell(at / columns, at % columns));
        let storage = Storage::Binary(Precision::F64);
        let table = Table::new((rows, columns), numbers.collect(), storage);
        let study = measured(table.ok().unwrap());
        let report = study.report().unwrap();
        assert_eq!(report.wrong_rows, [40, 77]);
        assert_eq!(report.wrong_columns, [20]);
        let waves = study.waves().unwrap().unwrap();
        let has_position = |row: usize| waves.positions().iter().any(|it| it.0 == row);
        assert!(!has_position(40) && !has_position(77) && has_position(41));
    }

    #[test]
    fn both_languages_say_what_is_measured() {
        for (lang, words) in [
            (Lang::En, ["those of base 500000", "0.125 times as high"]),
            (Lang::Zh, ["与底数 500000 不同", "0.125 倍"]),
        ] {
            let values = Values::with(Inspect::FIELDS, "example=llama3 panels=waves");
            let mut figure = Inspect::new(&values, lang, None);
            while figure.work() {}
            let caption = figure.caption();
            assert!(words.iter().all(|it| caption.contains(it)), "{caption}");
        }
    }
}
