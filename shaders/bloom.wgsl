// Light that spills from bright places: made small step by step, then large again. Counterpart of `bloom.rs`.

@group(0) @binding(0) var bloom_source: texture_2d<f32>;
@group(0) @binding(1) var bloom_sampler: sampler;

struct BloomVarying {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn bloom_vertex(@builtin(vertex_index) number: u32) -> BloomVarying {
    let corner = vec2f(f32((number << 1u) & 2u), f32(number & 2u));
    var out: BloomVarying;
    out.clip = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = vec2f(corner.x, 1.0 - corner.y);
    return out;
}

// Keeps what is brighter than white, softly.
fn bright_part(color: vec3f) -> vec3f {
    let peak = max(color.r, max(color.g, color.b));
    let over = max(peak - 0.8, 0.0);
    // Very bright pixels are tamed: single ones must not flicker.
    return color * (over / (over + 1.0)) * min(1.0, 12.0 / max(peak, 0.001));
}

@fragment
fn bloom_extract(in: BloomVarying) -> @location(0) vec4f {
    let texel = 0.5 / vec2f(textureDimensions(bloom_source));
    let a = textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(-1.0, -1.0), 0.0).rgb;
    let b = textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(1.0, 1.0), 0.0).rgb;
    return vec4f(bright_part(a) * 0.5 + bright_part(b) * 0.5, 1.0);
}

@fragment
fn bloom_shrink(in: BloomVarying) -> @location(0) vec4f {
    let texel = 1.0 / vec2f(textureDimensions(bloom_source));
    var sum = textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(-1.0, -1.0), 0.0).rgb;
    sum += textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(1.0, -1.0), 0.0).rgb;
    sum += textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(-1.0, 1.0), 0.0).rgb;
    sum += textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(1.0, 1.0), 0.0).rgb;
    return vec4f(sum * 0.25, 1.0);
}

@fragment
fn bloom_grow(in: BloomVarying) -> @location(0) vec4f {
    let texel = 0.75 / vec2f(textureDimensions(bloom_source));
    var sum = textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(-1.0, -1.0), 0.0).rgb;
    sum += textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(1.0, -1.0), 0.0).rgb;
    sum += textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(-1.0, 1.0), 0.0).rgb;
    sum += textureSampleLevel(bloom_source, bloom_sampler, in.uv + texel * vec2f(1.0, 1.0), 0.0).rgb;
    return vec4f(sum * 0.25, 1.0);
}
