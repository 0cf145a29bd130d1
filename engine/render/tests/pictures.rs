//! Pictures by numbers: colours of regions, shadows, culling, text, skins. They need a Vulkan driver; Mesa's software
//! one will do, and without one they fail.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::sync::Arc;

use base::EntityId;
use glam::Vec3;
use project::model::shapes;
use render::{CameraView, FrameInput, Gpu, GpuOptions, Picture, RenderSettings, Renderer};
use scene::hud::{Anchor, HudContent, HudItem};
use scene::poses::{AnimationPose, ClipTime};
use scene::{ComponentSet, Entity, EntityData, Hud, Poses, Scene};
use serde_json::json;

fn renderer() -> Renderer {
    let gpu = Gpu::new(GpuOptions::default()).unwrap_or_else(|problem| panic!("{problem}"));
    let mut renderer = Renderer::new(&gpu, RenderSettings::SOFTWARE);
    for name in shapes::NAMES {
        renderer.load_model(name, &Arc::new(shapes::shape(name)));
    }
    renderer
}

fn scene(entities: &[serde_json::Value]) -> Scene {
    let mut scene = Scene::default();
    for (index, components) in entities.iter().enumerate() {
        let components: ComponentSet = serde_json::from_value(components.clone()).unwrap();
        let id = EntityId::new(index as u32 + 1).unwrap();
        scene.insert(EntityData { id, entity: Entity::named("x"), components });
    }
    scene
}

fn input<'a>(scene: &'a Scene, poses: &'a Poses, hud: &'a Hud) -> FrameInput<'a> {
    FrameInput { scene, poses, hud, camera: None, time_seconds: 0.0, show_hud: true }
}

fn take(renderer: &mut Renderer, scene: &Scene, size: [u32; 2]) -> Picture {
    let (poses, hud) = (Poses::default(), Hud::default());
    renderer.capture_now(&input(scene, &poses, &hud), size[0], size[1]).unwrap()
}

fn brightness(picture: &Picture, x: u32, y: u32) -> u32 {
    picture.pixel(x, y)[..3].iter().map(|part| u32::from(*part)).sum()
}

fn camera(y: f32, z: f32, pitch: f32) -> serde_json::Value {
    json!({"transform": {"position": [0, y, z], "rotation": [pitch, 0, 0]}, "camera": {}})
}

fn sun(pitch: f32) -> serde_json::Value {
    json!({"transform": {"rotation": [pitch, 0, 0]}, "light": {"kind": "sun", "intensity": 1}})
}

#[test]
fn a_red_cube_is_red_in_the_middle_and_the_sky_around_it_is_not() {
    let mut renderer = renderer();
    let scene =
        scene(&[camera(0.0, 3.0, 0.0), sun(-30.0), json!({"mesh": {"model": "cube", "color": "#ff2020"}})]);
    let picture = take(&mut renderer, &scene, [160, 90]);
    let [r, g, b, a] = picture.pixel(80, 45);
    assert!(r > 120 && g < 80 && b < 80 && a == 255, "{:?}", picture.pixel(80, 45));
    let [r, _, b, _] = picture.pixel(10, 10);
    assert!(b > r, "the sky is blue: {:?}", picture.pixel(10, 10));
    assert_eq!(renderer.stats().instances, 1);
    // The same composition at another size.
    let small = take(&mut renderer, &scene, [64, 36]);
    assert!(small.pixel(32, 18)[0] > 120);
}

#[test]
fn pictures_are_the_same_in_every_pixel_when_taken_twice() {
    let scene = scene(&[
        camera(2.0, 5.0, -20.0),
        sun(-40.0),
        json!({"mesh": {"model": "torus", "color": "#80c040"}}),
    ]);
    let first = take(&mut renderer(), &scene, [128, 72]);
    let second = take(&mut renderer(), &scene, [128, 72]);
    assert!(first == second);
}

#[test]
fn a_thing_between_the_sun_and_the_ground_throws_a_shadow() {
    let ground = json!({"transform": {"scale": [20, 1, 20]}, "mesh": {"model": "plane"}});
    let block =
        json!({"transform": {"position": [0, 2, 0], "scale": [2, 0.2, 2]}, "mesh": {"model": "cube"}});
    let from_above = json!({"transform": {"position": [0, 1.5, 4], "rotation": [-25, 0, 0]}, "camera": {}});
    let mut renderer = renderer();
    let lit = take(&mut renderer, &scene(&[from_above.clone(), sun(-89.0), ground.clone()]), [160, 90]);
    let shaded = take(&mut renderer, &scene(&[from_above, sun(-89.0), ground, block]), [160, 90]);
    // The ground right below the block, and far beside it.
    let (x, y) = (80, 41);
    let (dark, light) = (brightness(&shaded, x, y), brightness(&lit, x, y));
    assert!(dark + 100 < light, "{dark} in the shadow, {light} without it");
    assert_eq!(shaded.pixel(5, 88), lit.pixel(5, 88));
}

