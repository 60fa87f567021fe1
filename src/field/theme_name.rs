//! The themes by name.

use crate::field::{Choice, ChoiceLabel, nearest};
use crate::text::Text;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeName {
    #[default]
    Light,
    Dark,
    Projector,
}

impl Choice for ThemeName {
    const ALL: &'static [ThemeName] = &ThemeName::ALL;
    const LABELS: &'static [ChoiceLabel] = &[
        ("light", Text::new("Light", "浅色")),
        ("dark", Text::new("Dark", "深色")),
        ("projector", Text::new("Projector", "投影仪")),
    ];
}

impl ThemeName {
    /// All themes, in the order of the choices of the setting.
    pub const ALL: [ThemeName; 3] = [ThemeName::Light, ThemeName::Dark, ThemeName::Projector];

    /// The theme's value in the `theme` setting.
    pub fn name(self) -> &'static str {
        ThemeName::LABELS[self as usize].0
    }

    pub fn named(name: &str) -> Option<ThemeName> {
        let name = name.trim();
        let mut all = ThemeName::ALL.into_iter();
        all.find(|theme| theme.name().eq_ignore_ascii_case(name))
    }

    /// The theme whose name is closest to this one, if it is close enough.
    pub fn nearest(name: &str) -> Option<ThemeName> {
        nearest(name, ThemeName::ALL.map(ThemeName::name)).and_then(ThemeName::named)
    }
}
