//! The JSON that others build on: a change here is a change of the product.

mod heartbeat;
mod hosts;
mod moving;
mod private;
mod settings;

use serde::Serialize;

pub use heartbeat::Beats;
pub use hosts::{Installed, Pages};
pub use moving::{BackedUp, ExportedTo, Imported, Proved, PutBack};
pub use private::{MovedNotes, NewKey};
pub use settings::{Changed, Path, Setting};

/// What was let be stored again.
#[derive(Debug, Serialize)]
pub struct Allowed {
    pub ok: bool,
    pub entries: usize,
}

/// What a change of an entity, or a picture of one, was written to.
#[derive(Debug, Serialize)]
pub struct EntityChanged {
    pub ok: bool,
    pub files: Vec<String>,
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
