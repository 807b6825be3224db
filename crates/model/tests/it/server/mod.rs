//! A server on the loopback that speaks the protocols of the providers as they are documented, and lies when it is told
//! to. It is shared by the tests of several crates.

mod fault;
mod http;
mod jobs;
mod protocol;

use std::collections::VecDeque;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::Value;

pub(crate) use fault::Fault;
pub(crate) use protocol::vector;

/// The key that the server takes.
pub(crate) const KEY: &str = "sk-test-4f9a1c7d2e8b6035";
/// A text with this word is refused, whatever is with it.
pub(crate) const UNWANTED: &str = "xyzzy-unwanted";

pub(crate) struct Server {
    address: SocketAddr,
    state: Arc<State>,
}

/// What was asked of the server.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
    /// How many texts it asked for.
    pub(crate) texts: usize,
}

impl Seen {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// How the server behaves, apart from faults.
#[derive(Debug, Clone)]
pub(crate) struct Ways {
    pub(crate) dims: usize,
    /// Another number is another model under the same name.
    pub(crate) salt: u64,
    pub(crate) most_items: usize,
    /// In characters.
    pub(crate) longest_text: usize,
    pub(crate) delay: Duration,
    pub(crate) always: Fault,
    /// How often a batch job is looked at before it is done.
    pub(crate) job_looks: usize,
    pub(crate) job_fails: bool,
    /// Whether a job cannot be cancelled.
    pub(crate) job_stays: bool,
    /// Whether nothing is told of jobs.
    pub(crate) jobs_away: bool,
}

impl Default for Ways {
    fn default() -> Self {
        Self {
            dims: 16,
            salt: 0,
            most_items: 2_048,
            longest_text: 1 << 20,
            delay: Duration::ZERO,
            always: Fault::None,
            job_looks: 2,
            job_fails: false,
            job_stays: false,
            jobs_away: false,
        }
    }
}

#[derive(Default)]
struct State {
    ways: Mutex<Ways>,
    faults: Mutex<VecDeque<Fault>>,
    seen: Mutex<Vec<Seen>>,
    jobs: Mutex<jobs::Desk>,
    closed: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        std::thread::spawn(move || accept(&listener, &shared));
        Self { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The next requests go wrong in this way, one after the other.
    pub(crate) fn next(&self, faults: impl IntoIterator<Item = Fault>) {
        lock(&self.state.faults).extend(faults);
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut Ways)) {
        change(&mut lock(&self.state.ways));
    }

    /// Nothing goes wrong any more.
    pub(crate) fn heal(&self) {
        lock(&self.state.faults).clear();
        *lock(&self.state.ways) = Ways::default();
    }

    /// What was asked since the last look.
    pub(crate) fn take_seen(&self) -> Vec<Seen> {
        std::mem::take(&mut lock(&self.state.seen))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.closed.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection.
        drop(TcpStream::connect(self.address));
    }
}

fn accept(listener: &TcpListener, state: &Arc<State>) {
    for stream in listener.incoming() {
        if state.closed.load(Ordering::Relaxed) {
            return;
        }
        if let Ok(stream) = stream {
            let state = Arc::clone(state);
            std::thread::spawn(move || converse(&stream, &state));
        }
    }
}

/// One request after the other, until the other side is gone.
fn converse(stream: &TcpStream, state: &State) {
    while let Some(request) = http::read(stream) {
        if state.closed.load(Ordering::Relaxed) {
            return;
        }
        let fault = lock(&state.faults).pop_front().unwrap_or_else(|| lock(&state.ways).always.clone());
        let ways = lock(&state.ways).clone();
        let texts = protocol::texts(&request);
        lock(&state.seen).push(Seen {
            path: request.path.clone(),
            headers: request.headers.clone(),
            body: request.json(),
            texts: texts.len(),
        });
        std::thread::sleep(ways.delay);
        let answer = jobs::answer(&request, &ways, &mut lock(&state.jobs))
            .unwrap_or_else(|| protocol::answer(&request, &texts, &fault.ways(ways)));
        if fault.send(stream, answer).is_none() {
            return;
        }
    }
}
