//! The renderer: scene and assets to pixels. An empty room until the first pass moves in.
