//! The arguments of the commands about facts.

use std::num::ParseFloatError;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;

use super::chat::Model;
use super::examples;
use super::values::{Kind, Sensitivity};

#[derive(Debug, Args)]
#[command(after_help = examples::RETAIN)]
pub(crate) struct Retain {
    /// What to keep, one sentence; - reads it from standard input
    #[arg(value_name = "TEXT", required = true)]
    pub(crate) words: Vec<String>,
    /// What sort of fact: W world, B experience, O opinion, S summary
    #[arg(long = "type", value_enum, value_name = "W|B|O|S", ignore_case = true)]
    pub(crate) kind: Option<Kind>,
    /// Whom or what it is about; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) entity: Vec<String>,
    /// How much it matters, 0 to 1; auto, and without it: the chat model of the settings if there is one, else an
    /// estimate
    #[arg(long, value_name = "X|auto", allow_negative_numbers = true)]
    pub(crate) salience: Option<Salience>,
    /// How sure it is, 0 to 1
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) confidence: Option<f32>,
    /// Makes it the value of this key; the old value stays as history
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// How long it holds: 180d, 2w, 6mo, or a last day
    #[arg(long, value_name = "WHEN")]
    pub(crate) ttl: Option<String>,
    /// Who may see it
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub(crate) sensitivity: Option<Sensitivity>,
    /// The day to be reminded of it
    #[arg(long, value_name = "DAY")]
    pub(crate) due: Option<String>,
    /// Where it comes from, such as chat:msg_9981
    #[arg(long, value_name = "KIND:REF")]
    pub(crate) source: Option<String>,
    /// Write to this memory file instead of today's note
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<String>,
    /// Your name for this fact: the same call again writes nothing
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Only if the key's value has this version; 0: only if it has none
    #[arg(long, value_name = "N")]
    pub(crate) if_version: Option<u32>,
    /// Replace a confirmed value at once
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Write it though the same is known
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) model: Model,
}

/// How much a fact matters, as far as the caller says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Salience {
    Auto,
    Said(f32),
}

impl FromStr for Salience {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, ParseFloatError> {
        if text == "auto" { Ok(Self::Auto) } else { text.parse().map(Self::Said) }
    }
}

#[derive(Debug, Args)]
#[command(after_help = examples::INSPECT)]
pub(crate) struct Inspect {
    /// The id of a fact, or a key
    pub(crate) id: String,
    /// As it was on this day: 2026-07-14, or 30d before today
    #[arg(long, value_name = "WHEN")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = examples::ENTITIES)]
pub(crate) struct Entities {
    /// One of them; without it, all
    pub(crate) name: Option<String>,
    /// Print its neighbourhood for Graphviz
    #[arg(long, requires = "name", group = "what")]
    pub(crate) dot: bool,
    /// Draw its neighbourhood into this file
    #[arg(long, value_name = "FILE", requires = "name", group = "what")]
    pub(crate) svg: Option<PathBuf>,
    /// Another name for it, from now on
    #[arg(long, value_name = "OTHER", requires = "name", group = "what")]
    pub(crate) alias: Option<String>,
    /// Write another name in every fact
    #[arg(long, value_name = "NEW", requires = "name", group = "what")]
    pub(crate) rename: Option<String>,
    /// Count its facts for this one
    #[arg(long, value_name = "OTHER", requires = "name", group = "what")]
    pub(crate) merge_into: Option<String>,
    /// How many entities, facts and neighbours at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
}
