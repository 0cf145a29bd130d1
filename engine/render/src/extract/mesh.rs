//! The `mesh` component: which primitives are drawn where, gathered into batches.

use glam::{Mat4, Vec3, Vec4};
use scene::components::Mesh;

use super::frustum::Frustum;
use super::{Batch, DrawList, animation, light};
use crate::FrameInput;
use crate::model::{GpuModel, Models};
use crate::surface::{Instance, MOST_LIGHTS_EACH, Pass, Rows, SurfaceKey};

/// Animated models may reach out of their rest pose by this factor.
const ANIMATED_REACH: f32 = 1.6;

/// A primitive of an entity, before it is batched.
struct Item {
    key: SurfaceKey,
    model: usize,
    primitive: usize,
    /// Metres from the eye.
    distance: f32,
    instance: Instance,
}

/// An entity's model, placed.
struct Placed<'a> {
    mesh: &'a Mesh,
    model: &'a GpuModel,
    number: usize,
    place: Mat4,
    scale: f32,
    mirrored: bool,
}

/// Adds instances, joints and batches of all visible meshes to the list.
pub(super) fn collect(input: &FrameInput<'_>, models: &Models, view: &Frustum, list: &mut DrawList) {
    let sun = list.sun_view.casts.then(|| Frustum::new(&list.sun_view.clip_from_world));
    let (mut seen, mut cast) = (Vec::new(), Vec::new());
    for (id, mesh) in input.scene.columns.mesh.iter().filter(|(_, mesh)| mesh.visible) {
        let (number, model) = models.find(&mesh.model);
        let affine = super::place(input.scene, input.poses, id);
        let columns = [affine.matrix3.x_axis, affine.matrix3.y_axis, affine.matrix3.z_axis];
        let placed = Placed {
            mesh,
            model,
            number,
            place: Mat4::from(affine),
            scale: columns.iter().map(|axis| axis.length()).fold(0.0, f32::max),
            mirrored: affine.matrix3.determinant() < 0.0,
        };
        let shown = input.poses.animations.get(id).filter(|_| model.animated);
        let reach = if shown.is_some() { ANIMATED_REACH } else { 1.0 };
        let centre = placed.place.transform_point3(model.centre);
        let radius = model.radius * placed.scale * reach;
        let casting = sun.as_ref().filter(|sun| mesh.cast_shadow && sun.touches(centre, radius));
        if !view.touches(centre, radius) {
            list.culled += model.parts.len() as u32;
            if casting.is_none() {
                continue;
            }
        }
        let moved = shown.map(|shown| animation::node_matrices(&model.source, shown));
        let whole = model.parts.len() == 1 || moved.is_some();
        parts(&placed, moved.as_deref(), list, |list, item, part_centre, part_radius| {
            let (centre, radius) = if whole { (centre, radius) } else { (part_centre, part_radius) };
            if let Some(sun) = casting
                && sun.touches(centre, radius)
                && item.key.pass == Pass::Opaque
            {
                cast.push(Item { key: item.key.for_shadow(), ..item });
            }
            if view.touches(centre, radius) {
                let mut item = item;
                item.distance = (list.camera.position.distance(centre) - radius).max(0.0);
                light_up(&mut item.instance, list, centre, radius);
                seen.push(item);
            }
        });
    }
    batch(seen, list);
    batch(cast, list);
}

