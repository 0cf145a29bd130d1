//! What a built-in tool is: one type in one file, with its arguments, its result, its effect and an example.

use base::Problem;
use base::link::Picture;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::context::Context;

/// What a built-in does to the world. It alone decides the annotations and whether a call is an undo step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It changes nothing.
    Read,
    /// It changes the scene: one undo step.
    Edit,
    /// It moves time or gives input: not an undo step.
    Play,
    /// It reaches outside the world: files, settings.
    Outside,
}

/// A finished result.
#[derive(Debug, Default)]
pub struct Output {
    /// The short form.
    pub text: String,
    /// The fields; `tick`, `revision` and `epoch` are added by the door.
    pub fields: Map<String, Value>,
    /// Pictures, in order.
    pub pictures: Vec<Picture>,
    /// One line for the history, where the call edited.
    pub summary: String,
}

impl Output {
    /// An output of a serializable result. A type that serializes to no object is a fault of this crate; its value
    /// then stands under `result`.
    pub fn new(text: impl Into<String>, result: &impl Serialize) -> Self {
        let fields = match serde_json::to_value(result) {
            Ok(Value::Object(fields)) => fields,
            Ok(other) => Map::from_iter([("result".to_owned(), other)]),
            Err(error) => Map::from_iter([("result".to_owned(), error.to_string().into())]),
        };
        Self { text: text.into(), fields, ..Self::default() }
    }

    /// With a line for the history.
    #[must_use]
    pub fn summary(mut self, summary: impl Into<String>) -> Self {
        self.summary = summary.into();
        self
    }

    /// With a picture.
    #[must_use]
    pub fn picture(mut self, picture: Picture) -> Self {
        self.pictures.push(picture);
        self
    }
}

/// Asked between frames until it has an answer. It must not block.
pub type Pending = Box<dyn FnMut(&mut Context<'_>) -> Option<Result<Output, Problem>>>;

/// What a handler answers.
pub enum Answer {
    /// Now.
    Done(Output),
    /// In a later frame: the frame goes on meanwhile.
    Later(Pending),
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Self::Done(output)
    }
}

/// A built-in tool. The doc comment of `Args` is the tool's description, the doc comments of its fields those of the
/// arguments.
pub trait Builtin: 'static {
    /// `noun_verb`.
    const NAME: &'static str;
    /// For people.
    const TITLE: &'static str;
    /// What it does to the world.
    const EFFECT: Effect;
    /// Arguments of a call that works on the sample game; a test makes it.
    const EXAMPLE: &'static str;
    /// The arguments.
    type Args: DeserializeOwned + JsonSchema;

    /// Does it. Edits made through the context before an error are taken back.
    fn run(context: &mut Context<'_>, args: Self::Args) -> Result<Answer, Problem>;
}

/// A built-in as the registry keeps it.
pub struct BuiltinEntry {
    /// `noun_verb`.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// Its group: `scene`, `entity`, `play` and so on.
    pub category: &'static str,
    /// What it does to the world.
    pub effect: Effect,
    /// Arguments of a call that works on the sample game.
    pub example: &'static str,
    /// The schema of its arguments.
    pub schema: fn() -> Value,
    /// Parses checked arguments and runs it.
    pub run: fn(&mut Context<'_>, Map<String, Value>) -> Result<Answer, Problem>,
}

/// The entry of a built-in; the one line that lists it in its group.
pub const fn entry<B: Builtin>(category: &'static str) -> BuiltinEntry {
    BuiltinEntry {
        name: B::NAME,
        title: B::TITLE,
        category,
        effect: B::EFFECT,
        example: B::EXAMPLE,
        schema: schema_of::<B::Args>,
        run: run::<B>,
    }
}

fn run<B: Builtin>(context: &mut Context<'_>, arguments: Map<String, Value>) -> Result<Answer, Problem> {
    let args = serde_json::from_value(Value::Object(arguments)).map_err(|error| {
        // The schema was checked before: what still fails here is finer than a schema can say.
        Problem::new("invalid_arguments", format!("{}: {error}", B::NAME))
            .hint(format!("for example: {}", B::EXAMPLE))
    })?;
    B::run(context, args)
}

/// An argument type's schema, everything in one object as clients need it.
fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("title");
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    tidy(&mut schema);
    schema
}

/// Optional arguments are left out, never null; number formats say nothing to a model.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.remove("format");
            if object.get("default").is_some_and(Value::is_null) {
                object.remove("default");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    object.insert("type".to_owned(), only);
                }
            }
            if let Some(Value::Array(names)) = object.get_mut("enum") {
                names.retain(|name| !name.is_null());
            }
            let lifted = match object.get("anyOf") {
                Some(Value::Array(choices)) if choices.len() == 2 => choices
                    .iter()
                    .position(|choice| choice.get("type").is_some_and(|kind| kind == "null"))
                    .and_then(|null| choices.get(1 - null))
                    .and_then(Value::as_object)
                    .cloned(),
                _ => None,
            };
            if let Some(lifted) = lifted {
                object.remove("anyOf");
                for (key, value) in lifted {
                    object.entry(key).or_insert(value);
                }
            }
            object.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}
