//! Tests that concern the whole project; see `tests/`.
