//! The built-in typeface: letters as strokes of a round pen, drawn for this project, turned into distance fields.

use std::collections::BTreeMap;

use glam::Vec2;
use project::ImageData;

/// Units from the baseline to the top of a capital letter.
const CAPITAL: f32 = 14.0;

/// Half the width of the pen, units.
const PEN: f32 = 1.05;

/// Units between two letters.
const GAP: f32 = 4.2;

/// Pixels a unit in the atlas.
const PIXELS: f32 = 2.0;

/// Units around a letter over which its field reaches.
const SPREAD: f32 = 4.0;

/// Letters: width in units and strokes. A point is two letters of base 36: x, and y above four units below the
/// baseline. A stroke that begins with `~` is bent through its points, with `@` it is a closed loop.
const LETTERS: &[(char, u8, &str)] = &[
    (' ', 3, ""),
    ('!', 0, "0i09 0404"),
    ('"', 4, "0i0e 4i4e"),
    ('#', 8, "2h15 7h65 0d8d 0989"),
    ('$', 8, "~8f8i0i0b8b840407 4k42"),
    ('%', 9, "048i @0i3i3e0e @58989454"),
    ('&', 9, "94 1f ~1f1i6i6e0904040494 8a 948a"),
    ('\'', 0, "0i0e"),
    ('(', 3, "~3k0f0732"),
    (')', 3, "~0k3f3702"),
    ('*', 6, "3i3a 0g6c 0c6g"),
    ('+', 8, "0a8a 4e46"),
    (',', 1, "1502"),
    ('-', 5, "0a5a"),
    ('.', 0, "0404"),
    ('/', 6, "026k"),
    ('0', 8, "@0i8i8404"),
    ('1', 4, "0f4i44"),
    ('2', 8, "~0f0i8i8b04 0484"),
    ('3', 8, "~0g0i7i7b3b ~3b8b840406"),
    ('4', 8, "646i0888"),
    ('5', 8, "7i0i0b ~0b2d8d840305"),
    ('6', 8, "@0c8c8404 ~7i2i0d08"),
    ('7', 8, "0i8i34"),
    ('8', 8, "@1i7i7b1b @0b8b8404"),
    ('9', 8, "@0i8i8a0a ~8e896414"),
    (':', 0, "0404 0d0d"),
    (';', 1, "1502 1d1d"),
    ('<', 6, "6f0a65"),
    ('=', 8, "0c8c 0888"),
    ('>', 6, "0f6a05"),
    ('?', 7, "~0f0i7i7c3b38 3434"),
    ('@', 10, "@3d7d7737 7d77 ~77a7adai0i0424 94"),
    ('A', 8, "044i84 1979"),
    ('B', 8, "040i ~0i7i7b0b ~0b8b8404"),
    ('C', 8, "~8f8i0i048487"),
    ('D', 8, "040i ~0i4i8i844404"),
    ('E', 7, "7i0i0474 0b6b"),
    ('F', 7, "7i0i04 0b6b"),
    ('G', 8, "~8f8i0i04848b 8b5b"),
    ('H', 8, "040i 848i 0b8b"),
    ('I', 0, "040i"),
    ('J', 6, "~6i6a640407"),
    ('K', 8, "040i 8i0a 3c84"),
    ('L', 7, "0i0474"),
    ('M', 10, "040i59aia4"),
    ('N', 8, "040i848i"),
    ('O', 9, "@0i9i9404"),
    ('P', 8, "040i ~0i8i8a0a"),
    ('Q', 9, "@0i9i9404 6893"),
    ('R', 8, "040i ~0i8i8b0b 4b84"),
    ('S', 8, "~8f8i0i0b8b840407"),
    ('T', 8, "0i8i 4i44"),
    ('U', 8, "~0i0a04848a8i"),
    ('V', 8, "0i448i"),
    ('W', 12, "0i346e94ci"),
    ('X', 8, "048i 0i84"),
    ('Y', 8, "0i4b8i 4b44"),
    ('Z', 8, "0i8i0484"),
    ('[', 3, "3k0k0232"),
    ('\\', 6, "0k62"),
    (']', 3, "0k3k3202"),
    ('^', 6, "0e3i6e"),
    ('_', 8, "0282"),
    ('`', 2, "0i2f"),
    ('a', 7, "@0e7e7404 7e74"),
    ('b', 7, "0i04 @0e7e7404"),
    ('c', 7, "~7c7e0e047476"),
    ('d', 7, "7i74 @0e7e7404"),
    ('e', 7, "0979 ~797e0e047476"),
    ('f', 5, "~5i2i2c24 0e4e"),
    ('g', 7, "@0e7e7404 ~7e77700001"),
    ('h', 7, "0i04 ~0a0e7e7a74"),
    ('i', 0, "0e04 0i0i"),
    ('j', 3, "~3e343000 3i3i"),
    ('k', 6, "0i04 6e08 2a64"),
    ('l', 0, "0i04"),
    ('m', 10, "0e04 ~0a0e5e5a54 ~5a5eaeaaa4"),
    ('n', 7, "0e04 ~0a0e7e7a74"),
    ('o', 7, "@0e7e7404"),
    ('p', 7, "0e00 @0e7e7404"),
    ('q', 7, "7e70 @0e7e7404"),
    ('r', 5, "0e04 ~0a0e5e"),
    ('s', 6, "~6c6e0e0969640406"),
    ('t', 5, "~2i282454 0e5e"),
    ('u', 7, "~0e080474787e 7e74"),
    ('v', 6, "0e346e"),
    ('w', 10, "0e345b74ae"),
    ('x', 6, "046e 0e64"),
    ('y', 6, "0e34 6e20"),
    ('z', 6, "0e6e0464"),
    ('{', 4, "~4k2k2b0a ~0a292242"),
    ('|', 0, "0k02"),
    ('}', 4, "~0k2k2b4a ~4a292202"),
    ('~', 8, "~092c4a688b"),
];

