//! The JSON that others build on: a change here is a change of the product.

mod controls;
mod facts;
mod heartbeat;
mod hosts;
mod moving;
mod notes;
mod private;
mod recall;
mod settings;

use serde::Serialize;

pub use controls::{Allowed, Edited, Gone, TrustGiven};
pub use facts::{EntityChanged, FactList, Inspected, ListedEntity, OneEntity};
pub use heartbeat::Beats;
pub use hosts::{Installed, Pages};
pub use moving::{BackedUp, ExportedTo, Imported, Proved, PutBack};
pub use notes::NoteList;
pub use private::{MovedNotes, NewKey};
pub use recall::{Reflection, Undone};
pub use settings::{Changed, Path, Setting};

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
