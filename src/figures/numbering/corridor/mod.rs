//! A corridor of positions, and a tuning fork for every pair: the phases of all forks together
//! identify the position.

mod picture;
mod words;

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Rect, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping, Sound};
use crate::text::Lang;
use crate::text::markup::Node;
use picture::em;
use posenc_encoding::{Layout, Sinusoidal};

pub struct Corridor {
    lang: Lang,
    pe: Sinusoidal,
    max_len: usize,
    pos: usize,
    /// The walker's position, which is fractional while it is dragged.
    at: f64,
    decimals: usize,
    /// The distance between the codes of two positions, by their offset 0 … max_len − 1.
    distances: Vec<f64>,
    /// Other positions with the same readings.
    same: Vec<usize>,
    volume: f64,
    sounding: bool,
}

/// Tones of the slowest and the fastest pair, in hertz.
const LOWEST: f64 = 110.0;
const HIGHEST: f64 = 1760.0;

/// The reading of a pair: sine and cosine, rounded to this number of decimals and scaled to integers.
fn read(pe: &Sinusoidal, pair: usize, position: usize, decimals: usize) -> (i64, i64) {
    let (sin, cos) = pe.sin_cos_at(pair, position as f64);
    let round = |value: f64| (value * 10f64.powi(decimals as i32)).round() as i64;
    (round(sin), round(cos))
}

/// The other positions at which all pairs have the same readings as at `pos`.
fn same_readings(pe: &Sinusoidal, max_len: usize, pos: usize, decimals: usize) -> Vec<usize> {
    let pairs = 0..pe.pairs();
    let here: Vec<_> = pairs.map(|pair| read(pe, pair, pos, decimals)).collect();
    let alike = |q: usize| {
        let mut readings = here.iter().enumerate();
        readings.all(|(pair, &reading)| read(pe, pair, q, decimals) == reading)
    };
    (0..max_len).filter(|&q| q != pos && alike(q)).collect()
}

/// ‖PE(m + k) − PE(m)‖ = √Σ(2 − 2 cos kω), the same for every m.
fn distance(pe: &Sinusoidal, k: usize) -> f64 {
    let chord = |pair| 2.0 - 2.0 * pe.sin_cos_at(pair, k as f64).1;
    (0..pe.pairs()).map(chord).sum::<f64>().max(0.0).sqrt()
}

impl Corridor {
    /// The other positions whose code is nearest, and its distance. As the distance depends on the
    /// offset alone, there are two unless one of them is beyond an end of the corridor.
    fn nearest(&self) -> Option<(Vec<usize>, f64)> {
        let reach = self.pos.max(self.max_len - 1 - self.pos);
        let offset =
            (1..=reach).min_by(|&a, &b| self.distances[a].total_cmp(&self.distances[b]))?;
        let sides = [self.pos.checked_sub(offset), Some(self.pos + offset)];
        let within = sides.into_iter().flatten().filter(|&q| q < self.max_len);
        Some((within.collect(), self.distances[offset]))
    }

    /// Height of the corridor's chart, in multiples of the label size: what is left below the forks.
    fn chart_height(theme: &Theme) -> f64 {
        let size = theme.label_size();
        let above = 0.6 + em::CELL;
        let fitted = theme.fitted((above + em::CORRIDOR) * size, 0.0) / size;
        (fitted - above).clamp(em::LOW_CORRIDOR, em::CORRIDOR)
    }

    /// The pairs whose forks are drawn, from the fastest to the slowest, and their cells: all pairs, or as many as can be
    /// seen at once.
    fn forks(&self, width: f64, theme: &Theme) -> impl Iterator<Item = (usize, Rect)> {
        let (size, last) = (theme.label_size(), self.pe.pairs() - 1);
        let room = (width / (em::NARROWEST * size)) as usize;
        let count = room.clamp(1, em::MOST).min(last + 1);
        let wide = width / count as f64;
        (0..count).map(move |fork| {
            let cell = Rect::new(fork as f64 * wide, 0.0, wide, em::CELL * size);
            // Rounded to the nearest pair.
            let steps = (count - 1).max(1);
            ((2 * fork * last + steps) / (2 * steps), cell)
        })
    }
}

