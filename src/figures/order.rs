//! What one attention head makes of a sentence and of the same words in another order.

use crate::draw::chart::{cell_rect, cells, colour_bar};
use crate::draw::pen::text_width;
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Hold, Mapping, Pointer, PointerAction, point};
use crate::math::Clamp;
use crate::math::attention::{Attended, Attention};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{short, tiny};
use crate::text::{Lang, Text};
use posenc_encoding::Matrix;
use posenc_encoding::{Layout, Sinusoidal};

/// Width of the head: few enough numbers to be seen one by one.
const WIDTH: usize = 8;
/// Of the weights.
const SEED: u64 = 1;
/// More tokens than this are cut off.
const MOST: usize = 12;
/// A difference below is rounding.
const ROUNDING: f64 = 1e-12;

/// Sentences, and the order that makes of each its twin.
const EXAMPLES: [(&str, &str); 3] = [
    ("the cat chased the dog", "aecdb"),
    ("猫 追 狗", "cba"),
    ("机器人 不能 伤害 人类", "dbca"),
];

pub struct Order {
    lang: Lang,
    sentence: String,
    tokens: Vec<String>,
    /// Tokens written beyond those used.
    cut: usize,
    /// The token in each place of the other order.
    order: Vec<usize>,
    pe: bool,
    causal: bool,
    /// The place that is chosen in the other order.
    chosen: usize,
    /// The head on both orders as the toggles say.
    heads: [Attended; 2],
    /// The largest difference of a token's output and of the mean: without encoding, and with.
    differences: [[f64; 2]; 2],
}

/// Characters as people count them: marks, joiners and what they join stay with what they are on.
fn characters(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut joined = false;
    for c in text.chars() {
        let flag = |c| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
        let half_flag = found
            .last()
            .is_some_and(|last| last.chars().count() == 1 && last.chars().all(flag));
        let stays = joined || is_mark(c) || flag(c) && half_flag;
        joined = c == '\u{200d}';
        match found.last_mut() {
            Some(last) if stays => last.push(c),
            _ => found.push(c.into()),
        }
    }
    found
}

/// Combining marks, variation selectors, joiners, skin tones and tags.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{93a}'..='\u{93c}'
        | '\u{93e}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0020}'..='\u{e007f}')
}

/// The sentence's tokens: words, or characters where asked for or where nothing stands apart.
fn split(sentence: &str, how: &str) -> Vec<String> {
    let words: Vec<String> = sentence.split_whitespace().map(String::from).collect();
    match how {
        "words" => words,
        "auto" if words.len() > 1 => words,
        _ => characters(&words.concat()),
    }
}

/// The order a text of letters stands for: that of its letters if they are those of all tokens,
/// otherwise the ends change places.
fn read_order(text: &str, count: usize) -> Vec<usize> {
    let order: Vec<usize> = text.bytes().map(|b| b.wrapping_sub(b'a').into()).collect();
    if order.len() == count && (0..count).all(|token| order.contains(&token)) {
        return order;
    }
    let mut order: Vec<usize> = (0..count).collect();
    if count > 1 {
        order.swap(0, count - 1);
    }
    order
}

fn write_order(order: &[usize]) -> String {
    order.iter().map(|&i| char::from(b'a' + i as u8)).collect()
}

/// A token's embedding: WIDTH normal numbers, their seed the FNV-1a hash of its letters.
fn embedding(token: &str) -> impl Iterator<Item = f64> {
    let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let seed = token.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    Normals::seeded(seed).take(WIDTH)
}

fn inputs<'a>(tokens: impl Iterator<Item = &'a String>, pe: bool) -> Matrix<f64> {
    let mut values: Vec<f64> = tokens.flat_map(|token| embedding(token)).collect();
    let count = values.len() / WIDTH;
    if pe {
        let encoding = Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved);
        for (index, value) in values.iter_mut().enumerate() {
            *value += encoding.value((index / WIDTH) as i64, index % WIDTH);
        }
    }
    Matrix {
        positions: count,
        dimensions: WIDTH,
        values,
    }
}

