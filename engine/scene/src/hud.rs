//! What scripts show over the picture: text, bars, images, panels, buttons. State of the world, drawn by `render`.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::Color;

/// The corner, edge or centre that an item's position counts from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// Top left.
    #[default]
    TopLeft,
    /// Top edge, middle.
    Top,
    /// Top right.
    TopRight,
    /// Left edge, middle.
    Left,
    /// The middle.
    Center,
    /// Right edge, middle.
    Right,
    /// Bottom left.
    BottomLeft,
    /// Bottom edge, middle.
    Bottom,
    /// Bottom right.
    BottomRight,
}

/// What an item shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HudContent {
    /// Text of one or more lines.
    Text(String),
    /// A bar filled from 0 to 1.
    Bar(f32),
    /// A picture of the project's assets, at its own size times `scale`.
    Image(String),
    /// A filled rectangle.
    Panel,
    /// Text that can be clicked.
    Button(String),
}

/// One item. Lengths are pixels of a picture 720 high; other heights scale them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HudItem {
    /// What it shows.
    pub content: HudContent,
    /// What `position` counts from; the same point of the item is placed there.
    pub anchor: Anchor,
    /// Offset from the anchor, right and down.
    pub position: [f32; 2],
    /// Width and height of bars and panels; a width of 0 fits the content.
    pub size: [f32; 2],
    /// Height of text, pixels.
    pub text_size: f32,
    /// Colour of the text, bar or panel; multiplies an image.
    pub color: Color,
    /// Factor on an image's own size.
    pub scale: f32,
    /// Whether it is drawn.
    pub visible: bool,
}

impl Default for HudItem {
    fn default() -> Self {
        Self {
            content: HudContent::Panel,
            anchor: Anchor::TopLeft,
            position: [0.0, 0.0],
            size: [0.0, 0.0],
            text_size: 24.0,
            color: Color::WHITE,
            scale: 1.0,
            visible: true,
        }
    }
}

/// All items by id, drawn in order: later ones lie over earlier ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Hud {
    /// The items.
    pub items: IndexMap<String, HudItem>,
}
