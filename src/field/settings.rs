//! The settings of the bench: its fields, in the order of [`SettingId`]. Address, attributes, controls, options of the
//! command line and the table in docs/settings.md are made from them.

use crate::field::declaration::{ChoiceLabel, Documentation, Field, Kind, KnownNames};
use crate::field::{
    Choice, Key, Names, SliderScale, Span, ThemeName, Values, ViewName, choices, names, nearest,
};
use crate::text::{Lang, Text};
use posenc_encoding::{Encoding, Layout, MAX_D_MODEL, MAX_LEN as MAX_POSITIONS, Member};

/// The largest offset in either direction.
pub const MAX_OFFSET: i64 = MAX_POSITIONS as i64;
/// The maximum number of pairs that are compared with the selected one.
pub const MAX_COMPARED: usize = 4;
/// The exclusive lower and the inclusive upper limit of the base.
pub const BASE_LIMITS: (f64, f64) = (1.0, 1e9);

/// Where the bench has the control of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: pictures, buttons or only links change it.
    None,
    /// At the top of the page, beside the title.
    Title,
    /// First in the menu: how the page looks.
    Page,
    /// First in the row of controls, with a button that plays it.
    Played,
    /// In the row of controls.
    Selection,
    /// In the row of controls, after those of the selection.
    Size,
    /// In the menu.
    Menu,
    /// Beside the tokens.
    Tokens,
    /// Above the heatmap.
    Heatmap,
    /// Above the formula of the cell.
    Formula,
}

macro_rules! settings {
    ($($key:ident $field:ident $place:ident $tokens:ident $heatmap:ident $waves:ident $rotation:ident;)*) => {
        /// Identifies a setting of the bench.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SettingId {
            $($key,)*
        }

        impl SettingId {
            pub const ALL: &[SettingId] = &[$(SettingId::$key,)*];

            /// Where the bench has its control.
            pub fn place(self) -> Place {
                match self {
                    $(SettingId::$key => Place::$place,)*
                }
            }
        }

        /// All settings, in an order in which the limits of each depend only on those before it.
        pub const SETTINGS: &[Field] = &[$($field.field,)*];

        const TOKENS: Listed = listed([$($tokens($field),)*]);
        const HEATMAP: Listed = listed([$($heatmap($field),)*]);
        const WAVES: Listed = listed([$($waves($field),)*]);
        const ROTATION: Listed = listed([$($rotation($field),)*]);
    };
}

// For each setting its field, where the bench has its control, and whether tokens, heatmap, waves and rotation have the
// setting as figures of their own: `with_control`, `under_more`, `without_control` or not at all.
settings! {
    View       VIEW       None      no              no              no              no;
    Encoding   ENCODING   Title     no              without_control without_control without_control;
    DModel     D_MODEL    Size      no              with_control    with_control    under_more;
    MaxLen     MAX_LEN    Size      under_more      with_control    with_control    under_more;
    K          K          Played    with_control    without_control without_control with_control;
    Pos        POS        Selection with_control    without_control without_control with_control;
    Pair       PAIR       Selection no              without_control with_control    with_control;
    Member     MEMBER     Formula   no              without_control no              no;
    Base       BASE       Menu      no              without_control no              no;
    Layout     LAYOUT     Menu      no              of_dimensions   no              no;
    Colour     COLOUR     Heatmap   no              with_control    no              no;
    Compare    COMPARE    None      no              no              no              no;
    Positions  POSITIONS  None      no              no              no              no;
    Dimensions DIMENSIONS None      no              no              no              no;
    Text       TEXT       Tokens    under_more      no              no              no;
    Lang       LANG       Page      no              no              no              no;
    Theme      THEME      Page      no              no              no              no;
    Hide       HIDE       None      no              no              no              no;
    Lock       LOCK       None      no              no              no              no;
}

const fn with_control<T>(key: Key<T>) -> Option<Field> {
    Some(key.field)
}

const fn under_more<T>(key: Key<T>) -> Option<Field> {
    Some(key.under_more().field)
}

const fn without_control<T>(key: Key<T>) -> Option<Field> {
    Some(key.without_control().field)
}

const fn of_dimensions(_: Key<Layout>) -> Option<Field> {
    Some(LAYOUT_OF_DIMENSIONS.field)
}

const fn no<T>(_: Key<T>) -> Option<Field> {
    None
}

/// A list of fields and its length; further fields do not count.
type Listed = ([Field; SETTINGS.len()], usize);

const fn listed(fields: [Option<Field>; SETTINGS.len()]) -> Listed {
    let mut listed = [VIEW.field; SETTINGS.len()];
    let (mut count, mut i) = (0, 0);
    while i < fields.len() {
        if let Some(field) = fields[i] {
            listed[count] = field;
            count += 1;
        }
        i += 1;
    }
    (listed, count)
}

