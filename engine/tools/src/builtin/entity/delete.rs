//! `entity_delete`

use base::Problem;
use scene::Edit;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Deletes an entity and everything under it, as one undo step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Its id, or a name that only one entity bears.
    entity: EntityRef,
}

/// The tool.
pub struct EntityDelete;

impl Builtin for EntityDelete {
    const NAME: &'static str = "entity_delete";
    const TITLE: &'static str = "Delete an entity";
    const EFFECT: Effect = Effect::Edit;
    const EXAMPLE: &'static str = r#"{"entity": "Sun"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let id = context.entity(&args.entity)?;
        let name = context.scene().entities.get(id).map(|entity| entity.name.to_string()).unwrap_or_default();
        let mut all = context.scene().subtree(id);
        let deleted: Vec<u32> = all.iter().map(|id| id.get()).collect();
        // Children before their parents.
        all.reverse();
        for id in all {
            context.edit(Edit::Despawn(id))?;
        }
        let text = format!("deleted {name} ({} entities)", deleted.len());
        Ok(Output::new(text.clone(), &json!({"deleted": deleted})).summary(text).into())
    }
}
