//! What drawing the last picture took.

/// Counts of the last picture that was encoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RenderStats {
    /// Draw calls of all passes.
    pub draw_calls: u32,
    /// Instances drawn into the picture; shadows are not counted.
    pub instances: u32,
    /// Triangles drawn into the picture; shadows are not counted.
    pub triangles: u64,
    /// Parts of models left out because they lie outside the view.
    pub culled: u32,
    /// Point and spot lights that reach into the view.
    pub lights: u32,
    /// Time on the calling thread, microseconds.
    pub encode_microseconds: u64,
}
