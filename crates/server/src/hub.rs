//! What happens to the index, told to whoever listens: its progress, and the changes that were seen.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mindfile::Memory;
use mindfile::reconcile::Progress;
use mindfile_operations::{Indexed, IndexingState, Looked, Progressed};
use tokio::sync::broadcast;

/// Events that a slow listener may be behind before it misses some.
const KEPT: usize = 256;
/// How often progress is told.
const STEP: Duration = Duration::from_millis(100);

/// One event: its name, and its JSON.
pub(crate) type Told = Arc<(&'static str, String)>;

pub(crate) struct Hub {
    told: broadcast::Sender<Told>,
    running: AtomicBool,
    progress: Mutex<Option<Progressed>>,
    stop: AtomicBool,
}

impl Hub {
    pub(crate) fn new() -> Self {
        let (told, _) = broadcast::channel(KEPT);
        Self {
            told,
            running: AtomicBool::new(false),
            progress: Mutex::new(None),
            stop: AtomicBool::new(false),
        }
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<Told> {
        self.told.subscribe()
    }

    /// Ends long work at its next step.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn stopping(&self) -> &AtomicBool {
        &self.stop
    }

    pub(crate) fn state(&self, started: bool) -> IndexingState {
        let running = self.running.load(Ordering::Relaxed);
        let progress = *self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        IndexingState { ok: true, started, running, progress: progress.filter(|_| running) }
    }

    /// Takes the right to index; none if somebody has it.
    pub(crate) fn begin(&self) -> Option<Running<'_>> {
        let free = self.running.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if free {
            *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        free.then_some(Running { hub: self, told: None })
    }

    pub(crate) fn tell(&self, event: &Looked) {
        let name = match event {
            Looked::Indexed(_) => "indexed",
            Looked::Progress(_) => "progress",
            Looked::Failed { .. } => "failed",
            Looked::Degraded { .. } => "degraded",
            Looked::Rescanned { .. } => "rescanned",
            Looked::Heartbeat { .. } => "heartbeat",
        };
        let Ok(text) = serde_json::to_string(event) else { return };
        // Nobody listens: nothing is lost.
        drop(self.told.send(Arc::new((name, text))));
    }
}

/// The index is being brought up to date.
pub(crate) struct Running<'a> {
    hub: &'a Hub,
    told: Option<Instant>,
}

impl Running<'_> {
    /// Brings the index up to date, or makes it again, and tells what came of it.
    pub(crate) fn index(mut self, memory: &Memory, force: bool) {
        match Indexed::run(memory, force, |progress| self.step(progress)) {
            Ok(indexed) if indexed.report.is_unchanged() && !force => {}
            Ok(indexed) => self.hub.tell(&Looked::Indexed(Box::new(indexed))),
            Err(error) => self.hub.tell(&Looked::Failed { message: mindfile_operations::words(&error) }),
        }
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        let now = Instant::now();
        if self.told.is_none_or(|told| now - told >= STEP) {
            self.told = Some(now);
            let progressed = Progressed::new(progress);
            *self.hub.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progressed);
            self.hub.tell(&Looked::Progress(progressed));
        }
        if self.hub.stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.hub.running.store(false, Ordering::Release);
    }
}
