//! World poses from transforms, parents before children, in an order that holds while nobody comes or goes.

use base::EntityId;
use glam::Vec3;
use scene::components::Transform;
use scene::{Column, Pose, Scene};

/// What is remembered so that only what moved is computed again. It follows from the scene and is part of no hash.
#[derive(Clone, Default)]
pub(crate) struct Places {
    structure: Option<u64>,
    /// Own position and parent's, among all entities in id order; parents first.
    order: Vec<(usize, Option<usize>)>,
    /// Local poses and what they were made from, in id order.
    local: Vec<(Option<Transform>, Pose)>,
    world: Vec<Pose>,
}

/// A transform as a pose.
pub(crate) fn local_pose(transform: &Transform) -> Pose {
    Pose { position: transform.position, rotation: transform.quat(), scale: transform.scale }
}

/// A pose in the space of a parent as a pose in the parent's own space.
pub(crate) fn join(parent: &Pose, own: &Pose) -> Pose {
    Pose {
        position: parent.position + parent.rotation * (parent.scale * own.position),
        rotation: (parent.rotation * own.rotation).normalize(),
        scale: parent.scale * own.scale,
    }
}

/// A point of the world in the space of a parent. Where the parent is flat, its flat axes give 0.
pub(crate) fn point_within(parent: &Pose, point: Vec3) -> Vec3 {
    let turned = parent.rotation.inverse() * (point - parent.position);
    let divide = |value: f32, by: f32| if by == 0.0 { 0.0 } else { value / by };
    Vec3::new(
        divide(turned.x, parent.scale.x),
        divide(turned.y, parent.scale.y),
        divide(turned.z, parent.scale.z),
    )
}

/// Where an entity is in the world at this very moment, from its transform and those of its ancestors.
pub(crate) fn pose_now(scene: &Scene, id: EntityId) -> Pose {
    let own = |id| scene.columns.transform.get(id).map(local_pose).unwrap_or_default();
    let mut pose = own(id);
    let mut at = scene.entities.get(id).and_then(|entity| entity.parent);
    // A chain is never longer than there are entities, even in a broken scene.
    for _ in 0..scene.entities.len() {
        let Some(parent) = at.filter(|parent| scene.contains(*parent)) else { break };
        pose = join(&own(parent), &pose);
        at = scene.entities.get(parent).and_then(|entity| entity.parent);
    }
    pose
}

/// The pose of an entity's parent now; none where it has no parent.
pub(crate) fn parent_now(scene: &Scene, id: EntityId) -> Option<Pose> {
    let parent = scene.entities.get(id)?.parent?;
    scene.contains(parent).then(|| pose_now(scene, parent))
}

impl Places {
    /// Brings the poses up to the transforms.
    pub(crate) fn update(&mut self, scene: &Scene, places: &mut Column<Pose>) {
        let rebuilt = self.structure != Some(scene.structure()) || places.len() != scene.entities.len();
        if rebuilt {
            self.arrange(scene);
        }
        let column = &scene.columns.transform;
        // Every entity has a transform, so that the two columns run side by side.
        let side_by_side = column.len() == scene.entities.len();
        let mut moved = rebuilt;
        for (index, (id, slot)) in scene.entities.ids().iter().zip(&mut self.local).enumerate() {
            let transform = if side_by_side { column.values().get(index) } else { column.get(*id) };
            if slot.0.as_ref() != transform || slot.0.is_none() {
                *slot = (transform.copied(), transform.map(local_pose).unwrap_or_default());
                moved = true;
            }
        }
        if !moved {
            return;
        }
        for (own, parent) in &self.order {
            let Some((_, local)) = self.local.get(*own) else { continue };
            let pose = match parent.and_then(|parent| self.world.get(parent)) {
                Some(parent) => join(parent, local),
                None => *local,
            };
            if let Some(slot) = self.world.get_mut(*own) {
                *slot = pose;
            }
        }
        if rebuilt {
            *places = Column::default();
            for (id, pose) in scene.entities.ids().iter().zip(&self.world) {
                places.insert(*id, *pose);
            }
        } else {
            for ((_, slot), pose) in places.iter_mut().zip(&self.world) {
                *slot = *pose;
            }
        }
    }

    /// Finds the order anew.
    fn arrange(&mut self, scene: &Scene) {
        let count = scene.entities.len();
        self.structure = Some(scene.structure());
        self.local = vec![(None, Pose::default()); count];
        self.world = vec![Pose::default(); count];
        self.order.clear();
        let parents: Vec<Option<usize>> = scene
            .entities
            .values()
            .iter()
            .map(|entity| entity.parent.and_then(|parent| scene.entities.position(parent)))
            .collect();
        let mut placed = vec![false; count];
        let mut chain = Vec::new();
        for start in 0..count {
            // Up to the first ancestor that has its place, then down again.
            let mut at = Some(start);
            while let Some(index) = at.filter(|index| placed.get(*index) == Some(&false)) {
                if chain.len() > count {
                    break;
                }
                chain.push(index);
                at = parents.get(index).copied().flatten();
            }
            while let Some(index) = chain.pop() {
                if let Some(done) = placed.get_mut(index)
                    && !*done
                {
                    *done = true;
                    self.order.push((index, parents.get(index).copied().flatten()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use scene::{ComponentSet, Entity, EntityData};

    use super::*;

    fn id(number: u32) -> EntityId {
        EntityId::new(number).unwrap()
    }

    fn add(scene: &mut Scene, number: u32, parent: Option<u32>, x: f32) {
        let transform = Transform { position: Vec3::new(x, 0.0, 0.0), ..Transform::default() };
        let components = ComponentSet { transform: Some(transform), ..ComponentSet::default() };
        let entity = Entity { parent: parent.map(id), ..Entity::named("E") };
        scene.insert(EntityData { id: id(number), entity, components });
    }

    #[test]
    fn children_follow_parents_whatever_their_ids_and_moves_reach_all_below() {
        let mut scene = Scene::default();
        add(&mut scene, 1, Some(3), 1.0);
        add(&mut scene, 2, Some(1), 1.0);
        add(&mut scene, 3, None, 10.0);
        let (mut places, mut column) = (Places::default(), Column::default());
        places.update(&scene, &mut column);
        let x = |column: &Column<Pose>, number| column.get(id(number)).unwrap().position.x;
        assert_eq!((x(&column, 3), x(&column, 1), x(&column, 2)), (10.0, 11.0, 12.0));
        scene.get_mut::<Transform>(id(3)).unwrap().rotation.y = 180.0;
        places.update(&scene, &mut column);
        assert!((x(&column, 2) - 8.0).abs() < 1e-4, "{}", x(&column, 2));
        assert_eq!(pose_now(&scene, id(2)), *column.get(id(2)).unwrap());
        add(&mut scene, 4, Some(2), 1.0);
        scene.remove(id(3));
        places.update(&scene, &mut column);
        assert_eq!((column.len(), x(&column, 1), x(&column, 4)), (3, 1.0, 3.0));
    }

    #[test]
    fn a_circle_of_parents_ends() {
        let mut scene = Scene::default();
        add(&mut scene, 1, Some(2), 1.0);
        add(&mut scene, 2, Some(1), 1.0);
        let (mut places, mut column) = (Places::default(), Column::default());
        places.update(&scene, &mut column);
        assert_eq!(column.len(), 2);
        assert!(pose_now(&scene, id(1)).position.is_finite());
    }
}