#[test]
fn a_lamp_lights_what_is_near_and_not_what_is_far() {
    let ground = json!({"transform": {"scale": [40, 1, 40]}, "mesh": {"model": "plane"}});
    let lamp = json!({"transform": {"position": [-3, 1, 0]}, "light": {"color": "#ff8000", "intensity": 6, "range": 4}});
    let mut renderer = renderer();
    let dark = take(&mut renderer, &scene(&[camera(6.0, 6.0, -45.0), ground.clone()]), [160, 90]);
    let lit = take(&mut renderer, &scene(&[camera(6.0, 6.0, -45.0), ground, lamp]), [160, 90]);
    let brighter: Vec<u32> =
        (0..160).filter(|x| brightness(&lit, *x, 45) > brightness(&dark, *x, 45) + 30).collect();
    assert!(brighter.iter().all(|x| *x < 115), "{brighter:?}");
    assert!(brighter.len() > 10, "{brighter:?}");
}

#[test]
fn what_lies_outside_the_view_is_left_out() {
    let mut entities = vec![camera(0.0, 0.0, 0.0)];
    for side in [-1.0f32, 1.0] {
        for n in 0..10 {
            entities.push(json!({"transform": {"position": [0, 0, side * (5.0 + n as f32)]}, "mesh": {"model": "sphere"}}));
        }
    }
    let mut renderer = renderer();
    take(&mut renderer, &scene(&entities), [64, 64]);
    let stats = renderer.stats();
    assert_eq!((stats.instances, stats.culled), (10, 10));
    assert!(stats.draw_calls < 20, "{stats:?}");
}

#[test]
fn text_and_bars_lie_over_the_picture_where_they_belong() {
    let mut renderer = renderer();
    let scene = scene(&[camera(0.0, 3.0, 0.0)]);
    let poses = Poses::default();
    let plain = renderer.capture_now(&input(&scene, &poses, &Hud::default()), 320, 180).unwrap();
    let mut hud = Hud::default();
    let text = HudItem {
        content: HudContent::Text("Flames 3".into()),
        anchor: Anchor::TopLeft,
        position: [20.0, 20.0],
        text_size: 48.0,
        ..HudItem::default()
    };
    let bar = HudItem {
        content: HudContent::Bar(0.5),
        anchor: Anchor::BottomRight,
        position: [-20.0, -20.0],
        size: [200.0, 40.0],
        ..HudItem::default()
    };
    hud.items.insert("text".into(), text);
    hud.items.insert("bar".into(), bar);
    let drawn = renderer.capture_now(&input(&scene, &poses, &hud), 320, 180).unwrap();
    let changed = |xs: std::ops::Range<u32>, ys: std::ops::Range<u32>| {
        xs.flat_map(|x| ys.clone().map(move |y| (x, y)))
            .filter(|(x, y)| drawn.pixel(*x, *y) != plain.pixel(*x, *y))
            .count()
    };
    assert!(changed(0..160, 0..60) > 200, "{}", changed(0..160, 0..60));
    assert!(changed(250..320, 155..180) > 300);
    assert_eq!(changed(100..220, 80..140), 0);
    let mut without = input(&scene, &poses, &hud);
    without.show_hud = false;
    assert!(renderer.capture_now(&without, 320, 180).unwrap() == plain);
}

#[test]
fn a_missing_model_is_a_magenta_cube_and_an_impossible_size_is_refused() {
    let mut renderer = renderer();
    let scene = scene(&[camera(0.0, 3.0, 0.0), json!({"mesh": {"model": "models/none.glb"}})]);
    let [r, g, b, _] = take(&mut renderer, &scene, [64, 36]).pixel(32, 18);
    assert!(r > 180 && b > 180 && g < 90, "{r} {g} {b}");
    let (poses, hud) = (Poses::default(), Hud::default());
    for (width, height) in [(0, 10), (10, 0), (100_000, 10)] {
        let problem = renderer.capture_now(&input(&scene, &poses, &hud), width, height).unwrap_err();
        assert_eq!(problem.code, "wrong_size");
    }
}

#[test]
fn captures_in_flight_come_back_by_their_tickets() {
    let (woken, wakes) = std::sync::mpsc::channel();
    let woken = std::sync::Mutex::new(woken);
    let wake: render::Wake = Arc::new(move || woken.lock().unwrap().send(()).unwrap());
    let gpu =
        Gpu::new(GpuOptions { wake, ..GpuOptions::default() }).unwrap_or_else(|problem| panic!("{problem}"));
    let mut renderer = Renderer::new(&gpu, RenderSettings::automatic(&gpu));
    let scene = scene(&[camera(0.0, 3.0, 0.0)]);
    let (poses, hud) = (Poses::default(), Hud::default());
    let tickets: Vec<_> =
        [32, 48, 64].map(|side| renderer.capture(&input(&scene, &poses, &hud), side, side).unwrap()).into();
    let mut done = Vec::new();
    while done.len() < 3 {
        wakes.recv_timeout(std::time::Duration::from_secs(20)).unwrap();
        done.extend(renderer.take_finished());
    }
    done.sort_by_key(|finished| finished.ticket);
    for (finished, (ticket, side)) in done.iter().zip(tickets.iter().zip([32, 48, 64])) {
        assert_eq!((finished.ticket, finished.picture.as_ref().unwrap().width), (*ticket, side));
    }
    let png = render::encode_png(done[0].picture.as_ref().unwrap()).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
}

