//! What the training figures share: a run that is trained in slices, its fields, buttons, curve and measurements. The
//! field `steps` is the step count at which training stops; the buttons set it.

use crate::draw::chart::Chart;
use crate::draw::{Pen, Theme};
use crate::field::{Choice, ChoiceLabel, Key, Values, encoding_name};
use crate::figure::Measurements;
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use posenc_encoding::Encoding;
use posenc_lab::{Score, TOKENS, Task, Trainer, TrainerConfig};

pub(super) const STEP: Text = Text::new("training steps", "训练步数");
pub(super) const ACCURACY: Text = Text::new("accuracy", "准确率");
/// What the colours of an attention map measure.
pub(super) const WEIGHT: Text = Text::new("weight", "权重");
pub(super) const GUESSING: Text = Text::new("guessing", "随机猜测");
pub(super) const BACK_TO_STEP_0: Text = Text::new("Back to step 0", "回到第 0 步");
pub(super) const FROM_THE_BEGINNING: Text = Text::new("From the beginning", "从头再来");

/// What single layers with RoPE have besides.
pub(super) const CONSTANT: Text = Text::new(
    "With RoPE a learned vector is added to every embedding, as a part of query and key that does not depend on the token.",
    "用 RoPE 时，每个词嵌入还加上一个学到的向量，作为查询和键中与词元无关的部分。",
);

/// Accuracy of random guessing.
pub(super) const CHANCE: f64 = 1.0 / TOKENS as f64;
/// Accuracy from which a task counts as learned.
pub(super) const LEARNED: f64 = 0.99;

pub(super) const LAST_SEED: i64 = 999;

/// Returns an encoding as a choice of a field. That field is not named `encoding`, since the bench has a field of this
/// name without some of these choices.
pub(super) const fn choice(encoding: Encoding) -> ChoiceLabel {
    (encoding.name(), encoding_name(encoding))
}

impl Choice for posenc_lab::Encoding {
    const ALL: &'static [posenc_lab::Encoding] = &[
        posenc_lab::Encoding::Sinusoidal,
        posenc_lab::Encoding::Learned,
        posenc_lab::Encoding::Rope,
        posenc_lab::Encoding::Alibi,
        posenc_lab::Encoding::T5,
        posenc_lab::Encoding::None,
    ];
    const LABELS: &'static [ChoiceLabel] = &[
        choice(Encoding::Sinusoidal),
        choice(Encoding::Learned),
        choice(Encoding::Rope),
        choice(Encoding::Alibi),
        choice(Encoding::T5),
        choice(Encoding::None),
    ];
}

pub(super) const SEED: Key<i64> =
    Key::whole("seed", "seed", "种子", 1, |_| (1, LAST_SEED)).without_control();

/// The field that training runs up to, in steps: it restarts if more steps have already been taken.
pub(super) const fn stop<const TOTAL: usize>() -> Key<i64> {
    Key::whole("steps", "steps", "步数", 0, |_| (0, TOTAL as i64)).session()
}

/// A training run that a figure takes in slices of a few steps. `T` is what else the figure keeps of the run.
pub(super) struct Run<T = ()> {
    pub trainer: Trainer,
    /// The score of each step, measured before the step.
    pub scores: Vec<Score>,
    /// The score on held-out sequences.
    pub now: Score,
    pub kept: T,
    /// The step count at which training stops, and that at which it is complete.
    stop: usize,
    total: usize,
}

impl<T: Default> Run<T> {
    pub fn new(config: TrainerConfig, total: usize) -> Run<T> {
        let trainer = Trainer::new(config);
        Run {
            scores: Vec::with_capacity(total),
            now: held_out(&trainer),
            kept: T::default(),
            stop: 0,
            total,
            trainer,
        }
    }

