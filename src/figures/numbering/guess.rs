//! Guess where you are: a hidden position, forks revealed one by one, and the positions that the
//! revealed phases leave possible.

use crate::draw::chart::cell_rect;
use crate::draw::pen::tag_width;
use crate::draw::{DrawContext, DrawResult, Frame, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle};
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{angle, fixed, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::within_turn;
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
    /// By revealed fork, in their order: whether it alone leaves each position possible.
    fits: Vec<Vec<bool>>,
    /// What all revealed forks together leave possible.
    possible: Vec<bool>,
}

const PAIRS: usize = 8;

const TOGETHER: Text = Text::new("together", "合起来");
const YOUR_PICK: Text = Text::new("your pick", "你的选择");
const HIDDEN: Text = Text::new("hidden", "藏身处");

/// In units of the type size: a fork's row, and what stands above, beside and below the rows.
mod em {
    pub const ROW: f64 = 2.1;
    pub const TITLE: f64 = 2.0;
    pub const NAMES: f64 = 7.4;
    pub const TOGETHER: f64 = 3.0;
    pub const BELOW: f64 = 6.1;
}

struct Plan {
    /// The rows of all forks; those not yet revealed are empty.
    rows: Rect,
    together: Rect,
}

impl Plan {
    fn new(frame: Frame, size: f64) -> Plan {
        let rows = Rect::new(
            em::NAMES * size,
            em::TITLE * size,
            (frame.width - (em::NAMES + 1.0) * size).max(1.0),
            PAIRS as f64 * em::ROW * size,
        );
        let together = rows.down(rows.bottom() + 0.6 * size, em::TOGETHER * size);
        Plan { rows, together }
    }
}

/// Where somebody is in a round: any of the positions, the same for everybody.
fn hide(round: i64, max_len: usize) -> usize {
    let normal = Normals::seeded(round as u64).next().unwrap_or_default();
    // Its later digits are as good as evenly spread.
    (normal.abs() * 1e6) as usize % max_len
}

/// How far apart two phases of a pair are: 0 … π.
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

/// Runs of true, as first and past the last.
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

impl Guess {
    /// The pair that is revealed at a place in the order.
    fn pair(&self, place: usize) -> usize {
        if self.slow_first {
            PAIRS - 1 - place
        } else {
            place
        }
    }

    fn left(&self) -> usize {
        self.possible.iter().filter(|&&possible| possible).count()
    }

    fn position(&self, place: Rect, position: usize) -> Rect {
        cell_rect(place, (1, self.max_len), 0, position)
    }

    /// Bars where positions are possible.
    fn bars<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        row: Rect,
        fits: &[bool],
        strong: bool,
    ) -> DrawResult<DB> {
        let theme = context.theme;
        pen.fill(row, theme.rule, 0.45)?;
        let colour = if strong { theme.there } else { theme.accent };
        for (first, end) in runs(fits) {
            let (left, right) = (self.position(row, first).x, self.position(row, end).x);
            // No narrower than can be seen.
            let bar = row.across(left, (right - left).max(1.5));
            pen.fill(bar, colour, if strong { 1.0 } else { 0.75 })?;
        }
        Ok(())
    }

    fn place<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        place: usize,
        row: Rect,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (pair, middle) = (self.pair(place), row.centre_y());
        let known = self.fits.get(place);
        let ink = if known.is_some() {
            theme.ink
        } else {
            theme.muted
        };
        let name = labels::pair_tag(self.lang, pair);
        let words = Words::new(size, ink).starting();
        pen.words((0.4 * size, middle), &name, words)?;
        let (centre, radius) = ((row.x - 1.4 * size, middle), 0.8 * size);
        pen.ring(centre, radius, theme.muted, theme.hairline())?;
        let Some(fits) = known else {
            pen.words(centre, "?", Words::new(size, theme.muted))?;
            return pen.outline(row, theme.rule, 1.0, theme.hairline());
        };
        let (sin, cos) = self.pe.sin_cos(pair, self.hidden as i64);
        let tip = (centre.0 + radius * cos, centre.1 - radius * sin);
        pen.line(&[centre, tip], theme.here, 0.9 * theme.stroke())?;
        self.bars(pen, context, row, fits, false)
    }

    fn result(&self) -> String {
        let (picked, hidden) = (self.picked, self.hidden);
        let off = picked.abs_diff(hidden);
        match (self.lang, off) {
            (Lang::En, 0) => format!("Right: you are at position {hidden}."),
            (Lang::Zh, 0) => format!("答对了：你就在位置 {hidden}。"),
            (Lang::En, 1) => format!("1 position off: you are at {hidden}, not at {picked}."),
            (Lang::En, _) => format!("{off} positions off: you are at {hidden}, not at {picked}."),
            (Lang::Zh, _) => format!("差了 {off} 个位置：你在位置 {hidden}，不在 {picked}。"),
        }
    }
}

