//! What a snapshot, a hash and a tick cost: the numbers behind `docs/decisions/0003-world-is-cloned.md`.
//! Run with `cargo bench -p sim`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a bench reads the clock and may panic"
)]

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use project::{Assets, Project};
use rapier3d::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderBuilder, ColliderSet, ImpulseJointSet, IntegrationParameters,
    IslandManager, MultibodyJointSet, NarrowPhase, PhysicsPipeline, RigidBodyBuilder, RigidBodySet,
    SoftBodySet,
};
use scene::digest::{self, Digest};
use sim::{ContentBuilder, World};

/// Everything that rapier keeps between two steps.
#[derive(Clone)]
struct Bodies {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    parameters: IntegrationParameters,
}

impl Bodies {
    /// Boxes that fall in columns onto a floor.
    fn new(count: usize) -> Self {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        colliders.insert(ColliderBuilder::cuboid(200.0, 0.5, 200.0).build());
        for n in 0..count {
            let (column, floor) = ((n / 5) as f32, (n % 5) as f32);
            let place = glam::Vec3::new(
                (column % 10.0) * 1.5 + floor * 0.13,
                1.5 + floor * 1.1,
                (column / 10.0).floor() * 1.5,
            );
            let body = bodies.insert(RigidBodyBuilder::dynamic().translation(place).build());
            let shape = ColliderBuilder::cuboid(0.5, 0.5, 0.5).build();
            colliders.insert_with_parent(shape, body, &mut bodies);
        }
        Self {
            bodies,
            colliders,
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            parameters: IntegrationParameters { dt: 1.0 / 60.0, ..IntegrationParameters::default() },
        }
    }

    fn step(&mut self, times: u32) {
        for _ in 0..times {
            PhysicsPipeline::new().step(
                glam::Vec3::new(0.0, -9.81, 0.0),
                &self.parameters,
                &mut self.islands,
                &mut self.broad,
                &mut self.narrow,
                &mut self.bodies,
                &mut self.colliders,
                &mut self.impulse_joints,
                &mut self.multibody_joints,
                &mut self.soft_bodies,
                &mut self.ccd,
                &(),
                &(),
            );
        }
    }

    /// Everything, through serde.
    fn hash_all(&self) -> u128 {
        let mut digest = Digest::new();
        digest.add(&self.bodies);
        digest.add(&self.colliders);
        digest.add(&self.islands);
        digest.add(&self.broad);
        digest.add(&self.narrow);
        digest.finish()
    }

    /// Places and velocities alone.
    fn hash_motion(&self) -> u128 {
        let mut digest = Digest::new();
        for (_, body) in self.bodies.iter() {
            digest.add(&(
                body.translation().to_array(),
                body.rotation().to_array(),
                body.linvel().to_array(),
                body.angvel().to_array(),
                body.is_sleeping(),
            ));
        }
        digest.finish()
    }

    /// The same as `hash_all` with the bytes written out first.
    fn hash_bytes(&self) -> (u128, usize) {
        let parts = (&self.bodies, &self.colliders, &self.islands, &self.broad, &self.narrow);
        let bytes = serde_json::to_vec(&parts).unwrap();
        (xxhash_rust::xxh3::xxh3_128(&bytes), bytes.len())
    }
}

/// The median of some runs.
fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed()
        })
        .collect();
    times.sort();
    times[runs / 2]
}

fn micro(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A world of `entities`, a tenth of them with scripts, and `awake` bodies that never come to rest.
fn world(entities: usize, awake: usize) -> World {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "game.json",
        r#"{"name": "B", "id": "b", "mainScene": "scenes/m.scene.json",
            "input": {"actions": {"jump": {"keys": ["Space"]}, "go": {"axis": [["KeyA"], ["KeyD"]]}}}}"#,
    );
    let mut list = vec![
        r#"{"id": 1, "name": "Floor", "components": {"transform": {"position": [0, -0.5, 0]}, "collider": {"size": [400, 1, 400]}}}"#
            .to_owned(),
    ];
    for n in 0..entities {
        let (x, z) = ((n % 20) as f32 * 3.0 - 30.0, (n / 20) as f32 * 3.0 - 15.0);
        let transform = format!(r#""transform": {{"position": [{x}, 0.5, {z}], "rotation": [0, {n}, 0]}}"#);
        let rest = match n {
            _ if n < awake => {
                r#", "collider": {}, "body": {"velocity": [0.1, 0, 0]}, "script": {"file": "scripts/push.wander"}"#
            }
            _ if n % 10 == 0 => r#", "script": {"file": "scripts/turn.wander"}"#,
            _ if n % 2 == 0 => r#", "collider": {}"#,
            _ => "",
        };
        let parent = if n % 10 == 9 { format!(r#""parent": {}, "#, n + 1) } else { String::new() };
        list.push(format!(
            r#"{{"id": {}, "name": "E{n}", {parent}"components": {{{transform}{rest}}}}}"#,
            n + 2
        ));
    }
    write(
        folder.path(),
        "scenes/m.scene.json",
        &format!(r#"{{"format": 1, "entities": [{}]}}"#, list.join(", ")),
    );
    write(
        folder.path(),
        "scripts/turn.wander",
        "on update(dt)\n  self.rot.y = math.wrap(self.rot.y + 90 * dt, 0, 360)\nend\n",
    );
    write(
        folder.path(),
        "scripts/push.wander",
        "on update(dt)\n  self.velocity = (math.sin(time.now * 90 + self.id), self.velocity.y, 0)\nend\n",
    );
    let project = Project::load(folder.path()).0.unwrap();
    let assets = Assets::load(&project).0;
    let (content, problems) = ContentBuilder::build(&project, &assets, Default::default());
    assert_eq!(problems, []);
    World::new(Arc::new(content), project.main_scene(), "m", 1).0
}

fn main() {
    println!("bodies | step | clone | hash all | hash motion | bytes then hash | same after 600");
    for count in [20, 100, 1000] {
        let mut original = Bodies::new(count);
        original.step(30);
        let mut copy = original.clone();
        original.step(600);
        copy.step(600);
        let same = original.hash_all() == copy.hash_all();
        let mut stepped = Bodies::new(count);
        stepped.step(30);
        let step = median(30, || stepped.step(1));
        let clone = median(101, || {
            black_box(original.clone());
        });
        let all = median(31, || {
            black_box(original.hash_all());
        });
        let motion = median(101, || {
            black_box(original.hash_motion());
        });
        let mut size = 0;
        let bytes = median(11, || size = black_box(original.hash_bytes()).1);
        println!(
            "{count} | {:.0} µs | {:.0} µs | {:.0} µs | {:.1} µs | {:.0} µs ({size} bytes) | {same}",
            micro(step),
            micro(clone),
            micro(all),
            micro(motion),
            micro(bytes),
        );
    }
    println!("entities, awake | tick | clone | hash");
    for (entities, awake) in [(50, 5), (200, 20), (1000, 20), (1000, 200)] {
        let mut world = world(entities, awake);
        for _ in 0..60 {
            world.tick(&[]);
        }
        let tick = median(601, || {
            black_box(world.tick(&[]));
        });
        let clone = median(101, || {
            black_box(world.clone());
        });
        let hash = median(101, || {
            black_box(world.hash());
        });
        assert_eq!(digest::text(world.hash()).len(), 32);
        println!(
            "{entities}, {awake} | {:.1} µs | {:.1} µs | {:.1} µs",
            micro(tick),
            micro(clone),
            micro(hash)
        );
    }
}
