//! `component_list`

use base::Problem;
use scene::ComponentKind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// The components that entities can have; with a name, that one's fields with units, ranges and defaults.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// One component.
    name: Option<String>,
}

/// The tool.
pub struct ComponentList;

impl Builtin for ComponentList {
    const NAME: &'static str = "component_list";
    const TITLE: &'static str = "List components";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"name": "light"}"#;
    type Args = Args;

    fn run(_: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        if let Some(name) = &args.name {
            let kind = ComponentKind::find(name).map_err(|problem| problem.path("name"))?;
            let mut schema = kind.schema();
            if let Some(object) = schema.as_object_mut() {
                object.remove("$schema");
                object.remove("title");
            }
            return Ok(Output::new(
                format!("the fields of {name}"),
                &json!({"name": name, "schema": schema}),
            )
            .into());
        }
        let rows: Vec<Value> = ComponentKind::ALL
            .iter()
            .map(|kind| {
                let schema = kind.schema();
                let fields: Map<String, Value> = schema
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                    .map(|(name, field)| (name.clone(), field.get("default").cloned().unwrap_or(Value::Null)))
                    .collect();
                json!({"name": kind.name(), "description": schema.get("description"), "fields": fields})
            })
            .collect();
        Ok(Output::new(format!("{} components", rows.len()), &json!({"components": rows})).into())
    }
}
