//! Turns text into vectors, so that search finds what means the same in other words.
//!
//! [`Embedder`] is the seam: callers ask it for vectors and learn from its [`Space`] which of them may be
//! compared. [`EmbeddedModel`] is the implementation that is always there: a static table inside the program,
//! which needs no key, no download and no server. [`EmbeddedTable`] is the table itself, for [`Interaction`] and
//! for counting tokens. [`provider`] has the others: services in the network, and model files.

pub mod chat;
pub mod count;
mod embedded;
mod embedder;
mod error;
pub mod provider;
mod vector;

pub use embedded::{EmbeddedModel, EmbeddedTable, Interaction, QueryMatch, Row, TokenId, WindowScores};
pub use embedder::{Embedder, Outcome, Role, Sink, Space, Spending, embed_all_at_once};
pub use error::Error;
pub use provider::jobs::{Jobs, Progress as JobProgress};
pub use vector::Vector;
