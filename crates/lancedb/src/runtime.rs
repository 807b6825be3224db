//! LanceDB is async, the memory is not: work runs on threads of its own, and callers wait for it here.

use std::future::Future;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Instant;

use tokio::runtime::{Builder, Runtime};

/// Why work has no result.
#[derive(Debug)]
pub(crate) enum WaitError {
    Late,
    /// The library panicked.
    Broke,
}

pub(crate) struct Threads(Option<Runtime>);

impl Threads {
    pub(crate) fn start() -> std::io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(2).thread_name("lancedb").enable_all().build()?;
        Ok(Self(Some(runtime)))
    }

    /// Waits for work until the deadline. After it the work goes on, but nobody waits for it.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        until: Option<Instant>,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, WaitError> {
        let Some(runtime) = &self.0 else { return Err(WaitError::Broke) };
        let (done, result) = sync_channel(1);
        // Nobody listens once the deadline has passed.
        runtime.spawn(async move { drop(done.send(work.await)) });
        match until {
            None => result.recv().map_err(|_gone| WaitError::Broke),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                result.recv_timeout(left).map_err(|error| match error {
                    RecvTimeoutError::Timeout => WaitError::Late,
                    RecvTimeoutError::Disconnected => WaitError::Broke,
                })
            }
        }
    }
}

impl Drop for Threads {
    /// A runtime must not wait for its threads inside another one.
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
