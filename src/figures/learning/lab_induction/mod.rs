//! Two attention layers, trained in the page to continue sequences that repeat themselves: by induction or, if all have
//! the same period, by looking back a fixed number of positions.

mod picture;
mod sequence;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping, Measurements};
use crate::figures::learning::training::{self, Run, choice};
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use picture::Plan;
use posenc_encoding::{Encoding as Known, Matrix};
use posenc_lab::{Encoding, TOKENS, Task, Trainer, TrainerConfig};

/// Tokens per sequence in training and in the maps.
const LENGTH: usize = 32;
/// Tokens per sequence in tests on longer sequences.
const LONGER: usize = 2 * LENGTH;
/// Periods that are tested: up to [`TOKENS`], so that all tokens of a period can be distinct.
const PERIODS: std::ops::RangeInclusive<usize> = 2..=TOKENS;
/// Periods in training: the only one with fixed repeats (the trap), and the first and last with random repeats.
const FIXED_PERIOD: usize = 16;
const RANDOM: (usize, usize) = (4, 16);
/// Query minus key at which the next token is found in sequences of period [`FIXED_PERIOD`].
const FIXED_OFFSET: usize = FIXED_PERIOD - 1;
const STEPS: usize = 600;
/// Steps between tests. A test covers all periods, one per frame.
const EVERY: usize = 100;
/// Steps per frame: with the evaluation of what is drawn, about 5 ms on a desktop computer.
const SLICE: usize = 3;

/// Returns the task with a single period and distinct tokens, so that each token determines the next.
const fn repeating(period: usize) -> Task {
    Task::Induction {
        periods: (period, period),
        distinct: true,
    }
}

/// Accuracy by period, in sequences of [`LENGTH`] and of [`LONGER`] tokens, of the model after `step` steps.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tested {
    step: usize,
    accuracies: Vec<[f64; 2]>,
}

impl Tested {
    fn is_complete(&self) -> bool {
        self.accuracies.len() == PERIODS.count()
    }

    /// Returns the accuracies at a period, if it has been tested.
    fn at(&self, period: usize) -> Option<[f64; 2]> {
        self.accuracies.get(period - PERIODS.start()).copied()
    }
}

/// The tests of a training run.
struct Tests {
    last: Tested,
    /// The test in progress.
    current: Option<Tested>,
}

impl Default for Tests {
    /// The model is tested before it is trained.
    fn default() -> Tests {
        Tests {
            last: Tested::default(),
            current: Some(Tested::default()),
        }
    }
}

impl Tests {
    /// Tests the next period; false if no test is in progress.
    fn advance(&mut self, trainer: &Trainer) -> bool {
        let Some(mut current) = self.current.take() else {
            return false;
        };
        let task = repeating(PERIODS.start() + current.accuracies.len());
        current.accuracies.push([LENGTH, LONGER].map(|length| {
            let score = trainer.evaluate_on(task, length, 0);
            score.expect("the model covers twice its length").accuracy
        }));
        match current.is_complete() {
            true => self.last = current,
            false => self.current = Some(current),
        }
        true
    }
}

/// One sequence and the attention of both layers over it.
struct Shown {
    period: usize,
    tokens: Vec<usize>,
    /// The attention weights of each layer, queries × keys.
    layers: [Matrix<f32>; 2],
}

impl Shown {
    fn new(trainer: &Trainer, period: usize) -> Shown {
        let shown = trainer.attention_on(repeating(period), LENGTH, 0);
        let (tokens, layers) = shown.expect("the model covers its length");
        Shown {
            period,
            tokens,
            layers: layers.try_into().expect("it has two layers"),
        }
    }

    /// Returns the mean attention on the keys whose offset, query minus key, is one of `offsets`. The mean is over the
    /// queries from position `least` on that have a target.
    fn share(&self, layer: usize, offsets: impl Fn(usize) -> bool, least: usize) -> f64 {
        let queries = self.period.max(least)..LENGTH;
        let count = queries.len() as f64;
        let of_query = |query: usize| -> f64 {
            let keys = (0..=query).filter(|key| offsets(query - key));
            let row = self.layers[layer].row(query);
            keys.map(|key| f64::from(row[key])).sum()
        };
        queries.map(of_query).sum::<f64>() / count
    }

