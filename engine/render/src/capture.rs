//! Pictures taken off screen.

use base::Problem;

/// Names a capture until it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaptureTicket(pub u64);

/// A capture that is done.
#[derive(Debug)]
pub struct FinishedCapture {
    /// Which one.
    pub ticket: CaptureTicket,
    /// The picture, or why there is none.
    pub picture: Result<Picture, Problem>,
}

/// Pixels as they are shown: sRGB, opaque.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Red, green, blue and alpha, row by row from the top.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The colour of a pixel, counted from the top left; black outside.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        if x >= self.width || y >= self.height {
            return [0; 4];
        }
        let first = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(first..first + 4).and_then(|pixel| pixel.try_into().ok()).unwrap_or_default()
    }
}

/// The picture as a PNG without alpha. Takes some milliseconds: run it on a worker.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, Problem> {
    let failed = |error: png::EncodingError| {
        Problem::new("capture_failed", format!("the picture cannot be written as PNG: {error}"))
    };
    let rgb: Vec<u8> = picture.rgba.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&rgb).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}