/// Models made elsewhere, where they are present beside the repository; no picture of them is kept.
#[test]
fn a_fox_made_elsewhere_bends_with_its_skin() {
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples");
    let folder = std::env::var_os("SKYWALKER_SAMPLES").map_or(beside, std::path::PathBuf::from);
    let Ok(bytes) = std::fs::read(folder.join("gltf/Fox.glb")) else {
        println!("samples: the fox is skipped, no samples here");
        return;
    };
    let none = |_: &str| Err(base::Problem::new("cannot_read", "nothing beside it"));
    let fox = Arc::new(project::model::gltf::decode("Fox.glb", &bytes, &none).unwrap());
    let mut renderer = renderer();
    renderer.load_model("fox", &fox);
    let scene = scene(&[
        sun(-50.0),
        json!({"transform": {"scale": [0.02, 0.02, 0.02]}, "mesh": {"model": "fox"}, "animation": {"clip": "Run"}}),
    ]);
    let hud = Hud::default();
    let mut shots = Vec::new();
    for seconds in [0.0, 0.3] {
        let mut poses = Poses::default();
        let current = ClipTime { clip: "Run".into(), seconds, looped: true };
        poses
            .animations
            .insert(EntityId::new(2).unwrap(), AnimationPose { current, previous: None, weight: 1.0 });
        let mut frame = input(&scene, &poses, &hud);
        frame.camera = Some(CameraView::looking(Vec3::new(4.0, 1.5, 0.0), Vec3::new(0.0, 0.8, 0.0)));
        shots.push(renderer.capture_now(&frame, 160, 90).unwrap());
    }
    let orange = shots[0].rgba.chunks(4).filter(|p| p[0] > 100 && p[0] > p[2].saturating_add(40)).count();
    assert!(orange > 200, "the fox is orange by its texture: {orange} pixels");
    let moved = shots[0].rgba.chunks(4).zip(shots[1].rgba.chunks(4)).filter(|(a, b)| a != b).count();
    assert!(moved > 200, "{moved} pixels changed");
}

/// Degrees around the colour wheel.
fn hue(rgb: [f32; 3]) -> f32 {
    let [r, g, b] = rgb;
    (3.0f32.sqrt() * (g - b)).atan2(2.0 * r - g - b).to_degrees().rem_euclid(360.0)
}

/// Models that share one colour map, found beside them. The colours expected are means of the map's pixels at the
/// corners of faces, as another program reads the files.
#[test]
fn models_made_elsewhere_have_the_colours_of_their_map() {
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples");
    let folder = std::env::var_os("SKYWALKER_SAMPLES").map_or(beside, std::path::PathBuf::from);
    let folder = folder.join("kenney-platformer/models");
    if !folder.is_dir() {
        println!("samples: the platformer's pictures are skipped, no samples here");
        return;
    }
    let expected = [
        ("brick", [201.0, 127.0, 98.0], 0.5),
        ("coin", [255.0, 169.0, 64.0], 0.2),
        ("platform", [147.0, 119.0, 78.0], 0.3),
    ];
    let mut renderer = renderer();
    for (name, color, height) in expected {
        let file = format!("{name}.glb");
        let bytes = std::fs::read(folder.join(&file)).unwrap();
        let neighbour = |path: &str| {
            std::fs::read(folder.join(path))
                .map_err(|error| base::Problem::new("cannot_read", error.to_string()))
        };
        let model = Arc::new(project::model::gltf::decode(&file, &bytes, &neighbour).unwrap());
        renderer.load_model(name, &model);
        let mut scene = scene(&[
            json!({"transform": {"rotation": [-20, 0, 0]}, "light": {"kind": "sun", "intensity": 0.6}}),
            json!({"mesh": {"model": name}}),
        ]);
        let white = scene::Color::WHITE;
        (scene.environment.sky, scene.environment.horizon, scene.environment.ground) = (white, white, white);
        let (poses, hud) = (Poses::default(), Hud::default());
        let mut frame = input(&scene, &poses, &hud);
        frame.camera = Some(CameraView::looking(Vec3::new(0.0, height, 2.5), Vec3::new(0.0, height, 0.0)));
        let picture = renderer.capture_now(&frame, 160, 90).unwrap();
        let mut mean = [0.0; 3];
        for (x, y) in (76..84).flat_map(|x| (41..49).map(move |y| (x, y))) {
            let pixel = picture.pixel(x, y);
            mean = [0, 1, 2].map(|channel| mean[channel] + f32::from(pixel[channel]) / 64.0);
        }
        let off = (hue(mean) - hue(color) + 180.0).rem_euclid(360.0) - 180.0;
        assert!(off.abs() < 13.0, "{name}: {mean:?} is {off} degrees off {color:?}");
    }
}
