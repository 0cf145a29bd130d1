// How surfaces are lit, for all passes that draw models. Counterpart of `surface.rs`.

// Compiled in, so that a plain surface pays for no texture.
override SKINNED: bool = false;
override TEXTURED: bool = false;
override NORMAL_MAPPED: bool = false;
override MASKED: bool = false;
override UNLIT: bool = false;
override SHADOWS: bool = true;
override SOFT_SHADOWS: bool = false;

struct Light {
    // xyz: metres; w: metres after which it ends.
    position: vec4f,
    // Linear colour times intensity; w: factor on the cosine from a spot's axis.
    color: vec4f,
    // xyz: along a spot's axis; w: what is added then.
    direction: vec4f,
}

// The three rows of world from model space, or of model space from a joint's bind pose.
struct Rows {
    x: vec4f,
    y: vec4f,
    z: vec4f,
}

struct Instance {
    place: Rows,
    // Linear, multiplies the model's own.
    color: vec4f,
    emissive: vec3f,
    // The first joint of its skin.
    joint: u32,
    // Replace the material's; below 0 they do not.
    metallic: f32,
    roughness: f32,
    light_count: u32,
    padding: u32,
    // Which lights reach it, a byte each.
    lights: vec4u,
}

@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> joints: array<Rows>;
@group(0) @binding(3) var<storage, read> lights: array<Light>;
@group(0) @binding(4) var shadow_map: texture_depth_2d;
@group(0) @binding(5) var shadow_sampler: sampler_comparison;

struct TextureUse {
    // Two rows: what u and v become.
    u: vec4f,
    v: vec4f,
}

struct Material {
    base_color: vec4f,
    // w: below this alpha a masked surface is not there.
    emissive: vec4f,
    // Metalness, roughness, factor on the normal map's x and y.
    factors: vec4f,
    base_color_use: TextureUse,
    metallic_roughness_use: TextureUse,
    normal_use: TextureUse,
    emissive_use: TextureUse,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_color_texture: texture_2d<f32>;
@group(1) @binding(2) var base_color_sampler: sampler;
@group(1) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(1) @binding(4) var metallic_roughness_sampler: sampler;
@group(1) @binding(5) var normal_texture: texture_2d<f32>;
@group(1) @binding(6) var normal_sampler: sampler;
@group(1) @binding(7) var emissive_texture: texture_2d<f32>;
@group(1) @binding(8) var emissive_sampler: sampler;

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) tangent: vec4f,
    @location(4) color: vec4f,
    // Only read where SKINNED; otherwise both are the position's.
    @location(5) joints: vec4u,
    @location(6) weights: vec4f,
}

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) tangent: vec4f,
    @location(4) color: vec4f,
    @location(5) @interpolate(flat) emissive: vec3f,
    @location(6) @interpolate(flat) factors: vec2f,
    @location(7) @interpolate(flat) lights: vec4u,
    @location(8) @interpolate(flat) light_count: u32,
}

fn apply_rows(rows: Rows, point: vec4f) -> vec3f {
    return vec3f(dot(rows.x, point), dot(rows.y, point), dot(rows.z, point));
}

// Normals stay upright on a surface under uneven scale: the rows of the cofactor matrix.
fn apply_rows_to_normal(rows: Rows, normal: vec3f) -> vec3f {
    let x = rows.x.xyz;
    let y = rows.y.xyz;
    let z = rows.z.xyz;
    return vec3f(dot(cross(y, z), normal), dot(cross(z, x), normal), dot(cross(x, y), normal));
}

fn blend_joints(first: u32, numbers: vec4u, weights: vec4f) -> Rows {
    let a = joints[first + numbers.x];
    let b = joints[first + numbers.y];
    let c = joints[first + numbers.z];
    let d = joints[first + numbers.w];
    return Rows(
        a.x * weights.x + b.x * weights.y + c.x * weights.z + d.x * weights.w,
        a.y * weights.x + b.y * weights.y + c.y * weights.z + d.y * weights.w,
        a.z * weights.x + b.z * weights.y + c.z * weights.z + d.z * weights.w,
    );
}

