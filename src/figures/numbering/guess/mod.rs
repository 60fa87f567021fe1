//! A guessing game: a hidden position, forks that are revealed one by one, and the positions that
//! the revealed phases leave possible.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle};
use crate::math::random::Normals;
use crate::text::Lang;
use crate::text::markup::Node;
use picture::Plan;
use posenc_encoding::{Layout, Sinusoidal};

pub struct Guess {
    lang: Lang,
    pe: Sinusoidal,
    max_len: usize,
    round: i64,
    slow_first: bool,
    revealed: usize,
    tolerance: f64,
    hidden: usize,
    picked: usize,
    answered: bool,
    /// For each revealed fork, in the order of revealing: whether each position is possible by its phase alone.
    fits: Vec<Vec<bool>>,
    /// Whether each position is possible by the phases of all revealed forks.
    possible: Vec<bool>,
}

const PAIRS: usize = 8;

/// The hidden position of a round, seeded by the round's number.
fn hide(round: i64, max_len: usize) -> usize {
    let normal = Normals::seeded(round as u64).next().unwrap_or_default();
    // The later digits of a normal number are almost uniformly distributed.
    (normal.abs() * 1e6) as usize % max_len
}

/// The absolute difference of a pair's phases at two positions, 0 … π.
fn apart(pe: &Sinusoidal, pair: usize, p: usize, q: usize) -> f64 {
    pe.angle(pair, p as i64 - q as i64).abs()
}

/// The positions at which a pair's phase is within the tolerance of that at `hidden`.
fn fitting(pe: &Sinusoidal, pair: usize, hidden: usize, max_len: usize, by: f64) -> Vec<bool> {
    (0..max_len)
        .map(|q| apart(pe, pair, q, hidden) <= by)
        .collect()
}

fn both(all: &mut [bool], one: &[bool]) {
    for (all, one) in all.iter_mut().zip(one) {
        *all &= one;
    }
}

impl Guess {
    /// The pair that is revealed at an index of the order.
    fn pair(&self, place: usize) -> usize {
        if self.slow_first {
            PAIRS - 1 - place
        } else {
            place
        }
    }

    fn possible_count(&self) -> usize {
        self.possible.iter().filter(|&&possible| possible).count()
    }
}

/// The runs of `true`, each as its first index and the index after its last.
fn runs(fits: &[bool]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (position, _) in fits.iter().enumerate().filter(|(_, fits)| **fits) {
        match runs.last_mut() {
            Some((_, end)) if *end == position => *end += 1,
            _ => runs.push((position, position + 1)),
        }
    }
    runs
}

choices! {
    enum ForkOrder {
        SlowFirst "slow" "Slow ones first" "先慢后快";
        FastFirst "fast" "Fast ones first" "先快后慢";
    }
}

fields! {
    ORDER: ForkOrder = Key::choice("order", "Which forks first", "先看哪些音叉").under_more();
    TOLERANCE: f64 = Key::real("tolerance", "Tolerance, rad", "容许误差（弧度）", 0.3, (0.01, 1.0), 2)
        .under_more();
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 256, |_| (8, 2048)).under_more();
    ROUND: i64 = Key::whole("round", "Round", "回合", 1, |_| (1, 9999)).without_control();
    REVEALED: i64 = Key::whole(
        "revealed",
        "Forks revealed",
        "已揭示的音叉",
        1,
        |_| (0, PAIRS as i64),
    )
    .without_control();
    POS: i64 = Key::whole("pos", "position", "位置", 0, |v| (0, v.get(MAX_LEN) - 1)).without_control();
    ANSWERED: bool = Key::toggle("answered", "Answered", "已作答", false).session();
}

