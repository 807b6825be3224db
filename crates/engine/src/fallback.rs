//! Another provider in the place of one that fails. Its vectors are of another space, so that they are in an index of
//! their own beside the first; which of the two answers is decided anew whenever something is asked.

use jiff::Timestamp;
use mindfile_index::Change;
use mindfile_model::Error as ModelError;
use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::error::Error;

/// The key in the index's table `meta`.
pub const KEY: &str = "fallback";
/// How long a provider that failed is left alone by searches.
const REST_MS: i64 = 30_000;

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

impl Corpus {
    /// What is known of a failure of the provider, if the last attempt was one.
    pub(crate) fn failure(&self) -> Option<Fallback> {
        let index = self.index().ok()?;
        let text = index.snapshot().ok()?.meta(KEY).ok()??;
        Fallback::parse(&text)
    }

    /// The failure, while it is so recent that the provider is left alone.
    pub(crate) fn resting(&self) -> Option<Fallback> {
        if self.is_embedded() {
            return None;
        }
        let now = self.clock.now().as_millisecond();
        self.failure().filter(|failure| (failure.at_ms..failure.at_ms + REST_MS).contains(&now))
    }

    /// That the provider cannot be asked, and who takes over.
    pub(crate) fn fallen(&self, reason: String) -> Fallback {
        Fallback {
            from: self.provider(),
            to: self.other.as_ref().map(|other| other.provider()),
            reason,
            at_ms: self.clock.now().as_millisecond(),
        }
    }

    /// Remembers that the provider failed.
    pub(crate) fn fell(&self, error: &ModelError) -> Result<Fallback, Error> {
        let fallback = self.fallen(error.to_string());
        let value = serde_json::to_string(&fallback)
            .map_err(|source| Error::Bug { what: format!("fallback: {source}") })?;
        let index = self.index()?;
        self.apply(&*index, vec![Change::Meta { key: KEY.to_owned(), value }])?;
        Ok(fallback)
    }

    /// The provider answers: nobody is in its place any more.
    pub(crate) fn recovered(&self) -> Result<(), Error> {
        if self.is_embedded() || self.failure().is_none() {
            return Ok(());
        }
        let index = self.index()?;
        self.apply(&*index, vec![Change::Meta { key: KEY.to_owned(), value: String::new() }])
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
