//! Sounds made elsewhere, checked by numbers where they are present beside the repository.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};

/// Name, frames, samples a second, channels, as another decoder counts them.
const SOUNDS: &[(&str, u32, u32, u16)] = &[
    ("break.ogg", 18_432, 44_100, 2),
    ("coin.ogg", 12_643, 44_100, 2),
    ("fall.ogg", 6_144, 44_100, 1),
    ("jump.ogg", 7_403, 44_100, 1),
    ("land.ogg", 2_458, 44_100, 2),
    ("walking.ogg", 43_243, 48_000, 2),
];

#[test]
fn sounds_made_elsewhere_have_their_length_rate_and_channels() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples");
    let folder =
        std::env::var_os("SKYWALKER_SAMPLES").map_or(beside, PathBuf::from).join("kenney-platformer/sounds");
    if !folder.is_dir() {
        println!("samples: sounds are skipped, no samples here");
        return;
    }
    for (name, frames, rate, channels) in SOUNDS {
        let bytes: Vec<u8> = std::fs::read(folder.join(name)).unwrap();
        let info = audio::decode(bytes.into()).unwrap_or_else(|error| panic!("{name}: {error}")).info();
        assert_eq!((info.sample_rate, info.channels), (*rate, *channels), "{name}");
        // Encoders pad the last block: another decoder may cut it off.
        let counted = (info.seconds * *rate as f32).round() as u32;
        assert!(counted.abs_diff(*frames) <= 2_048, "{name} has {counted} frames instead of {frames}");
    }
}
