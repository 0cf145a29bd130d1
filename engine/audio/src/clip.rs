//! A decoded sound, ready to be played many times at once.

mod header;

use std::io::Cursor;
use std::sync::Arc;

use kira::Frame;
use kira::sound::static_sound::StaticSoundData;

use crate::AudioError;
use header::Header;

/// Bytes of a sound file at most: ten minutes of stereo at 48 kHz as WAV fit, an accident does not.
const MOST_BYTES: usize = 128 << 20;

/// What is known of a loaded sound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClipInfo {
    /// Length at pitch 1.
    pub seconds: f32,
    /// 1 or 2.
    pub channels: u16,
    /// Samples a second and channel.
    pub sample_rate: u32,
}

/// A decoded sound. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Clip {
    pub(crate) info: ClipInfo,
    /// As recorded.
    pub(crate) stereo: StaticSoundData,
    /// Both sides the same, for a place in space: panning a stereo picture would lose half of it.
    pub(crate) mono: StaticSoundData,
}

impl Clip {
    /// What is known of it.
    pub fn info(&self) -> ClipInfo {
        self.info
    }
}

/// Decodes an ogg (Vorbis), wav (PCM) or mp3 file. Takes up to a second for long music: a worker's job.
pub fn decode(bytes: Arc<[u8]>) -> Result<Clip, AudioError> {
    if bytes.len() > MOST_BYTES {
        return Err(AudioError::TooLarge { bytes: bytes.len(), most: MOST_BYTES });
    }
    let Header { format, channels } = header::read(&bytes)?;
    let stereo = StaticSoundData::from_cursor(Cursor::new(bytes))
        .map_err(|error| AudioError::Undecodable { format, reason: error.to_string() })?;
    if stereo.frames.is_empty() || stereo.sample_rate == 0 {
        return Err(AudioError::Empty { format });
    }
    let mono = if channels == 2 { mixed_down(&stereo) } else { stereo.clone() };
    let seconds = stereo.frames.len() as f64 / f64::from(stereo.sample_rate);
    let info = ClipInfo { seconds: seconds as f32, channels, sample_rate: stereo.sample_rate };
    Ok(Clip { info, stereo, mono })
}

fn mixed_down(sound: &StaticSoundData) -> StaticSoundData {
    StaticSoundData { frames: sound.frames.iter().copied().map(Frame::as_mono).collect(), ..sound.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wav(channels: u16, sample_rate: u32, samples: &[i16]) -> Arc<[u8]> {
        crate::audio::tests::wav(channels, sample_rate, samples)
    }

    #[test]
    fn a_wav_file_gives_its_length_channels_and_rate() {
        let clip = decode(wav(2, 22_050, &[0; 22_050])).expect("a good file");
        assert_eq!(clip.info(), ClipInfo { seconds: 0.5, channels: 2, sample_rate: 22_050 });
        let clip = decode(wav(1, 8_000, &[1; 2_000])).expect("a good file");
        assert_eq!(clip.info(), ClipInfo { seconds: 0.25, channels: 1, sample_rate: 8_000 });
    }

    #[test]
    fn an_ogg_file_gives_its_length_and_its_tone() {
        check_tone(include_bytes!("../tests/data/tone.ogg"), 1, 0.25, 440.0);
    }

    #[test]
    fn an_mp3_file_gives_its_length_and_its_tone() {
        check_tone(include_bytes!("../tests/data/tone.mp3"), 1, 0.25, 440.0);
    }

    /// `tests/data/tone.*` are a quarter of a second of 440 Hz, mono at 22,050 Hz, made with sox and with LAME.
    /// Lossy formats pad, so lengths are near; the pitch is counted by the zero crossings of the middle.
    fn check_tone(bytes: &[u8], channels: u16, seconds: f32, hertz: f32) {
        let clip = decode(bytes.into()).expect("a good file");
        assert_eq!((clip.info.channels, clip.info.sample_rate), (channels, 22_050));
        assert!((clip.info.seconds - seconds).abs() < 0.11, "{}", clip.info.seconds);
        let middle: Vec<f32> =
            clip.stereo.frames.iter().skip(2_205).take(2_205).map(|frame| frame.left).collect();
        let crossings = middle.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count();
        let expected = hertz * 2.0 * 0.1;
        assert!(
            (crossings as f32 - expected).abs() <= 1.0,
            "{crossings} zero crossings, expected {expected}"
        );
    }

    #[test]
    fn bytes_of_no_sound_say_how_they_begin() {
        let error = decode(b"<html>not found</html>".as_slice().into()).expect_err("no sound");
        assert_eq!(error.to_string(), "this is no ogg, wav or mp3 file: it begins with `<html>not fo`");
        let error = decode(Vec::new().into()).expect_err("no sound");
        assert_eq!(error.to_string(), "this is no ogg, wav or mp3 file: it begins with nothing, it is empty");
    }

    #[test]
    fn broken_files_of_a_known_format_say_which() {
        let cut: Arc<[u8]> = wav(1, 8_000, &[1; 100]).iter().copied().take(30).collect();
        let error = decode(cut).expect_err("cut off").to_string();
        assert!(error.starts_with("this wav file cannot be decoded: "), "{error}");
        assert_eq!(decode(wav(1, 8_000, &[])).expect_err("empty"), AudioError::Empty { format: "wav" });
        let mut ogg = include_bytes!("../tests/data/tone.ogg").to_vec();
        ogg.truncate(200);
        let error = decode(ogg.into()).expect_err("cut off").to_string();
        assert!(error.starts_with("this ogg file cannot be decoded: "), "{error}");
    }

    #[test]
    fn no_damage_to_a_file_makes_decoding_panic() {
        for original in
            [&include_bytes!("../tests/data/tone.ogg")[..], include_bytes!("../tests/data/tone.mp3")]
        {
            for place in (0..original.len()).step_by(37) {
                let mut bytes = original.to_vec();
                bytes[place] ^= 0xa5;
                let _ = decode(bytes.into());
            }
        }
    }
}
