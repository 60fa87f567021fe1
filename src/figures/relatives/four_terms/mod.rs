//! The four terms of Transformer-XL's logit as maps that add up to it: two depend on the offset, two
//! do not.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Rect, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use picture::Plan;
use posenc_encoding::{Matrix, TransformerXl, XlTerms};
use posenc_sort::argsort;

/// The number of queries of the segment, and the maximum number of keys before it.
const QUERIES: usize = 8;
const MEMORY: usize = 8;
const D_HEAD: usize = 8;
const D_MODEL: usize = 16;

pub struct FourTerms {
    lang: Lang,
    memory: usize,
    far: i64,
    query: usize,
    /// Position from the start of the segment; negative in the memory.
    key: i64,
    /// queries × keys, those of the memory first.
    terms: Matrix<XlTerms>,
    /// The largest difference between a sum of terms and the direct computation.
    residual: f64,
    direct: f64,
    /// The largest change of each term, compared with `far` = 0.
    largest_changes: [f64; 4],
    /// The largest absolute value of a term, the limit of the colours.
    most: f64,
}

/// The seeded random numbers of a head: parameters, queries, and the keys of the longest memory and the segment.
struct Head {
    xl: TransformerXl,
    queries: Matrix<f64>,
    keys: Matrix<f64>,
}

impl Head {
    fn seeded(seed: u64) -> Head {
        let mut normals = Normals::seeded(seed);
        let queries = normals.matrix(QUERIES, D_HEAD, 1.0);
        let keys = normals.matrix(MEMORY + QUERIES, D_HEAD, 1.0);
        // R has the norm √(d_model/2); this makes keys of offsets as large as those of tokens.
        let deviation = (D_MODEL as f64 / 2.0).sqrt().recip();
        let weights = normals.matrix(D_HEAD, D_MODEL, deviation);
        let shared = normals.matrix(2, D_HEAD, 1.0);
        let [u, v] = [0, 1].map(|row| shared.row(row).to_vec());
        let xl = TransformerXl::new(weights, u, v);
        Head { xl, queries, keys }
    }

    /// Query, key and offset of a cell.
    fn of(&self, query: usize, key: i64, far: i64) -> (&[f64], &[f64], i64) {
        let row = (key + MEMORY as i64).max(0) as usize;
        let offset = query as i64 - key + far;
        (self.queries.row(query), self.keys.row(row), offset)
    }
}

impl FourTerms {
    fn shape(&self) -> (usize, usize) {
        (QUERIES, self.memory + QUERIES)
    }

    fn column(&self, key: i64) -> usize {
        (key + self.memory as i64).max(0) as usize
    }

    fn selected(&self) -> XlTerms {
        self.terms.at(self.query, self.column(self.key))
    }

    /// The selected terms, rounded for display so that they add up to the displayed sum.
    fn printed(&self) -> [f64; 4] {
        adding_up(self.selected().all(), 2)
    }

    fn offset(&self) -> i64 {
        self.query as i64 - self.key + self.far
    }
}

/// Rounds `terms` to `digits` decimals so that they add up to their rounded sum, by the largest remainder method: each is
/// rounded down, and the missing units go to those with the largest remainders. Every error is less than a unit.
fn adding_up<const N: usize>(terms: [f64; N], digits: u32) -> [f64; N] {
    let unit = 10f64.powi(digits as i32);
    let scaled = terms.map(|term| term * unit);
    let down = scaled.map(f64::floor);
    let sum = (terms.iter().sum::<f64>() * unit).round();
    let missing = (sum - down.iter().sum::<f64>()).max(0.0) as usize;
    let kept: [f64; N] = std::array::from_fn(|i| down[i] - scaled[i]);
    let mut rounded = down;
    for i in argsort(&kept).into_iter().take(missing) {
        rounded[i] += 1.0;
    }
    rounded.map(|term| term / unit)
}

fields! {
    MEMORY_LENGTH: i64 = Key::whole("memory", "Memory length", "记忆段长度", 4, |_| (0, MEMORY as i64));
    FAR: i64 = Key::whole("far", "Keys farther by", "把键推远", 0, |_| (0, 32));
    SEED: i64 = Key::whole("seed", "Random seed", "随机种子", 1, |_| (1, 99));
    QUERY: i64 = Key::whole("query", "query", "查询", 5, |_| (0, QUERIES as i64 - 1)).without_control();
    KEY: i64 = Key::whole("key", "key", "键", 1, |v| {
        (-v.get(MEMORY_LENGTH), v.get(QUERY))
    })
    .without_control();
}

