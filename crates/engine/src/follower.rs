//! Work behind an answer: whoever asked has the answer already. One thing at a time, and the memory does not end before it,
//! since what was asked of a provider is paid for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

#[derive(Default)]
pub(crate) struct Follower(Mutex<Option<JoinHandle<()>>>);

impl Follower {
    /// Begins, unless something is under way.
    pub(crate) fn begin(&self, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
        let mut under_way = self.under_way();
        if under_way.as_ref().is_none_or(JoinHandle::is_finished) {
            *under_way = Some(std::thread::Builder::new().name("vectors".to_owned()).spawn(work)?);
        }
        Ok(())
    }

    fn under_way(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the work when it is dropped.
pub(crate) struct Wait(pub(crate) Arc<Follower>);

impl Drop for Wait {
    fn drop(&mut self) {
        let work = self.0.under_way().take();
        if let Some(work) = work {
            // Of a panic the program has told already.
            match work.join() {
                Ok(()) | Err(_) => {}
            }
        }
    }
}
