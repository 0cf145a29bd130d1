//! The first bytes of a sound file: which format, how many channels. The decoder tells neither.

use crate::AudioError;

/// What the first bytes tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Header {
    /// `ogg`, `wav` or `mp3`.
    pub format: &'static str,
    /// 1 or 2; where the header is broken 2, and decoding will say so.
    pub channels: u16,
}

/// Reads the first bytes.
pub(super) fn read(bytes: &[u8]) -> Result<Header, AudioError> {
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE") {
        return Ok(header("wav", wav_channels(bytes)));
    }
    if bytes.starts_with(b"OggS") {
        return Ok(header("ogg", vorbis_channels(bytes)));
    }
    if let Some(channels) = mp3_channels(bytes) {
        return Ok(header("mp3", channels));
    }
    Err(AudioError::UnknownFormat { begins: readable(bytes) })
}

fn header(format: &'static str, channels: Option<u16>) -> Header {
    Header { format, channels: if channels == Some(1) { 1 } else { 2 } }
}

/// From the `fmt ` chunk, wherever it stands among the others.
fn wav_channels(bytes: &[u8]) -> Option<u16> {
    let mut rest = bytes.get(12..)?;
    loop {
        let (head, body) = rest.split_at_checked(8)?;
        let (name, size) = head.split_at_checked(4)?;
        if name == b"fmt " {
            return Some(u16::from_le_bytes(body.get(2..4)?.try_into().ok()?));
        }
        let size = u32::from_le_bytes(size.try_into().ok()?) as usize;
        // Chunks begin at even offsets.
        rest = body.get(size.checked_add(size % 2)?..)?;
    }
}

/// From the identification packet: its type and `vorbis`, four bytes of version, then the count.
fn vorbis_channels(bytes: &[u8]) -> Option<u16> {
    const NAME: &[u8] = b"\x01vorbis";
    let start = bytes.get(..512).unwrap_or(bytes).windows(NAME.len()).position(|window| window == NAME)?;
    bytes.get(start + NAME.len() + 4).copied().map(u16::from)
}

/// Whether this is MP3: an ID3 tag, or eleven set bits and a layer III at once. The inner option is the channels.
fn mp3_channels(bytes: &[u8]) -> Option<Option<u16>> {
    let tagged = bytes.starts_with(b"ID3");
    let start = if tagged { 10 + tag_size(bytes.get(6..10)?) } else { 0 };
    match bytes.get(start..).and_then(|frame| frame.first_chunk::<4>()) {
        // Mode 3 is mono.
        Some([0xff, second, _, fourth]) if second & 0xe6 == 0xe2 => {
            Some(Some(if fourth >> 6 == 3 { 1 } else { 2 }))
        }
        _ => tagged.then_some(None),
    }
}

/// Four bytes of seven bits.
fn tag_size(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |size, byte| size << 7 | usize::from(byte & 0x7f))
}

fn readable(bytes: &[u8]) -> String {
    match bytes.get(..12).unwrap_or(bytes) {
        [] => "nothing, it is empty".to_owned(),
        begin => format!("`{}`", begin.escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_found_behind_other_chunks_and_tags() {
        let mut wav = b"RIFF\0\0\0\0WAVEjunk\x03\0\0\0abc\0fmt \x10\0\0\0\x01\0\x01\0".to_vec();
        assert_eq!(read(&wav), Ok(Header { format: "wav", channels: 1 }));
        wav.truncate(20);
        assert_eq!(read(&wav), Ok(Header { format: "wav", channels: 2 }));
        let mp3 = b"ID3\x04\0\0\0\0\0\x02xx\xff\xfb\x90\xc0";
        assert_eq!(read(mp3), Ok(Header { format: "mp3", channels: 1 }));
        assert_eq!(read(b"\xff\xf3\x90\x40"), Ok(Header { format: "mp3", channels: 2 }));
    }
}
