//! A position table trained in the page: a linear classifier predicts the offset between two of its rows, and
//! neighbouring rows become similar.

mod picture;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{ComputedTable, Figure};
use crate::figures::learning::training::{FROM_THE_BEGINNING, Progress};
use crate::math::linear::{StreamingLeastSquares, product};
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use picture::Plan;
use posenc_encoding::{FitScore, Matrix, OffsetFit, cosine_similarities};

const LENGTH: usize = 32;
const WIDTH: usize = 16;
const REACH: usize = 8;
const SEED: u64 = 1;
/// Offset of the matrix M_k that is fitted to the rows.
const K: usize = 3;
/// Folds of the cross-validation: each is left out once, and the matrix is fitted to the others.
const PARTS: usize = 4;
/// Ridge penalty per squared entry of the matrix, relative to the mean squared norm of the table's columns. Without it,
/// the matrix would fit directions in which a learned table is almost zero.
const RIDGE: f64 = 0.01;
/// Standard deviation of the initial table, as in BERT.
const DEVIATION: f64 = 0.02;
const STEPS: usize = 400;
/// Returns two errors on held-out rows for offset [`K`]: that of the best-fit matrix (ridge regression, cross-validated)
/// and that of the unchanged row as the prediction. Both are relative to the length of the predicted rows.
fn held_out(table: &Matrix<f64>) -> [f64; 2] {
    let (width, last) = (table.dimensions, table.positions - K);
    let squares: f64 = table.values.iter().map(|value| value * value).sum();
    let cost = (RIDGE * squares / width as f64).sqrt();
    let (mut left, mut unmoved, mut whole) = (0.0, 0.0, 0.0);
    for part in 0..PARTS {
        let mut rows = StreamingLeastSquares::new(width, width);
        for position in (0..last).filter(|position| position % PARTS != part) {
            rows.add(table.row(position), table.row(position + K));
        }
        for dimension in 0..width {
            let mut row = vec![0.0; width];
            row[dimension] = cost;
            rows.add(&row, &vec![0.0; width]);
        }
        let moved = product(table, &rows.solve());
        for position in (part..last).step_by(PARTS) {
            for (dimension, wanted) in table.row(position + K).iter().enumerate() {
                left += (moved.at(position, dimension) - wanted).powi(2);
                unmoved += (table.at(position, dimension) - wanted).powi(2);
                whole += wanted * wanted;
            }
        }
    }
    [left, unmoved].map(|error| (error / whole).sqrt())
}

/// A training run and its measurements so far.
struct Run {
    /// The number of restarts before this run.
    round: i64,
    fit: OffsetFit,
    /// Before the first step, and after each.
    scores: Vec<FitScore>,
    /// Cosines of all pairs of rows, LENGTH × LENGTH, row-major.
    likeness: Vec<f64>,
}

impl Run {
    fn new(round: i64) -> Run {
        let table = Normals::seeded(SEED).matrix(LENGTH, WIDTH, DEVIATION);
        let mut run = Run {
            round,
            fit: OffsetFit::new(&table, REACH),
            scores: Vec::new(),
            likeness: Vec::new(),
        };
        run.record_scores();
        run
    }

    fn record_scores(&mut self) {
        let table = self.fit.table();
        self.scores.push(self.fit.score());
        self.likeness = (0..LENGTH)
            .flat_map(|row| cosine_similarities(&table, row))
            .collect();
    }

    fn finished(&self) -> bool {
        self.fit.steps() >= STEPS
    }

    /// Returns the mean cosine of rows that are `distance` apart.
    fn alike(&self, distance: usize) -> f64 {
        let count = LENGTH - distance;
        let cosine = |p: usize| self.likeness[p * LENGTH + p + distance];
        (0..count).map(cosine).sum::<f64>() / count as f64
    }
}

pub struct Trained {
    lang: Lang,
    running: bool,
    run: Run,
}

impl Trained {
    fn progress(&self) -> Progress {
        let (taken, is_done) = (self.run.fit.steps(), self.run.finished());
        Progress {
            taken,
            total: STEPS,
            is_running: self.running && !is_done,
            is_done,
        }
    }

    fn score(&self) -> FitScore {
        *self.run.scores.last().expect("the beginning is scored")
    }
}

fields! {
    RUNNING: bool = Key::toggle("running", "running", "运行", false).session();
    ROUND: i64 = Key::whole("round", "round", "轮次", 0, |_| (0, i64::from(i32::MAX))).session();
}

impl Figure for Trained {
    const NAME: ViewName = ViewName::Trained;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = Plan;

    const SHOWS_PROGRESS: bool = true;

    fn new(values: &Values, lang: Lang, previous: Option<Trained>) -> Trained {
        let round = values.get(ROUND);
        let run = previous.map(|old| old.run);
        Trained {
            lang,
            running: values.get(RUNNING),
            run: run
                .filter(|run| run.round == round)
                .unwrap_or_else(|| Run::new(round)),
        }
    }

    fn title(&self) -> Text {
        match self.run.fit.steps() {
            0 => Text::new("At first the rows are in no order", "起初，各行毫无次序"),
            _ if self.run.finished() => {
                Text::new("Training has put the rows in order", "训练排出了各行的次序")
            }
            _ => Self::NAME.title(),
        }
    }

