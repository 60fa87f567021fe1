//! Published perplexities of models on sequences longer than those they were trained on.
//! All numbers are from Press, Smith and Lewis 2022, arXiv 2108.12409.

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short};
use crate::text::{Lang, Text};

const SOURCE: &str = "Press et al. 2022, arXiv 2108.12409";

/// A sinusoidal model trained on sequences of 512 tokens (WikiText-103): tested length in tokens, and
/// perplexity; 19.91 was measured from 532 to 562.
pub const TRAINED_ON_512: [(f64, f64); 5] = [
    (512.0, 20.05),
    (532.0, 19.91),
    (562.0, 19.91),
    (712.0, 24.86),
    (1012.0, 43.54),
];

/// A model, and its perplexity by tested length.
struct Measured {
    name: Text,
    /// The trained length, in the unit of the tested ones.
    trained: f64,
    points: &'static [(f64, f64)],
}

impl Measured {
    /// Returns tested length over trained length, and perplexity.
    fn ratios(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        let points = self.points.iter();
        points.map(|(length, perplexity)| (length / self.trained, *perplexity))
    }
}

const MODELS: [Measured; 3] = [
    Measured {
        name: Text::new("Sinusoidal, WikiText-103", "正弦编码，WikiText-103"),
        trained: 512.0,
        points: &TRAINED_ON_512,
    },
    Measured {
        name: Text::new("Sinusoidal, 1.3 billion parameters", "正弦编码，13 亿参数"),
        trained: 1.0,
        points: &[(1.0, 9.71), (2.0, 37.05), (4.0, 105.42)],
    },
    Measured {
        name: Text::new("ALiBi, 1.3 billion parameters", "ALiBi，13 亿参数"),
        trained: 1.0,
        points: &[(1.0, 9.79), (2.0, 9.30), (4.0, 9.54)],
    },
];

/// All points: model, ratio of lengths, perplexity.
fn all() -> impl Iterator<Item = (usize, (f64, f64))> {
    let models = MODELS.iter().enumerate();
    models.flat_map(|(model, measured)| measured.ratios().map(move |point| (model, point)))
}

pub struct Perplexity {
    lang: Lang,
    point: usize,
    /// Whether lengths beyond the trained one are shown as well.
    beyond: bool,
}

impl Perplexity {
    fn shows(&self, (ratio, _): (f64, f64)) -> bool {
        self.beyond || ratio <= 1.0
    }

    /// The selected measurement; if it is not shown, the one of its model at the trained length.
    fn selected(&self) -> (usize, (f64, f64)) {
        let (model, point) = all().nth(self.point).unwrap_or_default();
        let first = MODELS[model].ratios().next().unwrap_or_default();
        (model, if self.shows(point) { point } else { first })
    }

    /// Marks the lengths whose measurements are not shown.
    fn draw_untested(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, plot) = (context.theme, chart.plot);
        let left = chart.x.pixel(1.2);
        pen.fill(plot.across(left, plot.right() - left), theme.rule, 0.4);
        let (x, size) = (0.5 * (left + plot.right()), theme.label_size());
        let question = Text::new("And on longer texts?", "文本更长时呢？").get(self.lang);
        let style = TextStyle::new(2.0 * size, theme.accent).bold();
        let style = style.fitting(question, 0.94 * (plot.right() - left));
        pen.text((x, plot.y + 0.3 * plot.height), question, style);
    }
}

fields! {
    BEYOND: bool = Key::toggle("beyond", "Beyond the trained length", "超出训练长度", true)
        .under_more();
    POINT: i64 = Key::whole("point", "measurement", "测量点", 4, |_| (0, 10)).without_control();
}

