//! The figures of the bench as exhibits, each with a small state of its own.

use super::{Exhibit, Field, Hand, Look, Values};
use crate::encoding::{MAX_D_MODEL, MAX_LEN};
use crate::lang::{Lang, Text};
use crate::model::Model;
use crate::settings::{ENCODINGS, MAX_OFFSET, ViewName};
use crate::text;
use crate::theme::Theme;
use crate::view::{self, Drawn, Pen, Picture, Scene, Target, View};
use std::cell::RefCell;

const ENCODING: Field = Field::choice("encoding", "Encoding", "编码", ENCODINGS).linked();
const D_MODEL: Field = Field::size("d_model", "width", "编码宽度", 128, |_| {
    (1, MAX_D_MODEL as i64)
});
const MAX_LEN_FIELD: Field = Field::size("max_len", "length", "位置数", 64, |_| {
    (1, MAX_LEN as i64)
});
const K: Field = Field::size("k", "offset", "偏移量", 3, |_| (-MAX_OFFSET, MAX_OFFSET));
const POS: Field = Field::whole("pos", "position", "位置", 10, |v| {
    (0, v.whole("max_len") - 1)
});
const PAIR: Field = Field::whole("pair", "index i", "维度对", 4, |v| {
    (0, (v.whole("d_model") + 1) / 2 - 1)
});
const MEMBER: Field = Field::choice(
    "member",
    "Sine or cosine",
    "正弦或余弦",
    &[
        ("sine", Text::new("Sine", "正弦")),
        ("cosine", Text::new("Cosine", "余弦")),
    ],
)
.linked();
pub(super) const LAYOUT: Field = Field::choice(
    "layout",
    "of dimensions",
    "维度排列",
    &[
        (
            "interleaved",
            Text::new("Interleaved (paper)", "交错（原论文）"),
        ),
        ("concatenated", Text::new("Concatenated", "拼接")),
        ("tensor2tensor", Text::new("tensor2tensor", "tensor2tensor")),
    ],
);

/// A view of the bench and the model it shows.
pub struct Bench<V> {
    view: RefCell<V>,
    model: Model,
}

pub type Heatmap = Bench<view::Heatmap>;
pub type Waves = Bench<view::Waves>;
pub type Rotation = Bench<view::Dials>;

impl<V: View + Default> Bench<V> {
    #[inline(never)]
    fn of(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        let (view, before) = match previous {
            Some(Bench { view, model }) => (view, Some(model)),
            None => (RefCell::default(), None),
        };
        let model = Model::compute(&values.state(), lang, 0.0, before.as_ref());
        Bench { view, model }
    }

    fn scene<'a>(&'a self, look: &Look<'a>) -> Scene<'a> {
        Scene {
            model: &self.model,
            theme: look.theme,
            colours: look.colours,
            frame: look.frame,
        }
    }

    fn draw_both<DB: Picture>(&self, pen: &Pen<DB>, look: &Look) -> Drawn<DB> {
        let scene = self.scene(look);
        let mut view = self.view.borrow_mut();
        view.draw_axes_or_words(pen, &scene)?;
        view.draw_or_words(pen, &scene)
    }

    fn select(&self, look: &Look, (x, y): (f64, f64), hand: Hand, values: &mut Values) {
        if !matches!(hand, Hand::Down | Hand::Drag) {
            return;
        }
        match self.view.borrow().target_or_words(&self.scene(look), x, y) {
            Some(Target::Cell {
                position,
                dimension,
            }) => {
                let (pair, member) = self.model.pair_of(dimension);
                values.set_whole("pos", position as i64);
                values.set_whole("pair", pair as i64);
                let cosine = member == crate::encoding::Member::Cosine;
                values.set("member", if cosine { "cosine" } else { "sine" });
            }
            Some(Target::Wave { position, .. }) => values.set_whole("pos", position as i64),
            Some(Target::Dial { pair }) => values.set_whole("pair", pair as i64),
            Some(Target::Angle(_)) | None => {}
        }
    }
}

impl Exhibit for Heatmap {
    const NAME: ViewName = ViewName::Heatmap;
    const FIELDS: &'static [Field] = &[
        ENCODING,
        D_MODEL,
        MAX_LEN_FIELD,
        K.linked(),
        POS.linked(),
        PAIR.linked(),
        MEMBER,
        LAYOUT,
    ];
    const ARROWS: [&'static str; 2] = ["pair", "pos"];

    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        Bench::of(values, lang, previous)
    }

    fn caption(&self) -> String {
        let look = text::look_heatmap(&self.model);
        if !self.model.has_table() {
            return look;
        }
        let cell = text::selection(&self.model);
        let cell = match self.model.lang {
            Lang::En => format!(" Selected: {cell}."),
            Lang::Zh => format!("已选：{cell}。"),
        };
        look + &cell
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some((0.62 * width).clamp(260.0, 420.0) * theme.scale)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, look: &Look) -> Drawn<DB> {
        self.draw_both(pen, look)
    }

    fn hand(&self, look: &Look, at: (f64, f64), hand: Hand, values: &mut Values) {
        self.select(look, at, hand, values);
    }
}

impl Exhibit for Waves {
    const NAME: ViewName = ViewName::Waves;
    const FIELDS: &'static [Field] = &[
        ENCODING,
        D_MODEL,
        MAX_LEN_FIELD,
        K.linked(),
        POS.linked(),
        PAIR,
    ];
    const ARROWS: [&'static str; 2] = ["pos", "pair"];

    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        Bench::of(values, lang, previous)
    }

    fn caption(&self) -> String {
        text::describe_waves(&self.model)
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some((0.4 * width).clamp(190.0, 280.0) * theme.scale)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, look: &Look) -> Drawn<DB> {
        self.draw_both(pen, look)
    }

    fn hand(&self, look: &Look, at: (f64, f64), hand: Hand, values: &mut Values) {
        self.select(look, at, hand, values);
    }
}

impl Exhibit for Rotation {
    const NAME: ViewName = ViewName::Rotation;
    const FIELDS: &'static [Field] = &[ENCODING, D_MODEL, MAX_LEN_FIELD, K, POS, PAIR];
    const ARROWS: [&'static str; 2] = ["pos", "pair"];

    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        Bench::of(values, lang, previous)
    }

    fn caption(&self) -> String {
        let residual = text::residual(&self.model).unwrap_or_default();
        let gap = match self.model.lang {
            Lang::En => " ",
            Lang::Zh => "",
        };
        format!("{}{gap}{residual}", text::look_rotation(&self.model))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some((0.7 * width).clamp(300.0, 400.0) * theme.scale)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, look: &Look) -> Drawn<DB> {
        self.draw_both(pen, look)
    }

    fn hand(&self, look: &Look, at: (f64, f64), hand: Hand, values: &mut Values) {
        self.select(look, at, hand, values);
    }
}