fn place_vertex(vertex: Vertex, number: u32) -> Varying {
    let instance = instances[number];
    var position = vertex.position;
    var normal = vertex.normal;
    var tangent = vertex.tangent.xyz;
    if SKINNED {
        let bend = blend_joints(instance.joint, vertex.joints, vertex.weights);
        position = apply_rows(bend, vec4f(position, 1.0));
        normal = apply_rows_to_normal(bend, normal);
        tangent = apply_rows(bend, vec4f(tangent, 0.0));
    }
    var out: Varying;
    out.world = apply_rows(instance.place, vec4f(position, 1.0));
    out.clip = frame.clip_from_world * vec4f(out.world, 1.0);
    out.normal = normalize(apply_rows_to_normal(instance.place, normal));
    out.uv = vertex.uv;
    out.tangent = vec4f(apply_rows(instance.place, vec4f(tangent, 0.0)), vertex.tangent.w);
    out.color = vertex.color * instance.color * material.base_color;
    out.emissive = instance.emissive;
    out.factors = vec2f(instance.metallic, instance.roughness);
    out.lights = instance.lights;
    out.light_count = instance.light_count;
    return out;
}

fn texture_place(place: TextureUse, uv: vec2f) -> vec2f {
    let point = vec3f(uv, 1.0);
    return vec2f(dot(place.u.xyz, point), dot(place.v.xyz, point));
}

// How much sunlight arrives, 0 to 1.
fn sunlight(world: vec3f, normal: vec3f, facing: f32) -> f32 {
    // Moved off the surface by about a texel, more where light grazes: no stripes, and shadows stay at their feet.
    let offset = normal * frame.sun_color.w * (0.8 + 1.8 * (1.0 - facing));
    let place = frame.shadow_from_world * vec4f(world + offset, 1.0);
    let uv = vec2f(place.x * 0.5 + 0.5, 0.5 - place.y * 0.5);
    let from_edge = max(abs(place.x), abs(place.y));
    if from_edge >= 1.0 || place.z >= 1.0 || place.z <= 0.0 {
        return 1.0;
    }
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var sum = 0.0;
    if SOFT_SHADOWS {
        for (var y = -1.0; y <= 1.0; y += 1.0) {
            for (var x = -1.0; x <= 1.0; x += 1.0) {
                sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(x, y) * texel * 1.2, place.z);
            }
        }
        sum /= 9.0;
    } else {
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(-0.35, -0.85) * texel, place.z);
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(0.85, -0.35) * texel, place.z);
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(0.35, 0.85) * texel, place.z);
        sum += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(-0.85, 0.35) * texel, place.z);
        sum *= 0.25;
    }
    return mix(sum, 1.0, smoothstep(0.85, 1.0, from_edge));
}

struct Shine {
    normal: vec3f,
    view: vec3f,
    diffuse: vec3f,
    specular: vec3f,
    roughness: f32,
    facing: f32,
}

// Light leaving towards the eye for a source of strength 1: Lambert, and GGX with a cheap visibility term. A white wall
// that faces the source is white, so the usual pi is left out.
fn reflect_light(shine: Shine, to_light: vec3f) -> vec3f {
    let lambert = dot(shine.normal, to_light);
    if lambert <= 0.0 {
        return vec3f(0.0);
    }
    let half_way = normalize(to_light + shine.view);
    let normal_half = clamp(dot(shine.normal, half_way), 0.0, 1.0);
    let view_half = clamp(dot(shine.view, half_way), 0.0, 1.0);
    let alpha = shine.roughness * shine.roughness;
    let spread = normal_half * normal_half * (alpha * alpha - 1.0) + 1.0;
    let distribution = alpha * alpha / (spread * spread);
    let visibility = 0.25 / mix(lambert * shine.facing * 4.0 + 0.05, 1.0, alpha);
    let away = 1.0 - view_half;
    let fresnel = shine.specular + (1.0 - shine.specular) * (away * away * away * away * away);
    return (shine.diffuse + fresnel * min(distribution * visibility, 40.0)) * lambert;
}

