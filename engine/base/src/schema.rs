//! JSON Schema checking for everything strangers write (tool arguments, project files, definitions), with answers
//! that name the place, what was expected and the nearest valid name, all of them at once.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{Draft, Retrieve, Uri, ValidationError, Validator};
use serde_json::{Map, Value};

use crate::{Problem, suggest};

/// Problems reported at most for one document: a reader mends the first few and runs it again.
const MOST_PROBLEMS: usize = 50;

/// Names listed in a message that says what is allowed.
const MOST_NAMES: usize = 24;

/// A compiled schema together with its text.
pub struct Schema {
    value: Value,
    validator: Validator,
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Schema").field(&self.value).finish()
    }
}

/// A `$ref` that leads out of the document is refused: nothing is ever fetched.
struct NoRetrieval;

impl Retrieve for NoRetrieval {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`$ref` to {uri}: only references inside the same schema are followed").into())
    }
}

impl Schema {
    /// Compiles a schema of draft 2020-12. The message of the error says what is wrong with the schema itself.
    pub fn new(value: Value) -> Result<Self, String> {
        let validator = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_retriever(NoRetrieval)
            // The linear engine: a pattern can never take exponential time.
            .with_pattern_options(jsonschema::PatternOptions::regex().size_limit(1 << 20))
            .build(&value)
            .map_err(|error| error.to_string())?;
        Ok(Self { value, validator })
    }

    /// The schema's own text.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Every fault of `instance`, in document order; empty where it is valid.
    pub fn check(&self, instance: &Value) -> Vec<Problem> {
        if self.validator.is_valid(instance) {
            return Vec::new();
        }
        let mut problems = Vec::new();
        for error in self.validator.iter_errors(instance) {
            self.explain(&error, &mut problems);
            if problems.len() >= MOST_PROBLEMS {
                break;
            }
        }
        problems
    }

    /// Puts the `default` of every absent property in its place, inside present objects too.
    pub fn fill_defaults(&self, instance: &mut Value) {
        self.fill(&self.value, instance, 0);
    }

