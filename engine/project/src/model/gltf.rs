//! glTF files to models. Everything a file says is checked before it is used: it may come from anywhere.

mod accessor;
mod check;
mod materials;
mod meshes;
mod nodes;
mod uri;

use base::Problem;

use super::Model;
use crate::assets::ImageStore;
use accessor::Buffers;

/// Nodes of one model at most.
const MOST_NODES: usize = 20_000;

/// Bytes of all buffers of one model at most.
const MOST_BUFFER_BYTES: usize = 512 << 20;

/// Gives the bytes of a file beside the model.
pub type Beside<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, Problem>;

/// Decodes a `.glb` or `.gltf`.
pub fn decode(name: &str, bytes: &[u8], beside: Beside<'_>) -> Result<Model, Problem> {
    decode_into(name, bytes, beside, &mut ImageStore::default())
}

/// The same; pictures that other models use too are decoded once and shared.
pub(crate) fn decode_into(
    name: &str,
    bytes: &[u8],
    beside: Beside<'_>,
    store: &mut ImageStore,
) -> Result<Model, Problem> {
    build(name, bytes, beside, store).map_err(|reason| {
        Problem::new("bad_model", format!("`{name}` cannot be used: {reason}")).file(format!("assets/{name}"))
    })
}

fn build(name: &str, bytes: &[u8], beside: Beside<'_>, store: &mut ImageStore) -> Result<Model, String> {
    check::container(bytes)?;
    let file = gltf::Gltf::from_slice_without_validation(bytes).map_err(|error| explain(&error))?;
    let json = file.document.into_json();
    check::indices(&json)?;
    let document = &gltf::Document::from_json(json).map_err(|error| explain(&error))?;
    if document.nodes().len() > MOST_NODES {
        return Err(format!("it has more than {MOST_NODES} nodes"));
    }
    let buffers = Buffers::new(read_buffers(document, file.blob, beside)?);
    let mut decoder = Decoder { document, buffers, model: Model::default(), vertices: 0 };
    decoder.images(name, beside, store)?;
    decoder.materials();
    decoder.meshes()?;
    let order = decoder.nodes()?;
    decoder.skins(&order)?;
    decoder.clips(&order)?;
    let mut model = decoder.model;
    model.measure();
    Ok(model)
}

struct Decoder<'a> {
    document: &'a gltf::Document,
    buffers: Buffers,
    model: Model,
    vertices: usize,
}

fn explain(error: &gltf::Error) -> String {
    match error {
        gltf::Error::Validation(faults) => {
            let shown: Vec<String> =
                faults.iter().take(4).map(|(path, fault)| format!("{path}: {fault}")).collect();
            let rest = faults.len().saturating_sub(shown.len());
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            format!("{}{more}", shown.join("; "))
        }
        gltf::Error::Deserialize(error) => format!("its JSON is broken: {error}"),
        other => other.to_string(),
    }
}

fn read_buffers(
    document: &gltf::Document,
    mut blob: Option<Vec<u8>>,
    beside: Beside<'_>,
) -> Result<Vec<Vec<u8>>, String> {
    let mut buffers: Vec<Vec<u8>> = Vec::new();
    let mut total = 0usize;
    for buffer in document.buffers() {
        let number = buffer.index();
        let mut data = match buffer.source() {
            gltf::buffer::Source::Bin => {
                blob.take().ok_or_else(|| format!("the binary part of buffer {number} is missing"))?
            }
            gltf::buffer::Source::Uri(uri) => uri::read(uri, beside)?,
        };
        if data.len() < buffer.length() {
            return Err(format!("buffer {number} has {} bytes instead of {}", data.len(), buffer.length()));
        }
        data.truncate(buffer.length());
        total = total.saturating_add(data.len());
        if total > MOST_BUFFER_BYTES {
            return Err(format!("its buffers have more than {MOST_BUFFER_BYTES} bytes"));
        }
        buffers.push(data);
    }
    Ok(buffers)
}
