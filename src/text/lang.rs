//! The two languages, and a text that must be given in both.

/// The language of all displayed text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    #[default]
    En,
    Zh,
}

impl Lang {
    /// Texts in this language.
    pub fn texts<const N: usize>(self, texts: [Text; N]) -> [&'static str; N] {
        texts.map(|text| text.get(self))
    }

    /// The value used in `lang` settings and in HTML `lang` attributes.
    pub const fn tag(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
        }
    }

    /// The language of a tag such as `zh-CN`; `None` if it is not supported.
    pub fn of(tag: &str) -> Option<Lang> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        [Lang::En, Lang::Zh]
            .into_iter()
            .find(|lang| primary.eq_ignore_ascii_case(lang.tag()))
    }

    /// The first supported language in a browser's list of preferences, most preferred first;
    /// English if there is none.
    pub fn preferred<'a>(tags: impl IntoIterator<Item = &'a str>) -> Lang {
        tags.into_iter().find_map(Lang::of).unwrap_or_default()
    }
}

/// The same text in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    pub en: &'static str,
    pub zh: &'static str,
}

impl Text {
    pub const fn new(en: &'static str, zh: &'static str) -> Text {
        Text { en, zh }
    }

    pub const fn get(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Zh => self.zh,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_preference_wins() {
        assert_eq!(Lang::preferred(["fr-FR", "zh-TW", "en"]), Lang::Zh);
        assert_eq!(Lang::preferred(["en-GB", "zh"]), Lang::En);
        assert_eq!(Lang::preferred(["fr"]), Lang::En);
        assert_eq!(Lang::preferred([""]), Lang::En);
    }
}
