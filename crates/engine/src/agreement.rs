//! That an index agreed with the notes, and at which moment of the watch.

use std::sync::{Arc, Mutex, PoisonError};

/// A key of the index whose value is another one each time it is made: whoever agreed with it before has to look again.
pub(crate) const MADE: &str = "made";

/// Which index agreed, and the moment of the watch.
#[derive(Default)]
pub(crate) struct Agreement(Mutex<Option<(Arc<str>, u64)>>);

impl Agreement {
    /// 0 for an index that never agreed.
    pub(crate) fn of(&self, made: Option<&str>) -> u64 {
        let agreed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        agreed.as_ref().filter(|(known, _)| Some(&**known) == made).map_or(0, |(_, at)| *at)
    }

    pub(crate) fn set(&self, made: Option<Arc<str>>, at: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = made.map(|made| (made, at));
    }
}