impl Figure for Perplexity {
    const NAME: ViewName = ViewName::Perplexity;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POINT), None];

    type Layout = Chart;

    fn new(values: &Values, lang: Lang, _: Option<Perplexity>) -> Perplexity {
        Perplexity {
            lang,
            point: values.count(POINT),
            beyond: values.get(BEYOND),
        }
    }

    fn title(&self) -> Text {
        match self.beyond {
            true => Self::NAME.title(),
            false => Text::new("Tested at the trained length", "在训练长度上测试"),
        }
    }

    fn caption(&self) -> String {
        let (model, (ratio, perplexity)) = self.selected();
        let name = MODELS[model].name.get(self.lang);
        let (first, ratio) = (MODELS[model].points[0].1, short(ratio, 3));
        let (now, then) = (fixed(perplexity, 2), fixed(first, 2));
        let choices = fixed(perplexity, 0);
        match self.lang {
            Lang::En if ratio == "1" => format!(
                "{name}: perplexity {now} at the trained length. That is as unsure as a choice among {choices} equally likely tokens."
            ),
            Lang::Zh if ratio == "1" => format!(
                "{name}：在训练长度上的困惑度为 {now}。困惑程度相当于在 {choices} 个等可能的词元中挑一个。"
            ),
            Lang::En => format!(
                "{name}: perplexity {now} at {ratio} times the trained length, {then} at the trained length. That is as unsure as a choice among {choices} equally likely tokens."
            ),
            Lang::Zh => format!(
                "{name}：测试长度为训练长度的 {ratio} 倍时，困惑度为 {now}；在训练长度上为 {then}。困惑程度相当于在 {choices} 个等可能的词元中挑一个。"
            ),
        }
    }

    fn actions(&self) -> Option<Node> {
        let words = Text::new("Test longer texts", "用更长的文本测试").get(self.lang);
        let test = || html::button("test", "", words).class("primary");
        (!self.beyond).then(|| html::div("row", vec![test()]))
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "test" {
            values.set_to(BEYOND, true);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.52 * width).clamp(340.0, 420.0) * theme.scale, 14.0))
    }

    fn layout(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        // Until lengths beyond the trained one are shown, the names stand beside the dots.
        let legend = if self.beyond { 4.6 * size } else { 0.0 };
        let (_, mut room) = Rect::all(context.frame).split_top(legend);
        room.height -= 1.6 * size;
        let (x, y) = (Scale::octaves(0.9, 4.8), Scale::octaves(6.9, 150.0));
        Chart::new(context, room, x, y)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let theme = context.theme;
        let (size, stroke) = (theme.label_size(), theme.stroke());
        let up = Text::new("perplexity (lower is better)", "困惑度（越低越好）");
        let across = Text::new("tested length ÷ trained length", "测试长度 ÷ 训练长度");
        chart.axes(pen, context, [up, across].map(|text| text.get(self.lang)));
        if !self.beyond {
            self.draw_untested(pen, context, chart);
        }
        let trained = Text::new("trained length", "训练长度").get(self.lang);
        let (x, plot) = (chart.x.pixel(1.0), chart.plot);
        pen.dashes((x, plot.bottom()), (x, plot.y), theme.muted, 0.5 * stroke);
        let style = TextStyle::new(size, theme.muted).align_left();
        pen.text((x + 0.5 * size, plot.y + 1.0 * size), trained, style);

        let colours = theme.series;
        for (measured, colour) in MODELS.iter().zip(colours) {
            let points = measured.ratios().filter(|point| self.shows(*point));
            chart.curve(pen, points, colour, stroke);
        }
        for (model, (measured, colour)) in MODELS.iter().zip(colours).enumerate() {
            for point in measured.ratios().filter(|point| self.shows(*point)) {
                let at = chart.at(point);
                // A dot that a later one would cover shows around it.
                let covers = |later: (usize, (f64, f64))| {
                    later.0 > model && chart.at(later.1).distance(at) < 2.0 * stroke
                };
                let radius = if all().any(covers) { 3.6 } else { 1.8 };
                pen.disc(at, (radius + 0.6) * stroke, theme.panel);
                pen.disc(at, radius * stroke, colour);
            }
        }
        for (row, (measured, colour)) in MODELS.iter().zip(colours).enumerate() {
            let name = measured.name.get(self.lang);
            let style = TextStyle::new(size, colour).align_left().bold();
            if self.beyond {
                let y = (1.2 + 1.5 * row as f64) * size;
                let ends = [(0.5 * size, y), (1.7 * size, y)];
                pen.line(&ends, colour, stroke);
                pen.disc((1.1 * size, y), 1.8 * stroke, colour);
                pen.text((2.2 * size, y), name, style);
                continue;
            }
            // To the right of the last dot, and of the number above the selected one; of two at the same place, one name
            // is above and one below.
            let shown = measured.ratios().filter(|point| self.shows(*point));
            let last = chart.at(shown.last().unwrap_or_default());
            let left = (x + 2.4 * size).max(last.x + 0.9 * size);
            let down = [0.0, -0.75, 0.75][row] * size;
            // All have the size of the longest.
            let room = plot.right() - left;
            let names = MODELS
                .each_ref()
                .map(|it| it.name.get(self.lang))
                .into_iter();
            let style = names.fold(style, |style, name| style.fitting(name, room));
            pen.text((left, last.y + down), name, style);
        }
        let (model, point) = self.selected();
        let at = chart.at(point);
        pen.ring(at, 3.2 * stroke, colours[model], 0.75 * stroke);
        let tag = at - (0.0, 1.6 * size);
        pen.tag(tag, &fixed(point.1, 2), size, colours[model], theme.panel);
        let source = (plot.right(), context.frame.height - 0.9 * size);
        pen.text(
            source,
            SOURCE,
            TextStyle::new(theme.reduced(0.9), theme.muted).align_right(),
        );
    }

    fn handles(&self, context: &DrawContext, chart: &Chart) -> Vec<Handle> {
        let shown = all()
            .enumerate()
            .filter(|(_, (_, point))| self.shows(*point));
        let marks = shown.map(|(index, (_, point))| {
            // The marks are large enough to overlap everywhere: hit testing returns the nearest one.
            let mark = Handle::mark(chart.at(point), context.frame.width);
            mark.sets(POINT, Mapping::Constant(index as i64))
        });
        marks.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_beyond_training_can_be_left_to_a_prediction() {
        let values = Values::with(Perplexity::FIELDS, "beyond=off");
        let caption = Perplexity::new(&values, Lang::En, None).caption();
        assert!(caption.contains("20.05 at the trained length"), "{caption}");
        assert!(!caption.contains("43.54"), "{caption}");
    }

    #[test]
    fn every_measurement_can_be_selected() {
        let mut values = Values::new(Perplexity::FIELDS);
        assert_eq!(values.limits(POINT.name()), (0, all().count() as i64 - 1));
        let mut shown = Vec::new();
        for point in 0..all().count() {
            values.set_to(POINT, point as i64);
            shown.push(Perplexity::new(&values, Lang::En, None).selected());
        }
        assert_eq!(shown, all().collect::<Vec<_>>());
    }

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        // As printed by Press, Smith and Lewis 2022: WikiText-103 at a trained length of 512; models of 1.3 billion
        // weights at the trained length, twice and four times that.
        let printed: [&[(f64, f64)]; 3] = [
            &[
                (512.0, 20.05),
                (532.0, 19.91),
                (562.0, 19.91),
                (712.0, 24.86),
                (1012.0, 43.54),
            ],
            &[(1.0, 9.71), (2.0, 37.05), (4.0, 105.42)],
            &[(1.0, 9.79), (2.0, 9.30), (4.0, 9.54)],
        ];
        assert_eq!(MODELS.each_ref().map(|model| model.points), printed);
        assert_eq!(
            MODELS.each_ref().map(|model| model.trained),
            [512.0, 1.0, 1.0]
        );
    }

    #[test]
    fn sinusoidal_models_lose_beyond_the_trained_length_and_alibi_does_not() {
        for (model, measured) in MODELS.iter().enumerate() {
            let (_, first) = measured.points[0];
            let (_, last) = measured.points[measured.points.len() - 1];
            assert_eq!(last > 2.0 * first, model < 2);
            assert!(measured.points.is_sorted_by(|a, b| a.0 < b.0));
        }
        let caption = Perplexity::new(&Values::new(Perplexity::FIELDS), Lang::En, None).caption();
        assert!(caption.contains("43.54 at 1.98 times"), "{caption}");
    }
}
