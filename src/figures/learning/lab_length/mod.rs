//! Copying the token k positions back in sequences longer than those of the training: every encoding, trained with
//! several seeds, side by side.

mod picture;
mod runs;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Measurements};
use crate::figures::learning::training::{self, Progress};
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use picture::Plan;
use posenc_lab::Encoding;
use runs::{CurrentRun, Outcome, Runs, Spread};

/// In the order of the panels, and of the runs of each seed.
const ENCODINGS: [Encoding; 6] = [
    Encoding::Sinusoidal,
    Encoding::Learned,
    Encoding::Rope,
    Encoding::T5,
    Encoding::Alibi,
    Encoding::None,
];
/// Tokens per training sequence.
const TRAINED: usize = 32;
/// Tokens per test sequence.
const LENGTHS: [usize; 5] = [32, 48, 64, 96, 128];
const LONGEST: usize = LENGTHS[LENGTHS.len() - 1];
/// Steps per run.
const STEPS: usize = 400;
/// Last start position of a training sequence with random starts.
const LAST_START: usize = 99;
/// Training steps per frame, and tokens tested per frame: each about 4 ms on a desktop computer, so that one a third as
/// fast stays within 12 ms.
const SLICE: usize = 4;
const TESTED: usize = 1024;

/// The median accuracies of three finished seeds for k = 3, in percent, without and with random starts.
const FINISHED: [[[u8; LENGTHS.len()]; ENCODINGS.len()]; 2] = [
    [
        [100, 76, 63, 47, 39],
        [100, 68, 51, 36, 29],
        [100, 99, 94, 81, 74],
        [100, 97, 86, 70, 61],
        [22, 22, 22, 22, 22],
        [21, 18, 16, 15, 14],
    ],
    [
        [100, 100, 99, 99, 96],
        [100, 100, 99, 96, 89],
        [100, 99, 94, 81, 74],
        [100, 97, 86, 70, 61],
        [22, 22, 22, 22, 22],
        [21, 18, 16, 15, 14],
    ],
];

pub struct LabLength {
    lang: Lang,
    /// Whether finished runs are shown faintly before they have been trained here.
    ghost: bool,
    k: usize,
    random: bool,
    seeds: usize,
    /// The step count at which training stops, over all runs.
    steps: usize,
    /// Without random starts, and with them.
    runs: [Runs; 2],
}

impl LabLength {
    fn shown(&self) -> &Runs {
        &self.runs[usize::from(self.random)]
    }

    /// Returns the results with the other setting of random starts, once all its seeds have been trained.
    fn other_spread(&self, encoding: Encoding) -> Option<Spread> {
        let other = &self.runs[usize::from(!self.random)];
        let all = other.of(encoding, self.seeds).count() == self.seeds;
        other.spread(encoding, self.seeds).filter(|_| all)
    }

    /// The accuracies of finished runs of an encoding, in percent, if they are known and shown.
    fn finished_run(&self, panel: usize) -> Option<&'static [u8; LENGTHS.len()]> {
        let known = self.ghost && self.k == 3;
        known.then(|| &FINISHED[usize::from(self.random)][panel])
    }

    /// Returns the number of runs, and how many of them are finished.
    fn count(&self) -> [usize; 2] {
        let all = ENCODINGS.len() * self.seeds;
        [all, self.shown().finished.len().min(all)]
    }

    /// Returns the number of positions that occur in training, from 0 on.
    fn seen(&self) -> usize {
        let last_start = if self.random { LAST_START } else { 0 };
        last_start + TRAINED
    }

    fn total(&self) -> usize {
        STEPS * self.count()[0]
    }

    fn taken(&self) -> usize {
        self.shown().taken()
    }

    /// Returns the step count at which training stops.
    fn end(&self) -> usize {
        self.steps.min(self.total())
    }

    fn progress(&self) -> Progress {
        let [all, over] = self.count();
        Progress {
            taken: self.taken(),
            total: self.total(),
            is_running: self.taken() < self.end(),
            is_done: over == all,
        }
    }
}

