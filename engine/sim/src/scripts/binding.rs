//! The world as one run of scripts sees it.

use std::collections::BTreeSet;

use base::EntityId;
use glam::Vec3;
use scene::{Hud, Scene};
use wander::{Answer, CallContext, Fault, Heap, Host, Machine, Outcome, Value};

use super::{value_to_var, var_to_value};
use crate::animation::Animations;
use crate::content::Content;
use crate::input::InputState;
use crate::physics::Physics;
use crate::sounds::Sounds;
use crate::world::{LogKind, LogLine, places};

/// What scripts of this run may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Look only: expressions.
    Read,
    /// Look, and write to the log: code that a call evaluates.
    ReadAndLog,
    /// Everything that a game's scripts may.
    Simulate,
}

/// Functions that change nothing but the log.
const LOGS: [(&str, &str); 3] = [("", "print"), ("", "log"), ("", "warn")];

/// What a run asks for that is done after it.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// Entities that must go, with everything under them.
    pub(crate) destroyed: BTreeSet<EntityId>,
    /// Entities that came and whose scripts must start.
    pub(crate) spawned: Vec<EntityId>,
    /// Whether the scene starts over.
    pub(crate) restart: bool,
    /// Lines for the log.
    pub(crate) log: Vec<LogLine>,
}

/// The parts of a world that scripts reach.
pub(crate) struct Binding<'a> {
    pub(crate) access: Access,
    pub(crate) content: &'a Content,
    pub(crate) scene: &'a mut Scene,
    pub(crate) physics: &'a mut Physics,
    pub(crate) animations: &'a mut Animations,
    pub(crate) sounds: &'a mut Sounds,
    pub(crate) hud: &'a mut Hud,
    pub(crate) save: &'a mut indexmap::IndexMap<String, scene::Var>,
    pub(crate) input: &'a InputState,
    pub(crate) scene_name: &'a str,
    pub(crate) tick: u64,
    pub(crate) effects: &'a mut Effects,
    /// Scripts whose variables can be looked at: none while they run themselves.
    pub(crate) scripts: Option<&'a Machine>,
}

impl Effects {
    /// Adds a warning to the log.
    pub(crate) fn warn(&mut self, text: String) {
        self.log.push(LogLine { kind: LogKind::Warning, source: "scripts".to_owned(), text });
    }
}

impl Binding<'_> {
    pub(super) fn may_change(&self, what: &str) -> Outcome<()> {
        if self.access != Access::Simulate {
            return Err(Fault::new(
                "capability_denied",
                format!("{what} changes the world, and this may only look at it"),
            ));
        }
        Ok(())
    }

    pub(super) fn log(&mut self, kind: LogKind, owner: Option<EntityId>, text: String) {
        let source = owner
            .and_then(|owner| self.scene.columns.script.get(owner))
            .map_or_else(|| "scripts".to_owned(), |script| script.file.clone());
        self.effects.log.push(LogLine { kind, source, text });
    }

    /// Where an entity is in the world.
    pub(super) fn world_position(&self, id: EntityId) -> Vec3 {
        match self.scene.entities.get(id).and_then(|entity| entity.parent) {
            None => self.scene.columns.transform.get(id).map(|own| own.position).unwrap_or_default(),
            Some(_) => places::pose_now(self.scene, id).position,
        }
    }
}

impl Host for Binding<'_> {
    fn is_alive(&self, entity: EntityId) -> bool {
        self.scene.contains(entity) && !self.effects.destroyed.contains(&entity)
    }

    fn get(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value> {
        self.get_property(heap, entity, property)
    }

    fn set(&mut self, heap: &mut Heap, entity: EntityId, property: u16, value: &Value) -> Outcome<()> {
        self.may_change("setting a property")?;
        self.set_property(heap, entity, property, *value)
    }

    fn get_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str) -> Outcome<Option<Value>> {
        if let Some(scripts) = self.scripts
            && let Some(value) = scripts.variable(entity, name)
        {
            // Functions and tasks stay in the heap they belong to.
            return Ok(Some(match value {
                Value::Entity(_) => value,
                _ => match value_to_var(&scripts.heap, value) {
                    Ok(Some(var)) => var_to_value(heap, &var),
                    Ok(None) | Err(_) => Value::Nil,
                },
            }));
        }
        let var = self.scene.entities.get(entity).and_then(|data| data.vars.get(name)).cloned();
        Ok(var.map(|var| var_to_value(heap, &var)))
    }

    fn set_variable(&mut self, heap: &mut Heap, entity: EntityId, name: &str, value: Value) -> Outcome<bool> {
        self.may_change("setting a variable")?;
        let (name, is_new) = match name.strip_prefix(wander::host_record::NEW) {
            Some(name) => (name, true),
            None => (name, false),
        };
        let var = value_to_var(heap, value)?;
        let Some(data) = self.scene.entities.get_mut(entity) else { return Ok(false) };
        if !is_new && !data.vars.contains_key(name) {
            return Ok(false);
        }
        match var {
            Some(var) => {
                data.vars.insert(name.into(), var);
            }
            None => {
                data.vars.shift_remove(name);
            }
        }
        Ok(true)
    }

    fn knows_variable(&self, name: &str) -> bool {
        self.scripts.is_some_and(|scripts| scripts.knows_variable(name))
            || self.scene.entities.values().iter().any(|entity| entity.vars.contains_key(name))
    }

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        let Some(known) = self.content.environment.by_number(function).copied() else {
            return Err(Fault::new("E216", "there is no such function"));
        };
        let logs = self.access == Access::ReadAndLog && LOGS.contains(&(known.area, known.name));
        if known.acts == wander::Acts::Changes && !logs {
            self.may_change(&format!("`{}`", known.name))?;
        }
        let value = if usize::from(function) < self.content.environment.functions.len() {
            self.function(context, known.area, known.name, arguments)?
        } else {
            self.method(context, known.name, arguments)?
        };
        Ok(Answer::Value(value))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        match self.scene.entities.get(entity) {
            Some(data) => data.name.to_string(),
            None => format!("entity {entity}"),
        }
    }
}
