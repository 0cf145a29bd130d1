//! What comes out of the buffer, counted in samples.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::*;
use crate::{Listener, MOST_BUSES, samples_in_tick};

const RATE: u32 = 48_000;

/// A 16-bit WAV file.
pub(crate) fn wav(channels: u16, sample_rate: u32, samples: &[i16]) -> Arc<[u8]> {
    let data: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend(channels.to_le_bytes());
    file.extend(sample_rate.to_le_bytes());
    file.extend((sample_rate * u32::from(channels) * 2).to_le_bytes());
    file.extend((channels * 2).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file.into()
}

/// Sample of a sine of 440 Hz, half of full scale.
fn sine(index: usize) -> i16 {
    ((index as f32 * 440.0 * 2.0 * PI / RATE as f32).sin() * 16_384.0) as i16
}

/// A buffer with `tone`, a second of the sine; `level`, a second of a constant quarter; `wide`, the same at the left
/// only.
fn audio() -> Audio {
    let mut audio = Audio::new(Output::Buffer { sample_rate: RATE }).0;
    let tone: Vec<i16> = (0..RATE as usize).map(sine).collect();
    audio.load("tone", wav(1, RATE, &tone)).expect("a good file");
    audio.load("level", wav(1, RATE, &[8_192; RATE as usize])).expect("a good file");
    let wide: Vec<i16> = (0..RATE as usize).flat_map(|_| [8_192, 0]).collect();
    audio.load("wide", wav(2, RATE, &wide)).expect("a good file");
    audio
}

fn voice(id: u64, clip: &str) -> VoiceState<'_> {
    VoiceState {
        id,
        clip,
        bus: "effects",
        gain: 1.0,
        pitch: 1.0,
        looped: false,
        position: None,
        min_distance: 1.0,
        max_distance: 11.0,
        started_tick: 0,
    }
}

