//! `scene_query`

use base::{EntityId, Problem};
use glam::Vec3;
use scene::ComponentKind;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Finds entities by tag, name, component, a condition or nearness; all given filters must hold. Rows are {id, name, tags} and the fields asked for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only entities with this tag.
    tag: Option<String>,
    /// Only entities whose name fits; `*` and `?` stand for anything.
    name: Option<String>,
    /// Only entities with this component.
    component: Option<String>,
    /// Only entities for which this Wander expression over `e` is true, such as `e.hp < 3`.
    #[serde(rename = "where")]
    condition: Option<String>,
    /// Sorts by distance from this entity or place, nearest first: an id, a name, or `[x, y, z]`.
    near: Option<Near>,
    /// With `near`: only entities within so many metres.
    #[schemars(range(min = 0.0))]
    radius: Option<f32>,
    /// More columns: `position`, `parent`, a variable's name, or a component such as `light` or `light.intensity`.
    #[serde(default)]
    fields: Vec<String>,
    /// Rows at most.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
    /// Only entities with a higher id than this, to read on after a truncated answer.
    after: Option<u32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
enum Near {
    Entity(EntityRef),
    Place([f32; 3]),
}

fn hundred() -> usize {
    100
}

/// The tool.
pub struct SceneQuery;

impl Builtin for SceneQuery {
    const NAME: &'static str = "scene_query";
    const TITLE: &'static str = "Find entities";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"tag": "enemy", "where": "e.hp > 0", "fields": ["position", "hp"]}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let component = args
            .component
            .as_deref()
            .map(ComponentKind::find)
            .transpose()
            .map_err(|p| p.path("component"))?;
        let near = match &args.near {
            None => None,
            Some(Near::Place(place)) => Some(Vec3::from_array(*place)),
            Some(Near::Entity(reference)) => {
                let id = context.entity(reference).map_err(|problem| problem.path("near"))?;
                context.engine.world().poses().get(id).map(|pose| pose.position)
            }
        };
        let scene = context.scene();
        let mut found: Vec<(EntityId, f32)> = scene
            .entities
            .iter()
            .filter(|(id, entity)| {
                args.tag.as_ref().is_none_or(|tag| entity.has_tag(tag))
                    && args.name.as_ref().is_none_or(|name| glob(&entity.name, name))
                    && component.is_none_or(|kind| scene.columns.contains(*id, kind))
                    && args.after.is_none_or(|after| id.get() > after)
            })
            .map(|(id, _)| {
                let distance = match (near, context.engine.world().poses().get(id)) {
                    (Some(near), Some(pose)) => pose.position.distance(near),
                    _ => 0.0,
                };
                (id, distance)
            })
            .filter(|(_, distance)| args.radius.is_none_or(|radius| *distance <= radius))
            .collect();
        if let Some(text) = &args.condition {
            let world = context.engine.world_mut();
            let expression =
                sim::Expression::new(text, &["e"], world).map_err(|problem| problem.path("where"))?;
            let mut evaluator = sim::expression::Evaluator::new(world);
            let mut kept = Vec::new();
            for (id, distance) in found {
                if evaluator.test(&expression, Some(id), world).map_err(|problem| problem.path("where"))? {
                    kept.push((id, distance));
                }
            }
            found = kept;
        }
        if near.is_some() {
            found.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        }
        let total = found.len();
        let truncated = total > args.limit;
        found.truncate(args.limit);
        let mut rows = Vec::new();
        for (id, distance) in &found {
            rows.push(row(context, *id, near.is_some().then_some(*distance), &args.fields)?);
        }
        let mut result = Map::new();
        result.insert("matches".to_owned(), rows.into());
        result.insert("total".to_owned(), total.into());
        result.insert("truncated".to_owned(), truncated.into());
        if let Some((last, _)) = found.last().filter(|_| truncated && near.is_none()) {
            result.insert("next".to_owned(), json!({"after": last.get()}));
        }
        Ok(Output::new(format!("{total} found"), &Value::Object(result)).into())
    }
}

fn row(
    context: &Context<'_>,
    id: EntityId,
    distance: Option<f32>,
    fields: &[String],
) -> Result<Value, Problem> {
    let scene = context.scene();
    let mut row = Map::new();
    row.insert("id".to_owned(), id.get().into());
    if let Some(entity) = scene.entities.get(id) {
        row.insert("name".to_owned(), entity.name.as_ref().into());
        row.insert("tags".to_owned(), entity.tags.iter().map(|tag| tag.as_ref()).collect());
    }
    if let Some(distance) = distance {
        row.insert("distance".to_owned(), scene::var::float_to_json((distance * 1000.0).round() / 1000.0));
    }
    for field in fields {
        row.insert(field.clone(), value(context, id, field)?);
    }
    Ok(Value::Object(row))
}

/// A column's value: a variable, a component, one of its fields, or null.
fn value(context: &Context<'_>, id: EntityId, field: &str) -> Result<Value, Problem> {
    let scene = context.scene();
    if field == "position" {
        let position = context.engine.world().poses().get(id).map(|pose| pose.position).unwrap_or_default();
        return Ok(position.to_array().iter().map(|part| scene::var::float_to_json(*part)).collect());
    }
    if field == "parent" {
        let parent = scene.entities.get(id).and_then(|entity| entity.parent);
        return Ok(parent.map_or(Value::Null, |parent| parent.get().into()));
    }
    if let Some(var) = scene.entities.get(id).and_then(|entity| entity.vars.get(field)) {
        return Ok(var.to_json());
    }
    let (name, inner) = field.split_once('.').map_or((field, None), |(name, inner)| (name, Some(inner)));
    if let Ok(kind) = ComponentKind::find(name) {
        let component = scene.columns.get(id, kind).map(|component| component.to_json());
        return Ok(match (component, inner) {
            (Some(fields), Some(inner)) => fields.get(inner).cloned().unwrap_or(Value::Null),
            (Some(fields), None) => Value::Object(fields),
            (None, _) => Value::Null,
        });
    }
    let script = context.engine.world().script_variables(id).into_iter().find(|(own, _)| own == field);
    Ok(script.map_or(Value::Null, |(_, value)| value))
}

/// Whether a name fits a pattern with `*` and `?`.
fn glob(name: &str, pattern: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return name == pattern;
    }
    let (name, pattern): (Vec<char>, Vec<char>) = (name.chars().collect(), pattern.chars().collect());
    let mut reach = vec![false; name.len() + 1];
    if let Some(first) = reach.first_mut() {
        *first = true;
    }
    for letter in pattern {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            let here = reach.get(at).copied().unwrap_or(false);
            let from_left = at.checked_sub(1).and_then(|left| next.get(left)).copied().unwrap_or(false);
            let before = at.checked_sub(1).and_then(|left| reach.get(left)).copied().unwrap_or(false);
            let fits = at
                .checked_sub(1)
                .and_then(|left| name.get(left))
                .is_some_and(|own| letter == '?' || *own == letter);
            if let Some(slot) = next.get_mut(at) {
                *slot = if letter == '*' { here || from_left } else { before && fits };
            }
        }
        reach = next;
    }
    reach.last().copied().unwrap_or(false)
}