fields! {
    FORK_COUNT: i64 = Key::whole("forks", "Forks (pairs)", "音叉（维度对）", 8, |_| (1, 16));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (2, 1024));
    DECIMALS: i64 = Key::whole("decimals", "Decimals read", "读到小数点后几位", 1, |_| (0, 3));
    POS: i64 = Key::whole("pos", "position", "位置", 10, |v| (0, v.get(MAX_LEN) - 1)).without_control();
    WALKING: bool = Key::toggle("walking", "Walking", "行走中", false).transient();
    AT: f64 = Key::real("at", "Place while walking", "行走时的位置", 0.0, (0.0, 1023.0), 2).transient();
    SOUND: bool = Key::toggle("sound", "Sound", "声音", false).session();
    VOLUME: f64 = Key::real("volume", "Volume", "音量", 0.3, (0.0, 1.0), 2).session();
}

impl Figure for Corridor {
    const NAME: ViewName = ViewName::Corridor;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), None];

    type Layout = Chart;

    fn new(values: &Values, lang: Lang, previous: Option<Corridor>) -> Corridor {
        let (max_len, pos) = (values.count(MAX_LEN), values.count(POS));
        let pe = Sinusoidal::new(2 * values.count(FORK_COUNT), 10_000.0, Layout::Interleaved);
        let decimals = values.count(DECIMALS);
        let at = if values.get(WALKING) {
            values.get(AT).min((max_len - 1) as f64)
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
            volume: values.get(VOLUME),
            sounding: values.get(SOUND),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        self.elements_above()
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "sound" {
            values.set_to(SOUND, !values.get(SOUND));
        }
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        Some((em::CELL + Corridor::chart_height(theme) + 0.6) * theme.label_size())
    }

    fn layout(&self, context: &DrawContext) -> Chart {
        self.chart(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        self.draw_all(pen, context, chart);
    }

    fn handles(&self, context: &DrawContext, chart: &Chart) -> Vec<Handle> {
        let above = chart.plot.y - context.theme.label_size();
        let (_, floor) = Rect::all(context.frame).split_top(above);
        let walk = Handle::area(floor)
            .sets(AT, Mapping::X(chart.x))
            .sets(POS, Mapping::X(chart.x));
        vec![walk.while_pressed(WALKING)]
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        values.set_to(WALKING, false);
        crate::figure::arrows(Self::ARROWS, key, shift, values)
    }

    fn sound(&self) -> Option<Sound> {
        let pairs = self.pe.pairs();
        let tone = |pair: usize| {
            let share = pair as f64 / (pairs - 1).max(1) as f64;
            let (sin, _) = self.pe.sin_cos_at(pair, self.at);
            let loudness = (1.0 + sin) / 2.0 / pairs as f64;
            // Not with `powf`: for the constant base 1/16 it would need the 4 KB table of `exp2`.
            let down = share * (LOWEST / HIGHEST).ln();
            (HIGHEST * down.exp(), loudness)
        };
        self.sounding.then(|| Sound {
            tones: (0..pairs).map(tone).collect(),
            volume: self.volume,
        })
    }

    fn bench_settings(&self, values: &Values) -> Vec<(&'static str, String)> {
        let mut settings = values.for_bench();
        settings.insert(0, ("d_model", self.pe.d_model().to_string()));
        settings
    }

    /// The numbers that texts quote.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let pe = |d: f64| Sinusoidal::new(d as usize, 10_000.0, Layout::Interleaved);
        Some(match (name, arguments) {
            // The distance between a pair's values k positions apart: 2·|sin(kω/2)|.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;
    use crate::draw::Point;
    use crate::field::ThemeName;
    use crate::figure::pass_pointer;
    use crate::figure::{Pointer, PointerAction, hit_test};

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
        let chart = corridor.layout(&context);
        let x = chart.x.pixel(20.3);
        let handles = corridor.handles(&context, &chart);
        let [fork, at] = [10.0, height - 60.0].map(|y| Point::new(x, y));
        assert_eq!(hit_test(&handles, fork), None, "forks are no corridor");
        let pointer = |action| Pointer {
            at,
            action,
            pressed: hit_test(&handles, at),
        };
        pass_pointer(
            &corridor,
            &context,
            pointer(PointerAction::Press),
            &mut values,
        );
        let walking = Corridor::new(&values, Lang::En, None);
        assert_close(walking.at, 20.3, 0.006);
        assert_eq!(walking.pos, 20);
        pass_pointer(
            &walking,
            &context,
            pointer(PointerAction::Release),
            &mut values,
        );
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
