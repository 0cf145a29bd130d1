//! The reference of everything that scripts of a game can use: the language's own library, and what the engine adds.

use std::sync::LazyLock;

use wander::reference::{Reference, texts};

/// The pages of what the engine adds, by name. `tests/pages` holds them against the environment.
const TEXTS: &[(&str, &str)] = &[
    ("log", include_str!("reference/log.txt")),
    ("scene", include_str!("reference/scene.txt")),
    ("entity", include_str!("reference/entity.txt")),
    ("handlers", include_str!("reference/handlers.txt")),
    ("time", include_str!("reference/time.txt")),
    ("input", include_str!("reference/input.txt")),
    ("audio", include_str!("reference/audio.txt")),
    ("physics", include_str!("reference/physics.txt")),
    ("ui", include_str!("reference/ui.txt")),
    ("save", include_str!("reference/save.txt")),
];

/// All pages: the language's first, then those of the engine.
pub fn reference() -> &'static Reference {
    static ALL: LazyLock<Reference> = LazyLock::new(|| Reference::read(&[texts(), TEXTS].concat()));
    &ALL
}