fn mean(outputs: &Matrix<f64>, dimension: usize) -> f64 {
    let column = (0..outputs.positions).map(|row| outputs.at(row, dimension));
    column.sum::<f64>() / outputs.positions.max(1) as f64
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, f64::max)
}

/// The largest difference between a place's output and that of its token in the first order.
fn of_token([a, b]: &[Attended; 2], order: &[usize], place: usize) -> f64 {
    let (a, b) = (a.outputs.row(order[place]), b.outputs.row(place));
    largest(a.iter().zip(b).map(|(a, b)| a - b))
}

fn of_mean([a, b]: &[Attended; 2]) -> f64 {
    largest((0..WIDTH).map(|d| mean(&a.outputs, d) - mean(&b.outputs, d)))
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

    /// The largest differences as the toggles say: of a token's output, and of the mean.
    fn difference(&self) -> [f64; 2] {
        self.differences[usize::from(self.pe)]
    }

    /// The words go into the link as well: an example is that of the language.
    fn set_order(&self, order: &[usize], values: &mut Values) {
        values.set("words", &self.sentence);
        values.set("order", &write_order(order));
    }

    fn move_to(&self, from: usize, to: usize, values: &mut Values) {
        let to = to.min(self.order.len() - 1);
        let mut order = self.order.clone();
        let token = order.remove(from);
        order.insert(to, token);
        self.set_order(&order, values);
        values.set_whole("token", to as i64);
    }

    fn places(&self, context: &DrawContext) -> Places {
        Places::new(context.frame.width, context.theme, &self.tokens)
    }
}

/// Where things are drawn.
struct Places {
    size: f64,
    /// Of the tokens' columns.
    left: f64,
    column: f64,
    /// Tops of the strips of outputs, and their height.
    strips: [f64; 2],
    tall: f64,
    /// Centres of the two rows of tokens.
    tokens: [f64; 2],
    /// Where the weights' panels begin, and the room for words above their grids.
    panels: [f64; 2],
    above: f64,
    grids: [Rect; 2],
    height: f64,
    bar: f64,
}

impl Places {
    fn new(width: f64, theme: &Theme, tokens: &[String]) -> Places {
        if let Some(places) = Places::beside(width, theme, tokens) {
            return places;
        }
        let (size, count) = (theme.label_size(), tokens.len());
        let left = 1.8 * size;
        let bar = width - 3.9 * size;
        let column = (bar - 0.6 * size - left) / (count as f64 + 1.4);
        let tall = 6.4 * size;
        let first = 3.9 * size;
        let second = first + tall + 4.2 * size;
        let widest = tokens.iter().map(|token| text_width(token, size));
        let widest = widest.fold(0.0, f64::max).min(4.2 * size);
        let margin = 2.2 * size + widest;
        let least = 1.3 * size * count as f64;
        let most = least.max(16.0 * size);
        let beside = width / 2.0 - margin - 0.8 * size;
        let stacked = beside < least.max(7.0 * size);
        let side = if stacked {
            most.min(width - margin - size)
        } else {
            most.min(beside)
        };
        let above = if fits(tokens, side / count.max(1) as f64, size) {
            1.3 * size
        } else {
            widest + 0.6 * size
        };
        let top = second + tall + 4.6 * size + 1.6 * size + above;
        let grid = |x, y| Rect::new(x, y, side, side);
        let other = if stacked {
            grid(margin, top + side + 3.4 * size + above)
        } else {
            grid(width / 2.0 + margin, top)
        };
        Places {
            size,
            left,
            column,
            strips: [first, second],
            tall,
            tokens: [first - 1.1 * size, second + tall + 1.2 * size],
            panels: [0.0, other.x - margin],
            above,
            grids: [grid(margin, top), other],
            height: other.bottom() + 4.0 * size,
            bar,
        }
    }

