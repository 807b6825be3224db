//! Keeps QMD ready: updates its index at intervals and after changes, and runs its server. One process per agent does
//! this; others ask the same server, which ends with that process.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::home::Home;
use crate::look::{remembered, update};
use crate::run;
use crate::server::{self, ServerRecord};
use crate::trouble::Trouble;
use crate::upkeep::{Readiness, Wish, home_of, tend};
use crate::{KEEPER, NAME};
use mindfile::Corpus;
use mindfile::backend::Availability;
use mindfile_settings::BackendName;

/// How soon a change, an end or a wish to stop is seen.
const BEAT: Duration = Duration::from_millis(250);
/// How often the notes are looked at.
const LOOK: Duration = Duration::from_secs(2);
const POLL: Duration = Duration::from_millis(50);
/// The server in the list of what fails.
const SERVER: &str = "qmd server";

/// Keeps QMD ready until `stop` is set; returns at once where it is not the engine. `with_server`: also its server.
pub fn keep(corpus: &Corpus, with_server: bool, stop: &AtomicBool) {
    if corpus.settings().backend != BackendName::Qmd {
        return;
    }
    let mut keeper = Keeper {
        memory: corpus,
        stop,
        serves: with_server,
        lock: None,
        server: None,
        booted: false,
        next: Instant::now(),
    };
    while !stop.load(Ordering::Relaxed) {
        keeper.beat();
        std::thread::sleep(BEAT);
    }
    keeper.end_server();
}

/// Brings the engine up to date before anything else begins, if the settings ask for that.
pub fn boot(corpus: &Corpus) {
    let wanted = &corpus.settings().qmd.update;
    if corpus.settings().backend == BackendName::Qmd && wanted.on_boot && wanted.wait_for_boot {
        match update(corpus) {
            // What failed is written down and shown by `status`; the built-in index answers.
            Ok(_) | Err(_) => {}
        }
    }
}

struct Keeper<'a> {
    memory: &'a Corpus,
    stop: &'a AtomicBool,
    serves: bool,
    lock: Option<File>,
    server: Option<RunningServer>,
    booted: bool,
    /// When the notes are looked at again.
    next: Instant,
}

struct RunningServer {
    child: Child,
    record: ServerRecord,
}

impl Keeper<'_> {
    fn beat(&mut self) {
        let home = home_of(self.memory);
        if self.lock.is_none() {
            // A home that cannot be written to is told by the update.
            self.lock = home.lock(KEEPER, Duration::ZERO).unwrap_or_default();
            if self.lock.is_some() {
                end_orphan(&home);
            }
        }
        if self.lock.is_none() {
            return;
        }
        let moved = self.server.as_ref().is_some_and(|server| home.inode() != Some(server.record.database));
        if moved {
            // Its index is gone from the disk only when nobody has it open.
            self.end_server();
        }
        if moved || Instant::now() >= self.next {
            self.next = Instant::now() + LOOK;
            if let Some(ready) = self.tend() {
                self.serve(&ready);
            }
        }
    }

    fn tend(&mut self) -> Option<Readiness> {
        let memory = self.memory;
        if memory.outages.turn(NAME, memory.clock().now()) != Availability::Ask {
            return None;
        }
        let boots = !self.booted && memory.settings().qmd.update.on_boot;
        match tend(memory, if boots { Wish::Now } else { Wish::Due }) {
            Ok(ready) => {
                self.booted = true;
                memory.outages.answered(NAME, memory.clock().now());
                Some(ready)
            }
            Err(trouble) => {
                remembered(memory, &trouble);
                None
            }
        }
    }

    /// A server that ended, or has another index or other settings, gives way to a new one.
    fn serve(&mut self, ready: &Readiness) {
        let memory = self.memory;
        let now = self.memory.clock().now();
        let fits = |running: &mut RunningServer| {
            let lives = matches!(running.child.try_wait(), Ok(None));
            lives
                && Some(running.record.database) == ready.home.inode()
                && running.record.config == ready.kept.config
        };
        if !self.serves || !memory.settings().qmd.server || self.server.as_mut().is_some_and(fits) {
            return;
        }
        self.end_server();
        if memory.outages.turn(SERVER, now) != Availability::Ask {
            return;
        }
        match started(memory, ready, self.stop) {
            Ok(running) => {
                self.server = Some(running);
                memory.outages.answered(SERVER, now);
            }
            Err(_) if self.stop.load(Ordering::Relaxed) => {}
            Err(trouble) => {
                memory.outages.failed(SERVER, &trouble.to_string(), now);
            }
        }
    }

    fn end_server(&mut self) {
        if let Some(mut running) = self.server.take() {
            run::end(&mut running.child);
            ServerRecord::remove(&home_of(self.memory));
        }
    }
}

impl Drop for Keeper<'_> {
    fn drop(&mut self) {
        self.end_server();
    }
}

fn started(memory: &Corpus, ready: &Readiness, stop: &AtomicBool) -> Result<RunningServer, Trouble> {
    let settings = &memory.settings().qmd;
    let port = free_port().map_err(|error| Trouble::Server { what: format!("no port: {error}") })?;
    let number = port.to_string();
    let arguments = ["mcp", "--http", "--host", "127.0.0.1", "--port", &number];
    let mut child = run::start(&settings.command, &arguments, &ready.home, [Stdio::null(), Stdio::null()])?;
    let until = Instant::now() + settings.update.command_timeout;
    let up = loop {
        if server::is_up(port, POLL * 10) {
            break Ok(());
        }
        match child.try_wait() {
            Ok(None) if Instant::now() < until && !stop.load(Ordering::Relaxed) => std::thread::sleep(POLL),
            Ok(None) => break Err("it does not answer".to_owned()),
            Ok(Some(status)) => break Err(format!("it ended with {status}")),
            Err(error) => break Err(error.to_string()),
        }
    };
    let record = ServerRecord {
        port,
        group: Pid::from_child(&child).as_raw_nonzero().get(),
        database: ready.home.inode().unwrap_or_default(),
        config: ready.kept.config.clone(),
    };
    let noted = up.map_err(|what| Trouble::Server { what }).and_then(|()| record.write(&ready.home));
    match noted {
        Ok(()) => Ok(RunningServer { child, record }),
        Err(trouble) => {
            run::end(&mut child);
            Err(trouble)
        }
    }
}

fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Ends the server of a keeper that was killed. A process is taken for it only if it runs in this home: a number may
/// belong to another one by now.
pub(crate) fn end_orphan(home: &Home) {
    let Some(group) = ServerRecord::read(home).and_then(|record| Pid::from_raw(record.group)) else { return };
    let environment = std::fs::read(format!("/proc/{}/environ", group.as_raw_nonzero())).unwrap_or_default();
    let variables = home.variables();
    let own = |(name, path): &(&str, std::path::PathBuf)| {
        let line = [name.as_bytes(), b"=", path.as_os_str().as_bytes()].concat();
        environment.split(|byte| *byte == 0).any(|found| found == line)
    };
    if variables.iter().all(own) {
        run::kill_group(group);
    }
    ServerRecord::remove(home);
}
