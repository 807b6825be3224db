//! Ctrl-C: the first asks the work under way to end at its next step, so that what is done stays; the second ends it
//! at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, INTERRUPTED};

static STOP: AtomicBool = AtomicBool::new(false);

/// Listens from now on, and gives the flag that a signal sets.
pub(crate) fn listen() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            leave();
        }
    })
    .map_err(|source| Failure::Signals { source })?;
    Ok(&STOP)
}

/// What long work is told after each step.
pub(crate) fn go_on() -> ControlFlow<()> {
    if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

#[expect(clippy::exit, reason = "the person asked twice: nothing is to be waited for")]
fn leave() {
    std::process::exit(i32::from(INTERRUPTED))
}
