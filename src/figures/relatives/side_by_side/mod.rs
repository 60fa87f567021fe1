//! Encodings side by side on the same queries and keys: mean and spread of the logits at each offset, the values that
//! each adds, and maps of the logits.

mod compute;
mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Scale, Theme};
use crate::field::{ChoiceLabel, Field, Key, Values, ViewName, encoding_name, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use compute::Column;
use picture::{Panels, plan};
use posenc_encoding::{Encoding, Matrix};

const WIDTH: usize = 16;
const HEADS: usize = 8;
/// The index of the head, for which ALiBi's slope is 1/16.
const HEAD: usize = 3;
const BASE: f64 = 10_000.0;
const LONGEST: i64 = 64;
const SEED: u64 = 5;

/// The choice of a slot that shows nothing.
const OFF: &str = "off";

/// Every encoding as a choice, the slot's default first. If `N` is one more than the number of encodings, the second
/// choice is to show nothing.
const fn choices<const N: usize>(default: Encoding) -> [ChoiceLabel; N] {
    let all = Encoding::METHODS;
    let mut choices = [(OFF, Text::new("–", "–")); N];
    choices[0] = (default.name(), encoding_name(default));
    let (mut next, mut i) = (1 + N - all.len(), 0);
    while i < all.len() {
        if all[i] as usize != default as usize {
            choices[next] = (all[i].name(), encoding_name(all[i]));
            next += 1;
        }
        i += 1;
    }
    choices
}

const COUNT: usize = Encoding::METHODS.len();
const SLOTS: [Key<Option<Encoding>>; 4] = [FIRST, SECOND, THIRD, FOURTH];

pub struct SideBySide {
    lang: Lang,
    max_len: usize,
    len: usize,
    pos: usize,
    k: i64,
    maps: bool,
    columns: Vec<Column>,
    queries: Matrix<f64>,
    keys: Matrix<f64>,
}

impl SideBySide {
    fn key(&self) -> usize {
        (self.pos as i64 + self.k).max(0) as usize
    }

    /// The largest absolute logit of all maps, at least 1.
    fn largest_logit(&self) -> f64 {
        let all = self.columns.iter().flat_map(|column| &column.map.values);
        all.flatten()
            .fold(1.0, |most: f64, logit| most.max(logit.abs()))
    }

    /// The common range of all curves, including their spread, in whole numbers.
    fn logit_range(&self) -> (f64, f64) {
        let all = self.columns.iter().flat_map(|column| &column.curve);
        all.fold((-1.0, 1.0), |(low, high): (f64, f64), at| {
            let (down, up) = (at.mean - at.spread, at.mean + at.spread);
            (low.min(down.floor()), high.max(up.ceil()))
        })
    }
}

fields! {
    FIRST: Option<Encoding> = Key::choice_among("first", "First", "第一种", &choices::<COUNT>(Encoding::Sinusoidal)).under_more();
    SECOND: Option<Encoding> = Key::choice_among("second", "Second", "第二种", &choices::<COUNT>(Encoding::Learned)).under_more();
    THIRD: Option<Encoding> = Key::choice_among("third", "Third", "第三种", &choices::<{ COUNT + 1 }>(Encoding::Rope)).under_more();
    FOURTH: Option<Encoding> = Key::choice_among("fourth", "Fourth", "第四种", &choices::<{ COUNT + 1 }>(Encoding::Alibi)).under_more();
    MAX_LEN: i64 = Key::whole("max_len", "rows of a learned table", "可学习位置表的行数", 24, |_| (2, 48));
    LENGTH: i64 = Key::whole("length", "Sequence length", "序列长度", 32, |_| (2, LONGEST));
    MAPS: bool = Key::toggle("maps", "Maps of what is added and of the logits", "分布图：加了什么，注意力分数多少", false).under_more();
    POS: i64 = Key::whole("pos", "position of the query", "查询的位置", 20, |v| {
        (0, v.get(LENGTH) - 1)
    })
    .without_control();
    K: i64 = Key::whole("k", "offset of the key", "键的偏移量", -8, |v| {
        (-v.get(POS), v.get(LENGTH) - 1 - v.get(POS))
    })
    .without_control();
}

impl Figure for SideBySide {
    const NAME: ViewName = ViewName::SideBySide;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), Some(POS)];

    type Layout = Vec<Panels>;

    fn new(values: &Values, lang: Lang, previous: Option<SideBySide>) -> SideBySide {
        let (max_len, len) = (values.count(MAX_LEN), values.count(LENGTH));
        let mut old = previous.map_or_else(Vec::new, |previous| previous.columns);
        let chosen = SLOTS.iter().filter_map(|slot| values.get(*slot));
        let columns = chosen.map(|encoding| {
            // Reuse a computed column; otherwise show the previous results until the new ones are computed.
            let found = old.iter().position(|column| column.encoding == encoding);
            let found = found.map(|index| old.swap_remove(index));
            match found {
                Some(column) if column.max_len == max_len && column.len == len => column,
                before => {
                    let mut column = Column::new(encoding, max_len, len);
                    if let Some(before) = before {
                        (column.map, column.curve) = (before.map, before.curve);
                    }
                    column
                }
            }
        });
        let columns = columns.collect();
        let mut normals = Normals::seeded(SEED);
        let [queries, keys] = [(); 2].map(|()| normals.matrix(LONGEST as usize, WIDTH, 1.0));
        SideBySide {
            lang,
            max_len,
            len,
            pos: values.count(POS),
            k: values.get(K),
            maps: values.get(MAPS),
            columns,
            queries,
            keys,
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn more(&self) -> Option<Node> {
        self.elements_below()
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(plan(self.columns.len(), self.maps, width, theme).1)
    }

    fn layout(&self, context: &DrawContext) -> Vec<Panels> {
        plan(
            self.columns.len(),
            self.maps,
            context.frame.width,
            context.theme,
        )
        .0
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, panels: &Vec<Panels>) {
        self.draw_all(pen, context, panels);
    }

    fn handles(&self, _: &DrawContext, panels: &Vec<Panels>) -> Vec<Handle> {
        let shape = (self.len, self.len);
        let panels = panels.iter().flat_map(|panels| {
            let map = panels.map.map(|map| {
                let map = Handle::area(map).sets(POS, Mapping::row(shape));
                map.sets(K, Mapping::offset(shape))
            });
            let reach = self.len as f64;
            let offsets = Scale::linear(-reach, reach).on(panels.curve.x, panels.curve.right());
            let curve = Handle::area(panels.curve).sets(K, Mapping::X(offsets));
            map.into_iter().chain([curve.pushing(POS)])
        });
        panels.collect()
    }

    fn work(&mut self) -> bool {
        let Some(column) = self.columns.iter_mut().find(|column| column.parts < 2) else {
            return false;
        };
        column.compute(&self.queries, &self.keys);
        true
    }

    /// `side-width()`: the width of queries and keys.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        (name == "side-width" && arguments.is_empty()).then_some(WIDTH as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> SideBySide {
        let values = Values::with(SideBySide::FIELDS, changes);
        let mut it = SideBySide::new(&values, Lang::En, None);
        while it.work() {}
        it
    }

    #[test]
    fn every_encoding_can_be_chosen_in_every_place() {
        for slot in SLOTS {
            let field = SideBySide::FIELDS
                .iter()
                .find(|field| field.name == slot.name());
            let mut values = Values::new(SideBySide::FIELDS);
            for &encoding in Encoding::METHODS {
                assert_eq!(values.set(slot.name(), encoding.name()), None, "{field:?}");
            }
        }
        assert_eq!(shown("third=off fourth=off").columns.len(), 2);
    }

    #[test]
    fn only_the_absolute_ones_spread() {
        for &encoding in Encoding::METHODS {
            let it = shown(&format!("first={} third=off fourth=off", encoding.name()));
            let spread = it.columns[0].spread();
            let absolute = !encoding.info().relative;
            assert_eq!(spread > 0.1, absolute, "{encoding:?} {spread}");
            assert!(absolute || spread < 1e-12, "{encoding:?} {spread}");
        }
    }

    #[test]
    fn beyond_the_table_only_the_learned_one_has_no_logits() {
        let it = shown("max_len=24 length=32 pos=30 k=-3 fourth=t5");
        let defined: Vec<bool> = it
            .columns
            .iter()
            .map(|it| it.logit(30, 27).is_some())
            .collect();
        assert_eq!(defined, [true, false, true, true]);
        assert!(it.caption().contains("8 of 32 positions have no row"));
        assert!(!shown("length=24").caption().contains("no row"));
    }

    #[test]
    fn what_is_computed_already_is_kept() {
        let it = shown("");
        let values = Values::with(SideBySide::FIELDS, "pos=3 k=2 fourth=t5");
        let next = SideBySide::new(&values, Lang::Zh, Some(it));
        let parts: Vec<usize> = next.columns.iter().map(|column| column.parts).collect();
        assert_eq!(parts, [2, 2, 2, 0]);
    }
}
