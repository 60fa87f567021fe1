//! The encodings as people call them, and those that the bench offers.

use crate::field::ViewName;
use crate::field::schema::Choice;
use crate::text::Text;
use posenc_encoding::Encoding;

/// An encoding's name on screen.
pub const fn encoding_name(encoding: Encoding) -> Text {
    match encoding {
        Encoding::None => Text::new("None", "无"),
        Encoding::Sinusoidal => Text::new("Sinusoidal", "正弦"),
        Encoding::Learned => Text::new("Learned table", "可学习表"),
        Encoding::TransformerXl => Text::new("Transformer-XL", "Transformer-XL"),
        Encoding::T5 => Text::new("T5 bias", "T5 偏置"),
        Encoding::Rope => Text::new("RoPE", "RoPE"),
        Encoding::Alibi => Text::new("ALiBi", "ALiBi"),
    }
}

/// The figure of the lesson that is the encoding's own; `None` where that is the bench.
pub fn own_figure(encoding: Encoding) -> Option<ViewName> {
    match encoding {
        Encoding::None | Encoding::Sinusoidal => None,
        Encoding::Learned => Some(ViewName::Learned),
        Encoding::TransformerXl => Some(ViewName::FourTerms),
        Encoding::T5 => Some(ViewName::Buckets),
        Encoding::Rope => Some(ViewName::Rope),
        Encoding::Alibi => Some(ViewName::Alibi),
    }
}

/// The encodings that the bench can be asked for, by their names in links, with those on screen.
pub const ENCODINGS: &[(&str, Text)] = &{
    let offered = Encoding::WITH_SIGNAL;
    let mut names = [("", encoding_name(Encoding::None)); Encoding::WITH_SIGNAL.len()];
    let mut i = 0;
    while i < offered.len() {
        names[i] = (offered[i].name(), encoding_name(offered[i]));
        i += 1;
    }
    names
};

/// The same list as the choices of the setting.
pub(super) const CHOICES: &[Choice] = &{
    let mut choices = [Choice {
        value: "",
        label: encoding_name(Encoding::None),
    }; ENCODINGS.len()];
    let mut i = 0;
    while i < choices.len() {
        let (value, label) = ENCODINGS[i];
        choices[i] = Choice { value, label };
        i += 1;
    }
    choices
};
