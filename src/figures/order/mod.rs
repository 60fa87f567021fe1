//! The outputs of one attention head for a sentence and for the same words in another order.

pub mod attention;
mod compute;
mod moving;
mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Rect, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{
    DragMode, Figure, Handle, Mapping, Picture, Pointer, PointerAction, apply_pointer,
};
use crate::math::Clamp;
use crate::math::attention::{Attended, Attention};
use crate::text::Lang;
use crate::text::markup::Node;
use crate::text::markup::html::div;
use compute::{inputs, largest, of_mean, of_token, other_order, read_order, split, write_order};
use moving::Moving;
use picture::Places;

/// d_model of the head, small enough to show every number.
const WIDTH: usize = 8;
/// The seed of the head's random weights.
const SEED: u64 = 1;
/// The maximum number of tokens; further ones are cut off.
const MAX_TOKENS: usize = 12;
/// How long the outputs take to move to another order, in milliseconds.
const DURATION: f64 = 900.0;
/// Smaller differences are rounding errors.
const ROUNDING: f64 = 1e-12;

/// Sentences, each with another order of its tokens that makes sense too (its twin).
const EXAMPLES: [(&str, &str); 3] = [
    ("the cat chased the dog", "aecdb"),
    ("猫 追 狗", "cba"),
    ("机器人 不能 伤害 人类", "dbca"),
];

pub struct Order {
    lang: Lang,
    sentence: String,
    tokens: Vec<String>,
    /// The number of tokens that were cut off.
    cut: usize,
    /// The index of the token at each position of the other order.
    order: Vec<usize>,
    /// The animation from the order before, if there is one.
    moving: Option<Moving>,
    pe: bool,
    causal: bool,
    shows_weights: bool,
    /// The selected position in the other order.
    chosen: usize,
    /// The results of the head for both orders, with the current toggles.
    heads: [Attended; 2],
    /// The largest differences of a token's output and of the mean output: without positional encoding, and with.
    differences: [[f64; 2]; 2],
}

impl Order {
    fn heads(tokens: &[String], order: &[usize], pe: bool, causal: bool) -> [Attended; 2] {
        let head = Attention::seeded(WIDTH, SEED);
        [
            head.attend(&inputs(tokens.iter(), pe), causal),
            head.attend(&inputs(order.iter().map(|&i| &tokens[i]), pe), causal),
        ]
    }

    fn same_order(&self) -> bool {
        self.order.iter().copied().eq(0..self.order.len())
    }

    /// The largest differences with the current toggles: of a token's output, and of the mean output.
    fn difference(&self) -> [f64; 2] {
        self.differences[usize::from(self.pe)]
    }

    /// The column in which a position of a row is drawn: between two while the reader's order changes.
    fn column_in(&self, row: usize, place: usize) -> f64 {
        match &self.moving {
            Some(moving) if row == 1 => moving.column(place),
            _ => place as f64,
        }
    }

    /// Sets the order, and also the sentence, because the default sentence depends on the language.
    fn set_order(&self, order: &[usize], values: &mut Values) {
        values.set_to(WORDS, &self.sentence);
        values.set_to(ORDER, &write_order(order));
    }

    fn move_to(&self, from: usize, to: usize, values: &mut Values) {
        let to = to.min(self.order.len() - 1);
        let mut order = self.order.clone();
        let token = order.remove(from);
        order.insert(to, token);
        self.set_order(&order, values);
        values.set_to(TOKEN, to as i64);
    }
}

choices! {
    enum Split {
        Auto "auto" "At spaces if any" "有空格按空格，否则按字";
        Words "words" "At spaces" "按空格";
        Characters "characters" "By character" "按字";
    }
}

fields! {
    WORDS: String = Key::text("words", "sentence", "句子", "", 120).without_control();
    SPLIT: Split = Key::choice("split", "Split", "切分").under_more();
    ORDER: String = Key::text("order", "order", "顺序", "", MAX_TOKENS).without_control();
    TOKEN: i64 = Key::whole("token", "token", "词元", 1, |_| (0, MAX_TOKENS as i64 - 1)).session();
    HELD: bool = Key::toggle("held", "held", "按住", false).transient();
    PE: bool = Key::toggle("pe", "add positional encoding", "加上位置编码", false);
    CAUSAL: bool = Key::toggle("causal", "causal mask", "因果掩码", false);
    SHOWS_WEIGHTS: bool = Key::toggle("weights", "attention weights", "注意力权重", false).under_more();
}