    /// Continues the previous run up to `stop`, or begins another if the configuration differs or that is in the past.
    pub fn resumed(
        previous: Option<Run<T>>,
        config: TrainerConfig,
        [stop, total]: [usize; 2],
    ) -> Run<T> {
        let previous = previous.filter(|run| *run.config() == config && run.taken() <= stop);
        let run = previous.unwrap_or_else(|| Run::new(config, total));
        Run { stop, ..run }
    }
}

impl<T> Run<T> {
    pub fn config(&self) -> &TrainerConfig {
        self.trainer.config()
    }

    pub fn taken(&self) -> usize {
        self.trainer.step()
    }

    /// The number of steps until it stops.
    pub fn left(&self) -> usize {
        self.stop.saturating_sub(self.taken())
    }

    pub fn take(&mut self, steps: usize) {
        for _ in 0..steps {
            self.scores.push(self.trainer.advance());
        }
        self.now = held_out(&self.trainer);
    }

    pub fn progress(&self) -> Progress {
        Progress {
            taken: self.taken(),
            total: self.total,
            is_running: self.left() > 0,
            is_done: self.taken() == self.total,
        }
    }

    pub fn has_learned(&self) -> bool {
        self.now.accuracy >= LEARNED
    }

    /// The accuracies after 0, 1, 2 … steps.
    pub fn accuracies(&self) -> impl Iterator<Item = f64> {
        let scores = self.scores.iter().chain([&self.now]);
        scores.map(|score| score.accuracy)
    }

    /// Loss and accuracy of every step taken, if there is one.
    pub fn measurements(&self) -> Option<Measurements> {
        let curve = || learning_curve(self.config(), &self.scores);
        (!self.scores.is_empty()).then(curve)
    }
}

/// Returns the score on held-out sequences of the training task.
fn held_out(trainer: &Trainer) -> Score {
    let score = trainer.evaluate(trainer.config().length, 0);
    score.expect("the model covers its length")
}

/// The progress of a training figure, in steps.
#[derive(Clone, Copy)]
pub(super) struct Progress {
    pub taken: usize,
    pub total: usize,
    pub is_running: bool,
    /// Training and tests are complete: it can only be restarted.
    pub is_done: bool,
}

impl Progress {
    /// Applies the action of a training button to the values. `stop` is the step count at which training stops.
    pub fn act(self, action: &str, stop: Key<i64>, values: &mut Values) {
        match action {
            "run" if self.is_running => values.set_to(stop, self.taken as i64),
            "run" => values.set_to(stop, self.total as i64),
            "step" => values.set_to(stop, self.taken as i64 + 1),
            "again" => values.set_to(stop, 0),
            "seed" => values.set_to(SEED, values.get(SEED) % LAST_SEED + 1),
            _ => {}
        }
    }

    /// Returns the button that takes one step.
    pub fn step_button(self, lang: Lang) -> Node {
        html::button("step", "", Text::new("One step", "走一步").get(lang))
    }

    /// Returns the row of controls: start, pause or continue; `step`, while it waits; reset, labelled `again`, once there is
    /// something to begin again; a progress bar; and `count`, the progress in words.
    pub fn buttons(self, lang: Lang, again: Text, step: Option<Node>, count: String) -> Node {
        let again = html::button("again", "", again.get(lang));
        let mut row = Vec::new();
        if self.is_done {
            row.push(again.class("primary"));
        } else {
            row.push(self.run_button(lang, Text::new("Pause", "暂停")));
            row.extend(step.filter(|_| !self.is_running));
            row.extend((self.taken > 0).then_some(again));
        }
        row.extend([self.bar(lang), html::words(count)]);
        html::div("row", row)
    }

    /// Returns the button that starts, interrupts and continues; `pause` is its label while training runs.
    pub fn run_button(self, lang: Lang, pause: Text) -> Node {
        let label = match self.taken {
            _ if self.is_running => pause,
            0 => Text::new("Start learning", "开始学习"),
            _ => Text::new("Go on", "继续"),
        };
        html::button("run", "", label.get(lang)).class("primary")
    }

