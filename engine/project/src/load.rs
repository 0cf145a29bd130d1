//! Opening a project and finding everything that is wrong with it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use base::{Problem, suggest};
use scene::Scene;

use crate::references::{Known, nearest_file};
use crate::{Sandbox, Settings, settings};

/// How a scene file's name ends.
const SCENE: &str = ".scene.json";

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
    /// Opens a project. The project comes where `game.json` and the main scene can be used; every fault comes with it,
    /// files that scenes name in vain among them: they are shown as missing, which is no reason not to play.
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
        let scripts = scripts_in(&files);
        let assets: Vec<String> = files
            .list("assets")
            .into_iter()
            .filter_map(|path| path.strip_prefix("assets/").map(str::to_owned))
            .collect();
        let known = Known { scripts: &scripts, assets: &assets, settings: read.as_ref() };
        let mut scenes = BTreeMap::new();
        let paths: Vec<String> =
            files.list("scenes").into_iter().filter(|path| path.ends_with(SCENE)).collect();
        for path in &paths {
            match files.read_text(path) {
                Ok(text) => {
                    let (scene, found) = scene::file::read(path, &text);
                    problems.extend(found);
                    if let Some(scene) = scene {
                        problems.extend(known.check(path, &text, &scene));
                        scenes.insert(path.clone(), scene);
                    }
                }
                Err(problem) => problems.push(problem),
            }
        }
        let Some(settings) = read else { return (None, problems) };
        problems.extend(check_main_scene(&settings.main_scene, &paths, &files));
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
        let path = script_paths(name).find(|path| self.files.is_file(path))?;
        let text = self.files.read_text(&path).ok()?;
        Some((path, text))
    }

    /// Looks again which scripts there are.
    pub fn list_scripts(&mut self) {
        self.scripts = scripts_in(&self.files);
    }

    /// A scene as its file says it now; [`Self::scenes`] has it as it was when the project was opened.
    pub fn read_scene(&self, path: &str) -> (Option<Scene>, Vec<Problem>) {
        match self.files.read_text(path) {
            Ok(text) => scene::file::read(path, &text),
            Err(problem) => (None, vec![problem]),
        }
    }

    /// The bytes of an asset, by its path without `assets/`.
    pub fn read_asset(&self, name: &str) -> Result<Arc<[u8]>, Problem> {
        self.files.read(&format!("assets/{name}")).map(Arc::from)
    }

    /// Writes a scene's file, whole or not at all; the line that names its schema stays as it was.
    pub fn write_scene(&self, path: &str, scene: &Scene) -> Result<(), Problem> {
        if !(path.starts_with("scenes/") && path.ends_with(SCENE)) {
            return Err(Problem::new("bad_path", format!("`{path}` is no place for a scene"))
                .hint(format!("scenes lie in `scenes/` and end in `{SCENE}`")));
        }
        let schema = self.files.read_text(path).ok().and_then(|text| {
            let old: serde_json::Value = serde_json::from_str(&text).ok()?;
            old.get("$schema")?.as_str().map(str::to_owned)
        });
        self.files.write(path, scene::file::write(scene, schema.as_deref()).as_bytes())
    }
}

/// Why the scene that the game starts with is none; nothing where it is one, or where its own faults say it already.
fn check_main_scene(main_scene: &str, scenes: &[String], files: &Sandbox) -> Option<Problem> {
    if scenes.iter().any(|path| path == main_scene) {
        return None;
    }
    let problem = if files.is_file(main_scene) {
        Problem::new(
            "no_scene",
            format!("`{main_scene}` is no scene: scenes lie in `scenes/` and end in `{SCENE}`"),
        )
    } else {
        Problem::new("no_scene", format!("there is no scene `{main_scene}`"))
    };
    let near = nearest_file(main_scene, scenes.iter().map(String::as_str));
    let problem = if near.is_empty() && !scenes.is_empty() {
        problem.hint(format!("there are {}", suggest::list(scenes.iter().map(String::as_str), 8)))
    } else {
        problem
    };
    Some(problem.file("game.json").path("mainScene").near(near))
}

/// Paths of a project's scripts, in order.
fn scripts_in(files: &Sandbox) -> Vec<String> {
    files.list("scripts").into_iter().filter(|path| path.ends_with(".wander")).collect()
}

/// Where a script may lie that is named by its path, or by a module's name such as `lib/steering`.
pub fn script_paths(name: &str) -> impl Iterator<Item = String> {
    [name.to_owned(), format!("scripts/{name}.wander"), format!("{name}.wander")]
        .into_iter()
        .filter(|path| path.ends_with(".wander"))
}