    /// Mean attention on the previous token.
    fn previous(&self, layer: usize) -> f64 {
        self.share(layer, |offset| offset == 1, 1)
    }

    /// Mean attention on the tokens that follow earlier occurrences of the query's token.
    fn after(&self, layer: usize) -> f64 {
        self.share(layer, |offset| (offset + 1) % self.period == 0, 1)
    }

    /// Mean attention on the key [`FIXED_OFFSET`] positions back, which is right if the period is [`FIXED_PERIOD`].
    fn back(&self, layer: usize) -> f64 {
        self.share(layer, |offset| offset == FIXED_OFFSET, FIXED_OFFSET)
    }
}

pub struct LabInduction {
    lang: Lang,
    /// Whether all training sequences have the period [`FIXED_PERIOD`].
    fixed: bool,
    /// Whether the attention maps of both layers are shown instead of the sequence.
    maps: bool,
    run: Run<Tests>,
    shown: Shown,
}

impl LabInduction {
    /// The last complete test.
    fn tested(&self) -> &Tested {
        &self.run.kept.last
    }

    /// The first and last period of the training sequences.
    fn trained(&self) -> (usize, usize) {
        if self.fixed {
            (FIXED_PERIOD, FIXED_PERIOD)
        } else {
            RANDOM
        }
    }

    fn train(&mut self, steps: usize) {
        self.run.take(steps);
        let step = self.run.taken();
        if step.is_multiple_of(EVERY) {
            self.run.kept.current = Some(Tested {
                step,
                accuracies: Vec::new(),
            });
        }
        self.shown = Shown::new(&self.run.trainer, self.shown.period);
    }
}

choices! {
    enum Repeats {
        Fixed "fixed" "always 16 apart" "总是相隔 16";
        Random "random" "4 to 16 apart" "相隔 4 到 16";
    }
}

fields! {
    REPEATS: Repeats = Key::choice("repeats", "Repeats", "重复间隔");
    PE: Encoding = Key::choice_among("pe", "Encoding", "位置编码", &[
        choice(Known::Rope),
        choice(Known::Sinusoidal),
        choice(Known::Learned),
        choice(Known::T5),
        choice(Known::Alibi),
        choice(Known::None),
    ]);
    PERIOD: i64 = Key::whole("period", "period shown", "所示周期", 10, |_| {
        (*PERIODS.start() as i64, *PERIODS.end() as i64)
    })
    .under_more();
    MAPS: bool = Key::toggle("maps", "Attention maps of both layers", "两层的注意力图", false).under_more();
    SEED: i64 = training::SEED;
    STOP: i64 = training::stop::<STEPS>();
}

