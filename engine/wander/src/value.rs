//! Values: sixteen bytes, copied freely. Small things lie inside, the rest in the heap behind a handle.

use base::EntityId;

/// A place in the heap. Valid only with the heap that gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle(pub(crate) u32);

/// A task of a machine, numbered in order of creation and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId(pub(crate) u32);

/// A stream of random numbers that a script asked for by name, numbered in order of asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub(crate) u32);

/// A value of the language.
#[derive(Debug, Clone, Copy, Default)]
pub enum Value {
    /// Absence.
    #[default]
    Nil,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(f64),
    /// Two numbers.
    Vec2([f32; 2]),
    /// Three numbers; vectors of this size never touch the heap.
    Vec3([f32; 3]),
    /// An entity of the host, alive or not.
    Entity(EntityId),
    /// Text.
    Text(Handle),
    /// A list.
    List(Handle),
    /// A record.
    Record(Handle),
    /// A function with what it captured.
    Function(Handle),
    /// A range.
    Range(Handle),
    /// A colour.
    Color(Handle),
    /// Four numbers.
    Vec4(Handle),
    /// A running task.
    Task(TaskId),
    /// A named stream of random numbers.
    Stream(StreamId),
    /// A captured variable; never seen by scripts.
    Cell(Handle),
}

impl Value {
    /// The name of its type, as `type(x)` gives it.
    pub const fn type_name(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::Vec2(_) | Self::Vec3(_) | Self::Vec4(_) => "vector",
            Self::Entity(_) => "entity",
            Self::Text(_) => "string",
            Self::List(_) => "list",
            Self::Record(_) => "record",
            Self::Function(_) => "function",
            Self::Range(_) => "range",
            Self::Color(_) => "color",
            Self::Task(_) => "task",
            Self::Stream(_) => "stream",
            Self::Cell(_) => "variable",
        }
    }

    /// Whether it is absence.
    pub const fn is_nil(&self) -> bool {
        matches!(self, Self::Nil)
    }

    /// Whether it is, or has inside itself, what is no number.
    pub(crate) const fn is_nan(&self) -> bool {
        match self {
            Self::Number(number) => number.is_nan(),
            Self::Vec2([x, y]) => x.is_nan() || y.is_nan(),
            Self::Vec3([x, y, z]) => x.is_nan() || y.is_nan() || z.is_nan(),
            _ => false,
        }
    }

    /// Where it lies in the heap, if it does.
    pub(crate) const fn handle(&self) -> Option<Handle> {
        match self {
            Self::Text(handle)
            | Self::List(handle)
            | Self::Record(handle)
            | Self::Function(handle)
            | Self::Range(handle)
            | Self::Color(handle)
            | Self::Vec4(handle)
            | Self::Cell(handle) => Some(*handle),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copying a value is two loads and two stores; a larger one would make every instruction slower.
    #[test]
    fn a_value_has_sixteen_bytes() {
        assert_eq!(size_of::<Value>(), 16);
    }
}
