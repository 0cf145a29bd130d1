//! The C ABI over the runtime and the tools. An empty room so far.
