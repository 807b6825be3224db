//! The heartbeat beside the server: one pass of upkeep now and then, told to those who listen.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use mindfile_care::heartbeat::{self, Request};
use mindfile_operations::Looked;

use crate::desk::Desk;

/// How soon the end of the server is noticed.
const STEP: Duration = Duration::from_millis(100);

/// A pass every so often, the first when that time is over for the first time.
pub(crate) fn start(desk: &Arc<Desk>, every: Duration) -> JoinHandle<()> {
    let desk = Arc::clone(desk);
    std::thread::spawn(move || {
        while waited(&desk, every) {
            pass(&desk);
        }
    })
}

/// Whether the time went by and the server still runs.
pub(crate) fn waited(desk: &Desk, every: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < every {
        if desk.hub.stopping().load(Ordering::Relaxed) {
            return false;
        }
        std::thread::sleep(STEP.min(every.saturating_sub(began.elapsed())));
    }
    !desk.hub.stopping().load(Ordering::Relaxed)
}

/// What fails is told, and the next pass tries again.
fn pass(desk: &Desk) {
    desk.hub.tell(&match heartbeat::run(&desk.memory, Request::default(), None) {
        Ok(beat) => Looked::Heartbeat { line: beat.line() },
        Err(error) => Looked::Failed { message: mindfile_operations::words(&error) },
    });
}
