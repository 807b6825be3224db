//! Where requests are taken in: the memory, what is told about its index, and how many are worked on at a time. The
//! engine is synchronous, so each request gets a thread of its own for as long as it takes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak, mpsc};
use std::time::Duration;

use mindfile::config::Warning;
use mindfile::session::ChatType;
use mindfile::{Memory, Viewer};
use mindfile_operations::values::Chat;
use mindfile_operations::{Caller, Indexing, IndexingState};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::failure::Failure;
use crate::hub::Hub;

/// How long a request waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Desk {
    pub(crate) memory: Memory,
    /// What is odd in the settings; `doctor` says it.
    pub(crate) warnings: Vec<Warning>,
    pub(crate) hub: Hub,
    /// What a person types at a terminal to reach this memory.
    command: String,
    /// Who reads along where a request does not say it; one that does cannot get more than this.
    chat: ChatType,
    turns: Arc<Semaphore>,
    /// Requests so far.
    asked: AtomicU64,
    /// For work that goes on when a request is answered.
    own: Weak<Self>,
}

impl Desk {
    pub fn new(memory: Memory, warnings: Vec<Warning>, command: String, chat: ChatType) -> Arc<Self> {
        let turns = Arc::new(Semaphore::new(memory.settings().server.concurrency));
        Arc::new_cyclic(|own| Self {
            memory,
            warnings,
            hub: Hub::new(),
            command,
            chat,
            turns,
            asked: AtomicU64::new(0),
            own: Weak::clone(own),
        })
    }

    /// Whoever asks, and no answer of a server is for the owner's eyes alone.
    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller {
            warnings: &self.warnings,
            indexing: Some(self),
            command: Some(&self.command),
            ..Caller::program(&self.memory, self.chat)
        }
    }

    /// For whom an answer is. A server for a group gives nobody more than a group may see.
    pub(crate) fn viewer(&self, asked: Option<Chat>) -> Viewer {
        self.caller().viewer(asked)
    }

    pub(crate) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.turns.available_permits() == self.memory.settings().server.concurrency
    }

    /// Works on a request when its turn has come.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.ok().and_then(Result::ok).ok_or_else(busy)?;
        let desk = Arc::clone(self);
        let done = spawn_blocking(move || {
            let done = desk.memory.settle_in().map_err(Failure::from).and_then(|()| work(&desk));
            drop(turn);
            done
        });
        done.await.map_err(|error| Failure::bug(error.to_string()))?
    }
}

impl Indexing for Desk {
    fn state(&self) -> IndexingState {
        self.hub.state(false)
    }

    /// The events tell how far it is.
    fn start(&self, force: bool) -> IndexingState {
        let (tell, told) = mpsc::channel();
        let desk = self.own.upgrade();
        std::thread::spawn(move || {
            let Some(desk) = desk else { return };
            let running = desk.hub.begin();
            // Once this is told, whoever asks sees it run until it is done.
            if tell.send(running.is_some()).is_ok()
                && let Some(running) = running
            {
                running.index(&desk.memory, force);
            }
        });
        self.hub.state(told.recv().unwrap_or(false))
    }
}

fn busy() -> Failure {
    Failure::environment("too many requests are waiting").hint("try again in a moment")
}
