//! Programs in which everything that only they can see has another name.

use wander::Kind;
use wander::index::{DefinitionKind, Index, apply};

/// The text with a fresh name for every variable, parameter, function and module. What stands at the top of an entity's
/// script keeps its name: other entities may use it. How many were renamed comes with it.
pub fn rename_all(source: &str, kind: Kind) -> Result<(String, usize), String> {
    let mut text = source.to_owned();
    let mut count = 0;
    for number in 0..Index::new(source).definitions.len() {
        let index = Index::new(&text);
        let Some(known) = index.definitions.get(number) else {
            return Err("a definition is lost".to_owned());
        };
        let is_seen = known.is_top && known.kind != DefinitionKind::Module && kind == Kind::Entity;
        let is_named_elsewhere = matches!(known.kind, DefinitionKind::Handler | DefinitionKind::Prop);
        if is_seen || is_named_elsewhere || known.name == "run" {
            continue;
        }
        // A name that begins with `_` may be used by nothing.
        let underscore = if known.name.starts_with('_') { "_" } else { "" };
        let name = format!("{underscore}fresh_{number}");
        let fixes = index
            .rename(&text, number, &name, &[])
            .map_err(|reason| format!("`{}` keeps its name: {}", known.name, reason.0))?;
        text = apply(&text, &fixes);
        count += 1;
    }
    Ok((text, count))
}
