//! The JSON that others build on: a change here is a change of the product.

mod controls;
mod doctor;
mod embeddings;
mod facts;
mod heartbeat;
mod hosts;
mod moving;
mod notes;
mod private;
mod recall;
mod report;
mod search;
mod sessions;
mod settings;
mod status;
mod trust;

use schemars::JsonSchema;
use serde::Serialize;

pub use controls::{Allowed, Edited, Gone, TrustGiven};
pub use doctor::Examined;
pub use embeddings::{Embedded, Encoding};
pub use facts::{EntityChanged, FactList, Inspected, Kept, ListedEntity, OneEntity};
pub use heartbeat::Beats;
pub use hosts::{Installed, Pages};
pub use moving::{BackedUp, ExportedTo, Imported, Proved, PutBack};
pub use notes::NoteList;
pub use private::{MovedNotes, NewKey};
pub use recall::{Recalls, Reflection, Undone};
pub use report::{Estimated, Fallback, Indexed, Looked, Progressed, Started};
pub use search::Found;
pub use sessions::{
    ChatAnswer, SessionCandidate, SessionCompacted, SessionContext, SessionDecision, SessionFlushed,
    SessionListed, SessionPruned, SessionSaid, SessionShown,
};
pub use settings::{Changed, Path, Setting};
pub use status::Agent;
pub use trust::{AppliedPolicy, Checked, Logged, Rules, Verified};

/// What `--json` prints when a command fails.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Failed {
    ok: bool,
    pub error: Wrong,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Wrong {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Failed {
    pub fn new(kind: &'static str, message: String, hint: Option<String>) -> Self {
        let message = mindfile::policy::stripped(&message);
        Self { ok: false, error: Wrong { kind, message, hint } }
    }
}

/// Exact lines of a note.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Lines {
    path: String,
    from: u32,
    lines: u32,
    text: String,
    /// There is more than is given at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

impl Lines {
    /// The same lines as a reader is shown them.
    pub fn with_text(self, text: String) -> Self {
        Self { text, ..self }
    }

    pub fn new(path: &str, lines: &mindfile::workspace::Lines) -> Self {
        Self {
            path: path.to_owned(),
            from: lines.from,
            lines: lines.lines,
            text: String::from_utf8_lossy(&lines.bytes).into_owned(),
            truncated: lines.truncated,
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Where `serve` listens.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listens {
    pub ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
    pub token_file: String,
}

/// What `init` made.
#[derive(Debug, Serialize)]
pub struct Made {
    pub ok: bool,
    pub workspace: String,
    pub made: Vec<String>,
    pub already: Vec<String>,
}

/// The message of an error with its causes, each said once.
pub fn words(error: &dyn std::error::Error) -> String {
    with_causes(error.to_string(), error)
}

/// The same for a front end that words the message itself.
pub fn with_causes(message: String, error: &dyn std::error::Error) -> String {
    let mut words = message;
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        cause = error.source();
    }
    words
}

/// Four decimals are what a score is good for.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}
