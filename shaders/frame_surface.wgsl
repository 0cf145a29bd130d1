// Copies a finished picture into a window. Counterpart of `frame_surface.rs`.

@group(0) @binding(0) var finished: texture_2d<f32>;
@group(0) @binding(1) var finished_sampler: sampler;

struct FrameSurfaceVarying {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn frame_surface_vertex(@builtin(vertex_index) number: u32) -> FrameSurfaceVarying {
    let corner = vec2f(f32((number << 1u) & 2u), f32(number & 2u));
    var out: FrameSurfaceVarying;
    out.clip = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = vec2f(corner.x, 1.0 - corner.y);
    return out;
}

@fragment
fn frame_surface_fragment(in: FrameSurfaceVarying) -> @location(0) vec4f {
    return textureSampleLevel(finished, finished_sampler, in.uv, 0.0);
}
