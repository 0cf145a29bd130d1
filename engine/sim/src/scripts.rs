//! How scripts reach the world: what they may use, by name, and what each of those does.

mod binding;
mod functions;
mod properties;
mod reference;
mod values;

use wander::{Acts, Environment, HostFunction, HostHandler, HostProperty};

pub(crate) use binding::{Access, Binding, Effects};
pub use reference::reference;
pub(crate) use values::{value_to_var, var_to_value};

const fn reads(area: &'static str, name: &'static str, arity: (u8, u8), doc: &'static str) -> HostFunction {
    HostFunction { area, name, arity, acts: Acts::Reads, property: false, doc }
}

const fn changes(area: &'static str, name: &'static str, arity: (u8, u8), doc: &'static str) -> HostFunction {
    HostFunction { area, name, arity, acts: Acts::Changes, property: false, doc }
}

const fn value(area: &'static str, name: &'static str, doc: &'static str) -> HostFunction {
    HostFunction { area, name, arity: (0, 0), acts: Acts::Reads, property: true, doc }
}

const fn property(name: &'static str, writable: bool, doc: &'static str) -> HostProperty {
    HostProperty { name, writable, doc }
}

const fn handler(name: &'static str, params: &'static [&'static str], doc: &'static str) -> HostHandler {
    HostHandler { name, params, doc }
}

/// Everything that scripts of a game may use of the engine.
pub fn environment() -> Environment {
    Environment {
        functions: vec![
            changes("", "print", (1, 8), "writes values to the log"),
            changes("", "log", (1, 8), "writes values to the log"),
            changes("", "warn", (1, 8), "writes values to the log as a warning"),
            changes(
                "",
                "emit",
                (1, 2),
                "sends an event to every script: `emit(\"door_opened\", {by: self})`",
            ),
            changes("", "send", (2, 3), "sends an event to one entity: `send(e, \"hurt\", {amount: 5})`"),
            reads("", "find", (1, 1), "the entity of that name, or nil"),
            reads("", "find_all", (1, 1), "every entity with a tag, in order of ids"),
            reads(
                "",
                "find_near",
                (2, 3),
                "entities within a radius of a place, nearest first, with a tag if given",
            ),
            reads("", "nearest", (2, 2), "the entity with a tag that is nearest to a place, or nil"),
            changes(
                "",
                "spawn_entity",
                (1, 2),
                "copies the entity of that name: `spawn_entity(\"Spark\", {pos: self.pos})`",
            ),
            changes("", "clone", (1, 1), "copies an entity and gives the copy"),
            changes("", "destroy", (1, 1), "takes an entity and everything under it out of the world"),
            reads(
                "",
                "raycast",
                (3, 4),
                "what a ray meets: {entity, distance, point, normal}, or nil; options `ignore` and `tag`",
            ),
            reads("", "overlap", (2, 2), "entities that reach into a ball, in order of ids"),
            value("time", "now", "seconds that the world has run"),
            value("time", "dt", "seconds of a tick"),
            value("time", "frame", "ticks that the world has run"),
            value("scene", "name", "the name of the scene"),
            changes("scene", "restart", (0, 0), "starts the scene over at the end of the tick"),
            reads("input", "pressed", (1, 1), "whether an action went down this tick"),
            reads("input", "down", (1, 1), "whether an action is held"),
            reads("input", "released", (1, 1), "whether an action went up this tick"),
            reads("input", "axis", (1, 1), "an action's value, -1 to 1"),
            value("input", "mouse", "how many pixels the mouse moved this tick, (x, y)"),
            changes(
                "audio",
                "play",
                (1, 2),
                "plays a sound: `audio.play(\"sounds/hit.wav\", {at: self, volume: 0.5})`",
            ),
            changes("audio", "stop", (1, 1), "stops a sound by what play gave"),
            changes("audio", "music", (1, 2), "plays music in place of what played before; nil stops it"),
            changes("audio", "volume", (2, 2), "sets the gain of a bus, 1 is full"),
            changes("physics", "impulse", (2, 2), "pushes a body: kilogram metres a second"),
            changes("physics", "force", (2, 2), "pushes a body for one tick: newtons"),
            reads("physics", "on_ground", (1, 1), "whether a character stands on something"),
            changes(
                "ui",
                "text",
                (2, 3),
                "shows text: `ui.text(\"score\", \"3\", {anchor: \"top\", y: 20, size: 32})`",
            ),
            changes("ui", "bar", (2, 3), "shows a bar from 0 to 1"),
            changes("ui", "image", (2, 3), "shows a picture of the assets"),
            changes("ui", "panel", (1, 2), "shows a filled rectangle"),
            changes("ui", "show", (1, 1), "shows an item again"),
            changes("ui", "hide", (1, 1), "hides an item"),
            changes("ui", "remove", (1, 1), "takes an item away"),
            changes("save", "set", (2, 2), "keeps a value under a name"),
            reads("save", "get", (1, 2), "the value kept under a name, or the default"),
            reads("save", "has", (1, 1), "whether a value is kept under a name"),
            changes("save", "delete", (1, 1), "forgets the value kept under a name"),
            reads("save", "keys", (0, 0), "the names under which values are kept"),
        ],
        methods: vec![
            reads("", "has_tag", (1, 1), "whether it bears a tag"),
            changes("", "add_tag", (1, 1), "gives it a tag"),
            changes("", "remove_tag", (1, 1), "takes a tag away"),
            changes(
                "",
                "move",
                (1, 1),
                "moves it by a velocity for this tick; a character slides along walls",
            ),
            changes("", "look_at", (1, 1), "turns it to face a place"),
            changes("", "play", (1, 1), "switches its model to a clip"),
            reads("", "get", (1, 1), "a component as a record, or nil"),
            changes("", "set", (3, 3), "sets a field of a component: `e.set(\"light\", \"intensity\", 2)`"),
            changes("", "remove", (1, 1), "takes a component away: `e.remove(\"light\")`"),
            changes("", "destroy", (0, 0), "takes it and everything under it out of the world"),
            reads("", "distance_to", (1, 1), "metres to a place"),
        ],
        properties: vec![
            property("id", false, "its number"),
            property("name", true, "its name"),
            property("tag", false, "the first of its tags, or nil"),
            property("pos", true, "where it is, relative to its parent"),
            property("world_pos", false, "where it is in the world"),
            property("rot", true, "degrees about x, y and z"),
            property("scale", true, "factors along its axes"),
            property("forward", false, "the direction it faces"),
            property("right", false, "the direction to its right"),
            property("visible", true, "whether its mesh is drawn"),
            property("alive", false, "whether it exists"),
            property("parent", false, "the entity in whose space it lies, or nil"),
            property("children", false, "the entities that lie in its space"),
            property("tags", false, "its tags"),
            property("vars", false, "its variables; new ones are made by setting them here"),
            property("velocity", true, "metres a second, of a body"),
            property("on_ground", false, "whether a character stands on something"),
            property("clip", false, "the clip that its model shows"),
        ],
        handlers: vec![
            handler("start", &[], "when its entity begins to live"),
            handler("update", &["dt"], "every tick; must not wait"),
            handler("fixed_update", &["dt"], "every tick, before update; must not wait"),
            handler("stop", &[], "when its entity is about to go"),
            handler("collide", &["other", "hit"], "when it touches another; hit is {point, normal}"),
            handler("collide_end", &["other"], "when it no longer touches another"),
            handler("enter", &["other"], "when another comes into its sensor"),
            handler("exit", &["other"], "when another leaves its sensor"),
            handler("animation_end", &["name"], "when a clip that is not looped is over"),
        ],
    }
}
