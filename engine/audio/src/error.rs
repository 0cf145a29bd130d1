//! Why a sound file cannot be played.

use base::Problem;

/// Why a sound file cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AudioError {
    /// It is none of the three formats.
    #[error("this is no ogg, wav or mp3 file: it begins with {begins}")]
    UnknownFormat {
        /// Its first bytes, readable.
        begins: String,
    },
    /// The format is known, the contents are broken or of a kind that is not supported.
    #[error("this {format} file cannot be decoded: {reason}")]
    Undecodable {
        /// `ogg`, `wav` or `mp3`.
        format: &'static str,
        /// The decoder's words.
        reason: String,
    },
    /// It decodes to nothing.
    #[error("this {format} file holds no sound")]
    Empty {
        /// `ogg`, `wav` or `mp3`.
        format: &'static str,
    },
    /// It is larger than any sound of a game should be.
    #[error("this file has {bytes} bytes; a sound may have at most {most}")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The limit.
        most: usize,
    },
}

impl AudioError {
    /// The same for people, with the file below `assets/` that it is about.
    pub fn problem(&self, name: &str) -> Problem {
        let hint = match self {
            Self::UnknownFormat { .. } => "export it as ogg (Vorbis), wav (PCM) or mp3",
            Self::Undecodable { .. } => "export it anew as mono or stereo ogg (Vorbis), wav (PCM) or mp3",
            Self::Empty { .. } => "export it anew; the file has a header and no samples",
            Self::TooLarge { .. } => "export it as ogg, or cut it",
        };
        Problem::new("broken_sound", format!("`{name}` cannot be played: {self}"))
            .file(format!("assets/{name}"))
            .hint(hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_problem_names_the_file_and_what_to_do() {
        let error = AudioError::UnknownFormat { begins: "`hello`".to_owned() };
        assert_eq!(
            error.problem("sounds/a.wav").to_string(),
            "broken_sound: `sounds/a.wav` cannot be played: this is no ogg, wav or mp3 file: it begins with \
             `hello` · assets/sounds/a.wav\n  hint: export it as ogg (Vorbis), wav (PCM) or mp3"
        );
    }
}
