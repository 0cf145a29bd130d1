//! `entity_create`

use base::Problem;
use scene::{ComponentKind, ComponentSet, ComponentValue, Edit, Entity, EntityData};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts;
use crate::args::{EntityRef, Object};
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Creates an entity. It has a transform in any case; component_list says which components and fields there are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What people call it.
    #[serde(default = "entity_name")]
    #[schemars(length(min = 1, max = 200))]
    name: String,
    /// The entity in whose space it lies.
    parent: Option<EntityRef>,
    /// Its tags.
    #[serde(default)]
    tags: Vec<String>,
    /// Its variables.
    #[serde(default)]
    vars: Object,
    /// Its components, such as `{"transform": {"position": [0, 1, 0]}, "light": {"intensity": 5}}`.
    #[serde(default)]
    components: Object,
}

fn entity_name() -> String {
    "Entity".to_owned()
}

/// The tool.
pub struct EntityCreate;

impl Builtin for EntityCreate {
    const NAME: &'static str = "entity_create";
    const TITLE: &'static str = "Create an entity";
    const EFFECT: Effect = Effect::Edit;
    const EXAMPLE: &'static str = r##"{"name": "Torch", "components": {"transform": {"position": [0, 2, 0]}, "light": {"color": "#ffb060", "intensity": 3}}}"##;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let parent = args
            .parent
            .as_ref()
            .map(|parent| context.entity(parent))
            .transpose()
            .map_err(|p| p.path("parent"))?;
        let mut components = ComponentSet::default();
        for (name, fields) in &args.components.0 {
            let kind =
                ComponentKind::find(name).map_err(|problem| problem.path(format!("components.{name}")))?;
            let fields = parts::check_component(context.engine.project(), kind, fields, true)?;
            let value = ComponentValue::from_json(kind, Value::Object(fields)).map_err(|error| {
                Problem::new("wrong_value", error.to_string()).path(format!("components.{name}"))
            })?;
            components.insert(value);
        }
        let mut entity = Entity { parent, tags: Entity::tag_set(&args.tags), ..Entity::named(&args.name) };
        for (name, value) in &args.vars.0 {
            parts::check_var_name(name)?;
            if let Some(var) = parts::var(name, value)? {
                entity.vars.insert(name.as_str().into(), var);
            }
        }
        let id = context
            .engine
            .world_mut()
            .reserve_id()
            .ok_or_else(|| Problem::new("too_many", "no further entity can be made in this timeline"))?;
        context.edit(Edit::Spawn(Box::new(EntityData { id, entity, components })))?;
        let text = format!("created {} (entity {id})", args.name);
        Ok(Output::new(text.clone(), &json!({"id": id.get(), "name": args.name})).summary(text).into())
    }
}
