//! Wander: the one language of the engine, from source text to running tasks. Deterministic, sandboxed, under
//! budgets. It contains no game word: entities are opaque ids, and what they have and do is described by the host.

pub mod ast;
pub mod boundary;
pub mod code;
mod compile;
pub mod diagnostic;
pub mod environment;
pub mod fault;
mod format;
pub mod front;
pub mod heap;
pub mod host;
pub mod host_record;
pub mod index;
pub mod lexer;
pub mod library;
mod lint;
pub mod machine;
pub mod number;
pub mod parser;
mod prelude;
pub mod random;
pub mod reference;
pub mod span;
pub mod template;
pub mod token;
pub mod value;
mod walk;

pub use code::Program;
pub use diagnostic::{Diagnostic, mended};
pub use environment::{Acts, Environment, HostFunction, HostHandler, HostProperty, Kind};
pub use fault::{Fault, Outcome};
pub use format::format;
pub use front::{Expression, Loader};
pub use heap::Heap;
pub use host::{Answer, CallContext, Host};
pub use machine::Machine;
pub use template::Template;
pub use value::{TaskId, Value};
