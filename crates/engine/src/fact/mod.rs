//! Facts: single lines of Markdown that are found, scored and connected by themselves.

mod all;
mod blame;
mod change;
pub mod diagnostics;
mod diff;
mod edit;
mod entities;
pub mod graph;
mod inspect;
mod list;
mod overview;
#[cfg(test)]
pub(crate) mod sample;
mod settle;

pub use crate::error::fact::Error;
pub use crate::salience;
pub use crate::succession::{Past, accept, is_own, retire};
pub use blame::{Blamed, blame};
pub use change::{Renamed, alias_entity, merge_entities, rename_entity};
pub use diff::{Diff, NewWording, Span, diff};
pub use edit::{Edited, edit};
pub use entities::{EntityPage, Hub, Listed, Met, entities, entity, entity_graph};
pub(crate) use entities::{asked as asked_entity, find as find_entity};
pub use inspect::{Inspection, inspect};
pub use list::{Order, Page, Wanted, list};
pub use mindfile_note::agree::Difference;
pub use mindfile_note::alias;
pub use mindfile_note::fact::{Kind, Sensitivity};
pub use mindfile_ranking::Code;
#[expect(clippy::module_name_repetitions, reason = "a record alone could be of anything")]
pub use mindfile_ranking::fact::FactRecord;
pub use mindfile_ranking::fact::{Access, AsOf, State, Uses, keyed, load};
pub use mindfile_ranking::fact::{Compared, Disagreement};
pub use overview::{Overview, Pair, Shown, overview};
pub use settle::{Settled, Settlement, disagreements, settle};