impl Figure for FourTerms {
    const NAME: ViewName = ViewName::FourTerms;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(KEY), Some(QUERY)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, _: Option<FourTerms>) -> FourTerms {
        let head = Head::seeded(values.count(SEED) as u64);
        let (memory, far) = (values.count(MEMORY_LENGTH), values.get(FAR));
        let (query, key) = (values.count(QUERY), values.get(KEY));
        let mut terms = Matrix::zeros(QUERIES, memory + QUERIES);
        let (mut residual, mut largest_changes, mut most) = (0.0f64, [0.0f64; 4], 0.0f64);
        for row in 0..QUERIES {
            for column in 0..=memory + row {
                let key = column as i64 - memory as i64;
                let (q, k, offset) = head.of(row, key, far);
                let cell = head.xl.terms(q, k, offset);
                residual = residual.max((cell.sum() - head.xl.logit(q, k, offset)).abs());
                let before = head.xl.terms(q, k, offset - far).all();
                for (term, (now, before)) in cell.all().iter().zip(before).enumerate() {
                    largest_changes[term] = largest_changes[term].max((now - before).abs());
                    most = most.max(now.abs());
                }
                *terms.at_mut(row, column) = cell;
            }
        }
        let (q, k, offset) = head.of(query, key, far);
        FourTerms {
            lang,
            memory,
            far,
            query,
            key,
            terms,
            residual,
            direct: head.xl.logit(q, k, offset),
            largest_changes,
            most,
        }
    }

    fn title(&self) -> Text {
        match self.far {
            0 => Text::new("Four terms add up to a logit", "四项相加，就是注意力分数"),
            _ => Text::new(
                "Only (b) and (d) know the distance",
                "只有 (b) 和 (d) 知道距离",
            ),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn more(&self) -> Option<Node> {
        self.elements_below()
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        Some(Plan::new(width, theme).legend + 0.9 * size)
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(context.frame.width, context.theme)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let (shape, memory) = (self.shape(), self.memory as i64);
        let map = |&map: &Rect| {
            Handle::area(map)
                .sets(QUERY, Mapping::row(shape))
                .sets(KEY, Mapping::cell(shape, [0, 1, -memory]))
        };
        plan.maps.iter().map(map).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> FourTerms {
        let values = Values::with(FourTerms::FIELDS, changes);
        FourTerms::new(&values, Lang::En, None)
    }

    #[test]
    fn the_terms_add_up_to_what_is_computed_directly() {
        for changes in ["", "memory=0", "memory=8 far=32 seed=99", "far=7 seed=3"] {
            assert!(shown(changes).residual < 1e-14);
        }
        let it = shown("query=7 key=-3");
        let [a, b, c, d] = it.selected().all();
        assert!((a + b + c + d - it.direct).abs() < 1e-14);
    }

    #[test]
    fn rounded_terms_add_up() {
        assert_eq!(adding_up([0.333, 0.333, 0.333], 2), [0.34, 0.33, 0.33]);
        assert_eq!(adding_up([-0.125, -0.125, 0.25], 2), [-0.12, -0.13, 0.25]);
        assert_eq!(adding_up([1.0, -2.5], 1), [1.0, -2.5]);
    }

    #[test]
    fn printed_terms_add_up_to_the_printed_sum() {
        let hundredths = |text: &str| -> i64 {
            let text = text.trim_matches(['(', ')']).replace('−', "-");
            (text.parse::<f64>().unwrap() * 100.0).round() as i64
        };
        for seed in 1..=99 {
            for query in 0..QUERIES as i64 {
                for key in -4..=query {
                    let it = shown(&format!("seed={seed} query={query} key={key}"));
                    let (caption, more) = (it.caption(), it.more().unwrap().plain());
                    let (_, added) = caption.split_once(": ").unwrap();
                    let (terms, sum) = added.split_once(" = ").unwrap();
                    let (sum, _) = sum.split_once(". ").unwrap();
                    let (_, direct) = more.split_once("Computed directly it is ").unwrap();
                    let (direct, _) = direct.split_once("; ").unwrap();
                    let added: i64 = terms.split(" + ").map(hundredths).sum();
                    assert_eq!(added, hundredths(sum), "{caption}");
                    assert_eq!(sum, direct, "{caption}");
                }
            }
        }
    }

    #[test]
    fn only_two_terms_notice_that_the_keys_have_moved() {
        let [a, b, c, d] = shown("far=9").largest_changes;
        assert_eq!([a, c], [0.0; 2]);
        assert!(b > 0.5 && d > 0.5, "{b} {d}");
    }

    #[test]
    fn c_is_constant_down_columns_and_d_along_diagonals() {
        let it = shown("memory=5");
        for row in 1..QUERIES {
            for column in 1..=5 + row {
                let [a, b, c, d] = it.terms.at(row, column).all();
                let before = it.terms.at(row - 1, column - 1).all();
                assert_eq!(d, before[3]);
                assert!(a != before[0] && b != before[1]);
                if column < 5 + row {
                    assert_eq!(c, it.terms.at(row - 1, column).all()[2]);
                }
            }
        }
    }

    #[test]
    fn a_longer_memory_adds_columns_and_changes_none() {
        let (short, long) = (shown("memory=2"), shown("memory=7"));
        for row in 0..QUERIES {
            for column in 0..=2 + row {
                assert_eq!(short.terms.at(row, column), long.terms.at(row, column + 5));
            }
        }
    }
}
