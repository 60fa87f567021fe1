//! A table of the properties of every encoding, each computed or cited: operation, target, number of
//! parameters and others.

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, encoding_name, fields};
use crate::figure::Figure;
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::whole;
use crate::text::{Lang, Text};
use posenc_encoding::{Encoding, HeadConfig, ModelSize, Operation, Target};

pub struct Properties {
    lang: Lang,
    size: ModelSize,
    /// Whether the numbers of learned parameters are shown.
    counts: bool,
}

/// Whether the encoding is defined beyond max_len: computed with a max_len of 4, not read from a
/// list.
fn goes_on(encoding: Encoding) -> bool {
    let size = HeadConfig {
        max_len: 4,
        width: 4,
        heads: 1,
        head: 0,
        base: 10_000.0,
        causal: true,
    };
    let mut normals = Normals::seeded(1);
    let head = encoding.head(&size, &mut || normals.next().unwrap_or_default());
    head.defined(4) && head.logit((&[1.0; 4], 4), (&[1.0; 4], 1)).is_some()
}

const HEADINGS: [Text; 7] = [
    Text::new("encoding", "编码"),
    Text::new("in every layer", "每层都做"),
    Text::new("only the offset", "只看偏移量"),
    Text::new("bounded", "有界"),
    Text::new("defined beyond max_len", "超过 max_len 有定义"),
    Text::new("what it does", "做什么"),
    Text::new("learned parameters", "学习的参数"),
];

fn does(operation: Operation, target: Target) -> Text {
    match (operation, target) {
        (Operation::None, _) | (_, Target::None) => Text::new("nothing", "无"),
        (_, Target::Embedding) => Text::new("adds to the embedding", "加到词嵌入上"),
        (_, Target::Logits) => Text::new("adds to the logits", "加到注意力分数上"),
        (_, Target::QueriesAndKeys) => Text::new("rotates queries and keys", "旋转查询和键"),
    }
}

impl Properties {
    fn parameters(&self, encoding: Encoding) -> String {
        whole((encoding.info().parameters)(&self.size) as i64)
    }

    /// A list of the encodings with learned parameters, and the number of these, in words.
    fn learned(&self) -> String {
        let methods = Encoding::METHODS.iter().copied();
        let learned = methods.filter(|it| it.info().is_learned());
        let parts: Vec<String> = learned
            .enumerate()
            .map(|(index, encoding)| {
                let count = self.parameters(encoding);
                let name = match (self.lang, encoding) {
                    (Lang::En, Encoding::Learned) => "a table",
                    (_, Encoding::T5) => "T5",
                    _ => encoding_name(encoding).get(self.lang),
                };
                match self.lang {
                    Lang::En if index == 0 => {
                        format!("{count} numbers for its positions in {name}")
                    }
                    Lang::En => format!("{count} in {name}"),
                    Lang::Zh => format!("{name} {count} 个"),
                }
            })
            .collect();
        match (self.lang, parts.split_last()) {
            (Lang::En, Some((last, before))) => format!("{} and {last}", before.join(", ")),
            _ => parts.join("，"),
        }
    }

    fn row(&self, encoding: Encoding) -> Vec<Node> {
        let info = encoding.info();
        // The style sheet draws them as a filled dot and a ring.
        let says = |yes: bool| match yes {
            true => html::span("yes", Text::new("yes", "是").get(self.lang)),
            false => html::span("no", Text::new("no", "否").get(self.lang)),
        };
        // Without an operation, only the last of these applies.
        let if_done = |yes: bool| match info.operation {
            Operation::None => html::words("—"),
            _ => says(yes),
        };
        let source = match self.lang {
            Lang::En => info.source.to_string(),
            Lang::Zh => info.source.replace(" et al. ", " 等，"),
        };
        let source = html::span("note", source);
        let name = Node::text("div", encoding_name(encoding).get(self.lang));
        let mut row = vec![
            Node::new("div", vec![name, source]),
            if_done(info.every_layer),
            if_done(info.relative),
            if_done(info.bounded),
            says(goes_on(encoding)),
            html::words(does(info.operation, info.target).get(self.lang)),
        ];
        if self.counts {
            row.push(html::words(self.parameters(encoding)));
        }
        row
    }
}

fields! {
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 512, |_| (1, 8192)).under_more();
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 768, |_| (2, 16384)).under_more();
    HEADS: i64 = Key::size("heads", "heads", "注意力头数", 12, |_| (1, 128)).under_more();
    LAYERS: i64 = Key::size("layers", "layers", "层数", 12, |_| (1, 128)).under_more();
    COUNTS: bool = Key::toggle("counts", "Numbers of learned parameters", "学习的参数个数", true).under_more();
}

impl Figure for Properties {
    const NAME: ViewName = ViewName::Properties;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = ();

    fn new(values: &Values, lang: Lang, _: Option<Properties>) -> Properties {
        Properties {
            lang,
            size: ModelSize {
                max_len: values.count(MAX_LEN),
                d_model: values.count(D_MODEL),
                heads: values.count(HEADS),
                layers: values.count(LAYERS),
            },
            counts: values.get(COUNTS),
        }
    }

