//! Consistent terminology: terms that have been replaced must not appear in any text for readers.

use std::fs;
use std::path::{Path, PathBuf};

/// The replaced terms and their replacements.
const RETIRED: &[(&str, &str)] = &[
    ("编码宽度", "模型维度，d_model"),
    ("可学习表", "可学习位置表"),
    ("可学习的表", "可学习位置表"),
    ("可学习的位置表", "可学习位置表"),
    ("学出来的", "可学习位置表"),
    ("快的维度对", "高频维度对"),
    ("慢的维度对", "低频维度对"),
    ("由快到慢", "从高频到低频"),
    ("位置内插", "位置插值"),
    ("屏蔽", "用掩码遮住"),
    ("类别词元", "分类词元"),
    ("看课程中", "查看讲解中"),
    ("个词元上训练", "训练序列长度为……个词元"),
    ("位有效数字", "个二进制有效位"),
    ("条斜率", "个斜率"),
    ("个头中的头", "个头中的第"),
    ("最陡", "斜率最大"),
    ("最平的", "斜率最小"),
    ("片中", "视频"),
    ("核对", "提交"),
    ("数组编号", "第几组数"),
    ("瞎猜", "随机猜测"),
    ("单独一对", "单独一组"),
    ("只剩下和", "只知道两数之和"),
    ("加的是什么，转的是什么", "怎样引入位置：相加还是旋转"),
    ("加了什么，还是转了什么", "怎样引入位置：相加还是旋转"),
    ("logit 看到什么", "注意力分数取决于什么"),
    ("what is added or turned", "what is added or rotated"),
    ("what does the logit see", "what does the logit depend on"),
    ("a shift is a turn", "a shift is a rotation"),
    ("turned, not added", "rotated, not added"),
    ("turned pair by pair", "rotated pair by pair"),
    ("turned queries and keys", "rotated queries and keys"),
    ("adding against turning", "adding against rotating"),
    ("position it is turned by", "position used for rotation"),
    ("is not turned", "is not rotated"),
    ("nothing is turned", "nothing is rotated"),
    ("cos of turns", "cos of rotations"),
    ("turns add up", "rotations add up"),
    ("would do", "is enough"),
    ("sine alone do", "is sine alone enough"),
    ("alone still do", "is sine alone enough"),
    ("miss of the best", "error of the best-fit"),
    ("misses by", "has an error of"),
    ("billion weights", "billion parameters"),
    ("learned numbers", "learned parameters"),
    ("length read", "context length"),
    ("is looked at", "attended to"),
    ("refused here", "blocked by the browser"),
    ("is said of whole", "a word for whole numbers"),
    ("only whole numbers can be", "a word for whole numbers"),
    ("is a tale", "is a myth"),
    ("explained is", "share explained"),
    ("π of those", "2π times that"),
    ("no one m", "no m is built in"),
    ("widely copied", "cite it, or leave it out"),
    ("black hand", "the hand at pos, which is white in the dark"),
    ("黑色指针", "pos 处的指针，深色主题里它是白色的"),
    ("most favourable case", "the case that is usually drawn"),
    ("最有利的情形", "通常画图用的情形"),
    ("直接拿原来那一行", "直接照搬原来那一行"),
    ("another past", "different words before it"),
    ("settingid at", "key at"),
    ("您", "你"),
    ("图示", "图"),
    ("布局", "排列"),
    ("base 是", "底数是"),
    ("够得到", "用到"),
    ("藏身处", "隐藏的位置"),
    ("留出行", "未参与拟合的行"),
    ("\", \"logit", "注意力分数, as the Chinese label"),
    ("词向量", "词嵌入"),
    ("移位矩阵", "平移矩阵"),
    ("改的是什么", "怎样引入位置"),
    ("正确率", "准确率"),
    ("12.8 万", "128K"),
    ("6.4 万", "64K"),
    ("3.2 万", "32K"),
    ("向前 k", "往后 k"),
    ("向后 k", "往回 k"),
    ("隔一取一", "每隔一个取一个"),
    ("透过", "通过"),
    ("钟墙", "一墙的钟"),
];

/// The name of the score before softmax in Chinese; only its definitions add the English one.
const DEFINED: [&str; 2] = ["注意力分数（logit）", "注意力分数 logit"];

fn files(path: &Path, ending: &str) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).unwrap();
    entries
        .flat_map(|entry| files(&entry.unwrap().path(), ending))
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect()
}

/// The text visible to readers: without tags and comments, in lower case, with white space collapsed.
fn words(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let seen = if path.extension().is_some_and(|ending| ending == "html") {
        without_tags(&text)
    } else {
        let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let parts: Vec<&str> = seen.split_whitespace().collect();
    parts.join(" ").to_lowercase()
}

/// Where texts for readers are, with the endings of their files.
const PLACES: [(&str, &str); 8] = [
    ("index.html", ".html"),
    ("static/lesson", ".html"),
    ("static/kit", ".mjs"),
    ("src", ".rs"),
    ("README.md", ".md"),
    ("README.zh.md", ".md"),
    ("docs", ".md"),
    ("static/pages", ".html"),
];

fn is_chinese(c: char) -> bool {
    ('一'..='鿿').contains(&c)
}

/// The Chinese texts of a file: string literals of code, lines of other files. Text that only quotes Chinese is left out.
fn chinese(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let code = path
        .extension()
        .is_some_and(|ending| ending == "rs" || ending == "mjs");
    let mut all = Vec::new();
    for line in text.lines() {
        if code {
            all.extend(line.split('"').skip(1).step_by(2).map(without_placeholders));
        } else {
            all.push(without_tags(line));
        }
    }
    all.retain(|text| {
        let letters = text.chars().filter(char::is_ascii_alphabetic).count();
        3 * text.chars().filter(|c| is_chinese(*c)).count() > letters
    });
    all
}

fn without_tags(text: &str) -> String {
    let parts = text.split('<');
    parts
        .map(|part| part.split_once('>').map_or(part, |(_, after)| after))
        .collect()
}

/// The text without the names in braces.
fn without_placeholders(text: &str) -> String {
    let parts = text.split('{');
    parts
        .map(|part| part.split_once('}').map_or(part, |(_, after)| after))
        .collect()
}

#[test]
fn the_score_of_attention_has_its_chinese_name() {
    let mut found = Vec::new();
    for (place, ending) in PLACES {
        for path in files(place.as_ref(), ending) {
            let texts = chinese(&path).into_iter().filter(|text| {
                text.contains("logit") && !DEFINED.iter().any(|begin| text.contains(begin))
            });
            found.extend(texts.map(|text| format!("{}: {text}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn retired_words_do_not_come_back() {
    let mut found = Vec::new();
    for (place, ending) in PLACES {
        for path in files(place.as_ref(), ending) {
            let words = words(&path);
            let retired = RETIRED.iter().filter(|(old, _)| words.contains(old));
            found.extend(retired.map(|(old, new)| format!("{}: {old} → {new}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
