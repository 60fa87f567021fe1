//! As much of JSON as headers of .safetensors are made of.

/// A value; numbers are kept as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Text(String),
    Number(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
    /// true, false or null.
    Other,
}

/// Deeper nesting is refused: the format needs 3 levels.
const DEEPEST: usize = 16;

impl Json {
    /// The value that these bytes are, with nothing but spaces after it.
    pub fn parse(bytes: &[u8]) -> Option<Json> {
        let mut parser = Parser { bytes, at: 0 };
        let value = parser.value(0)?;
        parser.spaces();
        (parser.at == bytes.len()).then_some(value)
    }

    pub fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(entries) = self else {
            return None;
        };
        entries
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(list) => Some(list),
            _ => None,
        }
    }

    /// A whole number from 0 on; `None` also where it is beyond all numbers.
    pub fn whole(&self) -> Option<u64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn spaces(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        self.spaces();
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        self.spaces();
        match self.peek()? {
            b'"' => self.string().map(Json::Text),
            b'[' => {
                let mut list = Vec::new();
                self.items(b'[', b']', |parser| {
                    list.push(parser.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::List(list))
            }
            b'{' => {
                let mut entries = Vec::new();
                self.items(b'{', b'}', |parser| {
                    parser.spaces();
                    let name = parser.string()?;
                    parser.eat(b':')?;
                    entries.push((name, parser.value(depth + 1)?));
                    Some(())
                })?;
                Some(Json::Object(entries))
            }
            b'-' | b'0'..=b'9' => {
                let from = self.at;
                while matches!(
                    self.peek(),
                    Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
                ) {
                    self.at += 1;
                }
                let digits = self.bytes.get(from..self.at)?;
                Some(Json::Number(String::from_utf8_lossy(digits).into_owned()))
            }
            _ => {
                let rest = self.bytes.get(self.at..)?;
                let words: [&[u8]; 3] = [b"true", b"false", b"null"];
                let word = words.into_iter().find(|word| rest.starts_with(word))?;
                self.at += word.len();
                Some(Json::Other)
            }
        }
    }

    /// What stands between two brackets, separated by commas.
    fn items(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.eat(open)?;
        if self.eat(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.eat(close).is_some() {
                return Some(());
            }
            self.eat(b',')?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.eat(b'"')?;
        let mut text = Vec::new();
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(text).ok(),
                b'\\' => {
                    let escaped = self.peek()?;
                    self.at += 1;
                    let plain = match escaped {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => {
                            let digits = self.bytes.get(self.at..self.at + 4)?;
                            self.at += 4;
                            let digits = std::str::from_utf8(digits).ok()?;
                            let code = u32::from_str_radix(digits, 16).ok()?;
                            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                        }
                        other => char::from(other),
                    };
                    text.extend(plain.to_string().as_bytes());
                }
                _ => text.push(byte),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds() {
        let json = br#" {"a":[1,-2e3,true],"b\"\u00e9":{"c":"d"},"e":[],"f":{}} "#;
        let json = Json::parse(json).unwrap();
        assert_eq!(json.get("a").unwrap().list().unwrap()[0].whole(), Some(1));
        assert_eq!(json.get("a").unwrap().list().unwrap()[1].whole(), None);
        assert_eq!(
            json.get("b\"é").unwrap().get("c").unwrap().text(),
            Some("d")
        );
        assert_eq!(json.get("e").unwrap().list(), Some(&[][..]));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for bad in [
            "",
            "{",
            "[1,]",
            "{\"a\"}",
            "\"",
            "\"\\u12",
            "[1] 2",
            "nul",
            "{\"a\":1,}",
        ] {
            assert_eq!(Json::parse(bad.as_bytes()), None, "{bad}");
        }
        assert_eq!(Json::parse("[".repeat(100_000).as_bytes()), None);
        assert_eq!(Json::parse(b"\"\xff\""), None);
    }
}
