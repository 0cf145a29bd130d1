//! What never changes while a world runs and is shared by all its clones: compiled scripts, shapes, clips.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Problem;
use glam::Vec3;
use project::model::Model;
use project::{Assets, Project};
use wander::{Environment, Kind, Loader, Program};

use crate::input::InputMap;
use crate::scripts;

/// The shared part of a world.
#[derive(Debug, Clone)]
pub struct Content {
    /// What scripts may use.
    pub environment: Arc<Environment>,
    /// Compiled scripts by path.
    pub programs: BTreeMap<String, Arc<Program>>,
    /// Ticks a second.
    pub rate: u32,
    /// Metres a second squared.
    pub gravity: Vec3,
    /// What inputs mean.
    pub input: InputMap,
    /// Lengths of sounds in seconds, by name.
    pub sounds: BTreeMap<String, f32>,
    /// Models by name, for the triangles of colliders and the lengths of clips.
    models: BTreeMap<String, Arc<Model>>,
}

impl Content {
    /// A model's points and triangles, for collisions.
    pub(crate) fn triangles(&self, model: &str) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
        self.models.get(model).map(|model| model.triangles())
    }

    /// Names of a model's clips; none where there is no such model.
    pub(crate) fn clip_names(&self, model: &str) -> Option<impl Iterator<Item = &str>> {
        self.models.get(model).map(|model| model.clips.iter().map(|clip| clip.name.as_str()))
    }

    /// How long a clip is, in seconds.
    pub(crate) fn clip_seconds(&self, model: &str, clip: &str) -> Option<f32> {
        self.models.get(model)?.clips.iter().find(|known| known.name == clip).map(|known| known.seconds)
    }
}

/// Builds a [`Content`].
pub struct ContentBuilder;

impl ContentBuilder {
    /// From a project: scripts are compiled, models are shared. `sounds` are the lengths of
    /// sounds in seconds. A script that does not compile is left out and reported.
    pub fn build(
        project: &Project,
        assets: &Assets,
        sounds: BTreeMap<String, f32>,
    ) -> (Content, Vec<Problem>) {
        let environment = Arc::new(scripts::environment());
        let (programs, problems) = compile(project, &environment);
        let models = assets.models().map(|(name, model)| (name.clone(), Arc::clone(model))).collect();
        let content = Content {
            environment,
            programs,
            rate: project.settings.tick_rate,
            gravity: Vec3::from_array(project.settings.physics.gravity),
            input: InputMap::new(&project.settings.input),
            sounds,
            models,
        };
        (content, problems)
    }
}

/// What kind of file a script is, by its path.
pub fn kind_of(path: &str) -> Kind {
    if path.contains("/lib/") { Kind::Module } else { Kind::Entity }
}

/// Compiles every script of a project that some entity could bear; modules come with them.
pub fn compile(
    project: &Project,
    environment: &Environment,
) -> (BTreeMap<String, Arc<Program>>, Vec<Problem>) {
    compile_with(project, &project.scripts, None, environment)
}

/// The same for these scripts, one of which may say something else than its file does.
pub fn compile_with(
    project: &Project,
    scripts: &[String],
    instead: Option<(&str, &str)>,
    environment: &Environment,
) -> (BTreeMap<String, Arc<Program>>, Vec<Problem>) {
    let read = |name: &str| match instead {
        Some((path, text)) if project::script_paths(name).any(|place| place == path) => {
            Some((path.to_owned(), text.to_owned()))
        }
        _ => project.read_script(name),
    };
    let mut loader = Loader::new(environment, &read);
    let mut programs = BTreeMap::new();
    for path in scripts {
        // Files in a `lib` folder are modules: they are compiled with who uses them, in their own kind.
        let kind = kind_of(path);
        if let Some(program) = loader.load(kind, path) {
            programs.insert(path.clone(), program);
        }
    }
    // Who is left out may raise an event.
    if project.scripts.iter().all(|path| scripts.contains(path)) {
        loader.check_events();
    }
    // What cannot be read is no script that is missing.
    let written = |path: &String| instead.is_some_and(|(instead, _)| instead == path);
    let unreadable =
        scripts.iter().filter(|path| !written(path)).filter_map(|path| project.files.read_text(path).err());
    let mut problems: Vec<Problem> = unreadable.collect();
    for file in &loader.findings {
        for problem in file.problems() {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
    (programs, problems)
}
