//! A run of the program: how it ended, what it said, how much memory it took. A run that does not end is killed and
//! says so.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// No command of these tests needs a tenth of it.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) signal: Option<i32>,
    pub(crate) hung: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Resident memory at its highest.
    pub(crate) peak_kib: u64,
    pub(crate) took: Duration,
}

impl Outcome {
    pub(crate) fn is_ok(&self) -> bool {
        self.code == Some(0)
    }

    pub(crate) fn was_killed(&self) -> bool {
        self.signal == Some(libc::SIGKILL) && !self.hung
    }

    /// Whether it ended as a program may: by a documented code, or by our kill.
    pub(crate) fn is_civil(&self) -> bool {
        let ended = self.was_killed() || matches!(self.code, Some(0 | 1 | 2 | 130));
        ended && !self.stderr.contains("panicked at")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

/// A run that has begun.
pub(crate) struct Running {
    child: Child,
    stdout: File,
    stderr: File,
    begun: Instant,
}

pub(crate) fn run(command: &mut Command) -> Outcome {
    start(command).finish(PATIENCE)
}

/// Runs it for a while at most, then kills it.
pub(crate) fn run_killed(command: &mut Command, after: Duration) -> Outcome {
    start(command).kill_after(after)
}

pub(crate) fn run_patiently(command: &mut Command, patience: Duration) -> Outcome {
    start(command).finish(patience)
}

pub(crate) fn start(command: &mut Command) -> Running {
    let (stdout, stderr) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    command.stdin(Stdio::null()).stdout(stdout.try_clone().unwrap()).stderr(stderr.try_clone().unwrap());
    let begun = Instant::now();
    let child = spawned(command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    Running { child, stdout, stderr, begun }
}

/// A program that was copied a moment ago may still be open for writing, in the child that another thread is about to
/// start.
fn spawned(command: &mut Command) -> io::Result<Child> {
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(1));
            }
            spawned => return spawned,
        }
    }
}

impl Running {
    pub(crate) fn kill_after(mut self, after: Duration) -> Outcome {
        std::thread::sleep(after.saturating_sub(self.begun.elapsed()));
        // A run that is over already has a status to collect, and is not found by the kill.
        self.child.kill().unwrap();
        self.finish(PATIENCE)
    }

    pub(crate) fn finish(mut self, patience: Duration) -> Outcome {
        let mut hung = false;
        let (status, peak_kib) = loop {
            if let Some(ended) = reap(self.child.id()) {
                break ended;
            }
            if !hung && self.begun.elapsed() > patience {
                hung = true;
                self.child.kill().unwrap();
            }
            std::thread::sleep(Duration::from_micros(200));
        };
        Outcome {
            code: status.code(),
            signal: status.signal(),
            hung,
            took: self.begun.elapsed(),
            stdout: text(&mut self.stdout),
            stderr: text(&mut self.stderr),
            peak_kib,
        }
    }
}

/// Bytes that are not UTF-8 are replaced: the program may print the name of a file.
fn text(file: &mut File) -> String {
    let mut bytes = Vec::new();
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The status and the highest resident memory of a child that has ended.
#[expect(unsafe_code, reason = "the standard library does not give a child's use of resources")]
fn reap(pid: u32) -> Option<(ExitStatus, u64)> {
    let mut status = 0;
    // SAFETY: all zero is a valid `rusage`, and both pointers are valid for the call.
    let (found, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let found = libc::wait4(pid.cast_signed(), &raw mut status, libc::WNOHANG, &raw mut usage);
        (found, usage)
    };
    assert!(found >= 0, "wait4: {}", std::io::Error::last_os_error());
    (found > 0).then(|| (ExitStatus::from_raw(status), usage.ru_maxrss.unsigned_abs()))
}
