//! What scenes name and what is there: models, sounds, scripts, buses, clips.

use std::collections::HashMap;

use base::{EntityId, Problem, suggest};
use scene::Scene;
use scene::components::{Animation, Mesh, Script, Sound};
use serde_json::Value;

use crate::assets::AssetKind;
use crate::model::shapes;
use crate::{Assets, Project, Settings};

/// Buses that exist without being named in `game.json`.
pub const BUSES: &[&str] = &["effects", "music"];

/// What a scene may name.
pub(crate) struct Known<'a> {
    pub(crate) scripts: &'a [String],
    pub(crate) assets: &'a [String],
    /// Nothing where `game.json` is broken; then what depends on it is not checked.
    pub(crate) settings: Option<&'a Settings>,
}

impl Known<'_> {
    /// Every name of a scene that leads nowhere. None of them is a reason not to play.
    pub(crate) fn check(&self, path: &str, text: &str, scene: &Scene) -> Vec<Problem> {
        let mut found: Found = Vec::new();
        for (id, Mesh { model, .. }) in scene.columns.mesh.iter() {
            found.extend(self.check_model(model).map(|problem| (id, "mesh.model".to_owned(), problem)));
        }
        for (id, Sound { clip, bus, .. }) in scene.columns.sound.iter() {
            let problem = self.check_asset(clip, AssetKind::Sound, "sound", []);
            found.extend(problem.map(|problem| (id, "sound.clip".to_owned(), problem)));
            found.extend(self.check_bus(bus).map(|problem| (id, "sound.bus".to_owned(), problem)));
        }
        for (id, Script { file, .. }) in scene.columns.script.iter() {
            found.extend(self.check_script(file).map(|problem| (id, "script.file".to_owned(), problem)));
        }
        locate(path, text, found)
    }

    fn check_model(&self, model: &str) -> Option<Problem> {
        if shapes::NAMES.contains(&model) {
            return None;
        }
        self.check_asset(model, AssetKind::Model, "model", shapes::NAMES.iter().copied())
    }

    fn check_script(&self, file: &str) -> Option<Problem> {
        if self.scripts.iter().any(|script| script == file) {
            return None;
        }
        let near = nearest_file(file, self.scripts.iter().map(String::as_str));
        Some(Problem::new("missing_file", format!("there is no script `{file}`")).near(near))
    }

    fn check_asset<'a>(
        &'a self,
        name: &str,
        kind: AssetKind,
        what: &str,
        others: impl IntoIterator<Item = &'a str>,
    ) -> Option<Problem> {
        if AssetKind::of(name) == Some(kind) && self.assets.iter().any(|asset| asset == name) {
            return None;
        }
        if self.assets.iter().any(|asset| asset == name) {
            let problem = Problem::new("wrong_file", format!("`{name}` is no {what}"));
            return Some(problem.hint(match kind {
                AssetKind::Model => "models end in `.glb` or `.gltf`",
                AssetKind::Image => "pictures end in `.png`, `.jpg` or `.jpeg`",
                AssetKind::Sound => "sounds end in `.ogg`, `.wav` or `.mp3`",
            }));
        }
        let candidates =
            self.assets.iter().map(String::as_str).filter(|asset| AssetKind::of(asset) == Some(kind));
        let near = nearest_file(name, others.into_iter().chain(candidates));
        Some(Problem::new("missing_file", format!("there is no {what} `{name}` in `assets/`")).near(near))
    }

    fn check_bus(&self, bus: &str) -> Option<Problem> {
        let named = self.settings?.audio.buses.keys().map(String::as_str);
        let buses: Vec<&str> = BUSES.iter().copied().chain(named).collect();
        if buses.contains(&bus) {
            return None;
        }
        let near = suggest::nearest(bus, buses.iter().copied());
        let problem = Problem::new("unknown_bus", format!("there is no bus `{bus}`"));
        Some(if near.is_empty() {
            problem.hint(format!("name it in `game.json` at `audio.buses`; there are {}", buses.join(", ")))
        } else {
            problem.near(near)
        })
    }
}

/// What is wrong with the name that a field of a component is to hold: a model, sound, bus or script that is not there.
pub fn check_field(project: &Project, component: &str, field: &str, name: &str) -> Option<Problem> {
    let known =
        Known { scripts: &project.scripts, assets: &project.assets, settings: Some(&project.settings) };
    match (component, field) {
        ("mesh", "model") => known.check_model(name),
        ("sound", "clip") => known.check_asset(name, AssetKind::Sound, "sound", []),
        ("sound", "bus") => known.check_bus(name),
        ("script", "file") => known.check_script(name),
        _ => None,
    }
}