impl Figure for Order {
    const NAME: ViewName = ViewName::Order;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = Places;

    fn new(values: &Values, lang: Lang, previous: Option<Order>) -> Order {
        let split = |sentence: &str| split(sentence, values.get(SPLIT));
        let own = values.get(WORDS);
        let mut tokens = split(own);
        let mut sentence = own;
        if tokens.is_empty() {
            sentence = match lang {
                Lang::En => EXAMPLES[0].0,
                Lang::Zh => EXAMPLES[1].0,
            };
            tokens = split(sentence);
        }
        let cut = tokens.len().saturating_sub(MAX_TOKENS);
        tokens.truncate(MAX_TOKENS);
        let mut order = match values.get(ORDER) {
            "" => other_order(sentence, tokens.len()),
            written => read_order(written, tokens.len()),
        };
        // Equal tokens are interchangeable, and therefore keep their original order among themselves.
        for place in 0..order.len() {
            for later in place + 1..order.len() {
                if tokens[order[place]] == tokens[order[later]] && order[place] > order[later] {
                    order.swap(place, later);
                }
            }
        }
        let (pe, causal) = (values.get(PE), values.get(CAUSAL));
        let both = [false, true].map(|pe| Order::heads(&tokens, &order, pe, causal));
        let differences = both.each_ref().map(|heads| {
            let tokens = (0..order.len()).map(|place| of_token(heads, &order, place));
            [largest(tokens), of_mean(heads)]
        });
        let [without, with] = both;
        let mut figure = Order {
            lang,
            sentence: sentence.into(),
            chosen: values.count(TOKEN).min(tokens.len() - 1),
            tokens,
            cut,
            order,
            moving: None,
            pe,
            causal,
            shows_weights: values.get(SHOWS_WEIGHTS),
            heads: if pe { with } else { without },
            differences,
        };
        // A dragged word follows the pointer instead.
        let previous = previous.filter(|_| !values.get(HELD));
        let previous = previous.filter(|previous| previous.tokens == figure.tokens);
        figure.moving =
            previous.and_then(|previous| Moving::between(&previous.order, &figure.order));
        figure
    }

    fn animate(&mut self, progress: f64) -> bool {
        let Some(moving) = &mut self.moving else {
            return false;
        };
        moving.progress = progress;
        true
    }

    fn animation_duration(&self) -> f64 {
        DURATION
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        Some(div("row", self.exchange().into_iter().collect()))
    }

    fn more(&self) -> Option<Node> {
        let parts = vec![self.moves(), self.sentence_field(), self.numbers()];
        Some(Node::new("div", parts))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(self.places(width, theme).height)
    }