impl Figure for LabInduction {
    const NAME: ViewName = ViewName::LabInduction;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(PERIOD), None];
    const SHOWS_PROGRESS: bool = true;

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<LabInduction>) -> LabInduction {
        let encoding = values.get(PE);
        let fixed = values.get(REPEATS) == Repeats::Fixed;
        let periods = if fixed {
            (FIXED_PERIOD, FIXED_PERIOD)
        } else {
            RANDOM
        };
        let mut config = TrainerConfig::induction(periods, encoding, values.count(SEED) as u64);
        config.adam.steps = STEPS;
        // Not distinct with fixed repeats: of 16 distinct tokens, the answer would be the only one not among the last 15.
        config.task = Task::Induction {
            periods,
            distinct: !fixed,
        };
        let run = previous.map(|old| old.run);
        let run = Run::resumed(run, config, [values.count(STOP), STEPS]);
        LabInduction {
            lang,
            fixed,
            maps: values.get(MAPS),
            shown: Shown::new(&run.trainer, values.count(PERIOD)),
            run,
        }
    }

    fn title(&self) -> Text {
        self.point()
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        Some(self.buttons())
    }

    fn more(&self) -> Option<Node> {
        Some(self.recipe())
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        self.run.progress().act(action, STOP, values);
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Plan::height(self.maps, width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(self.maps, context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    /// The chart of accuracy by period selects the period of the sequence in the maps.
    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let chart = plan.periods;
        vec![Handle::area(chart.plot).sets(PERIOD, Mapping::X(chart.x))]
    }

    /// The last complete test of all periods.
    fn measurements(&self) -> Option<Measurements> {
        let tested = Some(self.tested()).filter(|tested| tested.is_complete())?;
        let mut parameters = training::parameters(self.run.config());
        parameters.push(("step", tested.step.to_string()));
        let lengths = [LENGTH, LONGER].map(|length| format!("accuracy at length {length}"));
        let rows = PERIODS.zip(&tested.accuracies);
        let rows = rows.map(|(period, [short, long])| vec![period as f64, *short, *long]);
        Some(Measurements {
            parameters,
            columns: [&["period".to_string()], &lengths[..]].concat(),
            rows: rows.collect(),
        })
    }

    fn work(&mut self) -> bool {
        let (left, taken) = (self.run.left(), self.run.taken());
        let Run { kept, trainer, .. } = &mut self.run;
        if left + taken > 0 && kept.advance(trainer) {
            return true;
        }
        if left > 0 {
            self.train(left.min(SLICE).min(EVERY - taken % EVERY));
        }
        left > 0
    }

    /// With seed 1, trained on repeats 16 apart (`random` 0) or 4 to 16 apart (1), for RoPE (`encoding` 0) or the sinusoidal
    /// encoding (1): `induction_accuracy(encoding, random, period)` and, in the sequence of that period, the mean attention
    /// `induction_before(…)` of layer 1, and `induction_after(…)` and `induction_back(…)` of layer 2.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let which = name.strip_prefix("induction_")?;
        let [encoding, random, period] = *<&[f64; 3]>::try_from(arguments).ok()?;
        let figure = finished(
            ["rope", "sinusoidal"].get(encoding as usize)?,
            ["fixed", "random"].get(random as usize)?,
        );
        let shown = || Shown::new(&figure.run.trainer, period as usize);
        match which {
            "accuracy" => Some(figure.tested().at(period as usize)?[0]),
            "before" => Some(shown().previous(0)),
            "after" => Some(shown().after(1)),
            "back" => Some(shown().back(1)),
            _ => None,
        }
    }
}

