//! The kinds of component, one file each. A kind listed here is editable, undoable, saved, checked and documented
//! everywhere; what it *does* is a file of the same name in `sim` or in `render`'s extract.

mod animation;
mod body;
mod camera;
mod collider;
mod light;
mod mesh;
mod script;
mod sound;
mod transform;

use base::{EntityId, Problem};
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use animation::Animation;
pub use body::{Body, BodyKind};
pub use camera::Camera;
pub use collider::{Collider, ColliderShape};
pub use light::{Light, LightKind};
pub use mesh::Mesh;
pub use script::Script;
pub use sound::Sound;
pub use transform::Transform;

use crate::Column;

/// What every component type is.
pub trait Component: Clone + PartialEq + Serialize + for<'de> Deserialize<'de> + JsonSchema {
    /// Its kind.
    const KIND: ComponentKind;
    /// Its column.
    fn column(columns: &Columns) -> &Column<Self>;
    /// Its column, to change.
    fn column_mut(columns: &mut Columns) -> &mut Column<Self>;
}

macro_rules! components {
    ($($field:ident: $type:ident),* $(,)?) => {
        /// A kind of component.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum ComponentKind {
            $(#[doc = concat!("`", stringify!($field), "`")] $type),*
        }

        impl ComponentKind {
            /// Every kind, in the order in which files list them.
            pub const ALL: &'static [Self] = &[$(Self::$type),*];

            /// The name in files and tools.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$type => stringify!($field)),* }
            }

            /// The kind's JSON Schema: fields with descriptions, units, ranges and defaults.
            pub fn schema(self) -> Value {
                let mut generator = SchemaGenerator::default();
                let schema = match self { $(Self::$type => generator.root_schema_for::<$type>()),* };
                schema.to_value()
            }
        }

        /// One component of any kind.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum ComponentValue {
            $(#[doc = concat!("`", stringify!($field), "`")] $type($type)),*
        }

        impl ComponentValue {
            /// Its kind.
            pub const fn kind(&self) -> ComponentKind {
                match self { $(Self::$type(_) => ComponentKind::$type),* }
            }

            /// From its fields; fields left out take their defaults.
            pub fn from_json(kind: ComponentKind, fields: Value) -> Result<Self, serde_json::Error> {
                Ok(match kind { $(ComponentKind::$type => Self::$type(serde_json::from_value(fields)?)),* })
            }
        }

        /// The components of one entity.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct ComponentSet {
            $(
                #[doc = concat!("See the `", stringify!($field), "` component.")]
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$type>
            ),*
        }

        impl ComponentSet {
            /// Puts one in, replacing one of its kind.
            pub fn insert(&mut self, value: ComponentValue) {
                match value { $(ComponentValue::$type(value) => self.$field = Some(value)),* }
            }

            /// All that are there, in file order.
            pub fn into_values(self) -> Vec<ComponentValue> {
                let mut values = Vec::new();
                $(if let Some(value) = self.$field { values.push(ComponentValue::$type(value)); })*
                values
            }
        }

        /// One column a kind.
        #[derive(Debug, Clone, Default, PartialEq, Serialize)]
        pub struct Columns {
            $(
                #[doc = concat!("All `", stringify!($field), "` components.")]
                pub $field: Column<$type>
            ),*
        }

        impl Columns {
            /// This entity's component of that kind.
            pub fn get(&self, id: EntityId, kind: ComponentKind) -> Option<ComponentValue> {
                match kind {
                    $(ComponentKind::$type => self.$field.get(id).cloned().map(ComponentValue::$type)),*
                }
            }

            /// Whether this entity has a component of that kind.
            pub fn contains(&self, id: EntityId, kind: ComponentKind) -> bool {
                match kind { $(ComponentKind::$type => self.$field.contains(id)),* }
            }

            /// How many entities have one.
            pub fn count(&self, kind: ComponentKind) -> usize {
                match kind { $(ComponentKind::$type => self.$field.len()),* }
            }

            /// Sets a component, returning the one before.
            pub fn insert(&mut self, id: EntityId, value: ComponentValue) -> Option<ComponentValue> {
                match value {
                    $(ComponentValue::$type(value) => self.$field.insert(id, value).map(ComponentValue::$type)),*
                }
            }

            /// Takes a component away.
            pub fn remove(&mut self, id: EntityId, kind: ComponentKind) -> Option<ComponentValue> {
                match kind { $(ComponentKind::$type => self.$field.remove(id).map(ComponentValue::$type)),* }
            }

            /// All components of this entity.
            pub fn set_of(&self, id: EntityId) -> ComponentSet {
                ComponentSet { $($field: self.$field.get(id).cloned()),* }
            }

            /// The hash of each column, by name.
            pub fn hashes(&self) -> Vec<(&'static str, u128)> {
                vec![$((stringify!($field), crate::digest::hash(&self.$field))),*]
            }
        }

        $(impl Component for $type {
            const KIND: ComponentKind = ComponentKind::$type;

            fn column(columns: &Columns) -> &Column<Self> {
                &columns.$field
            }

            fn column_mut(columns: &mut Columns) -> &mut Column<Self> {
                &mut columns.$field
            }
        })*
    };
}

