//! What never changes while a world runs and is shared by all its clones: compiled scripts, shapes, clips.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Problem;
use glam::Vec3;
use project::{Assets, Project};
use wander::{Environment, Kind, Loader, Program};

use crate::input::InputMap;
use crate::scripts;

/// A mesh's points and triangles, for collisions.
pub(crate) type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// The shared part of a world.
#[derive(Debug)]
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
    pub(crate) triangles: BTreeMap<String, Triangles>,
    pub(crate) clips: BTreeMap<String, Vec<(String, f32)>>,
}

/// Builds a [`Content`].
pub struct ContentBuilder;

impl ContentBuilder {
    /// From a project: scripts are compiled, meshes that scenes collide with are kept. `sounds` are the lengths of
    /// sounds in seconds. A script that does not compile is left out and reported.
    pub fn build(
        project: &Project,
        assets: &Assets,
        sounds: BTreeMap<String, f32>,
    ) -> (Content, Vec<Problem>) {
        let environment = Arc::new(scripts::environment());
        let (programs, problems) = compile(project, &environment);
        let mut triangles = BTreeMap::new();
        for scene in project.scenes.values() {
            for (id, collider) in scene.columns.collider.iter() {
                if collider.shape == scene::components::ColliderShape::Mesh
                    && let Some(mesh) = scene.columns.mesh.get(id)
                    && let Ok(model) = assets.model(&mesh.model)
                {
                    triangles.entry(mesh.model.clone()).or_insert_with(|| model.triangles());
                }
            }
        }
        let clips = assets
            .models()
            .filter(|(_, model)| !model.clips.is_empty())
            .map(|(name, model)| {
                (name.clone(), model.clips.iter().map(|clip| (clip.name.clone(), clip.seconds)).collect())
            })
            .collect();
        let content = Content {
            environment,
            programs,
            rate: project.settings.tick_rate,
            gravity: Vec3::from_array(project.settings.physics.gravity),
            input: InputMap::new(&project.settings.input),
            sounds,
            triangles,
            clips,
        };
        (content, problems)
    }
}

/// Compiles every script of a project that some entity could bear; modules come with them.
pub fn compile(
    project: &Project,
    environment: &Environment,
) -> (BTreeMap<String, Arc<Program>>, Vec<Problem>) {
    let read = |name: &str| project.read_script(name);
    let mut loader = Loader::new(environment, &read);
    let mut programs = BTreeMap::new();
    for path in &project.scripts {
        // Files in a `lib` folder are modules: they are compiled with who uses them, in their own kind.
        let kind = if path.contains("/lib/") { Kind::Module } else { Kind::Entity };
        if let Some(program) = loader.load(kind, path) {
            programs.insert(path.clone(), program);
        }
    }
    let mut problems: Vec<Problem> = Vec::new();
    for file in &loader.findings {
        for problem in file.problems() {
            if !problems.contains(&problem) {
                problems.push(problem);
            }
        }
    }
    (programs, problems)
}
