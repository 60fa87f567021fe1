//! The table of settings.

use crate::field::{MAX_COMPARED, MAX_OFFSET, SliderScale, State, ViewName, encoding_name};
use crate::text::Text;
use posenc_encoding::{MAX_D_MODEL, MAX_LEN};
use std::fmt::Write;

/// Names a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    View,
    Encoding,
    DModel,
    MaxLen,
    K,
    Pos,
    Pair,
    Member,
    Base,
    Layout,
    Compare,
    Positions,
    Dimensions,
    Lang,
    Theme,
    Hide,
    Lock,
}

/// One setting: the same name in the URL, in a form and, in kebab-case, as an attribute.
#[derive(Debug)]
pub struct Setting {
    pub key: Key,
    pub name: &'static str,
    pub kind: Kind,
    pub label: Text,
    /// One line for the README.
    pub meaning: &'static str,
}

/// What values a setting takes and how a control offers them.
#[derive(Debug)]
pub enum Kind {
    /// A whole number; the limits may depend on the settings before it.
    Whole {
        limits: fn(&State) -> (i64, i64),
        /// The part of the limits that a slider covers.
        slider: fn(&State) -> (i64, i64),
        scale: SliderScale,
        range: &'static str,
    },
    /// A real number above the first limit and up to the second.
    Real {
        limits: (f64, f64),
        scale: SliderScale,
    },
    Choice(&'static [Choice]),
    /// Free text with a grammar of its own, described here.
    Grammar(&'static str),
}

#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub value: &'static str,
    pub label: Text,
}

const fn choice(value: &'static str, en: &'static str, zh: &'static str) -> Choice {
    Choice {
        value,
        label: Text::new(en, zh),
    }
}

impl Kind {
    /// The numbers that a setting takes, in words; nothing for what is no number.
    pub fn range(&self) -> String {
        match self {
            Kind::Whole { range, .. } => (*range).into(),
            Kind::Real {
                limits: (low, high),
                ..
            } => format!("above {low}, to {high:e}"),
            Kind::Choice(_) | Kind::Grammar(_) => String::new(),
        }
    }
}

/// In an order in which each setting's limits depend only on those before it.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: Key::View,
        name: "view",
        kind: Kind::Choice(ViewName::CHOICES),
        label: Text::new("View", "视图"),
        meaning: "what is shown: everything, or one figure",
    },
    Setting {
        key: Key::Encoding,
        name: "encoding",
        kind: Kind::Choice(encoding_name::CHOICES),
        label: Text::new("Encoding", "编码"),
        meaning: "which encoding",
    },
    Setting {
        key: Key::DModel,
        name: "d_model",
        kind: Kind::Whole {
            limits: |_| (1, MAX_D_MODEL as i64),
            slider: |_| (1, MAX_D_MODEL as i64),
            scale: SliderScale::Octaves,
            range: "1 … 16384",
        },
        label: Text::new("width", "编码宽度"),
        meaning: "width of the encoding",
    },
    Setting {
        key: Key::MaxLen,
        name: "max_len",
        kind: Kind::Whole {
            limits: |_| (1, MAX_LEN as i64),
            slider: |_| (1, MAX_LEN as i64),
            scale: SliderScale::Octaves,
            range: "1 … 1048576",
        },
        label: Text::new("length", "位置数"),
        meaning: "number of positions",
    },
    Setting {
        key: Key::K,
        name: "k",
        kind: Kind::Whole {
            limits: |_| (-MAX_OFFSET, MAX_OFFSET),
            slider: |state| {
                let reach = (state.max_len() as i64).max(16);
                (-reach, reach)
            },
            scale: SliderScale::Octaves,
            range: "−1048576 … 1048576",
        },
        label: Text::new("offset", "偏移量"),
        meaning: "offset of the rotation: PE(pos) is turned into PE(pos+k)",
    },
    Setting {
        key: Key::Pos,
        name: "pos",
        kind: Kind::Whole {
            limits: |state| (0, state.max_len() as i64 - 1),
            slider: |state| (0, state.max_len() as i64 - 1),
            scale: SliderScale::Linear,
            range: "0 … max_len−1",
        },
        label: Text::new("position", "位置"),
        meaning: "selected position",
    },
    Setting {
        key: Key::Pair,
        name: "pair",
        kind: Kind::Whole {
            limits: |state| (0, state.last_pair() as i64),
            slider: |state| (0, state.last_pair() as i64),
            scale: SliderScale::Linear,
            range: "0 … ⌈d_model/2⌉−1",
        },
        label: Text::new("index i", "维度对"),
        meaning: "selected pair of dimensions",
    },
    Setting {
        key: Key::Member,
        name: "member",
        kind: Kind::Choice(&[
            choice("sine", "Sine", "正弦"),
            choice("cosine", "Cosine", "余弦"),
        ]),
        label: Text::new("Sine or cosine", "正弦或余弦"),
        meaning: "which dimension of the pair the formula shows",
    },
    Setting {
        key: Key::Base,
        name: "base",
        kind: Kind::Real {
            limits: (1.0, 1e9),
            scale: SliderScale::Decades,
        },
        label: Text::new("of ω", "底数"),
        meaning: "base of the frequencies",
    },
    Setting {
        key: Key::Layout,
        name: "layout",
        kind: Kind::Choice(&[
            choice("interleaved", "Interleaved (paper)", "交错（原论文）"),
            choice("concatenated", "Concatenated", "拼接"),
            choice("tensor2tensor", "tensor2tensor", "tensor2tensor"),
        ]),
        label: Text::new("Layout", "维度排列"),
        meaning: "order of the dimensions",
    },
    Setting {
        key: Key::Compare,
        name: "compare",
        kind: Kind::Grammar("up to 4 pairs, such as `0,16`"),
        label: Text::new("Pairs to compare", "对比的维度对"),
        meaning: "further pairs drawn among the waves",
    },
    Setting {
        key: Key::Positions,
        name: "positions",
        kind: Kind::Grammar("from-to, such as `10-20`"),
        label: Text::new("Positions shown", "显示的位置"),
        meaning: "the zoomed part of the positions, in cells",
    },
    Setting {
        key: Key::Dimensions,
        name: "dimensions",
        kind: Kind::Grammar("from-to, such as `0-16`"),
        label: Text::new("Dimensions shown", "显示的维度"),
        meaning: "the zoomed part of the dimensions, in cells",
    },
    Setting {
        key: Key::Lang,
        name: "lang",
        kind: Kind::Choice(&[choice("en", "EN", "EN"), choice("zh", "中文", "中文")]),
        label: Text::new("Language", "语言"),
        meaning: "language; by default the browser's",
    },
    Setting {
        key: Key::Theme,
        name: "theme",
        kind: Kind::Choice(&[
            choice("light", "Light", "浅色"),
            choice("dark", "Dark", "深色"),
            choice("projector", "Projector", "投影仪"),
        ]),
        label: Text::new("Theme", "主题"),
        meaning: "colours and type sizes; by default the system's light or dark",
    },
    Setting {
        key: Key::Hide,
        name: "hide",
        kind: Kind::Grammar("control names such as `base,layout`, or `*`"),
        label: Text::new("Hidden controls", "隐藏的控件"),
        meaning: "hides controls; their values still apply",
    },
    Setting {
        key: Key::Lock,
        name: "lock",
        kind: Kind::Grammar("control names such as `d_model,max_len`, or `*`"),
        label: Text::new("Locked controls", "锁定的控件"),
        meaning: "shows controls that cannot be used; nobody changes their values by hand",
    },
];

