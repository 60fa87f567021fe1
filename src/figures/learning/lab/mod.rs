//! A small attention layer, trained in the page to name the token k positions back, with one of five positional
//! encodings or with none.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{ComputedTable, Figure, Measurements};
use crate::figures::learning::training::{self, Run};
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use picture::Plan;
use posenc_encoding::Matrix;
use posenc_lab::{Encoding, PairAnalysis, Trainer, TrainerConfig};

/// Tokens per sequence.
const LENGTH: usize = 32;
const STEPS: usize = 400;
/// A pair whose amplitude is below this share of the largest counts as noise.
const NOISE: f64 = 0.08;

/// What the figure shows of the model.
struct Seen {
    /// The attention weights of one held-out sequence, queries × keys.
    attention: Matrix<f32>,
    /// Only for the sinusoidal encoding.
    pairs: Option<PairAnalysis>,
}

impl Seen {
    fn new(trainer: &Trainer) -> Seen {
        let attention = trainer.attention(0, LENGTH, 0);
        Seen {
            attention: attention.expect("the model covers its length"),
            pairs: trainer.pairs(),
        }
    }
}

pub struct Lab {
    lang: Lang,
    encoding: Encoding,
    k: usize,
    run: Run,
    seen: Seen,
}

impl Lab {
    /// Returns the steps per frame: about 6 ms on a desktop computer, so that one half as fast stays within 12 ms. With
    /// fewer, a run of a second would be redrawn more often than one can follow.
    fn slice(&self) -> usize {
        match self.run.config().model.d_model {
            0..=32 => 6,
            _ => 1,
        }
    }
}

/// The amplitude below which a pair is noise.
fn noise(analysis: &PairAnalysis) -> f64 {
    NOISE * largest(analysis)
}

/// The largest amplitude.
fn largest(analysis: &PairAnalysis) -> f64 {
    let amplitudes = analysis.pairs.iter().map(|pair| pair.amplitude);
    amplitudes.fold(0.0, f64::max)
}

choices! {
    enum Width {
        D32 = 32 "32" "32" "32";
        D16 = 16 "16" "16" "16";
        D64 = 64 "64" "64" "64";
    }
}

fields! {
    PE: Encoding = Key::choice("pe", "Encoding", "位置编码");
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (1, 15));
    D_MODEL: Width = Key::choice("d_model", "Width", "模型维度").under_more();
    SEED: i64 = training::SEED;
    STOP: i64 = training::stop::<STEPS>();
}