impl Figure for Guess {
    const NAME: ViewName = ViewName::Guess;
    const FIELDS: &'static [Field] = &[
        Field::choice(
            "order",
            "Which forks first",
            "先看哪些音叉",
            &[
                ("slow", Text::new("Slow ones first", "先慢后快")),
                ("fast", Text::new("Fast ones first", "先快后慢")),
            ],
        ),
        Field::real(
            "tolerance",
            "Tolerance, rad",
            "容许误差（弧度）",
            0.3,
            (0.01, 1.0),
            2,
        ),
        Field::size("max_len", "length", "位置数", 256, |_| (8, 2048)),
        Field::whole("round", "Round", "回合", 1, |_| (1, 9999)).linked(),
        Field::whole(
            "revealed",
            "Forks revealed",
            "已揭示的音叉",
            1,
            |_| (0, PAIRS as i64),
        )
        .linked(),
        Field::whole("pos", "position", "位置", 0, |v| {
            (0, v.whole("max_len") - 1)
        })
        .linked(),
        Field::toggle("answered", "Answered", "已作答", false).passing(),
    ];
    const ARROWS: [&'static str; 2] = ["pos", ""];

    fn new(values: &Values, lang: Lang, _: Option<Guess>) -> Guess {
        let max_len = values.count("max_len");
        let hidden = hide(values.whole("round"), max_len);
        let mut guess = Guess {
            lang,
            pe: Sinusoidal::new(2 * PAIRS, 10_000.0, Layout::Interleaved),
            max_len,
            round: values.whole("round"),
            slow_first: values.choice("order") == "slow",
            revealed: values.count("revealed"),
            tolerance: values.real("tolerance"),
            hidden,
            picked: values.count("pos"),
            answered: values.on("answered"),
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
        let (left, len) = (whole(self.left() as i64), whole(self.max_len as i64));
        let (forks, by) = (self.revealed, fixed(self.tolerance, 2));
        let stretches = runs(&self.possible).len();
        let count = match (self.lang, forks) {
            (Lang::En, 0) => format!("No fork is revealed: all {len} positions are possible."),
            (Lang::Zh, 0) => format!("还没有揭示任何音叉：{len} 个位置都有可能。"),
            (Lang::En, _) => format!(
                "{forks} of {PAIRS} forks, read to ±{by} rad, leave {left} of {len} positions possible, in {stretches} {}.",
                if stretches == 1 {
                    "stretch"
                } else {
                    "stretches"
                }
            ),
            (Lang::Zh, _) => format!(
                "{PAIRS} 支音叉中已揭示 {forks} 支，读数误差 ±{by} 弧度：{len} 个位置中还剩 {left} 个可能，分成 {stretches} 段。"
            ),
        };
        let last = forks.checked_sub(1).map(|place| {
            let pair = self.pair(place);
            let phase = angle(within_turn(self.pe.angle(pair, self.hidden as i64)));
            match self.lang {
                Lang::En => format!(" The last one, pair {pair}, has phase {phase} rad."),
                Lang::Zh => format!("最后揭示的是维度对 {pair}，相位 {phase} 弧度。"),
            }
        });
        count + &last.unwrap_or_default()
    }

    fn above(&self) -> Option<Node> {
        let words = match self.lang {
            Lang::En => ["Reveal the next fork", "Hide all forks", "New round"],
            Lang::Zh => ["揭示下一支音叉", "重新隐藏音叉", "新的一轮"],
        };
        let more = html::button("reveal", "", words[0]).flag("disabled", self.revealed == PAIRS);
        let none = html::button("hide", "", words[1]).flag("disabled", self.revealed == 0);
        let round = match self.lang {
            Lang::En => format!("round {}, the position seeded by its number", self.round),
            Lang::Zh => format!("第 {} 轮，藏身处以轮次为随机种子", self.round),
        };
        let new = html::button("round", "", words[2]);
        let parts = vec![more, none, new, html::span("note", round)];
        Some(html::div("row", parts))
    }

    fn below(&self) -> Option<Node> {
        let words = match self.lang {
            Lang::En => ["One back", "One on", "This is where I am"],
            Lang::Zh => ["后退一个", "前进一个", "我就在这里"],
        };
        let last = self.max_len - 1;
        let pick = match self.lang {
            Lang::En => format!("Your pick is position {}", self.picked),
            Lang::Zh => format!("你选的是位置 {}", self.picked),
        };
        let mut parts = vec![
            html::button("step", "-1", words[0]).flag("disabled", self.picked == 0),
            html::button("step", "1", words[1]).flag("disabled", self.picked == last),
            html::span("", pick),
            html::button("answer", "", words[2]).class("primary"),
        ];
        if self.answered {
            let class = if self.picked == self.hidden {
                "good"
            } else {
                "bad"
            };
            parts.push(html::span(class, self.result()).attribute("role", "status"));
        }
        Some(html::div("row", parts))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        let revealed = values.whole("revealed");
        match action {
            "answer" => return values.set_on("answered", true),
            "reveal" => return values.set_whole("revealed", revealed + 1),
            "hide" => values.set_whole("revealed", 0),
            "round" => {
                values.set_whole("round", self.round % 9999 + 1);
                values.set_whole("revealed", 1);
            }
            "step" => {
                let by: i64 = value.parse().unwrap_or_default();
                values.set_whole("pos", self.picked as i64 + by);
            }
            _ => return,
        }
        values.set_on("answered", false);
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        let rows = PAIRS as f64 * em::ROW;
        Some((em::TITLE + rows + 0.6 + em::TOGETHER + em::BELOW) * theme.label_size())
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let Plan { rows, together } = Plan::new(context.frame, size);
        let small = Words::new(0.88 * size, theme.muted);
        let (fork, legend) = match self.lang {
            Lang::En => ("fork", "positions with such a phase, fork by fork"),
            Lang::Zh => ("音叉", "各支音叉单独看，相位相符的位置"),
        };
        pen.words((0.4 * size, 0.9 * size), fork, small.starting())?;
        let middle = rows.centre_x();
        pen.words((middle, 0.9 * size), legend, small)?;
        for place in 0..PAIRS {
            let row = cell_rect(rows, (PAIRS, 1), place, 0);
            let row = row.down(row.y + 0.12 * row.height, 0.76 * row.height);
            self.place(pen, context, place, row)?;
        }
        let words = Words::new(size, theme.ink).bold().starting();
        let level = together.centre_y();
        pen.words((0.4 * size, level), TOGETHER.get(self.lang), words)?;
        self.bars(pen, context, together, &self.possible, true)?;
        pen.outline(together, theme.muted, 1.0, theme.hairline())?;

        let centre = |position| {
            let cell = self.position(together, position);
            cell.centre_x()
        };
        let line = together.bottom() + 0.9 * size;
        let mut marks = vec![(self.picked, YOUR_PICK, theme.here, line + 1.5 * size)];
        if self.answered {
            marks.push((self.hidden, HIDDEN, theme.there, line + 2.95 * size));
        }
        let mut every = 1;
        while every as f64 * together.width / (self.max_len as f64) < 4.0 * size {
            every *= 2;
        }
        for position in (0..self.max_len).step_by(every) {
            let x = centre(position);
            // A mark names its own position.
            let free = |&(marked, ..): &(usize, _, _, _)| (centre(marked) - x).abs() > 1.6 * size;
            if marks.iter().all(free) {
                let words = Words::new(size, theme.muted);
                pen.words((x, line), &position.to_string(), words)?;
            }
        }
        let axis = labels::POSITION_AXIS.get(self.lang);
        pen.words((middle, line + 4.4 * size), axis, small)?;
        for &(position, _, colour, y) in &marks {
            let x = centre(position);
            pen.dashes((x, rows.y), (x, y), colour, 0.75 * theme.stroke())?;
        }
        for (position, name, colour, y) in marks {
            let x = centre(position);
            let words = format!("{} {position}", name.get(self.lang));
            let half = tag_width(&words, size) / 2.0 + 1.0;
            let at = (x.min(context.frame.width - half).max(half), y);
            pen.tag(at, &words, size, colour, theme.panel)?;
        }
        Ok(())
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let plan = Plan::new(context.frame, context.theme.label_size());
        let rows = plan.rows.union(plan.together);
        let positions = Handle::columns(rows, self.max_len, "pos");
        vec![positions.sets_text("answered", "off")]
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        if key == "Enter" {
            values.set_on("answered", true);
            return true;
        }
        let meant = crate::figure::arrows(Self::ARROWS, key, shift, values);
        if meant {
            values.set_on("answered", false);
        }
        meant
    }

    fn on_bench(&self, values: &Values) -> Vec<(&'static str, String)> {
        let mut settings = values.for_bench();
        settings.insert(0, ("d_model", (2 * PAIRS).to_string()));
        settings
    }
}

/// The numbers that texts quote.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    Some(match (name, arguments) {
        // How many positions of a round some forks leave possible; slow is 1 or 0.
        ("possible", &[round, len, slow, forks, tolerance]) => {
            guess_of(round, len, slow, forks, tolerance).left() as f64
        }
        ("stretches", &[round, len, slow, forks, tolerance]) => {
            let guess = guess_of(round, len, slow, forks, tolerance);
            runs(&guess.possible).len() as f64
        }
        _ => return None,
    })
}

