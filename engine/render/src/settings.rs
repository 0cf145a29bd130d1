//! How much work a picture may be.

use crate::Gpu;

/// Quality against speed. [`Self::automatic`] chooses for the adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderSettings {
    /// Samples a pixel for edges of the scene: 1 or 4.
    pub msaa: u32,
    /// Whether edges are smoothed in the finished picture; for `msaa` 1.
    pub smooth_edges: bool,
    /// Whether bright things glow.
    pub bloom: bool,
    /// Pixels on a side of the sun's shadow map; 0 for no shadows.
    pub shadow_size: u32,
    /// Whether the shadow's edge is sampled 9 times instead of 4.
    pub soft_shadows: bool,
}

impl RenderSettings {
    /// For a graphics card.
    pub const FULL: Self =
        Self { msaa: 4, smooth_edges: false, bloom: true, shadow_size: 2048, soft_shadows: true };

    /// For a processor that has to draw by itself.
    pub const SOFTWARE: Self =
        Self { msaa: 1, smooth_edges: true, bloom: true, shadow_size: 1024, soft_shadows: false };

    /// What suits this adapter.
    pub fn automatic(gpu: &Gpu) -> Self {
        if gpu.is_software() { Self::SOFTWARE } else { Self::FULL }
    }
}
