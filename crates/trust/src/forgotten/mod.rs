//! What a person asked to forget: told again wherever it turns up, and never to be read here.
//!
//! The ledger keeps keyed digests of what was forgotten. A [`Matcher`] finds it again in any text, a [`Plan`] says what a
//! forgetting is going to do, and a [`Sieve`] takes what was forgotten out of files that come from elsewhere.

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
