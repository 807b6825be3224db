//! Doing two things at once: the disk is waited for while there is something else to do.

use std::panic::resume_unwind;
use std::thread;

/// What both come to: `beside` on a thread of its own, `here` on this one. Where no thread is to be had, `beside` runs
/// after it.
pub fn join_scoped<A: Send, B>(beside: impl Fn() -> A + Sync, here: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, &beside);
        let done = here();
        match started.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(beside)) => (beside, done),
            Ok(Err(panic)) => resume_unwind(panic),
            Err(_) => (beside(), done),
        }
    })
}
