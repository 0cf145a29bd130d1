//! Opening a project and finding everything that is wrong with it.

use std::collections::BTreeMap;
use std::path::Path;

use base::{Problem, suggest};
use scene::Scene;
use scene::components::{Mesh, Script, Sound};

use crate::model::shapes;
use crate::{Sandbox, Settings, settings};

/// An open project.
#[derive(Debug)]
pub struct Project {
    /// Its files.
    pub files: Sandbox,
    /// `game.json`.
    pub settings: Settings,
    /// Its scenes by path, read and checked.
    pub scenes: BTreeMap<String, Scene>,
    /// Paths of its scripts, in order.
    pub scripts: Vec<String>,
    /// Paths of its assets without `assets/`, in order.
    pub assets: Vec<String>,
}

impl Project {
    /// Opens a project. The project comes where `game.json` and the main scene can be used; every fault comes with it.
    pub fn load(root: &Path) -> (Option<Self>, Vec<Problem>) {
        let files = match Sandbox::open(root) {
            Ok(files) => files,
            Err(problem) => return (None, vec![problem]),
        };
        if !files.is_file("game.json") {
            let problem = Problem::new("no_project", format!("{} holds no `game.json`", root.display()))
                .hint("name the folder of a game, such as `assets/games/lantern-keep`");
            return (None, vec![problem]);
        }
        let (read, mut problems) = match files.read_text("game.json") {
            Ok(text) => settings::read(&text),
            Err(problem) => (None, vec![problem]),
        };
        let scripts: Vec<String> =
            files.list("scripts").into_iter().filter(|path| path.ends_with(".wander")).collect();
        let assets: Vec<String> = files
            .list("assets")
            .into_iter()
            .filter_map(|path| path.strip_prefix("assets/").map(str::to_owned))
            .collect();
        let mut scenes = BTreeMap::new();
        for path in files.list("scenes").into_iter().filter(|path| path.ends_with(".scene.json")) {
            match files.read_text(&path) {
                Ok(text) => {
                    let (scene, found) = scene::file::read(&path, &text);
                    problems.extend(found);
                    if let Some(scene) = scene {
                        problems.extend(check_references(&path, &scene, &scripts, &assets));
                        scenes.insert(path, scene);
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
        let Some(settings) = read else { return (None, problems) };
        if !scenes.contains_key(&settings.main_scene) && !files.is_file(&settings.main_scene) {
            problems.push(
                Problem::new("no_scene", format!("there is no scene `{}`", settings.main_scene))
                    .file("game.json")
                    .path("mainScene")
                    .near(suggest::nearest(&settings.main_scene, scenes.keys().map(String::as_str))),
            );
        }
        let usable = scenes.contains_key(&settings.main_scene);
        let project = usable.then_some(Self { files, settings, scenes, scripts, assets });
        (project, problems)
    }

    /// The scene that the game starts with.
    pub fn main_scene(&self) -> Scene {
        self.scenes.get(&self.settings.main_scene).cloned().unwrap_or_default()
    }

    /// A script's path and text, from its path or from a module's name such as `lib/steering`.
    pub fn read_script(&self, name: &str) -> Option<(String, String)> {
        let candidates = [name.to_owned(), format!("scripts/{name}.wander"), format!("{name}.wander")];
        let path =
            candidates.into_iter().find(|path| path.ends_with(".wander") && self.files.is_file(path))?;
        let text = self.files.read_text(&path).ok()?;
        Some((path, text))
    }
}

/// Files that a scene names and that are not there. They are no reason not to play: what is missing is shown as such.
fn check_references(path: &str, scene: &Scene, scripts: &[String], assets: &[String]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let index_of = |id| scene.entities.position(id).unwrap_or_default();
    let mut missing = |id, place: &str, name: &str, known: &[String], what: &str| {
        let near = suggest::nearest(name, known.iter().map(String::as_str));
        problems.push(
            Problem::new("missing_file", format!("there is no {what} `{name}`"))
                .file(path)
                .path(format!("entities[{}].components.{place}", index_of(id)))
                .near(near)
                .warning(),
        );
    };
    for (id, Mesh { model, .. }) in scene.columns.mesh.iter() {
        if !assets.contains(model) && !shapes::NAMES.contains(&model.as_str()) {
            missing(id, "mesh.model", model, assets, "model");
        }
    }
    for (id, Sound { clip, .. }) in scene.columns.sound.iter() {
        if !assets.contains(clip) {
            missing(id, "sound.clip", clip, assets, "sound");
        }
    }
    for (id, Script { file, .. }) in scene.columns.script.iter() {
        if !scripts.contains(file) {
            missing(id, "script.file", file, scripts, "script");
        }
    }
    problems
}
