//! Facts as they are compared: read from the index, each with what is known of its use.

mod disagree;
pub mod keyed;
pub mod load;
mod record;

pub use disagree::{Compared, Disagreement, disagreements};
pub use mindfile_index::{Access, Uses};
#[expect(clippy::module_name_repetitions, reason = "a record alone could be of anything")]
pub use record::FactRecord;
pub use record::{AsOf, State};
