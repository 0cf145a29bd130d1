// From light to the colours of a screen. Counterpart of `tonemap.rs`; follows `frame.wgsl`.

override BLOOM: bool = true;

@group(1) @binding(0) var light_texture: texture_2d<f32>;
@group(1) @binding(1) var bloom_texture: texture_2d<f32>;
@group(1) @binding(2) var tonemap_sampler: sampler;

struct TonemapVarying {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
}

@vertex
fn tonemap_vertex(@builtin(vertex_index) number: u32) -> TonemapVarying {
    let corner = vec2f(f32((number << 1u) & 2u), f32(number & 2u));
    var out: TonemapVarying;
    out.clip = vec4f(corner * 2.0 - 1.0, 0.0, 1.0);
    out.uv = vec2f(corner.x, 1.0 - corner.y);
    return out;
}

// Leaves colours alone up to here; what is brighter is pressed together below 1 and loses colour towards white.
const SHOULDER: f32 = 0.6;

fn compress(color: vec3f) -> vec3f {
    let peak = max(color.r, max(color.g, color.b));
    if peak <= SHOULDER {
        return color;
    }
    let pressed = 1.0 - (1.0 - SHOULDER) * exp((SHOULDER - peak) / (1.0 - SHOULDER));
    let whiteness = 1.0 - 1.0 / (0.09 * (peak - pressed) + 1.0);
    return mix(color * (pressed / peak), vec3f(pressed), whiteness);
}

fn srgb(light: vec3f) -> vec3f {
    let low = light * 12.92;
    let high = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return select(high, low, light <= vec3f(0.0031308));
}

// A fixed pattern of half a step up or down, so that slow gradients show no bands.
fn dither(pixel: vec2u) -> f32 {
    let x = pixel.x ^ pixel.y;
    let y = pixel.y;
    let order = ((x & 1u) << 5u) | ((y & 1u) << 4u) | ((x & 2u) << 2u) | ((y & 2u) << 1u) | ((x & 4u) >> 1u) | ((y & 4u) >> 2u);
    return (f32(order) + 0.5) / 64.0 - 0.5;
}

@fragment
fn tonemap_fragment(in: TonemapVarying) -> @location(0) vec4f {
    let pixel = vec2u(in.clip.xy);
    var light = textureLoad(light_texture, pixel, 0).rgb;
    if BLOOM {
        light += textureSampleLevel(bloom_texture, tonemap_sampler, in.uv, 0.0).rgb * frame.fog.w;
    }
    let from_middle = in.uv - 0.5;
    light *= frame.ground.w * (1.0 - 0.45 * dot(from_middle, from_middle));
    let color = srgb(compress(light));
    return vec4f(color + dither(pixel) / 255.0, 1.0);
}