/// Calls `each` for every primitive of an entity, with the ball around it.
fn parts(
    placed: &Placed<'_>,
    moved: Option<&[Mat4]>,
    list: &mut DrawList,
    mut each: impl FnMut(&mut DrawList, Item, Vec3, f32),
) {
    let Placed { mesh, model, number, .. } = placed;
    let nodes = moved.unwrap_or(&model.rest);
    let tint = Vec4::from_array(mesh.color.to_linear());
    let emissive = Vec4::from_array(mesh.emissive.to_linear()).truncate() * mesh.glow;
    let first_joints: Vec<u32> = model
        .source
        .skins
        .iter()
        .map(|skin| {
            let first = list.joints.len() as u32;
            list.joints.extend(skin.matrices(nodes).iter().map(Rows::of));
            first
        })
        .collect();
    for part in &model.parts {
        let Some(primitive) = model.primitives.get(part.primitive) else { continue };
        let Some(material) = model.materials.get(primitive.material) else { continue };
        let joint = part.skin.and_then(|skin| first_joints.get(skin)).copied();
        let node = nodes.get(part.node).copied().unwrap_or(Mat4::IDENTITY);
        // A mesh that a skin bends ignores the place of its own node.
        let place = if joint.is_some() { placed.place } else { placed.place * node };
        let mut key = material.key;
        key.skinned = joint.is_some();
        key.mirrored = placed.mirrored != (joint.is_none() && node.determinant() < 0.0);
        if mesh.color.a < 255 {
            key.pass = Pass::Transparent;
        }
        let node_scale = [node.x_axis, node.y_axis, node.z_axis].map(|axis| axis.truncate().length());
        let item = Item {
            key,
            model: *number,
            primitive: part.primitive,
            distance: 0.0,
            instance: Instance {
                place: Rows::of(&place),
                color: tint.to_array(),
                emissive,
                joint: joint.unwrap_or(0),
                metallic: mesh.metallic.unwrap_or(-1.0),
                roughness: mesh.roughness.unwrap_or(-1.0),
                light_count: 0,
                padding: 0,
                lights: [0; MOST_LIGHTS_EACH],
            },
        };
        let radius = part.radius * placed.scale * node_scale.into_iter().fold(0.0, f32::max);
        let (before, centre) = (list.culled, place.transform_point3(part.centre));
        each(list, item, centre, radius);
        debug_assert_eq!(before, list.culled);
    }
}

/// Notes which lamps reach the ball around an instance; of too many, the strongest.
fn light_up(instance: &mut Instance, list: &DrawList, centre: Vec3, radius: f32) {
    let mut reaching: Vec<(f32, u8)> = list
        .lights
        .iter()
        .zip(0u8..)
        .map(|(lamp, number)| (light::strength(lamp, centre, radius), number))
        .filter(|(strength, _)| *strength > 0.0)
        .collect();
    if reaching.len() > MOST_LIGHTS_EACH {
        reaching.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    }
    for (slot, (_, number)) in instance.lights.iter_mut().zip(&reaching) {
        *slot = *number;
    }
    instance.light_count = reaching.len().min(MOST_LIGHTS_EACH) as u32;
}

/// Opaque primitives of a kind together and the nearest first, transparent ones from the furthest.
fn batch(mut items: Vec<Item>, list: &mut DrawList) {
    let of = |item: &Item| (item.key, item.model, item.primitive);
    items.sort_by(|a, b| {
        let by_distance = a.distance.total_cmp(&b.distance);
        match (a.key.pass, b.key.pass) {
            (Pass::Transparent, Pass::Transparent) => by_distance.reverse(),
            (a_pass, b_pass) => a_pass.cmp(&b_pass).then(of(a).cmp(&of(b))).then(by_distance),
        }
    });
    let mut groups: Vec<&[Item]> = items.chunk_by(|a, b| of(a) == of(b)).collect();
    let nearest = |group: &[Item]| group.first().map_or(0.0, |item| item.distance);
    let opaque = groups.partition_point(|group| group.first().is_some_and(|it| it.key.pass == Pass::Opaque));
    if let Some(groups) = groups.get_mut(..opaque) {
        groups.sort_by(|a, b| nearest(a).total_cmp(&nearest(b)));
    }
    for group in groups {
        let Some(Item { key, model, primitive, .. }) = group.first() else { continue };
        let first = list.instances.len() as u32;
        list.instances.extend(group.iter().map(|item| item.instance));
        let instances = first..list.instances.len() as u32;
        list.batches.push(Batch { key: *key, model: *model, primitive: *primitive, instances });
    }
}
