//! Values as text without a world, as `text(x)`, `print` and f-strings write them.

use super::Heap;
use crate::number;
use crate::value::Value;

/// Deepest nesting that is written out; what lies deeper shows as `…`.
const MOST_DEPTH: u32 = 6;

/// Longest text that a value is written as.
const MOST_TEXT: usize = 64 * 1024;

impl Heap {
    /// A value as text, the way it would be written in a script: strings as they are, entities by number.
    pub fn shown(&self, value: Value) -> String {
        match self.get_text(value) {
            Some(text) => text.to_owned(),
            None => {
                let mut out = String::new();
                self.write(value, MOST_DEPTH, &mut out);
                out
            }
        }
    }

    fn write(&self, value: Value, depth: u32, out: &mut String) {
        if out.len() > MOST_TEXT {
            return;
        }
        match value {
            Value::Nil => out.push_str("nil"),
            Value::Bool(flag) => out.push_str(if flag { "true" } else { "false" }),
            Value::Number(n) => out.push_str(&number::text(n)),
            Value::Entity(entity) => out.push_str(&format!("entity {entity}")),
            Value::Task(_) => out.push_str("task"),
            Value::Stream(_) => out.push_str("stream"),
            Value::Function(_) | Value::Cell(_) => out.push_str("function"),
            Value::Text(_) => {
                out.push('"');
                let text = self.get_text(value).unwrap_or_default();
                let shown = text.get(..text.floor_char_boundary(MOST_TEXT)).unwrap_or_default();
                out.push_str(&shown.replace('\\', "\\\\").replace('"', "\\\""));
                if shown.len() < text.len() {
                    out.push('…');
                }
                out.push('"');
            }
            Value::Color(_) => {
                out.push_str(&crate::boundary::color_text(self.get_color(value).unwrap_or_default()))
            }
            Value::Range(_) => {
                if let Some(range) = self.get_range(value) {
                    let sign = if range.inclusive { "..=" } else { ".." };
                    out.push_str(&format!("{}{sign}{}", number::text(range.start), number::text(range.end)));
                }
            }
            Value::Vec2(_) | Value::Vec3(_) | Value::Vec4(_) => {
                let (parts, n) = self.get_vector(value).unwrap_or_default();
                let texts: Vec<String> = parts.iter().take(n).map(|part| number::text32(*part)).collect();
                out.push_str(&format!("({})", texts.join(", ")));
            }
            Value::List(_) if depth == 0 => out.push_str("[…]"),
            Value::Record(_) if depth == 0 => out.push_str("{…}"),
            Value::List(_) => {
                out.push('[');
                for (index, item) in self.get_list(value).unwrap_or_default().iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    if out.len() > MOST_TEXT {
                        out.push('…');
                        break;
                    }
                    self.write(*item, depth - 1, out);
                }
                out.push(']');
            }
            Value::Record(_) => {
                out.push('{');
                let shapes = &self.shapes;
                let entries = self.get_record(value).into_iter().flat_map(|record| record.iter(shapes));
                for (index, (key, item)) in entries.enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    if out.len() > MOST_TEXT {
                        out.push('…');
                        break;
                    }
                    out.push_str(&key.text(shapes));
                    out.push_str(": ");
                    self.write(item, depth - 1, out);
                }
                out.push('}');
            }
        }
    }
}