    fn layout(&self, context: &DrawContext) -> Places {
        self.places(context.frame.width, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, at: &Places) {
        self.draw_all(pen, context, at);
    }

    fn handles(&self, _: &DrawContext, at: &Places) -> Vec<Handle> {
        let (top, bottom) = (at.strips[1] - at.size, at.tokens[1] + 1.2 * at.size);
        let count = self.order.len();
        let words = Rect::new(at.left, top, count as f64 * at.column, bottom - top);
        let word = Handle::columns(words, count, TOKEN)
            .sets(ORDER, Mapping::Custom)
            .sets(WORDS, Mapping::Custom);
        vec![word.dragged(DragMode::Horizontal).while_pressed(HELD)]
    }

    /// Moves a dragged word past the words that the pointer passes.
    fn pointer(&self, picture: &Picture<Places>, pointer: Pointer, values: &mut Values) {
        if pointer.action != PointerAction::Drag {
            return apply_pointer(picture.handles, pointer, values);
        }
        if values.get(HELD) {
            let at = picture.layout;
            let place = ((pointer.at.x - at.left) / at.column).floor();
            let last = self.order.len() as f64 - 1.0;
            let place = place.clamped(0.0, last) as usize;
            if place != self.chosen {
                self.move_to(self.chosen, place, values);
            }
        }
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        let last = self.order.len() - 1;
        let to = match key {
            "ArrowLeft" => self.chosen.saturating_sub(1),
            "ArrowRight" => (self.chosen + 1).min(last),
            "Home" => 0,
            "End" => last,
            _ => return false,
        };
        if shift {
            self.move_to(self.chosen, to, values);
        } else {
            values.set_to(TOKEN, to as i64);
        }
        true
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match (action, value) {
            ("example", words) => {
                values.set_to(WORDS, words);
                values.set_to(ORDER, "");
                values.set_to(SPLIT, Split::Auto);
            }
            ("move", "left") => self.move_to(self.chosen, self.chosen.saturating_sub(1), values),
            ("move", "right") => self.move_to(self.chosen, self.chosen + 1, values),
            ("move", "next") => {
                values.set_to(TOKEN, ((self.chosen + 1) % self.order.len()) as i64);
            }
            ("move", "exchange") => values.set_to(ORDER, ""),
            ("move", "restore") => {
                let order: Vec<usize> = (0..self.order.len()).collect();
                self.set_order(&order, values);
            }
            _ => {}
        }
    }

    /// `order(example, pe, causal, mean)`: the largest difference between an example and its twin, of a
    /// token's output or of the mean output.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let ("order", &[example, pe, causal, mean]) = (name, arguments) else {
            return None;
        };
        let mut values = Values::new(Order::FIELDS);
        values.set_to(WORDS, EXAMPLES[example as usize].0);
        values.set_to(PE, pe != 0.0);
        values.set_to(CAUSAL, causal != 0.0);
        Some(Order::new(&values, Lang::En, None).difference()[mean as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::compute::characters;
    use super::*;
    use crate::field::ThemeName;
    use crate::figure::pass_pointer;

    fn order(settings: &[(&str, &str)]) -> (Values, Order) {
        let mut values = Values::new(Order::FIELDS);
        for (name, text) in settings {
            values.set(name, text);
        }
        let order = Order::new(&values, Lang::En, None);
        (values, order)
    }

    #[test]
    fn order_is_seen_with_an_encoding_or_a_mask_and_not_without() {
        let own = [("one two three four five six seven", "gbdacef")];
        for (words, letters) in EXAMPLES.into_iter().chain(own) {
            for (pe, causal) in [("off", "off"), ("on", "off"), ("off", "on"), ("on", "on")] {
                let (_, order) = order(&[
                    ("words", words),
                    ("order", letters),
                    ("pe", pe),
                    ("causal", causal),
                ]);
                let blind = pe == "off" && causal == "off";
                for difference in order.difference() {
                    assert!(if blind {
                        difference < 1e-14
                    } else {
                        difference > 0.05
                    });
                }
            }
        }
    }

    #[test]
    fn weights_stand_beside_the_outputs_where_there_is_room_for_both() {
        let theme = Theme::named(ThemeName::Light);
        let places = |words: &str, width| {
            let (_, order) = order(&[("words", words)]);
            Places::new(width, theme, &order.tokens, true)
        };
        for words in EXAMPLES.map(|(words, _)| words) {
            let wide = places(words, 1050.0);
            // With controls, buttons and table the figure is then less than 720 px high.
            assert!(wide.height < 300.0, "{words}: {}", wide.height);
            assert!(wide.panels[0] > wide.bar && wide.grids[1].right() < 1050.0);
            assert!(places(words, 350.0).panels[0] == 0.0);
        }
        let long = "a dozen words that are far too many to be laid side by";
        assert_eq!(places(long, 1050.0).panels[0], 0.0);
    }

    #[test]
    fn attention_moves_with_the_words() {
        let (_, order) = order(&[("words", "b r e a d"), ("order", "edcba")]);
        let [a, b] = &order.heads;
        for query in 0..5 {
            for key in 0..5 {
                let change = a.weights.at(query, key) - b.weights.at(4 - query, 4 - key);
                assert!(change.abs() < 1e-15);
            }
        }
    }

    #[test]
    fn equal_words_are_one_word() {
        let (_, order) = order(&[("words", "the cat the dog"), ("order", "cbad")]);
        assert!(order.same_order());
        let outputs = &order.heads[0].outputs;
        assert_eq!(outputs.row(0), outputs.row(2));
        assert_ne!(outputs.row(0), outputs.row(1));
    }

    #[test]
    fn twins_read_as_they_should() {
        let read = |words| {
            let (_, order) = order(&[("words", words)]);
            let tokens = order.order.iter().map(|&i| order.tokens[i].as_str());
            tokens.collect::<Vec<_>>().join(" ")
        };
        let twins = [
            "the dog chased the cat",
            "狗 追 猫",
            "人类 不能 伤害 机器人",
        ];
        assert_eq!(EXAMPLES.map(|(words, _)| read(words)), twins);
        assert_eq!(read("狗追猫"), "猫 追 狗");
    }

    #[test]
    fn tokens_are_what_people_call_characters() {
        let text = "e\u{301}👩\u{200d}👩\u{200d}👧🇨🇳🇫🇷👍🏽猫";
        let found = characters(text);
        assert_eq!(found.concat(), text);
        assert_eq!(found.len(), 6);
        assert_eq!(split("a bc", Split::Auto), ["a", "bc"]);
        assert_eq!(split("a bc", Split::Characters), ["a", "b", "c"]);
        assert_eq!(split("猫追狗", Split::Auto).len(), 3);
        assert_eq!(split("猫追狗", Split::Words).len(), 1);
    }

    #[test]
    fn any_text_makes_an_order() {
        for text in ["", "aab", "abd", "zzzzz", "\u{7f}`@", "cab ", "é"] {
            for count in 0..=MAX_TOKENS {
                let mut order = read_order(text, count);
                order.sort_unstable();
                assert!(order.into_iter().eq(0..count));
            }
        }
        assert_eq!(read_order("cab", 3), [2, 0, 1]);
        assert_eq!(write_order(&[2, 0, 1]), "cab");
    }

    #[test]
    fn too_many_tokens_are_cut_and_it_says_so() {
        let long = "word ".repeat(40);
        let (_, order) = order(&[("words", &long)]);
        assert_eq!((order.tokens.len(), order.cut), (MAX_TOKENS, 12));
        assert!(order.more().unwrap().plain().contains("first 12 of 24"));
    }

    #[test]
    fn nothing_written_is_the_example() {
        for words in ["", "   ", "\t"] {
            assert_eq!(order(&[("words", words)]).1.sentence, EXAMPLES[0].0);
        }
        let (_, one) = order(&[("words", "x"), ("token", "11"), ("pe", "on")]);
        assert_eq!(one.difference(), [0.0, 0.0]);
        assert!(one.caption().starts_with("One token"));
    }

    #[test]
    fn a_moved_example_is_the_same_in_every_language() {
        let (mut values, example) = order(&[]);
        example.act("move", "right", &mut values);
        let chinese = Order::new(&values, Lang::Zh, None);
        assert_eq!(chinese.tokens, example.tokens);
        assert_eq!(chinese.order, [0, 2, 4, 3, 1]);
    }

    #[test]
    fn a_drag_and_the_keys_move_words_alike() {
        let theme = Theme::named(ThemeName::Light);
        let context = DrawContext {
            theme,
            colours: &theme.colour_map(),
            frame: crate::draw::Frame {
                width: 720.0,
                height: 700.0,
                pixels: 1.0,
                units: 1.0,
            },
        };
        let start = [("words", "a b c d"), ("order", "abcd")];
        let again = |values: &Values| Order::new(values, Lang::En, None);
        let (mut dragged, order_at_first) = order(&start);
        let places = order_at_first.layout(&context);
        let pointer = |place: f64, action| Pointer {
            at: (places.middle(place), places.tokens[1]).into(),
            action,
            pressed: Some(0),
        };
        for (place, action) in [
            (0.0, PointerAction::Press),
            (1.0, PointerAction::Drag),
            (2.0, PointerAction::Drag),
            (2.0, PointerAction::Release),
        ] {
            pass_pointer(
                &again(&dragged),
                &context,
                pointer(place, action),
                &mut dragged,
            );
        }
        pass_pointer(
            &again(&dragged),
            &context,
            pointer(0.0, PointerAction::Drag),
            &mut dragged,
        );
        let (mut keyed, _) = order(&start);
        for (key, shift) in [("Home", false), ("ArrowRight", true), ("ArrowRight", true)] {
            assert!(again(&keyed).key(key, shift, &mut keyed));
        }
        assert_eq!(dragged.get(ORDER), "bcad");
        assert_eq!(dragged, keyed);
        again(&keyed).act("move", "restore", &mut keyed);
        assert!(again(&keyed).same_order());
        again(&keyed).act("move", "left", &mut keyed);
        assert_eq!(keyed.get(ORDER), "acbd");
    }
}
