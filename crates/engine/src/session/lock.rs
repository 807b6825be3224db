//! Waiting for a file's lock, but not for ever: the kernel frees it when a process dies, not when it is stopped.

use std::fs::File;
use std::io;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

pub(crate) fn wait(file: &File, how: FlockOperation) -> io::Result<()> {
    let began = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match flock(file, how) {
            Err(Errno::WOULDBLOCK) if began.elapsed() < PATIENCE => std::thread::sleep(pause),
            Err(Errno::INTR) => {}
            // File systems without locks: an entry is still one write in append mode.
            Err(Errno::NOSYS | Errno::NOTSUP | Errno::NOLCK | Errno::INVAL) | Ok(()) => return Ok(()),
            Err(other) => return Err(other.into()),
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}