impl Figure for Guess {
    const NAME: ViewName = ViewName::Guess;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), None];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<Guess>) -> Guess {
        let max_len = values.count(MAX_LEN);
        let hidden = hide(values.get(ROUND), max_len);
        let mut guess = Guess {
            lang,
            pe: Sinusoidal::new(2 * PAIRS, 10_000.0, Layout::Interleaved),
            max_len,
            round: values.get(ROUND),
            slow_first: values.get(ORDER) == ForkOrder::SlowFirst,
            revealed: values.count(REVEALED),
            tolerance: values.get(TOLERANCE),
            hidden,
            picked: values.count(POS),
            answered: values.get(ANSWERED),
            fits: Vec::new(),
            possible: vec![true; max_len],
        };
        for place in 0..guess.revealed {
            let pair = guess.pair(place);
            let fits = fitting(&guess.pe, pair, hidden, max_len, guess.tolerance);
            both(&mut guess.possible, &fits);
            guess.fits.push(fits);
        }
        guess
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        self.elements_above()
    }

    fn more(&self) -> Option<Node> {
        self.elements_under_more()
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        let revealed = values.get(REVEALED);
        match action {
            "answer" => return values.set_to(ANSWERED, true),
            "reveal" => return values.set_to(REVEALED, revealed + 1),
            "hide" => values.set_to(REVEALED, 0),
            "round" => {
                values.set_to(ROUND, self.round % 9999 + 1);
                values.set_to(REVEALED, 1);
            }
            "step" => {
                let by: i64 = value.parse().unwrap_or_default();
                values.set_to(POS, self.picked as i64 + by);
            }
            _ => return,
        }
        values.set_to(ANSWERED, false);
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        Some(picture::height(theme))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context.frame, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let rows = plan.rows.union(plan.together);
        let positions = Handle::columns(rows, self.max_len, POS);
        vec![positions.sets_toggle(ANSWERED, false)]
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        if key == "Enter" {
            values.set_to(ANSWERED, true);
            return true;
        }
        let meant = crate::figure::arrows(Self::ARROWS, key, shift, values);
        if meant {
            values.set_to(ANSWERED, false);
        }
        meant
    }

    fn bench_settings(&self, values: &Values) -> Vec<(&'static str, String)> {
        let mut settings = values.for_bench();
        settings.insert(0, ("d_model", (2 * PAIRS).to_string()));
        settings
    }

    /// The numbers that texts quote.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        Some(match (name, arguments) {
            // The number of positions that a round's first `forks` forks leave possible; `slow` is 1 or 0.
            ("possible", &[round, len, slow, forks, tolerance]) => {
                guess_of(round, len, slow, forks, tolerance).possible_count() as f64
            }
            ("stretches", &[round, len, slow, forks, tolerance]) => {
                let guess = guess_of(round, len, slow, forks, tolerance);
                runs(&guess.possible).len() as f64
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
fn guess_of(round: f64, len: f64, slow: f64, forks: f64, tolerance: f64) -> Guess {
    let mut values = Values::new(Guess::FIELDS);
    if slow != 1.0 {
        values.set_to(ORDER, ForkOrder::FastFirst);
    }
    values.set_to(MAX_LEN, len as i64);
    values.set_to(ROUND, round as i64);
    values.set_to(REVEALED, forks as i64);
    values.set_to(TOLERANCE, tolerance);
    Guess::new(&values, Lang::En, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn what_is_left_is_what_the_phases_allow() {
        for (order, forks) in [(1.0, 3.0), (0.0, 2.0)] {
            let guess = guess_of(3.0, 256.0, order, forks, 0.2);
            for q in 0..256 {
                let near = |place: usize| {
                    let pair = if order == 1.0 { 7 - place } else { place };
                    let omega = 10_000f64.powf(-(pair as f64) / 8.0);
                    let turn = omega * (q as f64 - guess.hidden as f64);
                    (1.0 - turn.cos()).max(0.0) <= 1.0 - 0.2f64.cos()
                };
                let expected = (0..forks as usize).all(near);
                assert_eq!(guess.possible[q], expected, "{q}");
            }
        }
    }

    #[test]
    fn on_the_bench_the_eight_forks_are_the_pairs_of_sixteen_dimensions() {
        let values = Values::new(Guess::FIELDS);
        let settings = Guess::new(&values, Lang::En, None).bench_settings(&values);
        assert!(settings.contains(&("d_model", "16".to_string())));
    }

    #[test]
    fn slow_forks_leave_one_stretch_and_fast_ones_many() {
        for round in 1..50 {
            let round = f64::from(round);
            let slow = guess_of(round, 256.0, 1.0, 4.0, 0.1);
            assert_eq!(runs(&slow.possible).len(), 1);
            let fast = guess_of(round, 256.0, 0.0, 1.0, 0.1);
            assert!(runs(&fast.possible).len() > 5);
            assert!(fast.possible[fast.hidden] && slow.possible[slow.hidden]);
            let all = guess_of(round, 256.0, 1.0, 8.0, 0.1);
            assert_eq!(runs(&all.possible), [(all.hidden, all.hidden + 1)]);
        }
    }

    #[test]
    fn hiding_places_are_spread_over_the_corridor() {
        let mut quarters = [0; 4];
        for round in 1..=400 {
            quarters[hide(round, 256) / 64] += 1;
        }
        // Four binomials of mean 100, σ = 8.7.
        assert!(
            quarters.iter().all(|&n| (65..135).contains(&n)),
            "{quarters:?}"
        );
    }

    #[test]
    fn an_answer_is_judged_and_gone_with_the_next_pick() {
        let mut values = Values::new(Guess::FIELDS);
        let guess = Guess::new(&values, Lang::En, None);
        assert!(!guess.actions().unwrap().plain().contains("off"));
        values.set_to(POS, guess.hidden as i64);
        guess.act("answer", "", &mut values);
        let right = Guess::new(&values, Lang::En, None);
        assert!(right.actions().unwrap().plain().contains("Right"));
        right.act(
            "step",
            if right.hidden > 0 { "-1" } else { "1" },
            &mut values,
        );
        assert!(!values.get(ANSWERED));
        values.set_to(ANSWERED, true);
        let wrong = Guess::new(&values, Lang::En, None);
        assert!(wrong.result().starts_with("1 position off"));
        wrong.act("round", "", &mut values);
        assert_eq!((values.get(ROUND), values.get(ANSWERED)), (2, false));
    }

    #[test]
    fn phases_are_apart_by_half_a_turn_at_most() {
        let pe = Sinusoidal::new(16, 10_000.0, Layout::Interleaved);
        for k in 0..100 {
            assert!((0.0..=PI + 1e-12).contains(&apart(&pe, 0, k, 0)));
        }
    }
}
