//! The JSON that others build on: a change here is a change of the product.

mod associative;
mod doctor;
mod eval;
mod facts;
mod heartbeat;
mod hosts;
mod moving;
mod recall;
mod report;
mod search;
mod sessions;
mod settings;
mod status;

use serde::Serialize;

pub(crate) use associative::Associative;
pub(crate) use doctor::Examined;
pub(crate) use eval::Evaluated;
pub(crate) use facts::{EntityChanged, Inspected, Kept, ListedEntity, OneEntity};
pub(crate) use heartbeat::Beats;
pub(crate) use hosts::{Installed, Pages};
pub(crate) use moving::{BackedUp, ExportedTo, Imported, Proved, PutBack};
pub(crate) use recall::{Recalls, Reflection, Undone};
pub(crate) use report::{Estimated, Fallback, Indexed, Looked};
pub(crate) use search::Found;
pub(crate) use sessions::{
    ChatAnswer, SessionCandidate, SessionCompacted, SessionContext, SessionDecision, SessionFlushed,
    SessionListed, SessionPruned, SessionSaid, SessionShown,
};
pub(crate) use settings::{Changed, Path, Setting};
pub(crate) use status::Agent;

/// What `--json` prints when a command fails.
#[derive(Debug, Serialize)]
pub(crate) struct Failed {
    ok: bool,
    pub(crate) error: Wrong,
}

#[derive(Debug, Serialize)]
pub(crate) struct Wrong {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Failed {
    pub(crate) fn new(kind: &'static str, message: String, hint: Option<String>) -> Self {
        Self { ok: false, error: Wrong { kind, message, hint } }
    }
}

/// Exact lines of a note.
#[derive(Debug, Serialize)]
pub(crate) struct Lines<'a> {
    pub(crate) path: &'a str,
    pub(crate) from: u32,
    pub(crate) lines: u32,
    pub(crate) text: String,
    /// There is more than is given at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
}

/// What `init` made.
#[derive(Debug, Serialize)]
pub(crate) struct Made {
    pub(crate) ok: bool,
    pub(crate) workspace: String,
    pub(crate) made: Vec<String>,
    pub(crate) already: Vec<String>,
}

/// Four decimals are what a score is good for.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}
