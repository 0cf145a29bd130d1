//! Numbers that name things. Each has a type of its own, so that a tick is never taken for an entity.

use std::fmt;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

/// An entity: a small positive number, never reused within one timeline and stable in scene files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntityId(NonZeroU32);

impl EntityId {
    /// The id with this number; `None` for zero.
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The number, one or more.
    pub const fn get(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl $name {
            /// The one after this.
            #[must_use]
            pub const fn next(self) -> Self {
                Self(self.0 + 1)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

number! {
    /// A fixed step of the simulation, counted from zero at the start of the timeline.
    Tick
}
number! {
    /// A state of the edit history: one more for each sealed group, undo and redo.
    Revision
}
number! {
    /// A timeline: one more for each restore, restart and scene load.
    Epoch
}
number! {
    /// One call of a tool, unique within a process.
    CallId
}
number! {
    /// One client connection, unique within a process.
    ConnectionId
}
