//! Facts: single lines of Markdown that are found, scored and connected by themselves.

mod change;
pub mod derive;
pub mod diagnostics;
mod edit;
mod entities;
mod error;
pub mod graph;
mod inspect;
pub mod keyed;
mod list;
pub mod load;
pub mod record;
pub mod salience;
#[cfg(test)]
pub(crate) mod sample;
pub(crate) mod usage;

pub use change::{Renamed, alias_entity, merge_entities, rename_entity};
pub use edit::{Edited, edit};
pub(crate) use entities::find as find_entity;
pub use entities::{EntityPage, Hub, Listed, Met, entities, entity, entity_graph};
pub use error::Error;
pub use inspect::{Inspection, inspect};
pub use list::{Order, Page, Wanted, list};
pub use mindfile_note::alias;
pub use mindfile_note::fact::{Kind, Sensitivity};
#[expect(clippy::module_name_repetitions, reason = "a record alone could be of anything")]
pub use record::FactRecord;
pub use record::{Access, State, Uses};

/// The heading under which `retain` writes.
pub const RETAIN: &str = "Retain";

/// The longest fact line, in bytes: a longer one is prose.
pub const FACT_LIMIT: usize = 16 << 10;

/// The most facts of one note: further lines are prose.
pub const FACTS_LIMIT: usize = 10_000;
