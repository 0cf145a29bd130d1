//! Models made here, byte by byte: what they mean, and that no file, however broken, does worse than being refused.

use base::Problem;
use glam::{Mat4, Quat, Vec3};
use project::Model;
use project::model::gltf::decode;
use project::model::{Alpha, Track};
use serde_json::{Value, json};

fn nothing_beside(_: &str) -> Result<Vec<u8>, Problem> {
    Err(Problem::new("cannot_read", "there is nothing beside it"))
}

/// A binary file of a document and its bytes.
fn binary(document: &Value, bytes: &[u8]) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let mut file = b"glTF".to_vec();
    file.extend(2u32.to_le_bytes());
    file.extend((28 + text.len() as u32 + bytes.len() as u32).to_le_bytes());
    for (kind, part) in [(b"JSON", &text), (b"BIN\0", &bytes)] {
        file.extend((part.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(part);
    }
    file
}

/// A document under construction: each list of numbers becomes a view and an accessor.
struct Builder {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Builder {
    fn new() -> Self {
        Self { bytes: Vec::new(), views: Vec::new(), accessors: Vec::new() }
    }

    fn add(&mut self, kind: &str, component: u32, count: usize, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        self.accessors
            .push(json!({"bufferView": self.views.len() - 1, "componentType": component, "count": count,
            "type": kind, "min": [0, 0, 0], "max": [1, 1, 1]}));
        self.accessors.len() - 1
    }

    fn floats(&mut self, kind: &str, parts: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.add(kind, 5126, values.len() / parts, &bytes)
    }

    fn finish(self, mut document: Value) -> (Value, Vec<u8>) {
        document["asset"] = json!({"version": "2.0"});
        document["buffers"] = json!([{"byteLength": self.bytes.len()}]);
        document["bufferViews"] = self.views.into();
        document["accessors"] = self.accessors.into();
        (document, self.bytes)
    }
}

/// An arm of two joints, each vertex bound to one of them, that turns by a quarter at its elbow in a second; with
/// everything that materials may say.
fn arm() -> (Value, Vec<u8>) {
    let mut build = Builder::new();
    let positions = build.floats("VEC3", 3, &[0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 2.0, 0.0]);
    let joints = build.add("VEC4", 5121, 3, &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    // Bytes are fractions of 255, and these add up to 2: both are put right.
    let weights = build.add("VEC4", 5121, 3, &[255, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
    let uvs = build.add("VEC2", 5123, 3, &[0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255, 255]);
    let indices = build.add("SCALAR", 5121, 3, &[0, 1, 2]);
    let mut inverse = Mat4::IDENTITY.to_cols_array().to_vec();
    inverse.extend(Mat4::from_translation(Vec3::NEG_Y).to_cols_array());
    let bind = build.floats("MAT4", 16, &inverse);
    let times = build.floats("SCALAR", 1, &[0.0, 1.0]);
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2).to_array();
    let linear = build.floats("VEC4", 4, &[[0.0, 0.0, 0.0, 1.0], quarter].concat());
    let still = [0.0; 4];
    let cubic =
        build.floats("VEC4", 4, &[still, [0.0, 0.0, 0.0, 1.0], still, still, quarter, still].concat());
    build.finish(json!({
        "scene": 0, "scenes": [{"nodes": [2, 0]}],
        "nodes": [
            {"name": "Shoulder", "children": [1]},
            {"name": "Elbow", "translation": [0, 1, 0]},
            // A mesh that is bent ignores where its own node is.
            {"name": "Mesh", "mesh": 0, "skin": 0, "translation": [50, 0, 0]}
        ],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": bind}],
        "meshes": [{"primitives": [{"material": 0, "indices": indices,
            "attributes": {"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights, "TEXCOORD_0": uvs}}]}],
        "animations": [
            {"name": "Bend", "samplers": [{"input": times, "output": linear}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]},
            {"name": "Swing", "samplers": [{"input": times, "output": cubic, "interpolation": "CUBICSPLINE"}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]},
            {"name": "Snap", "samplers": [{"input": times, "output": linear, "interpolation": "STEP"}], "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}]}
        ],
        "materials": [{"name": "Skin", "doubleSided": true, "alphaMode": "MASK", "alphaCutoff": 0.25,
            "emissiveFactor": [1, 0.5, 0], "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions":
                {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 3], "rotation": 1.5}}}, "metallicFactor": 0.5},
            "normalTexture": {"index": 0, "scale": 0.75},
            "extensions": {"KHR_materials_unlit": {}, "KHR_materials_emissive_strength": {"emissiveStrength": 4}}}],
        "textures": [{"source": 0, "sampler": 0}], "samplers": [{"magFilter": 9728, "wrapS": 33071}],
        "images": [{"uri": PIXEL}],
        "extensionsUsed": ["KHR_texture_transform", "KHR_materials_unlit", "KHR_materials_emissive_strength"]
    }))
}

/// A picture of one pixel: red 255, green 128, blue 0.
const PIXEL: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP438AAAAQBAYDFKhhdAAAAAElFTkSuQmCC";

fn arm_model() -> Model {
    let (document, bytes) = arm();
    decode("arm.glb", &binary(&document, &bytes), &nothing_beside).unwrap()
}

/// Where the fingertip is, so many seconds into a clip.
fn fingertip(model: &Model, clip: &str, seconds: f32) -> Vec3 {
    let nodes = model.sample(clip, seconds, false).matrices(model);
    let joints = model.skins[0].matrices(&nodes);
    let primitive = &model.meshes[0][0];
    joints[usize::from(primitive.joints[2][0])].transform_point3(primitive.positions[2])
}

#[test]
fn joints_bend_a_mesh_as_their_clips_say() {
    let model = arm_model();
    let near = |clip: &str, seconds: f32, x: f32, y: f32| {
        let found = fingertip(&model, clip, seconds);
        assert!(found.distance(Vec3::new(x, y, 0.0)) < 1e-5, "{clip} at {seconds}: {found}");
    };
    let diagonal = std::f32::consts::FRAC_1_SQRT_2;
    near("Bend", 0.0, 0.0, 2.0);
    near("Bend", 0.5, -diagonal, 1.0 + diagonal);
    near("Bend", 1.0, -1.0, 1.0);
    near("Bend", 9.0, -1.0, 1.0);
    near("Snap", 0.99, 0.0, 2.0);
    near("Snap", 1.0, -1.0, 1.0);
    // With level tangents a spline passes the middle of its time in the middle of its way.
    near("Swing", 0.5, -diagonal, 1.0 + diagonal);
    near("no such clip", 0.5, 0.0, 2.0);
    assert!(fingertip(&model, "Swing", 0.25).x > fingertip(&model, "Bend", 0.25).x, "a spline starts slowly");
    let Track::Rotation(values) = &model.clip("Swing").unwrap().channels[0].track else {
        panic!("no rotation")
    };
    assert_eq!(values[0], Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), "tangents are no rotations");
}

#[test]
fn poses_blend_and_a_loop_comes_back() {
    let model = arm_model();
    let half = model.rest().blend(&model.sample("Bend", 1.0, false), 0.5);
    let elbow = half.nodes.iter().map(|node| node.rotation.to_scaled_axis().z).fold(0.0, f32::max);
    assert!((elbow - std::f32::consts::FRAC_PI_4).abs() < 1e-5, "{elbow}");
    assert_eq!(model.sample("Bend", 2.25, true), model.sample("Bend", 0.25, true));
    assert_eq!(model.sample("Bend", -0.75, true), model.sample("Bend", 0.25, true));
    assert_eq!(model.sample("Bend", f32::NAN, true).nodes.len(), 3);
}

#[test]
fn vertices_and_materials_are_what_the_file_says() {
    let model = arm_model();
    let primitive = &model.meshes[0][0];
    assert_eq!(primitive.weights, [[0.5, 0.5, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]);
    assert_eq!(primitive.uvs[1], glam::Vec2::X);
    assert_eq!(primitive.normals, [Vec3::Z; 3]);
    assert_eq!(model.bounds, (Vec3::ZERO, Vec3::new(0.1, 2.0, 0.0)), "bounds are those of the bent mesh");
    let parents: Vec<Option<usize>> = model.nodes.iter().map(|node| node.parent).collect();
    assert_eq!(parents, [None, None, Some(1)]);
    let material = &model.materials[0];
    let texture = material.base_color_texture.unwrap();
    assert_eq!((texture.scale, texture.rotation, texture.offset), ([2.0, 3.0], 1.5, [0.5, 0.0]));
    assert!(texture.nearest && !texture.repeat);
    assert_eq!((material.emissive, material.metallic, material.roughness), ([4.0, 2.0, 0.0], 0.5, 1.0));
    assert!(material.unlit && material.double_sided && material.alpha == Alpha::Mask(0.25));
    assert_eq!((material.normal_texture.is_some(), material.normal_scale), (true, 0.75));
    assert_eq!(model.images[0].rgba, [255, 128, 0, 255]);
}

#[test]
fn strips_fans_and_sparse_values_become_plain_triangles() {
    let mut build = Builder::new();
    let positions = build.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]);
    let normals = build.floats("VEC3", 3, &[0.0, 0.0, 2.0].repeat(4));
    build.add("SCALAR", 5121, 1, &[3]);
    build.floats("VEC3", 3, &[7.0, 7.0, 0.0]);
    build.accessors[positions]["sparse"] = json!({"count": 1,
        "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 3}});
    let attributes = json!({"POSITION": positions, "NORMAL": normals});
    let (document, bytes) = build.finish(json!({"nodes": [{"mesh": 0}], "meshes": [{"primitives": [
        {"attributes": attributes, "mode": 5}, {"attributes": attributes, "mode": 6}, {"attributes": attributes, "mode": 1}]}]}));
    let model = decode("strip.glb", &binary(&document, &bytes), &nothing_beside).unwrap();
    let indices: Vec<&[u32]> = model.meshes[0].iter().map(|primitive| primitive.indices.as_slice()).collect();
    assert_eq!(indices, [[0, 1, 2, 2, 1, 3], [0, 1, 2, 0, 2, 3]]);
    assert_eq!(model.meshes[0][0].positions[3], Vec3::new(7.0, 7.0, 0.0));
    assert_eq!(model.meshes[0][0].normals[0], Vec3::Z, "normals have unit length");
}

/// What is said about the arm after one change of its document.
fn refused(change: impl FnOnce(&mut Value)) -> String {
    let (mut document, bytes) = arm();
    change(&mut document);
    let problem = decode("arm.glb", &binary(&document, &bytes), &nothing_beside)
        .map(|_| ())
        .expect_err("a broken model is refused");
    assert_eq!((problem.code.as_str(), problem.place.file.as_deref()), ("bad_model", Some("assets/arm.glb")));
    problem.message
}

#[test]
fn what_a_broken_model_lacks_is_said() {
    let says = |message: String, part: &str| assert!(message.contains(part), "{message}\n  lacks: {part}");
    says(refused(|d| d["nodes"][1]["children"] = json!([0])), "its own ancestor");
    says(refused(|d| d["nodes"][2]["children"] = json!([1])), "node 1 has two parents");
    says(refused(|d| d["nodes"][2]["children"] = json!([99])), "nodes[2].children[0]");
    says(refused(|d| d["scenes"][0]["nodes"] = json!([2])), "skin 0 has a joint that is not in the scene");
    says(refused(|d| d["skins"][0]["joints"] = json!([0])), "a vertex bound to joint 1 of 1");
    says(refused(|d| d["accessors"][0]["count"] = json!(4)), "accessor 0 lies beyond its buffer view");
    says(refused(|d| d["accessors"][0]["count"] = json!(u64::MAX)), "more than 4000000 vertices");
    says(refused(|d| d["accessors"][4]["count"] = json!(u64::MAX)), "more than 48000000 numbers");
    says(refused(|d| d["accessors"][0]["byteOffset"] = json!(u64::MAX)), "lies beyond its buffer view");
    says(
        refused(|d| d["accessors"][0]["componentType"] = json!(5121)),
        "mesh 0, primitive 0: accessor 0 must hold F32, not U8",
    );
    says(
        refused(|d| d["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(99)),
        "positions in an accessor",
    );
    says(refused(|d| d["accessors"][4]["componentType"] = json!(5126)), "must hold unsigned integers");
    says(refused(|d| d["accessors"][1]["type"] = json!("VEC2")), "must hold [Vec4], not Vec2");
    says(refused(|d| d["accessors"][5]["type"] = json!("SCALAR")), "must hold [Mat4]");
    says(refused(|d| d["accessors"][7]["componentType"] = json!(5125)), "");
    says(refused(|d| d["bufferViews"][0]["byteLength"] = json!(1u64 << 40)), "lies beyond its buffer");
    says(refused(|d| d["bufferViews"][0]["byteOffset"] = json!(u64::MAX)), "lies beyond its buffer");
    says(refused(|d| d["buffers"][0]["byteLength"] = json!(1 << 30)), "buffer 0 has");
    says(refused(|d| d["buffers"][0]["uri"] = json!("gone.bin")), "there is nothing beside it");
    says(refused(|d| d["buffers"][0]["uri"] = json!("%ff")), "broken path");
    says(refused(|d| d["images"][0] = json!({})), "picture 0 has neither a file");
    says(refused(|d| d["images"][0] = json!({"bufferView": 0})), "picture 0 has neither a file");
    says(refused(|d| d["images"][0]["uri"] = json!("data:;base64,AAAA")), "no picture");
    says(refused(|d| d["nodes"][1]["rotation"] = json!([1e300, 0, 0, 0])), "");
    says(refused(|d| d["nodes"][1] = json!({"translation": [1e39, 0, 0]})), "number out of range");
    says(
        refused(|d| d["animations"][0]["channels"][0]["target"]["node"] = json!(9)),
        "moves a node that is not there",
    );
    says(
        refused(|d| d["animations"][0]["channels"][0]["target"]["path"] = json!("x")),
        "moves something unknown",
    );
    says(
        refused(|d| d["animations"][0]["channels"][0]["sampler"] = json!(9)),
        "uses a sampler that is not there",
    );
    says(
        refused(|d| d["animations"][0]["samplers"][0]["interpolation"] = json!("x")),
        "unknown interpolation",
    );
    says(refused(|d| d["animations"][0]["samplers"][0]["output"] = json!(99)), "values in an accessor");
    says(refused(|d| d["animations"][0]["samplers"][0]["input"] = json!(0)), "accessor 0 must hold [Scalar]");
    says(
        refused(|d| d["animations"][1]["samplers"][0]["interpolation"] = json!("LINEAR")),
        "2 times need 2 values",
    );
    says(refused(|d| d["extensionsRequired"] = json!(["KHR_draco_mesh_compression"])), "extensionsRequired");
    says(refused(|d| d["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(6)), "must hold [Vec3]");
}

#[test]
fn no_byte_of_a_model_can_make_the_reader_panic() {
    let (document, bytes) = arm();
    let file = binary(&document, &bytes);
    for length in 0..file.len() {
        assert!(decode("cut.glb", &file[..length], &nothing_beside).is_err(), "cut at {length}");
    }
    let mut changed = file.clone();
    for at in 0..file.len() {
        for value in [0, 0xff, file[at] ^ 0x01, file[at] ^ 0x80, b'9'] {
            changed[at] = value;
            // Whatever it comes to, it comes to an answer.
            let _ = decode("changed.glb", &changed, &nothing_beside);
        }
        changed[at] = file[at];
    }
}

#[test]
fn no_number_of_a_document_can_make_the_reader_panic() {
    fn numbers(at: &Value, path: &str, found: &mut Vec<String>) {
        match at {
            Value::Object(object) => {
                object.iter().for_each(|(name, inner)| numbers(inner, &format!("{path}/{name}"), found))
            }
            Value::Array(items) => {
                items
                    .iter()
                    .enumerate()
                    .for_each(|(index, inner)| numbers(inner, &format!("{path}/{index}"), found));
            }
            Value::Number(_) => found.push(path.to_owned()),
            _ => {}
        }
    }
    let (document, bytes) = arm();
    let mut found = Vec::new();
    numbers(&document, "", &mut found);
    assert!(found.len() > 100, "{}", found.len());
    for path in found {
        for value in [
            json!(0),
            json!(1),
            json!(2),
            json!(7),
            json!(255),
            json!(5125),
            json!(u32::MAX),
            json!(u64::MAX),
            json!(-1),
            json!(1e300),
        ] {
            let mut changed = document.clone();
            *changed.pointer_mut(&path).unwrap() = value;
            let _ = decode("changed.glb", &binary(&changed, &bytes), &nothing_beside);
        }
    }
}
