//! Fields, buttons and measurements shared by the training figures. The field `steps` is the step count at which
//! training stops; the buttons set it.

use crate::draw::chart::Chart;
use crate::draw::{Pen, TextStyle, Theme};
use crate::field::{Choice, ChoiceLabel, Key, Values, encoding_name};
use crate::figure::Measurements;
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use posenc_encoding::Encoding;
use posenc_lab::{Score, Task, TrainerConfig};

pub(super) const BACK_TO_STEP_0: Text = Text::new("Back to step 0", "回到第 0 步");
pub(super) const FROM_THE_BEGINNING: Text = Text::new("From the beginning", "从头再来");

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
        let step = Text::new("One step", "走一步").get(lang);
        html::button("step", "", step).flag("disabled", self.is_running)
    }

    /// Returns the row of controls: start, pause or continue; reset, labelled `again`; further buttons of the figure between
    /// these two and after them; a progress bar; and `count`, the progress in words.
    pub fn buttons(
        self,
        lang: Lang,
        again: Text,
        [between, after]: [Option<Node>; 2],
        count: String,
    ) -> Node {
        let again = html::button("again", "", again.get(lang));
        let run = match self.taken {
            _ if self.is_running => Text::new("Pause", "暂停"),
            0 => Text::new("Start learning", "开始学习"),
            _ => Text::new("Go on", "继续"),
        };
        let mut row = Vec::new();
        if self.is_done {
            row.push(again.class("primary"));
        } else {
            row.push(html::button("run", "", run.get(lang)).class("primary"));
            row.extend(between);
            row.push(again.flag("disabled", self.taken == 0));
        }
        row.extend(after);
        let progress = Node::new("progress", Vec::new())
            .attribute("max", self.total.to_string())
            .attribute("value", self.taken.min(self.total).to_string())
            .attribute(
                "aria-label",
                Text::new("Steps taken", "已完成的步数").get(lang),
            );
        row.extend([progress, html::words(count)]);
        html::div("row", row)
    }
}

/// Returns the button that selects the next seed.
pub(super) fn seed_button(lang: Lang) -> Node {
    html::button("seed", "", Text::new("Another seed", "换个种子").get(lang))
}

/// Returns the progress in words: "3 of 400 steps".
pub(super) fn count_of_steps(lang: Lang, progress: Progress) -> String {
    let Progress { taken, total, .. } = progress;
    match lang {
        Lang::En => format!("{taken} of {total} steps"),
        Lang::Zh => format!("{taken} / {total} 步"),
    }
}

/// Steps between the values of a finished run.
pub(super) const GHOST_STEPS: usize = 20;

/// Draws the curve of a finished run faintly: its values at every [`GHOST_STEPS`]th step, in percent of the chart's
/// height. So a training chart is not empty before the start, and shows where it leads.
pub(super) fn draw_ghost(pen: &Pen, theme: &Theme, chart: &Chart, percents: &[u8]) {
    let (_, high) = chart.y.domain();
    let points = percents.iter().enumerate().map(|(index, percent)| {
        let step = (index * GHOST_STEPS) as f64;
        chart.at((step, 0.01 * f64::from(*percent) * high))
    });
    let points: Vec<_> = points.collect();
    pen.faint_line(&points, theme.muted, 0.45, 1.4 * theme.stroke());
}

/// Names that curve, below the end that a curve of accuracy has, if there is room.
pub(super) fn name_ghost(pen: &Pen, theme: &Theme, chart: &Chart, lang: Lang) {
    let size = theme.label_size();
    let style = TextStyle::new(theme.reduced(0.9), theme.muted).align_right();
    let words = Text::new("a finished run", "一次完整的训练").get(lang);
    // Below the grid line in the middle.
    let at = (
        chart.plot.right() - 0.4 * size,
        chart.plot.centre_y() + 0.8 * size,
    );
    if style.width(words) < 0.55 * chart.plot.width {
        pen.text(at, words, style);
    }
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

/// The values of a run that [`draw_ghost`] draws, in a chart of this height.
#[cfg(test)]
pub(super) fn percents(values: impl Iterator<Item = f64>, high: f64) -> Vec<u8> {
    let values = values.step_by(GHOST_STEPS);
    values
        .map(|value| (100.0 * value / high).round() as u8)
        .collect()
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
