//! The schemas under `docs/reference/` are those of the types. `UPDATE_EXPECT=1` prints them anew.

use std::path::Path;

use serde_json::Value;

fn check(name: &str, schema: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference").join(name);
    let printed = format!("{schema:#}\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &printed).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == printed,
        "docs/reference/{name} is not what the types say: run with UPDATE_EXPECT=1"
    );
}

#[test]
fn the_committed_schema_of_games_is_that_of_the_types() {
    check("game.schema.json", &project::settings::schema());
}

#[test]
fn the_committed_schema_of_scenes_is_that_of_the_types() {
    check("scene.schema.json", &scene::file::schema());
}

#[test]
fn every_property_of_a_schema_is_described() {
    fn undescribed(at: &str, value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (name, property) in
                    object.get("properties").and_then(Value::as_object).into_iter().flatten()
                {
                    if property.get("description").is_none() {
                        found.push(format!("{at}/{name}"));
                    }
                }
                object.iter().for_each(|(name, inner)| undescribed(&format!("{at}/{name}"), inner, found));
            }
            Value::Array(items) => items.iter().for_each(|inner| undescribed(at, inner, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    undescribed("game", &project::settings::schema(), &mut found);
    undescribed("scene", &scene::file::schema(), &mut found);
    assert_eq!(found, Vec::<String>::new());
}
