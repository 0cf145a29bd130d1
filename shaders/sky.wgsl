// What lies behind everything: the sky's colours, the sun, the stars. Counterpart of `sky.rs`; follows `frame.wgsl`.

struct SkyVarying {
    @builtin(position) clip: vec4f,
    @location(0) ray: vec3f,
}

@vertex
fn sky_vertex(@builtin(vertex_index) number: u32) -> SkyVarying {
    let corner = vec2f(f32((number << 1u) & 2u), f32(number & 2u)) * 2.0 - 1.0;
    var out: SkyVarying;
    // Depth 0 is the furthest: drawn only where nothing else was.
    out.clip = vec4f(corner, 0.0, 1.0);
    out.ray = frame.ray_forward.xyz + frame.ray_right.xyz * corner.x + frame.ray_up.xyz * corner.y;
    return out;
}

// Three numbers between 0 and 1 that look random, from three whole ones.
fn scatter(cell: vec3f) -> vec3f {
    let whole = vec3u(vec3i(cell));
    var state = (whole.x * 2654435761u) ^ (whole.y * 2246822519u) ^ (whole.z * 3266489917u);
    state = (state ^ (state >> 15u)) * 2246822519u;
    state = (state ^ (state >> 13u)) * 3266489917u;
    state = state ^ (state >> 16u);
    return vec3f(f32(state & 1023u), f32((state >> 10u) & 1023u), f32((state >> 20u) & 1023u)) / 1023.0;
}

fn stars(direction: vec3f) -> vec3f {
    // Cells on a sphere of this many cells radius; some hold one star.
    let place = direction * 70.0;
    let cell = floor(place);
    let random = scatter(cell);
    if random.x > 0.12 {
        return vec3f(0.0);
    }
    let centre = normalize(cell + 0.3 + 0.4 * vec3f(random.y, random.z, fract(random.y * 7.0 + random.z * 3.0)));
    let away = length(direction - centre) * frame.ray_right.w;
    let twinkle = 0.8 + 0.2 * sin(frame.camera.w * (1.0 + 2.0 * random.y) + random.z * 40.0);
    let brightness = (0.15 + random.z * random.z * 1.1) * twinkle;
    let tint = mix(vec3f(1.0, 0.86, 0.72), vec3f(0.75, 0.85, 1.0), random.y);
    return tint * brightness * clamp(1.35 - away * 0.9, 0.0, 1.0);
}

@fragment
fn sky_fragment(in: SkyVarying) -> @location(0) vec4f {
    let direction = normalize(in.ray);
    var light = sky_gradient(direction);
    if frame.ray_up.w > 0.0 && direction.y > 0.0 {
        light += stars(direction) * frame.ray_up.w * smoothstep(0.02, 0.35, direction.y);
    }
    let towards = dot(direction, frame.sun.xyz);
    if towards > 0.0 {
        // The disc is a little larger than ours, so that it shows at 640 pixels; its glow is wide and faint.
        let glow = pow(towards, 24.0) * 0.22 + pow(towards, 220.0) * 0.5;
        light += frame.sun_color.rgb * (glow + smoothstep(0.99955, 0.9997, towards) * 5.0);
    }
    if frame.horizon.w > 0.0 {
        // The fog is as thick as it is long, and it is longest at the horizon.
        let length = 60.0 / max(abs(direction.y), 0.02);
        light = mix(fog_color(direction), light, fog_clearness(length));
    }
    return vec4f(light, 1.0);
}
