//! A corridor of positions and a tuning fork for every pair: where one stands is told by the
//! phases of all forks together.

use crate::draw::chart::{Chart, Scale as Axis};
use crate::draw::pen::{arc, tag_width};
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Mapping, Sound};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, short, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Layout, Sinusoidal};
use std::f64::consts::PI;

pub struct Corridor {
    lang: Lang,
    pe: Sinusoidal,
    max_len: usize,
    pos: usize,
    /// Where the walker is, between positions too while walking.
    at: f64,
    decimals: usize,
    /// The distance of two positions' codes by their offset, 0 … max_len − 1.
    distances: Vec<f64>,
    /// Other positions with the same readings.
    same: Vec<usize>,
    volume: f64,
    sounding: bool,
}

const DISTANCE: Text = Text::new("distance of codes", "编码距离");
const NEAREST: Text = Text::new("nearest code", "最接近的编码");
const SAME: Text = Text::new("same readings", "读数相同");
const ALONG: Text = Text::new("position along the corridor", "走廊里的位置");
const FORKS: Text = Text::new(
    "one fork per pair, from fast to slow",
    "每个维度对一支音叉，由快到慢",
);

/// Tones of the slowest and the fastest pair, in hertz.
const LOWEST: f64 = 110.0;
const HIGHEST: f64 = 1760.0;

/// In units of the type size.
mod em {
    pub const TITLE: f64 = 1.8;
    pub const CELL: f64 = 12.6;
    pub const NARROWEST: f64 = 6.0;
    pub const CORRIDOR: f64 = 15.0;
    pub const LEGEND: f64 = 1.1;
}

/// How a pair is read: sine and cosine to so many decimals, as whole numbers.
fn read(pe: &Sinusoidal, pair: usize, position: usize, decimals: usize) -> (i64, i64) {
    let (sin, cos) = pe.sin_cos_at(pair, position as f64);
    let round = |value: f64| (value * 10f64.powi(decimals as i32)).round() as i64;
    (round(sin), round(cos))
}

/// Other positions of the corridor where all pairs read the same.
fn same_readings(pe: &Sinusoidal, max_len: usize, pos: usize, decimals: usize) -> Vec<usize> {
    let pairs = 0..pe.pairs();
    let here: Vec<_> = pairs.map(|pair| read(pe, pair, pos, decimals)).collect();
    let alike = |q: usize| {
        let mut readings = here.iter().enumerate();
        readings.all(|(pair, &reading)| read(pe, pair, q, decimals) == reading)
    };
    (0..max_len).filter(|&q| q != pos && alike(q)).collect()
}

/// ‖PE(p + k) − PE(p)‖ = √Σ(2 − 2 cos kω), the same for every p.
fn distance(pe: &Sinusoidal, k: usize) -> f64 {
    let chord = |pair| 2.0 - 2.0 * pe.sin_cos_at(pair, k as f64).1;
    (0..pe.pairs()).map(chord).sum::<f64>().max(0.0).sqrt()
}

impl Corridor {
    /// The other positions whose code is nearest, and how near: two where both sides of the walker
    /// go on far enough, as a distance depends on the offset alone.
    fn nearest(&self) -> Option<(Vec<usize>, f64)> {
        let reach = self.pos.max(self.max_len - 1 - self.pos);
        let offset =
            (1..=reach).min_by(|&a, &b| self.distances[a].total_cmp(&self.distances[b]))?;
        let sides = [self.pos.checked_sub(offset), Some(self.pos + offset)];
        let within = sides.into_iter().flatten().filter(|&q| q < self.max_len);
        Some((within.collect(), self.distances[offset]))
    }

    /// The forks' places.
    fn forks(&self, width: f64, size: f64) -> Vec<Rect> {
        let count = self.pe.pairs();
        let most = (width / (em::NARROWEST * size)).floor().max(1.0) as usize;
        let columns = count.div_ceil(count.div_ceil(most));
        let wide = width / columns as f64;
        (0..count)
            .map(|pair| {
                Rect::new(
                    (pair % columns) as f64 * wide,
                    (em::TITLE + (pair / columns) as f64 * em::CELL) * size,
                    wide,
                    em::CELL * size,
                )
            })
            .collect()
    }

