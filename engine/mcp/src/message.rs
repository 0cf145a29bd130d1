//! JSON-RPC messages: what comes in, taken apart, and what goes out, put together.

use serde_json::{Map, Value, json};

/// The line is no JSON, or JSON that is refused.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// Not a request, or not one that can be made now.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// No such method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// Parameters of the wrong form, or an unknown tool.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// Too much of something at once.
pub(crate) const BUSY: i64 = -32000;

/// Longest id that is accepted, bytes: ids are kept for as long as a call runs.
pub(crate) const MOST_ID: usize = 256;

/// Longest piece of a stranger's text that is repeated in a message, characters.
const MOST_SHOWN: usize = 80;

/// A message that came in.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// Wants an answer.
    Request {
        /// To be given back.
        id: Value,
        /// What.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// Wants none.
    Notification {
        /// What.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// An answer to something, or a notification that nobody can read: neither is ever answered.
    Ignored,
}

/// Why a request is not served.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The JSON-RPC code.
    pub(crate) code: i64,
    /// What is wrong and what to do.
    pub(crate) message: String,
    /// The same for programs.
    pub(crate) data: Option<Value>,
}

impl Refusal {
    /// A refusal without data.
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The message that says so.
    pub(crate) fn answer(self, id: Value) -> Value {
        let mut error = json!({"code": self.code, "message": self.message});
        if let (Some(data), Some(object)) = (self.data, error.as_object_mut()) {
            object.insert("data".to_owned(), data);
        }
        json!({"jsonrpc": "2.0", "id": id, "error": error})
    }
}

/// Takes a message apart; the error is the answer to give.
pub(crate) fn read(message: Value) -> Result<Incoming, Value> {
    let refuse = |id, code, text: &str| Err(Refusal::new(code, text).answer(id));
    let Value::Object(mut fields) = message else {
        return refuse(Value::Null, INVALID_REQUEST, "a message is a JSON object");
    };
    let id = fields.remove("id");
    // An id that cannot be read is answered as null.
    let shown = id.clone().filter(is_id).unwrap_or(Value::Null);
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return refuse(shown, INVALID_REQUEST, "`jsonrpc` must be \"2.0\"");
    }
    let method = match fields.remove("method") {
        Some(Value::String(method)) => method,
        Some(_) => return refuse(shown, INVALID_REQUEST, "`method` must be a string"),
        None if fields.contains_key("result") || fields.contains_key("error") => {
            return Ok(Incoming::Ignored);
        }
        None => return refuse(shown, INVALID_REQUEST, "`method` is missing"),
    };
    if id.as_ref().is_some_and(|id| !is_id(id)) {
        return refuse(
            Value::Null,
            INVALID_REQUEST,
            "`id` must be a string of at most 256 bytes or a whole number, never null",
        );
    }
    let params = match (fields.remove("params"), &id) {
        (None, _) => Map::new(),
        (Some(Value::Object(params)), _) => params,
        (Some(_), Some(_)) => return refuse(shown, INVALID_PARAMS, "`params` must be an object"),
        // Notifications are never answered, not even wrong ones.
        (Some(_), None) => return Ok(Incoming::Ignored),
    };
    Ok(match id {
        None => Incoming::Notification { method, params },
        Some(id) => Incoming::Request { id, method, params },
    })
}

/// Whether this can be a request's id: some text, or a number that comes back as it was written.
fn is_id(id: &Value) -> bool {
    match id {
        Value::String(text) => text.len() <= MOST_ID,
        Value::Number(number) => !number.is_f64(),
        _ => false,
    }
}

/// The answer to a request.
pub(crate) fn result(id: Value, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

/// Something that is told without being asked.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// A stranger's text as messages repeat it: one short line.
pub(crate) fn shortened(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(MOST_SHOWN)
        .map(|letter| if letter.is_control() { '\u{fffd}' } else { letter })
        .collect();
    if text.chars().nth(MOST_SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Cuts a text to at most `most` bytes, between two letters.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}