choices! {
    enum Seeds {
        Three = 3 "3" "3" "3";
        Five = 5 "5" "5" "5";
        Ten = 10 "10" "10" "10";
    }
}

fields! {
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (1, 15));
    RANDOM: bool = Key::toggle("random", "Random starts", "随机起点", false);
    GHOST: bool = Key::toggle("ghost", "Finished runs, faint", "淡淡画出训练的结果", true).under_more();
    SEEDS: Seeds = Key::choice("seeds", "Seeds", "种子数").under_more();
    STOP: i64 = training::stop::<{ STEPS * ENCODINGS.len() * 10 }>();
}

impl Figure for LabLength {
    const NAME: ViewName = ViewName::LabLength;
    const FIELDS: &'static [Field] = FIELDS;
    const SHOWS_PROGRESS: bool = true;

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<LabLength>) -> LabLength {
        let (k, steps) = (values.count(K), values.count(STOP));
        let random = values.get(RANDOM);
        // The two settings share the step count: only one that is set, by itself, to the past restarts them.
        let runs = previous.filter(|old| {
            let is_set = old.random == random && old.steps != steps;
            old.k == k && !(is_set && old.taken() > steps)
        });
        let mut it = LabLength {
            lang,
            ghost: values.get(GHOST),
            k,
            random,
            seeds: values.get(SEEDS) as usize,
            steps,
            runs: runs.map(|old| old.runs).unwrap_or_default(),
        };
        // Only the setting that is shown keeps the weights of its current run.
        it.runs[usize::from(!random)].current = None;
        it
    }

    fn title(&self) -> Text {
        let known = self.finished_run(0).is_some() || self.progress().is_done;
        match (known, self.k, self.random) {
            (true, 3, false) => Text::new(
                "Four times as long, all learners fade",
                "长到四倍，学会的都退步",
            ),
            (true, 3, true) => Text::new(
                "Positions met in training carry over",
                "训练时见过的位置才用得上",
            ),
            _ => Self::NAME.title(),
        }
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
        self.progress().act(action, STOP, values);
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Plan::height(self, width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(self, context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    /// A row per length, a column per run.
    fn measurements(&self) -> Option<Measurements> {
        let runs = ENCODINGS
            .iter()
            .flat_map(|encoding| self.shown().of(*encoding, self.seeds));
        let runs: Vec<&Outcome> = runs.collect();
        let name = |run: &&Outcome| format!("{} seed {}", run.encoding.name(), run.seed);
        let row = |(index, length): (usize, usize)| {
            let accuracies = runs.iter().map(|run| run.accuracies[index]);
            [length as f64].into_iter().chain(accuracies).collect()
        };
        let parameters = [
            ("task", "copy".to_string()),
            ("k", self.k.to_string()),
            ("steps", STEPS.to_string()),
            ("trained_length", TRAINED.to_string()),
            ("last_start", (self.seen() - TRAINED).to_string()),
        ];
        let columns = ["length".to_string()].into_iter();
        (!runs.is_empty()).then(|| Measurements {
            parameters: parameters.to_vec(),
            columns: columns.chain(runs.iter().map(name)).collect(),
            rows: LENGTHS.into_iter().enumerate().map(row).collect(),
        })
    }

    fn work(&mut self) -> bool {
        let (k, random, end) = (self.k, self.random, self.end());
        let runs = &mut self.runs[usize::from(random)];
        let left = end.saturating_sub(runs.taken());
        if let Some(run) = &mut runs.current
            && run.trainer.step() == STEPS
        {
            if let Some(outcome) = run.test() {
                runs.finished.push(outcome);
                runs.current = None;
            }
            return true;
        }
        if left == 0 {
            return false;
        }
        let index = runs.finished.len();
        let run = runs.current.get_or_insert_with(|| {
            let seed = 1 + (index / ENCODINGS.len()) as u64;
            CurrentRun::new(k, ENCODINGS[index % ENCODINGS.len()], seed, random)
        });
        run.train(left.min(SLICE).min(STEPS - run.trainer.step()));
        true
    }

    /// `length_median(panel, random, k, length)`, `length_worst(…)` and `length_best(…)`: accuracies over three seeds of the
    /// encoding of a panel, counted from 0, with (1) or without (0) random starts.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        use crate::figures::learning::once_map::OnceMap;
        static TRAINED: OnceMap<[usize; 3], Vec<[f64; LENGTHS.len()]>> = OnceMap::new();
        let which = ["length_worst", "length_median", "length_best"];
        let which = which.iter().position(|known| *known == name)?;
        let [panel, random, k, length] = *<&[f64; 4]>::try_from(arguments).ok()?;
        let index = LENGTHS.iter().position(|known| *known as f64 == length)?;
        let key = [panel, random, k].map(|argument| argument as usize);
        let runs = TRAINED.get_or_init(key, || {
            let of_seed = |seed| {
                let mut run = CurrentRun::new(key[2], ENCODINGS[key[0]], seed, key[1] == 1);
                run.train(STEPS);
                loop {
                    if let Some(outcome) = run.test() {
                        return outcome.accuracies;
                    }
                }
            };
            (1..=3).map(of_seed).collect()
        });
        let mut accuracies: Vec<f64> = runs.iter().map(|run| run[index]).collect();
        accuracies.sort_by(f64::total_cmp);
        Some(accuracies[which])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Persistence;
    use posenc_lab::{Trainer, TrainerConfig};

    fn shown(changes: &str) -> (LabLength, Values) {
        let values = Values::with(LabLength::FIELDS, changes);
        (LabLength::new(&values, Lang::En, None), values)
    }

    fn work(figure: &mut LabLength) -> usize {
        (0..).take_while(|_| figure.work()).count()
    }

    #[test]
    fn the_faint_curves_are_medians_of_finished_runs() {
        let of = |random: usize, panel: usize, length: usize| {
            let arguments = [panel, random, 3, length].map(|number| number as f64);
            let median = LabLength::lesson_number("length_median", &arguments);
            (100.0 * median.unwrap()).round() as u8
        };
        let of_panel = |random, panel| LENGTHS.map(|length| of(random, panel, length));
        let seen = [0, 1].map(|random| std::array::from_fn(|panel| of_panel(random, panel)));
        assert_eq!(seen, FINISHED);
    }

    #[test]
    fn nothing_is_trained_before_it_is_started() {
        let (mut figure, values) = shown("");
        assert_eq!((work(&mut figure), figure.taken()), (0, 0));
        assert!(figure.shown().current.is_none() && !figure.progress().is_running);
        assert_eq!(values.get(STOP), 0);
        let steps = LabLength::FIELDS.iter().find(|it| it.name == "steps");
        let persistence = steps.map(|field| field.persistence);
        assert_eq!(persistence, Some(Persistence::Session));
    }

    #[test]
    fn paused_it_goes_on_from_there_and_keeps_the_weights_of_one_run() {
        let (figure, mut values) = shown("");
        figure.act("run", "", &mut values);
        let mut figure = LabLength::new(&values, Lang::En, Some(figure));
        assert!(figure.progress().is_running);
        for _ in 0..130 {
            assert!(figure.work());
        }
        let taken = figure.taken();
        assert!(figure.shown().finished.len() == 1 && taken > STEPS);
        figure.act("run", "", &mut values);
        let mut figure = LabLength::new(&values, Lang::Zh, Some(figure));
        assert_eq!((work(&mut figure), figure.taken()), (0, taken));
        figure.act("run", "", &mut values);
        let mut figure = LabLength::new(&values, Lang::En, Some(figure));
        assert!(figure.work() && figure.taken() == taken + SLICE);
        let each = |it: &LabLength| it.runs.each_ref().map(Runs::taken);
        // The other setting starts from step 0; of this one, finished runs are kept, without weights.
        values.set_to(RANDOM, true);
        let mut figure = LabLength::new(&values, Lang::En, Some(figure));
        assert_eq!(each(&figure), [STEPS, 0]);
        assert!(figure.work() && figure.shown().current.is_some());
        assert!(figure.runs[0].current.is_none());
        figure.act("again", "", &mut values);
        let mut figure = LabLength::new(&values, Lang::En, Some(figure));
        assert_eq!(each(&figure), [0, 0]);
        assert!(!figure.work());
    }

    #[test]
    fn what_is_trained_is_kept_while_the_other_setting_is_paused() {
        let (mut figure, mut values) = shown("steps=2400");
        work(&mut figure);
        values.set_to(RANDOM, true);
        let mut figure = LabLength::new(&values, Lang::En, Some(figure));
        assert!(figure.work() && figure.taken() < STEPS);
        figure.act("run", "", &mut values);
        values.set_to(RANDOM, false);
        let mut figure = LabLength::new(&values, Lang::En, Some(figure));
        // Nor does another change drop it, once the setting is back.
        values.set_to(GHOST, false);
        for lang in [Lang::Zh, Lang::En] {
            figure = LabLength::new(&values, lang, Some(figure));
            assert_eq!((figure.taken(), figure.work()), (2400, false));
        }
        figure.act("again", "", &mut values);
        assert_eq!(LabLength::new(&values, Lang::En, Some(figure)).taken(), 0);
    }

    /// Returns the figure after the six runs of seed 1.
    fn of_one_seed(changes: &str) -> LabLength {
        let (mut figure, _) = shown(&format!("{changes} steps=2400"));
        work(&mut figure);
        assert_eq!(figure.shown().finished.len(), 6);
        assert!(figure.shown().current.is_none() && !figure.progress().is_running);
        figure
    }

    /// Returns the accuracies of the only run of an encoding.
    fn only(figure: &LabLength, encoding: Encoding) -> [f64; LENGTHS.len()] {
        let mut outcomes = figure.shown().of(encoding, 3);
        let outcome = outcomes.next().expect("it has been trained").accuracies;
        assert!(outcomes.next().is_none());
        outcome
    }

    #[test]
    fn a_run_is_that_of_the_command_line_however_it_is_sliced() {
        let figure = of_one_seed("k=5 random=on");
        for encoding in ENCODINGS {
            let mut config = TrainerConfig::copy(5, encoding, 1);
            config.last_start = 99;
            let mut trainer = Trainer::new(config);
            for _ in 0..STEPS {
                trainer.advance();
            }
            let accuracy = |length| trainer.evaluate(length, 0).unwrap().accuracy;
            let found = only(&figure, encoding);
            for (found, wanted) in found.into_iter().zip(LENGTHS.map(accuracy)) {
                assert!((found - wanted).abs() < 1e-12, "{encoding:?}");
            }
        }
    }

    #[test]
    fn starts_that_are_random_help_what_sees_positions() {
        let [from_0, random] = ["", "random=on"].map(of_one_seed);
        for encoding in ENCODINGS {
            let [before, after] = [&from_0, &random].map(|it| only(it, encoding)[4]);
            match encoding {
                Encoding::Sinusoidal | Encoding::Learned => {
                    assert!(
                        before < 0.5 && after > 0.8,
                        "{encoding:?}: {before}, {after}"
                    );
                }
                // Rounding of RoPE's sines and cosines depends on the positions.
                _ => assert!(
                    (before - after).abs() < 0.02,
                    "{encoding:?}: {before}, {after}"
                ),
            }
        }
        let [from_0, random] = [&from_0, &random].map(LabLength::seen);
        assert_eq!((from_0, random), (32, 131));
    }

    #[test]
    fn a_spread_is_the_worst_the_median_and_the_best() {
        let outcome = |seed, accuracy| Outcome {
            encoding: Encoding::T5,
            seed,
            accuracies: [accuracy; LENGTHS.len()],
        };
        let runs = Runs {
            finished: vec![
                outcome(1, 0.5),
                outcome(2, 0.9),
                outcome(3, 0.6),
                outcome(4, 0.0),
            ],
            current: None,
        };
        let spread = |seeds| runs.spread(Encoding::T5, seeds);
        let of = |it: Spread| (it.worst[0], it.median[0], it.best[0]);
        assert_eq!(spread(3).map(of), Some((0.5, 0.6, 0.9)));
        assert_eq!(spread(4).map(of), Some((0.0, 0.55, 0.9)));
        assert!(runs.spread(Encoding::None, 3).is_none());
    }
}
