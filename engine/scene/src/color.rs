//! Colours as people write them: sRGB, `#rrggbb` or `#rrggbbaa`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// An sRGB colour with straight alpha, 8 bits a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Alpha, 255 is opaque.
    pub a: u8,
}

impl Color {
    /// Opaque white.
    pub const WHITE: Self = Self::rgb(255, 255, 255);

    /// An opaque colour.
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: 255 }
    }

    /// Linear light, 0..1 a channel, alpha unchanged: what shaders compute with.
    pub fn to_linear(self) -> [f32; 4] {
        let channel = |byte: u8| {
            let value = f32::from(byte) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        [channel(self.r), channel(self.g), channel(self.b), f32::from(self.a) / 255.0]
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)?;
        if self.a != 255 {
            write!(f, "{:02x}", self.a)?;
        }
        Ok(())
    }
}

impl FromStr for Color {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("`{text}` is no colour: expected `#rrggbb` or `#rrggbbaa`");
        let digits = text.strip_prefix('#').ok_or_else(wrong)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let full = match digits.len() {
            3 | 4 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
            6 | 8 => digits.to_owned(),
            _ => return Err(wrong()),
        };
        let number = u32::from_str_radix(&full, 16).map_err(|_| wrong())?;
        let [a, b, c, d] = number.to_be_bytes();
        Ok(if full.len() == 8 { Self { r: a, g: b, b: c, a: d } } else { Self::rgb(b, c, d) })
    }
}

impl TryFrom<String> for Color {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Color> for String {
    fn from(color: Color) -> Self {
        color.to_string()
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back_is_the_same_colour() {
        for text in ["#8fb4ff", "#00000080"] {
            assert_eq!(text.parse::<Color>().unwrap().to_string(), text);
        }
        assert_eq!("#f80".parse::<Color>().unwrap().to_string(), "#ff8800");
        for text in ["8fb4ff", "#8fb4f", "#gggggg", "#+12345"] {
            assert!(text.parse::<Color>().is_err(), "{text}");
        }
    }
}
