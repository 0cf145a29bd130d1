//! Reading JSON that strangers write: depth and size are limited and duplicate keys refused while it is parsed, so
//! that nothing dangerous is ever built.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::message::{MOST_ID, shortened};

/// Deepest nesting. Below the parser's own limit of 128, so that ours speaks first.
const MOST_DEPTH: u32 = 64;

/// Values in one line at most.
const MOST_NODES: u32 = 200_000;

/// Whole numbers from here on cannot be told from their neighbours: 2^64.
const TOO_LARGE_TO_BE_EXACT: f64 = 18_446_744_073_709_551_616.0;

/// Parses a line. The error says what is wrong and where.
pub(crate) fn parse(line: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    if text.starts_with('\u{feff}') {
        return Err("a byte order mark at the start; lines are plain UTF-8".to_owned());
    }
    let nodes = Cell::new(0);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value =
        Guard { depth: 0, nodes: &nodes }.deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// The id of a request that [`parse`] refused, where the line is JSON all the same. Nothing but the id is kept.
pub(crate) fn id_of(line: &[u8]) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Request {
        id: Id,
        #[serde(rename = "method")]
        _method: de::IgnoredAny,
    }
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Id {
        Number(i64),
        Text(String),
    }
    // Skipped strings are not looked into by the parser, so the whole line is.
    let text = std::str::from_utf8(line).ok()?;
    match serde_json::from_str::<Request>(text).ok()?.id {
        Id::Number(number) => Some(number.into()),
        Id::Text(text) => (text.len() <= MOST_ID).then(|| text.into()),
    }
}

#[derive(Clone, Copy)]
struct Guard<'a> {
    depth: u32,
    nodes: &'a Cell<u32>,
}

impl Guard<'_> {
    fn inner<E: de::Error>(self) -> Result<Self, E> {
        if self.depth >= MOST_DEPTH {
            return Err(E::custom(format_args!("nested deeper than {MOST_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Guard<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.nodes.set(self.nodes.get() + 1);
        if self.nodes.get() > MOST_NODES {
            return Err(de::Error::custom(format_args!("more than {MOST_NODES} values")));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Guard<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Value, E> {
        Ok(flag.into())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        // Past this a long row of digits would be rounded without a word.
        if number.abs() >= TOO_LARGE_TO_BE_EXACT {
            return Err(E::custom("a number out of range: at most 2^64"));
        }
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("a number out of range"))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut object = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            match object.entry(key) {
                Entry::Occupied(entry) => {
                    return Err(de::Error::custom(format_args!(
                        "the key `{}` twice",
                        shortened(entry.key())
                    )));
                }
                Entry::Vacant(entry) => {
                    entry.insert(fields.next_value_seed(inner)?);
                }
            }
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_allowed_is_read_as_it_is() {
        let text = r#"{"a":[1,-2,2.5,18446744073709551615,"x\u0000",null,true],"b":{"":{}}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        let deepest = format!("{}1{}", "[".repeat(64), "]".repeat(64));
        assert!(parse(deepest.as_bytes()).is_ok());
        let widest = format!("[{}1]", "1,".repeat(199_998));
        assert!(parse(widest.as_bytes()).is_ok());
    }

    #[test]
    fn a_request_beyond_the_limits_keeps_its_id() {
        let request = |params: &str| format!(r#"{{"id":5,"method":"tools/call","params":{params}}}"#);
        let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
        for params in [r#"{"x":1e400}"#, r#"{"x":1e30}"#, r#"{"a":1,"a":2}"#, deep.as_str()] {
            let line = request(params);
            assert!(parse(line.as_bytes()).is_err(), "{params:.40}");
            assert_eq!(id_of(line.as_bytes()), Some(5.into()), "{params:.40}");
        }
        // What is no JSON, no request, or has two ids has none.
        for line in
            [r#"{"id":5,"method":"x","params":[}"#, r#"{"id":5}"#, r#"{"id":5,"id":6,"method":"x"}"#, "[1]"]
        {
            assert_eq!(id_of(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn what_is_dangerous_is_refused_while_it_is_read() {
        let too_deep = format!("{}1{}", "[".repeat(65), "]".repeat(65));
        let bomb = "[".repeat(1_000_000);
        let objects = r#"{"a":"#.repeat(1_000_000);
        let wide = format!("[{}1]", "1,".repeat(200_000));
        for (bad, reason) in [
            (too_deep.as_str(), "nested deeper than 64 levels"),
            (bomb.as_str(), "nested deeper than 64 levels"),
            (objects.as_str(), "nested deeper than 64 levels"),
            (wide.as_str(), "more than 200000 values"),
            (r#"{"a": 1, "a": 2}"#, "the key `a` twice"),
            (r#"{"a": 1, "\u0061": 2}"#, "the key `a` twice"),
            ("\u{feff}{}", "byte order mark"),
            ("1e999", "out of range"),
            ("18446744073709551616", "out of range"),
            ("NaN", "expected"),
            ("{", "EOF"),
            ("{} {}", "trailing"),
            ("{'a': 1}", "key must be a string"),
            (r#""\ud800""#, "hex escape"),
        ] {
            let error = parse(bad.as_bytes()).unwrap_err();
            assert!(error.contains(reason), "{}: {error}", bad.chars().take(20).collect::<String>());
            assert!(error.len() < 300, "{error}");
        }
        assert!(parse(&[b'"', 0xff, b'"']).unwrap_err().contains("not UTF-8"));
        let long = "k".repeat(100_000);
        assert!(parse(format!(r#"{{"{long}":1,"{long}":1}}"#).as_bytes()).unwrap_err().len() < 300);
    }
}