impl Figure for Lab {
    const NAME: ViewName = ViewName::Lab;
    const FIELDS: &'static [Field] = FIELDS;
    const SHOWS_PROGRESS: bool = true;

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<Lab>) -> Lab {
        let encoding = values.get(PE);
        let k = values.count(K);
        let mut config = TrainerConfig::copy(k, encoding, values.count(SEED) as u64);
        config.model.d_model = values.get(D_MODEL) as usize;
        let run = previous.map(|old| old.run);
        let run = Run::resumed(run, config, [values.count(STOP), STEPS]);
        Lab {
            lang,
            encoding,
            k,
            seen: Seen::new(&run.trainer),
            run,
        }
    }

    fn title(&self) -> Text {
        match (self.run.has_learned(), self.run.progress().is_done) {
            (true, _) if self.finds_m_k() => Text::new(
                "The hands have found the wedges of Mₖ",
                "指针转到了 Mₖ 的扇形边上",
            ),
            (true, _) => Text::new("The head has learned to look back", "这个头学会了往回看"),
            (false, true) if self.is_impossible() => Text::new(
                "With this it does not learn to look back",
                "用这种编码，学不会往回看",
            ),
            (false, _) => Self::NAME.title(),
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
        self.run.progress().act(action, STOP, values);
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

    /// The rows of the learned table at the positions of training sequences; `None` for other encodings.
    fn table(&self) -> Option<ComputedTable> {
        let config = self.run.config();
        let d_model = config.model.d_model;
        let rows = self.run.trainer.model().table().get(..LENGTH * d_model)?;
        let parameters = [
            ("encoding", "learned".to_string()),
            ("task", config.task.name().to_string()),
            ("k", self.k.to_string()),
            ("steps", self.run.taken().to_string()),
            ("seed", config.seed.to_string()),
        ];
        Some(ComputedTable {
            table: Matrix {
                positions: LENGTH,
                dimensions: d_model,
                values: rows.iter().map(|value| f64::from(*value)).collect(),
            },
            parameters: parameters.to_vec(),
        })
    }

    fn measurements(&self) -> Option<Measurements> {
        self.run.measurements()
    }

    fn work(&mut self) -> bool {
        let steps = self.run.left().min(self.slice());
        if steps > 0 {
            self.run.take(steps);
            self.seen = Seen::new(&self.run.trainer);
        }
        steps > 0
    }

    /// `lab_error(k)`: mean angle error of the three fastest pairs with seed 1, in radians; `lab_chance()`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        match (name, arguments) {
            ("lab_error", &[k]) => {
                let config = TrainerConfig::copy(k as usize, Encoding::Sinusoidal, 1);
                let mut run = Run::<()>::new(config, STEPS);
                run.take(STEPS);
                run.trainer.pairs().map(|pairs| pairs.fast_error())
            }
            ("lab_chance", []) => Some(training::CHANCE),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> (Lab, Values) {
        let values = Values::with(Lab::FIELDS, changes);
        (Lab::new(&values, Lang::En, None), values)
    }

    fn finished(changes: &str) -> Lab {
        let (mut figure, _) = shown(&format!("{changes} steps=400"));
        let mut slices = 0;
        while figure.work() {
            slices += 1;
        }
        assert_eq!(slices, STEPS.div_ceil(figure.slice()));
        assert!(figure.run.progress().is_done && !figure.run.progress().is_running);
        figure
    }

    #[test]
    fn four_encodings_learn_to_look_three_back_and_two_do_not() {
        for (encoding, learns) in [
            ("sinusoidal", true),
            ("learned", true),
            ("rope", true),
            ("t5", true),
            ("alibi", false),
            ("none", false),
        ] {
            let figure = finished(&format!("pe={encoding}"));
            let score = figure.run.now;
            assert_eq!(figure.run.has_learned(), learns, "{encoding}: {score:?}");
            assert!(learns || score.accuracy < 0.4, "{encoding}: {score:?}");
        }
        assert!(finished("pe=alibi k=1").run.has_learned());
    }

    #[test]
    fn the_title_says_what_the_caption_explains() {
        for changes in [
            "k=1",
            "k=3",
            "k=10",
            "pe=rope k=15 d_model=16",
            "pe=alibi k=1",
            "pe=alibi",
            "pe=none",
        ] {
            let figure = finished(changes);
            let (title, caption) = (figure.title().en, figure.caption());
            let agree = |of_title, of_caption| {
                let both = [title.contains(of_title), caption.contains(of_caption)];
                assert_eq!(both[0], both[1], "{changes}: {title}: {caption}");
            };
            agree("have found the wedges", "turns the pairs as Mₖ does");
            agree("does not learn", "cannot");
        }
    }

    #[test]
    fn the_same_settings_give_the_same_run_however_it_is_cut() {
        let (mut whole, mut values) = shown("d_model=16 steps=12");
        while whole.work() {}
        let (mut figure, _) = shown("d_model=16");
        values.set_to(STOP, 0);
        for step in 1..=12 {
            figure.act("step", "", &mut values);
            assert_eq!(values.get(STOP), step);
            figure = Lab::new(&values, Lang::En, Some(figure));
            assert!(figure.work() && !figure.work());
        }
        assert_eq!(figure.run.scores, whole.run.scores);
        assert_eq!(figure.run.now, whole.run.now);
        assert_eq!(figure.seen.pairs, whole.seen.pairs);
    }

    #[test]
    fn it_waits_for_the_start_pauses_and_goes_on_from_there() {
        let (mut figure, mut values) = shown("pe=rope");
        assert!(!figure.work() && figure.run.accuracies().count() == 1);
        assert!(figure.run.now.accuracy < 0.3);
        figure.act("run", "", &mut values);
        let mut figure = Lab::new(&values, Lang::En, Some(figure));
        assert!(figure.work() && figure.run.progress().is_running);
        figure.act("run", "", &mut values);
        let mut figure = Lab::new(&values, Lang::Zh, Some(figure));
        let slice = figure.slice();
        assert!(!figure.work() && figure.run.taken() == slice);
        let scores = figure.run.scores.clone();
        figure.act("run", "", &mut values);
        let mut figure = Lab::new(&values, Lang::En, Some(figure));
        assert!(figure.work() && figure.run.taken() == 2 * slice);
        assert_eq!(figure.run.scores[..slice], scores);
    }

    #[test]
    fn reset_and_every_other_setting_begin_again() {
        let (mut figure, mut values) = shown("d_model=16 steps=5");
        while figure.work() {}
        let first = figure.run.now;
        figure.act("seed", "", &mut values);
        assert_eq!(values.get(SEED), 2);
        let mut figure = Lab::new(&values, Lang::En, Some(figure));
        assert_eq!(figure.run.taken(), 0);
        while figure.work() {}
        assert!(figure.run.taken() == 5 && figure.run.now != first);
        figure.act("again", "", &mut values);
        let mut figure = Lab::new(&values, Lang::En, Some(figure));
        assert_eq!((figure.run.taken(), figure.work()), (0, false));
        values.set_to(SEED, training::LAST_SEED);
        figure.act("seed", "", &mut values);
        assert_eq!(values.get(SEED), 1);
    }

    #[test]
    fn no_link_says_how_far_it_is() {
        let steps = Lab::FIELDS.iter().find(|field| field.name == "steps");
        let persistence = steps.map(|field| field.persistence);
        assert_eq!(persistence, Some(crate::field::Persistence::Session));
        let (figure, values) = shown("pe=none k=7 steps=9");
        let shared = figure.bench_settings(&values);
        let names: Vec<_> = shared.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["k", "d_model"]);
    }

    #[test]
    fn the_learned_table_can_be_saved_and_only_that() {
        let (mut figure, _) = shown("pe=learned d_model=16 steps=8");
        let untrained = figure.table().expect("it has one").table;
        assert_eq!((untrained.positions, untrained.dimensions), (32, 16));
        while figure.work() {}
        let made = figure.table().expect("it has one");
        assert!(made.parameters.contains(&("steps", "8".into())));
        for position in 0..32 {
            assert_ne!(made.table.row(position), untrained.row(position));
        }
        // The table is the last of the parameters, row-major.
        let parameters = figure.run.trainer.model().parameters();
        let table = &parameters[parameters.len() - 256 * 16..];
        assert_eq!(made.table.at(31, 5), f64::from(table[31 * 16 + 5]));
        for encoding in ["sinusoidal", "rope", "t5", "alibi", "none"] {
            assert!(shown(&format!("pe={encoding}")).0.table().is_none());
        }
    }

    #[test]
    fn slow_pairs_remain_noise() {
        let figure = finished("");
        let pairs = figure.seen.pairs.as_ref().expect("it has pairs");
        let clear = pairs
            .pairs
            .iter()
            .filter(|pair| pair.amplitude >= noise(pairs));
        let clear: Vec<_> = clear.map(|pair| pair.pair).collect();
        assert_eq!(clear, [0, 1, 2]);
        assert!(pairs.fast_error() < 0.15);
        assert!(finished("pe=rope d_model=16").seen.pairs.is_none());
    }
}