/// Returns the finished run with seed 1.
#[cfg(test)]
fn finished(pe: &'static str, repeats: &'static str) -> &'static LabInduction {
    use crate::figures::learning::once_map::OnceMap;
    static FINISHED: OnceMap<[&str; 2], LabInduction> = OnceMap::new();
    FINISHED.get_or_init([pe, repeats], || {
        let settings = format!("pe={pe} repeats={repeats} steps={STEPS}");
        let values = Values::with(LabInduction::FIELDS, &settings);
        let mut figure = LabInduction::new(&values, Lang::En, None);
        figure.train(STEPS);
        while figure.work() {}
        assert!(figure.run.progress().is_done && !figure.run.progress().is_running);
        assert!(figure.tested().is_complete() && figure.tested().step == STEPS);
        figure
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> (LabInduction, Values) {
        let values = Values::with(LabInduction::FIELDS, changes);
        (LabInduction::new(&values, Lang::En, None), values)
    }

    fn accuracy(figure: &LabInduction, period: usize) -> f64 {
        figure.tested().at(period).expect("all are tested")[0]
    }

    /// The thresholds leave a margin to the results of three seeds of each encoding.
    #[test]
    fn repeats_16_apart_are_a_trap() {
        for encoding in ["rope", "sinusoidal", "learned", "t5"] {
            let figure = finished(encoding, "fixed");
            assert!(figure.run.has_learned(), "{encoding}");
            assert!(accuracy(figure, 16) > 0.98, "{encoding}");
            // 16 is no multiple of these.
            for period in [10, 12, 14] {
                assert!(accuracy(figure, period) < 0.2, "{encoding} at {period}");
            }
            let [back, after] = [Shown::back, Shown::after]
                .map(|share| share(&figure.shown, 0).max(share(&figure.shown, 1)));
            assert!(back > 0.6 && after < 0.3, "{encoding}: {back} {after}");
            assert!(figure.caption().contains("to look 16 back"), "{encoding}");
        }
        // At a divisor of 16, answers before token 16 are no better.
        let hidden = finished("rope", "fixed period=8");
        assert!(accuracy(hidden, 8) < 0.8 && hidden.caption().contains("From token 16 on"));
    }

    #[test]
    fn from_repeats_at_any_distance_induction_is_learned() {
        for encoding in ["rope", "sinusoidal", "learned", "t5"] {
            let figure = finished(encoding, "random");
            for period in PERIODS {
                let accuracy = accuracy(figure, period);
                assert!(accuracy > 0.95, "{encoding} at {period}: {accuracy}");
            }
            let (after, back) = (figure.shown.after(1), figure.shown.back(1));
            assert!(after > 0.9 && back < 0.1, "{encoding}: {after} {back}");
            assert!(figure.caption().contains("induction head"), "{encoding}");
            // Only with RoPE does layer 1 become a previous-token head.
            let before = figure.shown.previous(0);
            assert_eq!(before > 0.5, encoding == "rope", "{encoding}: {before}");
        }
        for encoding in ["alibi", "none"] {
            let figure = finished(encoding, "random");
            assert!(!figure.run.has_learned(), "{encoding}");
            assert!(figure.caption().contains("has not learned"), "{encoding}");
        }
    }

    #[test]
    fn it_waits_for_the_start_pauses_and_goes_on_from_there() {
        let (mut figure, mut values) = shown("");
        assert!(!figure.work() && figure.run.taken() == 0);
        figure.act("run", "", &mut values);
        let mut figure = LabInduction::new(&values, Lang::En, Some(figure));
        // The model is tested before it is trained.
        for _ in PERIODS {
            assert!(figure.work() && figure.run.taken() == 0);
        }
        assert!(figure.tested().is_complete() && figure.work());
        assert_eq!(figure.run.taken(), SLICE);
        figure.act("run", "", &mut values);
        let mut figure = LabInduction::new(&values, Lang::Zh, Some(figure));
        assert!(!figure.work() && figure.run.taken() == SLICE);
        values.set_to(PERIOD, 5);
        let (scores, before) = (figure.run.scores.clone(), figure.shown.layers[0].clone());
        let mut figure = LabInduction::new(&values, Lang::Zh, Some(figure));
        assert!(figure.shown.period == 5 && figure.shown.layers[0] != before);
        figure.act("run", "", &mut values);
        figure = LabInduction::new(&values, Lang::En, Some(figure));
        assert!(figure.work() && figure.run.taken() == 2 * SLICE);
        assert_eq!(figure.run.scores[..SLICE], scores);
        figure.act("again", "", &mut values);
        let mut figure = LabInduction::new(&values, Lang::En, Some(figure));
        assert!(figure.run.taken() == 0 && !figure.work());
        figure.act("seed", "", &mut values);
        assert_eq!(values.get(SEED), 2);
    }

    /// With uniform attention, every key has the weight 1 / (query + 1).
    #[test]
    fn shares_are_means_over_the_queries_that_are_asked() {
        let mut even = Matrix::zeros(LENGTH, LENGTH);
        for query in 0..LENGTH {
            for key in 0..=query {
                even.values[query * LENGTH + key] = 1.0 / (query + 1) as f32;
            }
        }
        let shown = Shown {
            tokens: Vec::new(),
            period: 10,
            layers: [even.clone(), even],
        };
        let mean = |first: usize, keys: fn(usize) -> usize| {
            let each = (first..LENGTH).map(|query| keys(query) as f64 / (query + 1) as f64);
            each.sum::<f64>() / (LENGTH - first) as f64
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        near(shown.previous(0), mean(10, |_| 1));
        near(shown.back(1), mean(15, |_| 1));
        // 9, 19 and 29 back, as far as the sequence reaches.
        near(shown.after(1), mean(10, |query| (query + 1) / 10));
    }
}
