//! Why a shift is a rotation: the angle-addition formulas step by step, in symbols and numbers, with each step drawn on
//! the unit circle.

mod picture;
mod words;

use crate::draw::{Circle, DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Arrangement, Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::text::Lang;
use crate::text::markup::Node;
use picture::plan;
use posenc_encoding::{Layout, Sinusoidal};
use words::STEPS;

pub struct Derivation {
    lang: Lang,
    pe: Sinusoidal,
    pos: i64,
    k: i64,
    pair: usize,
    step: usize,
}

const LAST: i64 = STEPS.len() as i64 - 1;

/// The steps of each line of formulas.
const LINES: [&[usize]; 6] = [&[0], &[1], &[2, 3], &[4, 5], &[6], &[7]];

impl Derivation {
    fn omega(&self) -> f64 {
        self.pe.frequency(self.pair)
    }

    /// pos·ω and kω in radians, not reduced.
    fn angles(&self) -> (f64, f64) {
        let omega = self.omega();
        (self.pos as f64 * omega, self.k as f64 * omega)
    }

    /// (sine, cosine) of pos·ω and of kω.
    fn waves(&self) -> [(f64, f64); 2] {
        [self.pos, self.k].map(|by| self.pe.sin_cos(self.pair, by))
    }

    /// The four terms of the angle-addition formulas: two of the sine, two of the cosine.
    fn terms(&self) -> [f64; 4] {
        let [(sin, cos), (sin_k, cos_k)] = self.waves();
        [sin * cos_k, cos * sin_k, cos * cos_k, -sin * sin_k]
    }

    /// Four more positions, about a fifth of a turn apart as far as whole positions allow that.
    fn other_positions(&self) -> [i64; 4] {
        let apart = (self.pe.wavelength(self.pair) / 5.0).round().max(1.0) as i64;
        [1, 2, 3, 4].map(|other| self.pos + other * apart)
    }
}

/// Whether there is room for terms in symbols beside the circle; otherwise only their values are shown.
fn is_wide(width: f64, theme: &Theme) -> bool {
    width > 36.0 * theme.label_size()
}

/// The radius, and the width of the labels to its right, in CSS pixels.
fn sizes(width: f64, theme: &Theme) -> (f64, f64) {
    let size = theme.label_size();
    let words = if is_wide(width, theme) { 14.5 } else { 5.0 } * size;
    let radius = (width - words - 7.6 * size) / 2.0;
    (radius.clamped(20.0, 125.0 * theme.scale), words)
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 16, |_| (2, 512)).under_more();
    POS: i64 = Key::size("pos", "position", "位置", 1, |_| (0, 4096));
    K: i64 = Key::size("k", "offset", "偏移量", 3, |_| (-4096, 4096));
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 1, |v| (0, v.get(D_MODEL) / 2 - 1)).under_more();
    STEP: i64 = Key::whole("step", "step", "步骤", 0, |_| (0, LAST)).session();
}

impl Figure for Derivation {
    const NAME: ViewName = ViewName::Derivation;
    const ARRANGEMENT: Arrangement = Arrangement::Beside(0.5);
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(K)];

    type Layout = (Circle, f64);

    fn new(values: &Values, lang: Lang, _: Option<Derivation>) -> Derivation {
        Derivation {
            lang,
            pe: Sinusoidal::new(values.count(D_MODEL), 10_000.0, Layout::Interleaved),
            pos: values.get(POS),
            k: values.get(K),
            pair: values.count(PAIR),
            step: values.count(STEP),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        self.elements_above()
    }

    fn below(&self) -> Option<Node> {
        self.elements_below()
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "step" {
            values.set(STEP.name(), value);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(2.0 * sizes(width, theme).0 + 7.4 * theme.label_size())
    }

    fn layout(&self, context: &DrawContext) -> (Circle, f64) {
        plan(context)
    }

    fn handles(&self, context: &DrawContext, layout: &(Circle, f64)) -> Vec<Handle> {
        let ((circle, _), theme) = (*layout, context.theme);
        let (start, step) = (self.pe.angle(self.pair, self.pos), self.omega());
        let hand = |zero: f64, to: f64, (field, colour)| {
            let turned = Mapping::Turn {
                centre: circle.centre,
                zero,
                step,
            };
            let tip = circle.at(to, 1.0);
            Handle::grip(tip)
                .sets(field, turned)
                .ringed(tip, colour, f64::INFINITY)
        };
        let here = hand(0.0, start, (POS, theme.here));
        let there = hand(start, start + self.angles().1, (K, theme.there));
        // The hand of pos + k appears in the second step.
        match self.step {
            0 => vec![here],
            _ => vec![here, there],
        }
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, layout: &(Circle, f64)) {
        self.draw_all(pen, context, layout);
    }

    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let &[d, pos, k, pair] = arguments else {
            return None;
        };
        let derivation = Derivation {
            lang: Lang::En,
            pe: Sinusoidal::new(d as usize, 10_000.0, Layout::Interleaved),
            pos: pos as i64,
            k: k as i64,
            pair: pair as usize,
            step: 0,
        };
        let term = ["sine_first", "sine_second", "cosine_first", "cosine_second"]
            .iter()
            .position(|n| *n == name)?;
        Some(derivation.terms()[term])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Derivation {
        let values = Values::with(Derivation::FIELDS, changes);
        Derivation::new(&values, Lang::En, None)
    }

    #[test]
    fn the_terms_add_up() {
        for changes in ["", "d_model=512 pos=4000 k=-77 pair=9", "pos=7 k=0 pair=7"] {
            let it = shown(changes);
            let [s1, s2, c1, c2] = it.terms();
            let (sin, cos) = it.pe.sin_cos(it.pair, it.pos + it.k);
            assert!((s1 + s2 - sin).abs() < 1e-15 && (c1 + c2 - cos).abs() < 1e-15);
        }
    }

    #[test]
    fn the_lines_show_the_numbers() {
        // Python: sin 2 cos 3 = −0.900198, cos 2 sin 3 = −0.058727, sin 5 = −0.958924.
        let below = shown("d_model=4 pos=2 k=3 pair=0").below().unwrap();
        let plain = below.plain().replace('\u{2061}', "");
        assert!(plain.contains("=−0.900−0.059=−0.959"), "{plain}");
    }

    #[test]
    fn the_other_positions_are_around_the_circle() {
        // ω = 1/100: a turn takes 628.3 positions, a fifth of it 125.7.
        let it = shown("d_model=4 pair=1 pos=10");
        assert_eq!(it.other_positions(), [136, 262, 388, 514]);
        // ω = 1: a turn takes 6.28 positions.
        let it = shown("d_model=4 pair=0 pos=10");
        assert_eq!(it.other_positions(), [11, 12, 13, 14]);
    }

    #[test]
    fn steps_go_on_and_back_and_stop() {
        let mut values = Values::new(Derivation::FIELDS);
        shown("").act("step", "1", &mut values);
        assert_eq!(values.get(STEP), 1);
        for step in 0..=LAST {
            let buttons = shown(&format!("step={step}"))
                .actions()
                .unwrap()
                .to_string();
            assert_eq!(buttons.contains("disabled"), step == 0 || step == LAST);
        }
    }

    #[test]
    fn every_step_has_its_line() {
        let steps: Vec<usize> = LINES.concat();
        assert_eq!(steps, (0..STEPS.len()).collect::<Vec<_>>());
    }
}