    fn caption(&self) -> String {
        let learned = self.learned();
        let counts = match (self.lang, self.counts) {
            (_, false) => String::new(),
            (Lang::En, _) => {
                format!("A model of this size learns {learned}; the others learn none. ")
            }
            (Lang::Zh, _) => {
                format!("这样大小的模型，为位置学习的参数：{learned}，其余一个也没有。")
            }
        };
        match self.lang {
            Lang::En => format!(
                "A filled dot is a yes, a ring a no. {counts}“Only the offset” asks how position enters a logit, “bounded” whether what is added to it stays within bounds at any distance, “defined” whether there is a logit at all: not whether a model can use it."
            ),
            Lang::Zh => format!(
                "实心点为“是”，空心圈为“否”。{counts}“只看偏移量”说的是位置怎样进入注意力分数；“有界”指无论多远，加到分数上的量都不超出某个范围；“有定义”只指那里算得出分数，不等于模型用得上。"
            ),
        }
    }

    fn actions(&self) -> Option<Node> {
        let headings = HEADINGS.iter().map(|text| html::words(text.get(self.lang)));
        let columns = HEADINGS.len() - usize::from(!self.counts);
        let mut rows = vec![headings.take(columns).collect()];
        let methods = Encoding::METHODS.iter();
        rows.extend(methods.map(|&encoding| self.row(encoding)));
        Some(html::div("properties", vec![html::table(rows)]))
    }

    fn height(&self, _: f64, _: &Theme) -> Option<f64> {
        None
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, _: &Pen, _: &DrawContext, _: &()) {}

    /// Numbers of learned parameters of a whole model: `learned-numbers(max_len, d_model)`,
    /// `xl-numbers(d_model, layers)`, `t5-numbers(heads)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let of = |encoding: Encoding, [max_len, d_model, heads, layers]: [f64; 4]| {
            let size = ModelSize {
                max_len: max_len as usize,
                d_model: d_model as usize,
                heads: heads as usize,
                layers: layers as usize,
            };
            (encoding.info().parameters)(&size) as f64
        };
        Some(match (name, arguments) {
            ("learned-numbers", &[len, d]) => of(Encoding::Learned, [len, d, 1.0, 1.0]),
            ("xl-numbers", &[d, layers]) => of(Encoding::TransformerXl, [1.0, d, 1.0, layers]),
            ("t5-numbers", &[heads]) => of(Encoding::T5, [1.0, 1.0, heads, 1.0]),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_a_small_model() {
        let values = Values::new(Properties::FIELDS);
        let it = Properties::new(&values, Lang::En, None);
        let row = |encoding| -> Vec<String> {
            let row = it.row(encoding);
            row.iter().map(Node::plain).collect()
        };
        // BERT has 512 × 768 numbers in its table (Devlin et al. 2018, appendix A.2); the others
        // follow from the papers' definitions.
        for (encoding, parameters) in [
            (Encoding::None, "0"),
            (Encoding::Sinusoidal, "0"),
            (Encoding::Learned, "393\u{202f}216"),
            (Encoding::TransformerXl, "7\u{202f}079\u{202f}424"),
            (Encoding::T5, "384"),
            (Encoding::Rope, "0"),
            (Encoding::Alibi, "0"),
        ] {
            assert_eq!(row(encoding)[6], parameters, "{encoding:?}");
        }
        assert_eq!(row(Encoding::Learned)[4], "no");
        assert_eq!(row(Encoding::Sinusoidal)[4], "yes");
        for &encoding in Encoding::METHODS {
            let (row, info) = (row(encoding), encoding.info());
            let does = info.operation != Operation::None;
            let says = |yes: bool| if yes { "yes" } else { "no" };
            let if_done = |yes: bool| if does { says(yes) } else { "—" };
            let expected = [
                if_done(info.every_layer),
                if_done(info.relative),
                if_done(info.bounded),
                says(goes_on(encoding)),
            ];
            assert_eq!(row[1..5], expected);
        }
        for (encoding, does) in [
            (Encoding::None, "nothing"),
            (Encoding::Learned, "adds to the embedding"),
            (Encoding::T5, "adds to the logits"),
            (Encoding::Rope, "rotates queries and keys"),
        ] {
            assert_eq!(row(encoding)[5], does);
        }
    }

    #[test]
    fn numbers_can_be_left_to_a_prediction() {
        let values = Values::with(Properties::FIELDS, "counts=off");
        let it = Properties::new(&values, Lang::En, None);
        let said = it.caption() + &it.actions().unwrap().plain();
        assert!(!said.contains("393") && !said.contains("learn"), "{said}");
    }

    #[test]
    fn every_row_has_a_cell_for_every_heading() {
        let values = Values::new(Properties::FIELDS);
        for lang in [Lang::En, Lang::Zh] {
            let it = Properties::new(&values, lang, None);
            for &encoding in Encoding::METHODS {
                assert_eq!(it.row(encoding).len(), HEADINGS.len());
            }
        }
    }
}
