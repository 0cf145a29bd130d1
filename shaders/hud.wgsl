// Text, bars, pictures and buttons over the picture. Counterpart of `hud.rs`. Colours are sRGB throughout, as screens and
// drawing programs blend them.

struct HudFrame {
    // Pixels.
    size: vec2f,
    padding: vec2f,
}

@group(0) @binding(0) var<uniform> hud_frame: HudFrame;
@group(1) @binding(0) var hud_texture: texture_2d<f32>;
@group(1) @binding(1) var hud_sampler: sampler;

struct Quad {
    // Left, top, width and height, pixels.
    @location(0) rectangle: vec4f,
    // The same in the texture, 0 to 1.
    @location(1) uv: vec4f,
    @location(2) color: vec4f,
    // Colour at the lower edge of a plate; colour around a letter.
    @location(3) second: vec4f,
    // Kind (0 plate, 1 letter, 2 image), radius of a plate's corners or pixels that a letter's field spans, border width.
    @location(4) shape: vec4f,
}

struct HudVarying {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) from_middle: vec2f,
    @location(2) @interpolate(flat) half_size: vec2f,
    @location(3) @interpolate(flat) color: vec4f,
    @location(4) @interpolate(flat) second: vec4f,
    @location(5) @interpolate(flat) shape: vec4f,
}

@vertex
fn hud_vertex(quad: Quad, @builtin(vertex_index) number: u32) -> HudVarying {
    let corner = vec2f(f32(number & 1u), f32(number >> 1u));
    // Plates get a pixel more, for their smooth edge.
    let more = select(0.0, 1.0, quad.shape.x == 0.0);
    let place = quad.rectangle.xy - more + corner * (quad.rectangle.zw + 2.0 * more);
    let clip = place / hud_frame.size * 2.0 - 1.0;
    var out: HudVarying;
    out.clip = vec4f(clip.x, -clip.y, 0.0, 1.0);
    out.uv = quad.uv.xy + quad.uv.zw * corner;
    out.half_size = quad.rectangle.zw * 0.5;
    out.from_middle = place - quad.rectangle.xy - out.half_size;
    out.color = quad.color;
    out.second = quad.second;
    out.shape = quad.shape;
    return out;
}

@fragment
fn hud_fragment(in: HudVarying) -> @location(0) vec4f {
    let sampled = textureSample(hud_texture, hud_sampler, in.uv);
    if in.shape.x == 2.0 {
        return premultiplied(sampled * in.color);
    }
    if in.shape.x == 1.0 {
        // The field is 0.5 on the letter's outline and changes by 1 over `shape.y` pixels.
        let inside = (sampled.r - 0.5) * in.shape.y;
        let letter = clamp(inside + 0.5, 0.0, 1.0) * in.color.a;
        // A soft dark rim keeps letters readable on any picture.
        let rim = smoothstep(-in.shape.z, 0.0, inside) * in.second.a * in.color.a;
        let alpha = letter + rim * (1.0 - letter);
        return vec4f(in.color.rgb * letter + in.second.rgb * rim * (1.0 - letter), alpha);
    }
    let radius = min(in.shape.y, min(in.half_size.x, in.half_size.y));
    let corner = abs(in.from_middle) - in.half_size + radius;
    let distance = length(max(corner, vec2f(0.0))) + min(max(corner.x, corner.y), 0.0) - radius;
    let down = clamp(in.from_middle.y / max(in.half_size.y * 2.0, 1.0) + 0.5, 0.0, 1.0);
    var color = mix(in.color, in.second, down);
    if in.shape.z > 0.0 {
        let border = clamp(distance + in.shape.z + 0.5, 0.0, 1.0);
        color = mix(color, vec4f(1.0, 1.0, 1.0, max(color.a, 0.55)), border * 0.6);
    }
    color.a *= clamp(0.5 - distance, 0.0, 1.0);
    return premultiplied(color);
}

fn premultiplied(color: vec4f) -> vec4f {
    return vec4f(color.rgb * color.a, color.a);
}
