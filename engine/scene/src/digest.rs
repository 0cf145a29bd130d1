//! Hashing of anything serializable: a serializer that feeds XXH3 instead of writing a format. What a type
//! serializes is what its hash covers, so no field can be forgotten.

use serde::ser::{self, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// A running 128-bit XXH3 over serialized values.
#[derive(Clone, Default)]
pub struct Digest {
    state: Xxh3,
}

impl Digest {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a value: numbers by their little-endian bytes, text and lists with their lengths.
    pub fn add<T: Serialize + ?Sized>(&mut self, value: &T) {
        // The serializer below has no way to fail but a type that refuses to serialize; that is marked in the hash.
        if value.serialize(&mut *self).is_err() {
            self.bytes(&[0xff; 9]);
        }
    }

    /// Adds bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.state.update(bytes);
    }

    /// The hash of all that was added.
    pub fn finish(&self) -> u128 {
        self.state.digest128()
    }
}

/// The hash of one value.
pub fn hash<T: Serialize + ?Sized>(value: &T) -> u128 {
    let mut digest = Digest::new();
    digest.add(value);
    digest.finish()
}

/// A hash as people and files write it: 32 hex digits.
pub fn text(hash: u128) -> String {
    format!("{hash:032x}")
}

/// A type refused to serialize itself.
#[derive(Debug)]
pub struct Refused;

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value refused to be serialized")
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

macro_rules! little_endian {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, value: $type) -> Result<(), Refused> {
            self.bytes(&value.to_le_bytes());
            Ok(())
        })*
    };
}

impl ser::Serializer for &mut Digest {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    little_endian! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64,
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_bool(self, value: bool) -> Result<(), Refused> {
        self.bytes(&[u8::from(value)]);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<(), Refused> {
        self.serialize_u32(u32::from(value))
    }

    fn serialize_str(self, value: &str) -> Result<(), Refused> {
        self.serialize_bytes(value.as_bytes())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Refused> {
        self.bytes(&(value.len() as u64).to_le_bytes());
        self.bytes(value);
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Refused> {
        self.bytes(&[0]);
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Refused> {
        self.bytes(&[1]);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Refused> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Refused> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Result<(), Refused> {
        self.serialize_u32(index)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Refused> {
        self.bytes(&index.to_le_bytes());
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, Refused> {
        self.bytes(&(len.unwrap_or(usize::MAX) as u64).to_le_bytes());
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Refused> {
        self.bytes(&index.to_le_bytes());
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, Refused> {
        self.serialize_seq(len)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Refused> {
        self.bytes(&index.to_le_bytes());
        Ok(self)
    }
}

macro_rules! compound {
    ($($trait:ident::$method:ident),* $(,)?) => {
        $(impl ser::$trait for &mut Digest {
            type Ok = ();
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
                value.serialize(&mut **self)
            }

            fn end(self) -> Result<(), Refused> {
                Ok(())
            }
        })*
    };
}

compound! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

macro_rules! named {
    ($($trait:ident),* $(,)?) => {
        $(impl ser::$trait for &mut Digest {
            type Ok = ();
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Result<(), Refused> {
                value.serialize(&mut **self)
            }

            // A field left out must not let the next one slide into its place.
            fn skip_field(&mut self, _: &'static str) -> Result<(), Refused> {
                self.bytes(&[0xfe]);
                Ok(())
            }

            fn end(self) -> Result<(), Refused> {
                Ok(())
            }
        })*
    };
}

named! { SerializeStruct, SerializeStructVariant }

impl ser::SerializeMap for &mut Digest {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<(), Refused> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_hashes_apart_and_what_is_equal_alike() {
        assert_eq!(hash(&("ab", "c")), hash(&("ab", "c")));
        assert_ne!(hash(&("ab", "c")), hash(&("a", "bc")));
        assert_ne!(hash(&0.0f32), hash(&-0.0f32));
        assert_ne!(hash(&Some(1u8)), hash(&None::<u8>));
        assert_ne!(hash(&vec![vec![1u8], vec![]]), hash(&vec![vec![], vec![1u8]]));
        assert_eq!(text(hash(&1u8)).len(), 32);
    }
}