    fn chart(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        let below = (em::CORRIDOR - em::LEGEND) * size;
        let (_, room) = Rect::all(context.frame).split_bottom(below);
        let high = self.distances.iter().copied().fold(0.0, f64::max);
        let positions = Axis::linear(0.0, (self.max_len - 1) as f64);
        Chart::new(context, room, positions, Axis::linear(0.0, 1.25 * high))
    }

    fn fork<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        pair: usize,
        cell: Rect,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (sin, cos) = self.pe.sin_cos_at(pair, self.at);
        let middle = cell.centre_x();
        let line = |down: f64| (middle, cell.y + down * size);
        let name = labels::pair_tag(self.lang, pair);
        pen.words(line(0.6), &name, Words::new(size, theme.ink).bold())?;
        let length = format!("λ {}", short(self.pe.wavelength(pair), 4));
        pen.words(line(1.75), &length, Words::new(0.88 * size, theme.muted))?;

        let (centre, radius) = (line(4.7), 2.1 * size);
        let tip = (centre.0 + radius * cos, centre.1 - radius * sin);
        pen.ring(centre, radius, theme.muted, theme.hairline())?;
        let fine = 0.9 * theme.stroke();
        pen.line(&[centre, (tip.0, centre.1)], theme.cosine, 1.6 * fine)?;
        pen.line(&[(tip.0, centre.1), tip], theme.sine, 1.6 * fine)?;
        pen.line(&[centre, tip], theme.here, fine)?;
        pen.disc(tip, 1.5 * theme.stroke(), theme.here)?;

        // A slow fork is a long one; its prongs are open where the sine is high.
        let last = (self.pe.pairs() - 1).max(1) as f64;
        let prongs = (0.6 + 0.8 * pair as f64 / last) * size;
        let (half, foot) = (0.42 * size, cell.y + 9.3 * size);
        let root = foot - 0.55 * size;
        let open = 0.22 * size * sin;
        let bow = arc((middle, root - half), |_| half, PI, 2.0 * PI);
        let mut shape = vec![(middle - half - open, root - half - prongs)];
        shape.extend(bow);
        shape.push((middle + half + open, root - half - prongs));
        pen.line(&shape, theme.muted, theme.stroke())?;
        pen.line(
            &[(middle, root), (middle, foot)],
            theme.muted,
            theme.stroke(),
        )?;

        let value = |down, name: &str, value: f64, colour: RGBColor| {
            let words = format!("{name} {}", fixed(value, self.decimals));
            pen.words(line(down), &words, Words::new(size, colour).bold())
        };
        value(10.1, "sin", sin, theme.sine)?;
        value(11.3, "cos", cos, theme.cosine)
    }
}

