//! The formula worked out number by number for three words and d_model = 4.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Arrangement, Figure};
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use posenc_encoding::{Layout, Sinusoidal};

const TOKENS: [&str; 3] = ["The", "cat", "sat"];
const WIDTH: usize = 4;
/// The fields of the embeddings, by token and dimension.
const CELLS: [[Key<f64>; WIDTH]; 3] = [
    [X00, X01, X02, X03],
    [X10, X11, X12, X13],
    [X20, X21, X22, X23],
];
/// Two steps for the frequencies, then five per position.
const STEPS: usize = 2 + 5 * TOKENS.len();

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Frequency { pair: usize },
    Angles { pos: usize },
    Values { pos: usize, pair: usize },
    Row { pos: usize },
    Sum { pos: usize },
}

impl Step {
    fn at(step: usize) -> Step {
        let Some(step) = step.checked_sub(2) else {
            return Step::Frequency { pair: step };
        };
        let pos = step / 5;
        match step % 5 {
            0 => Step::Angles { pos },
            3 => Step::Row { pos },
            4 => Step::Sum { pos },
            pair => Step::Values {
                pos,
                pair: pair - 1,
            },
        }
    }
}

pub struct ByHand {
    lang: Lang,
    pe: Sinusoidal,
    step: usize,
    embeddings: [[f64; WIDTH]; 3],
    /// The embeddings as entered in their fields, without trailing zeros.
    written: [[String; WIDTH]; 3],
}

const fn cell(name: &'static str, en: &'static str, zh: &'static str, default: f64) -> Key<f64> {
    Key::real(name, en, zh, default, (-10.0, 10.0), 3).without_control()
}

/// CSS classes of the numbers of even and odd dimensions.
const MEMBERS: [&str; 2] = ["sine", "cosine"];

impl ByHand {
    fn value(&self, pos: usize, dimension: usize) -> f64 {
        self.pe.value(pos as i64, dimension)
    }

    /// The angle in radians, not reduced modulo 2π, since positions are small.
    fn angle(&self, pos: usize, pair: usize) -> f64 {
        pos as f64 * self.pe.frequency(pair)
    }

    fn sum(&self, pos: usize, dimension: usize) -> f64 {
        self.embeddings[pos][dimension] + self.value(pos, dimension)
    }

    fn reached(&self, step: Step) -> bool {
        (0..=self.step).any(|earlier| Step::at(earlier) == step)
    }
}

fields! {
    STEP: i64 = Key::whole("step", "step", "步骤", 0, |_| (0, STEPS as i64 - 1)).without_control();
    X00: f64 = cell("x00", "The, dimension 0", "The，维度 0", 0.1);
    X01: f64 = cell("x01", "The, dimension 1", "The，维度 1", 0.2);
    X02: f64 = cell("x02", "The, dimension 2", "The，维度 2", 0.3);
    X03: f64 = cell("x03", "The, dimension 3", "The，维度 3", 0.4);
    X10: f64 = cell("x10", "cat, dimension 0", "cat，维度 0", 0.5);
    X11: f64 = cell("x11", "cat, dimension 1", "cat，维度 1", 0.6);
    X12: f64 = cell("x12", "cat, dimension 2", "cat，维度 2", 0.7);
    X13: f64 = cell("x13", "cat, dimension 3", "cat，维度 3", 0.8);
    X20: f64 = cell("x20", "sat, dimension 0", "sat，维度 0", 0.9);
    X21: f64 = cell("x21", "sat, dimension 1", "sat，维度 1", 1.0);
    X22: f64 = cell("x22", "sat, dimension 2", "sat，维度 2", 1.1);
    X23: f64 = cell("x23", "sat, dimension 3", "sat，维度 3", 1.2);
}

