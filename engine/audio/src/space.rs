//! How loud a place is, and from which side it comes. Plain arithmetic, so that it is the same everywhere.

use glam::Vec3;

use crate::{Listener, VoiceState};

/// How far a sound right beside the listener goes to that side. The other ear always keeps a little of it, which is
/// easier on people with headphones.
const PAN_WIDTH: f32 = 0.8;

/// What a listener's place makes of a voice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    /// Linear gain of the distance, 0 to 1.
    pub gain: f32,
    /// -1 left, 1 right.
    pub pan: f32,
    /// Metres; none where the voice is everywhere.
    pub distance: Option<f32>,
}

/// Gain and side of a voice. Full within `min_distance`, silent from `max_distance` on; between them the square of the
/// rest of the way, which ends without a step.
pub(crate) fn place(listener: &Listener, voice: &VoiceState<'_>) -> Placed {
    let Some(position) = voice.position.filter(|position| position.is_finite()) else {
        return Placed { gain: 1.0, pan: 0.0, distance: None };
    };
    let offset: Vec3 = listener.rotation.inverse() * (position - listener.position);
    let distance = offset.length();
    let near = voice.min_distance.max(0.0);
    let way = voice.max_distance - near;
    let gain = if distance <= near {
        1.0
    } else if way > 0.0 {
        (1.0 - (distance - near) / way).clamp(0.0, 1.0).powi(2)
    } else {
        0.0
    };
    // Within the full distance the side fades to the middle, so that walking through a sound makes no jump.
    let spread = distance.max(near).max(f32::EPSILON);
    Placed { gain, pan: (offset.x / spread * PAN_WIDTH).clamp(-1.0, 1.0), distance: Some(distance) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn at(x: f32, y: f32, z: f32) -> VoiceState<'static> {
        VoiceState {
            id: 1,
            clip: "tone",
            bus: "effects",
            gain: 1.0,
            pitch: 1.0,
            looped: true,
            position: Some(Vec3::new(x, y, z)),
            min_distance: 2.0,
            max_distance: 12.0,
            started_tick: 0,
        }
    }

    #[test]
    fn gain_falls_from_full_to_nothing_and_never_rises() {
        let gains: Vec<f32> =
            (0..30).map(|step| place(&Listener::default(), &at(0.0, 0.0, -0.5 * step as f32)).gain).collect();
        assert_eq!((gains[0], gains[4], gains[24], gains[29]), (1.0, 1.0, 0.0, 0.0));
        assert!((gains[14] - 0.25).abs() < 1e-6, "half the way is a quarter: {}", gains[14]);
        assert!(gains.windows(2).all(|pair| pair[1] <= pair[0]));
    }

    #[test]
    fn sides_follow_the_turn_of_the_head() {
        let right = place(&Listener::default(), &at(5.0, 0.0, 0.0));
        assert_eq!((right.pan, right.distance), (PAN_WIDTH, Some(5.0)));
        assert!(place(&Listener::default(), &at(0.0, 3.0, -5.0)).pan.abs() < 1e-6);
        // Turned to the left by a quarter, what was ahead is at the right.
        let turned =
            Listener { rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2), ..Listener::default() };
        assert!((place(&turned, &at(0.0, 0.0, -5.0)).pan - PAN_WIDTH).abs() < 1e-5);
    }

    #[test]
    fn a_sound_at_the_ears_is_in_the_middle() {
        assert_eq!(place(&Listener::default(), &at(0.0, 0.0, 0.0)).pan, 0.0);
        assert!(place(&Listener::default(), &at(0.5, 0.0, 0.0)).pan < 0.3);
    }

    #[test]
    fn broken_distances_and_places_make_no_broken_gain() {
        let inverted = VoiceState { min_distance: 9.0, max_distance: 3.0, ..at(0.0, 0.0, -10.0) };
        assert_eq!(place(&Listener::default(), &inverted).gain, 0.0);
        let nowhere = at(f32::NAN, 0.0, 0.0);
        assert_eq!(place(&Listener::default(), &nowhere), Placed { gain: 1.0, pan: 0.0, distance: None });
        let zero = VoiceState { min_distance: 0.0, ..at(0.0, 0.0, 0.0) };
        assert_eq!(place(&Listener::default(), &zero).pan, 0.0);
    }
}
