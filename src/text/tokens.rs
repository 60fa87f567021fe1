//! Splits a text into tokens, one for each position. The tokens are whole words, as in a textbook; the tokenizers of
//! language models split rarer words into pieces.

use super::{Lang, Text};

/// A text with a token for each of the first 64 positions. Its nouns stand three positions apart: at 1 and 4, 10 and 13,
/// 18 and 21, 37 and 40, 58 and 61.
const EXAMPLE: Text = Text::new(
    "The cat chased the dog because it had stolen the fish that the cook had left on the table by the door when a bell rang and she ran out into the yard to see who the guest at the gate was but nobody was there so she went back in and found the plate empty and the cat and the dog fast asleep",
    "小猫追着狗因它偷吃的鱼是我妈煎好放在桌上靠门那边忽听铃响她跑到院里想看是何人站在门外可是并没有人影她回来一看盘里空空猫和那狗睡了",
);

/// The tokens of a text, or of the example if it has none.
pub fn tokens_or_example(text: &str, lang: Lang) -> Vec<String> {
    let own = tokens(text);
    match own.is_empty() {
        true => tokens(EXAMPLE.get(lang)),
        false => own,
    }
}

/// The tokens of a text: what stands between white space and, of scripts that are written without spaces, each character
/// with its marks.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let mut before = None;
        for c in word.chars() {
            let joins = match before {
                None => false,
                Some(before) => continues(before, c) || !(stands_alone(before) || stands_alone(c)),
            };
            match tokens.last_mut().filter(|_| joins) {
                Some(token) => token.push(c),
                None => tokens.push(c.into()),
            }
            // A mark belongs to the script of its letter.
            if !(joins && is_mark(c)) {
                before = Some(c);
            }
        }
    }
    tokens
}

/// A text of at most `most` characters, cut with an ellipsis but never within a character and its marks.
pub fn shortened(token: &str, most: usize) -> String {
    if token.chars().count() <= most {
        return token.into();
    }
    let mut kept = String::new();
    let mut end = 0;
    let mut before = '\0';
    for (count, c) in token.chars().enumerate() {
        if count > 0 && !continues(before, c) {
            end = kept.len();
        }
        if count + 1 == most {
            break;
        }
        kept.push(c);
        before = c;
    }
    kept.truncate(end);
    kept.push('…');
    kept
}

/// Whether a character is written together with the one before it: a mark, or part of an emoji.
fn continues(before: char, c: char) -> bool {
    const JOINER: char = '\u{200d}';
    is_mark(c) || before == JOINER || matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Combining marks of the scripts that [`stands_alone`] knows, and those of all others; joiners and variation selectors.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' | '\u{ff9e}' | '\u{ff9f}'
        | '\u{e31}' | '\u{e33}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{200d}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e01ef}')
}

/// Whether a character of a script without spaces is a token by itself: Thai, kana, Han and their punctuation.
fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{e7f}' | '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff01}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_white_space_and_han_kana_and_thai_by_character() {
        assert_eq!(tokens(" two\u{3000}words\n"), ["two", "words"]);
        assert_eq!(tokens("用GPT写诗。"), ["用", "GPT", "写", "诗", "。"]);
        assert_eq!(tokens("がっこう"), ["が", "っ", "こ", "う"]);
        // A letter and its mark, composed or not, are one token: か with a voiced sound mark, ที่ with vowel and tone.
        assert_eq!(tokens("か\u{3099}く"), ["か\u{3099}", "く"]);
        assert_eq!(tokens("ที่นี่"), ["ที่", "นี่"]);
        assert_eq!(tokens("हिन्दी"), ["हिन्दी"]);
        assert_eq!(tokens(""), [""; 0]);
    }

    #[test]
    fn an_emoji_with_joiners_is_one_token_beside_han() {
        assert_eq!(tokens("👩🏽‍🚀 flies"), ["👩🏽‍🚀", "flies"]);
        assert_eq!(
            tokens("<b onclick=x>&amp;</b>"),
            ["<b", "onclick=x>&amp;</b>"]
        );
    }

    #[test]
    fn the_examples_have_a_noun_at_every_third_position() {
        let named = |text: &str| {
            let tokens = tokens(text);
            let nouns = [1, 4, 10, 13, 18, 21, 37, 40, 58, 61].map(|i: usize| tokens[i].clone());
            (tokens.len(), nouns.join(" "))
        };
        let english = "cat dog fish cook table door guest gate cat dog";
        assert_eq!(named(EXAMPLE.en), (64, english.into()));
        assert_eq!(
            named(EXAMPLE.zh),
            (64, "猫 狗 鱼 妈 桌 门 人 门 猫 狗".into())
        );
    }

    #[test]
    fn a_long_token_is_cut_between_characters() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("antidisestablishmentarianism", 9), "antidise…");
        // Never between a letter and its accent, nor within an emoji of several parts.
        assert_eq!(shortened("ae\u{301}e\u{301}e\u{301}", 5), "ae\u{301}…");
        assert_eq!(shortened("👩🏽‍🚀👩🏽‍🚀", 6), "👩🏽‍🚀…");
        assert_eq!(shortened("👩🏽‍🚀👩🏽‍🚀", 3), "…");
    }
}
