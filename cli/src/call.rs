//! `skywalker call`: one tool, one result.

mod attached;
mod in_process;
mod pictures;

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};

use crate::terminal::complain;
use crate::{End, client, terminal};

/// Calls one tool and prints its result as JSON
///
/// The result's structured content is printed on standard output. A failing tool says on standard error what is
/// wrong and what to do, and the exit code is 1.
///
/// For example: skywalker call scene_query '{"tag": "enemy"}' --attach run/game.sock
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// The tool, such as `scene_overview`
    tool: String,
    /// Its arguments as a JSON object
    #[arg(default_value = "{}", value_name = "JSON")]
    arguments: String,
    /// Calls it in a headless engine on this project
    #[arg(long, value_name = "DIR", conflicts_with = "attach", required_unless_present = "attach")]
    project: Option<PathBuf>,
    /// Calls it in the running engine of this socket; `~/.skywalker/editor.sock` where none is named
    #[arg(long, value_name = "SOCKET", num_args = 0..=1)]
    attach: Option<Option<PathBuf>>,
    /// Who calls: a client's name, or `CLIENT/ID` for a member of the roster
    #[arg(
        long = "as",
        value_name = "CLIENT/ID",
        default_value = "skywalker-call",
        conflicts_with = "project"
    )]
    name: String,
    /// Writes the pictures of the result into this folder and says where
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
}

/// A picture of a result.
pub(crate) struct Picture {
    /// MIME type.
    mime: String,
    /// The encoded bytes.
    bytes: Vec<u8>,
}

/// What a call that went well came to.
pub(crate) struct Answer {
    /// The structured content, where the tool gives some.
    structured: Option<Value>,
    /// Its short form.
    text: String,
    /// In order.
    pictures: Vec<Picture>,
}

pub(crate) fn run(options: &Options) -> End {
    let arguments: Map<String, Value> = match serde_json::from_str(&options.arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let tool = &options.tool;
            complain(&format!(
                "the arguments are no JSON object: {error}\nexpected something like: skywalker call {tool} '{{\"limit\": 5}}'"
            ));
            return End::Usage;
        }
    };
    let answer = match (&options.project, &options.attach) {
        (Some(project), _) => in_process::call(&options.tool, arguments, project),
        (None, path) => {
            let path = path.clone().flatten().unwrap_or_else(client::default_socket);
            attached::call(&options.tool, arguments, &path, &options.name)
        }
    };
    let answer = match answer {
        Ok(answer) => answer,
        Err((message, end)) => {
            complain(&message);
            return end;
        }
    };
    terminal::print(&answer.structured.unwrap_or_else(|| answer.text.into()));
    match (&options.save, answer.pictures.len()) {
        (_, 0) => End::Good,
        (Some(folder), _) => pictures::save(&answer.pictures, &options.tool, folder),
        (None, count) => {
            let what = if count == 1 { "1 picture".to_owned() } else { format!("{count} pictures") };
            complain(&format!("{what} came with it; `--save DIR` keeps them"));
            End::Good
        }
    }
}
