//! Scene files: `scenes/*.scene.json`. Plain, stable in order, friendly to version control.

use base::schema::Schema;
use base::{EntityId, Problem, suggest};
use indexmap::IndexMap;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{ComponentKind, ComponentSet, Entity, EntityData, Environment, Scene, Var};

/// The format's number. A change bumps it and migrates here.
pub const FORMAT: u32 = 1;

/// A scene of a game.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SceneFile {
    /// The schema this file follows, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    /// The format's number, 1.
    format: u32,
    /// Sky, ambient light, fog and exposure.
    #[serde(default)]
    environment: Environment,
    /// Every entity; parents may come after their children.
    entities: Vec<EntityFile>,
}

/// One entity of a scene file.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EntityFile {
    /// A positive number, unique in the scene and kept for good.
    #[schemars(range(min = 1, max = 4_294_967_294u32))]
    id: u32,
    /// What people call it; need not be unique.
    name: String,
    /// The id of the entity whose space it lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    /// Words that scripts and tools find it by.
    #[serde(default)]
    tags: Vec<String>,
    /// Variables with their starting values.
    #[serde(default)]
    vars: IndexMap<String, Var>,
    /// What it has.
    #[serde(default)]
    components: ComponentSet,
}

/// The JSON Schema of scene files, printed from the types.
pub fn schema() -> Value {
    let mut schema = SchemaGenerator::default().root_schema_for::<SceneFile>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.insert("title".to_owned(), "Skywalker scene".into());
    }
    schema
}

/// Reads a scene file's text. All faults come back at once, each with its file and JSON path; the scene comes where
/// there is no error among them.
pub fn read(file: &str, text: &str) -> (Option<Scene>, Vec<Problem>) {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let problem = Problem::new("not_json", format!("not valid JSON: {error}"))
                .file(file)
                .at(error.line() as u32, error.column() as u32);
            return (None, vec![problem]);
        }
    };
    let mut problems = match Schema::new(schema()) {
        Ok(schema) => schema.check(&value),
        Err(message) => vec![Problem::new("internal", message)],
    };
    if let Some(format) = value.get("format").and_then(Value::as_u64)
        && format != u64::from(FORMAT)
    {
        problems.push(
            Problem::new(
                "unknown_format",
                format!("the scene has format {format}, this engine reads {FORMAT}"),
            )
            .path("format")
            .hint("open it with the version of the engine that wrote it"),
        );
    }
    problems.extend(check_references(&value));
    let mut scene = None;
    if problems.is_empty() {
        match serde_json::from_value::<SceneFile>(value) {
            Ok(parsed) => scene = build(parsed),
            Err(error) => problems.push(Problem::new("wrong_value", error.to_string())),
        }
    }
    (scene, problems.into_iter().map(|problem| problem.file(file)).collect())
}

/// Ids that are there twice, parents that are missing or go round in a circle.
fn check_references(value: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Some(entities) = value.get("entities").and_then(Value::as_array) else { return problems };
    let mut parents: IndexMap<u64, (usize, Option<u64>)> = IndexMap::new();
    for (index, entity) in entities.iter().enumerate() {
        let Some(id) = entity.get("id").and_then(Value::as_u64) else { continue };
        if let Some((first, _)) = parents.get(&id) {
            problems.push(
                Problem::new("duplicate_id", format!("id {id} is already that of `entities[{first}]`"))
                    .path(format!("entities[{index}].id"))
                    .hint(format!(
                        "give it an id of its own, such as {}",
                        entities.iter().filter_map(|entity| entity.get("id")?.as_u64()).max().unwrap_or(0)
                            + 1
                    )),
            );
            continue;
        }
        parents.insert(id, (index, entity.get("parent").and_then(Value::as_u64)));
    }
    for (id, (index, parent)) in &parents {
        let Some(parent) = parent else { continue };
        let path = format!("entities[{index}].parent");
        if !parents.contains_key(parent) {
            let ids: Vec<String> = parents.keys().map(ToString::to_string).collect();
            let near = suggest::nearest(&parent.to_string(), ids.iter().map(String::as_str));
            problems.push(
                Problem::new("unknown_entity", format!("there is no entity {parent}")).path(path).near(near),
            );
            continue;
        }
        let mut at = Some(*parent);
        for _ in 0..parents.len() {
            match at {
                Some(here) if here == *id => {
                    problems.push(
                        Problem::new("parent_cycle", format!("entity {id} is its own ancestor"))
                            .path(path.clone()),
                    );
                    break;
                }
                Some(here) => at = parents.get(&here).and_then(|(_, parent)| *parent),
                None => break,
            }
        }
    }
    problems
}

fn build(file: SceneFile) -> Option<Scene> {
    let mut scene = Scene::default();
    scene.environment = file.environment;
    for entity in file.entities {
        let mut components = entity.components;
        components.transform.get_or_insert_default();
        scene.insert(EntityData {
            id: EntityId::new(entity.id)?,
            entity: Entity {
                name: entity.name.as_str().into(),
                tags: Entity::tag_set(entity.tags),
                parent: entity.parent.and_then(EntityId::new),
                vars: entity.vars.into_iter().map(|(name, value)| (name.as_str().into(), value)).collect(),
            },
            components,
        });
    }
    Some(scene)
}

/// A scene as its file's text: entities in id order, fields that are not their defaults, two spaces of indent,
/// short lists on one line.
pub fn write(scene: &Scene, schema_path: Option<&str>) -> String {
    let mut root = Map::new();
    if let Some(path) = schema_path {
        root.insert("$schema".to_owned(), path.into());
    }
    root.insert("format".to_owned(), FORMAT.into());
    root.insert("environment".to_owned(), json!(scene.environment));
    let entities: Vec<Value> =
        scene.entities.iter().map(|(id, entity)| entity_json(scene, id, entity)).collect();
    root.insert("entities".to_owned(), entities.into());
    let mut text = String::new();
    print(&Value::Object(root), 0, &mut text);
    text.push('\n');
    text
}

