// What every pass of a picture knows: the view, the sun, the sky, the lights. Counterpart of `frame.rs`.

struct Frame {
    clip_from_world: mat4x4f,
    shadow_from_world: mat4x4f,
    // xyz: metres; w: seconds of play.
    camera: vec4f,
    // The middle of the picture and half its width and height, one metre ahead; each w: the picture's size, and stars.
    ray_forward: vec4f,
    ray_right: vec4f,
    ray_up: vec4f,
    // xyz: towards the sun; w: 1 where it throws shadows.
    sun: vec4f,
    // Linear colour times intensity; w: metres that a texel of the shadow map covers.
    sun_color: vec4f,
    // Linear colours. w: ambient light, fog density, exposure factor, bloom strength.
    sky: vec4f,
    horizon: vec4f,
    ground: vec4f,
    fog: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// The sky's gradient in a direction, without sun and stars.
fn sky_gradient(direction: vec3f) -> vec3f {
    let height = direction.y;
    let above = mix(frame.horizon.rgb, frame.sky.rgb, sqrt(clamp(height * 1.15, 0.0, 1.0)));
    let below = mix(frame.horizon.rgb, frame.ground.rgb, clamp(-height * 5.0, 0.0, 1.0));
    return select(below, above, height > 0.0);
}

// How much of what lies so many metres away the fog lets through.
fn fog_clearness(metres: f32) -> f32 {
    return exp(-frame.horizon.w * metres);
}

// The fog's colour in a direction: brighter towards the sun.
fn fog_color(direction: vec3f) -> vec3f {
    let towards = max(dot(direction, frame.sun.xyz), 0.0);
    let towards_squared = towards * towards;
    return frame.fog.rgb + frame.sun_color.rgb * 0.18 * towards_squared * towards_squared * towards_squared;
}
