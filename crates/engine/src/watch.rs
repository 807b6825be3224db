//! Notices that notes may have changed. What it says are hints, never facts: each of them means "scan, and compare with
//! the index", so that a missed, doubled or false one does no harm. Where the system cannot watch (no watches left, a
//! network file system), notes are scanned every few seconds instead, and that is said.
//!
//! One loop, on the caller's thread, over a closed set of signals. It sleeps until something happens or is due.

mod places;
mod signal;

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::lookout::Lookout;
use mindfile_settings::Settings;
use mindfile_workspace::{RootId, Stamp, Workspace};
use places::Places;
use signal::{Inbox, Signal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Notes changed.
    Look,
    /// More changed than was seen, or may have.
    Rescan { reason: Rescan },
    /// Changes are found by scanning from now on, and thus later. Said once for each reason.
    Degraded { reason: Degraded },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rescan {
    /// The watch has begun; what changed before is not known.
    Started,
    /// Events came faster than they could be read.
    Overflow,
    /// A folder is new, moved or gone; files in it may have changed before it was watched.
    Folders,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Degraded {
    /// The system allows no more watches, or none at all.
    NoWatches { why: String },
    /// Other machines change files there without this one being told.
    NetworkFileSystem { path: PathBuf, kind: &'static str },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Whether the system is asked to tell of changes; if not, `sweep` alone finds them.
    pub watches: bool,
    /// How long it must be quiet before a change is announced.
    pub debounce: Duration,
    /// How long an announcement may be put off while it is never quiet.
    pub longest: Duration,
    /// How often notes are scanned where they cannot be watched.
    pub poll: Duration,
    /// How often notes are scanned although they are watched, for what no event tells.
    pub sweep: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            watches: true,
            debounce: Duration::from_millis(1500),
            longest: Duration::from_secs(10),
            poll: Duration::from_secs(5),
            sweep: Duration::from_secs(60),
        }
    }
}

/// How notes are watched, as the settings say. None: nobody wants to know of their changes.
pub fn timing(settings: &Settings) -> Option<Timing> {
    let (usual, sync) = (Timing::default(), &settings.sync);
    if settings.off.is_some() || !(sync.watch || sync.interval.is_some()) {
        return None;
    }
    let sweep = sync.interval.unwrap_or(usual.sweep);
    Some(Timing { watches: sync.watch, debounce: sync.debounce, sweep, ..usual })
}

/// The longest sleep, and so the longest time until `stop` is seen.
const NAP: Duration = Duration::from_millis(200);

/// Watches until `stop` is set. `on` is called when the watch has begun, and after each change once it is quiet again.
/// Meanwhile the lookout hears of each change at once.
pub fn run(
    workspace: &Workspace,
    lookout: &Lookout,
    timing: &Timing,
    stop: &AtomicBool,
    on: impl FnMut(Event),
) {
    if timing.watches {
        lookout.open();
    }
    let (inbox, signals) = Inbox::new(workspace.root());
    let places = if timing.watches { Places::new(workspace, inbox.clone()) } else { Places::none() };
    let now = Instant::now();
    let due = Due { scan: now + timing.sweep, arm: now + timing.poll, settled: None };
    let said = Vec::new();
    Watch { workspace, lookout, timing, inbox, places, seen: None, due, said, on }.run(&signals, stop);
    lookout.close();
}

struct Watch<'a, F> {
    workspace: &'a Workspace,
    lookout: &'a Lookout,
    timing: &'a Timing,
    inbox: Inbox,
    places: Places,
    seen: Option<Sighting>,
    due: Due,
    said: Vec<Degraded>,
    on: F,
}

/// What a scan saw; a workspace that cannot be scanned is a state of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Sighting {
    stamp: Stamp,
    root: RootId,
}

struct Due {
    scan: Instant,
    arm: Instant,
    settled: Option<Unrest>,
}

/// Changes that are not announced yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unrest {
    first: Instant,
    last: Instant,
    rescan: Option<Rescan>,
}

