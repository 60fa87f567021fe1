//! RoPE on more positions than it was trained on: how many turns every pair makes over the trained length, and over the
//! context length after scaling by a rule.

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Point, Rect, Scale, Space, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle};
use crate::math::Clamp;
use crate::text::markup::{Node, html};
use crate::text::number::{short, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{RopeContext as Head, RopeScaling, ScaledFrequencies, YarnRamp};
use std::f64::consts::TAU;

/// d_head of LLaMA, Llama 2 and Llama 3.
const D_HEAD: usize = 128;
const LONGEST: i64 = 1 << 20;

const TURNS: Text = Text::new("turns", "圈数");
const PAIR: Text = Text::new("pair i", "维度对 i");
/// The name of the slow pairs, in two lines.
const SLOW: [Text; 2] = [
    Text::new("< 1 turn", "训练中"),
    Text::new("in training", "不满一圈"),
];
/// Name, trained length, s, context length, base.
const MODELS: [(&str, [i64; 4]); 2] = [
    ("Llama 2, s = 16", [4096, 16, 65_536, 10_000]),
    ("Llama 3.1, s = 8", [8192, 8, 131_072, 500_000]),
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

/// Whether a pair completes less than a turn within the trained length, and reaches larger angles within the context length.
fn is_beyond_training(head: &Head, before: f64, after: f64) -> bool {
    let met = before * head.trained;
    met < TAU && after * head.length > met * (1.0 + 1e-9)
}

fn pairs_beyond_training(head: &Head, stretched: &ScaledFrequencies) -> usize {
    let pairs = stretched.before.iter().zip(&stretched.after);
    pairs
        .filter(|&(&before, &after)| is_beyond_training(head, before, after))
        .count()
}

impl Context {
    /// The number of pairs that make less than a turn within the trained length: the slowest, the last.
    fn slow(&self) -> usize {
        let slow = |&&before: &&f64| before * self.head.trained < TAU;
        self.stretched.before.iter().filter(slow).count()
    }

    /// The turns of every pair over the trained length, over the context length with the rule, and over that without one.
    fn turns(&self) -> [Vec<(f64, f64)>; 3] {
        let turns = |frequencies: &[f64], length: f64| {
            let pairs = frequencies.iter().enumerate();
            let turns = pairs.map(|(pair, frequency)| (pair as f64, frequency * length / TAU));
            turns.collect()
        };
        let (head, stretched) = (&self.head, &self.stretched);
        [
            turns(&stretched.before, head.trained),
            turns(&stretched.after, head.length),
            turns(&stretched.before, head.length),
        ]
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
        let slow = self.slow();
        let [s, base] = [self.head.factor, self.head.base].map(|number| whole(number as i64));
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
        match self.lang {
            Lang::En => format!(
                "A pair that made less than a turn in training and now turns further meets new angles: {unmet} of {slow}. Frequencies: {untouched} kept, {blended} blended, {divided} divided by s = {s} or more. Pair {pair}: wavelength {before} before, {after} after.{more}"
            ),
            Lang::Zh => format!(
                "训练中转不满一圈、现在转得更远的维度对，会遇到新的角度：{slow} 个中有 {unmet} 个。频率：{untouched} 个不变，{blended} 个过渡，{divided} 个除以 s = {s} 或更多。维度对 {pair} 的波长：改动前 {before}，改动后 {after}。{more}"
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
        let top = 2.0 * context.theme.label_size();
        let area = Rect::all(context.frame).down(top, context.frame.height - top);
        // Faster pairs turn further, whatever the rule.
        let turns = self.turns();
        let last = D_HEAD / 2 - 1;
        let low = turns.iter().fold(0.5, |low: f64, all| low.min(all[last].1));
        let high = turns.iter().fold(2.0, |high: f64, all| high.max(all[0].1));
        Chart::new(
            context,
            area,
            Scale::linear(-0.5, last as f64 + 0.5),
            Scale::log(0.5 * low, 2.0 * high),
        )
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let unmet = pairs_beyond_training(&self.head, &self.stretched);
        let slow = self.slow();
        let words = match self.lang {
            Lang::En => format!("slow pairs at angles never seen: {unmet} of {slow}"),
            Lang::Zh => format!("转到没见过的角度的慢维度对：{slow} 个中的 {unmet} 个"),
        };
        let left = 0.6 * size;
        let colour = if unmet > 0 { theme.wrong } else { theme.right };
        let style = TextStyle::new(1.3 * size, colour).bold().align_left();
        let style = style.fitting(&words, context.frame.width - 2.0 * left);
        pen.text((left, size), &words, style);

        let plot = chart.plot;
        chart.axes(pen, context, self.lang.texts([TURNS, PAIR]));
        let mut space = Space::new(plot);
        let from = chart.x.pixel((D_HEAD / 2 - slow) as f64 - 0.5);
        let band = plot.across(from, plot.right() - from);
        if slow > 0 {
            pen.fill(band, theme.panel, 1.0);
            pen.fill(band, theme.rule, 0.5);
            pen.outline(plot, theme.muted, 0.6, theme.hairline());
        }
        // Curves fall to the right, and leave the top free.
        for (line, words) in self.lang.texts(SLOW).into_iter().enumerate() {
            let at = (band.centre_x(), plot.y + (1.0 + 1.3 * line as f64) * size);
            let style = TextStyle::new(size, theme.muted).bold();
            if band.width > 5.0 * size {
                let style = style.fitting(words, band.width - 0.6 * size);
                pen.text(at, words, style);
                space.take(pen.text_bounds(at, words, style));
            }
        }
        let one = plot.horizontal(chart.y.pixel(1.0));
        pen.line(&one, theme.muted, theme.hairline());
        space.take_line(one, 1.0);
        let [before, after, unchanged] = self.turns();
        let spacing = chart.x.pixel(1.0) - chart.x.pixel(0.0);
        let radius = (0.42 * spacing).clamped(1.4, 3.4);
        let width = 0.7 * theme.stroke();
        chart.curve(pen, before.iter().copied(), theme.muted, width);
        // What the rule changes, or the trained length if it changes nothing.
        let changes = self.rule != RopeScaling::Unchanged;
        if changes {
            let curve: Vec<_> = unchanged.iter().map(|turns| chart.at(*turns)).collect();
            pen.dashed_curve(&curve, theme.wrong, 0.7, width);
        }
        let source = if changes { &unchanged } else { &before };
        let (old, new) = (&self.stretched.before, &self.stretched.after);
        for (pair, (&from, &to)) in before.iter().zip(&after).enumerate() {
            let colour = match is_beyond_training(&self.head, old[pair], new[pair]) {
                true => theme.wrong,
                false => theme.ink,
            };
            if colour == theme.wrong {
                pen.line(&[chart.at(from), chart.at(to)], colour, theme.hairline());
            }
            chart.dots(pen, [to], colour, radius);
        }
        for turns in [&before, &after, source] {
            for two in turns.windows(2) {
                space.take_line([chart.at(two[0]), chart.at(two[1])], 2.0 * radius);
            }
        }
        // The selected pair.
        let (from, to) = (chart.at(source[self.pair]), chart.at(after[self.pair]));
        if from.distance(to) > size {
            pen.arrow(from, to, theme.accent, 1.6 * theme.stroke());
        }
        for at in [from, to] {
            pen.disc(at, 2.0 * theme.stroke(), theme.accent);
        }
        let pair = labels::pair_tag(self.lang, self.pair);
        let [was, is] = [source[self.pair].1, after[self.pair].1].map(|turns| short(turns, 3));
        let name = match self.lang {
            Lang::En => format!("{pair}: {was} → {is} turns"),
            Lang::Zh => format!("{pair}：{was} → {is} 圈"),
        };
        let style = TextStyle::new(1.3 * size, theme.accent).bold();
        let style = style.fitting(&name, 0.64 * plot.width);
        let start = (to.x - 0.9 * size - style.width(&name)).max(plot.x + 0.4 * size);
        let (above, below) = (from.y.min(to.y), from.y.max(to.y));
        let places = [
            (start, below + 1.2 * size),
            (start, below + 2.6 * size),
            (start, below + 4.0 * size),
            (start, below + 5.4 * size),
            (to.x + 0.4 * size, above - 1.2 * size),
            (to.x + 0.4 * size, above - 2.6 * size),
            (plot.x + 0.4 * size, plot.bottom() - 1.2 * size),
        ];
        let places = places.map(|at| (Point::from(at), style.align_left()));
        space.write(pen, &name, &places);
        // Each name is on the side of its curve that is away from the others, if there is room.
        let [trained, length] = [self.head.trained, self.head.length].map(|l| whole(l as i64));
        let names = match self.lang {
            Lang::En => [
                format!("training: {trained}"),
                format!("context: {length}"),
                "unchanged".into(),
            ],
            Lang::Zh => [
                format!("训练：{trained}"),
                format!("上下文：{length}"),
                "不改".into(),
            ],
        };
        let shown = if changes { 3 } else { 2 };
        let style = |colour| TextStyle::new(size, colour);
        let styles = [
            (style(theme.muted), -size),
            (style(theme.ink).bold(), size),
            (style(theme.wrong), size),
        ];
        let curves = [&before, &after, &unchanged].into_iter().zip(styles);
        for (name, (turns, (style, away))) in names.iter().zip(curves).take(shown) {
            let places = [away, -away].map(|away| {
                let style = match away > 0.0 {
                    true => style.align_left(),
                    false => style.align_right(),
                };
                let beside = |pair: usize| (chart.at(turns[pair]) + (away, -away), style);
                [16, 12, 20, 8, 24, 32, 40].map(beside)
            });
            space.write(pen, name, &places.concat());
        }
    }

    fn handles(&self, _: &DrawContext, chart: &Chart) -> Vec<Handle> {
        vec![Handle::along_x(chart, SELECTED_PAIR)]
    }

    /// The numbers that texts quote, for heads as in [`MODELS`].
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        use crate::field::Choice;
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
            (
                "rule=llama3 trained=8192 s=8 length=131072 base=500000",
                [29, 6, 29],
                29,
            ),
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
        // Its context is longer than s times the trained length.
        assert_eq!(values.get(LENGTH), 131_072);
        Context::new(&values, Lang::En, None).act("model", "0", &mut values);
        assert_eq!(values.get(RULE), Rule::Llama3);
        assert_eq!(values.get(TRAINED), 4096);
    }
}
