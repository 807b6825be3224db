//! A field of a request whose value cannot be, as data: each front end calls the field by its own name.

use crate::Spelling;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}; it must be {allowed}")]
pub struct OutOfRange {
    /// Its name in Rust: `max_results`.
    pub field: &'static str,
    pub value: String,
    pub allowed: &'static str,
}

impl OutOfRange {
    /// The message of a front end.
    pub fn spelled(&self, spelling: &dyn Spelling) -> String {
        format!("{} is {}; it must be {}", spelling.field(self.field), self.value, self.allowed)
    }
}
