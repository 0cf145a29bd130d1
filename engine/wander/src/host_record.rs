//! How `e.vars` travels: a record that remembers its entity, so that writing to it makes variables of the entity.

/// The hidden key under which a record of variables keeps its entity.
pub const VARS_OF: &str = "\u{0}vars of";

/// What a variable's name begins with where the host should make it if it is new.
pub const NEW: &str = "\u{0}new ";
