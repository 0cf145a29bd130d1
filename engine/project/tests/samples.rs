//! Models and sounds made elsewhere, checked by numbers where they are present beside the repository.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use project::Model;

/// The folder of samples, or nothing where it is not there; the test says so and passes.
fn samples(what: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples");
    let folder = std::env::var_os("SKYWALKER_SAMPLES").map_or(beside, PathBuf::from);
    let found = folder.is_dir();
    println!("samples: {what} {}", if found { "checked" } else { "skipped, no samples here" });
    found.then_some(folder)
}

fn load(folder: &Path, name: &str) -> Model {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let parent = folder.join(name).parent().unwrap().to_path_buf();
    let beside = move |path: &str| {
        std::fs::read(parent.join(path)).map_err(|error| base::Problem::new("cannot_read", error.to_string()))
    };
    project::model::gltf::decode(name, &bytes, &beside).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Where a node of that name is, so many seconds into a clip.
fn joint(model: &Model, clip: &str, seconds: f32, name: &str) -> glam::Vec3 {
    let index = model.nodes.iter().position(|node| node.name == name).unwrap();
    model.sample(clip, seconds, true).matrices(model)[index].transform_point3(glam::Vec3::ZERO)
}

#[test]
fn the_fox_has_its_skin_its_clips_and_moving_joints() {
    let Some(folder) = samples("fox") else { return };
    let fox = load(&folder, "gltf/Fox.glb");
    let clips: Vec<(&str, i32)> =
        fox.clips.iter().map(|clip| (clip.name.as_str(), (clip.seconds * 100.0).round() as i32)).collect();
    assert_eq!(clips, [("Survey", 342), ("Walk", 71), ("Run", 116)]);
    assert_eq!((fox.skins.len(), fox.skins[0].joints.len()), (1, 24));
    let (start, later) = (joint(&fox, "Run", 0.0, "b_Tail03_014"), joint(&fox, "Run", 0.3, "b_Tail03_014"));
    assert!(start.distance(later) > 1.0, "{start} {later}");
    let again = joint(&fox, "Run", 0.3 + fox.clip("Run").unwrap().seconds, "b_Tail03_014");
    assert!(later.distance(again) < 0.01, "a looped clip comes back: {later} {again}");
}

#[test]
fn the_platformer_has_its_colour_map_and_its_node_animation() {
    let Some(folder) = samples("platformer") else { return };
    let character = load(&folder, "kenney-platformer/models/character.glb");
    assert_eq!(character.images.len(), 1);
    let image = &character.images[0];
    assert_eq!(image.rgba.len(), (image.width * image.height * 4) as usize);
    assert!(image.width >= 64, "{}", image.width);
    assert!(character.materials.iter().any(|material| material.base_color_texture.is_some()));
    assert!(character.clips.iter().any(|clip| clip.seconds > 0.0 && !clip.channels.is_empty()));
    let moving = character
        .clips
        .iter()
        .filter(|clip| character.sample(&clip.name, clip.seconds * 0.4, true) != character.rest())
        .count();
    assert!(moving > 0);
    for name in ["alien.glb", "Fox.glb"] {
        let model = load(&folder, &format!("gltf/{name}"));
        assert!((model.bounds.1 - model.bounds.0).max_element() > 0.0);
    }
}

#[test]
fn a_cut_off_model_is_refused_and_never_panics() {
    let Some(folder) = samples("cut off") else { return };
    let bytes = std::fs::read(folder.join("kenney-platformer/models/coin.glb")).unwrap();
    let none = |_: &str| Err(base::Problem::new("cannot_read", "nothing beside it"));
    for length in (0..bytes.len()).step_by(97) {
        assert!(project::model::gltf::decode("coin", &bytes[..length], &none).is_err());
    }
    let mut flipped = bytes.clone();
    for at in (0..bytes.len()).step_by(131) {
        flipped[at] ^= 0x5a;
        // Whatever it comes to, it comes to an answer.
        let _ = project::model::gltf::decode("coin", &flipped, &none);
        flipped[at] ^= 0x5a;
    }
}