    fn caption(&self) -> String {
        let FitScore { loss, accuracy } = self.score();
        let (loss, accuracy) = (fixed(loss, 2), fixed(100.0 * accuracy, 0));
        let alike = [1, 4, 12].map(|distance| fixed(self.run.alike(distance), 2));
        let [one, four, twelve] = alike;
        let steps = self.run.fit.steps();
        let [error, unmoved] = held_out(&self.run.fit.table()).map(|share| fixed(100.0 * share, 0));
        match (self.lang, steps) {
            (Lang::En, 0) => format!(
                "Before the first step the {LENGTH} rows are seeded random numbers: neighbours are no more alike (mean cosine {one}) than rows 12 apart ({twelve}). The loss is {loss}, that of guessing among {} offsets.",
                2 * REACH + 1
            ),
            (Lang::Zh, 0) => format!(
                "训练之前，{LENGTH} 行都是固定种子的随机数：相邻两行的平均余弦相似度为 {one}，相隔 12 行的为 {twelve}，并无区别。损失为 {loss}，相当于在 {} 个偏移量里随机猜测。",
                2 * REACH + 1
            ),
            (Lang::En, _) => format!(
                "After {steps} steps the loss is {loss} and {accuracy} % of the offsets are named correctly. The mean cosine of rows 1, 4 and 12 apart is {one}, {four} and {twelve}. On rows that it was not fitted to, the best matrix for k = {K} is off by {error} % of their length; the row itself, without a matrix, by {unmoved} %."
            ),
            (Lang::Zh, _) => format!(
                "{steps} 步之后，损失为 {loss}，{accuracy}% 的偏移量判断正确。相隔 1、4、12 行的平均余弦相似度为 {one}、{four}、{twelve}。在没有参与拟合的行上，k = {K} 的最佳矩阵的误差占行长度的 {error}%；不用矩阵、直接照搬原来那一行，则占 {unmoved}%。"
            ),
        }
    }

    fn actions(&self) -> Option<Node> {
        let (lang, progress) = (self.lang, self.progress());
        let again = html::button("again", "", FROM_THE_BEGINNING.get(lang));
        let (first, last) = match (progress.is_done, progress.taken) {
            (true, _) => (again.class("primary"), None),
            (false, taken) => {
                let run = progress.run_button(lang, Text::new("Stop", "停止"));
                (run, (taken > 0).then_some(again))
            }
        };
        let mut row = vec![first, progress.bar(lang), html::words(progress.count(lang))];
        row.extend(last);
        Some(html::div("row", row))
    }