#[cfg(test)]
fn guess_of(round: f64, len: f64, slow: f64, forks: f64, tolerance: f64) -> Guess {
    let mut values = Values::new(Guess::FIELDS);
    values.set("order", if slow == 1.0 { "slow" } else { "fast" });
    values.set("max_len", &len.to_string());
    values.set("round", &round.to_string());
    values.set("revealed", &forks.to_string());
    values.set("tolerance", &tolerance.to_string());
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
        assert!(!guess.below().unwrap().plain().contains("off"));
        values.set_whole("pos", guess.hidden as i64);
        guess.act("answer", "", &mut values);
        let right = Guess::new(&values, Lang::En, None);
        assert!(right.below().unwrap().plain().contains("Right"));
        right.act(
            "step",
            if right.hidden > 0 { "-1" } else { "1" },
            &mut values,
        );
        assert!(!values.on("answered"));
        values.set_on("answered", true);
        let wrong = Guess::new(&values, Lang::En, None);
        assert!(wrong.result().starts_with("1 position off"));
        wrong.act("round", "", &mut values);
        assert_eq!((values.whole("round"), values.on("answered")), (2, false));
    }

    #[test]
    fn phases_are_apart_by_half_a_turn_at_most() {
        let pe = Sinusoidal::new(16, 10_000.0, Layout::Interleaved);
        for k in 0..100 {
            assert!((0.0..=PI + 1e-12).contains(&apart(&pe, 0, k, 0)));
        }
    }
}
