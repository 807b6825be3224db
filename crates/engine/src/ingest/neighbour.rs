//! Who watches the notes tells other processes of this user whether the index agrees with them, so that these need not walk.
//!
//! A socket in the state folder; who connects is told the [`MADE`](crate::agreement::MADE) of the index that agrees, or an empty line. The answer is
//! given after the queue of changes was emptied: what was saved before the question is in the index.

use std::fs::Permissions;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mindfile_disk::{absent, durable};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{Budget, Scope, agreement};
use crate::corpus::Corpus;

/// Who watches may be busy; then who asks walks the notes.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest time until `stop` is seen.
const NAP: Timespec = Timespec { tv_sec: 0, tv_nsec: 200_000_000 };
/// No answer is longer.
const LONGEST: u64 = 256;

fn place(corpus: &Corpus) -> PathBuf {
    corpus.settings.state_dir.join("memory").join(format!("{}.watch.sock", corpus.settings.agent))
}

/// Tells whoever asks until `stop` is set; at once nothing where another process does it already.
pub fn tell(corpus: &Corpus, stop: &AtomicBool) -> io::Result<()> {
    let place = place(corpus);
    if UnixStream::connect(&place).is_ok() {
        return Ok(());
    }
    durable::make_folders(place.parent().unwrap_or(&place))?;
    absent::remove_file(&place)?;
    let listener = UnixListener::bind(&place)?;
    std::fs::set_permissions(&place, Permissions::from_mode(0o600))?;
    listener.set_nonblocking(true)?;
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            // Who went away does not want to know.
            Ok((stream, _)) => drop(answer(corpus, stream)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                let mut waiting = [PollFd::new(&listener, PollFlags::IN)];
                match poll(&mut waiting, Some(&NAP)) {
                    Ok(_) | Err(rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            Err(error) => return Err(error),
        }
    }
    absent::remove_file(&place)
}

fn answer(corpus: &Corpus, mut stream: UnixStream) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    if !is_own(&stream) {
        return Ok(());
    }
    let agreed = match super::run(corpus, Scope::All, Budget::Question) {
        Ok(_) => agreement::reached(corpus).ok().flatten(),
        Err(_) => None,
    };
    writeln!(stream, "{}", agreed.as_deref().unwrap_or_default())
}

/// Whether a process that watches says that this index agrees with the notes.
pub(super) fn says(corpus: &Corpus, made: &str) -> bool {
    let told = || -> io::Result<String> {
        let stream = UnixStream::connect(place(corpus))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut line = String::new();
        if is_own(&stream) {
            BufReader::new(stream.take(LONGEST)).read_line(&mut line)?;
        }
        Ok(line)
    };
    told().is_ok_and(|line| line.trim_end() == made)
}

#[cfg(target_os = "linux")]
fn is_own(stream: &UnixStream) -> bool {
    rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| peer.uid == rustix::process::getuid())
}

/// No other system tells a watch enough.
#[cfg(not(target_os = "linux"))]
fn is_own(_: &UnixStream) -> bool {
    false
}
