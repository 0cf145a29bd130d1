//! `tools/list`: every tool with all that clients may want to know, in pages.

use base::catalogue::{Catalogue, ToolInfo};
use serde_json::{Map, Value, json};

use crate::message::{INVALID_PARAMS, Refusal};

/// Tools in one page.
const PAGE: usize = 200;

/// Cursors begin with this and go on with the last name of the page before, so that a list that changed meanwhile
/// neither repeats nor loses a tool.
const AFTER: &str = "after:";

/// One page of the tools.
pub(crate) fn tools(catalogue: &Catalogue, params: &Map<String, Value>) -> Result<Value, Refusal> {
    let after = match params.get("cursor") {
        None | Some(Value::Null) => None,
        Some(cursor) => {
            Some(cursor.as_str().and_then(|cursor| cursor.strip_prefix(AFTER)).ok_or_else(|| {
                Refusal::new(
                    INVALID_PARAMS,
                    "`cursor` is none that tools/list gave: leave it out to begin anew",
                )
            })?)
        }
    };
    let mut rest =
        catalogue.tools.values().filter(|tool| after.is_none_or(|after| tool.name.as_str() > after));
    let mut last = None;
    let page: Vec<Value> = rest
        .by_ref()
        .take(PAGE)
        .map(|tool| {
            last = Some(&tool.name);
            entry(tool)
        })
        .collect();
    let mut result = Map::new();
    result.insert("tools".to_owned(), page.into());
    if rest.next().is_some()
        && let Some(last) = last
    {
        result.insert("nextCursor".to_owned(), format!("{AFTER}{last}").into());
    }
    Ok(Value::Object(result))
}

fn entry(tool: &ToolInfo) -> Value {
    let mut entry = json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input.value(),
        "annotations": {
            "title": tool.title,
            "readOnlyHint": tool.annotations.read_only,
            "destructiveHint": tool.annotations.destructive,
            "idempotentHint": tool.annotations.idempotent,
            "openWorldHint": tool.annotations.open_world,
        },
        "_meta": {"skywalker/category": tool.category},
    });
    if let (Some(output), Some(object)) = (&tool.output, entry.as_object_mut()) {
        object.insert("outputSchema".to_owned(), output.clone());
    }
    entry
}
