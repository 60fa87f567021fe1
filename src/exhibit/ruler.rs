//! Which pairs complete a cycle within the table: their wavelengths on a logarithmic ruler, cut by
//! max_len.

use super::chart::{Chart, Ruler as Axis};
use super::{Exhibit, Field, Hand, Look, Values};
use crate::encoding::{Layout, MAX_D_MODEL, MAX_LEN, Sinusoidal};
use crate::lang::{Lang, Text};
use crate::number::{short, whole};
use crate::settings::ViewName;
use crate::text;
use crate::theme::Theme;
use crate::view::{Drawn, Pen, Picture, Rect};

pub struct Ruler {
    lang: Lang,
    pe: Sinusoidal,
    max_len: usize,
    pair: usize,
}

const WAVELENGTH: Text = Text::new("wavelength, positions", "波长（位置数）");
const PAIR: Text = Text::new("pair i", "维度对 i");

impl Ruler {
    /// Pairs that go through a whole cycle within max_len positions.
    pub fn complete(&self) -> usize {
        let within = |&pair: &usize| self.pe.wavelength(pair) <= self.max_len as f64;
        (0..self.pe.pairs()).filter(within).count()
    }

    fn chart(&self, look: &Look) -> Chart {
        let room = Rect::all(look.frame);
        let longest = self.pe.wavelength(self.pe.pairs() - 1);
        let high = longest.max(self.max_len as f64) * 1.6;
        let pairs = Axis::linear(0.0, (self.pe.pairs() as f64 - 1.0).max(1.0));
        Chart::new(look, room, pairs, Axis::log(4.0, high))
    }
}

impl Exhibit for Ruler {
    const NAME: ViewName = ViewName::Ruler;
    const FIELDS: &'static [Field] = &[
        Field::size("d_model", "width", "编码宽度", 512, |_| {
            (2, MAX_D_MODEL as i64)
        }),
        Field::size("max_len", "length", "位置数", 50, |_| {
            (1, MAX_LEN as i64)
        }),
        Field::whole("pair", "index i", "维度对", 64, |v| {
            (0, (v.whole("d_model") + 1) / 2 - 1)
        })
        .linked(),
    ];
    const ARROWS: [&'static str; 2] = ["pair", ""];

    fn new(values: &Values, lang: Lang, _: Option<Ruler>) -> Ruler {
        Ruler {
            lang,
            pe: Sinusoidal::new(values.count("d_model"), 10_000.0, Layout::Interleaved),
            max_len: values.count("max_len"),
            pair: values.count("pair"),
        }
    }

    fn caption(&self) -> String {
        let (done, pairs) = (self.complete(), self.pe.pairs());
        let len = whole(self.max_len as i64);
        let (pair, length) = (self.pair, short(self.pe.wavelength(self.pair), 7));
        match self.lang {
            Lang::En => format!(
                "{done} of {pairs} pairs complete a cycle within {len} positions; the columns of the others hardly change and look like stripes. Pair {pair} has a wavelength of {length} positions."
            ),
            Lang::Zh => format!(
                "{pairs} 个维度对中，有 {done} 个在 {len} 个位置内走完一个周期；其余各列几乎不变，看上去就是竖条纹。维度对 {pair} 的波长为 {length} 个位置。"
            ),
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some((0.5 * width).clamp(220.0, 340.0) * theme.scale)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, look: &Look) -> Drawn<DB> {
        let (theme, chart) = (look.theme, self.chart(look));
        chart.axes(
            pen,
            look,
            [WAVELENGTH, PAIR].map(|text| text.get(self.lang)),
        )?;
        let below = chart
            .y
            .pixel(self.max_len as f64)
            .clamp(chart.plot.y, chart.plot.bottom());
        let within = Rect {
            y: below,
            height: chart.plot.bottom() - below,
            ..chart.plot
        };
        pen.fill(within, theme.sine, 0.1)?;
        let ends = [(chart.plot.x, below), (chart.plot.right(), below)];
        pen.dashes(ends[0], ends[1], theme.sine, 0.75 * theme.stroke())?;
        let pairs = self.pe.pairs();
        let every = pairs.div_ceil(512);
        let lengths = (0..pairs)
            .step_by(every)
            .map(|pair| (pair as f64, self.pe.wavelength(pair)));
        chart.curve(pen, lengths, theme.ink, theme.stroke())?;
        let here = (self.pair as f64, self.pe.wavelength(self.pair));
        let name = text::pair_tag(self.lang, self.pair);
        chart.upright(pen, look, here.0, &name, theme.there)?;
        chart.dots(pen, [here], theme.there, 2.5 * theme.stroke())?;
        let size = theme.label_size();
        let at = (chart.plot.right() - 4.0 * size, below);
        pen.tag(
            at,
            &format!("max_len {}", whole(self.max_len as i64)),
            size,
            theme.sine,
            theme.panel,
        )
    }

    fn hand(&self, look: &Look, at: (f64, f64), hand: Hand, values: &mut Values) {
        if matches!(hand, Hand::Down | Hand::Drag) {
            let pair = self.chart(look).x.value(at.0).round();
            let last = self.pe.pairs() as f64 - 1.0;
            values.set_whole("pair", pair.clamp(0.0, last) as i64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_the_pairs_that_complete_a_cycle() {
        for (len, count) in [("50", 58), ("512", 123), ("5000", 186)] {
            let mut values = Values::new(Ruler::FIELDS);
            values.set("max_len", len);
            assert_eq!(Ruler::new(&values, Lang::En, None).complete(), count);
        }
    }
}
