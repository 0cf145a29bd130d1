//! Values to JSON and back: the caller never sees the language's types, scripts never unpack the caller's.

use serde_json::{Map, Value as Json};

use crate::fault::{Fault, Outcome};
use crate::heap::Heap;
use crate::value::Value;

/// Deepest nesting that crosses.
const MOST_DEPTH: u32 = 200;

/// Bytes of JSON that are written where the caller names no limit: far more than anything sensible, and no danger.
pub const MOST_BYTES: usize = 16 << 20;

/// Bytes that a value is counted with at least, because it takes memory however short its text is.
const LEAST: usize = 8;

/// A value as JSON. Entities become numbers, vectors lists, colours text; functions and tasks cannot cross.
pub fn to_json(heap: &Heap, value: Value) -> Outcome<Json> {
    Writer { heap, left: MOST_BYTES, most: MOST_BYTES }.value(value, MOST_DEPTH)
}

/// The same, of at most so many bytes as text.
pub fn to_json_within(heap: &Heap, value: Value, most: usize) -> Outcome<Json> {
    let json = to_json(heap, value)?;
    let mut counter = Counter(0);
    // Counting writes nothing that could fail.
    let counted = serde_json::to_writer(&mut counter, &json);
    if counted.is_ok() && counter.0 <= most { Ok(json) } else { Err(too_long(most)) }
}

/// Counts bytes instead of writing them.
struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn too_long(most: usize) -> Box<Fault> {
    let size = if most < 1 << 20 { format!("{} KiB", most >> 10) } else { format!("{} MiB", most >> 20) };
    Fault::new("E505", format!("the result is longer than {size}"))
        .hint("give back what is needed: counts, ids, the first few")
}

/// Turns values into JSON as long as there is room.
struct Writer<'a> {
    heap: &'a Heap,
    left: usize,
    most: usize,
}

impl Writer<'_> {
    fn value(&mut self, value: Value, depth: u32) -> Outcome<Json> {
        if depth == 0 {
            return Err(Fault::new(
                "E506",
                format!("a value nested deeper than {MOST_DEPTH} levels cannot be handed on"),
            ));
        }
        self.take(LEAST)?;
        let heap = self.heap;
        Ok(match value {
            Value::Nil => Json::Null,
            Value::Bool(flag) => flag.into(),
            Value::Number(number) => number_json(number)?,
            Value::Entity(entity) => entity.get().into(),
            Value::Text(_) => {
                let text = heap.get_text(value).unwrap_or_default();
                self.take(text.len())?;
                text.into()
            }
            Value::Vec2(_) | Value::Vec3(_) | Value::Vec4(_) => {
                let (parts, n) = heap.get_vector(value).unwrap_or_default();
                let mut list = Vec::with_capacity(n);
                for part in parts.iter().take(n) {
                    list.push(number_json(crate::number::text32(*part).parse().unwrap_or(f64::from(*part)))?);
                }
                Json::Array(list)
            }
            Value::Color(_) => color_text(heap.get_color(value).unwrap_or_default()).into(),
            Value::List(_) => {
                let items = heap.get_list(value).unwrap_or_default();
                let mut list = Vec::new();
                for item in items {
                    list.push(self.value(*item, depth - 1)?);
                }
                Json::Array(list)
            }
            Value::Record(_) => {
                let mut fields = Map::new();
                let entries = heap.get_record(value).into_iter().flat_map(|record| record.iter(&heap.shapes));
                for (key, value) in entries {
                    let name = key.text(&heap.shapes);
                    self.take(name.len())?;
                    fields.insert(name, self.value(value, depth - 1)?);
                }
                Json::Object(fields)
            }
            Value::Range(_) => match heap.get_range(value) {
                Some(range) => {
                    let mut fields = Map::new();
                    fields.insert("from".to_owned(), number_json(range.start)?);
                    fields.insert("to".to_owned(), number_json(range.end)?);
                    Json::Object(fields)
                }
                None => Json::Null,
            },
            Value::Function(_) | Value::Task(_) | Value::Stream(_) | Value::Cell(_) => {
                return Err(Fault::new(
                    "E320",
                    format!("a {} cannot be handed out of the script", value.type_name()),
                )
                .hint("return numbers, strings, lists and records"));
            }
        })
    }

    fn take(&mut self, bytes: usize) -> Outcome<()> {
        self.left = self.left.checked_sub(bytes).ok_or_else(|| too_long(self.most))?;
        Ok(())
    }
}

fn number_json(number: f64) -> Outcome<Json> {
    if !number.is_finite() {
        return Err(Fault::new(
            "E321",
            format!("{} is not finite and cannot be handed on", crate::number::text(number)),
        ));
    }
    if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
        return Ok(((number + 0.0) as i64).into());
    }
    Ok(serde_json::Number::from_f64(number).map_or(Json::Null, Json::Number))
}

/// JSON as a value. A list of exactly three numbers becomes a vector.
pub fn from_json(heap: &mut Heap, json: &Json) -> Value {
    value(heap, json, true)
}

/// JSON as a value that becomes the same JSON again: three ids are a list, not a vector. For templates.
pub fn from_json_as_is(heap: &mut Heap, json: &Json) -> Value {
    value(heap, json, false)
}

fn value(heap: &mut Heap, json: &Json, vectors: bool) -> Value {
    match json {
        Json::Null => Value::Nil,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => Value::Number(number.as_f64().unwrap_or_default()),
        Json::String(text) => heap.text(text),
        Json::Array(items) => {
            if let [Json::Number(x), Json::Number(y), Json::Number(z)] = items.as_slice()
                && vectors
            {
                let part = |number: &serde_json::Number| number.as_f64().unwrap_or_default() as f32;
                return Value::Vec3([part(x), part(y), part(z)]);
            }
            let items = items.iter().map(|item| value(heap, item, vectors)).collect();
            heap.list(items)
        }
        Json::Object(fields) => {
            let fields: Vec<(&str, Value)> = fields
                .iter()
                .map(|(name, value)| (name.as_str(), self::value(heap, value, vectors)))
                .collect();
            heap.record(fields)
        }
    }
}

/// A colour as text: `#rrggbb`, with alpha where it is not opaque.
pub fn color_text(color: [f32; 4]) -> String {
    let [r, g, b, a] = color.map(|channel| libm::roundf(channel.clamp(0.0, 1.0) * 255.0) as u8);
    if a == 255 { format!("#{r:02x}{g:02x}{b:02x}") } else { format!("#{r:02x}{g:02x}{b:02x}{a:02x}") }
}