/// A letter in the atlas.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Letter {
    /// Left, top, width and height in the atlas, 0 to 1.
    pub uv: [f32; 4],
    /// Units of the field's picture.
    pub size: Vec2,
    /// Units from the pen's place on the baseline to the field's top left corner, down is positive.
    pub offset: Vec2,
    /// Units to the next letter.
    pub advance: f32,
}

/// The typeface.
pub(crate) struct Font {
    pub letters: BTreeMap<char, Letter>,
    pub atlas: ImageData,
}

/// Pixels of text of a height that one unit is.
pub(crate) fn unit(text_size: f32) -> f32 {
    text_size * 0.7 / CAPITAL
}

/// Units over which the field goes from nothing to all: twice the spread.
pub(crate) const FIELD: f32 = SPREAD * 2.0;

/// Units from the top of a line to its baseline.
pub(crate) const ASCENT: f32 = 17.0;

/// Units from line to line.
pub(crate) const LINE: f32 = 25.0;

impl Font {
    /// Draws all letters into their fields.
    pub fn new() -> Self {
        const COLUMNS: usize = 12;
        let cell = [(12.0 + 2.0 * SPREAD) * PIXELS, (22.0 + 2.0 * SPREAD) * PIXELS].map(|side| side as usize);
        let rows = LETTERS.len().div_ceil(COLUMNS);
        let (width, height) = (cell[0] * COLUMNS, cell[1] * rows);
        let mut field = vec![0u8; width * height];
        let mut letters = BTreeMap::new();
        for (number, (letter, advance, strokes)) in LETTERS.iter().enumerate() {
            let corner = [number % COLUMNS * cell[0], number / COLUMNS * cell[1]];
            let segments = segments(strokes);
            for y in 0..cell[1] {
                for x in 0..cell[0] {
                    // Units; the baseline lies 18 above the field's lower edge less the spread.
                    let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / PIXELS - SPREAD;
                    let point = Vec2::new(at.x, 18.0 - at.y);
                    let distance =
                        segments.iter().map(|[a, b]| away(point, *a, *b)).fold(f32::INFINITY, f32::min);
                    let value = (0.5 - (distance - PEN) / FIELD).clamp(0.0, 1.0);
                    if let Some(pixel) = field.get_mut((corner[1] + y) * width + corner[0] + x) {
                        *pixel = (value * 255.0).round() as u8;
                    }
                }
            }
            let [w, h] = [width as f32, height as f32];
            letters.insert(
                *letter,
                Letter {
                    uv: [corner[0] as f32 / w, corner[1] as f32 / h, cell[0] as f32 / w, cell[1] as f32 / h],
                    size: Vec2::new(cell[0] as f32, cell[1] as f32) / PIXELS,
                    offset: Vec2::new(-SPREAD, -18.0 - SPREAD),
                    advance: f32::from(*advance) + GAP,
                },
            );
        }
        let rgba = field.iter().flat_map(|value| [*value, *value, *value, 255]).collect();
        Self { letters, atlas: ImageData { width: width as u32, height: height as u32, rgba } }
    }

