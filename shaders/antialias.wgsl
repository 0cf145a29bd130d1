// Smooths the stairs along edges of the finished picture. Counterpart of `antialias.rs`.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var picture_sampler: sampler;

@vertex
fn antialias_vertex(@builtin(vertex_index) number: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32((number << 1u) & 2u), f32(number & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

fn brightness(color: vec3f) -> f32 {
    return dot(color, vec3f(0.299, 0.587, 0.114));
}

fn look(pixel: vec2i, limit: vec2i) -> f32 {
    return brightness(textureLoad(picture, clamp(pixel, vec2i(0), limit), 0).rgb);
}

@fragment
fn antialias_fragment(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let pixel = vec2i(position.xy);
    let size = vec2i(textureDimensions(picture));
    let limit = size - 1;
    let middle = textureLoad(picture, pixel, 0);
    let here = brightness(middle.rgb);
    let north = look(pixel + vec2i(0, -1), limit);
    let south = look(pixel + vec2i(0, 1), limit);
    let west = look(pixel + vec2i(-1, 0), limit);
    let east = look(pixel + vec2i(1, 0), limit);
    let highest = max(max(max(north, south), max(west, east)), here);
    let lowest = min(min(min(north, south), min(west, east)), here);
    let contrast = highest - lowest;
    if contrast < max(0.045, highest * 0.12) {
        return middle;
    }
    // Along the edge, the more slanted steps lie on one line: blend with the neighbour across it, by how far this pixel
    // stands out from what surrounds it.
    let north_west = look(pixel + vec2i(-1, -1), limit);
    let north_east = look(pixel + vec2i(1, -1), limit);
    let south_west = look(pixel + vec2i(-1, 1), limit);
    let south_east = look(pixel + vec2i(1, 1), limit);
    let across_rows = abs(north_west + north_east - 2.0 * north) + 2.0 * abs(west + east - 2.0 * here)
        + abs(south_west + south_east - 2.0 * south);
    let across_columns = abs(north_west + south_west - 2.0 * west) + 2.0 * abs(north + south - 2.0 * here)
        + abs(north_east + south_east - 2.0 * east);
    let horizontal = across_columns >= across_rows;
    let before = select(west, north, horizontal);
    let behind = select(east, south, horizontal);
    let towards_before = abs(before - here) >= abs(behind - here);
    let step = select(vec2i(1, 0), vec2i(0, 1), horizontal) * select(1, -1, towards_before);
    let edge = select(behind, before, towards_before);

    // Walk both ways along the edge to its ends: near an end of a long stair the blend is strong.
    let along = select(vec2i(0, 1), vec2i(1, 0), horizontal);
    let between = (here + edge) * 0.5;
    let least = abs(here - edge) * 0.25;
    var ends = vec2f(6.0, 6.0);
    var sides = vec2f(0.0, 0.0);
    for (var way = 0; way < 2; way++) {
        let direction = along * (1 - 2 * way);
        for (var i = 1; i <= 5; i++) {
            let at = pixel + direction * i;
            let difference = (look(at, limit) + look(at + step, limit)) * 0.5 - between;
            if abs(difference) > least {
                ends[way] = f32(i);
                sides[way] = difference;
                break;
            }
        }
    }
    let nearest = min(ends.x, ends.y);
    let side = select(sides.y, sides.x, ends.x <= ends.y);
    // Only the side on which the stair continues in the other colour is blended.
    let continues = (side < 0.0) != (here - between < 0.0);
    let by_edge = select(0.0, 0.5 - nearest / (ends.x + ends.y), continues && nearest < 6.0);

    let around = (2.0 * (north + south + west + east) + north_west + north_east + south_west + south_east) / 12.0;
    let stands_out = clamp(abs(around - here) / contrast, 0.0, 1.0);
    let by_point = stands_out * stands_out * 0.5;
    let amount = max(by_edge, by_point);
    let uv = (position.xy + vec2f(step) * amount) / vec2f(size);
    return textureSampleLevel(picture, picture_sampler, uv, 0.0);
}