/// The settings that a view of the bench has as a figure of its own.
pub const fn fields_of(view: ViewName) -> &'static [Field] {
    match view {
        ViewName::Tokens => TOKENS.0.split_at(TOKENS.1).0,
        ViewName::Heatmap => HEATMAP.0.split_at(HEATMAP.1).0,
        ViewName::Waves => WAVES.0.split_at(WAVES.1).0,
        ViewName::Rotation => ROTATION.0.split_at(ROTATION.1).0,
        _ => panic!("no picture of the bench"),
    }
}

choices! {
    /// The columns of the heatmap.
    pub enum Columns {
        AsStored "value" "As stored" "原顺序";
        SinesFirst "sines-cosines" "Sines · cosines" "先正弦后余弦";
        Phase "phase" "Phase" "相位";
    }
}

impl Choice for Member {
    const ALL: &'static [Member] = &[Member::Sine, Member::Cosine];
    const LABELS: &'static [ChoiceLabel] = &[
        ("sine", Text::new("Sine", "正弦")),
        ("cosine", Text::new("Cosine", "余弦")),
    ];
}

impl Choice for Layout {
    const ALL: &'static [Layout] = &Layout::ALL;
    const LABELS: &'static [ChoiceLabel] = &[
        (
            Layout::Interleaved.name(),
            Text::new("Interleaved (paper)", "交错（原论文）"),
        ),
        (
            Layout::Concatenated.name(),
            Text::new("Concatenated", "拼接"),
        ),
        (
            Layout::Tensor2tensor.name(),
            Text::new("tensor2tensor", "tensor2tensor"),
        ),
    ];
}

impl Choice for Lang {
    const ALL: &'static [Lang] = &[Lang::En, Lang::Zh];
    const LABELS: &'static [ChoiceLabel] = &[
        (Lang::En.tag(), Text::new("EN", "EN")),
        (Lang::Zh.tag(), Text::new("中文", "中文")),
    ];
}

pub const VIEW: Key<ViewName> = Key::choice("view", "View", "视图").documented(&Documentation::of(
    "what is shown: everything, or one figure",
));

pub const ENCODING: Key<Encoding> =
    Key::choice("encoding", "Encoding", "编码").documented(&Documentation::of("which encoding"));

/// The smallest and the largest size of a table along an axis: both are the table's own size if it was learned by a
/// particular model.
fn size_limits(values: &Values, axis: usize, most: usize) -> (i64, i64) {
    let has_encoding = values.has(ENCODING.name());
    let encoding = has_encoding.then(|| values.get(ENCODING));
    let shape = encoding.and_then(|encoding| encoding.info().shape);
    let (least, most) = shape.map_or((1, most), |shape| (shape[axis], shape[axis]));
    (least as i64, most as i64)
}

pub const D_MODEL: Key<i64> = Key::size("d_model", "width", "模型维度", 128, |values| {
    size_limits(values, 1, MAX_D_MODEL)
})
.documented(&Documentation::of("width of the encoding"));

pub const MAX_LEN: Key<i64> = Key::size("max_len", "length", "位置数", 64, |values| {
    size_limits(values, 0, MAX_POSITIONS)
})
.documented(&Documentation::of("number of positions"));

pub const K: Key<i64> = Key::size("k", "offset", "偏移量", 3, |_| (-MAX_OFFSET, MAX_OFFSET))
    .sliding(|values| {
        let reach = values.get(MAX_LEN).max(16);
        (-reach, reach)
    })
    .documented(&Documentation::of(
        "offset of the rotation: PE(pos) is rotated into PE(pos+k)",
    ));

pub const POS: Key<i64> = Key::whole("pos", "position", "位置", 10, |values| {
    (0, values.get(MAX_LEN) - 1)
})
.documented(&Documentation::new("selected position", "0 … max_len−1"));

pub const PAIR: Key<i64> = Key::whole("pair", "index i", "维度对", 4, |values| {
    (0, (values.get(D_MODEL) + 1) / 2 - 1)
})
.documented(&Documentation::new(
    "selected pair of dimensions",
    "0 … ⌈d_model/2⌉−1",
));

pub const MEMBER: Key<Member> = Key::choice("member", "Sine or cosine", "正弦或余弦").documented(
    &Documentation::of("which dimension of the pair the formula shows"),
);

pub const BASE: Key<f64> = Key::new(
    "base",
    "of ω",
    "底数",
    Kind::Real {
        default: 10_000.0,
        limits: BASE_LIMITS,
        above: true,
        decimals: None,
        scale: SliderScale::Decades,
    },
)
.documented(&Documentation::of("base of the frequencies"));

