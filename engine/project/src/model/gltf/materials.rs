//! Pictures and surfaces of a glTF file.

use gltf::texture::{MagFilter, WrappingMode};

use super::uri;
use super::{Beside, Decoder};
use crate::assets::ImageStore;
use crate::model::{Alpha, Material, Texture};

/// Pictures of one model at most.
const MOST_IMAGES: usize = 512;

impl Decoder<'_> {
    pub(super) fn images(
        &mut self,
        name: &str,
        beside: Beside<'_>,
        store: &mut ImageStore,
    ) -> Result<(), String> {
        let described = &self.document.as_json().images;
        if described.len() > MOST_IMAGES {
            return Err(format!("it has {} pictures, at most {MOST_IMAGES} are read", described.len()));
        }
        for (image, json) in self.document.images().zip(described) {
            let number = image.index();
            // Asking for the source of an image that has none of both would panic.
            let complete =
                if json.buffer_view.is_some() { json.mime_type.is_some() } else { json.uri.is_some() };
            if !complete {
                return Err(format!("picture {number} has neither a file nor a buffer view with its type"));
            }
            let label = match image.source() {
                gltf::image::Source::Uri { uri, .. } if !uri.starts_with("data:") => format!("{name}: {uri}"),
                _ => format!("{name}: picture {number}"),
            };
            let bytes = match image.source() {
                gltf::image::Source::View { view, .. } => self.buffers.view(&view)?.to_vec(),
                gltf::image::Source::Uri { uri, .. } => uri::read(uri, beside)?,
            };
            let decoded = store.decode(&label, &bytes).map_err(|problem| problem.message)?;
            self.model.images.push(decoded);
        }
        Ok(())
    }

    pub(super) fn materials(&mut self) {
        for material in self.document.materials() {
            let surface = material.pbr_metallic_roughness();
            let strength = material.emissive_strength().unwrap_or(1.0);
            let normal = material.normal_texture();
            self.model.materials.push(Material {
                name: material.name().unwrap_or_default().to_owned(),
                base_color: surface.base_color_factor(),
                base_color_texture: surface.base_color_texture().map(|info| texture(&info)),
                metallic: surface.metallic_factor(),
                roughness: surface.roughness_factor(),
                metallic_roughness_texture: surface.metallic_roughness_texture().map(|info| texture(&info)),
                normal_texture: normal.as_ref().map(|info| plain(&info.texture())),
                normal_scale: normal.as_ref().map_or(1.0, gltf::material::NormalTexture::scale),
                emissive: material.emissive_factor().map(|part| part * strength),
                emissive_texture: material.emissive_texture().map(|info| texture(&info)),
                alpha: match material.alpha_mode() {
                    gltf::material::AlphaMode::Opaque => Alpha::Opaque,
                    gltf::material::AlphaMode::Mask => Alpha::Mask(material.alpha_cutoff().unwrap_or(0.5)),
                    gltf::material::AlphaMode::Blend => Alpha::Blend,
                },
                double_sided: material.double_sided(),
                unlit: material.unlit(),
            });
        }
    }
}

/// A texture with its transform.
fn texture(info: &gltf::texture::Info<'_>) -> Texture {
    let mut read = plain(&info.texture());
    if let Some(transform) = info.texture_transform() {
        read.scale = transform.scale();
        read.rotation = transform.rotation();
        read.offset = transform.offset();
    }
    read
}

fn plain(texture: &gltf::Texture<'_>) -> Texture {
    let sampler = texture.sampler();
    Texture {
        image: texture.source().index(),
        repeat: sampler.wrap_s() != WrappingMode::ClampToEdge,
        nearest: sampler.mag_filter() == Some(MagFilter::Nearest),
        scale: [1.0, 1.0],
        rotation: 0.0,
        offset: [0.0, 0.0],
    }
}
