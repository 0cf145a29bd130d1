//! What a handler may touch during one call: the engine, who calls, and the call's group of edits.

use base::link::Caller;
use base::{CallId, EntityId, Problem};
use runtime::Engine;
use scene::history::OpenGroup;
use scene::{Edit, Scene};

use crate::args::EntityRef;

/// One call's view of the engine.
pub struct Context<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// Who calls.
    pub caller: &'a Caller,
    /// The call.
    pub call: CallId,
    /// What it edited so far.
    pub group: &'a mut OpenGroup,
    /// Whether it may edit.
    pub may_edit: bool,
    /// Warnings for the result.
    pub warnings: Vec<String>,
}

impl Context<'_> {
    /// The scene as it is now.
    pub fn scene(&self) -> &Scene {
        self.engine.world().scene()
    }

    /// The entity that an argument means.
    pub fn entity(&self, reference: &EntityRef) -> Result<EntityId, Problem> {
        reference.find(self.scene())
    }

    /// Applies an edit as part of this call's undo step.
    pub fn edit(&mut self, edit: Edit) -> Result<(), Problem> {
        if !self.may_edit {
            return Err(Problem::new("capability_denied", "this tool may not edit the scene"));
        }
        self.engine.edit(self.group, edit)
    }

    /// Evaluates code that may change the world; its changes of the scene are part of this call's undo step.
    pub fn change(
        &mut self,
        code: &str,
        entity: Option<EntityId>,
        watch: Option<sim::Watch>,
    ) -> Result<sim::expression::Found, Problem> {
        if !self.may_edit {
            return Err(Problem::new("capability_denied", "this tool may not edit the scene"));
        }
        self.engine.change(self.group, code, entity, watch)
    }

    /// Adds a warning to the result.
    pub fn warn(&mut self, warning: impl Into<String>) {
        self.warnings.push(warning.into());
    }
}