    fn fill(&self, schema: &Value, instance: &mut Value, depth: u32) {
        // Schemas may refer to themselves; no argument that passed the reader is deeper than this.
        if depth > 64 {
            return;
        }
        let schema = self.resolve(schema);
        match instance {
            Value::Object(object) => {
                let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
                for (name, property) in properties {
                    let property = self.resolve(property);
                    if let Some(present) = object.get_mut(name) {
                        self.fill(property, present, depth + 1);
                    } else if let Some(default) = property.get("default").filter(|default| !default.is_null())
                    {
                        object.insert(name.clone(), default.clone());
                    }
                }
            }
            Value::Array(items) => {
                if let Some(item_schema) = schema.get("items") {
                    for item in items {
                        self.fill(item_schema, item, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..8 {
            match schema.get("$ref").and_then(Value::as_str).and_then(|pointer| pointer.strip_prefix('#')) {
                Some(pointer) => schema = self.value.pointer(pointer).unwrap_or(&Value::Null),
                None => break,
            }
        }
        schema
    }

    fn explain(&self, error: &ValidationError<'_>, problems: &mut Vec<Problem>) {
        let path = json_path(error.instance_path().as_str());
        let here = if path.is_empty() { "the document".to_owned() } else { format!("`{path}`") };
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected }
            | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
                let known = self.siblings(error.schema_path().as_str());
                for name in unexpected.iter().take(MOST_PROBLEMS) {
                    let near = suggest::nearest(name, known.iter().map(String::as_str));
                    let message = if known.is_empty() {
                        format!("{here} has an unknown key `{name}`: no keys are allowed here")
                    } else {
                        format!(
                            "{here} has an unknown key `{name}`: it may have {}",
                            suggest::list(known.iter().map(String::as_str), MOST_NAMES)
                        )
                    };
                    problems.push(Problem::new("unknown_key", message).path(join(&path, name)).near(near));
                }
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                problems.push(
                    Problem::new("missing_key", format!("{here} lacks `{name}`"))
                        .path(join(&path, name))
                        .hint(self.describe_missing(error.schema_path().as_str(), name)),
                );
            }
            ValidationErrorKind::Type { kind } => {
                let expected = match kind {
                    TypeKind::Single(one) => one.to_string(),
                    TypeKind::Multiple(many) => {
                        many.iter().map(|one| one.to_string()).collect::<Vec<_>>().join(" or ")
                    }
                };
                problems.push(
                    Problem::new(
                        "wrong_type",
                        format!("{here} must be {expected}, found {}", show(error.instance())),
                    )
                    .path(path),
                );
            }
            ValidationErrorKind::Enum { options } => {
                let names: Vec<&str> =
                    options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let found = error.instance().as_str().unwrap_or_default();
                let near = suggest::nearest(found, names.iter().copied());
                problems.push(
                    Problem::new(
                        "wrong_value",
                        format!(
                            "{here} must be one of {}, found {}",
                            suggest::list(names.iter().copied(), MOST_NAMES),
                            show(error.instance())
                        ),
                    )
                    .path(path)
                    .near(near),
                );
            }
            ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
                self.explain_alternatives(error, context, &path, &here, problems);
            }
            ValidationErrorKind::Pattern { pattern } => problems.push(
                Problem::new(
                    "wrong_value",
                    format!("{here} must match {pattern}, found {}", show(error.instance())),
                )
                .path(path),
            ),
            _ => {
                let mut message = error.to_string();
                if !path.is_empty() {
                    message = format!("{here}: {message}");
                }
                problems.push(Problem::new("wrong_value", message).path(path));
            }
        }
    }

    /// Of several alternatives the one that came furthest into the document is explained: it is what was meant.
    fn explain_alternatives(
        &self,
        error: &ValidationError<'_>,
        context: &[Vec<ValidationError<'static>>],
        path: &str,
        here: &str,
        problems: &mut Vec<Problem>,
    ) {
        let depth = error.instance_path().as_str().len();
        let deepest = context
            .iter()
            .filter(|errors| {
                errors.iter().all(|inner| inner.instance_path().as_str().len() > depth || structural(inner))
            })
            .min_by_key(|errors| errors.len());
        if let Some(errors) = deepest.filter(|errors| !errors.is_empty()) {
            for inner in errors {
                self.explain(inner, problems);
            }
            return;
        }
        let mut expected: Vec<String> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for inner in context.iter().flatten() {
            match inner.kind() {
                ValidationErrorKind::Type { kind: TypeKind::Single(one) } => expected.push(one.to_string()),
                ValidationErrorKind::Constant { expected_value } => {
                    names.extend(expected_value.as_str());
                }
                ValidationErrorKind::Enum { options } => {
                    names.extend(options.as_array().into_iter().flatten().filter_map(Value::as_str));
                }
                _ => {}
            }
        }
        expected.retain(|one| one != "null");
        expected.dedup();
        expected.extend(names.iter().map(|name| format!("\"{name}\"")));
        let near = suggest::nearest(error.instance().as_str().unwrap_or_default(), names.iter().copied());
        let message = if expected.is_empty() {
            format!("{here}: {error}")
        } else {
            format!("{here} must be {}, found {}", expected.join(" or "), show(error.instance()))
        };
        problems.push(Problem::new("wrong_value", message).path(path).near(near));
    }

    /// The names beside an `additionalProperties` keyword.
    fn siblings(&self, schema_path: &str) -> Vec<String> {
        self.parent(schema_path)
            .and_then(|parent| parent.get("properties"))
            .and_then(Value::as_object)
            .map(|properties| properties.keys().cloned().collect())
            .unwrap_or_default()
    }

    fn describe_missing(&self, schema_path: &str, name: &str) -> String {
        let description = self
            .parent(schema_path)
            .and_then(|parent| parent.get("properties")?.get(name)?.get("description")?.as_str())
            .and_then(|text| text.lines().next());
        match description {
            Some(text) => format!("add `{name}`: {text}"),
            None => format!("add `{name}`"),
        }
    }

    /// The schema object that holds the keyword at `schema_path`, references followed on the way.
    fn parent(&self, schema_path: &str) -> Option<&Value> {
        let (parent, _) = schema_path.rsplit_once('/')?;
        let mut at = &self.value;
        for step in parent.split('/').filter(|step| !step.is_empty()) {
            if step == "$ref" {
                at = self.resolve(at);
                continue;
            }
            let step = step.replace("~1", "/").replace("~0", "~");
            at = match at {
                Value::Object(object) => object.get(&step)?,
                Value::Array(items) => items.get(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(self.resolve(at))
    }
}

/// Whether an alternative failed for what it holds rather than for being the wrong kind of thing.
fn structural(error: &ValidationError<'_>) -> bool {
    matches!(
        error.kind(),
        ValidationErrorKind::AdditionalProperties { .. } | ValidationErrorKind::Required { .. }
    )
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// `/entities/3/components` as people write it: `entities[3].components`.
pub fn json_path(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        if !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit()) {
            path.push('[');
            path.push_str(&step);
            path.push(']');
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(&step);
        }
    }
    path
}

/// Writes whole numbers without a fraction: to a schema `60.0` is an integer, to a type of integers it is none.
pub fn whole_numbers(value: &mut Value) {
    /// Up to here every whole number is a number of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(whole) =
                number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= EXACT)
            {
                *value = (whole as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(object) => object.values_mut().for_each(whole_numbers),
        _ => {}
    }
}

/// A value as a message shows it: its kind, and itself where it is short.
fn show(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) if text.chars().count() <= 40 => format!("\"{text}\""),
        Value::String(_) => "a long string".to_owned(),
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// An object schema made of these properties, closed; for tools that build theirs by hand.
pub fn closed_object(properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.to_vec().into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    Value::Object(schema)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Schema {
        Schema::new(json!({
            "type": "object",
            "properties": {
                "radius": {"type": "number", "default": 10},
                "kind": {"enum": ["point", "spot", "sun"], "default": "point"},
                "at": {"$ref": "#/$defs/place"},
                "list": {"type": "array", "items": {"$ref": "#/$defs/place"}}
            },
            "required": ["at"],
            "additionalProperties": false,
            "$defs": {"place": {
                "type": "object",
                "properties": {"x": {"type": "number", "description": "Metres east."}, "y": {"type": "number", "default": 0}},
                "required": ["x"],
                "additionalProperties": false
            }}
        }))
        .unwrap()
    }

    #[test]
    fn every_fault_is_named_with_its_place_and_the_nearest_name() {
        let problems = schema()
            .check(&json!({"raduis": 3, "kind": "pont", "at": {"xx": 1}, "list": [{"x": 1}, {"x": "a"}]}));
        let mut lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        lines.sort();
        assert_eq!(
            lines,
            [
                "missing_key: `at` lacks `x` · at.x\n  hint: add `x`: Metres east.",
                "unknown_key: `at` has an unknown key `xx`: it may have x, y · at.xx\n  hint: did you mean `x`?",
                "unknown_key: the document has an unknown key `raduis`: it may have radius, kind, at, list · raduis\n  hint: did you mean `radius`?",
                "wrong_type: `list[1].x` must be number, found \"a\" · list[1].x",
                "wrong_value: `kind` must be one of point, spot, sun, found \"pont\" · kind\n  hint: did you mean `point`?",
            ]
        );
    }

    #[test]
    fn defaults_are_filled_in_through_references_and_lists() {
        let mut value = json!({"at": {"x": 1}, "list": [{"x": 2}]});
        schema().fill_defaults(&mut value);
        assert_eq!(
            value,
            json!({"at": {"x": 1, "y": 0}, "list": [{"x": 2, "y": 0}], "radius": 10, "kind": "point"})
        );
    }

    #[test]
    fn whole_numbers_lose_their_fraction_and_others_keep_it() {
        let mut value = json!({"a": [60.0, -2.0, 0.5, 1e300, 7], "b": "1.0"});
        whole_numbers(&mut value);
        assert_eq!(value.to_string(), r#"{"a":[60,-2,0.5,1e+300,7],"b":"1.0"}"#);
    }

    #[test]
    fn a_reference_out_of_the_document_is_refused() {
        assert!(Schema::new(json!({"$ref": "http://example.invalid/x.json"})).is_err());
    }
}