    /// A letter; a question mark for those that are not drawn.
    pub fn letter(&self, letter: char) -> Option<&Letter> {
        let plain = match letter {
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            '–' | '—' => '-',
            '…' => '.',
            other => other,
        };
        self.letters.get(&plain).or_else(|| self.letters.get(&'?'))
    }

    /// Units that a line is wide.
    pub fn width(&self, line: &str) -> f32 {
        let sum: f32 =
            line.chars().filter_map(|letter| self.letter(letter)).map(|letter| letter.advance).sum();
        (sum - GAP).max(0.0)
    }
}

/// Distance from a point to a segment.
fn away(point: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let t = if along == Vec2::ZERO {
        0.0
    } else {
        ((point - a).dot(along) / along.length_squared()).clamp(0.0, 1.0)
    };
    point.distance(a + along * t)
}

/// The straight pieces of a letter's strokes.
fn segments(strokes: &str) -> Vec<[Vec2; 2]> {
    let mut all = Vec::new();
    for stroke in strokes.split(' ').filter(|stroke| !stroke.is_empty()) {
        let closed = stroke.starts_with('@');
        let bent = closed || stroke.starts_with('~');
        let digits: Vec<f32> = stroke
            .trim_start_matches(['@', '~'])
            .chars()
            .filter_map(|digit| digit.to_digit(36))
            .map(|digit| digit as f32)
            .collect();
        let mut points: Vec<Vec2> =
            digits.as_chunks::<2>().0.iter().map(|[x, y]| Vec2::new(*x, *y - 4.0)).collect();
        if bent {
            for _ in 0..4 {
                points = cut_corners(&points, closed);
            }
        }
        if closed && let Some(first) = points.first().copied() {
            points.push(first);
        }
        if let [only] = points.as_slice() {
            all.push([*only, *only]);
        }
        all.extend(
            points.windows(2).filter_map(|pair| if let [a, b] = pair { Some([*a, *b]) } else { None }),
        );
    }
    all
}

/// Each corner replaced by two, a quarter of the way along its sides: repeated, a smooth curve.
fn cut_corners(points: &[Vec2], closed: bool) -> Vec<Vec2> {
    let mut cut = Vec::with_capacity(points.len() * 2);
    let count = points.len();
    let get = |index: usize| points.get(index % count.max(1)).copied().unwrap_or_default();
    if !closed {
        cut.push(get(0));
    }
    let pairs = if closed { count } else { count.saturating_sub(1) };
    for index in 0..pairs {
        let (a, b) = (get(index), get(index + 1));
        if closed || index > 0 {
            cut.push(a.lerp(b, 0.25));
        }
        if closed || index + 1 < pairs {
            cut.push(a.lerp(b, 0.75));
        }
    }
    if !closed {
        cut.push(get(count.saturating_sub(1)));
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_is_drawn_and_stays_in_its_cell() {
        let font = Font::new();
        for code in 32u8..127 {
            let letter = char::from(code);
            assert!(font.letters.contains_key(&letter), "{letter} is missing");
        }
        for (letter, width, strokes) in LETTERS {
            for [a, b] in segments(strokes) {
                for point in [a, b] {
                    assert!(
                        (-1.0..=12.5).contains(&point.x) && (-4.0..=16.5).contains(&point.y),
                        "{letter} {point}"
                    );
                    assert!(point.x <= f32::from(*width) + 2.5, "{letter} is wider than it says");
                }
            }
        }
        assert!(font.width("WW") > font.width("ii") * 2.0);
    }
}
