//! Who does something: recorded with every call, edit and log line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who acts. The *kind* follows from the listener that accepted the connection, never from a claimed field;
/// only the names inside come from the client.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Actor {
    /// The person at the machine.
    User,
    /// A crew member that the engine itself runs.
    Agent(String),
    /// A protocol client, named by its `clientInfo.name`, perhaps acting as a member of the studio's roster.
    Mcp {
        /// The client's own name.
        client: String,
        /// The roster member, where the client's name ended in `/<id>`.
        member: Option<String>,
    },
}

/// Longest name kept from a client, in characters; the rest is cut.
const MAX_NAME: usize = 80;

impl Actor {
    /// The actor of a protocol client from its `clientInfo.name`; `name/<id>` makes it a roster member.
    pub fn from_client_name(name: &str) -> Self {
        let clean: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
        let clean = clean.trim();
        match clean.rsplit_once('/') {
            Some((client, member)) if !client.is_empty() && !member.is_empty() => {
                Self::Mcp { client: client.to_owned(), member: Some(member.to_owned()) }
            }
            _ if clean.is_empty() => Self::Mcp { client: "unnamed".to_owned(), member: None },
            _ => Self::Mcp { client: clean.to_owned(), member: None },
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("user"),
            Self::Agent(name) => write!(f, "agent:{name}"),
            Self::Mcp { client, member: None } => write!(f, "mcp:{client}"),
            Self::Mcp { client, member: Some(member) } => write!(f, "mcp:{client}/{member}"),
        }
    }
}

impl FromStr for Actor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "user" {
            return Ok(Self::User);
        }
        match text.split_once(':') {
            Some(("agent", name)) if !name.is_empty() => Ok(Self::Agent(name.to_owned())),
            Some(("mcp", name)) if !name.is_empty() => Ok(Self::from_client_name(name)),
            _ => {
                Err(format!("`{text}` is no actor: expected `user`, `agent:<name>` or `mcp:<client>[/<id>]`"))
            }
        }
    }
}

impl TryFrom<String> for Actor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> Self {
        actor.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back_is_the_same_actor() {
        for text in ["user", "agent:critic", "mcp:claude-code", "mcp:claude-code/level-designer-2"] {
            assert_eq!(text.parse::<Actor>().unwrap().to_string(), text);
        }
        assert!("root".parse::<Actor>().is_err());
        assert!("agent:".parse::<Actor>().is_err());
    }

    #[test]
    fn a_client_cannot_name_itself_the_user() {
        assert_eq!(Actor::from_client_name("user").to_string(), "mcp:user");
        assert_eq!(Actor::from_client_name("a\u{7}b").to_string(), "mcp:ab");
        assert_eq!(Actor::from_client_name("").to_string(), "mcp:unnamed");
    }
}
