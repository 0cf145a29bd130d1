//! `capture`

use base::Problem;
use base::link::Picture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// A picture of the game at this tick, drawn off screen: it works without a window too. Look before and after you change something.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// See from this entity's place along its forward direction, instead of the game's camera.
    camera: Option<EntityRef>,
    /// Pixels.
    #[serde(default = "width")]
    #[schemars(range(min = 16, max = 1500))]
    width: u32,
    /// Pixels.
    #[serde(default = "height")]
    #[schemars(range(min = 16, max = 1500))]
    height: u32,
    /// Whether text and bars over the picture are drawn.
    #[serde(default = "yes")]
    hud: bool,
}

fn width() -> u32 {
    640
}

fn height() -> u32 {
    360
}

fn yes() -> bool {
    true
}

/// The tool.
pub struct Capture;

impl Builtin for Capture {
    const NAME: &'static str = "capture";
    const TITLE: &'static str = "Take a picture";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"width": 320, "height": 180}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let camera = match &args.camera {
            Some(reference) => Some(context.entity(reference).map_err(|problem| problem.path("camera"))?),
            None => None,
        };
        let id = context.engine.order_capture([args.width, args.height], camera, args.hud)?;
        Ok(Answer::Later(Box::new(move |context| {
            Some(context.engine.take_capture(id)?.map(|picture| {
                let result = json!({"shown_tick": picture.tick, "width": picture.width, "height": picture.height, "mode": "color"});
                Output::new(format!("{}x{} at tick {}", picture.width, picture.height, picture.tick), &result)
                    .picture(Picture { mime: "image/png", bytes: picture.png })
            }))
        })))
    }
}
