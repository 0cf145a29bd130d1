// What the sun sees: depth alone. Counterpart of `shadow.rs`; follows `frame.wgsl` and `surface.wgsl`.

struct Cast {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) alpha: f32,
}

@vertex
fn shadow_vertex(vertex: Vertex, @builtin(instance_index) number: u32) -> Cast {
    let instance = instances[number];
    var position = vertex.position;
    if SKINNED {
        position = apply_rows(blend_joints(instance.joint, vertex.joints, vertex.weights), vec4f(position, 1.0));
    }
    var out: Cast;
    out.clip = frame.shadow_from_world * vec4f(apply_rows(instance.place, vec4f(position, 1.0)), 1.0);
    out.uv = vertex.uv;
    out.alpha = vertex.color.a * instance.color.a * material.base_color.a;
    return out;
}

// Only for masked surfaces: leaves their holes open.
@fragment
fn shadow_fragment(in: Cast) {
    var alpha = in.alpha;
    if TEXTURED {
        alpha *= textureSample(base_color_texture, base_color_sampler, texture_place(material.base_color_use, in.uv)).a;
    }
    if alpha < material.emissive.w {
        discard;
    }
}