components! {
    transform: Transform,
    mesh: Mesh,
    animation: Animation,
    light: Light,
    camera: Camera,
    collider: Collider,
    body: Body,
    sound: Sound,
    script: Script,
}

impl ComponentKind {
    /// The kind of this name, or the problem with the nearest.
    pub fn find(name: &str) -> Result<Self, Problem> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name).ok_or_else(|| {
            let names = || Self::ALL.iter().map(|kind| kind.name());
            Problem::new(
                "unknown_component",
                format!(
                    "there is no component `{name}`: expected one of {}",
                    base::suggest::list(names(), 20)
                ),
            )
            .near(base::suggest::nearest(name, names()))
        })
    }
}

impl ComponentValue {
    /// All fields as JSON, defaults included.
    pub fn to_json(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }

    /// Only the fields that differ from their defaults, as files keep them. A field without a default is kept.
    pub fn to_short_json(&self) -> Map<String, Value> {
        let mut fields = self.to_json();
        let schema = self.kind().schema();
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            fields.retain(|name, value| {
                !value.is_null()
                    && properties
                        .get(name)
                        .and_then(|property| property.get("default"))
                        .is_none_or(|default| !same_json(default, value))
            });
        }
        fields
    }
}

/// Equal as JSON documents, 1 and 1.0 alike.
fn same_json(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_json(a, b))
        }
        _ => a == b,
    }
}

/// Serde helpers for fields: 32-bit numbers written in their own shortest digits.
pub(crate) mod field {
    use glam::Vec3;
    use serde::{Serialize, Serializer};

    /// A number, 0.1 rather than 0.10000000149011612.
    pub fn number<S: Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            crate::var::float_to_json(*number).serialize(serializer)
        } else {
            serializer.serialize_f32(*number)
        }
    }

    /// The same for `[x, y, z]`.
    pub fn vector<S: Serializer>(vector: &Vec3, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            vector.to_array().map(crate::var::float_to_json).serialize(serializer)
        } else {
            vector.to_array().serialize(serializer)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_is_documented_field_by_field_and_closed() {
        for kind in ComponentKind::ALL {
            let schema = kind.schema();
            assert!(schema["description"].is_string(), "{} has no description", kind.name());
            assert_eq!(schema["additionalProperties"], json!(false), "{} is open", kind.name());
            for (name, field) in schema["properties"].as_object().unwrap() {
                assert!(field["description"].is_string(), "{}.{name} has no description", kind.name());
            }
        }
    }

    #[test]
    fn every_kind_with_defaults_alone_is_short_and_comes_back_equal() {
        for kind in ComponentKind::ALL {
            let schema = kind.schema();
            let mut fields = Map::new();
            for name in schema["required"].as_array().into_iter().flatten() {
                fields.insert(name.as_str().unwrap().to_owned(), "models/x.glb".into());
            }
            let value = ComponentValue::from_json(*kind, Value::Object(fields.clone())).unwrap();
            assert_eq!(Value::Object(value.to_short_json()), Value::Object(fields), "{}", kind.name());
            let full = ComponentValue::from_json(*kind, Value::Object(value.to_json())).unwrap();
            assert_eq!(full, value, "{}", kind.name());
        }
    }

    #[test]
    fn numbers_are_written_in_their_own_digits() {
        let light = ComponentValue::from_json(ComponentKind::Light, json!({"intensity": 0.1})).unwrap();
        assert_eq!(Value::Object(light.to_short_json()), json!({"intensity": 0.1}));
    }

    #[test]
    fn a_misspelled_kind_names_the_nearest() {
        assert_eq!(ComponentKind::find("lihgt").unwrap_err().near, ["light"]);
    }
}
