// Surfaces that let through what is behind them. Counterpart of `transparent.rs`; follows `frame.wgsl` and `surface.wgsl`.

@vertex
fn transparent_vertex(vertex: Vertex, @builtin(instance_index) number: u32) -> Varying {
    return place_vertex(vertex, number);
}

@fragment
fn transparent_fragment(in: Varying, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let color = shade(in, front);
    return vec4f(color.rgb * color.a, color.a);
}
