//! The table of properties in the chapter on encodings side by side: what it says of each encoding is what the code
//! declares, and computes where it can.

use posenc::Normals;
use posenc_encoding::{Encoding, HeadConfig, Operation, Target};
use std::fs;

/// What the encodings of each group of rows do, to what, and whether in every layer.
const GROUPS: [(Operation, Target, bool); 4] = [
    (Operation::Adds, Target::Embedding, false),
    (Operation::Adds, Target::Logits, true),
    (Operation::Multiplies, Target::QueriesAndKeys, true),
    (Operation::None, Target::None, false),
];

/// The texts of the table in a language: yes, no, and not applicable; the names of [`GROUPS`].
struct Words {
    caption: &'static str,
    says: [&'static str; 3],
    groups: [&'static str; 4],
}

const EN: Words = Words {
    caption: "What encodings act on, and what follows from it",
    says: ["yes", "no", "—"],
    groups: [
        "Added to the embedding, once",
        "Added to the logits of every layer",
        "Rotates queries and keys of every layer",
        "Nothing added or rotated",
    ],
};
const ZH: Words = Words {
    caption: "各种编码作用在什么上面，结果如何",
    says: ["是", "否", "—"],
    groups: [
        "加到词嵌入上，只加一次",
        "加到每一层的注意力分数上",
        "旋转每一层的查询和键",
        "不加也不转",
    ],
};

/// The encoding with a name of the table.
fn named(name: &str) -> Encoding {
    match name {
        "Sinusoidal" | "正弦编码" => Encoding::Sinusoidal,
        "Learned table" | "可学习位置表" => Encoding::Learned,
        "Transformer-XL" => Encoding::TransformerXl,
        "T5" => Encoding::T5,
        "ALiBi" => Encoding::Alibi,
        "RoPE" => Encoding::Rope,
        "NoPE" => Encoding::None,
        other => panic!("{other:?}"),
    }
}

/// Whether the encoding has a logit beyond max_len, computed with a max_len of 4.
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

/// The texts of the cells of a row.
fn cells(row: &str) -> Vec<String> {
    let row = row.split("</tr>").next().unwrap();
    let cells = row.split("<t").skip(1).map(|cell| {
        let cell = cell.split_once('>').unwrap().1.split("</t").next().unwrap();
        let mut text = String::new();
        for (at, part) in cell.split('<').enumerate() {
            text += if at == 0 {
                part
            } else {
                part.split_once('>').unwrap().1
            };
        }
        text
    });
    cells.collect()
}

#[test]
fn the_table_of_the_chapter_says_what_the_encodings_do() {
    let chapter = fs::read_to_string("static/lesson/09-side-by-side.html").unwrap();
    for words in [EN, ZH] {
        let (_, table) = chapter
            .split_once(&format!("<caption>{}</caption>", words.caption))
            .unwrap();
        let table = table.split("</table>").next().unwrap();
        let mut group = None;
        let mut found = Vec::new();
        for row in table.split("<tr>").skip(2).map(cells) {
            if let [name] = &row[..] {
                group = words.groups.iter().position(|group| group == name);
                assert!(group.is_some(), "{name}");
                continue;
            }
            let encoding = named(&row[0]);
            let info = encoding.info();
            let acts = (info.operation, info.target, info.every_layer);
            assert_eq!(acts, GROUPS[group.unwrap()], "{}", row[0]);
            let [yes, no, neither] = words.says;
            let says = |it: bool| if it { yes } else { no };
            // Without an operation, only the last of these applies.
            let if_done = |it: bool| match info.operation {
                Operation::None => neither,
                _ => says(it),
            };
            let expected = [
                if_done(info.relative),
                if_done(info.bounded),
                says(goes_on(encoding)),
            ];
            assert_eq!(row[1..], expected, "{}", row[0]);
            found.push(encoding);
        }
        assert_eq!(found.len(), Encoding::METHODS.len());
        assert!(Encoding::METHODS.iter().all(|it| found.contains(it)));
    }
}