    /// Returns the progress in words: "3 of 400 steps".
    pub fn count(self, lang: Lang) -> String {
        let Progress { taken, total, .. } = self;
        match lang {
            Lang::En => format!("{taken} of {total} steps"),
            Lang::Zh => format!("{taken} / {total} 步"),
        }
    }

    pub fn bar(self, lang: Lang) -> Node {
        Node::new("progress", Vec::new())
            .attribute("max", self.total.to_string())
            .attribute("value", self.taken.min(self.total).to_string())
            .attribute(
                "aria-label",
                Text::new("Steps taken", "已完成的步数").get(lang),
            )
    }
}

/// Returns the button that selects the next seed.
pub(super) fn seed_button(lang: Lang) -> Node {
    html::button("seed", "", Text::new("Another seed", "换个种子").get(lang))
}

/// Returns the parameters of a run as names and values.
pub(super) fn parameters(config: &TrainerConfig) -> Vec<(&'static str, String)> {
    let mut parameters = vec![("task", config.task.name().to_string())];
    match config.task {
        Task::Copy { k } => parameters.push(("k", k.to_string())),
        Task::Induction {
            periods: (first, last),
            distinct,
        } => {
            parameters.push(("periods", format!("{first}-{last}")));
            parameters.push(("distinct", distinct.to_string()));
        }
    }
    parameters.extend([
        ("encoding", config.model.encoding.name().to_string()),
        ("seed", config.seed.to_string()),
        ("d_model", config.model.d_model.to_string()),
    ]);
    parameters
}

/// Returns loss (nats) and accuracy (0 … 1) of every step taken.
pub fn learning_curve(config: &TrainerConfig, scores: &[Score]) -> Measurements {
    let rows = (1..).zip(scores);
    let row = |(step, score): (u32, &Score)| vec![f64::from(step), score.loss, score.accuracy];
    Measurements {
        parameters: parameters(config),
        columns: ["step", "loss", "accuracy"].map(String::from).to_vec(),
        rows: rows.map(row).collect(),
    }
}

/// Draws values by step, with a dot at the last one.
pub(super) fn draw_curve(
    pen: &Pen,
    theme: &Theme,
    chart: &Chart,
    values: impl Iterator<Item = f64>,
    colour: RGBColor,
) {
    let points = values.enumerate();
    let points: Vec<_> = points.map(|(at, value)| (at as f64, value)).collect();
    chart.dots(pen, points.last().copied(), colour, 2.0 * theme.stroke());
    chart.curve(pen, points, colour, theme.stroke());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_described_by_its_settings() {
        let copy = TrainerConfig::copy(3, posenc_lab::Encoding::Rope, 17);
        let expected = [
            ("task", "copy"),
            ("k", "3"),
            ("encoding", "rope"),
            ("seed", "17"),
            ("d_model", "32"),
        ];
        assert_eq!(
            parameters(&copy),
            expected.map(|(name, value)| (name, value.into()))
        );

        let induction = TrainerConfig::induction((4, 12), posenc_lab::Encoding::Alibi, 5);
        let expected = [
            ("task", "induction"),
            ("periods", "4-12"),
            ("distinct", "true"),
            ("encoding", "alibi"),
            ("seed", "5"),
            ("d_model", "32"),
        ];
        assert_eq!(
            parameters(&induction),
            expected.map(|(name, value)| (name, value.into()))
        );
    }

    #[test]
    fn the_curve_has_a_row_for_every_step() {
        let scores = [(3.5, 0.125), (2.25, 0.5)].map(|(loss, accuracy)| Score { loss, accuracy });
        let config = TrainerConfig::copy(3, posenc_lab::Encoding::Rope, 17);
        let curve = learning_curve(&config, &scores);
        assert_eq!(curve.columns, ["step", "loss", "accuracy"]);
        assert_eq!(curve.rows, [[1.0, 3.5, 0.125], [2.0, 2.25, 0.5]]);
    }
}
