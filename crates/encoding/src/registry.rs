//! The list of encodings. Each has a file with its metadata and attention head, and one line here.

use std::rc::Rc;

use crate::{
    AttentionHead, EncodingInfo, HeadConfig, NoTable, PositionSignal, PositionTable, Sinusoidal,
    TableConfig,
};

macro_rules! encodings {
    ($($name:ident: $module:ident, $doc:literal;)*) => {
        /// A positional encoding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Encoding {
            $(#[doc = $doc] $name,)*
        }

        impl Encoding {
            /// All encodings, in teaching order.
            pub const ALL: &'static [Encoding] = &[$(Encoding::$name,)*];

            /// Returns the metadata of the encoding.
            // If inlined, the functions of all encodings would be compiled into each caller.
            #[inline(never)]
            pub const fn info(self) -> &'static EncodingInfo {
                match self {
                    $(Encoding::$name => &crate::$module::INFO,)*
                }
            }
        }
    };
}

encodings! {
    None: none, "No encoding at all, NoPE: only a causal mask tells positions apart.";
    Sinusoidal: sinusoidal, "Sines and cosines added to the embedding.";
    Learned: learned, "A learned table added to the embedding.";
    Whisper: whisper, "The learned table of Whisper's decoder.";
    TransformerXl: transformer_xl, "The four terms of Transformer-XL.";
    T5: t5, "A learned bias for each bucket of offsets.";
    Rope: rope, "Rotation of queries and keys.";
    Alibi: alibi, "A bias in proportion to the distance.";
}

/// The encodings of which a condition on their metadata holds, in teaching order.
macro_rules! encodings_with {
    (|$info:ident| $condition:expr) => {{
        const FOUND: ([Encoding; Encoding::ALL.len()], usize) = {
            let mut found = [Encoding::None; Encoding::ALL.len()];
            let (mut count, mut i) = (0, 0);
            while i < Encoding::ALL.len() {
                let $info = Encoding::ALL[i].info();
                if $condition {
                    found[count] = Encoding::ALL[i];
                    count += 1;
                }
                i += 1;
            }
            (found, count)
        };
        FOUND.0.split_at(FOUND.1).0
    }};
}

impl Encoding {
    /// The encodings that differ in method: all but tables of particular models, which work like [`Self::Learned`].
    pub const METHODS: &'static [Encoding] = encodings_with!(|info| info.shape.is_none());

    /// The encodings that have an [`EncodingInfo::signal`].
    pub const WITH_SIGNAL: &'static [Encoding] = encodings_with!(|info| info.signal.is_some());

    /// Returns the name used in URLs.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Returns the encoding with this name.
    pub fn named(name: &str) -> Option<Encoding> {
        let mut all = Encoding::ALL.iter().copied();
        all.find(|encoding| encoding.name() == name)
    }

    /// Creates an attention head with this encoding; `standard_normal` supplies standard normal random numbers, from
    /// which learned parameters are simulated.
    pub fn head(
        self,
        size: &HeadConfig,
        standard_normal: &mut dyn FnMut() -> f64,
    ) -> Box<dyn AttentionHead> {
        (self.info().head)(size, standard_normal)
    }

    /// Returns the table, or why there is none.
    pub fn table(self, config: &TableConfig) -> Result<Rc<dyn PositionTable>, NoTable> {
        let info = self.info();
        let config = info.config(config);
        match info.signal {
            Some(PositionSignal::Sinusoids(make)) => Ok(Rc::new(make(&config))),
            Some(PositionSignal::Table(make)) => match info.shape {
                Some(shape) if shape != [config.max_len, config.d_model] => {
                    Err(NoTable::OtherShape(shape))
                }
                // The code that computes and draws it is not loaded yet.
                _ if crate::is_deferred() => Err(NoTable::Loading),
                _ => make(&config).ok_or(match info.is_learned() {
                    true => NoTable::TooManySimulated,
                    false => NoTable::TooLarge,
                }),
            },
            Some(PositionSignal::Rotation(_) | PositionSignal::Bias) | None => Err(NoTable::None),
        }
    }

