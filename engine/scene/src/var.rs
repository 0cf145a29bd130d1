//! The value of an entity's variable: plain data that is saved, hashed and crosses to JSON without loss.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A variable's value. Absence is the variable not being there.
#[derive(Debug, Clone, PartialEq)]
pub enum Var {
    /// True or false.
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// Text.
    Text(Arc<str>),
    /// Three numbers, `[x, y, z]` in JSON.
    Vector(Vec3),
    /// A list; a list of exactly three numbers is a vector instead.
    List(Vec<Var>),
    /// Named values in order.
    Record(IndexMap<Arc<str>, Var>),
}

impl Var {
    /// From JSON; `None` for null at any depth.
    pub fn from_json(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => return None,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => Self::Number(number.as_f64().filter(|number| number.is_finite())?),
            Value::String(text) => Self::Text(text.as_str().into()),
            Value::Array(items) => {
                if let [Value::Number(x), Value::Number(y), Value::Number(z)] = items.as_slice() {
                    let part = |number: &serde_json::Number| number.as_f64().map(|number| number as f32);
                    Self::Vector(Vec3::new(part(x)?, part(y)?, part(z)?))
                } else {
                    Self::List(items.iter().map(Self::from_json).collect::<Option<_>>()?)
                }
            }
            Value::Object(fields) => Self::Record(
                fields
                    .iter()
                    .map(|(name, value)| Some((name.as_str().into(), Self::from_json(value)?)))
                    .collect::<Option<_>>()?,
            ),
        })
    }

    /// To JSON; whole numbers without a decimal point.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Bool(flag) => (*flag).into(),
            Self::Number(number) => number_to_json(*number),
            Self::Text(text) => text.as_ref().into(),
            Self::Vector(v) => v.to_array().iter().map(|part| float_to_json(*part)).collect(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Record(fields) => Value::Object(
                fields.iter().map(|(name, value)| (name.to_string(), value.to_json())).collect(),
            ),
        }
    }

    /// The kind's name, as messages say it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::Vector(_) => "vector",
            Self::List(_) => "list",
            Self::Record(_) => "record",
        }
    }
}

/// A number as JSON: whole ones up to 2^53 as integers, the rest as they are, non-finite ones as null.
pub fn number_to_json(number: f64) -> Value {
    if number.fract() == 0.0
        && number.abs() <= 9_007_199_254_740_992.0
        && !(number == 0.0 && number.is_sign_negative())
    {
        (number as i64).into()
    } else {
        serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number)
    }
}

/// A 32-bit number as JSON in its own shortest digits (0.1, not 0.10000000149011612).
pub fn float_to_json(number: f32) -> Value {
    let text = number.to_string();
    number_to_json(text.parse().unwrap_or(f64::from(number)))
}

impl Serialize for Var {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 => {
                serializer.serialize_i64(*number as i64)
            }
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Vector(v) => v.to_array().serialize(serializer),
            Self::List(items) => items.serialize(serializer),
            Self::Record(fields) => fields.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Var {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_json(&value)
            .ok_or_else(|| serde::de::Error::custom("null is no value of a variable: leave it out"))
    }
}

impl JsonSchema for Var {
    fn schema_name() -> Cow<'static, str> {
        "Var".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["boolean", "number", "string", "array", "object"]})
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_and_back_is_the_same_value() {
        let value =
            json!({"hp": 3, "ratio": 0.5, "home": [1, 2.5, -3], "path": [1, 2], "name": "Ada", "on": true});
        assert_eq!(Var::from_json(&value).unwrap().to_json(), value);
        assert_eq!(Var::from_json(&json!([1, null])), None);
    }
}
