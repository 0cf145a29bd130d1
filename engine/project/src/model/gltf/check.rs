//! What the glTF library takes for granted about a file and would panic on.

use gltf::json::Root;
use gltf::json::validation::Checked;

/// The reader of binary files subtracts before it compares: a file shorter than its own head must not reach it.
pub(super) fn container(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"glTF") {
        return Ok(());
    }
    let length = bytes.get(8..12).and_then(|length| <[u8; 4]>::try_from(length).ok());
    match length.map(|length| u32::from_le_bytes(length) as usize) {
        Some(length) if length > 12 && length <= bytes.len() => Ok(()),
        Some(length) => {
            Err(format!("it says that it has {length} bytes, it has {}: was it cut off?", bytes.len()))
        }
        None => Err("it ends within its head".to_owned()),
    }
}

/// The library's own check of a document looks positions up before it has checked that they are there, and does not
/// look at what animations move.
pub(super) fn indices(json: &Root) -> Result<(), String> {
    let positions = Checked::Valid(gltf::Semantic::Positions);
    for (number, mesh) in json.meshes.iter().enumerate() {
        for primitive in &mesh.primitives {
            let accessor = primitive.attributes.get(&positions).map(|index| index.value());
            if accessor.is_some_and(|accessor| accessor >= json.accessors.len()) {
                return Err(format!("mesh {number} has its positions in an accessor that is not there"));
            }
        }
    }
    for (number, animation) in json.animations.iter().enumerate() {
        for channel in &animation.channels {
            if channel.sampler.value() >= animation.samplers.len() {
                return Err(format!("clip {number} uses a sampler that is not there"));
            }
            if channel.target.node.value() >= json.nodes.len() {
                return Err(format!("clip {number} moves a node that is not there"));
            }
            if channel.target.path == Checked::Invalid {
                return Err(format!("clip {number} moves something unknown of a node"));
            }
        }
        for sampler in &animation.samplers {
            if [sampler.input, sampler.output].iter().any(|index| index.value() >= json.accessors.len()) {
                return Err(format!("clip {number} has its values in an accessor that is not there"));
            }
            if sampler.interpolation == Checked::Invalid {
                return Err(format!("clip {number} has an unknown interpolation"));
            }
        }
    }
    Ok(())
}
