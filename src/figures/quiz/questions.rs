//! The list of the questions.

use crate::figures::quiz::question::{Dice, Question};
use crate::figures::quiz::{axes, dials, indices, meaning, practice, product, shift, table};
use crate::text::Lang;

const QUESTIONS: [fn(&mut Dice) -> Question; COUNT] = [
    table::start,
    table::value,
    table::fastest,
    table::wavelength,
    dials::turn,
    table::norm,
    meaning::swap,
    shift::sine_alone,
    shift::longer,
    meaning::beyond,
    product::decay,
    product::offset,
    dials::back,
    axes::stripes,
    axes::returns,
    axes::looks_back,
    dials::rope,
    dials::interpolated,
    axes::alibi,
    axes::last_bucket,
    indices::scaled,
    indices::trained_rows,
    indices::halves,
    practice::scale,
    indices::patch_below,
    practice::mistake,
];
pub const COUNT: usize = 26;

impl Question {
    /// Question `index`, counted from 0, with the numbers of a seed.
    pub fn new(index: usize, seed: u64, lang: Lang) -> Question {
        let index = index.min(COUNT - 1);
        let state = seed.wrapping_mul(1009).wrapping_add(index as u64);
        QUESTIONS[index](&mut Dice { lang, seed, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;
    use crate::figures::quiz::question::{Answer, apart};
    use crate::figures::quiz::sketch::{Given, Sketch};
    use crate::figures::quiz::table::LONGEST;
    use std::f64::consts::TAU;

    const SEEDS: std::ops::Range<u64> = 1..24;

    fn number(index: usize, seed: u64) -> f64 {
        match Question::new(index, seed, Lang::En).answer {
            Answer::Number { right, .. } | Answer::Mark { right, .. } => right,
            Answer::Choice { .. } => panic!("a choice"),
        }
    }

    fn chosen(index: usize, seed: u64) -> String {
        match Question::new(index, seed, Lang::En).answer {
            Answer::Choice { options, right } => options[right].0.clone(),
            _ => panic!("no choice"),
        }
    }

    /// The numbers in the text of a question.
    fn integers(text: &str) -> Vec<f64> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.')
            .filter_map(|word| word.trim_end_matches('.').parse().ok())
            .collect()
    }

    #[test]
    fn the_first_set_has_the_known_answers() {
        assert_eq!(chosen(0, 1), "[0.00, 1.00, 0.00, 1.00]");
        assert_close(number(1, 1), 0.841_470_984_8, 1e-10);
        assert_eq!(chosen(2, 1), "pair 0");
        assert_close(LONGEST.powf(number(3, 1)), 62.831_85, 1e-4);
        assert_close(number(5, 1), 16.0, 1e-12);
        assert!(chosen(6, 1).ends_with("the words between them"));
        assert_eq!(chosen(7, 1), "No");
        assert!(chosen(8, 1).starts_with("As well"));
        assert!(chosen(9, 1).contains("no such row"));
        assert!(chosen(10, 1).starts_with("It falls at first"));
        assert_eq!(chosen(11, 1), "PE(103)·PE(108)");
    }

    #[test]
    fn every_set_has_the_answer_of_its_own_text() {
        for seed in SEEDS {
            let ask = |index| integers(&Question::new(index, seed, Lang::En).ask);
            if let [_, _, _, pos, dimension] = ask(1)[..] {
                let expected = if dimension == 0.0 {
                    pos.sin()
                } else {
                    pos.cos()
                };
                assert_close(number(1, seed), expected, 1e-12);
            } else {
                panic!("{:?}", ask(1));
            }
            let [_, _, _, pair] = ask(3)[..] else {
                panic!("{:?}", ask(3))
            };
            let expected = TAU * 10_000f64.powf(2.0 * pair / 512.0);
            assert_close(LONGEST.powf(number(3, seed)) / expected, 1.0, 1e-9);
            let [k, pair, _, _, pos, end] = ask(4)[..] else {
                panic!("{:?}", ask(4))
            };
            assert_close(end, pos + k, 0.0);
            let expected = end * 10_000f64.powf(-2.0 * pair / 64.0);
            assert_close(apart(number(4, seed), expected / TAU, true), 0.0, 1e-9);
            let [d, ..] = ask(5)[..] else {
                panic!("{:?}", ask(5))
            };
            assert_close(number(5, seed), (d / 2.0).sqrt(), 1e-12);
            assert!(chosen(6, seed).ends_with("the words between them"));
            assert_eq!(chosen(7, seed), "No");
            assert!(chosen(8, seed).starts_with("As well"));
            assert!(chosen(9, seed).contains("no such row"));
            assert!(chosen(10, seed).starts_with("It falls at first"));
            let [_, p, q, ..] = ask(11)[..] else {
                panic!("{:?}", ask(11))
            };
            let [a, b] = integers(&chosen(11, seed))[..] else {
                panic!("{}", chosen(11, seed))
            };
            assert_close(b - a, q - p, 0.0);
        }
    }

    /// Positions of hands and points, by the formulas with the standard library's functions.
    #[test]
    fn what_is_dragged_ends_where_the_formula_says() {
        for seed in SEEDS {
            let ask = |index| integers(&Question::new(index, seed, Lang::En).ask);
            let turns = |index, angle: f64| apart(number(index, seed), angle / TAU, true);
            let [_, _, pair, _, before] = ask(12)[..] else {
                panic!("{:?}", ask(12))
            };
            let omega = 10_000f64.powf(-2.0 * pair / 64.0);
            assert_close(turns(12, before * omega), 0.0, 1e-9);
            let [d, length] = ask(13)[..] else {
                panic!("{:?}", ask(13))
            };
            let pair = (d / 2.0 * (length / TAU).log10() / 4.0).ceil();
            assert_close(number(13, seed), pair / 256.0, 1e-12);
            assert_close(number(14, seed), 44.0 / 50.0, 1e-12);
            let [back, pos] = ask(15)[..] else {
                panic!("{:?}", ask(15))
            };
            assert_close(number(15, seed), (pos - back) / 63.0, 1e-12);
            let [pair, _, n] = ask(16)[..] else {
                panic!("{:?}", ask(16))
            };
            let Answer::Mark { start, .. } = Question::new(16, seed, Lang::En).answer else {
                panic!("nothing is dragged")
            };
            let turned = n * 10_000f64.powf(-2.0 * pair / 16.0);
            assert_close(turns(16, start * TAU + turned), 0.0, 1e-9);
            let [_, _, _, s, .., m] = ask(17)[..] else {
                panic!("{:?}", ask(17))
            };
            assert_close(turns(17, m / s), 0.0, 1e-9);
            let [slope, drop] = ask(18)[..] else {
                panic!("{:?}", ask(18))
            };
            assert_close(number(18, seed), drop / slope / 32.0, 1e-12);
        }
        for seed in SEEDS {
            let ask = |index| integers(&Question::new(index, seed, Lang::En).ask);
            let [_, _, _, pos, _, tokens] = ask(20)[..] else {
                panic!("{:?}", ask(20))
            };
            assert_close(number(20, seed), pos / (tokens - 1.0), 1e-12);
            let [rows, _, _, one_in] = ask(21)[..] else {
                panic!("{:?}", ask(21))
            };
            assert_close(number(21, seed), 1.0 - 1.0 / one_in, 1e-12);
            assert!(rows > 0.0);
            let [d, _, pair] = ask(22)[..] else {
                panic!("{:?}", ask(22))
            };
            assert_close(number(22, seed), (d / 2.0 + pair) / (d - 1.0), 1e-12);
            assert_close(number(23, seed), 0.5f64.sqrt(), 1e-12);
            let [side, _, _, row, column, here] = ask(24)[..] else {
                panic!("{:?}", ask(24))
            };
            assert_close(here, row * side + column, 0.0);
            assert_close(number(24, seed), (here + side) / (4.0 * side), 1e-12);
            // The table that is shown has the mistake of the right option.
            let question = Question::new(25, seed, Lang::En);
            let Sketch::Strips(strips) = &question.sketch else {
                panic!("no table")
            };
            let shown = |row: usize, column: usize| strips[0].rows[row].1[column];
            let (name, holds) = match &question.answer {
                Answer::Choice { options, right } => match options[*right].0.as_str() {
                    name if name.starts_with("Sine and") => (name, shown(0, 0) == 1.0),
                    name if name.starts_with("Positions") => {
                        (name, (shown(0, 0) - 1f64.sin()).abs() < 1e-12)
                    }
                    name if name.starts_with("The division") => (name, shown(2, 1) == shown(2, 3)),
                    name => (name, (shown(2, 1) - 0.2f64.cos()).abs() < 1e-12),
                },
                _ => panic!("no choice"),
            };
            assert!(holds, "{name}");
        }
        // 8 · 16^(7/8) = 90.5 in the encoder, 16 · 8^(15/16) = 112.4 in the decoder.
        for seed in SEEDS {
            let causal = Question::new(19, seed, Lang::En).ask.contains("decoder");
            let first = if causal { 113.0 } else { 91.0 };
            assert_close(number(19, seed), first / 160.0, 1e-12);
        }
    }

    /// What a question warns of must not be accepted, with whatever numbers it is asked.
    #[test]
    fn no_known_mistake_is_right() {
        for seed in 1..=400 {
            for index in 0..COUNT {
                let question = Question::new(index, seed, Lang::En);
                let mistakes: Vec<Given> = match &question.answer {
                    Answer::Choice { .. } => continue,
                    Answer::Number { traps, .. } => {
                        traps.iter().map(|(trap, _)| Given::Number(*trap)).collect()
                    }
                    Answer::Mark { traps, .. } => {
                        traps.iter().map(|(trap, _)| Given::Mark(*trap)).collect()
                    }
                };
                for (i, mistake) in mistakes.into_iter().enumerate() {
                    assert!(
                        !question.answer.is_right(mistake),
                        "question {index}, seed {seed}, mistake {i}: {}",
                        question.ask
                    );
                }
            }
        }
    }

    #[test]
    fn half_of_the_questions_are_dragged() {
        let dragged = (0..COUNT).filter(|index| {
            matches!(
                Question::new(*index, 1, Lang::En).answer,
                Answer::Mark { .. }
            )
        });
        assert!(2 * dragged.count() >= COUNT);
    }

    #[test]
    fn exactly_one_option_is_right_and_the_others_say_why_not() {
        for seed in SEEDS {
            for index in 0..COUNT {
                for lang in [Lang::En, Lang::Zh] {
                    let question = Question::new(index, seed, lang);
                    match &question.answer {
                        Answer::Choice { options, right } => {
                            for (i, (words, why)) in options.iter().enumerate() {
                                assert_eq!(question.answer.is_right(Given::Choice(i)), i == *right);
                                assert!(i == *right || !why.is_empty(), "{words}");
                                let twins = options.iter().filter(|other| other.0 == *words);
                                assert_eq!(twins.count(), 1, "{words}");
                            }
                        }
                        Answer::Number { right, traps, .. } => {
                            assert!(question.answer.is_right(Given::Number(*right)));
                            assert!(!question.answer.is_right(Given::Number(right + 0.2)));
                            assert!(!traps.is_empty());
                        }
                        Answer::Mark { right, start, .. } => {
                            assert!(question.answer.is_right(Given::Mark(*right)));
                            assert!(
                                !question.answer.is_right(Given::Mark(*start)),
                                "{}",
                                question.ask
                            );
                        }
                    }
                }
            }
        }
    }
}
