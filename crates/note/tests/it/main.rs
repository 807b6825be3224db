//! The laws of notes, checked on generated input. `PROPTEST_CASES` raises the number of cases.
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod chunks;
mod facts;
mod merges;
mod texts;
mod words;

use proptest::prelude::ProptestConfig;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}