pub const LAYOUT: Key<Layout> = Key::choice("layout", "Layout", "维度排列")
    .documented(&Documentation::of("order of the dimensions"));

pub const LAYOUT_OF_DIMENSIONS: Key<Layout> = LAYOUT.labelled("of dimensions", "维度排列");

pub const COLOUR: Key<Columns> = Key::choice("colour", "of the columns", "各列的颜色").documented(&Documentation::of(
    "the heatmap's columns: every number, in the order of the table or all sines before all cosines, or the angle of every pair",
));

pub const COMPARE: Key<Vec<usize>> = Key::new(
    "compare",
    "Pairs to compare",
    "对比的维度对",
    Kind::Indices {
        most: MAX_COMPARED,
        limits: |values| values.limits(PAIR.name()),
    },
)
.documented(&Documentation::new(
    "further pairs drawn among the waves",
    "up to 4 pairs, such as `0,16`",
));

pub const POSITIONS: Key<Span> = Key::new(
    "positions",
    "Positions shown",
    "显示的位置",
    Kind::Span {
        cells: |values| values.count(MAX_LEN),
    },
)
.documented(&Documentation::new(
    "the zoomed part of the positions, in cells",
    "from-to, such as `10-20`",
));

pub const DIMENSIONS: Key<Span> = Key::new(
    "dimensions",
    "Dimensions shown",
    "显示的维度",
    Kind::Span {
        cells: |values| values.count(D_MODEL),
    },
)
.documented(&Documentation::new(
    "the zoomed part of the dimensions, in cells",
    "from-to, such as `0-16`",
));

/// The maximum number of characters of a text. In Latin letters, as many fit into a QR code; a Chinese character takes nine
/// bytes of a link, so that about 135 do.
const MAX_TEXT: usize = 240;

pub const TEXT: Key<String> = Key::text("text", "words", "文字", "", MAX_TEXT).documented(
    &Documentation::of("the words at the positions; an example by default"),
);

pub const LANG: Key<Option<Lang>> = Key::new(
    "lang",
    "Language",
    "语言",
    Kind::OptionalChoice {
        choices: Lang::LABELS,
        otherwise: "from the browser",
    },
)
.documented(&Documentation::of("language; by default the browser's"));

pub const THEME: Key<Option<ThemeName>> = Key::new(
    "theme",
    "Theme",
    "主题",
    Kind::OptionalChoice {
        choices: ThemeName::LABELS,
        otherwise: "from the system",
    },
)
.documented(&Documentation::of(
    "colours and type sizes; by default the system's light or dark",
));

fn shows_bench(values: &Values) -> bool {
    values.get(VIEW).is_of_bench()
}

/// A figure of the lesson has controls of its own, which are not known here; any well-formed name is valid for it.
const NAMES: Kind = Kind::Names(KnownNames {
    contain: |values, name| {
        if shows_bench(values) {
            is_control(name)
        } else {
            names::is_name(name)
        }
    },
    nearest: |values, name| {
        let of_bench = shows_bench(values);
        of_bench.then(|| nearest(name, control_names())).flatten()
    },
});

pub const HIDE: Key<Names> =
    Key::new("hide", "Hidden controls", "隐藏的控件", NAMES).documented(&Documentation::new(
        "hides controls; their values still apply",
        "control names such as `base,layout`, or `*`",
    ));

pub const LOCK: Key<Names> =
    Key::new("lock", "Locked controls", "锁定的控件", NAMES).documented(&Documentation::new(
        "shows controls that cannot be used; nobody changes their values by hand",
        "control names such as `d_model,max_len`, or `*`",
    ));

/// The names of controls of the bench that are not settings: groups of buttons, and the lesson below the bench.
const OTHER_CONTROLS: [&str; 9] = [
    "play", "zoom", "compare", "reset", "link", "share", "save", "present", "lesson",
];

fn control_names() -> impl Iterator<Item = &'static str> {
    let settings = SETTINGS.iter().map(|field| field.name);
    settings.chain(OTHER_CONTROLS)
}

/// Whether a control of the bench has this name.
pub(super) fn is_control(name: &str) -> bool {
    control_names().any(|known| known == name)
}

impl SettingId {
    pub fn field(self) -> &'static Field {
        &SETTINGS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.field().name
    }

    pub fn named(name: &str) -> Option<SettingId> {
        let index = SETTINGS.iter().position(|field| field.name == name);
        index.map(|index| SettingId::ALL[index])
    }
}

#[cfg(test)]
mod tests;
