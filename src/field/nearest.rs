//! Finds the valid name closest to an invalid one.

/// Names with more characters are not taken for misspelt ones.
const LONGEST: usize = 40;

/// The valid name closest to `written`, if it is close enough to have been meant. Case, hyphens and underscores do not
/// count: `dModel`, `d-model` and `d_model` are the same name.
pub fn nearest<'a>(written: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = letters(written);
    if written.is_empty() || written.len() > LONGEST {
        return None;
    }
    let allowed = slips(written.len());
    let mut best: Option<(usize, &str)> = None;
    for name in valid {
        let slips = distance(&written, &letters(name));
        if slips <= allowed && best.is_none_or(|(least, _)| slips < least) {
            best = Some((slips, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The maximum edit distance for a name of this length: 0 for the shortest, since any other short name would be as close.
fn slips(letters: usize) -> usize {
    match letters {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// The letters and digits of a name in lower case. Characters beyond ASCII are left as they are: valid names are ASCII,
/// and Unicode's case tables would add 5 KB to the page.
fn letters(name: &str) -> Vec<char> {
    let letters = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || !c.is_ascii());
    letters
        .map(|c| c.to_ascii_lowercase())
        .take(LONGEST + 1)
        .collect()
}

/// The optimal string alignment distance: the number of letters inserted, deleted, replaced, or
/// swapped with a neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 8] = [
        "d_model", "max_len", "k", "pos", "base", "rotation", "ruler", "theme",
    ];

    #[test]
    fn slips_of_the_pen_are_understood() {
        for (written, meant) in [
            ("dmodel", "d_model"),
            ("dModel", "d_model"),
            ("D-MODEL", "d_model"),
            ("d_modle", "d_model"),
            ("max-len", "max_len"),
            ("max_length", "max_len"),
            ("K", "k"),
            ("pso", "pos"),
            ("bass", "base"),
            ("Rotation", "rotation"),
            ("rotations", "rotation"),
            ("rotaton", "rotation"),
            ("them", "theme"),
        ] {
            assert_eq!(nearest(written, NAMES), Some(meant), "{written}");
        }
    }

    #[test]
    fn other_names_are_left_alone() {
        let long = "x".repeat(100_000);
        for written in [
            "",
            "-",
            "j",
            "utm_source",
            "fbclid",
            "pink",
            "<b>",
            "位置",
            &long,
        ] {
            assert_eq!(nearest(written, NAMES), None, "{written}");
        }
    }

    #[test]
    fn of_several_the_closest_counts() {
        assert_eq!(nearest("waves", ["wave", "waves"]), Some("waves"));
        assert_eq!(nearest("rules", ["rulers", "ruler"]), Some("rulers"));
        assert_eq!(nearest("ab", ["abc"]), None);
    }

    #[test]
    fn distances_count_what_has_to_be_done() {
        let between = |a: &str, b: &str| distance(&letters(a), &letters(b));
        assert_eq!(between("kitten", "sitting"), 3);
        assert_eq!(between("abcd", "abdc"), 1);
        assert_eq!(between("", "abc"), 3);
        assert_eq!(between("abc", "abc"), 0);
    }
}
