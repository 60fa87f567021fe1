//! Names of controls: lists of those that are hidden, locked or shown.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    All,
    Listed(Vec<String>),
}

impl Default for Names {
    fn default() -> Names {
        Names::Listed(Vec::new())
    }
}

impl Names {
    /// Reads `*`, or names separated by commas or spaces, with hyphens or underscores; an empty text and
    /// `none` mean no names.
    pub fn read(text: &str) -> Names {
        let mut names: Vec<String> = Vec::new();
        for part in text.split(|c: char| c == ',' || c.is_whitespace()) {
            let name = part.replace('-', "_");
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        match names.as_slice() {
            [all] if all == "*" => Names::All,
            [none] if none == "none" => Names::default(),
            _ => Names::Listed(names),
        }
    }

    pub fn contain(&self, name: &str) -> bool {
        match self {
            Names::All => true,
            Names::Listed(names) => names.iter().any(|listed| listed == name),
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Names::default()
    }

    /// Removes the names that are not `known`; returns whether there were any.
    pub fn keep(&mut self, known: impl Fn(&str) -> bool) -> bool {
        let Names::Listed(names) = self else {
            return false;
        };
        let before = names.len();
        names.retain(|name| known(name));
        names.len() < before
    }

    /// The names as written in links.
    pub fn text(&self) -> String {
        match self {
            Names::All => "*".into(),
            Names::Listed(names) => names.join(","),
        }
    }
}

/// Whether this could be the name of a control.
pub fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    !name.is_empty() && name.len() <= 40 && name.chars().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(names: &[&str]) -> Names {
        Names::Listed(names.iter().map(|name| name.to_string()).collect())
    }

    #[test]
    fn names_are_read_with_any_separator() {
        let names = listed(&["k", "max_len", "d_model"]);
        assert_eq!(Names::read("k, max-len d_model,k"), names);
        assert_eq!(names.text(), "k,max_len,d_model");
        assert_eq!(Names::read(" none "), listed(&[]));
        assert_eq!(Names::read(""), listed(&[]));
        assert_eq!(Names::read("*"), Names::All);
    }

    #[test]
    fn names_that_nothing_has_are_forgotten() {
        let mut names = listed(&["k", "weather"]);
        assert!(names.keep(|name| name == "k"));
        assert_eq!(names, listed(&["k"]));
        assert!(!names.keep(|name| name == "k"));
        assert!(!Names::All.keep(|_| false));
    }
}
