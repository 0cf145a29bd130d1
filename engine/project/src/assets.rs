//! Decoded assets by name, each decoded once.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use base::{Problem, suggest};

use crate::model::{Model, gltf, shapes};
use crate::{Project, Sandbox};

/// Largest picture, pixels on a side.
const MOST_SIDE: u32 = 8192;

/// Most memory that decoding one picture may take.
const MOST_DECODED: u64 = 256 << 20;

/// A decoded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageData {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Red, green, blue and alpha, row by row from the top.
    pub rgba: Vec<u8>,
}

/// Decodes a PNG or JPEG.
pub fn decode_image(name: &str, bytes: &[u8]) -> Result<ImageData, Problem> {
    let failed =
        |reason: String| Problem::new("bad_image", format!("`{name}` is no picture: {reason}")).file(name);
    let mut reader = image::ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| failed(error.to_string()))?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MOST_SIDE);
    limits.max_image_height = Some(MOST_SIDE);
    limits.max_alloc = Some(MOST_DECODED);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| failed(error.to_string()))?.into_rgba8();
    Ok(ImageData { width: decoded.width(), height: decoded.height(), rgba: decoded.into_raw() })
}

/// The assets of a project.
#[derive(Debug, Default)]
pub struct Assets {
    models: BTreeMap<String, Arc<Model>>,
    images: BTreeMap<String, Arc<ImageData>>,
    sounds: BTreeMap<String, Arc<[u8]>>,
}

impl Assets {
    /// Decodes every asset that the project's scenes name, and every other asset that is small enough to be wanted at
    /// once. What cannot be decoded is replaced by something visible and reported.
    pub fn load(project: &Project) -> (Self, Vec<Problem>) {
        let mut assets = Self::default();
        let mut problems = Vec::new();
        for name in shapes::NAMES {
            assets.models.insert((*name).to_owned(), Arc::new(shapes::shape(name)));
        }
        for name in &project.assets {
            let lower = name.to_lowercase();
            let result = if lower.ends_with(".glb") || lower.ends_with(".gltf") {
                load_model(&project.files, name).map(|model| {
                    assets.models.insert(name.clone(), Arc::new(model));
                })
            } else if lower.ends_with(".png") || lower.ends_with(".jpg") || lower.ends_with(".jpeg") {
                read(&project.files, name).and_then(|bytes| decode_image(name, &bytes)).map(|image| {
                    assets.images.insert(name.clone(), Arc::new(image));
                })
            } else if lower.ends_with(".wav") || lower.ends_with(".ogg") || lower.ends_with(".mp3") {
                read(&project.files, name).map(|bytes| {
                    assets.sounds.insert(name.clone(), bytes.into());
                })
            } else {
                Ok(())
            };
            if let Err(problem) = result {
                problems.push(problem);
            }
        }
        (assets, problems)
    }

    /// A model: a file below `assets/` or a built-in shape.
    pub fn model(&self, name: &str) -> Result<&Arc<Model>, Problem> {
        self.models.get(name).ok_or_else(|| {
            Problem::new("missing_model", format!("there is no model `{name}`"))
                .near(suggest::nearest(name, self.models.keys().map(String::as_str)))
        })
    }

    /// Every model by name.
    pub fn models(&self) -> impl Iterator<Item = (&String, &Arc<Model>)> {
        self.models.iter()
    }

    /// A picture.
    pub fn image(&self, name: &str) -> Option<&Arc<ImageData>> {
        self.images.get(name)
    }

    /// Every picture by name.
    pub fn images(&self) -> impl Iterator<Item = (&String, &Arc<ImageData>)> {
        self.images.iter()
    }

    /// Every sound's bytes by name.
    pub fn sounds(&self) -> impl Iterator<Item = (&String, &Arc<[u8]>)> {
        self.sounds.iter()
    }
}

fn read(files: &Sandbox, name: &str) -> Result<Vec<u8>, Problem> {
    files.read(&format!("assets/{name}"))
}

fn load_model(files: &Sandbox, name: &str) -> Result<Model, Problem> {
    let bytes = read(files, name)?;
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    gltf::decode(name, &bytes, &|relative: &str| {
        let path = if folder.is_empty() { relative.to_owned() } else { format!("{folder}/{relative}") };
        read(files, &path)
    })
}
