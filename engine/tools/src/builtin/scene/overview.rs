//! `scene_overview`

use base::{EntityId, Problem};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// The outline of the scene: how many entities of each component and tag, the tree to a depth, the camera and the lights. Call it first; ask for details with scene_query and entity_get.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Levels of the tree to show.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 10))]
    depth: u32,
    /// Entities of the tree to show at most.
    #[serde(default = "thirty")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn two() -> u32 {
    2
}

fn thirty() -> usize {
    30
}

/// The tool.
pub struct SceneOverview;

impl Builtin for SceneOverview {
    const NAME: &'static str = "scene_overview";
    const TITLE: &'static str = "Scene overview";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"depth": 1}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let scene = context.scene();
        let mut components = Map::new();
        for kind in scene::ComponentKind::ALL {
            let count = scene.columns.count(*kind);
            if count > 0 {
                components.insert(kind.name().to_owned(), count.into());
            }
        }
        let mut tags: Map<String, Value> = Map::new();
        for entity in scene.entities.values() {
            for tag in &entity.tags {
                let count = tags.get(tag.as_ref()).and_then(Value::as_u64).unwrap_or(0);
                tags.insert(tag.to_string(), (count + 1).into());
            }
        }
        let camera = scene.columns.camera.iter().find(|(_, camera)| camera.active).map(|(id, _)| id.get());
        let lights: Vec<Value> = scene
            .columns
            .light
            .iter()
            .take(10)
            .map(|(id, light)| json!({"id": id.get(), "kind": light.kind, "intensity": scene::var::float_to_json(light.intensity)}))
            .collect();
        let mut left = args.limit;
        let tree = branch(scene, None, args.depth, &mut left);
        let total = scene.entities.len();
        let text = format!("{total} entities in {}", context.engine.scene_name());
        let result = json!({
            "scene": context.engine.scene_name(), "entities": total, "components": components, "tags": tags,
            "camera": camera, "lights": lights, "tree": tree, "truncated": left == 0,
        });
        Ok(Output::new(text, &result).into())
    }
}

fn branch(scene: &scene::Scene, parent: Option<EntityId>, depth: u32, left: &mut usize) -> Vec<Value> {
    let mut rows = Vec::new();
    for id in scene.children(parent) {
        if *left == 0 {
            break;
        }
        *left -= 1;
        let Some(entity) = scene.entities.get(id) else { continue };
        let mut row = Map::new();
        row.insert("id".to_owned(), id.get().into());
        row.insert("name".to_owned(), entity.name.as_ref().into());
        let below = scene.children(Some(id)).len();
        if below > 0 && depth > 1 {
            row.insert("children".to_owned(), branch(scene, Some(id), depth - 1, left).into());
        } else if below > 0 {
            row.insert("below".to_owned(), below.into());
        }
        rows.push(Value::Object(row));
    }
    rows
}
