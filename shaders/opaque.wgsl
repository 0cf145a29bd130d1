// Surfaces that hide what is behind them. Counterpart of `opaque.rs`; follows `frame.wgsl` and `surface.wgsl`.

@vertex
fn opaque_vertex(vertex: Vertex, @builtin(instance_index) number: u32) -> Varying {
    return place_vertex(vertex, number);
}

@fragment
fn opaque_fragment(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    return vec4f(shade(in, front).rgb, 1.0);
}
