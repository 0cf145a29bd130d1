//! What an editor can ask for, one file each. A question is answered from the texts as they are at that moment.

pub(crate) mod actions;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod format;
pub(crate) mod hover;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod signature;
pub(crate) mod symbols;
pub(crate) mod tokens;
