//! A call over the socket of a running engine.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::pictures::from_base64;
use super::{Answer, Picture};
use crate::End;
use crate::client::Client;

/// Calls a tool as the client of this name. The error is what to say and how to end.
pub(crate) fn call(
    tool: &str,
    arguments: Map<String, Value>,
    socket: &Path,
    name: &str,
) -> Result<Answer, (String, End)> {
    let lost = |message| (message, End::NoConnection);
    let mut client = Client::new(socket, name).map_err(lost)?;
    let answer = client.ask("tools/call", &json!({"name": tool, "arguments": arguments})).map_err(lost)?;
    let mut result = answer.map_err(|message| (message, End::Failed))?;
    let content = result.get_mut("content").map(Value::take).unwrap_or_default();
    let parts = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = parts.iter().filter_map(|part| part.get("text")?.as_str()).collect();
    let text = texts.join("\n");
    if result.get("isError") == Some(&Value::Bool(true)) {
        return Err((text, End::Failed));
    }
    let mut pictures = Vec::new();
    for part in parts.iter().filter(|part| part.get("type").and_then(Value::as_str) == Some("image")) {
        let field = |name| part.get(name).and_then(Value::as_str).unwrap_or_default();
        let bytes = from_base64(field("data"))
            .ok_or_else(|| lost("the engine sent a picture that cannot be read".to_owned()))?;
        pictures.push(Picture { mime: field("mimeType").to_owned(), bytes });
    }
    Ok(Answer { structured: result.get_mut("structuredContent").map(Value::take), text, pictures })
}
