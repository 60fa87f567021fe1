//! A parser for the part of JSON that headers of .safetensors use. It is lenient, as other programs have checked them: a
//! number is any run of number characters, and an unknown escape stands for the character after the backslash.

/// A value; numbers are kept as they are written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    String(String),
    Number(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
    BoolOrNull,
}

/// Maximum depth of nesting: the format needs 3 levels.
const MAX_DEPTH: usize = 16;

impl Json {
    /// Parses one value; only white space may follow it.
    pub fn parse(bytes: &[u8]) -> Option<Json> {
        let mut parser = Parser { bytes, position: 0 };
        let value = parser.value(0)?;
        parser.skip_whitespace();
        (parser.position == bytes.len()).then_some(value)
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

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(list) => Some(list),
            _ => None,
        }
    }

    /// Returns a non-negative integer; `None` if the value is not one or does not fit.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Json::Number(digits) => digits.parse().ok(),
            _ => None,
        }
    }
}

struct Parser<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    /// Skips white space and then `byte`; `None` if another byte follows.
    fn consume(&mut self, byte: u8) -> Option<()> {
        self.skip_whitespace();
        (self.peek() == Some(byte)).then(|| self.position += 1)
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_whitespace();
        match self.peek()? {
            b'"' => self.string().map(Json::String),
            b'[' => {
                let mut list = Vec::new();
                self.items(b'[', b']', |parser| {
                    list.push(parser.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::Array(list))
            }
            b'{' => {
                let mut entries = Vec::new();
                self.items(b'{', b'}', |parser| {
                    parser.skip_whitespace();
                    let name = parser.string()?;
                    parser.consume(b':')?;
                    entries.push((name, parser.value(depth + 1)?));
                    Some(())
                })?;
                Some(Json::Object(entries))
            }
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.literal(),
        }
    }

    fn number(&mut self) -> Option<Json> {
        let start = self.position;
        while matches!(
            self.peek(),
            Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')
        ) {
            self.position += 1;
        }
        let digits = self.bytes.get(start..self.position)?;
        Some(Json::Number(String::from_utf8_lossy(digits).into_owned()))
    }

    fn literal(&mut self) -> Option<Json> {
        let rest = self.bytes.get(self.position..)?;
        let words: [&[u8]; 3] = [b"true", b"false", b"null"];
        let word = words.into_iter().find(|word| rest.starts_with(word))?;
        self.position += word.len();
        Some(Json::BoolOrNull)
    }

    /// Parses items that are separated by commas, between `open` and `close`.
    fn items(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.consume(open)?;
        if self.consume(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.consume(close).is_some() {
                return Some(());
            }
            self.consume(b',')?;
        }
    }

    fn string(&mut self) -> Option<String> {
        self.consume(b'"')?;
        let mut text = Vec::new();
        loop {
            let byte = self.peek()?;
            self.position += 1;
            match byte {
                b'"' => return String::from_utf8(text).ok(),
                b'\\' => text.extend(self.escape()?.to_string().as_bytes()),
                _ => text.push(byte),
            }
        }
    }

    /// Parses an escape sequence after its backslash.
    fn escape(&mut self) -> Option<char> {
        let escaped = self.peek()?;
        self.position += 1;
        Some(match escaped {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let digits = self.bytes.get(self.position..self.position + 4)?;
                self.position += 4;
                let digits = std::str::from_utf8(digits).ok()?;
                let code = u32::from_str_radix(digits, 16).ok()?;
                // Each half of a surrogate pair becomes a replacement character.
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            other => char::from(other),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds() {
        let json = br#" {"a":[1,-2e3,true],"b\"\u00e9":{"c":"d"},"e":[],"f":{}} "#;
        let json = Json::parse(json).unwrap();
        assert_eq!(
            json.get("a").unwrap().as_array().unwrap()[0].as_u64(),
            Some(1)
        );
        assert_eq!(json.get("a").unwrap().as_array().unwrap()[1].as_u64(), None);
        assert_eq!(
            json.get("b\"é").unwrap().get("c").unwrap().as_str(),
            Some("d")
        );
        assert_eq!(json.get("e").unwrap().as_array(), Some(&[][..]));
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
