//! Draws surfaces that let through what is behind them, furthest first: counterpart of `transparent.wgsl`.

use crate::extract::DrawList;
use crate::model::Models;
use crate::surface::{Pass, Surfaces};

/// The shader text behind `frame.wgsl` and `surface.wgsl`.
pub(crate) const SHADER: &str = include_str!("../../../shaders/transparent.wgsl");

/// Draws all of them; returns the number of draw calls.
pub(crate) fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    surfaces: &Surfaces,
    models: &Models,
    list: &DrawList,
) -> u32 {
    list.draw(pass, surfaces, models, Pass::Transparent)
}
