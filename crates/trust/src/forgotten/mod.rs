//! What a person asked to forget: recognised wherever it turns up, and never readable here.
//!
//! The ledger keeps keyed digests. A [`Matcher`] recognises a forgotten text, a [`Plan`] lists what a forgetting will
//! do, and a [`Sieve`] removes forgotten text from files that come from elsewhere.

mod cover;
mod heart;
mod ledger;
mod lines;
mod matcher;
mod plan;
mod sieve;

pub use cover::{Redact, WITHOUT_TEXT, cover_entries, covered, covered_json, covered_text, each_string};
pub use heart::{fact_ids, has, heart, with_key, with_words};
pub use ledger::Ledger;
pub use lines::without;
pub use matcher::{COVER, Item, Matcher};
pub use plan::{Plan, line_mark, origin_marks};
pub use sieve::{LEDGER, Sieve, SieveOutcome, ledgers};