// The finished colour of a surface: linear light, straight alpha.
fn shade(in: Varying, front: bool) -> vec4f {
    var base = in.color;
    if TEXTURED {
        base *= textureSample(base_color_texture, base_color_sampler, texture_place(material.base_color_use, in.uv));
    }
    var emissive = material.emissive.rgb;
    var factors = material.factors.xy;
    if TEXTURED {
        emissive *= textureSample(emissive_texture, emissive_sampler, texture_place(material.emissive_use, in.uv)).rgb;
        let sampled = textureSample(
            metallic_roughness_texture,
            metallic_roughness_sampler,
            texture_place(material.metallic_roughness_use, in.uv),
        );
        factors *= vec2f(sampled.b, sampled.g);
    }
    emissive += in.emissive;
    factors = select(in.factors, factors, in.factors < vec2f(0.0));
    var normal = normalize(in.normal);
    if NORMAL_MAPPED {
        let sampled = textureSample(normal_texture, normal_sampler, texture_place(material.normal_use, in.uv)).xyz;
        let bumps = (sampled * 2.0 - 1.0) * vec3f(material.factors.zz, 1.0);
        let along = normalize(in.tangent.xyz - normal * dot(normal, in.tangent.xyz));
        normal = normalize(along * bumps.x + cross(normal, along) * in.tangent.w * bumps.y + normal * bumps.z);
    }
    if MASKED {
        if base.a < material.emissive.w {
            discard;
        }
    }
    normal = select(-normal, normal, front);

    let to_eye = frame.camera.xyz - in.world;
    let distance = length(to_eye);
    let view = to_eye / distance;
    var light = emissive;
    if UNLIT {
        light += base.rgb;
    } else {
        light += lit(in, base.rgb, factors, normal, view);
    }
    if frame.horizon.w > 0.0 {
        light = mix(fog_color(-view), light, fog_clearness(distance));
    }
    return vec4f(light, base.a);
}

fn lit(in: Varying, base: vec3f, factors: vec2f, normal: vec3f, view: vec3f) -> vec3f {
    var shine: Shine;
    shine.normal = normal;
    shine.view = view;
    shine.roughness = clamp(factors.y, 0.08, 1.0);
    shine.diffuse = base * (1.0 - factors.x);
    shine.specular = mix(vec3f(0.04), base, factors.x);
    shine.facing = clamp(dot(normal, view), 0.0, 1.0);

    // From all around: the sky above, the ground below, and what a smooth surface mirrors of both.
    let upward = normal.y * 0.5 + 0.5;
    let around = mix(mix(frame.ground.rgb, frame.horizon.rgb, 0.35), mix(frame.horizon.rgb, frame.sky.rgb, 0.6), upward);
    let away = 1.0 - shine.facing;
    let smoothness = 1.0 - shine.roughness;
    let fresnel = shine.specular
        + (max(vec3f(smoothness), shine.specular) - shine.specular) * (away * away * away * away * away);
    let mirrored = mix(sky_gradient(reflect(-view, normal)), around, shine.roughness);
    var light = (shine.diffuse * around + fresnel * mirrored) * frame.sky.w;

    let facing_sun = dot(normal, frame.sun.xyz);
    if facing_sun > 0.0 {
        var arriving = 1.0;
        if SHADOWS {
            if frame.sun.w > 0.0 {
                arriving = sunlight(in.world, normal, facing_sun);
            }
        }
        if arriving > 0.0 {
            light += reflect_light(shine, frame.sun.xyz) * frame.sun_color.rgb * arriving;
        }
    }

    for (var i = 0u; i < in.light_count; i++) {
        let number = (in.lights[i / 4u] >> ((i % 4u) * 8u)) & 0xffu;
        let source = lights[number];
        let offset = source.position.xyz - in.world;
        let squared = dot(offset, offset);
        let share = squared / (source.position.w * source.position.w);
        if share < 1.0 {
            let to_light = offset * inverseSqrt(max(squared, 1e-6));
            // Falls with the square of the distance, is gone at the light's range, and is finite at its centre.
            let window = 1.0 - share * share;
            let cone = clamp(dot(source.direction.xyz, -to_light) * source.color.w + source.direction.w, 0.0, 1.0);
            let strength = window * window * cone * cone / max(squared, 0.04);
            light += reflect_light(shine, to_light) * source.color.rgb * strength;
        }
    }
    return light;
}
