//! Ctrl-C: the first asks the work under way to end at its next step, so that what is done stays; the second ends it
//! at once. In a conversation it stops the answer; where none is under way, it ends the conversation.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::failure::{Failure, INTERRUPTED};

static STOP: AtomicBool = AtomicBool::new(false);
/// Whether an answer is under way.
static BUSY: AtomicBool = AtomicBool::new(false);

/// Listens from now on, and gives the flag that a signal sets.
pub(crate) fn listen() -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            leave();
        }
    })
    .map_err(|source| Failure::environment(format!("signals cannot be listened to: {source}")))?;
    Ok(&STOP)
}

/// Sets the flag when the standard input is closed, or cannot be read any more.
pub(crate) fn when_input_ends() {
    std::thread::spawn(|| {
        drop(io::copy(&mut io::stdin().lock(), &mut io::sink()));
        STOP.store(true, Ordering::Relaxed);
    });
}

/// Listens in a conversation: while somebody answers, a signal sets the flag; else it calls `on_leave` and ends.
pub(crate) fn listen_between(on_leave: impl Fn() + Send + 'static) -> Result<&'static AtomicBool, Failure> {
    ctrlc::set_handler(move || {
        if !BUSY.load(Ordering::Relaxed) || STOP.swap(true, Ordering::Relaxed) {
            on_leave();
            leave();
        }
    })
    .map_err(|source| Failure::environment(format!("signals cannot be listened to: {source}")))?;
    Ok(&STOP)
}

/// Work that one signal stops, and does not end.
pub(crate) fn while_busy<T>(work: impl FnOnce() -> T) -> T {
    STOP.store(false, Ordering::Relaxed);
    BUSY.store(true, Ordering::Relaxed);
    let done = work();
    BUSY.store(false, Ordering::Relaxed);
    done
}

/// What long work is told after each step.
pub(crate) fn go_on() -> ControlFlow<()> {
    if STOP.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

#[expect(clippy::exit, reason = "the person asked twice: nothing is to be waited for")]
fn leave() {
    std::process::exit(i32::from(INTERRUPTED))
}
