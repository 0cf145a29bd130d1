//! Taking over scripts that changed while the world runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::EntityId;
use wander::Program;

use super::World;
use crate::scripts::{Access, Effects};

/// What taking over one script did.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ScriptChange {
    /// The file.
    pub script: String,
    /// Entities (or, for a module, users) that run the new code.
    pub instances: usize,
    /// Variables that are gone, with what they held.
    pub dropped: Vec<String>,
    /// Tasks that ended because their handler is gone.
    pub ended: usize,
}

impl World {
    /// Takes over compiled scripts, by path. Those that say the same as before are left alone; entities whose script
    /// did not work so far get it now. Clones made before keep what they have.
    pub fn reload(&mut self, programs: &BTreeMap<String, Arc<Program>>) -> Vec<ScriptChange> {
        let mut content = crate::Content::clone(&self.content);
        let mut changed: Vec<Arc<Program>> = Vec::new();
        for (path, program) in programs {
            match content.programs.get(path) {
                Some(old) if same(old, program) => {}
                _ => {
                    in_order(program, &mut changed);
                    content.programs.insert(path.clone(), Arc::clone(program));
                }
            }
        }
        if changed.is_empty() {
            return Vec::new();
        }
        self.content = Arc::new(content);
        let mut changes = Vec::new();
        let mut effects = Effects::default();
        for program in &changed {
            let mut done = wander::machine::Reloaded::default();
            self.script(Access::Simulate, &mut effects, |machine, host| done = machine.reload(program, host));
            changes.push(ScriptChange {
                script: program.path.clone(),
                instances: done.instances,
                dropped: done.dropped,
                ended: done.ended,
            });
        }
        let waiting: Vec<EntityId> = self
            .scene
            .columns
            .script
            .iter()
            .filter(|(id, script)| {
                programs.contains_key(&script.file) && !self.machine.owners().any(|owner| owner == *id)
            })
            .map(|(id, _)| id)
            .collect();
        for id in waiting {
            if self.attach(id, &mut effects).is_none()
                && let Some(file) = self.scene.columns.script.get(id).map(|script| script.file.clone())
                && let Some(change) = changes.iter_mut().find(|change| change.script == file)
            {
                change.instances += 1;
            }
        }
        self.carry_out(&mut effects);
        self.pending_log.append(&mut effects.log);
        changes
    }
}

/// A program after the modules that it uses, each once.
fn in_order(program: &Arc<Program>, found: &mut Vec<Arc<Program>>) {
    if found.iter().any(|known| known.path == program.path) {
        return;
    }
    program.modules.iter().for_each(|module| in_order(module, found));
    found.push(Arc::clone(program));
}

/// Whether two compiled files say the same, their modules too.
fn same(a: &Program, b: &Program) -> bool {
    a.source == b.source
        && a.modules.len() == b.modules.len()
        && a.modules.iter().zip(&b.modules).all(|(a, b)| same(a, b))
}