impl Key {
    pub fn setting(self) -> &'static Setting {
        &SETTINGS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.setting().name
    }

    pub fn named(name: &str) -> Option<Key> {
        SETTINGS.iter().find(|s| s.name == name).map(|s| s.key)
    }
}

/// The settings as a Markdown table, defaults first.
pub fn markdown_table() -> String {
    let state = State::default();
    let mut table = String::from("| setting | values, default first | meaning |\n|---|---|---|\n");
    for setting in SETTINGS {
        let default = state.text(setting.key);
        let values = match &setting.kind {
            Kind::Whole { .. } | Kind::Real { .. } => {
                format!("{default}; {}", setting.kind.range())
            }
            Kind::Choice(choices) => {
                let listed: Vec<_> = choices.iter().map(|c| format!("`{}`", c.value)).collect();
                let listed = listed.join(", ");
                match setting.key {
                    Key::Lang => format!("from the browser; {listed}"),
                    Key::Theme => format!("from the system; {listed}"),
                    _ => listed,
                }
            }
            Kind::Grammar(grammar) => format!("nothing; {grammar}"),
        };
        let _ = writeln!(
            table,
            "| `{}` | {values} | {} |",
            setting.name, setting.meaning
        );
    }
    debug_assert_eq!(MAX_COMPARED, 4, "the grammar of `compare` names the number");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_index_the_table_and_names_are_unique() {
        for (index, setting) in SETTINGS.iter().enumerate() {
            assert_eq!(setting.key as usize, index, "{}", setting.name);
            assert_eq!(Key::named(setting.name), Some(setting.key));
        }
    }

    #[test]
    fn the_first_choice_is_the_default() {
        let state = State::default();
        for setting in SETTINGS {
            if let Kind::Choice(choices) = &setting.kind {
                let default = state.text(setting.key);
                assert!(
                    default.is_empty() || default == choices[0].value,
                    "{}",
                    setting.name
                );
            }
        }
    }
}
