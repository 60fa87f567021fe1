//! `posenc train`

use super::Failure;
use super::output::Output;
use crate::export;
use crate::figures::learning_curve;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use posenc_lab::{Encoding, PairRotation, Score, Trainer, TrainerConfig};
use std::path::{Path, PathBuf};

/// Trains a small layer of attention to copy the token k positions back
///
/// One layer with one causal head learns it from random sequences of 32 tokens, with one of the encodings of positions;
/// chance is 1/16. It prints how well the layer does on new sequences, as long as those and 2 and 4 times as long, and
/// with a sinusoidal encoding what W_QᵀW_K makes of each pair: M_k turns it by kω. With RoPE a learned vector is added to
/// every embedding, as a part of query and key that does not depend on the token. The same seed gives the same numbers on
/// every machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  posenc train --k 5 --encoding rope --seed 17 --losses rope.csv
  posenc train --encoding sinusoidal --steps 200 --json > sinusoidal.json")]
pub struct Train {
    /// What is learned
    #[arg(long, default_value = "copy", value_parser = ["copy"])]
    task: String,
    /// How many positions back: 1 … 31
    #[arg(long, default_value = "3", allow_negative_numbers = true, value_parser = k)]
    k: usize,
    /// How positions are encoded
    #[arg(long, value_parser = encoding())]
    encoding: Encoding,
    /// Makes the first weights and the sequences: a whole number from 0
    #[arg(long, default_value = "0", allow_negative_numbers = true, value_parser = seed)]
    seed: u64,
    /// Training steps of 16 sequences each: 1 … 100000
    #[arg(long, default_value = "400", allow_negative_numbers = true, value_parser = steps)]
    steps: usize,
    /// Width of the embeddings and the head: an even number from 4 to 256
    #[arg(long, default_value = "32", allow_negative_numbers = true, value_parser = d_model)]
    d_model: usize,
    /// Prints the result as JSON
    #[arg(long)]
    json: bool,
    /// Writes loss and accuracy of every step to this file, as .csv
    #[arg(long, value_name = "FILE")]
    losses: Option<PathBuf>,
}

fn encoding() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name))
        .try_map(|name| Encoding::named(&name).ok_or("no encoding of the lab"))
}

fn k(text: &str) -> Result<usize, &'static str> {
    let k = text.parse().ok().filter(|k| (1..=31).contains(k));
    k.ok_or("a whole number from 1 to 31")
}

fn seed(text: &str) -> Result<u64, &'static str> {
    text.parse()
        .map_err(|_| "a whole number from 0 to 2^64 - 1")
}

fn steps(text: &str) -> Result<usize, &'static str> {
    let steps = text.parse().ok().filter(|it| (1..=100_000).contains(it));
    steps.ok_or("a whole number from 1 to 100000")
}

fn d_model(text: &str) -> Result<usize, &'static str> {
    let d_model = text.parse().ok();
    let d_model = d_model.filter(|it: &usize| (4..=256).contains(it) && it.is_multiple_of(2));
    d_model.ok_or("an even number from 4 to 256")
}

impl Train {
    pub(super) fn write(self) -> Result<(), Failure> {
        if self.losses.as_deref() == Some(Path::new("-")) {
            let message = "the standard output has the result, say the name of a file";
            return Err(Failure::of("train", "--losses", message));
        }
        let mut config = TrainerConfig::copy(self.k, self.encoding, self.seed);
        config.model.d_model = self.d_model;
        config.adam.steps = self.steps;
        let mut trainer = Trainer::new(config);
        let scores: Vec<Score> = (0..self.steps).map(|_| trainer.advance()).collect();
        if let Some(output) = self.losses.clone() {
            let csv = export::csv_of_measurements(&learning_curve(trainer.config(), &scores));
            Output { output }.write(std::iter::once(csv.into_bytes()))?;
        }
        let report = match self.json {
            true => self.report_json(&trainer),
            false => self.report(&trainer),
        };
        let output = "-".into();
        Output { output }.write(std::iter::once(report.into_bytes()))
    }

    fn report_json(&self, trainer: &Trainer) -> String {
        let [score, twice, four_times] = scores(trainer);
        let analysis = trainer.pairs();
        let pairs = analysis.iter().flat_map(|analysis| &analysis.pairs);
        let pairs: Vec<String> = pairs.map(pair_json).collect();
        let loss = or_null(score.map(|score| score.loss));
        let [accuracy, twice, four_times] =
            [score, twice, four_times].map(|score| or_null(score.map(|score| score.accuracy)));
        format!(
            concat!(
                r#"{{"task":"{}","k":{},"encoding":"{}","seed":{},"steps":{},"loss":{},"#,
                r#""accuracy":{},"steps_to_99":{},"at":{{"2x":{},"4x":{}}},"pairs":[{}],"#,
                r#""rotation_share":{}}}"#,
                "\n"
            ),
            self.task,
            self.k,
            self.encoding.name(),
            self.seed,
            self.steps,
            loss,
            accuracy,
            or_null(trainer.steps_to_99()),
            twice,
            four_times,
            pairs.join(","),
            or_null(analysis.map(|analysis| analysis.rotation_share)),
        )
    }

    /// The result as readable text: accuracies in percent, angles in radians.
    fn report(&self, trainer: &Trainer) -> String {
        let Train {
            task,
            k,
            encoding,
            seed,
            steps,
            ..
        } = self;
        let mut report = format!(
            "{task} k={k}, {}, seed {seed}, {steps} steps\n\n",
            encoding.name()
        );
        for (score, name) in scores(trainer).into_iter().zip(["1x", "2x", "4x"]) {
            if let Some(Score { loss, accuracy }) = score {
                let percent = 100.0 * accuracy;
                report += &format!("length {name}   accuracy {percent:5.1} %   loss {loss:.4}\n");
            }
        }
        report += &match trainer.steps_to_99() {
            Some(step) => format!("99 % for the first time in step {step}\n"),
            None => "99 % in no step\n".into(),
        };
        if let Some(analysis) = trainer.pairs() {
            report += "\npair  frequency    angle  expected    error  amplitude\n";
            for it in &analysis.pairs {
                report += &format!(
                    "{:4}  {:9.6}  {:7.3}  {:8.3}  {:7.3}  {:9.3}\n",
                    it.pair, it.frequency, it.angle, it.expected, it.error, it.amplitude
                );
            }
            let share = 100.0 * analysis.rotation_share;
            report += &format!("\nrotations are {share:.1} % of the diagonal blocks of W_QᵀW_K\n");
        }
        report
    }
}

/// The scores on new sequences as long as those of the training, and 2 and 4 times as long.
fn scores(trainer: &Trainer) -> [Option<Score>; 3] {
    let length = trainer.config().length;
    [1, 2, 4].map(|times| trainer.evaluate(times * length, 0))
}

fn pair_json(pair: &PairRotation) -> String {
    format!(
        r#"{{"pair":{},"frequency":{},"angle":{},"expected":{},"error":{},"amplitude":{}}}"#,
        pair.pair, pair.frequency, pair.angle, pair.expected, pair.error, pair.amplitude
    )
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".into(), |value| value.to_string())
}
