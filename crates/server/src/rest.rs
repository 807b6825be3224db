//! Where nobody asks for a while, what was kept for the next question is given back: the index is closed, which empties its
//! log, and the next question opens it again.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crate::beat::waited;
use crate::desk::Desk;

/// Longer than a host thinks between two questions of one turn.
const LULL: Duration = Duration::from_secs(20);

pub(crate) fn start(desks: [&Arc<Desk>; 2]) -> JoinHandle<()> {
    let desks = desks.map(Arc::clone);
    std::thread::spawn(move || {
        let mut before = [0; 2];
        let mut rests = false;
        while waited(&desks[0], LULL) {
            let asked = desks.each_ref().map(|desk| desk.asked());
            let is_quiet = asked == before && desks.iter().all(|desk| desk.is_idle());
            if is_quiet && !rests {
                desks.iter().for_each(|desk| desk.memory.rest());
                return_freed();
            }
            rests = is_quiet;
            before = asked;
        }
    })
}

/// The allocator of glibc keeps what was freed for each thread that ever asked.
fn return_freed() {
    #[cfg(target_env = "gnu")]
    #[expect(unsafe_code, reason = "it is offered to C alone")]
    // SAFETY: any thread may call it at any time; it gives back pages that hold nothing.
    unsafe {
        libc::malloc_trim(0);
    }
}