impl<F: FnMut(Event)> Watch<'_, F> {
    fn run(&mut self, signals: &Receiver<Signal>, stop: &AtomicBool) {
        self.arm(true);
        self.seen = Sighting::of(self.workspace);
        (self.on)(Event::Rescan { reason: Rescan::Started });
        while !stop.load(Ordering::Relaxed) {
            match signals.recv_timeout(self.due.wait(self.timing, Instant::now())) {
                Ok(signal) => self.note(signal),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            self.act(Instant::now());
        }
    }

    fn note(&mut self, signal: Signal) {
        match signal {
            Signal::Change => self.due.unrest(Instant::now(), None),
            Signal::Folders => self.due.unrest(Instant::now(), Some(Rescan::Folders)),
            Signal::Overflow => self.due.unrest(Instant::now(), Some(Rescan::Overflow)),
            Signal::Failed(why) => self.degrade(Degraded::NoWatches { why }),
        }
    }

    fn act(&mut self, now: Instant) {
        if self.inbox.has_overflowed() {
            self.due.unrest(now, Some(Rescan::Overflow));
        }
        if let Some(unrest) = self.due.take_settled(self.timing, now) {
            self.announce(unrest);
        }
        if now >= self.due.arm {
            self.due.arm = now + self.timing.poll;
            self.arm(false);
        }
        if now >= self.due.scan {
            self.due.scan = now + if self.said.is_empty() { self.timing.sweep } else { self.timing.poll };
            self.sweep();
        }
    }

    fn announce(&mut self, unrest: Unrest) {
        match unrest.rescan {
            Some(reason) => {
                self.arm(true);
                (self.on)(Event::Rescan { reason });
            }
            None => (self.on)(Event::Look),
        }
    }

    /// Watches what is not watched yet; `all` renews the rest, too, whose new folders may have been missed.
    fn arm(&mut self, all: bool) {
        let armed = self.places.arm(all);
        for reason in armed.degraded {
            self.degrade(reason);
        }
        if armed.changed && !all {
            (self.on)(Event::Rescan { reason: Rescan::Folders });
        }
    }

    fn sweep(&mut self) {
        let seen = Sighting::of(self.workspace);
        if seen != self.seen || self.lookout.blind().is_some() {
            self.lookout.doubt();
        }
        if seen != self.seen {
            self.seen = seen;
            (self.on)(Event::Look);
        }
    }

    fn degrade(&mut self, reason: Degraded) {
        if self.said.contains(&reason) {
            return;
        }
        self.due.scan = self.due.scan.min(Instant::now() + self.timing.poll);
        self.said.push(reason.clone());
        (self.on)(Event::Degraded { reason });
    }
}

impl Sighting {
    fn of(workspace: &Workspace) -> Option<Self> {
        workspace.scan().ok().map(|scan| Self { stamp: scan.stamp, root: scan.root })
    }
}

impl Due {
    fn unrest(&mut self, now: Instant, rescan: Option<Rescan>) {
        let before = self.settled.unwrap_or(Unrest { first: now, last: now, rescan: None });
        self.settled = Some(Unrest { last: now, rescan: rescan.or(before.rescan), ..before });
    }

    fn wait(&self, timing: &Timing, now: Instant) -> Duration {
        let next = self.scan.min(self.arm);
        let next = self.settled.map_or(next, |unrest| next.min(unrest.settles(timing)));
        next.saturating_duration_since(now).min(NAP)
    }

    fn take_settled(&mut self, timing: &Timing, now: Instant) -> Option<Unrest> {
        self.settled.take_if(|unrest| now >= unrest.settles(timing))
    }
}

impl Unrest {
    fn settles(self, timing: &Timing) -> Instant {
        (self.last + timing.debounce).min(self.first + timing.longest)
    }
}

impl fmt::Display for Rescan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Started => "the watch has begun; all notes are scanned",
            Self::Overflow => "more changed at once than the system could tell; all notes are scanned",
            Self::Folders => "folders came or went; all notes are scanned",
        })
    }
}

impl fmt::Display for Degraded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoWatches { why } => {
                write!(f, "files cannot be watched ({why}); they are scanned every few seconds")
            }
            Self::NetworkFileSystem { path, kind } => write!(
                f,
                "{} is on {kind}, where changes by other machines are not announced; it is scanned every few seconds",
                path.display()
            ),
        }
    }
}

#[cfg(test)]
mod tests;