    /// The weights beside the outputs, where there is room for both.
    fn beside(width: f64, theme: &Theme, tokens: &[String]) -> Option<Places> {
        let (size, count) = (theme.label_size(), tokens.len());
        let outputs = 0.46 * width;
        let left = 1.8 * size;
        let bar = outputs - 3.9 * size;
        let column = (bar - 0.6 * size - left) / (count as f64 + 1.4);
        let tall = 6.0 * size;
        let first = 3.9 * size;
        let second = first + tall + 4.2 * size;
        let widest = tokens.iter().map(|token| text_width(token, size));
        let widest = widest.fold(0.0, f64::max).min(4.2 * size);
        let margin = 2.2 * size + widest;
        let start = outputs + 1.2 * size;
        let room = (width - start) / 2.0;
        let least = (1.3 * size * count as f64).max(9.0 * size);
        // Bold words are wider, and stand a little inside their columns.
        let readable = fits(tokens, 0.8 * column / 1.1, size);
        let height = second + tall + 3.7 * size;
        let side = |above: f64| (height - 5.8 * size - above).min(room - margin - 0.8 * size);
        // Words above a column that is too narrow for them stand upright.
        let flat = 1.3 * size;
        let above = if fits(tokens, side(flat) / count.max(1) as f64, size) {
            flat
        } else {
            widest + 0.6 * size
        };
        let side = side(above);
        if side < least || !readable {
            return None;
        }
        let top = 1.8 * size + above;
        let grid = |x| Rect::new(x, top, side, side);
        Some(Places {
            size,
            left,
            column,
            strips: [first, second],
            tall,
            tokens: [first - 1.1 * size, second + tall + 1.2 * size],
            panels: [start, start + room],
            above,
            grids: [start, start + room].map(|panel| grid(panel + margin)),
            height,
            bar,
        })
    }

    /// The strip in a column; the mean stands a little apart.
    fn strip(&self, row: usize, place: usize, count: usize) -> Rect {
        let apart = if place == count { 0.4 } else { 0.0 };
        Rect::new(
            self.left + (place as f64 + apart) * self.column + 0.06 * self.column,
            self.strips[row],
            0.88 * self.column,
            self.tall,
        )
    }

    fn middle(&self, place: usize, count: usize) -> f64 {
        let strip = self.strip(0, place, count);
        strip.centre_x()
    }
}

fn fits(tokens: &[String], width: f64, size: f64) -> bool {
    tokens.iter().all(|token| text_width(token, size) <= width)
}

/// The text, cut short with an ellipsis where it is wider.
fn elided(text: &str, width: f64, size: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_string();
    }
    let mut short = String::new();
    for character in characters(text) {
        if text_width(&short, size) + text_width(&character, size) + 0.6 * size > width {
            break;
        }
        short += &character;
    }
    if short.is_empty() {
        return characters(text).swap_remove(0);
    }
    short + "…"
}

const TITLES: [Text; 2] = [
    Text::new("Original order", "原来的顺序"),
    Text::new("Your order – drag the words", "你的顺序（可拖动）"),
];
const WEIGHTS: [Text; 2] = [
    Text::new("Attention, original", "注意力权重：原顺序"),
    Text::new("Attention, yours", "注意力权重：你的顺序"),
];