fn entity_json(scene: &Scene, id: EntityId, entity: &Entity) -> Value {
    let mut fields = Map::new();
    fields.insert("id".to_owned(), id.get().into());
    fields.insert("name".to_owned(), entity.name.as_ref().into());
    if let Some(parent) = entity.parent {
        fields.insert("parent".to_owned(), parent.get().into());
    }
    if !entity.tags.is_empty() {
        fields.insert("tags".to_owned(), entity.tags.iter().map(|tag| tag.as_ref()).collect());
    }
    if !entity.vars.is_empty() {
        let vars = entity.vars.iter().map(|(name, value)| (name.to_string(), value.to_json())).collect();
        fields.insert("vars".to_owned(), Value::Object(vars));
    }
    let mut components = Map::new();
    for kind in ComponentKind::ALL {
        if let Some(value) = scene.columns.get(id, *kind) {
            components.insert(kind.name().to_owned(), Value::Object(value.to_short_json()));
        }
    }
    fields.insert("components".to_owned(), Value::Object(components));
    Value::Object(fields)
}

/// Longest line that an object or a list is kept on.
const LINE: usize = 110;

fn print(value: &Value, indent: usize, text: &mut String) {
    let flat = value.to_string();
    let (open, close, items): (char, char, Vec<(Option<&String>, &Value)>) = match value {
        Value::Array(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
        Value::Object(fields) => ('{', '}', fields.iter().map(|(name, value)| (Some(name), value)).collect()),
        _ => {
            text.push_str(&flat);
            return;
        }
    };
    if indent > 0 && flat.len() + indent * 2 <= LINE {
        print_flat(value, text);
        return;
    }
    text.push(open);
    for (index, (name, item)) in items.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(indent + 1));
        if let Some(name) = name {
            text.push_str(&Value::from(name.as_str()).to_string());
            text.push_str(": ");
        }
        print(item, indent + 1, text);
    }
    if !items.is_empty() {
        text.push('\n');
        text.push_str(&"  ".repeat(indent));
    }
    text.push(close);
}

fn print_flat(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                print_flat(item, text);
            }
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            for (index, (name, item)) in fields.iter().enumerate() {
                if index > 0 {
                    text.push_str(", ");
                }
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push_str(": ");
                print_flat(item, text);
            }
            text.push('}');
        }
        _ => text.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r##"{"format": 1, "environment": {"sky": "#8fb4ff", "ambient": 0.4}, "entities": [
      {"id": 1, "name": "Hero", "tags": ["player"], "vars": {"coins": 0}, "components": {
        "transform": {"position": [0, 1, 0]}, "mesh": {"model": "models/hero.glb"},
        "collider": {"shape": "capsule", "radius": 0.3, "height": 1.2}, "body": {"kind": "character"},
        "script": {"file": "scripts/hero.wander", "props": {"speed": 4}}}},
      {"id": 2, "name": "Lamp", "parent": 1, "components": {"light": {"kind": "point", "intensity": 5}}}]}"##;

    #[test]
    fn a_scene_written_and_read_again_is_the_same_and_writing_is_stable() {
        let (scene, problems) = read("scenes/a.scene.json", SAMPLE);
        assert_eq!(problems, []);
        let scene = scene.unwrap();
        let text = write(&scene, None);
        let again = read("scenes/a.scene.json", &text).0.unwrap();
        assert_eq!(again.document_hash(), scene.document_hash());
        assert_eq!(write(&again, None), text);
    }

    #[test]
    fn every_fault_of_a_broken_scene_is_reported_with_path_and_nearest_name() {
        let broken = r##"{"format": 1, "entities": [
          {"id": 1, "name": "A", "components": {"lihgt": {}, "mesh": {}}},
          {"id": 1, "name": "B", "parent": 9, "tag": [], "components": {"light": {"kind": "pont", "intensity": "5"}}}]}"##;
        let (scene, problems) = read("scenes/b.scene.json", broken);
        assert!(scene.is_none());
        let mut found: Vec<String> = problems
            .iter()
            .map(|problem| {
                format!(
                    "{} {} {:?}",
                    problem.code,
                    problem.place.path.clone().unwrap_or_default(),
                    problem.near
                )
            })
            .collect();
        found.sort();
        assert_eq!(
            found,
            [
                r#"duplicate_id entities[1].id []"#,
                r#"missing_key entities[0].components.mesh.model []"#,
                r#"unknown_key entities[0].components.lihgt ["light"]"#,
                r#"unknown_key entities[1].tag ["tags"]"#,
                r#"wrong_type entities[1].components.light.intensity []"#,
                r#"wrong_value entities[1].components.light.kind ["point"]"#,
            ]
        );
        assert!(problems.iter().all(|problem| problem.place.file.as_deref() == Some("scenes/b.scene.json")));
    }

    #[test]
    fn parents_that_miss_or_circle_are_refused() {
        let text = r#"{"format": 1, "entities": [{"id": 1, "name": "A", "parent": 2}, {"id": 2, "name": "B", "parent": 1}, {"id": 3, "name": "C", "parent": 8}]}"#;
        let codes: Vec<String> = read("x", text).1.into_iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["parent_cycle", "parent_cycle", "unknown_entity"]);
        let (_, problems) = read("x", "{\n  \"format\": 1,\n  oops");
        assert_eq!((problems[0].code.as_str(), problems[0].place.line), ("not_json", Some(3)));
    }
}
