//! `entity_update`

use base::Problem;
use scene::{ComponentKind, ComponentValue, Edit, Entity};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts;
use crate::args::{EntityRef, Object};
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Changes an entity: components and vars merge field by field, tags replace the set, `remove` takes things away. A component that is not there yet is added. One undo step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Its id, or a name that only one entity bears.
    entity: EntityRef,
    /// A new name.
    #[schemars(length(min = 1, max = 200))]
    name: Option<String>,
    /// A new parent.
    parent: Option<EntityRef>,
    /// All its tags from now on.
    tags: Option<Vec<String>>,
    /// Variables to set; null takes one away.
    #[serde(default)]
    vars: Object,
    /// Fields to set by component, such as `{"light": {"intensity": 5}}`.
    #[serde(default)]
    components: Object,
    /// What to take away.
    remove: Option<Remove>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Remove {
    /// Components.
    #[serde(default)]
    components: Vec<String>,
    /// Variables.
    #[serde(default)]
    vars: Vec<String>,
    /// Tags.
    #[serde(default)]
    tags: Vec<String>,
    /// True moves it out of its parent, to the root.
    #[serde(default)]
    parent: bool,
}

/// The tool.
pub struct EntityUpdate;

impl Builtin for EntityUpdate {
    const NAME: &'static str = "entity_update";
    const TITLE: &'static str = "Change an entity";
    const EFFECT: Effect = Effect::Edit;
    const EXAMPLE: &'static str = r#"{"entity": "Sun", "components": {"light": {"intensity": 2}}}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let id = context.entity(&args.entity)?;
        let mut changed: Vec<String> = Vec::new();
        if let Some(name) = &args.name {
            context.edit(Edit::SetName(id, name.as_str().into()))?;
            changed.push("name".to_owned());
        }
        if let Some(parent) = &args.parent {
            let parent = context.entity(parent).map_err(|problem| problem.path("parent"))?;
            context.edit(Edit::SetParent(id, Some(parent)))?;
            changed.push("parent".to_owned());
        }
        if let Some(tags) = &args.tags {
            context.edit(Edit::SetTags(id, Entity::tag_set(tags)))?;
            changed.push("tags".to_owned());
        }
        for (name, value) in &args.vars.0 {
            parts::check_var_name(name)?;
            let var = parts::var(name, value)?;
            context.edit(Edit::SetVar(id, name.as_str().into(), var))?;
            changed.push(format!("vars.{name}"));
        }
        for (name, fields) in &args.components.0 {
            let kind =
                ComponentKind::find(name).map_err(|problem| problem.path(format!("components.{name}")))?;
            let is_new = !context.scene().columns.contains(id, kind);
            let fields = parts::check_component(context.engine.project(), kind, fields, is_new)?;
            changed.extend(fields.keys().map(|field| format!("{name}.{field}")));
            if is_new {
                let value = ComponentValue::from_json(kind, Value::Object(fields)).map_err(|error| {
                    Problem::new("wrong_value", error.to_string()).path(format!("components.{name}"))
                })?;
                context.edit(Edit::AddComponent(id, Box::new(value)))?;
            } else if !fields.is_empty() {
                context.edit(Edit::SetFields(id, kind, fields))?;
            }
        }
        if let Some(remove) = &args.remove {
            remove_parts(context, id, remove, &mut changed)?;
        }
        if changed.is_empty() {
            context.warn("nothing was given to change");
        }
        let name = context.scene().entities.get(id).map(|entity| entity.name.to_string()).unwrap_or_default();
        let text = format!("changed {} of {name}", changed.join(", "));
        Ok(Output::new(text.clone(), &json!({"id": id.get(), "name": name, "changed": changed}))
            .summary(text)
            .into())
    }
}

fn remove_parts(
    context: &mut Context<'_>,
    id: base::EntityId,
    remove: &Remove,
    changed: &mut Vec<String>,
) -> Result<(), Problem> {
    for name in &remove.components {
        let kind = ComponentKind::find(name).map_err(|problem| problem.path("remove.components"))?;
        context.edit(Edit::RemoveComponent(id, kind))?;
        changed.push(format!("-{name}"));
    }
    for name in &remove.vars {
        context.edit(Edit::SetVar(id, name.as_str().into(), None))?;
        changed.push(format!("-vars.{name}"));
    }
    if !remove.tags.is_empty() {
        let kept: Vec<String> = context
            .scene()
            .entities
            .get(id)
            .map(|entity| {
                entity.tags.iter().map(ToString::to_string).filter(|tag| !remove.tags.contains(tag)).collect()
            })
            .unwrap_or_default();
        context.edit(Edit::SetTags(id, Entity::tag_set(kept)))?;
        changed.push("tags".to_owned());
    }
    if remove.parent {
        context.edit(Edit::SetParent(id, None))?;
        changed.push("parent".to_owned());
    }
    Ok(())
}
