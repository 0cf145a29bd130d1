//! The list of built-in tools as clients see it.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::catalogue::{Annotations, Catalogue, ToolInfo};
use base::schema::Schema;

use crate::builtin;
use crate::tool::{BuiltinEntry, Effect};

/// The built-in of this name.
pub(crate) fn find(name: &str) -> Option<&'static BuiltinEntry> {
    builtin::GROUPS.iter().flat_map(|group| group.iter()).find(|entry| entry.name == name)
}

/// The catalogue of all tools. A built-in whose schema were no schema would be missing, which a test would show.
pub fn catalogue(generation: u64) -> Catalogue {
    let tools = builtin::GROUPS
        .iter()
        .flat_map(|group| group.iter())
        .filter_map(|entry| Some((entry.name.to_owned(), Arc::new(info(entry)?))))
        .collect::<BTreeMap<_, _>>();
    Catalogue { generation, tools }
}

fn info(entry: &BuiltinEntry) -> Option<ToolInfo> {
    let mut schema = (entry.schema)();
    let description = schema.as_object_mut()?.remove("description")?.as_str()?.to_owned();
    let read_only = entry.effect == Effect::Read;
    Some(ToolInfo {
        name: entry.name.to_owned(),
        title: entry.title.to_owned(),
        description: format!("{description}\nExample: {}", entry.example),
        category: entry.category.to_owned(),
        input: Schema::new(schema).ok()?,
        output: None,
        annotations: Annotations {
            read_only,
            destructive: entry.name.ends_with("_delete") || entry.name == "play_restart",
            idempotent: read_only,
            open_world: entry.effect == Effect::Outside,
        },
    })
}

/// The reference page of all tools, printed from the code.
pub fn reference() -> String {
    let mut page = String::from(
        "# Tools\n\nPrinted from the code. Every result also carries `tick`, `revision` (of the edit history) and `epoch` \
         (one more for each restart).\n",
    );
    for tool in catalogue(0).tools.values() {
        page.push_str(&format!(
            "\n## {}\n\n{} ({})\n\n{}\n\n",
            tool.name, tool.title, tool.category, tool.description
        ));
        page.push_str("| argument | type | |\n|---|---|---|\n");
        let schema = tool.input.value();
        let required: Vec<&str> = schema
            .get("required")
            .and_then(serde_json::Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str())
            .collect();
        for (name, property) in
            schema.get("properties").and_then(serde_json::Value::as_object).into_iter().flatten()
        {
            let kind = match property.get("type") {
                Some(serde_json::Value::String(one)) => one.clone(),
                Some(serde_json::Value::Array(many)) => {
                    many.iter().filter_map(|one| one.as_str()).collect::<Vec<_>>().join(" or ")
                }
                _ => "any".to_owned(),
            };
            let mut text = property
                .get("description")
                .and_then(serde_json::Value::as_str)
                .unwrap_or_default()
                .replace('\n', " ");
            if required.contains(&name.as_str()) {
                text.push_str(" *Required.*");
            }
            if let Some(default) = property.get("default") {
                text.push_str(&format!(" Default: `{default}`."));
            }
            page.push_str(&format!("| `{name}` | {kind} | {text} |\n"));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_listed_once_documented_and_its_schema_is_one_that_clients_accept() {
        let mut names = std::collections::BTreeSet::new();
        for entry in builtin::GROUPS.iter().flat_map(|group| group.iter()) {
            assert!(names.insert(entry.name), "{} is listed twice", entry.name);
            assert!(entry.name.len() <= 40, "{} is too long for clients", entry.name);
            let schema = (entry.schema)();
            assert_eq!(schema["type"], "object", "{}", entry.name);
            assert_eq!(schema["additionalProperties"], false, "{} is open", entry.name);
            let text = schema.to_string();
            assert!(
                !text.contains("$ref") && !text.contains("\"null\"") && !text.contains(":null"),
                "{}: {text}",
                entry.name
            );
            for (name, property) in schema.get("properties").and_then(serde_json::Value::as_object).unwrap() {
                assert!(property["description"].is_string(), "{}.{name} has no description", entry.name);
            }
            let arguments: serde_json::Value = serde_json::from_str(entry.example).unwrap();
            let info = info(entry).unwrap();
            assert_eq!(info.input.check(&arguments), [], "the example of {}", entry.name);
            assert!(info.description.len() < 2048, "{} is cut by clients", entry.name);
        }
        assert_eq!(names.len(), catalogue(0).tools.len());
    }

    #[test]
    fn the_reference_page_is_printed_from_the_code() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/tools.md");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path, reference()).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == reference(),
            "docs/reference/tools.md is out of date: run the tests with UPDATE_EXPECT=1"
        );
    }
}