impl Figure for ByHand {
    const NAME: ViewName = ViewName::ByHand;
    const ARRANGEMENT: Arrangement = Arrangement::Beside(0.45);
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(STEP), None];

    type Layout = ();

    fn new(values: &Values, lang: Lang, _: Option<ByHand>) -> ByHand {
        let written = CELLS.map(|row| {
            row.map(|key| {
                let text = values.text(key.name());
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            })
        });
        ByHand {
            lang,
            pe: Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved),
            step: values.count(STEP),
            embeddings: CELLS.map(|row| row.map(|key| values.get(key))),
            written,
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        let nodes = vec![self.buttons(), self.table(), self.equation()];
        Some(html::div("by-hand-table", nodes))
    }

    fn more(&self) -> Option<Node> {
        let restore = Text::new("Original embeddings", "恢复词嵌入").get(self.lang);
        let restore = html::button("restore", "", restore);
        let [embeddings, sums] = self.sums();
        let nodes = vec![self.general(), embeddings, sums, restore];
        Some(html::div("by-hand", nodes))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(self.picture_height(width, theme))
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, pen: &Pen, context: &DrawContext, _: &()) {
        self.draw_all(pen, context);
    }

    fn bench_settings(&self, _: &Values) -> Vec<(&'static str, String)> {
        [
            ("d_model", "4"),
            ("max_len", "3"),
            ("pair", "0"),
            ("pos", "1"),
        ]
        .map(|(name, text)| (name, text.to_string()))
        .to_vec()
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        let step = self.step as i64;
        match (action, value) {
            ("step", "previous") => values.set_to(STEP, step - 1),
            ("step", "next") => values.set_to(STEP, step + 1),
            ("step", "first") => values.set_to(STEP, 0),
            ("step", "last") => values.set_to(STEP, STEPS as i64 - 1),
            ("restore", _) => {
                let defaults = Values::new(Self::FIELDS);
                for key in CELLS.into_iter().flatten() {
                    values.set_to(key, defaults.get(key));
                }
            }
            _ => {}
        }
    }

    /// `by_hand_sum(pos, dimension)`: embedding plus encoding, with the default embeddings.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let figure = ByHand::new(&Values::new(ByHand::FIELDS), Lang::En, None);
        match (name, arguments) {
            ("by_hand_sum", &[pos, d]) => Some(figure.sum(pos as usize, d as usize)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;
    use crate::text::number::fixed;

    fn at(step: usize) -> (Values, ByHand) {
        let mut values = Values::new(ByHand::FIELDS);
        values.set_to(STEP, step as i64);
        let figure = ByHand::new(&values, Lang::En, None);
        (values, figure)
    }

    fn plain(node: &Node) -> String {
        node.plain().replace('\u{2061}', "")
    }

    /// Python's math: sin 1 = 0.8414709848, cos 1 = 0.5403023059, sin 2 = 0.9092974268,
    /// cos 2 = −0.4161468365, and so on at a hundredth of the angle.
    #[test]
    fn the_worked_example_is_right() {
        let (_, figure) = at(0);
        let expected = [
            [0.0, 1.0, 0.0, 1.0],
            [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004],
            [0.9092974268, -0.4161468365, 0.0199986667, 0.9998000067],
        ];
        let sums = [
            ["0.100", "1.200", "0.300", "1.400"],
            ["1.341", "1.140", "0.710", "1.800"],
            ["1.809", "0.584", "1.120", "2.200"],
        ];
        for pos in 0..3 {
            for d in 0..WIDTH {
                assert_close(figure.value(pos, d), expected[pos][d], 5e-11);
                assert_eq!(fixed(figure.sum(pos, d), 3), sums[pos][d]);
            }
        }
    }

    #[test]
    fn each_step_has_its_equation() {
        let equation = |step| plain(&at(step).1.equation());
        for (step, text) in [
            (0, "ω0=1/100002·0/4=1"),
            (1, "ω1=1/100002·1/4=0.01"),
            (2, "pos·ω0=0·1=0pos·ω1=0·0.01=0"),
            (3, "PE(0,0)=sin(0)=0.00000PE(0,1)=cos(0)=1.00000"),
            (9, "PE(1,2)=sin(0.01)≈0.01000PE(1,3)=cos(0.01)≈0.99995"),
            (14, "PE(2,2)=sin(0.02)≈0.02000PE(2,3)=cos(0.02)≈0.99980"),
            (
                15,
                "PE(2)=sin(2)cos(2)sin(0.02)cos(0.02)≈0.90930−0.416150.020000.99980",
            ),
            (
                16,
                "0.911.11.2“sat”+0.90930−0.416150.020000.99980PE(2)≈1.8090.5841.1202.200",
            ),
        ] {
            assert_eq!(equation(step), text);
        }
    }

    #[test]
    fn numbers_appear_in_their_step_and_are_lit_where_used() {
        let markup = |step| {
            let (_, figure) = at(step);
            let parts = [figure.actions(), figure.more()].into_iter().flatten();
            parts.map(|node| node.to_string()).collect::<String>()
        };
        let lit = "<span class=\"sine lit\">0.84147</span>";
        assert!(!markup(7).contains("0.84147"));
        assert!(markup(8).contains(lit) && markup(10).contains(lit));
        assert!(markup(13).contains("<span class=\"sine\">0.84147</span>"));
        let waiting = |step| markup(step).matches(">·</span>").count();
        assert_eq!((waiting(0), waiting(STEPS - 1)), (1 + 6 + 12 + 12, 0));
    }

    #[test]
    fn the_buttons_and_keys_walk_through_the_steps() {
        let (mut values, figure) = at(0);
        figure.act("step", "previous", &mut values);
        assert_eq!(values.get(STEP), 0);
        figure.act("step", "last", &mut values);
        assert_eq!(Step::at(values.count(STEP)), Step::Sum { pos: 2 });
        assert!(figure.key("ArrowLeft", false, &mut values));
        assert_eq!(Step::at(values.count(STEP)), Step::Row { pos: 2 });
        assert!(figure.key("Home", false, &mut values));
        assert_eq!(values.get(STEP), 0);
    }

    #[test]
    fn embeddings_can_be_written_and_bad_ones_are_put_right() {
        let (mut values, _) = at(STEPS - 1);
        assert_eq!(values.set("x10", "−１．５"), None);
        assert!(values.set("x11", "cat").is_some());
        assert!(values.set("x12", "1e99").is_some());
        assert!(values.set("x13", "").is_some());
        let figure = ByHand::new(&values, Lang::En, None);
        assert_eq!(figure.embeddings[1], [-1.5, 0.6, 10.0, 0.8]);
        assert_eq!(figure.written[1], ["-1.5", "0.6", "10", "0.8"]);
        assert_eq!(fixed(figure.sum(1, 0), 3), "−0.659");
        figure.act("restore", "", &mut values);
        assert_eq!(values.changed(), [("step", "16".to_string())]);
    }

    #[test]
    fn adding_moves_every_word_alike_by_one_unit_a_pair() {
        let (mut values, before) = at(STEPS - 1);
        values.set("x10", "-7");
        values.set("x13", "9.5");
        let after = ByHand::new(&values, Lang::En, None);
        for pair in 0..2 {
            let [_, (x, y)] = before.arrow(1, pair);
            assert_close(x.hypot(y), 1.0, 1e-15);
            for d in [2 * pair, 2 * pair + 1] {
                let moved = |e: &ByHand| e.sum(1, d) - e.embeddings[1][d];
                assert_close(moved(&after), moved(&before), 1e-14);
            }
        }
    }
}
