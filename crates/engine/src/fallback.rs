//! Another provider in the place of one that fails. Its vectors are of another space, so that they are in an index of
//! their own beside the first; which of the two answers is decided anew whenever something is asked.

use jiff::Timestamp;
use mindfile_model::Error as ModelError;
use serde::{Deserialize, Serialize};

/// The key in the index's table `meta`.
pub const KEY: &str = "fallback";
/// How long a provider that failed is left alone by searches.
pub(crate) const REST_MS: i64 = 30_000;

/// That a provider failed, and who took its place, if anybody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fallback {
    pub from: String,
    pub to: Option<String>,
    pub reason: String,
    /// When it was found to fail, in milliseconds since 1970.
    pub at_ms: i64,
}

impl Fallback {
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// None for what was never different.
    pub fn at(&self) -> Option<Timestamp> {
        Timestamp::from_millisecond(self.at_ms).ok().filter(|_| self.at_ms != 0)
    }

    /// In one line, for a person.
    pub fn words(&self) -> String {
        let Some(at) = self.at() else { return self.reason.clone() };
        let at = at.strftime("%Y-%m-%dT%H:%M:%SZ");
        match &self.to {
            Some(to) => format!("{to} in place of {}, which failed at {at}: {}", self.from, self.reason),
            None => format!("{} failed at {at}: {}", self.from, self.reason),
        }
    }
}

/// Whether nothing at all can be had from a provider now, whatever it is asked.
pub(crate) fn is_down(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::Unreachable { .. }
            | ModelError::TimedOut { .. }
            | ModelError::Denied { .. }
            | ModelError::Quota { .. }
            | ModelError::Busy { .. }
            | ModelError::Failed { .. }
    )
}
