//! RoPE on more positions than it was trained on: the wavelength of every pair before and after scaling by a rule,
//! compared with the trained length and the context length.

use crate::draw::chart::Chart;
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, Space, TextStyle, Theme};
use crate::field::{Choice, Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle};
use crate::math::Clamp;
use crate::text::markup::{Node, html};
use crate::text::number::{short, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{PairScaling, RopeContext as Head, RopeScaling, ScaledFrequencies, YarnRamp};
use std::f64::consts::TAU;

/// d_head of LLaMA, Llama 2 and Llama 3.
const D_HEAD: usize = 128;
const LONGEST: i64 = 1 << 20;

const WAVELENGTH: Text = Text::new(
    "wavelength, positions (slow: high)",
    "波长（位置数，越高越慢）",
);
const PAIR: Text = Text::new("pair i", "维度对 i");
const TRAINING: Text = Text::new("in training", "训练时");
const SLOW: Text = Text::new("< 1 turn in training", "训练中转不满一圈");
const SCALINGS: [(PairScaling, Text); 3] = [
    (PairScaling::Unchanged, Text::new("untouched", "不变")),
    (PairScaling::Blended, Text::new("blended", "过渡")),
    (PairScaling::Divided, Text::new("divided", "除以 s")),
];
/// Name, trained length, s, context length, base.
const MODELS: [(&str, [i64; 4]); 2] = [
    ("Llama 2, s = 16", [4096, 16, 65_536, 10_000]),
    ("Llama 3.1, s = 8", [8192, 8, 65_536, 500_000]),
];

pub struct Context {
    lang: Lang,
    rule: RopeScaling,
    /// The rule as it was chosen.
    chosen: Rule,
    head: Head,
    stretched: ScaledFrequencies,
    pair: usize,
}

fn scaling(rule: Rule, ramp: Ramp) -> RopeScaling {
    match (rule, ramp) {
        (Rule::Unchanged, _) => RopeScaling::Unchanged,
        (Rule::Interpolation, _) => RopeScaling::Interpolation,
        (Rule::Ntk, _) => RopeScaling::NtkAware,
        (Rule::Dynamic, _) => RopeScaling::DynamicNtk,
        (Rule::Yarn, Ramp::Turns) => RopeScaling::Yarn(YarnRamp::Turns),
        (Rule::Yarn, Ramp::Index) => RopeScaling::Yarn(YarnRamp::Index),
        (Rule::Llama3, _) => RopeScaling::Llama3,
    }
}

fn colour_of(theme: &Theme, fate: PairScaling) -> RGBColor {
    match fate {
        PairScaling::Unchanged => theme.series[0],
        PairScaling::Blended => theme.series[1],
        PairScaling::Divided => theme.series[2],
    }
}

/// The number of pairs that complete less than a turn within the trained length, and reach larger angles within the
/// context length.
fn pairs_beyond_training(head: &Head, stretched: &ScaledFrequencies) -> usize {
    let pairs = stretched.before.iter().zip(&stretched.after);
    pairs
        .filter(|&(before, after)| {
            let met = before * head.trained;
            met < TAU && after * head.length > met * (1.0 + 1e-9)
        })
        .count()
}

impl Context {
    /// The number of pairs that make less than a turn within the trained length: the slowest, the last.
    fn slow(&self) -> usize {
        let slow = |&&before: &&f64| before * self.head.trained < TAU;
        self.stretched.before.iter().filter(slow).count()
    }

    /// Whether the rule treats pairs differently, so that the counts say something.
    fn is_mixed(&self) -> bool {
        let all = self.stretched.scalings.len();
        !self.stretched.counts().contains(&all)
    }

    /// Draws what becomes of the slow pairs and, below it, the numbers of pairs that are untouched, blended and divided.
    fn draw_outcome(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let unmet = pairs_beyond_training(&self.head, &self.stretched);
        let (slow, left) = (self.slow(), 0.6 * size);
        let words = match self.lang {
            Lang::En => format!("slow pairs at angles never seen: {unmet} of {slow}"),
            Lang::Zh => format!("转到没见过的角度的慢维度对：{slow} 个中的 {unmet} 个"),
        };
        let colour = if unmet > 0 { theme.wrong } else { theme.right };
        let style = TextStyle::new(1.3 * size, colour).bold().align_left();
        let style = style.fitting(&words, context.frame.width - 2.0 * left);
        pen.text((left, size), &words, style);
        if !self.is_mixed() {
            return;
        }
        // All three on one line, however narrow it is.
        let (size, y) = (size.min(context.frame.width / 31.0), 2.6 * size);
        let mut x = left;
        let counted = SCALINGS.into_iter().zip(self.stretched.counts());
        for ((fate, name), count) in counted.filter(|(_, count)| *count > 0) {
            let words = format!("{count} {}", name.get(self.lang));
            let colour = colour_of(theme, fate);
            pen.disc((x + 0.4 * size, y), 0.35 * size, colour);
            x += 1.1 * size;
            let style = TextStyle::new(size, colour).bold().align_left();
            pen.text((x, y), &words, style);
            x += 1.1 * text_width(&words, size) + 1.1 * size;
        }
    }
}

choices! {
    enum Rule {
        Unchanged "unchanged" "Unchanged" "不改";
        Interpolation "interpolation" "Position interpolation" "位置插值";
        Ntk "ntk" "NTK-aware" "NTK-aware";
        Dynamic "dynamic" "Dynamic NTK" "动态 NTK";
        Yarn "yarn" "YaRN" "YaRN";
        Llama3 "llama3" "Llama 3.1" "Llama 3.1";
    }
}

choices! {
    enum Ramp {
        Turns "turns" "As in the paper" "按论文";
        Index "index" "As in the code" "按代码";
    }
}

fields! {
    RULE: Rule = Key::choice("rule", "Rule", "规则");
    RAMP: Ramp = Key::choice("ramp", "YaRN’s ramp", "YaRN 的过渡").under_more();
    TRAINED: i64 = Key::size(
        "trained",
        "Trained length L",
        "训练长度 L",
        4096,
        |_| (64, 131_072),
    )
    .under_more();
    S: i64 = Key::size("s", "Factor s", "倍数 s", 16, |_| (1, 64)).under_more();
    LENGTH: i64 = Key::size("length", "Context length", "上下文长度", 65_536, |_| (64, LONGEST));
    BASE: i64 = Key::size("base", "base", "底数", 10_000, |_| (10_000, 1_000_000)).without_control();
    SELECTED_PAIR: i64 = Key::whole("pair", "index i", "维度对", 40, |_| {
        (0, D_HEAD as i64 / 2 - 1)
    })
    .without_control();
}

impl Figure for Context {
    const NAME: ViewName = ViewName::Context;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(SELECTED_PAIR), None];

    type Layout = Chart;

    fn new(values: &Values, lang: Lang, _: Option<Context>) -> Context {
        let chosen = values.get(RULE);
        let rule = scaling(chosen, values.get(RAMP));
        let number = |key| values.get(key) as f64;
        let head = Head {
            d_head: D_HEAD,
            base: number(BASE),
            trained: number(TRAINED),
            factor: number(S),
            length: number(LENGTH),
        };
        Context {
            lang,
            rule,
            chosen,
            head,
            stretched: head.scaled(rule),
            pair: values.count(SELECTED_PAIR),
        }
    }

    fn caption(&self) -> String {
        let [untouched, blended, divided] = self.stretched.counts();
        let unmet = pairs_beyond_training(&self.head, &self.stretched);
        let [s, length, base] =
            [self.head.factor, self.head.length, self.head.base].map(|number| whole(number as i64));
        let pair = self.pair;
        let [before, after] = [&self.stretched.before, &self.stretched.after]
            .map(|frequencies| short(TAU / frequencies[pair], 4));
        let more = match (self.lang, self.rule, self.head.new_base(self.rule)) {
            (Lang::En, _, Some(new)) => format!(" The base goes from {base} to {}.", short(new, 6)),
            (Lang::Zh, _, Some(new)) => format!("底数由 {base} 变为 {}。", short(new, 6)),
            (_, RopeScaling::Yarn(_), _) => {
                let factor = self.stretched.attention_factor;
                let (factor, logits) = (short(factor, 4), short(factor * factor, 3));
                match self.lang {
                    Lang::En => {
                        format!(" q and k are also multiplied by {factor}, so logits by {logits}.")
                    }
                    Lang::Zh => format!("q 和 k 还各乘以 {factor}，注意力分数因而乘以 {logits}。"),
                }
            }
            _ => String::new(),
        };
        // What no pair does is not said.
        let say = |count: usize, what: String| (count > 0).then_some(what);
        let parts = match self.lang {
            Lang::En => [
                say(untouched, format!("{untouched} keep their frequency")),
                say(
                    divided,
                    format!("{divided} turn s = {s} times slower or more"),
                ),
                say(blended, format!("{blended} lie between")),
            ],
            Lang::Zh => [
                say(untouched, format!("{untouched} 个频率不变")),
                say(divided, format!("{divided} 个的频率除以 s = {s} 或更多")),
                say(blended, format!("{blended} 个介于两者之间")),
            ],
        };
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        match self.lang {
            Lang::En => format!(
                "Of 64 pairs, {}. A context of {length} positions takes {unmet} of the slow pairs to angles never seen in training. Pair {pair}: wavelength {before} before, {after} after.{more}",
                parts.join(", ")
            ),
            Lang::Zh => format!(
                "64 个维度对中，{}。上下文长度为 {length} 时，有 {unmet} 个低频维度对转到训练中从未见过的角度。维度对 {pair} 的波长：改动前 {before}，改动后 {after}。{more}",
                parts.join("，")
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let buttons = MODELS
            .iter()
            .enumerate()
            .map(|(index, (name, _))| html::button("model", index.to_string(), *name));
        Some(html::div("row", buttons.collect()))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        let model = value
            .parse()
            .ok()
            .and_then(|index: usize| MODELS.get(index));
        if let ("model", Some((_, settings))) = (action, model) {
            for (key, value) in [TRAINED, S, LENGTH, BASE].into_iter().zip(settings) {
                values.set_to(key, *value);
            }
            if self.chosen == Rule::Unchanged {
                let is_first = value == "0";
                values.set_to(RULE, if is_first { Rule::Yarn } else { Rule::Llama3 });
            }
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.69 * width).clamp(300.0, 475.0) * theme.scale, 16.0))
    }

    fn layout(&self, context: &DrawContext) -> Chart {
        let lines = if self.is_mixed() { 3.4 } else { 2.0 };
        let top = lines * context.theme.label_size();
        let area = Rect::all(context.frame).down(top, context.frame.height - top);
        let last = D_HEAD / 2 - 1;
        let high = (TAU / self.stretched.before[last] * self.head.factor)
            .max(TAU / self.stretched.after[last])
            .max(self.head.length);
        Chart::new(
            context,
            area,
            Scale::linear(-0.5, last as f64 + 0.5),
            Scale::log(4.0, 1.6 * high),
        )
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, stretched) = (context.theme, &self.stretched);
        let size = theme.label_size();
        self.draw_outcome(pen, context);
        let (plot, words) = (chart.plot, TextStyle::new(size, theme.muted));
        let mut space = Space::new(plot);
        // The band of the slow pairs, below whose wavelengths there is room for its name.
        let slow = self.slow();
        if slow > 0 {
            let left = chart.x.pixel((stretched.before.len() - slow) as f64 - 0.5);
            let band = plot.across(left, plot.right() - left);
            pen.fill(band, theme.wrong, 0.1);
            let at = (plot.right() - 0.5 * size, plot.bottom() - 0.9 * size);
            let style = TextStyle::new(size, theme.wrong).bold().align_right();
            space.write(pen, SLOW.get(self.lang), &[(at.into(), style)]);
        }
        chart.axes(pen, context, self.lang.texts([WAVELENGTH, PAIR]));
        let waves = |frequencies: &[f64]| -> Vec<(f64, f64)> {
            let pairs = frequencies.iter().enumerate();
            pairs.map(|(pair, w)| (pair as f64, TAU / w)).collect()
        };
        let (before, after) = (waves(&stretched.before), waves(&stretched.after));
        let spacing = chart.x.pixel(1.0) - chart.x.pixel(0.0);
        let radius = (0.42 * spacing).clamped(1.4, 3.4);
        chart.curve(
            pen,
            before.iter().copied(),
            theme.muted,
            0.7 * theme.stroke(),
        );
        for (to, &fate) in after.iter().zip(&stretched.scalings) {
            chart.dots(pen, [*to], colour_of(theme, fate), radius);
        }
        for waves in [&before, &after] {
            for two in waves.windows(2) {
                space.take_line([chart.at(two[0]), chart.at(two[1])], 2.0 * radius);
            }
        }
        let [trained, length] = [self.head.trained, self.head.length];
        let names = match self.lang {
            Lang::En => ["trained", "context"],
            Lang::Zh => ["训练长度", "上下文"],
        };
        for ((name, length), colour) in names
            .into_iter()
            .zip([trained, length])
            .zip([theme.ink, theme.muted])
        {
            let y = chart.y.pixel(length).clamped(plot.y, plot.bottom());
            pen.dashes((plot.x, y), (plot.right(), y), colour, 0.6 * theme.stroke());
            space.take_line([(plot.x, y).into(), (plot.right(), y).into()], 1.0);
            let name = format!("{name} {}", whole(length as i64));
            let style = TextStyle::new(size, colour).align_left();
            let places = [-0.8, 0.8].map(|up| ((plot.x + 0.4 * size, y + up * size).into(), style));
            space.write(pen, &name, &places);
        }
        // The selected pair.
        let (from, to) = (chart.at(before[self.pair]), chart.at(after[self.pair]));
        if from.y - to.y > size {
            pen.arrow(from, to, theme.accent, 1.6 * theme.stroke());
        }
        for at in [from, to] {
            pen.disc(at, 2.0 * theme.stroke(), theme.accent);
        }
        let pair = labels::pair_tag(self.lang, self.pair);
        let slower = short(after[self.pair].1 / before[self.pair].1, 3);
        let name = match (self.lang, to == from) {
            (_, true) => pair,
            (Lang::En, _) => format!("{pair}: {slower} × slower"),
            (Lang::Zh, _) => format!("{pair}：频率降到 1/{slower}"),
        };
        let style = TextStyle::new(1.3 * size, theme.accent).bold();
        let style = style.fitting(&name, 0.64 * plot.width);
        let [left, right] = [style.align_right(), style.align_left()];
        space.write(
            pen,
            &name,
            &[
                (to + (0.2 * size, -1.3 * size), left),
                (to + (-0.9 * size, -0.9 * size), left),
                (to + (-0.9 * size, -2.4 * size), left),
                (from + (0.8 * size, 1.2 * size), right),
                (from + (0.8 * size, 2.6 * size), right),
                (from.midpoint(to) + (-0.8 * size, 0.0), left),
            ],
        );
        // Each name is on the side of its line that is away from the other.
        let beside = |waves: &[(f64, f64)], side: f64, style: TextStyle| {
            [16, 8, 24, 32, 40].map(|pair| {
                let at = chart.at(waves[pair]) + (0.8 * side * size, 0.8 * side * size);
                (at, style)
            })
        };
        let name = TRAINING.get(self.lang);
        space.write(pen, name, &beside(&before, 1.0, words.align_left()));
        if self.chosen != Rule::Unchanged {
            let name = self.chosen.label().get(self.lang);
            let style = words.bold().align_right();
            // In a narrow chart there may be no room for it; it is the value of the control as well.
            space.write(pen, name, &beside(&after, -1.0, style));
        }
    }

    fn handles(&self, _: &DrawContext, chart: &Chart) -> Vec<Handle> {
        vec![Handle::along_x(chart, SELECTED_PAIR)]
    }

    /// The numbers that texts quote, for heads as in Llama 2 (or 3.1) with s times the trained length as context length.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let shown = |index: f64| {
            let chosen = Rule::ALL[index as usize];
            let model = MODELS[usize::from(chosen == Rule::Llama3)]
                .1
                .map(|number| number as f64);
            let head = Head {
                d_head: D_HEAD,
                base: model[3],
                trained: model[0],
                factor: model[1],
                length: model[2],
            };
            let rule = scaling(chosen, Ramp::Turns);
            (head, rule, head.scaled(rule))
        };
        Some(match (name, arguments) {
            ("context_untouched", &[rule]) => shown(rule).2.counts()[0] as f64,
            ("context_blended", &[rule]) => shown(rule).2.counts()[1] as f64,
            ("context_divided", &[rule]) => shown(rule).2.counts()[2] as f64,
            ("context_unmet", &[rule]) => {
                let (head, _, stretched) = shown(rule);
                pairs_beyond_training(&head, &stretched) as f64
            }
            ("context_base", &[index]) => {
                let (head, rule, _) = shown(index);
                head.new_base(rule)?
            }
            ("context_step", &[rule]) => shown(rule).2.after[0],
            ("context_factor", &[rule]) => shown(rule).2.attention_factor,
            ("context_logits", &[rule]) => shown(rule).2.attention_factor.powi(2),
            ("context_ramps", &[]) => {
                let head = shown(4.0).0;
                let [turns, index] = [YarnRamp::Turns, YarnRamp::Index]
                    .map(|ramp| head.scaled(RopeScaling::Yarn(ramp)).after);
                let apart = turns.iter().zip(&index).map(|(a, b)| (a / b).max(b / a));
                apart.fold(0.0, f64::max)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Context {
        Context::new(&Values::with(Context::FIELDS, changes), Lang::En, None)
    }

    #[test]
    fn counts_of_llama_2_and_3() {
        // By the papers' definitions, in Python.
        for (changes, counts, unmet_pairs) in [
            ("", [64, 0, 0], 18),
            ("rule=interpolation", [0, 0, 64], 0),
            ("rule=ntk", [1, 62, 1], 17),
            ("rule=yarn", [21, 25, 18], 0),
            ("rule=yarn ramp=index", [21, 25, 18], 0),
            ("rule=llama3 trained=8192 s=8 base=500000", [29, 6, 29], 0),
            ("rule=dynamic length=4096", [64, 0, 0], 0),
        ] {
            let shown = shown(changes);
            assert_eq!(shown.stretched.counts(), counts, "{changes}");
            assert_eq!(
                pairs_beyond_training(&shown.head, &shown.stretched),
                unmet_pairs,
                "{changes}"
            );
        }
        // Beyond s times the trained length, interpolation reaches new angles as well.
        let longer = shown("rule=interpolation length=131072");
        assert_eq!(pairs_beyond_training(&longer.head, &longer.stretched), 18);
    }

    #[test]
    fn a_model_sets_its_lengths_and_its_rule() {
        let mut values = Values::new(Context::FIELDS);
        Context::new(&values, Lang::En, None).act("model", "1", &mut values);
        assert_eq!(values.get(RULE), Rule::Llama3);
        assert_eq!(values.get(BASE), 500_000);
        Context::new(&values, Lang::En, None).act("model", "0", &mut values);
        assert_eq!(values.get(RULE), Rule::Llama3);
        assert_eq!(values.get(TRAINED), 4096);
    }
}