impl Figure for Order {
    const NAME: ViewName = ViewName::Order;
    const FIELDS: &'static [Field] = &[
        Field::words("words", "sentence", "句子", "", 120).linked(),
        Field::choice(
            "split",
            "Split",
            "切分",
            &[
                (
                    "auto",
                    Text::new("At spaces if any", "有空格按空格，否则按字"),
                ),
                ("words", Text::new("At spaces", "按空格")),
                ("characters", Text::new("By character", "按字")),
            ],
        ),
        Field::words("order", "order", "顺序", "", MOST).linked(),
        Field::whole("token", "token", "词元", 1, |_| (0, MOST as i64 - 1)).passing(),
        Field::toggle("held", "held", "按住", false).transient(),
        Field::toggle("pe", "add positional encoding", "加上位置编码", false),
        Field::toggle("causal", "causal mask", "因果掩码", false),
    ];

    fn new(values: &Values, lang: Lang, _: Option<Order>) -> Order {
        let split = |sentence: &str| split(sentence, values.choice("split"));
        let own = values.words("words");
        let mut tokens = split(own);
        let mut sentence = own;
        if tokens.is_empty() {
            sentence = match lang {
                Lang::En => EXAMPLES[0].0,
                Lang::Zh => EXAMPLES[1].0,
            };
            tokens = split(sentence);
        }
        let cut = tokens.len().saturating_sub(MOST);
        tokens.truncate(MOST);
        let twin = EXAMPLES.iter().find(|(words, _)| *words == sentence);
        let written = match (values.words("order"), twin) {
            ("", Some((_, order))) => order,
            (written, _) => written,
        };
        let mut order = read_order(written, tokens.len());
        // Equal words cannot be told apart: the first stands for the first.
        for place in 0..order.len() {
            for later in place + 1..order.len() {
                if tokens[order[place]] == tokens[order[later]] && order[place] > order[later] {
                    order.swap(place, later);
                }
            }
        }
        let (pe, causal) = (values.on("pe"), values.on("causal"));
        let both = [false, true].map(|pe| Order::heads(&tokens, &order, pe, causal));
        let differences = both.each_ref().map(|heads| {
            let tokens = (0..order.len()).map(|place| of_token(heads, &order, place));
            [largest(tokens), of_mean(heads)]
        });
        let [without, with] = both;
        Order {
            lang,
            sentence: sentence.into(),
            chosen: values.count("token").min(tokens.len() - 1),
            tokens,
            cut,
            order,
            pe,
            causal,
            heads: if pe { with } else { without },
            differences,
        }
    }

    fn caption(&self) -> String {
        let [token, mean] = self
            .difference()
            .map(|d| if d < ROUNDING { tiny(d) } else { short(d, 3) });
        if self.same_order() {
            return match self.lang {
                Lang::En if self.tokens.len() == 1 => {
                    "One token has only one order. Write more words."
                }
                Lang::Zh if self.tokens.len() == 1 => {
                    "只有一个词元，也就只有一种顺序。请多写几个词。"
                }
                Lang::En => "Both sentences read the same, and so do the outputs. Move a word.",
                Lang::Zh => "两行读起来一样，输出自然也一样。请移动一个词。",
            }
            .into();
        }
        let same = self.difference()[0] < ROUNDING;
        match (self.lang, same, self.pe, self.causal) {
            (Lang::En, true, _, _) => format!(
                "The words moved, and each took its output along unchanged: the largest difference is {token}, that of the mean {mean}, nothing but rounding. To this layer both orders are one sentence."
            ),
            (Lang::Zh, true, _, _) => format!(
                "词换了位置，各自的输出也原样跟着走：最大差异 {token}，平均值的差异 {mean}，都只是舍入误差。对这一层来说，两种语序是同一句话。"
            ),
            (Lang::En, false, false, _) => format!(
                "Under the mask a word sees only itself and those before it, so even without positional encoding moving words changes their outputs, by up to {token}, and the mean by {mean}."
            ),
            (Lang::Zh, false, false, _) => format!(
                "加了掩码，每个词只看得到自己和前面的词；所以即使没有位置编码，换位置也会改变输出，最多相差 {token}，平均值相差 {mean}。"
            ),
            (Lang::En, false, true, false) => format!(
                "With its position added a word no longer gives the same output elsewhere: the largest difference is {token}, and even the mean differs by {mean}. The two orders have become two sentences."
            ),
            (Lang::Zh, false, true, false) => format!(
                "加上位置编码后，同一个词换个位置，输出就不同了：最大差异 {token}，连平均值也相差 {mean}。两种语序成了两句不同的话。"
            ),
            (Lang::En, false, true, true) => format!(
                "Positional encoding and mask both tell the orders apart: the largest difference is {token}, that of the mean {mean}."
            ),
            (Lang::Zh, false, true, true) => {
                format!("位置编码和掩码都能分辨两种语序：最大差异 {token}，平均值的差异 {mean}。")
            }
        }
    }

    fn above(&self) -> Option<Node> {
        let label = Text::new("Sentence, in your own words", "句子，可以自己写").get(self.lang);
        let input = Node::new("input", vec![])
            .attribute("type", "text")
            .attribute("name", "words")
            .attribute("aria-label", label)
            .attribute("autocomplete", "off")
            .attribute("value", self.sentence.clone());
        let printed = span("on-paper", format!("“{}”", self.sentence));
        let examples = EXAMPLES.iter().map(|(words, _)| {
            let name = if words.is_ascii() {
                words.to_string()
            } else {
                words.replace(' ', "")
            };
            button("example", *words, name)
        });
        let mut nodes = vec![
            div("field", vec![span("name", label), input, printed]),
            div("row", examples.collect()),
        ];
        if self.cut > 0 {
            let all = self.tokens.len() + self.cut;
            nodes.push(
                p(match self.lang {
                    Lang::En => format!("The first {MOST} of {all} tokens are used."),
                    Lang::Zh => format!("共 {all} 个词元，只用前 {MOST} 个。"),
                })
                .class("note"),
            );
        }
        Some(Node::new("div", nodes))
    }

    fn below(&self) -> Option<Node> {
        let text = |en, zh| words(Text::new(en, zh).get(self.lang));
        let row = |pe: bool| {
            let name = if pe {
                Text::new("with positional encoding", "有位置编码")
            } else {
                Text::new("without positional encoding", "无位置编码")
            };
            let number = |d: f64| {
                let (class, shown) = if d < ROUNDING {
                    ("good", tiny(d))
                } else {
                    ("bad", short(d, 3))
                };
                span(class, shown)
            };
            let name = span(if pe == self.pe { "lit" } else { "" }, name.get(self.lang));
            let [token, mean] = self.differences[usize::from(pe)];
            vec![name, number(token), number(mean)]
        };
        let head = vec![
            text(
                "Largest difference between the orders",
                "两种顺序的最大差异",
            ),
            text("a token’s output", "各词元的输出"),
            text("mean output", "输出的平均值"),
        ];
        let note = match self.lang {
            Lang::En => format!(
                "One head, d_model = {WIDTH}. Its weights are random (seed {SEED}); embeddings are random too, seeded by the letters of the token, so that equal words have equal ones."
            ),
            Lang::Zh => format!(
                "单个注意力头，d_model = {WIDTH}。权重为随机数（种子 {SEED}）；词嵌入也是随机数，以词元的文字为种子，所以相同的词有相同的词嵌入。"
            ),
        };
        let label = |en, zh| Text::new(en, zh).get(self.lang);
        let name = &self.tokens[self.order[self.chosen]];
        let moves = [
            (
                "left",
                match self.lang {
                    Lang::En => format!("← Move “{name}”"),
                    Lang::Zh => format!("← 移动“{name}”"),
                },
            ),
            (
                "right",
                match self.lang {
                    Lang::En => format!("Move “{name}” →"),
                    Lang::Zh => format!("移动“{name}” →"),
                },
            ),
            ("next", label("Next word", "下一个词").into()),
            ("restore", label("Original order", "恢复原来的顺序").into()),
        ];
        let buttons = moves
            .into_iter()
            .map(|(value, words)| button("move", value, words));
        Some(Node::new(
            "div",
            vec![
                div("row", buttons.collect()),
                table(vec![head, row(false), row(true)]),
                p(note).class("note"),
            ],
        ))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Places::new(width, theme, &self.tokens).height)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, at) = (context.theme, self.places(context));
        let (size, count) = (at.size, self.tokens.len());
        let outputs = || self.heads.iter().flat_map(|head| &head.outputs.values);
        let most = largest(outputs().copied()).max(f64::MIN_POSITIVE);
        let muted = Words::new(size, theme.muted);
        let title = |y, words: &str| {
            pen.words(
                (at.left, y),
                words,
                Words::new(size, theme.ink).starting().bold(),
            )
        };
        title(0.9 * size, TITLES[0].get(self.lang))?;
        title(at.tokens[1] + 1.9 * size, TITLES[1].get(self.lang))?;
        let name = Text::new("mean", "平均").get(self.lang);
        for (row, head) in self.heads.iter().enumerate() {
            // One picture for all tokens, since each takes its time; then the room between them.
            let strips = at
                .strip(row, 0, count)
                .across(at.left, count as f64 * at.column);
            cells(pen, context, strips, (WIDTH, count), most, |d, place| {
                head.outputs.at(place, d)
            })?;
            for place in 0..=count {
                let gap = strips.across(
                    at.left + (place as f64 - 0.06) * at.column,
                    0.12 * at.column,
                );
                pen.fill(gap, theme.panel, 1.0)?;
            }
            let mean_strip = at.strip(row, count, count);
            cells(pen, context, mean_strip, (WIDTH, 1), most, |d, _| {
                mean(&head.outputs, d)
            })?;
            for place in 0..=count {
                let strip = at.strip(row, place, count);
                pen.outline(strip, theme.muted, 0.6, theme.hairline())?;
            }
            pen.words((at.middle(count, count), at.tokens[row]), name, muted)?;
            let middle = at.strips[row] + at.tall / 2.0;
            let words = Text::new("output", "输出").get(self.lang);
            pen.words((0.75 * size, middle), words, muted.upwards())?;
        }
        let bar = Rect::new(at.bar, at.strips[0], 0.8 * size, at.tall);
        colour_bar(pen, context, bar, most)?;
        self.draw_tokens(pen, context, &at)?;
        self.draw_links(pen, context, &at)?;
        for row in 0..2 {
            self.draw_weights(pen, context, &at, row)?;
        }
        Ok(())
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let at = self.places(context);
        let (top, bottom) = (at.strips[1] - at.size, at.tokens[1] + 1.2 * at.size);
        let count = self.order.len();
        let words = Rect::new(at.left, top, count as f64 * at.column, bottom - top);
        let word = Handle::columns(words, count, "token")
            .sets("order", Mapping::Own)
            .sets("words", Mapping::Own);
        vec![word.held(Hold::Across).while_held("held")]
    }

    /// A word that is dragged changes places with those it passes.
    fn pointer(&self, context: &DrawContext, pointer: Pointer, values: &mut Values) {
        if pointer.action != PointerAction::Drag {
            return point(&self.handles(context), pointer, values);
        }
        if values.on("held") {
            let at = self.places(context);
            let place = ((pointer.at.0 - at.left) / at.column).floor();
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
            values.set_whole("token", to as i64);
        }
        true
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match (action, value) {
            ("example", words) => {
                values.set("words", words);
                values.set("order", "");
                values.set("split", "auto");
            }
            ("move", "left") => self.move_to(self.chosen, self.chosen.saturating_sub(1), values),
            ("move", "right") => self.move_to(self.chosen, self.chosen + 1, values),
            ("move", "next") => {
                values.set_whole("token", ((self.chosen + 1) % self.order.len()) as i64);
            }
            ("move", "restore") => {
                let order: Vec<usize> = (0..self.order.len()).collect();
                self.set_order(&order, values);
            }
            _ => {}
        }
    }
}