    /// Returns the sinusoids of its table, or of the rotation of queries and keys; `None` if it has neither.
    pub fn sinusoids(self, config: &TableConfig) -> Option<Sinusoidal> {
        let info = self.info();
        match info.signal? {
            PositionSignal::Sinusoids(make) | PositionSignal::Rotation(make) => {
                Some(make(&info.config(config)))
            }
            PositionSignal::Table(_) | PositionSignal::Bias => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::assert_close::assert_close;
    use crate::{Layout, ModelSize, Operation, Target, logit_map, offset_curve};

    const SIZE: HeadConfig = HeadConfig {
        max_len: 24,
        width: 16,
        heads: 8,
        head: 1,
        base: 1e4,
        causal: false,
    };

    /// Returns irregular numbers of about the size of standard normal ones.
    fn numbers(seed: f64) -> impl FnMut() -> f64 {
        let mut i = seed;
        move || {
            i += 1.0;
            1.4 * (37.3 * i * i).sin()
        }
    }

    fn matrix(positions: usize, seed: f64) -> Matrix<f64> {
        Matrix {
            positions,
            dimensions: 16,
            values: std::iter::repeat_with(numbers(seed))
                .take(16 * positions)
                .collect(),
        }
    }

    fn head(encoding: Encoding, size: &HeadConfig) -> Box<dyn AttentionHead> {
        encoding.head(size, &mut numbers(0.5))
    }

    #[test]
    fn names_are_words_for_links_and_find_their_encodings() {
        for &encoding in Encoding::ALL {
            let name = encoding.name();
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            );
            assert_eq!(Encoding::named(name), Some(encoding));
        }
        assert_eq!(Encoding::named(""), None);
    }

    #[test]
    fn lists_are_of_the_encodings_with_a_property() {
        let with = |property: fn(&EncodingInfo) -> bool| -> Vec<Encoding> {
            let all = Encoding::ALL.iter().copied();
            all.filter(|encoding| property(encoding.info())).collect()
        };
        assert_eq!(Encoding::METHODS, with(|info| info.shape.is_none()));
        assert_eq!(Encoding::WITH_SIGNAL, with(|info| info.signal.is_some()));
    }

    #[test]
    fn relative_are_those_whose_logits_do_not_spread() {
        let (q, k) = (matrix(1, 3.0), matrix(1, 8.0));
        for &encoding in Encoding::ALL {
            let curve = offset_curve(&*head(encoding, &SIZE), q.row(0), k.row(0), 24);
            let spread = curve.iter().fold(0.0, |most: f64, at| most.max(at.spread));
            assert_eq!(
                spread < 1e-12,
                encoding.info().relative,
                "{encoding:?}: {spread}"
            );
        }
    }

    #[test]
    fn bounded_are_those_that_stay_within_bounds() {
        let (q, k) = (matrix(1, 3.0), matrix(1, 8.0));
        for &encoding in Encoding::ALL {
            let head = head(encoding, &SIZE);
            let logits =
                [0, 20, 23, 1000, 1_000_000].map(|m| head.logit((q.row(0), m), (k.row(0), 0)));
            let most = logits
                .iter()
                .flatten()
                .fold(0.0, |most: f64, logit| most.max(logit.abs()));
            assert_eq!(
                most < 1000.0,
                encoding.info().bounded,
                "{encoding:?}: {most}"
            );
        }
    }

    #[test]
    fn only_a_learned_table_ends() {
        let (q, k) = (matrix(30, 3.0), matrix(30, 8.0));
        for &encoding in Encoding::ALL {
            let (head, info) = (head(encoding, &SIZE), encoding.info());
            let ends = info.is_learned() && info.target == Target::Embedding;
            assert!(head.defined(23));
            assert_eq!(head.defined(24), !ends, "{encoding:?}");
            let map = logit_map(&*head, &q, &k);
            assert!(map.at(23, 3).is_some());
            assert_eq!(map.at(24, 3).is_none(), ends, "{encoding:?}");
        }
        // ALiBi is undefined for keys after the query.
        let ahead = |encoding| logit_map(&*head(encoding, &SIZE), &q, &k).at(3, 23);
        assert_eq!(ahead(Encoding::Alibi), None);
        assert!(ahead(Encoding::T5).is_some());
    }

    #[test]
    fn what_is_added_and_biases_are_in_the_logit() {
        let (q, k) = (matrix(1, 3.0), matrix(1, 8.0));
        let plain = head(Encoding::None, &SIZE)
            .logit((q.row(0), 0), (k.row(0), 0))
            .unwrap();
        for &encoding in Encoding::ALL {
            let head = head(encoding, &SIZE);
            let info = encoding.info();
            let logit = head.logit((q.row(0), 9), (k.row(0), 4)).unwrap();
            let adds_to = |target| info.operation == Operation::Adds && info.target == target;
            assert_eq!(head.added(9).is_some(), adds_to(Target::Embedding));
            if let Some(bias) = head.bias(9, 4) {
                assert!(adds_to(Target::Logits));
                // In Transformer-XL it is one of several terms.
                if matches!(info.signal, Some(PositionSignal::Bias)) {
                    assert_close(logit, plain + bias, 1e-12);
                }
            }
            let does = info.operation != Operation::None;
            assert_eq!((logit - plain).abs() > 1e-6, does, "{encoding:?}");
        }
    }

    #[test]
    fn signals_are_what_is_declared() {
        for &encoding in Encoding::ALL {
            let info = encoding.info();
            let expected = match (info.signal, info.target) {
                (Some(signal), Target::Embedding) => signal.has_table(),
                (Some(signal), Target::QueriesAndKeys) => {
                    matches!(signal, PositionSignal::Rotation(_))
                }
                (Some(signal), Target::Logits) => matches!(signal, PositionSignal::Bias),
                (signal, _) => signal.is_none(),
            };
            assert!(expected || info.signal.is_none(), "{encoding:?}");
            for layout in EncodingInfo::EQUIVALENT_LAYOUTS {
                assert!(info.layouts.contains(layout), "{encoding:?}");
            }
        }
    }

    /// Returns the numbers of the signal for a base.
    fn signal(encoding: Encoding, base: f64) -> Vec<f64> {
        let [max_len, d_model] = encoding.info().shape.unwrap_or([8, 6]);
        let config = TableConfig {
            max_len,
            d_model,
            base,
            layout: Layout::Interleaved,
        };
        let cells = |table: Rc<dyn PositionTable>| {
            let mut cells = vec![0.0; 8 * d_model];
            table.rows_f64(0..8, &mut cells);
            cells
        };
        let frequencies = |pe: Sinusoidal| (0..pe.pairs()).map(|pair| pe.frequency(pair)).collect();
        let head = head(encoding, &HeadConfig { base, ..SIZE });
        let biases = || (0..8).filter_map(|m| head.bias(m, 0)).collect();
        let rotation = || encoding.sinusoids(&config).map(frequencies);
        let table = encoding.table(&config).ok().map(cells);
        table.or_else(rotation).unwrap_or_else(biases)
    }

    #[test]
    fn the_base_matters_where_that_is_declared() {
        for &encoding in Encoding::ALL {
            let differs = signal(encoding, 1e4) != signal(encoding, 100.0);
            assert_eq!(differs, encoding.info().uses_base, "{encoding:?}");
        }
    }

    #[test]
    fn parameters_of_a_small_model() {
        let size = ModelSize {
            max_len: 512,
            d_model: 768,
            heads: 12,
            layers: 12,
        };
        for (encoding, expected) in [
            (Encoding::None, 0),
            (Encoding::Sinusoidal, 0),
            (Encoding::Learned, 512 * 768),
            (Encoding::Whisper, 448 * 384),
            (Encoding::TransformerXl, 12 * 768 * 768 + 2 * 768),
            (Encoding::T5, 32 * 12),
            (Encoding::Rope, 0),
            (Encoding::Alibi, 0),
        ] {
            let parameters = encoding.info().parameters;
            assert_eq!(parameters(&size), expected, "{encoding:?}");
        }
    }

    #[test]
    fn heads_of_any_size_answer() {
        for (max_len, width, heads, head) in [(0, 1, 0, 0), (1, 3, 12, 30), (5000, 2, 1, 0)] {
            let size = HeadConfig {
                max_len,
                width,
                heads,
                head,
                ..SIZE
            };
            let x = vec![0.5; width];
            for &encoding in Encoding::ALL {
                let scheme = self::head(encoding, &size);
                let logit = scheme.logit((&x, 7000), (&x, 2));
                assert!(logit.is_none_or(f64::is_finite));
                assert_eq!(logit.is_some(), scheme.defined(7000));
            }
        }
    }
}
