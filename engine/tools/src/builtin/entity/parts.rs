//! Components and variables as arguments: checked with their schemas, named in errors by their place.

use base::Problem;
use base::schema::Schema;
use project::Project;
use scene::{ComponentKind, Var};
use serde_json::{Map, Value};

/// Checks the fields given for a component against its schema, `required` ones aside where it is there already, and
/// files that they name against the project.
pub(super) fn check_component(
    project: &Project,
    kind: ComponentKind,
    fields: &Value,
    is_new: bool,
) -> Result<Map<String, Value>, Problem> {
    let mut schema = kind.schema();
    if !is_new && let Some(object) = schema.as_object_mut() {
        object.remove("required");
    }
    let schema = Schema::new(schema).map_err(|message| Problem::new("internal", message))?;
    let Value::Object(given) = fields else {
        return Err(Problem::new("wrong_type", format!("`components.{}` must be an object", kind.name()))
            .path(format!("components.{}", kind.name())));
    };
    // A null takes an optional field away; its type is no business of the schema's.
    let present: Map<String, Value> = given
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let problems = schema.check(&Value::Object(present));
    match problems.into_iter().next() {
        None => {
            for (field, name) in given.iter().filter_map(|(field, value)| Some((field, value.as_str()?))) {
                if let Some(problem) = project::references::check_field(project, kind.name(), field, name) {
                    return Err(problem.path(format!("components.{}.{field}", kind.name())));
                }
            }
            Ok(given.clone())
        }
        Some(mut problem) => {
            let inner = problem.place.path.take().unwrap_or_default();
            problem.place.path = Some(format!("components.{}.{inner}", kind.name()));
            problem.message = format!("component `{}`: {}", kind.name(), problem.message);
            Err(problem)
        }
    }
}

/// A variable's value; null is none.
pub(super) fn var(name: &str, value: &Value) -> Result<Option<Var>, Problem> {
    if value.is_null() {
        return Ok(None);
    }
    Var::from_json(value).map(Some).ok_or_else(|| {
        Problem::new("wrong_value", format!("`vars.{name}` holds a null inside")).path(format!("vars.{name}"))
    })
}

/// Names of variables are names of the language.
pub(super) fn check_var_name(name: &str) -> Result<(), Problem> {
    let fits = name
        .chars()
        .enumerate()
        .all(|(at, c)| c == '_' || c.is_ascii_alphabetic() || at > 0 && c.is_ascii_digit());
    if fits && !name.is_empty() {
        return Ok(());
    }
    Err(Problem::new("wrong_value", format!("`{name}` cannot name a variable"))
        .path("vars")
        .hint("letters, digits and underscores, no digit first"))
}