impl Order {
    fn draw_tokens<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        at: &Places,
    ) -> DrawResult<DB> {
        let (theme, size, count) = (context.theme, at.size, self.tokens.len());
        let bold = |ink| Words::new(size, ink).bold();
        for place in 0..count {
            let x = at.middle(place, count);
            let name = |token: usize| elided(&self.tokens[token], 0.8 * at.column, 1.1 * size);
            let chosen = place == self.order[self.chosen];
            let ink = if chosen { theme.accent } else { theme.ink };
            pen.words((x, at.tokens[0]), &name(place), bold(ink))?;
            let handle = Rect::new(
                x - 0.44 * at.column,
                at.tokens[1] - 0.8 * size,
                0.88 * at.column,
                1.6 * size,
            );
            let (y, name) = (at.tokens[1], name(self.order[place]));
            if place == self.chosen {
                pen.fill(handle, theme.accent, 1.0)?;
                pen.words((x, y), &name, bold(theme.panel))?;
            } else {
                pen.outline(handle, theme.accent, 1.0, theme.hairline())?;
                pen.words((x, y), &name, bold(theme.accent))?;
            }
        }
        Ok(())
    }

    /// From each output to that of the same token in the other order, and whether they are equal.
    fn draw_links<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        at: &Places,
    ) -> DrawResult<DB> {
        let (theme, size, count) = (context.theme, at.size, self.tokens.len());
        for place in 0..=count {
            let (from, difference) = if place < count {
                let difference = of_token(&self.heads, &self.order, place);
                (self.order[place], difference)
            } else {
                (count, of_mean(&self.heads))
            };
            let top = (at.middle(from, count), at.strips[0] + at.tall + 0.25 * size);
            let foot = (at.middle(place, count), at.strips[1] - 1.35 * size);
            let chosen = place == self.chosen;
            let width = theme.stroke() * if chosen { 1.5 } else { 0.75 };
            let (colour, sign) = if difference < ROUNDING {
                pen.line(&[top, foot], theme.sine, width)?;
                (theme.sine, "=")
            } else {
                pen.dashes(top, foot, theme.there, width)?;
                (theme.there, "≠")
            };
            let words = Words::new(1.2 * size, colour).bold();
            pen.words((foot.0, at.strips[1] - 0.65 * size), sign, words)?;
        }
        Ok(())
    }

    fn draw_weights<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        at: &Places,
        row: usize,
    ) -> DrawResult<DB> {
        let (theme, size, count) = (context.theme, at.size, self.tokens.len());
        let (grid, weights) = (at.grids[row], &self.heads[row].weights);
        let token = |place: usize| &self.tokens[if row == 0 { place } else { self.order[place] }];
        let chosen = if row == 0 {
            self.order[self.chosen]
        } else {
            self.chosen
        };
        let side = grid.width / count as f64;
        let upright = !fits(&self.tokens, side, size);
        let panel = at.panels[row];
        let title = (panel + 0.4 * size, grid.y - at.above - 0.9 * size);
        let words = Words::new(size, theme.ink).starting().bold();
        pen.words(title, WEIGHTS[row].get(self.lang), words)?;
        cells(pen, context, grid, (count, count), 1.0, |r, c| {
            weights.at(r, c)
        })?;
        pen.outline(grid, theme.muted, 0.6, theme.hairline())?;
        for place in 0..count {
            let ink = if place == chosen {
                theme.accent
            } else {
                theme.muted
            };
            let words = Words::new(size, ink);
            let name = elided(token(place), 4.2 * size, size);
            let y = grid.y + (place as f64 + 0.5) * side;
            pen.words((grid.x - 0.4 * size, y), &name, words.ending())?;
            let x = grid.x + (place as f64 + 0.5) * side;
            if upright {
                let rise = text_width(&name, size) / 2.0 + 0.6 * size;
                pen.words((x, grid.y - rise), &name, words.upwards())?;
            } else {
                pen.words((x, grid.y - 0.8 * size), &name, words)?;
            }
        }
        let first = cell_rect(grid, (count, count), chosen, 0);
        let line = first.with_width(grid.width);
        pen.outline(line, theme.accent, 1.0, theme.stroke())?;
        let muted = Words::new(size, theme.muted);
        let middle = grid.centre_y();
        let query = Text::new("query (looks)", "查询").get(self.lang);
        pen.words((panel + 0.75 * size, middle), query, muted.upwards())?;
        let key = Text::new("key (is looked at)", "键").get(self.lang);
        let below = grid.bottom() + size;
        pen.words((grid.centre_x(), below), key, muted)?;
        if row == 1 {
            // The scale of the weights, half of the outputs' colours.
            let scale = Rect::new(
                grid.x + size,
                grid.bottom() + 2.1 * size,
                (grid.width - 2.0 * size).min(9.0 * size),
                0.8 * size,
            );
            cells(pen, context, scale, (1, 64), 64.0, |_, c| c as f64 + 0.5)?;
            pen.outline(scale, theme.muted, 0.6, theme.hairline())?;
            let y = scale.y + 0.4 * size;
            pen.words((scale.x - 0.4 * size, y), "0", muted.ending())?;
            pen.words((scale.right() + 0.4 * size, y), "1", muted.starting())?;
        }
        Ok(())
    }
}

