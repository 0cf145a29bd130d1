//! Projects with something wrong in them: every fault is named with its file, its JSON path and the nearest name.

use std::path::Path;

use project::{Assets, Project, references};

const GAME: &str = r#"{"name": "Test", "id": "test", "mainScene": "scenes/main.scene.json", "audio": {"buses": {"voices": 1}}}"#;

/// A folder of a game with these files.
fn game(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        write(folder.path(), path, text);
    }
    folder
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A model of one triangle with a clip `Walk`, its bytes in a file beside it.
const TRIANGLE: &str = r#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
  "nodes": [{"mesh": 0, "name": "Body"}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
  "animations": [{"name": "Walk", "samplers": [{"input": 1, "output": 0}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}],
  "buffers": [{"uri": "triangle.bin", "byteLength": 48}], "bufferViews": [{"buffer": 0, "byteLength": 48}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
    {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 3, "type": "SCALAR", "min": [0], "max": [2]}]}"#;

fn triangle_bytes() -> Vec<u8> {
    let numbers = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 2.0f32];
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[test]
fn every_name_that_leads_nowhere_is_reported_and_the_game_still_plays() {
    let scene = r#"{"format": 1, "entities": [
      {"id": 7, "name": "A", "components": {"mesh": {"model": "modles/triangle.gltf"}}},
      {"id": 2, "name": "B", "components": {"mesh": {"model": "cuve"}, "script": {"file": "scripts/heor.wander"}}},
      {"id": 3, "name": "C", "components": {"sound": {"clip": "coin.ogg", "bus": "voice"}}},
      {"id": 4, "name": "D", "components": {"mesh": {"model": "sounds/coin.ogg"}}},
      {"id": 5, "name": "E", "components": {"mesh": {"model": "models/triangle.gltf"}, "animation": {"clip": "Wakl"}}},
      {"id": 6, "name": "F", "components": {"sound": {"clip": "sounds/coin.ogg", "bus": "nothing like it"}}}]}"#;
    let folder = game(&[
        ("game.json", GAME),
        ("scenes/main.scene.json", scene),
        ("scripts/hero.wander", ""),
        ("assets/models/triangle.gltf", TRIANGLE),
        ("assets/sounds/coin.ogg", "OggS"),
    ]);
    std::fs::write(folder.path().join("assets/models/triangle.bin"), triangle_bytes()).unwrap();
    let (project, mut problems) = Project::load(folder.path());
    let project = project.expect("a missing model is no reason not to play");
    let (assets, found) = Assets::load(&project);
    assert_eq!(found, []);
    problems.extend(references::check_clips(&project, &assets));
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| {
            assert_eq!(problem.place.file.as_deref(), Some("scenes/main.scene.json"));
            assert!(problem.hint.is_some(), "{problem}");
            let path = problem.place.path.as_deref().unwrap();
            format!("{} {path} {}", problem.code, problem.near.join(","))
        })
        .collect();
    assert_eq!(
        lines,
        [
            "missing_file entities[0].components.mesh.model models/triangle.gltf",
            "missing_file entities[1].components.mesh.model cube",
            "missing_file entities[1].components.script.file scripts/hero.wander",
            "missing_file entities[2].components.sound.clip sounds/coin.ogg",
            "unknown_bus entities[2].components.sound.bus voices",
            "wrong_file entities[3].components.mesh.model ",
            "unknown_bus entities[5].components.sound.bus ",
            "unknown_clip entities[4].components.animation.clip Walk",
        ]
    );
    let body = assets.model("models/triangle.gltf").unwrap();
    assert_eq!(body.meshes[0][0].normals, [glam::Vec3::Z; 3], "missing normals are those of the planes");
    let middle = body.sample("Walk", 1.5, false).nodes[0].translation;
    assert_eq!(middle, glam::Vec3::new(0.5, 0.5, 0.0));
}

#[test]
fn faults_of_all_files_come_at_once() {
    let folder = game(&[
        ("game.json", r#"{"name": "Test", "id": "test", "mainScne": "scenes/main.scene.json"}"#),
        (
            "scenes/a.scene.json",
            r#"{"format": 1, "entities": [{"id": 1, "name": "A", "components": {"lihgt": {}}}]}"#,
        ),
        ("scenes/b.scene.json", "{"),
        (
            "scenes/c.scene.json",
            r#"{"format": 1, "entities": [{"id": 1, "name": "A", "components": {"mesh": {"model": "x.glb"}}}]}"#,
        ),
    ]);
    let (project, problems) = Project::load(folder.path());
    assert!(project.is_none());
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| format!("{} {}", problem.place.file.clone().unwrap_or_default(), problem.code))
        .collect();
    assert_eq!(
        lines,
        [
            "game.json missing_key",
            "game.json unknown_key",
            "scenes/a.scene.json unknown_key",
            "scenes/b.scene.json not_json",
            "scenes/c.scene.json missing_file",
        ]
    );
}