/// Clips that scenes play and that their models do not have.
pub fn check_clips(project: &Project, assets: &Assets) -> Vec<Problem> {
    check_each_scene(project, |scene| {
        let mut found = Vec::new();
        for (id, Animation { clip, .. }) in scene.columns.animation.iter() {
            let mesh = scene.columns.mesh.get(id);
            // Models that are missing are reported as such.
            let Some(model) = mesh.and_then(|mesh| assets.model(&mesh.model).ok()) else { continue };
            if clip.is_empty() || model.clip(clip).is_some() {
                continue;
            }
            let names: Vec<&str> = model.clips.iter().map(|clip| clip.name.as_str()).collect();
            let problem = Problem::new("unknown_clip", format!("its model has no clip `{clip}`"));
            found.push((id, "animation.clip".to_owned(), suggest_of(problem, clip, &names, "clips")));
        }
        found
    })
}

/// Values that scenes give to scripts that do not ask for them. `props` gives the names of a script's `prop`s, or
/// nothing for scripts that are missing or do not compile: those are reported as such.
pub fn check_props(project: &Project, props: &dyn Fn(&str) -> Option<Vec<String>>) -> Vec<Problem> {
    check_each_scene(project, |scene| {
        let mut found = Vec::new();
        for (id, script) in scene.columns.script.iter() {
            if script.props.is_empty() {
                continue;
            }
            let Some(known) = props(&script.file) else { continue };
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            for name in script.props.keys().filter(|name| !known.contains(&name.as_str())) {
                let problem = Problem::new("unknown_prop", format!("`{}` has no `prop {name}`", script.file));
                found.push((id, format!("script.props.{name}"), suggest_of(problem, name, &known, "props")));
            }
        }
        found
    })
}

/// What was found at an entity, at a path inside its components.
type Found = Vec<(EntityId, String, Problem)>;

fn check_each_scene(project: &Project, check: impl Fn(&Scene) -> Found) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (path, scene) in &project.scenes {
        let found = check(scene);
        if !found.is_empty() {
            problems.extend(locate(path, &project.files.read_text(path).unwrap_or_default(), found));
        }
    }
    problems
}

/// With the nearest name, or with all of them where none is near.
fn suggest_of(problem: Problem, name: &str, known: &[&str], what: &str) -> Problem {
    let near = suggest::nearest(name, known.iter().copied());
    match (near.is_empty(), known.is_empty()) {
        (false, _) => problem.near(near),
        (true, false) => problem.hint(format!("it has {}", suggest::list(known.iter().copied(), 12))),
        (true, true) => problem.hint(format!("it has no {what} at all")),
    }
}

/// The names nearest to that of a file: those near in spelling, or else the file of the same name in another folder.
pub(crate) fn nearest_file<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let stem = |path: &str| last(path).split('.').next().unwrap_or_default().to_owned();
    let mut near: Vec<String> =
        known.iter().filter(|path| last(path) == last(name)).take(2).map(|path| (*path).to_owned()).collect();
    if near.is_empty() {
        near = suggest::nearest(name, known.iter().copied());
    }
    if near.is_empty() {
        near = known
            .iter()
            .filter(|path| stem(path) == stem(name))
            .take(2)
            .map(|path| (*path).to_owned())
            .collect();
    }
    near
}

/// Gives problems of components their file and JSON path; entities are counted as the file has them.
fn locate(path: &str, text: &str, found: Found) -> Vec<Problem> {
    if found.is_empty() {
        return Vec::new();
    }
    let document: Value = serde_json::from_str(text).unwrap_or_default();
    let entities = document.get("entities").and_then(Value::as_array);
    let places: HashMap<u64, usize> = entities
        .into_iter()
        .flatten()
        .enumerate()
        .filter_map(|(index, entity)| Some((entity.get("id")?.as_u64()?, index)))
        .collect();
    let mut located: Vec<(usize, Problem)> = found
        .into_iter()
        .map(|(id, field, problem)| {
            let index = places.get(&u64::from(id.get())).copied().unwrap_or_default();
            (index, problem.file(path).path(format!("entities[{index}].components.{field}")))
        })
        .collect();
    located.sort_by_key(|(index, _)| *index);
    located.into_iter().map(|(_, problem)| problem).collect()
}