    fn more(&self) -> Option<Node> {
        let task = match self.lang {
            Lang::En => format!(
                "The task: given rows m and n of a table of {LENGTH} × {WIDTH} numbers, name n − m, from −{REACH} to {REACH}. Table and linear reader are fitted together, by Adam; the table begins with normal numbers of deviation 0.02 (seed 1). The matrix Mₖ that should take row m to row m + {K} is fitted to three quarters of the rows by ridge regression and tested on the fourth, each quarter in its turn."
            ),
            Lang::Zh => format!(
                "任务：给出一张 {LENGTH} × {WIDTH} 的表的第 m 行和第 n 行，说出 n − m（−{REACH} 到 {REACH}）。表和线性读出层用 Adam 一起训练；表的初值是标准差 0.02 的正态随机数（种子 1）。应把第 m 行变成第 m + {K} 行的矩阵 Mₖ，用岭回归在四分之三的行上拟合，在其余的行上检验，四个部分轮流。"
            ),
        };
        Some(html::p(task).class("note"))
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        match action {
            "run" => values.set_to(RUNNING, !self.running),
            "again" => {
                values.set_to(ROUND, values.get(ROUND) + 1);
                values.set_to(RUNNING, true);
            }
            _ => {}
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let beside = width > 40.0 * theme.label_size();
        Some(if beside {
            let high = (0.5 * width).clamp(280.0 * theme.scale, 430.0 * theme.scale);
            theme.fitted(high, 16.0)
        } else {
            width + 130.0 * theme.scale
        })
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        self.plan(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn table(&self) -> Option<ComputedTable> {
        let fit = &self.run.fit;
        let parameters = [
            ("encoding", "learned".to_string()),
            ("steps", fit.steps().to_string()),
            ("reach", REACH.to_string()),
            ("seed", SEED.to_string()),
        ];
        Some(ComputedTable {
            table: fit.table(),
            parameters: parameters.to_vec(),
        })
    }

    /// Takes one step per frame, so that the progress is visible.
    fn work(&mut self) -> bool {
        if !self.running || self.run.finished() {
            return false;
        }
        self.run.fit.step();
        self.run.record_scores();
        true
    }

    /// `trained_loss(steps)`, `trained_accuracy(steps)`, `trained_alike(steps, distance)`, `trained_left(steps, k)`,
    /// `trained_held_out(steps)`, `trained_unmoved(steps)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        use crate::figures::learning::once_map::OnceMap;
        static RUNS: OnceMap<usize, Run> = OnceMap::new();
        let known = [
            "trained_loss",
            "trained_accuracy",
            "trained_alike",
            "trained_left",
            "trained_held_out",
            "trained_unmoved",
        ];
        let which = known.iter().position(|known| *known == name)?;
        let steps = arguments[0] as usize;
        let run = RUNS.get_or_init(steps, || {
            let mut run = Run::new(0);
            for _ in 0..steps {
                run.fit.step();
            }
            run.record_scores();
            run
        });
        let score = run.scores.last()?;
        Some(match which {
            0 => score.loss,
            1 => score.accuracy,
            2 => run.alike(arguments[1] as usize),
            3 => left_over(&run.fit.table(), arguments[1] as usize),
            4 => held_out(&run.fit.table())[0],
            _ => held_out(&run.fit.table())[1],
        })
    }
}

/// Returns the relative error of the best-fit matrix for offset k on the rows that it is fitted to; 0 if one matrix is
/// exact for all rows.
#[cfg(test)]
fn left_over(table: &posenc_encoding::Matrix<f64>, k: usize) -> f64 {
    let mut rows = StreamingLeastSquares::new(table.dimensions, table.dimensions);
    let last = table.positions - k;
    for position in 0..last {
        rows.add(table.row(position), table.row(position + k));
    }
    let moved = product(table, &rows.solve());
    let (mut left, mut whole) = (0.0, 0.0);
    for position in 0..last {
        let pairs = moved.row(position).iter().zip(table.row(position + k));
        for (found, wanted) in pairs {
            left += (found - wanted) * (found - wanted);
            whole += wanted * wanted;
        }
    }
    (left / whole).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> (Trained, Values) {
        let values = Values::with(Trained::FIELDS, changes);
        (Trained::new(&values, Lang::En, None), values)
    }

    #[test]
    fn nothing_is_learned_before_it_is_started_and_all_by_the_end() {
        let (mut idle, _) = shown("");
        assert!(!idle.work());
        assert!(idle.run.alike(1).abs() < 0.2 && idle.score().accuracy < 0.1);
        let (mut figure, _) = shown("running=on");
        let mut frames = 0;
        while figure.work() {
            frames += 1;
        }
        assert_eq!((frames, figure.run.fit.steps()), (STEPS, STEPS));
        assert!(figure.score().accuracy > 0.95 && figure.score().loss < 1.0);
        let [near, middle, far] = [1, 4, 12].map(|distance| figure.run.alike(distance));
        assert!(
            near > 0.9 && near > middle && middle > far,
            "{near} {middle} {far}"
        );
    }

    /// No matrix fits all random rows; one nearly fits all trained rows.
    #[test]
    fn an_approximate_matrix_forms_while_the_table_is_trained() {
        for k in [1.0, 3.0, 8.0] {
            let [before, after] =
                [0.0, 400.0].map(|steps| Trained::lesson_number("trained_left", &[steps, k]));
            assert!(
                before > Some(0.5) && after < Some(0.15),
                "{before:?} {after:?}"
            );
        }
    }

    /// One matrix is exact for rows of sines and cosines, so that the ridge penalty is the only source of error; none fits
    /// random rows.
    #[test]
    fn a_matrix_that_serves_all_rows_serves_those_that_were_held_out() {
        let sines = Matrix {
            positions: LENGTH,
            dimensions: 2,
            values: (0..LENGTH)
                .flat_map(|position| [f64::sin(position as f64), f64::cos(position as f64)])
                .collect(),
        };
        let [error, unmoved] = held_out(&sines);
        // M_3 rotates the rows by 3 radians.
        assert!(error < 0.03 && (unmoved - 2.0 * 1.5f64.sin()).abs() < 1e-9);
        let random = Normals::seeded(SEED).matrix(LENGTH, WIDTH, DEVIATION);
        assert!(held_out(&random)[0] > 1.2);
        let held_out = |steps| Trained::lesson_number("trained_held_out", &[steps]);
        assert!(
            held_out(400.0) < Some(0.35)
                && held_out(400.0) < Trained::lesson_number("trained_unmoved", &[400.0])
        );
    }

    #[test]
    fn stopped_it_keeps_what_it_has_and_goes_on_from_there() {
        let (mut figure, mut values) = shown("running=on");
        for _ in 0..7 {
            assert!(figure.work());
        }
        figure.act("run", "", &mut values);
        let mut figure = Trained::new(&values, Lang::Zh, Some(figure));
        assert!(!figure.work());
        assert_eq!(figure.run.scores.len(), 8);
        let made = figure.table().expect("it has one");
        assert_eq!(made.table.values, figure.run.fit.table().values);
        assert!(made.parameters.contains(&("steps", "7".into())));
        figure.act("run", "", &mut values);
        let mut figure = Trained::new(&values, Lang::En, Some(figure));
        assert!(figure.work() && figure.run.fit.steps() == 8);
        figure.act("again", "", &mut values);
        let figure = Trained::new(&values, Lang::En, Some(figure));
        assert_eq!(figure.run.fit.steps(), 0);
    }
}
