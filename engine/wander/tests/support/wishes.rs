//! What a program of `tests/cases/wander` wishes for in its `--!` lines: whose script it is and how long it runs.

use serde_json::Value as Json;
use wander::Kind;

/// `--! entity 2`, `--! tool {"a": 1}`, `--! args {"a": 1}` of templates and `--! ticks 10`; a module that runs once where there is none of them.
pub struct Wishes {
    pub kind: Kind,
    /// Entities that bear the script.
    pub entities: u32,
    /// What a tool or a template is given.
    pub arguments: Json,
    pub ticks: u64,
}

impl Wishes {
    pub fn of(name: &str, source: &str) -> Self {
        let mut wishes = Self { kind: Kind::Module, entities: 0, arguments: Json::Null, ticks: 0 };
        for wish in source.lines().filter_map(|line| line.strip_prefix("--! ")) {
            let (word, rest) = wish.split_once(' ').unwrap_or((wish, ""));
            match word {
                "entity" => (wishes.kind, wishes.entities) = (Kind::Entity, rest.parse().unwrap_or(1)),
                "tool" => {
                    wishes.kind = Kind::Tool;
                    wishes.arguments = serde_json::from_str(rest).unwrap_or_default();
                }
                "args" => wishes.arguments = serde_json::from_str(rest).unwrap(),
                "ticks" => wishes.ticks = rest.parse().unwrap(),
                _ => panic!("{name}: what is `{wish}`?"),
            }
        }
        wishes
    }
}
