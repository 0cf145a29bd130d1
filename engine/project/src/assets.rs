//! Decoded assets by name, each decoded once.

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use base::{Problem, suggest};
use sha2::{Digest, Sha256};

use crate::model::{Material, Model, gltf, shapes};
use crate::{Project, Sandbox, sandbox};

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
    let failed = |reason: String| {
        Problem::new("bad_image", format!("`{name}` is no picture that can be shown: {reason}"))
            .file(format!("assets/{name}"))
            .hint(format!("PNG and JPEG of at most {MOST_SIDE} pixels a side are read"))
    };
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

/// Pictures by their bytes: many models refer to the same one.
#[derive(Debug, Default)]
pub(crate) struct ImageStore {
    decoded: HashMap<[u8; 32], Arc<ImageData>>,
}

impl ImageStore {
    pub(crate) fn decode(&mut self, name: &str, bytes: &[u8]) -> Result<Arc<ImageData>, Problem> {
        let key: [u8; 32] = Sha256::digest(bytes).into();
        if let Some(known) = self.decoded.get(&key) {
            return Ok(known.clone());
        }
        let image = Arc::new(decode_image(name, bytes)?);
        self.decoded.insert(key, image.clone());
        Ok(image)
    }
}

/// What is shown in place of a model that is not there: a cube in a colour that nobody overlooks.
static PLACEHOLDER: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let mut cube = shapes::shape("cube");
    cube.materials = vec![Material {
        name: "missing".to_owned(),
        base_color: [1.0, 0.0, 1.0, 1.0],
        unlit: true,
        ..Material::default()
    }];
    Arc::new(cube)
});

/// The assets of a project.
#[derive(Debug, Default)]
pub struct Assets {
    models: BTreeMap<String, Arc<Model>>,
    images: BTreeMap<String, Arc<ImageData>>,
    sounds: BTreeMap<String, Arc<[u8]>>,
}

impl Assets {
    /// Decodes every asset of the project. What cannot be decoded is reported and left out; scenes that use it show
    /// [`Self::placeholder`].
    pub fn load(project: &Project) -> (Self, Vec<Problem>) {
        let mut assets = Self::default();
        let mut problems = Vec::new();
        let mut store = ImageStore::default();
        for name in shapes::NAMES {
            assets.models.insert((*name).to_owned(), Arc::new(shapes::shape(name)));
        }
        for name in &project.assets {
            if let Err(problem) = assets.read(&project.files, name, &mut store) {
                problems.push(problem);
            }
        }
        (assets, problems)
    }

    fn read(&mut self, files: &Sandbox, name: &str, store: &mut ImageStore) -> Result<(), Problem> {
        let path = format!("assets/{name}");
        match AssetKind::of(name) {
            Some(AssetKind::Model) => {
                let beside = |relative: &str| files.read(&sandbox::join(&path, relative)?);
                let model = gltf::decode_into(name, &files.read(&path)?, &beside, store)?;
                self.models.insert(name.to_owned(), Arc::new(model));
            }
            Some(AssetKind::Image) => {
                self.images.insert(name.to_owned(), store.decode(name, &files.read(&path)?)?);
            }
            Some(AssetKind::Sound) => {
                self.sounds.insert(name.to_owned(), files.read(&path)?.into());
            }
            None => {}
        }
        Ok(())
    }

    /// A model: a file below `assets/` or a built-in shape.
    pub fn model(&self, name: &str) -> Result<&Arc<Model>, Problem> {
        self.models.get(name).ok_or_else(|| {
            Problem::new("missing_model", format!("there is no model `{name}`"))
                .near(suggest::nearest(name, self.models.keys().map(String::as_str)))
        })
    }

    /// A model, or [`Self::placeholder`] where there is none of that name.
    pub fn model_or_placeholder(&self, name: &str) -> &Arc<Model> {
        self.models.get(name).unwrap_or_else(|| Self::placeholder())
    }

    /// A magenta cube of one metre, shown in place of models that are missing or broken.
    pub fn placeholder() -> &'static Arc<Model> {
        &PLACEHOLDER
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

    /// A sound file's bytes.
    pub fn sound(&self, name: &str) -> Option<&Arc<[u8]>> {
        self.sounds.get(name)
    }

    /// Every sound's bytes by name.
    pub fn sounds(&self) -> impl Iterator<Item = (&String, &Arc<[u8]>)> {
        self.sounds.iter()
    }
}

/// What a file is used as, by the end of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetKind {
    /// `.glb`, `.gltf`.
    Model,
    /// `.png`, `.jpg`, `.jpeg`.
    Image,
    /// `.wav`, `.ogg`, `.mp3`.
    Sound,
}

impl AssetKind {
    /// The kind of a file of this name; nothing for files that are not used by themselves.
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "glb" | "gltf" => Some(Self::Model),
            "png" | "jpg" | "jpeg" => Some(Self::Image),
            "wav" | "ogg" | "mp3" => Some(Self::Sound),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_picture_is_refused_with_its_name() {
        let problem = decode_image("textures/a.png", b"no picture").unwrap_err();
        assert_eq!(
            (problem.code.as_str(), problem.place.file.as_deref()),
            ("bad_image", Some("assets/textures/a.png"))
        );
    }

    #[test]
    fn a_picture_that_says_it_is_enormous_is_refused_before_it_is_decoded() {
        // The head of a PNG of 100,000 by 100,000 pixels, which would take 40 GB.
        let mut head = b"IHDR".to_vec();
        head.extend([0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0, 8, 6, 0, 0, 0]);
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
        bytes.extend(&head);
        bytes.extend(checksum(&head).to_be_bytes());
        bytes.extend(b"\0\0\0\0IDAT");
        bytes.extend(checksum(b"IDAT").to_be_bytes());
        let message = decode_image("big.png", &bytes).unwrap_err().message;
        assert!(message.contains("limit"), "{message}");
    }

    /// The checksum that PNG has behind each of its parts.
    fn checksum(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(
                sum ^ u32::from(*byte),
                |sum, _| {
                    if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
                },
            )
        })
    }

    #[test]
    fn a_model_that_is_not_there_is_a_magenta_cube_and_a_problem_with_the_nearest_name() {
        let mut assets = Assets::default();
        assets.models.insert("models/hero.glb".to_owned(), Arc::new(shapes::shape("cube")));
        assert_eq!(assets.model("models/hreo.glb").unwrap_err().near, ["models/hero.glb"]);
        let shown = assets.model_or_placeholder("models/hreo.glb");
        assert_eq!(shown.materials[0].base_color, [1.0, 0.0, 1.0, 1.0]);
        assert_eq!(shown.bounds, (glam::Vec3::splat(-0.5), glam::Vec3::splat(0.5)));
    }
}
