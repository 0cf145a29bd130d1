//! Models and pictures made elsewhere, checked by numbers where they are present beside the repository. The numbers
//! were computed from the files by a program that shares nothing with this one.

use std::path::{Path, PathBuf};

use base::Problem;
use glam::Vec3;
use project::Model;
use project::model::gltf::decode;

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
        std::fs::read(parent.join(path)).map_err(|error| Problem::new("cannot_read", error.to_string()))
    };
    decode(name, &bytes, &beside).unwrap_or_else(|problem| panic!("{problem}"))
}

fn check_joint(model: &Model, clip: &str, seconds: f32, name: &str, expected: [f32; 3]) {
    let index = model.nodes.iter().position(|node| node.name == name).unwrap();
    let nodes = model.sample(clip, seconds, true).matrices(model);
    let found = nodes[index].transform_point3(Vec3::ZERO);
    let tolerance = 0.002 * (1.0 + Vec3::from_array(expected).length() / 10.0);
    assert!(
        found.distance(Vec3::from_array(expected)) < tolerance,
        "{name} in {clip} at {seconds} s is at {found}, not at {expected:?}"
    );
}

#[test]
fn the_fox_has_its_skin_its_clips_and_moving_joints() {
    let Some(folder) = samples("fox") else { return };
    let fox = load(&folder, "gltf/Fox.glb");
    let clips: Vec<(&str, i32)> =
        fox.clips.iter().map(|clip| (clip.name.as_str(), (clip.seconds * 100.0).round() as i32)).collect();
    assert_eq!(clips, [("Survey", 342), ("Walk", 71), ("Run", 116)]);
    assert_eq!((fox.skins.len(), fox.skins[0].joints.len()), (1, 24));
    check_joint(&fox, "Run", 0.0, "b_Tail03_014", [0.0, 31.962, -68.193]);
    check_joint(&fox, "Run", 0.3, "b_Tail03_014", [0.0, 49.813, -69.482]);
    check_joint(&fox, "Run", 0.3 + fox.clip("Run").unwrap().seconds, "b_Tail03_014", [0.0, 49.813, -69.482]);
    check_joint(&fox, "Walk", 0.5, "b_Head_05", [-0.244, 53.125, 39.433]);
    check_joint(&fox, "Survey", 2.0, "b_Head_05", [0.13, 59.772, 38.332]);
    // In the pose that it was bound in, a skin leaves its mesh where it was.
    let primitive = &fox.meshes[0][0];
    assert_eq!((primitive.positions.len(), primitive.joints.len()), (1728, 1728));
    let (low, high) = fox.bounds;
    assert!((high - low).max_element() > 100.0 && (high - low).max_element() < 200.0, "{low} {high}");
}

#[test]
fn the_platformer_has_its_colour_map_and_its_node_animation() {
    let Some(folder) = samples("platformer") else { return };
    let character = load(&folder, "kenney-platformer/models/character.glb");
    let image = &character.images[0];
    assert_eq!((image.width, image.height, image.rgba.len()), (512, 512, 512 * 512 * 4));
    let pixel = |x: usize, y: usize| &image.rgba[(y * 512 + x) * 4..][..4];
    assert_eq!(pixel(16, 16), [0, 0, 0, 255]);
    assert_eq!(pixel(500, 500), [203, 134, 95, 255]);
    assert_eq!(pixel(300, 400), [246, 246, 249, 255]);
    assert_eq!(character.materials[0].base_color_texture.unwrap().image, 0);
    assert!(character.materials[0].double_sided);
    let names: Vec<&str> = character.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["static", "idle", "walk", "jump"]);
    for (seconds, leg, arm) in [
        (0.0, [0.125, 0.2, -0.024], [-0.3, 0.319, -0.024]),
        (0.1, [0.125, 0.339, 0.148], [-0.298, 0.43, -0.057]),
        (0.2, [0.125, 0.229, 0.04], [-0.3, 0.343, -0.037]),
        (0.3, [0.125, 0.338, -0.167], [-0.298, 0.413, 0.014]),
    ] {
        check_joint(&character, "walk", seconds, "leg-left", leg);
        check_joint(&character, "walk", seconds, "arm-right", arm);
    }
}

#[test]
fn a_model_without_pictures_and_clips_is_all_there() {
    let Some(folder) = samples("alien") else { return };
    let alien = load(&folder, "gltf/alien.glb");
    let vertices: usize = alien.meshes.iter().flatten().map(|primitive| primitive.positions.len()).sum();
    assert_eq!((alien.nodes.len(), alien.meshes.len(), alien.clips.len(), vertices), (8, 6, 0, 637));
    assert!(alien.triangles().1.iter().flatten().all(|index| (*index as usize) < 637));
}

#[test]
fn models_of_a_project_share_the_picture_that_they_share() {
    let Some(folder) = samples("shared picture") else { return };
    let game = tempfile::tempdir().unwrap();
    let text = r#"{"name": "T", "id": "t", "mainScene": "scenes/a.scene.json"}"#;
    std::fs::write(game.path().join("game.json"), text).unwrap();
    std::fs::create_dir_all(game.path().join("scenes")).unwrap();
    std::fs::write(game.path().join("scenes/a.scene.json"), r#"{"format": 1, "entities": []}"#).unwrap();
    for part in ["models", "models/Textures", "sounds"] {
        std::fs::create_dir_all(game.path().join("assets").join(part)).unwrap();
        for file in std::fs::read_dir(folder.join("kenney-platformer").join(part)).unwrap().flatten() {
            if file.path().is_file() {
                std::fs::copy(file.path(), game.path().join("assets").join(part).join(file.file_name()))
                    .unwrap();
            }
        }
    }
    let (project, problems) = project::Project::load(game.path());
    assert_eq!(problems, []);
    let (assets, problems) = project::Assets::load(&project.unwrap());
    assert_eq!(problems, []);
    let picture = |name: &str| assets.model(name).unwrap().images[0].clone();
    assert!(std::sync::Arc::ptr_eq(&picture("models/character.glb"), &picture("models/coin.glb")));
    assert!(assets.sound("sounds/coin.ogg").unwrap().starts_with(b"OggS"));
}
