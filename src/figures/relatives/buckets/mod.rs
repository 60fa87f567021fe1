//! T5's buckets of offsets, and the biases that a head adds to the logits by bucket.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Scale, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{
    Binding, Figure, Handle, Mapping, Picture, Pointer, PointerAction, apply_pointer,
};
use crate::math::Clamp;
use crate::math::linear::product;
use crate::math::random::Normals;
use crate::text::Lang;
use crate::text::markup::Node;
use picture::Plan;
use posenc_encoding::{BucketDistances, T5_BUCKETS, T5_MAX_DISTANCE, T5Buckets};

const HEADS: usize = 8;
const SEED: u64 = 7;
/// The longest sequence, and the longest distance on the ruler.
const REACH: usize = 256;
const RULER: f64 = 139.0;
/// Width of queries and keys.
const D_HEAD: usize = 16;
/// The maximum change of a bias in either direction.
const CHANGE: f64 = 4.0;

/// The index of the bars among the handles, if they are shown.
const BARS: usize = 0;

/// The fields that change the biases, by bucket.
const CHANGES: [Key<f64>; T5_BUCKETS] = [
    B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11, B12, B13, B14, B15, B16, B17, B18, B19, B20,
    B21, B22, B23, B24, B25, B26, B27, B28, B29, B30, B31,
];

const fn change(name: &'static str) -> Key<f64> {
    let limits = (-CHANGE, CHANGE);
    Key::real(name, "change of a bias", "偏置的改动", 0.0, limits, 1).without_control()
}

pub struct Buckets {
    lang: Lang,
    t5: T5Buckets,
    distances: Vec<BucketDistances>,
    head: usize,
    len: usize,
    pos: i64,
    k: i64,
    map: bool,
    /// Whether the weights and the biases are shown below the buckets.
    shows_weights: bool,
    bucket: usize,
    changed: bool,
    simulated: f64,
    biases: [f64; T5_BUCKETS],
    most: f64,
    /// Attention weights of the query at `pos` for all keys that are not masked, without and with the bias.
    weights: [Vec<f64>; 2],
}

fn softmax(logits: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let most = logits.clone().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.map(|logit| (logit - most).exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.iter().map(|power| power / total).collect()
}

impl Buckets {
    /// The nearest offset of a bucket; `None` for the bucket that has no offsets.
    fn offset_of(&self, bucket: usize) -> Option<i64> {
        let side = self.distances.len();
        let ahead = bucket >= side;
        let distances = self.distances.get(bucket % side)?;
        match (ahead, distances.first) {
            (true, 0) => None,
            (true, first) => Some(first),
            (false, first) => Some(-first),
        }
    }

    /// First and last distance of the selected bucket; the last is `None` if there is no limit.
    fn ends(&self) -> (i64, Option<i64>) {
        let distances = &self.distances[self.bucket % self.distances.len()];
        (distances.first, distances.last)
    }

    fn is_masked(&self, offset: i64) -> bool {
        self.t5.causal() && offset > 0
    }
}

choices! {
    enum Model {
        Encoder "encoder" "encoder" "编码器";
        Decoder "decoder" "decoder" "解码器";
    }
}

fields! {
    MODEL: Model = Key::choice("model", "Model", "模型");
    HEAD: i64 = Key::whole("head", "Head", "注意力头", 4, |_| (1, HEADS as i64)).under_more();
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 128, |_| (2, 256)).under_more();
    POS: i64 = Key::whole("pos", "position of the query", "查询的位置", 80, |v| {
        (0, v.get(MAX_LEN) - 1)
    })
    .without_control();
    K: i64 = Key::whole("k", "offset of the key", "键的偏移量", -40, |_| {
        (1 - REACH as i64, REACH as i64 - 1)
    })
    .without_control();
    WEIGHTS: bool = Key::toggle("weights", "Weights and biases", "权重与偏置", false);
    MAP: bool = Key::toggle("map", "Map of queries and keys", "查询与键的分布图", false).under_more();
    B0: f64 = change("b0");
    B1: f64 = change("b1");
    B2: f64 = change("b2");
    B3: f64 = change("b3");
    B4: f64 = change("b4");
    B5: f64 = change("b5");
    B6: f64 = change("b6");
    B7: f64 = change("b7");
    B8: f64 = change("b8");
    B9: f64 = change("b9");
    B10: f64 = change("b10");
    B11: f64 = change("b11");
    B12: f64 = change("b12");
    B13: f64 = change("b13");
    B14: f64 = change("b14");
    B15: f64 = change("b15");
    B16: f64 = change("b16");
    B17: f64 = change("b17");
    B18: f64 = change("b18");
    B19: f64 = change("b19");
    B20: f64 = change("b20");
    B21: f64 = change("b21");
    B22: f64 = change("b22");
    B23: f64 = change("b23");
    B24: f64 = change("b24");
    B25: f64 = change("b25");
    B26: f64 = change("b26");
    B27: f64 = change("b27");
    B28: f64 = change("b28");
    B29: f64 = change("b29");
    B30: f64 = change("b30");
    B31: f64 = change("b31");
}

