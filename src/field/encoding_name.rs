//! The names of the encodings on screen, and the encodings that the bench offers.

use crate::field::{Choice, ChoiceLabel, ViewName};
use crate::text::Text;
use posenc_encoding::Encoding;

macro_rules! names {
    ($($encoding:ident: $en:literal, $zh:literal $(=> $figure:ident)?;)*) => {
        /// An encoding's name on screen.
        pub const fn encoding_name(encoding: Encoding) -> Text {
            match encoding {
                $(Encoding::$encoding => Text::new($en, $zh),)*
            }
        }

        /// The lesson's figure about this encoding; `None` if only the bench shows it.
        pub fn own_figure(encoding: Encoding) -> Option<ViewName> {
            match encoding {
                $($(Encoding::$encoding => Some(ViewName::$figure),)?)*
                _ => None,
            }
        }
    };
}

// The lesson's figure about an encoding follows the arrow.
names! {
    None: "None", "无";
    Sinusoidal: "Sinusoidal", "正弦";
    Learned: "Learned table", "可学习位置表" => Learned;
    Whisper: "Learned, Whisper", "可学习，Whisper" => Whisper;
    TransformerXl: "Transformer-XL", "Transformer-XL" => FourTerms;
    T5: "T5 bias", "T5 偏置" => Buckets;
    Rope: "RoPE", "RoPE" => Rope;
    Alibi: "ALiBi", "ALiBi" => Alibi;
}

/// The encodings that the bench offers.
impl Choice for Encoding {
    const ALL: &'static [Encoding] = Encoding::WITH_SIGNAL;
    const LABELS: &'static [ChoiceLabel] = &{
        let offered = Encoding::WITH_SIGNAL;
        let mut names = [("", encoding_name(Encoding::None)); Encoding::WITH_SIGNAL.len()];
        let mut i = 0;
        while i < offered.len() {
            names[i] = (offered[i].name(), encoding_name(offered[i]));
            i += 1;
        }
        names
    };

    // Comparisons also offer other encodings.
    fn named(name: &str) -> Option<Encoding> {
        Encoding::named(name)
    }
}
