//! `entity_get`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Everything of one entity: components with all fields, tags, vars, parent, children, its script's variables, its place in the world, what it touches.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Its id, or a name that only one entity bears.
    entity: EntityRef,
    /// Only these parts: `components`, `tags`, `vars`, `children`, `script`, `pose`, or the name of one component.
    #[serde(default)]
    fields: Vec<String>,
}

/// The tool.
pub struct EntityGet;

impl Builtin for EntityGet {
    const NAME: &'static str = "entity_get";
    const TITLE: &'static str = "Read an entity";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"entity": "Hero"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let id = context.entity(&args.entity)?;
        let scene = context.scene();
        let Some(entity) = scene.entities.get(id) else { return Err(scene::edit::gone(id)) };
        let wanted = |part: &str| args.fields.is_empty() || args.fields.iter().any(|field| field == part);
        let mut result = Map::new();
        result.insert("id".to_owned(), id.get().into());
        result.insert("name".to_owned(), entity.name.as_ref().into());
        if wanted("tags") {
            result.insert("tags".to_owned(), entity.tags.iter().map(|tag| tag.as_ref()).collect());
        }
        if wanted("vars") {
            let vars = entity.vars.iter().map(|(name, var)| (name.to_string(), var.to_json())).collect();
            result.insert("vars".to_owned(), Value::Object(vars));
        }
        if let Some(parent) = entity.parent {
            result.insert("parent".to_owned(), parent.get().into());
        }
        if wanted("children") {
            result.insert(
                "children".to_owned(),
                scene.children(Some(id)).iter().map(|child| child.get()).collect(),
            );
        }
        let mut components = Map::new();
        for kind in scene::ComponentKind::ALL {
            if (wanted("components") || wanted(kind.name()))
                && let Some(component) = scene.columns.get(id, *kind)
            {
                components.insert(kind.name().to_owned(), Value::Object(component.to_json()));
            }
        }
        result.insert("components".to_owned(), Value::Object(components));
        let world = context.engine.world();
        if wanted("pose")
            && let Some(pose) = world.poses().get(id)
        {
            let list = |parts: [f32; 3]| parts.map(scene::var::float_to_json);
            let mut turned = scene::components::Transform::default();
            turned.set_quat(pose.rotation);
            result.insert(
                "pose".to_owned(),
                json!({"position": list(pose.position.to_array()), "rotation": list(turned.rotation.to_array()),
                       "scale": list(pose.scale.to_array())}),
            );
        }
        if wanted("script") {
            let variables = world.script_variables(id);
            if !variables.is_empty() {
                result.insert("script".to_owned(), Value::Object(variables.into_iter().collect()));
            }
        }
        if scene.columns.body.contains(id) {
            result.insert("on_ground".to_owned(), world.grounded(id).into());
        }
        Ok(Output::new(format!("{} (entity {id})", entity.name), &Value::Object(result)).into())
    }
}