impl Figure for Corridor {
    const NAME: ViewName = ViewName::Corridor;
    const FIELDS: &'static [Field] = &[
        Field::whole(
            "forks",
            "Forks, one per pair",
            "音叉数（维度对数）",
            8,
            |_| (1, 16),
        ),
        Field::size("max_len", "length", "位置数", 64, |_| (2, 1024)),
        Field::whole(
            "decimals",
            "Decimals read",
            "读到小数点后几位",
            1,
            |_| (0, 3),
        ),
        Field::whole("pos", "position", "位置", 10, |v| {
            (0, v.whole("max_len") - 1)
        })
        .linked(),
        Field::toggle("walking", "Walking", "行走中", false).transient(),
        Field::real(
            "at",
            "Place while walking",
            "行走时的位置",
            0.0,
            (0.0, 1023.0),
            2,
        )
        .transient(),
        Field::toggle("sound", "Sound", "声音", false).passing(),
        Field::real("volume", "Volume", "音量", 0.3, (0.0, 1.0), 2).passing(),
    ];
    const ARROWS: [&'static str; 2] = ["pos", ""];

    fn new(values: &Values, lang: Lang, previous: Option<Corridor>) -> Corridor {
        let (max_len, pos) = (values.count("max_len"), values.count("pos"));
        let pe = Sinusoidal::new(2 * values.count("forks"), 10_000.0, Layout::Interleaved);
        let decimals = values.count("decimals");
        let at = if values.on("walking") {
            values.real("at").min((max_len - 1) as f64)
        } else {
            pos as f64
        };
        let distances = previous
            .filter(|before| before.max_len == max_len && before.pe == pe)
            .map(|before| before.distances)
            .unwrap_or_else(|| (0..max_len).map(|k| distance(&pe, k)).collect());
        Corridor {
            lang,
            same: same_readings(&pe, max_len, pos, decimals),
            pe,
            max_len,
            pos,
            at,
            decimals,
            distances,
            volume: values.real("volume"),
            sounding: values.on("sound"),
        }
    }

    fn caption(&self) -> String {
        let (pos, len) = (self.pos, whole(self.max_len as i64));
        let (count, digits) = (self.same.len(), self.decimals);
        let signature = match (self.lang, self.same.first()) {
            (Lang::En, None) => format!(
                "Read to {digits} {}, no other of the {len} positions has the signature of position {pos}.",
                if digits == 1 { "decimal" } else { "decimals" }
            ),
            (Lang::Zh, None) => format!(
                "读到小数点后 {digits} 位时，{len} 个位置中没有别的位置与位置 {pos} 的签名相同。"
            ),
            (Lang::En, Some(first)) => format!(
                "Read to {digits} {}, {count} other of the {len} positions {} the signature of position {pos}{} position {first}.",
                if digits == 1 { "decimal" } else { "decimals" },
                if count == 1 { "shares" } else { "share" },
                if count == 1 {
                    ":"
                } else {
                    ", the first of them"
                }
            ),
            (Lang::Zh, Some(first)) => format!(
                "读到小数点后 {digits} 位时，{len} 个位置中另有 {count} 个与位置 {pos} 的签名相同，第一个是位置 {first}。"
            ),
        };
        let nearest = self.nearest().map_or(String::new(), |(places, distance)| {
            let distance = short(distance, 3);
            match (self.lang, places.as_slice()) {
                (Lang::En, [p, q]) => format!(
                    " The nearest codes are those of positions {p} and {q}, at a distance of {distance}."
                ),
                (Lang::En, places) => format!(
                    " The nearest code is that of position {}, at a distance of {distance}.",
                    places[0]
                ),
                (Lang::Zh, [p, q]) => {
                    format!("编码最接近的是位置 {p} 和 {q}，相距 {distance}。")
                }
                (Lang::Zh, places) => {
                    format!("编码最接近的是位置 {}，相距 {distance}。", places[0])
                }
            }
        });
        let heard = match (self.lang, self.sounding) {
            (_, false) => "",
            (Lang::En, true) => {
                " Each pair has a tone, a high one if it is fast, which is loudest where its sine is 1 and silent where it is −1."
            }
            (Lang::Zh, true) => "每个维度对发一个音，变化快的音高；正弦为 1 时最响，为 −1 时无声。",
        };
        signature + &nearest + heard
    }

    fn above(&self) -> Option<Node> {
        let (words, volume) = match (self.lang, self.sounding) {
            (Lang::En, false) => ("Listen", "Volume"),
            (Lang::En, true) => ("Stop the sound", "Volume"),
            (Lang::Zh, false) => ("听一听", "音量"),
            (Lang::Zh, true) => ("停止发声", "音量"),
        };
        let pressed = if self.sounding { "true" } else { "false" };
        let slider = Node::new("input", vec![])
            .attribute("type", "range")
            .attribute("name", "volume")
            .attribute("min", "0")
            .attribute("max", "1")
            .attribute("step", "0.01")
            .attribute("value", format!("{:.2}", self.volume));
        Some(html::div(
            "row on-screen",
            vec![
                html::button("sound", "", words).attribute("aria-pressed", pressed),
                Node::new("label", vec![html::words(format!("{volume} ")), slider]).class("note"),
            ],
        ))
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "sound" {
            values.set_on("sound", !values.on("sound"));
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        let last = self.forks(width, size).pop()?;
        Some(last.bottom() + (em::CORRIDOR + 0.6) * size)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let title = Words::new(0.88 * size, theme.muted);
        let middle = (context.frame.width / 2.0, 0.8 * size);
        pen.words(middle, FORKS.get(self.lang), title)?;
        for (pair, cell) in self
            .forks(context.frame.width, size)
            .into_iter()
            .enumerate()
        {
            self.fork(pen, context, pair, cell)?;
        }
        let chart = self.chart(context);
        let titles = [DISTANCE, ALONG].map(|words| words.get(self.lang));
        chart.axes(pen, context, titles)?;
        let apart = |q: usize| (q as f64, self.distances[q.abs_diff(self.pos)]);
        let curve = (0..self.max_len).map(apart);
        // Where a line would fill the plot, dots alone show what it does.
        let spacing = chart.plot.width / self.max_len as f64;
        if spacing > 1.0 {
            chart.curve(pen, curve.clone(), theme.muted, theme.hairline())?;
        }
        if !(1.0..2.5 * theme.stroke()).contains(&spacing) {
            let radius = theme.stroke() * if spacing > 1.0 { 1.0 } else { 0.5 };
            chart.dots(pen, curve, theme.muted, radius)?;
        }
        let (there, legend) = match self.same.is_empty() {
            true => (self.nearest().map_or(vec![], |(places, _)| places), NEAREST),
            false => (self.same.clone(), SAME),
        };
        let there = there.into_iter().map(apart);
        chart.dots(pen, there, theme.there, 2.2 * theme.stroke())?;
        let (right, above) = (chart.plot.right(), chart.plot.y - 0.9 * size);
        let (legend, words) = (legend.get(self.lang), Words::new(size, theme.there));
        pen.words((right, above), &format!("● {legend}"), words.ending())?;
        chart.upright(pen, context, self.at, "", theme.here)?;
        let name = match self.lang {
            Lang::En => format!("position {}", self.pos),
            Lang::Zh => format!("位置 {}", self.pos),
        };
        let half = tag_width(&name, size) / 2.0;
        let x = chart
            .x
            .pixel(self.at)
            .min(right - half)
            .max(chart.plot.x + half);
        let tag = (x, chart.plot.y + 0.9 * size);
        pen.tag(tag, &name, size, theme.here, theme.panel)?;
        pen.disc(chart.at((self.at, 0.0)), 2.2 * theme.stroke(), theme.here)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let chart = self.chart(context);
        let above = chart.plot.y - context.theme.label_size();
        let (_, floor) = Rect::all(context.frame).split_top(above);
        let walk = Handle::area(floor)
            .sets("at", Mapping::X(chart.x))
            .sets("pos", Mapping::X(chart.x));
        vec![walk.while_held("walking")]
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        values.set_on("walking", false);
        crate::figure::arrows(Self::ARROWS, key, shift, values)
    }

    fn sound(&self) -> Option<Sound> {
        let pairs = self.pe.pairs();
        let tone = |pair: usize| {
            let share = pair as f64 / (pairs - 1).max(1) as f64;
            let (sin, _) = self.pe.sin_cos_at(pair, self.at);
            let loudness = (1.0 + sin) / 2.0 / pairs as f64;
            // Not by a power: that of a constant 1/16 would need the 4 KB table of `exp2`.
            let down = share * (LOWEST / HIGHEST).ln();
            (HIGHEST * down.exp(), loudness)
        };
        self.sounding.then(|| Sound {
            tones: (0..pairs).map(tone).collect(),
            volume: self.volume,
        })
    }

    fn on_bench(&self, values: &Values) -> Vec<(&'static str, String)> {
        let mut settings = values.for_bench();
        settings.insert(0, ("d_model", self.pe.d_model().to_string()));
        settings
    }
}

/// The numbers that texts quote.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let pe = |d: f64| Sinusoidal::new(d as usize, 10_000.0, Layout::Interleaved);
    Some(match (name, arguments) {
        // How near a pair comes to where it began: 2·|sin(kω/2)|.
        ("chord", &[d, pair, k]) => {
            let (sin, cos) = pe(d).sin_cos(pair as usize, k as i64);
            sin.hypot(1.0 - cos)
        }
        ("same", &[d, len, pos, decimals]) => {
            let [len, pos, decimals] = [len, pos, decimals].map(|v| v as usize);
            same_readings(&pe(d), len, pos, decimals).len() as f64
        }
        ("radians", &[d, pair, k]) => pe(d).frequency(pair as usize) * k,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close::assert_close;
    use crate::field::ThemeName;
    use crate::figure::{Pointer, PointerAction, hit};

    fn values(settings: &[(&str, &str)]) -> Values {
        let mut values = Values::new(Corridor::FIELDS);
        for (name, text) in settings {
            values.set(name, text);
        }
        values
    }

    fn corridor(settings: &[(&str, &str)]) -> Corridor {
        Corridor::new(&values(settings), Lang::En, None)
    }

    #[test]
    fn the_signature_of_all_forks_is_unique_to_one_decimal() {
        for pos in ["0", "10", "999"] {
            let corridor = corridor(&[("max_len", "1024"), ("pos", pos)]);
            assert!(corridor.same.is_empty(), "{:?}", corridor.same);
        }
    }

    /// 44 radians are seven turns and 0.0177: sine 0.018 and cosine 0.9998 read 0.0 and 1.0.
    #[test]
    fn one_fork_alone_repeats_at_44() {
        let corridor = corridor(&[("forks", "1"), ("pos", "0")]);
        assert_eq!(corridor.same, [44]);
        assert_close(corridor.distances[44], 0.0177, 5e-5);
        let (places, near) = corridor.nearest().unwrap();
        assert_eq!(places, [44]);
        assert!(near < corridor.distances[1]);
        assert!(
            corridor
                .caption()
                .contains("1 other of the 64 positions shares")
        );
    }

    #[test]
    fn both_neighbours_are_nearest_and_at_an_end_the_only_one() {
        for (pos, places) in [("10", &[9, 11][..]), ("0", &[1]), ("63", &[62])] {
            let corridor = corridor(&[("pos", pos)]);
            assert_eq!(corridor.nearest().unwrap().0, places);
        }
    }

    #[test]
    fn distances_are_those_of_the_codes() {
        let corridor = corridor(&[]);
        let (p, q) = (10, 37);
        let squares = (0..16).map(|i| (corridor.pe.value(p, i) - corridor.pe.value(q, i)).powi(2));
        assert_close(corridor.distances[27], squares.sum::<f64>().sqrt(), 1e-12);
    }

    #[test]
    fn the_walker_goes_between_positions_and_rests_on_one() {
        let theme = Theme::named(ThemeName::Light);
        let mut values = values(&[]);
        let corridor = Corridor::new(&values, Lang::En, None);
        let height = corridor.height(700.0, theme).unwrap();
        let context = DrawContext {
            theme,
            colours: &theme.colour_map(),
            frame: crate::draw::Frame {
                width: 700.0,
                height,
                pixels: 1.0,
                units: 1.0,
            },
        };
        let x = corridor.chart(&context).x.pixel(20.3);
        let handles = corridor.handles(&context);
        assert_eq!(hit(&handles, (x, 10.0)), None, "forks are no corridor");
        let pointer = |action| Pointer {
            at: (x, height - 60.0),
            action,
            held: hit(&handles, (x, height - 60.0)),
        };
        corridor.pointer(&context, pointer(PointerAction::Press), &mut values);
        let walking = Corridor::new(&values, Lang::En, None);
        assert_close(walking.at, 20.3, 0.006);
        assert_eq!(walking.pos, 20);
        walking.pointer(&context, pointer(PointerAction::Release), &mut values);
        assert_eq!(Corridor::new(&values, Lang::En, None).at, 20.0);
    }

    #[test]
    fn tones_follow_the_sines() {
        assert!(corridor(&[]).sound().is_none());
        let sound = corridor(&[("sound", "on"), ("pos", "11")]).sound().unwrap();
        assert_eq!(sound.tones.len(), 8);
        // sin 11 is −0.99999, sin 0.0035 (the slowest pair) 0.0035.
        assert!(sound.tones[0].1 < 1e-4);
        assert_close(
            sound.tones[7].1,
            (1.0 + (11.0 / 10f64.powf(3.5)).sin()) / 16.0,
            1e-12,
        );
        // Four octaves down from A6 at 1760 Hz, in equal steps of pitch.
        for (pair, (hertz, _)) in sound.tones.iter().enumerate() {
            assert_close(*hertz, 1760.0 * 2f64.powf(-4.0 * pair as f64 / 7.0), 1e-9);
        }
    }
}