impl Figure for Buckets {
    const NAME: ViewName = ViewName::Buckets;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), Some(POS)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<Buckets>) -> Buckets {
        let causal = values.get(MODEL) == Model::Decoder;
        let t5 = T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, causal);
        let (len, pos, k) = (values.count(MAX_LEN), values.get(POS), values.get(K));
        let head = values.count(HEAD);
        let mut normals = Normals::seeded(SEED);
        let learned = normals.matrix(HEADS, T5_BUCKETS, 1.0);
        let learned = learned.row(head.clamped(1, HEADS) - 1);
        let biases: [f64; T5_BUCKETS] =
            std::array::from_fn(|bucket| learned[bucket] + values.get(CHANGES[bucket]));
        let bucket = t5.bucket(k);
        // All keys of the longest sequence are generated before the query, so that the length does not change it.
        let mut keys = normals.matrix(REACH, D_HEAD, 1.0);
        keys.positions = len;
        keys.values.truncate(len * D_HEAD);
        let mut query = normals.matrix(D_HEAD, 1, (D_HEAD as f64).sqrt().recip());
        // A different query for each position: the same numbers, rotated.
        query.values.rotate_left(pos as usize % D_HEAD);
        let content = product(&keys, &query).values;
        let seen = if causal { pos as usize + 1 } else { len };
        let content = &content[..seen.min(len)];
        let biased = content.iter().enumerate().map(|(key, logit)| {
            let bucket = t5.bucket(key as i64 - pos);
            logit + biases[bucket]
        });
        Buckets {
            lang,
            distances: t5.distances(),
            head,
            len,
            pos,
            k,
            map: values.get(MAP),
            shows_weights: values.get(WEIGHTS),
            bucket,
            changed: CHANGES.iter().any(|key| values.get(*key) != 0.0),
            simulated: learned[bucket],
            most: biases
                .iter()
                .fold(1.5, |most: f64, bias| most.max(bias.abs())),
            biases,
            weights: [softmax(content.iter().copied()), softmax(biased)],
            t5,
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn more(&self) -> Option<Node> {
        self.elements_below()
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "again" {
            CHANGES.iter().for_each(|key| values.clear(key.name()));
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(self.heights(width, theme).iter().sum())
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        self.plan(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        if let Some(detail) = plan.detail {
            self.draw_detail(pen, context, &plan.ruler, detail);
        }
        self.draw_ruler(pen, context, &plan.ruler, plan.detail.is_some());
        if let Some((row, bars)) = &plan.charts {
            self.draw_row(pen, context, row);
            self.draw_bars(pen, context, bars);
        }
        if let Some(map) = plan.map {
            self.draw_map(pen, context, map);
        }
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let (x, plot) = (plan.ruler.x, plan.ruler.plot);
        let (_, ahead) = plot.split_top(plot.height / 2.0);
        let mut handles = vec![
            Handle::area(ahead.with_y(plot.y)).sets(K, Mapping::MinusX(x)),
            Handle::area(ahead).sets(K, Mapping::X(x)),
        ];
        if let Some((row, bars)) = &plan.charts {
            let (left, right) = (bars.x.pixel(-0.5), bars.x.pixel(T5_BUCKETS as f64 - 0.5));
            let numbers = (0..T5_BUCKETS).map(|bucket| self.offset_of(bucket));
            let offsets = Mapping::Lookup {
                shape: (1, T5_BUCKETS),
                numbers: numbers.collect(),
            };
            let mut bars = Handle::area(bars.plot.across(left, right - left)).sets(K, offsets);
            bars.bindings.push(Binding {
                field: CHANGES[self.bucket].name(),
                mapping: Mapping::Custom,
            });
            let (first, last) = row.x.domain();
            let keys = Scale::linear(first - self.pos as f64, last - self.pos as f64);
            let keys = keys.on(row.plot.x, row.plot.right());
            handles.insert(BARS, bars);
            handles.push(Handle::area(row.plot).sets(K, Mapping::X(keys)));
        }
        handles.extend(plan.map.map(|map| {
            let shape = (self.len, self.len);
            let map = Handle::area(map).sets(POS, Mapping::row(shape));
            map.sets(K, Mapping::offset(shape))
        }));
        handles
    }

    /// Pressing a bar selects its bucket; dragging it changes the bias.
    fn pointer(&self, picture: &Picture<Plan>, pointer: Pointer, values: &mut Values) {
        let bars = match &picture.layout.charts {
            Some((_, bars))
                if pointer.action == PointerAction::Drag && pointer.pressed == Some(BARS) =>
            {
                bars
            }
            _ => return apply_pointer(picture.handles, pointer, values),
        };
        if !self.is_masked(self.k) {
            let change = bars.y.value(pointer.at.y) - self.simulated;
            values.set_to(CHANGES[self.bucket], change);
        }
    }

    /// `t5-first(bucket, causal)` and `t5-last(bucket, causal)`: distances of a bucket for keys behind;
    /// `t5-side(causal)`: the number of buckets of one direction; `t5-exact(causal)`: the number of those
    /// with a single distance; `t5-farthest()`: the maximum distance, a parameter of the rule.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let of =
            |causal: f64| T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, causal != 0.0).distances();
        Some(match (name, arguments) {
            ("t5-first", &[bucket, causal]) => of(causal)[bucket as usize].first as f64,
            ("t5-last", &[bucket, causal]) => of(causal)[bucket as usize].last? as f64,
            ("t5-side", &[causal]) => of(causal).len() as f64,
            ("t5-exact", &[causal]) => {
                let alone = |at: &&BucketDistances| at.last == Some(at.first);
                of(causal).iter().take_while(alone).count() as f64
            }
            ("t5-farthest", []) => T5_MAX_DISTANCE as f64,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_never_uses_its_first_bucket_ahead() {
        let rule = T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, false);
        let met = |bucket| (-300..=300).any(|offset| rule.bucket(offset) == bucket);
        let unmet: Vec<_> = (0..T5_BUCKETS).filter(|&bucket| !met(bucket)).collect();
        assert_eq!(unmet, [T5_BUCKETS / 2]);
    }

    fn shown(changes: &str) -> Buckets {
        let values = Values::with(Buckets::FIELDS, changes);
        Buckets::new(&values, Lang::En, None)
    }

    #[test]
    fn the_ends_are_those_of_the_reference_code() {
        // mesh-tensorflow, `_relative_position_bucket`.
        assert_eq!(shown("k=-40").ends(), (32, Some(45)));
        assert_eq!(shown("k=40").ends(), (32, Some(45)));
        assert_eq!(shown("k=-100").ends(), (91, None));
        assert_eq!(shown("k=-40 model=decoder").ends(), (40, Some(45)));
        assert_eq!(shown("k=-200 model=decoder").ends(), (113, None));
        assert_eq!(shown("k=3").ends(), (3, Some(3)));
        assert_eq!((shown("k=0").bucket, shown("k=1").bucket), (0, 17));
        assert_eq!(Buckets::lesson_number("t5-exact", &[0.0]), Some(8.0));
        assert_eq!(Buckets::lesson_number("t5-exact", &[1.0]), Some(16.0));
    }

    #[test]
    fn a_bias_is_spoken_of_where_it_is_shown() {
        for (changes, said) in [("", false), ("weights=on", true)] {
            assert_eq!(shown(changes).caption().contains("adds −1.91"), said);
        }
    }

    #[test]
    fn one_bucket_of_an_encoder_holds_no_offset() {
        for model in ["encoder", "decoder"] {
            let it = shown(&format!("model={model}"));
            let empty: Vec<usize> = (0..T5_BUCKETS)
                .filter(|&b| it.offset_of(b).is_none())
                .collect();
            assert_eq!(empty, if model == "encoder" { vec![16] } else { vec![] });
            for bucket in 0..T5_BUCKETS {
                let offset = it.offset_of(bucket);
                assert!(offset.is_none_or(|offset| it.t5.bucket(offset) == bucket));
            }
        }
    }

    #[test]
    fn a_bias_multiplies_the_weights_of_its_bucket_alike() {
        let (it, changed) = (shown(""), shown("b12=2"));
        assert_eq!(it.bucket, 12);
        let ratio = |key: usize| changed.weights[1][key] / it.weights[1][key];
        // Keys 35 to 48 are 45 to 32 behind the query at 80.
        for key in 35..=48 {
            assert!((ratio(key) - ratio(35)).abs() < 1e-12);
        }
        for outside in [0, 34, 49, 127] {
            assert!((ratio(35) / ratio(outside) - 2f64.exp()).abs() < 1e-10);
        }
        assert_eq!(it.weights[0], changed.weights[0]);
    }

    #[test]
    fn weights_are_shares_and_a_decoder_sees_no_key_ahead() {
        for changes in [
            "",
            "model=decoder",
            "model=decoder pos=0",
            "max_len=2 b0=-4",
        ] {
            let it = shown(changes);
            for weights in &it.weights {
                assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(shown("model=decoder pos=9").weights[1].len(), 10);
    }
}
