//! Plain-Markdown memory for AI agents.
//!
//! The workspace, a directory of Markdown, is the truth; the index is a cache of it. [`Memory`] is what a memory does:
//! bring the index up to date, search, read exact lines. The front ends translate it and add nothing.

pub mod access;
mod agreement;
pub mod archive;
pub mod ask;
pub mod audit;
pub mod backend;
pub mod chat;
pub mod clock;
pub mod collection;
pub mod copies;
mod corpus;
pub mod derive;
pub mod draft;
pub mod embed;
mod envelope;
mod error;
pub mod fact;
pub mod fallback;
pub mod fingerprint;
mod first_use;
pub mod fit;
mod follower;
pub mod forget;
pub mod ingest;
mod known_spaces;
pub mod lookout;
mod memory;
pub mod notes;
pub mod origin;
pub mod policy;
pub mod private;
mod private_rows;
pub mod reconcile;
pub mod reflect;
pub mod report;
pub mod retain;
pub mod salience;
mod sealed;
pub mod session;
mod space;
pub mod store;
mod succession;
mod tails;
mod transcripts;
mod usage;
pub mod vectors;
pub mod view;
mod viewer;
pub mod watch;
pub mod when;
pub mod wording;

pub use ask::Response;
pub use corpus::Corpus;
pub use embed::{Estimate, cost, estimate, price};
pub use error::{Denial, Error};
pub use fallback::Fallback;
pub use memory::{Memory, sync};
pub use mindfile_fault as fault;
pub use mindfile_index::Source;
pub use mindfile_model::Spending;
pub use mindfile_ranking::{recall, search};
pub use mindfile_settings as config;
pub use report::NewVectors;
pub use space::Space;

pub use mindfile_disk::{durable, secret_key as keyed};
pub use mindfile_trust::age;
pub use mindfile_workspace as workspace;
pub use viewer::Viewer;
