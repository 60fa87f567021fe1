//! The right answers to the lesson's predictions, listed once more, so that no mark moves to another choice unnoticed.

use crate::lesson;
use std::fs;

/// Of each prediction in the order of the lesson: the chapter's file, and the words of the right answer in both languages.
const ANSWERS: [(&str, &str, &str); 23] = [
    (
        "01-order",
        "It stays the same, at its new place",
        "数值不变，只是跟着换了地方",
    ),
    ("02-numbering", "None of these will do", "都不行"),
    (
        "03-shift",
        "It keeps its width and moves along",
        "张角不变，整体跟着转",
    ),
    ("04-one-matrix", "No", "没有"),
    (
        "05-reading",
        "They go on, too slowly for these rows to show",
        "波还在，只是太慢，这些行里看不出来",
    ),
    (
        "06-distance",
        "The fast pairs turn by 3ω, the slow ones stay noise",
        "高频维度对转 3ω，低频的仍是噪声",
    ),
    ("07-rope", "It stays the same", "不变"),
    (
        "09-side-by-side",
        "The projections of Transformer-XL",
        "Transformer-XL 的投影",
    ),
    ("10-matrix", "It keeps it", "不变"),
    (
        "11-corridor",
        "Some two dozen, all along the corridor",
        "二十几个，散布在整条走廊",
    ),
    ("11-corridor", "One 19 positions away", "相隔 19 个位置的"),
    (
        "12-adding",
        "The word nearly always, the position hardly ever",
        "词几乎总能读出，位置很少读出",
    ),
    ("13-code", "The power", "直接求幂"),
    ("14-learned", "Nearly all", "几乎全部"),
    ("15-relative", "Two", "两项"),
    ("16-rope-length", "More than twice as high", "两倍还多"),
    (
        "16-rope-length",
        "Neighbours become harder to tell apart",
        "相邻位置更难分辨",
    ),
    ("17-alibi", "2", "2 个"),
    ("18-lab", "4", "4 种"),
    ("18-lab", "The learned table", "可学习位置表"),
    ("18-lab", "About one in 8", "大约八分之一"),
    ("19-elsewhere", "6", "6 个"),
    (
        "20-mistakes",
        "Moving on by k is the same linear map from every position",
        "从任何位置往后移 k，都是同一个线性映射",
    ),
];

/// Removes the tags of a text.
fn words(html: &str) -> String {
    let parts = html.split('<').enumerate();
    let parts = parts.map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('>').map_or("", |(_, words)| words),
    });
    parts.collect()
}

/// The words of the choices of each prediction in a chapter, and whether they are marked as right.
fn choices(text: &str) -> Vec<Vec<(String, bool)>> {
    let lines = text.split("<p class=\"choices\">").skip(1);
    let of = |line: &str| {
        let line = line.split("</p>").next().unwrap_or_default();
        let buttons = line.split("<button ").skip(1);
        let choice = |button: &str| {
            let (attributes, rest) = button.split_once('>').unwrap();
            let text = rest.split("</button>").next().unwrap();
            (words(text), attributes.contains("data-right"))
        };
        buttons.map(choice).collect()
    };
    lines.map(of).collect()
}

#[test]
fn the_right_answers_are_those_of_the_list() {
    let mut wrong = Vec::new();
    let mut answers = ANSWERS.into_iter();
    for path in lesson::chapters() {
        let chapter = path.file_stem().unwrap().to_str().unwrap().to_string();
        let choices = choices(&fs::read_to_string(&path).unwrap());
        // English comes before Chinese.
        for (at, both) in choices.chunks(2).enumerate() {
            let place = format!("{chapter}, prediction {}", at + 1);
            let Some((file, en, zh)) = answers.next().filter(|(file, ..)| *file == chapter) else {
                wrong.push(format!(
                    "{place}: its right answer is not in the list of this test"
                ));
                break;
            };
            for (lang, expected, choices) in [("English", en, &both[0]), ("Chinese", zh, &both[1])]
            {
                let right = choices.iter().filter(|(_, right)| *right);
                let right: Vec<&str> = right.map(|(words, _)| words.as_str()).collect();
                if right != [expected] {
                    wrong.push(format!(
                        "{file}, prediction {}, {lang}: data-right is on {right:?}, and the right answer is “{expected}”",
                        at + 1
                    ));
                }
            }
        }
    }
    wrong.extend(
        answers.map(|(file, en, _)| format!("{file}: no prediction is answered by “{en}”")),
    );
    assert!(
        wrong.is_empty(),
        "{}\nFirst say why an answer should change; the list is in this file.",
        wrong.join("\n")
    );
}