#[test]
fn what_is_no_project_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let (_, problems) = Project::load(&folder.path().join("nowhere"));
    assert_eq!((problems[0].code.as_str(), problems.len()), ("no_project", 1));
    assert!(problems[0].message.contains("nowhere") && problems[0].hint.is_some(), "{}", problems[0]);
    let (_, problems) = Project::load(folder.path());
    assert!(problems[0].message.contains("holds no `game.json`") && problems[0].hint.is_some());
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert_eq!(Project::load(&file).1[0].code, "no_project");
}

#[test]
fn a_main_scene_that_is_none_is_named_with_the_nearest() {
    for (files, near, says) in [
        (
            vec![("scenes/mian.scene.json", r#"{"format": 1, "entities": []}"#)],
            vec!["scenes/mian.scene.json"],
            "there is no",
        ),
        (vec![("scenes/main.json", r#"{"format": 1, "entities": []}"#)], vec![], "there is no"),
        (vec![], vec![], "there is no"),
    ] {
        let folder = game(&[("game.json", GAME)]);
        for (path, text) in files {
            write(folder.path(), path, text);
        }
        let (project, problems) = Project::load(folder.path());
        assert!(project.is_none());
        assert_eq!((problems.len(), problems[0].code.as_str()), (1, "no_scene"));
        assert_eq!(problems[0].near, near);
        assert!(problems[0].message.contains(says));
    }
    let folder =
        game(&[("game.json", &GAME.replace("scenes/main.scene.json", "main.json")), ("main.json", "{}")]);
    let problems = Project::load(folder.path()).1;
    assert!(problems[0].message.contains("scenes lie in `scenes/`"), "{}", problems[0]);
}

#[test]
fn files_that_lead_out_of_the_project_are_not_part_of_it() {
    let outer = tempfile::tempdir().unwrap();
    std::fs::write(outer.path().join("secret.glb"), "x").unwrap();
    let escaping = TRIANGLE.replace("triangle.bin", "../../../secret.glb");
    let folder = game(&[
        ("game.json", GAME),
        ("scenes/main.scene.json", r#"{"format": 1, "entities": []}"#),
        ("assets/escaping.gltf", &escaping),
        ("assets/fetching.gltf", &TRIANGLE.replace("triangle.bin", "http://example.invalid/a.bin")),
        ("assets/panicking.gltf", &TRIANGLE.replace("triangle.bin", "%ff")),
    ]);
    std::os::unix::fs::symlink(outer.path().join("secret.glb"), folder.path().join("assets/link.glb"))
        .unwrap();
    let (project, problems) = Project::load(folder.path());
    assert_eq!(problems, []);
    let project = project.unwrap();
    assert_eq!(project.assets, ["escaping.gltf", "fetching.gltf", "panicking.gltf"]);
    let (assets, problems) = Assets::load(&project);
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.as_str()).collect();
    assert_eq!(codes, ["bad_model", "bad_model", "bad_model"]);
    assert!(problems[0].message.contains("leads out of `assets/`"), "{}", problems[0]);
    assert!(assets.model("escaping.gltf").is_err());
    assert!(project.read_asset("link.glb").is_err() && project.read_asset("../game.json").is_err());
    assert_eq!(project.read_script("../../etc/hosts"), None);
}

#[test]
fn a_scene_that_is_written_is_the_same_when_it_is_read() {
    let scene = r#"{"$schema": "../s.json", "format": 1, "entities": [{"id": 3, "name": "A", "tags": ["x"], "components": {"mesh": {"model": "cube"}}}]}"#;
    let folder = game(&[("game.json", GAME), ("scenes/main.scene.json", scene)]);
    let project = Project::load(folder.path()).0.unwrap();
    project.write_scene("scenes/main.scene.json", &project.main_scene()).unwrap();
    let text = std::fs::read_to_string(folder.path().join("scenes/main.scene.json")).unwrap();
    assert!(text.contains("\"$schema\": \"../s.json\""), "{text}");
    let (again, problems) = project.read_scene("scenes/main.scene.json");
    assert_eq!(problems, []);
    assert_eq!(again.unwrap().document_hash(), project.main_scene().document_hash());
    for path in ["game.json", "scenes/../game.json", "../scenes/a.scene.json", "scenes/../../a.scene.json"] {
        assert!(project.write_scene(path, &project.main_scene()).is_err(), "{path}");
    }
}