fn frame<'a>(tick: u64, voices: &'a [VoiceState<'a>]) -> AudioFrame<'a> {
    AudioFrame { listener: Listener::default(), voices, buses: &[], tick, ticks_per_second: 60 }
}

/// Says the same for some ticks and gives what was heard in them.
fn hear(audio: &mut Audio, ticks: std::ops::Range<u64>, voices: &[VoiceState<'_>]) -> Vec<f32> {
    let mut heard = Vec::new();
    for tick in ticks {
        audio.sync(&frame(tick, voices));
        heard.extend(audio.render(samples_in_tick(tick, 60, RATE)));
    }
    heard
}

/// The last left and right sample.
fn last(heard: &[f32]) -> (f32, f32) {
    (heard[heard.len() - 2], heard[heard.len() - 1])
}

fn close(left: f32, right: f32) -> bool {
    (left - right).abs() < 1e-3
}

#[test]
fn a_sine_comes_out_exactly_as_it_went_in() {
    let heard = hear(&mut audio(), 0..30, &[voice(1, "tone")]);
    assert_eq!(heard.len(), 30 * 800 * 2);
    let expected = |index: usize| f32::from(sine(index)) / 32_768.0;
    // kira's resampler begins a sample early; from there on every sample is the file's own.
    let start = (0..8).find(|start| heard[2 * start] == expected(0) && heard[2 * start + 2] == expected(1));
    let start = start.expect("the sine begins within eight samples");
    for index in 0..20_000 {
        let (left, right) = (heard[2 * (start + index)], heard[2 * (start + index) + 1]);
        assert_eq!((left, right), (expected(index), expected(index)), "sample {index}");
    }
}

#[test]
fn pitch_two_is_an_octave_up_and_half_as_long() {
    let crossings = |heard: &[f32]| {
        let left: Vec<f32> = heard.iter().copied().step_by(2).collect();
        left.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count()
    };
    let plain = crossings(&hear(&mut audio(), 0..15, &[voice(1, "tone")]));
    let mut high = audio();
    let voices = [VoiceState { pitch: 2.0, ..voice(1, "tone") }];
    let heard = hear(&mut high, 0..15, &voices);
    assert!(crossings(&heard).abs_diff(2 * plain) <= 2, "{} against {plain}", crossings(&heard));
    let heard = hear(&mut high, 15..40, &voices);
    assert_eq!(last(&heard), (0.0, 0.0));
    assert!(!high.levels()[0].sounding);
}

#[test]
fn a_sound_at_the_right_is_louder_at_the_right_and_turning_moves_it() {
    let at_right = [VoiceState { position: Some(Vec3::X), ..voice(1, "level") }];
    let mut audio = audio();
    let (left, right) = last(&hear(&mut audio, 0..3, &at_right));
    // Constant power: the mix of -1 to 1 is 0.9, and the middle would be 1.
    assert!(close(left, 0.25 * 0.2_f32.sqrt()) && close(right, 0.25 * 1.8_f32.sqrt()), "{left} {right}");
    let turned = Listener { rotation: Quat::from_rotation_y(PI), ..Listener::default() };
    audio.sync(&AudioFrame { listener: turned, ..frame(3, &at_right) });
    let heard = audio.render(4_800);
    assert!(close(last(&heard).0, right) && close(last(&heard).1, left), "{:?}", last(&heard));
    let steps = heard.chunks(2).collect::<Vec<_>>();
    let jump = steps.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs()).fold(0.0, f32::max);
    assert!(jump < 0.002, "it glides, and does not click: {jump}");
}

#[test]
fn a_stereo_sound_keeps_its_sides_unless_it_has_a_place() {
    assert_eq!(last(&hear(&mut audio(), 0..3, &[voice(1, "wide")])), (0.25, 0.0));
    let placed = [VoiceState { position: Some(Vec3::NEG_Z), ..voice(1, "wide") }];
    assert_eq!(last(&hear(&mut audio(), 0..3, &placed)), (0.125, 0.125));
}

#[test]
fn a_sound_falls_off_with_distance_to_nothing() {
    let at = |distance: f32| {
        let voices = [VoiceState { position: Some(Vec3::NEG_Z * distance), ..voice(1, "level") }];
        last(&hear(&mut audio(), 0..3, &voices)).0
    };
    assert_eq!((at(0.5), at(1.0), at(11.0), at(50.0)), (0.25, 0.25, 0.0, 0.0));
    assert!(close(at(6.0), 0.25 * 0.25) && close(at(3.5), 0.25 * 0.5625), "{} {}", at(6.0), at(3.5));
}

#[test]
fn buses_and_the_master_turn_everything_of_theirs_down() {
    let mut audio = audio();
    let voices = [voice(1, "level"), VoiceState { bus: "music", ..voice(2, "level") }];
    let sync = |audio: &mut Audio, tick, buses: &[(&str, f32)]| {
        audio.sync(&AudioFrame { buses, ..frame(tick, &voices) });
        last(&audio.render(4_800)).0
    };
    assert!(close(sync(&mut audio, 1, &[("music", 0.5)]), 0.25 + 0.125));
    assert!(close(audio.levels()[1].gain, 0.5));
    assert!(close(sync(&mut audio, 7, &[("music", 0.0)]), 0.25));
    assert!(close(sync(&mut audio, 13, &[("music", 0.0), ("effects", 2.0)]), 0.5));
    audio.set_master_volume(0.5);
    assert!(close(sync(&mut audio, 19, &[("music", 1.0), ("effects", 1.0)]), 0.25));
    assert!(close(audio.levels()[0].gain, 0.5));
}

#[test]
fn a_voice_that_is_gone_stops_softly() {
    let mut audio = audio();
    let heard = hear(&mut audio, 0..10, &[VoiceState { looped: true, ..voice(1, "level") }]);
    assert_eq!(last(&heard), (0.25, 0.25));
    let heard = hear(&mut audio, 10..20, &[]);
    let steepest = heard.windows(3).map(|three| (three[2] - three[0]).abs()).fold(0.0, f32::max);
    assert!(steepest < 0.02, "it fades: {steepest}");
    assert_eq!(last(&heard), (0.0, 0.0));
}

#[test]
fn a_sound_that_time_ended_plays_its_last_samples() {
    let mut audio = audio();
    audio.load("short", wav(1, RATE, &[8_192; 4_800])).expect("a good file");
    let until = hear(&mut audio, 0..1, &[voice(1, "short")]);
    assert_eq!(last(&until), (0.25, 0.25));
    // The list drops it a tick early, as a host may that runs behind.
    let rest = hear(&mut audio, 1..12, &[]);
    let heard = rest.chunks(2).filter(|pair| pair[0] == 0.25).count();
    assert!((3_990..=4_010).contains(&heard), "{heard} samples of the remaining 4000");
}

#[test]
fn a_looped_sound_goes_on_without_a_seam_and_one_that_ended_stays_silent() {
    let mut audio = audio();
    let looped = [VoiceState { looped: true, ..voice(1, "level") }];
    let heard = hear(&mut audio, 0..150, &looped);
    assert!(heard.iter().skip(16).all(|sample| *sample == 0.25));
    let mut audio = self::audio();
    let heard = hear(&mut audio, 0..150, &[voice(1, "level")]);
    let sounding = heard.chunks(2).filter(|pair| pair[0] != 0.0).count();
    assert!((47_995..=48_005).contains(&sounding), "{sounding}");
    assert!(!audio.levels()[0].sounding);
}

#[test]
fn a_voice_that_has_been_playing_starts_at_its_place() {
    let ramp: Vec<i16> = (0..32_000).collect();
    let start = |tick: u64, looped: bool| {
        let mut audio = audio();
        audio.load("ramp", wav(1, 32_000, &ramp)).expect("a good file");
        let heard = hear(&mut audio, tick..tick + 3, &[VoiceState { looped, ..voice(1, "ramp") }]);
        last(&heard).0 * 32_768.0
    };
    let three_ticks = 3.0 * 32_000.0 / 60.0;
    assert!((start(30, false) - (16_000.0 + three_ticks)).abs() < 5.0, "{}", start(30, false));
    assert!((start(90, true) - (16_000.0 + three_ticks)).abs() < 5.0, "loops wrap: {}", start(90, true));
    assert_eq!(start(90, false), 0.0, "it has ended long ago");
    assert!((start(2, false) - three_ticks).abs() < 5.0, "a late frame cuts no attack: {}", start(2, false));
}

#[test]
fn going_back_in_time_starts_everything_anew() {
    let ramp: Vec<i16> = (0..32_000).collect();
    let mut audio = audio();
    audio.load("ramp", wav(1, 32_000, &ramp)).expect("a good file");
    let voices = [voice(1, "ramp")];
    let before = last(&hear(&mut audio, 0..50, &voices)).0;
    let after = last(&hear(&mut audio, 0..6, &voices)).0;
    assert!(before > 0.75 && (after - 0.0977).abs() < 0.005, "{before} {after}");
    // And forward past its end: it is over.
    assert_eq!(last(&hear(&mut audio, 500..503, &voices)), (0.0, 0.0));
}

#[test]
fn a_changed_clip_under_the_same_id_is_another_sound() {
    let mut audio = audio();
    hear(&mut audio, 0..3, &[voice(1, "level")]);
    let heard = hear(&mut audio, 3..9, &[VoiceState { started_tick: 3, ..voice(1, "wide") }]);
    assert_eq!(last(&heard), (0.25, 0.0));
}

#[test]
fn pausing_holds_the_sound_where_it_is() {
    let ramp: Vec<i16> = (0..32_000).collect();
    let mut audio = audio();
    audio.load("ramp", wav(1, 32_000, &ramp)).expect("a good file");
    let voices = [voice(1, "ramp")];
    let before = last(&hear(&mut audio, 0..20, &voices)).0;
    audio.pause(true);
    audio.render(4_800);
    assert!(audio.render(48_000).iter().all(|sample| *sample == 0.0));
    audio.pause(false);
    audio.render(1_600);
    let after = last(&audio.render(800)).0;
    let moved = (after - before) * 32_768.0 / 32_000.0;
    assert!(moved > 0.04 && moved < 0.09, "some 50 ms and two fades went by, not a second: {moved}");
}

#[test]
fn a_sound_started_while_paused_waits() {
    let mut audio = audio();
    audio.pause(true);
    assert!(hear(&mut audio, 0..5, &[voice(1, "level")]).iter().skip(1_600).all(|sample| *sample == 0.0));
    audio.pause(false);
    assert_eq!(last(&audio.render(4_800)), (0.25, 0.25));
}

#[test]
fn the_same_frames_give_the_same_bits() {
    let play = || {
        let mut audio = audio();
        let mut heard = Vec::new();
        for tick in 0..120 {
            let position = Vec3::new((tick as f32 * 0.1).sin() * 8.0, 0.5, -2.0);
            let voices = [
                VoiceState { looped: true, bus: "music", gain: 0.4, ..voice(1, "wide") },
                VoiceState { position: Some(position), pitch: 1.3, looped: true, ..voice(2, "tone") },
                VoiceState { started_tick: tick / 20 * 20, ..voice(3 + tick / 20, "tone") },
            ];
            audio.sync(&AudioFrame { buses: &[("music", 0.7)], ..frame(tick, &voices) });
            heard.extend(audio.render(800).into_iter().map(f32::to_bits));
        }
        heard
    };
    let first = play();
    assert!(first.iter().any(|bits| *bits != 0));
    assert_eq!(first, play());
}

#[test]
fn a_loud_crowd_is_bounded_in_number_and_in_level() {
    let mut audio = audio();
    let voices: Vec<VoiceState<'_>> = (0..200)
        .map(|id| VoiceState { gain: if id < 100 { 0.01 } else { 1.0 }, looped: true, ..voice(id, "level") })
        .collect();
    let heard = hear(&mut audio, 0..3, &voices);
    assert!(last(&heard).0 > 0.9 && heard.iter().all(|sample| sample.abs() < 1.0));
    let sounding: Vec<u64> =
        audio.levels().iter().filter(|level| level.sounding).map(|level| level.id).collect();
    assert_eq!(sounding, (100..164).collect::<Vec<u64>>());
    assert_eq!(audio.levels().len(), 200);
}

#[test]
fn many_sounds_one_after_another_never_run_out_of_room() {
    let mut audio = audio();
    audio.load("click", wav(1, RATE, &[8_192; 400])).expect("a good file");
    for tick in 0..400_u64 {
        let voices: Vec<VoiceState<'_>> = (0..10)
            .map(|number| VoiceState { started_tick: tick, ..voice(1 + tick * 10 + number, "click") })
            .collect();
        audio.sync(&frame(tick, &voices));
        assert!(audio.levels().iter().all(|level| level.sounding), "tick {tick}");
        audio.render(800);
    }
}

#[test]
fn more_buses_than_there_is_room_for_still_sound() {
    let mut audio = audio();
    let names: Vec<String> = (0..2 * MOST_BUSES).map(|number| format!("bus{number}")).collect();
    let voices: Vec<VoiceState<'_>> = names
        .iter()
        .zip(1..)
        .map(|(bus, id)| VoiceState { bus, gain: 1.0 / 64.0, ..voice(id, "level") })
        .collect();
    let (left, _) = last(&hear(&mut audio, 0..3, &voices));
    assert!(close(left, 0.25), "{left}");
}

#[test]
fn a_missing_sound_is_reported_once_with_the_nearest_name() {
    let mut audio = audio();
    hear(&mut audio, 0..3, &[voice(1, "tonne"), voice(2, "level")]);
    let problems = audio.take_problems();
    assert_eq!(problems.len(), 1);
    assert_eq!(
        problems[0].to_string(),
        "unknown_sound: the sound `tonne` was asked for and never loaded\n  hint: did you mean `tone`?"
    );
    hear(&mut audio, 3..6, &[voice(1, "tonne")]);
    assert_eq!(audio.take_problems(), []);
    // Loaded later, it begins at its place.
    audio.load("tonne", wav(1, RATE, &[8_192; RATE as usize])).expect("a good file");
    assert_eq!(last(&hear(&mut audio, 6..9, &[voice(1, "tonne")])), (0.25, 0.25));
}

#[test]
fn without_a_sound_card_the_game_goes_on_and_is_told_once() {
    let (mut audio, problem) = Audio::with_device(Output::Device, || Err("none is plugged in".to_owned()));
    assert_eq!(
        problem.expect("a warning").to_string(),
        "no_sound_device: there is no sound: none is plugged in\n  hint: the game plays on in silence; for sound \
         connect a device, or start a sound server, and start it again"
    );
    audio.load("tone", wav(1, RATE, &[1; 4_800])).expect("a good file");
    let at = [VoiceState { position: Some(Vec3::new(6.0, 0.0, 0.0)), ..voice(1, "tone") }];
    assert!(audio.is_silent() && hear(&mut audio, 0..5, &at).is_empty());
    let level = audio.levels()[0];
    assert!(level.sounding && close(level.gain, 0.25) && level.distance == Some(6.0), "{level:?}");
    hear(&mut audio, 5..8, &at);
    assert!(!audio.levels()[0].sounding, "it is 0.1 seconds long");
    assert_eq!(audio.take_problems(), []);
}

#[test]
fn this_machine_with_or_without_a_sound_card_opens_and_plays() {
    let (mut audio, problem) = Audio::new(Output::Device);
    assert_eq!(problem.is_some(), audio.is_silent());
    audio.set_master_volume(0.0);
    audio.load("tone", wav(1, RATE, &[1; 4_800])).expect("a good file");
    assert!(hear(&mut audio, 0..3, &[voice(1, "tone")]).is_empty());
    assert!(audio.levels()[0].sounding);
}
