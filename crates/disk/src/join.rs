//! Doing two things at once, so that other work goes on while the disk syncs.

use std::panic::resume_unwind;
use std::thread;

/// Runs `beside` on a thread of its own and `here` on this one, and returns both results. If no thread can be started,
/// `beside` runs after `here`.
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