/// `order(example, pe, causal, mean)`: the largest difference between an example and its twin, of a
/// token's output or of the mean.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let ("order", &[example, pe, causal, mean]) = (name, arguments) else {
        return None;
    };
    let mut values = Values::new(Order::FIELDS);
    values.set("words", EXAMPLES[example as usize].0);
    values.set_on("pe", pe != 0.0);
    values.set_on("causal", causal != 0.0);
    Some(Order::new(&values, Lang::En, None).difference()[mean as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::ThemeName;

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
            Places::new(width, theme, &order.tokens)
        };
        for words in EXAMPLES.map(|(words, _)| words) {
            let wide = places(words, 1050.0);
            // With controls, buttons and table that makes less than 720.
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
        assert_eq!(split("a bc", "auto"), ["a", "bc"]);
        assert_eq!(split("a bc", "characters"), ["a", "b", "c"]);
        assert_eq!(split("猫追狗", "auto").len(), 3);
        assert_eq!(split("猫追狗", "words").len(), 1);
    }

    #[test]
    fn any_text_makes_an_order() {
        for text in ["", "aab", "abd", "zzzzz", "\u{7f}`@", "cab ", "é"] {
            for count in 0..=MOST {
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
        assert_eq!((order.tokens.len(), order.cut), (MOST, 12));
        assert!(order.above().unwrap().plain().contains("first 12 of 24"));
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
        let places = order_at_first.places(&context);
        let pointer = |place, action| Pointer {
            at: (places.middle(place, 4), places.tokens[1]),
            action,
            held: Some(0),
        };
        for (place, action) in [
            (0, PointerAction::Press),
            (1, PointerAction::Drag),
            (2, PointerAction::Drag),
            (2, PointerAction::Release),
        ] {
            again(&dragged).pointer(&context, pointer(place, action), &mut dragged);
        }
        again(&dragged).pointer(&context, pointer(0, PointerAction::Drag), &mut dragged);
        let (mut keyed, _) = order(&start);
        for (key, shift) in [("Home", false), ("ArrowRight", true), ("ArrowRight", true)] {
            assert!(again(&keyed).key(key, shift, &mut keyed));
        }
        assert_eq!(dragged.words("order"), "bcad");
        assert_eq!(dragged, keyed);
        again(&keyed).act("move", "restore", &mut keyed);
        assert!(again(&keyed).same_order());
        again(&keyed).act("move", "left", &mut keyed);
        assert_eq!(keyed.words("order"), "acbd");
    }
}
