//! How far a call is, told to a client that asked for it, and the end of a call that the client does not want any more.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use mindfile::reconcile;
use mindfile_operations::Listener;
use rmcp::model::ProgressNotificationParam;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::Context;

/// How often progress is told.
const STEP: Duration = Duration::from_millis(100);

/// The side of the thread that works.
pub(super) struct Progress {
    said: Option<UnboundedSender<Step>>,
    cancelled: CancellationToken,
    told: Cell<Option<Instant>>,
}

struct Step {
    done: f64,
    of: Option<f64>,
    message: String,
}

/// Both ends: what a tool says its progress to, and what carries it to the client until the tool has ended.
pub(super) fn of(context: Context) -> (Progress, impl Future<Output = ()> + Send) {
    let (sender, mut steps) = unbounded_channel::<Step>();
    let token = context.meta.get_progress_token();
    let progress = Progress {
        said: token.is_some().then_some(sender),
        cancelled: context.ct.clone(),
        told: Cell::default(),
    };
    let relay = async move {
        let (Some(token), peer) = (token, context.peer) else { return };
        let mut last = 0.0;
        while let Some(step) = steps.recv().await {
            // Progress only ever grows.
            last = step.done.max(last + 1.0);
            let mut told = ProgressNotificationParam::new(token.clone(), last).with_message(step.message);
            told.total = step.of.map(|of| of.max(last));
            if peer.notify_progress(told).await.is_err() {
                return;
            }
        }
    };
    (progress, relay)
}

impl Progress {
    fn send(&self, step: Step) {
        if let Some(said) = &self.said {
            // The client has gone.
            drop(said.send(step));
        }
    }
}

impl Listener for Progress {
    fn say(&self, what: &str) {
        self.send(Step { done: 0.0, of: None, message: what.to_owned() });
    }

    /// The client sees how far the index is, if it asked for it, and can end it.
    fn step(&self, progress: &reconcile::Progress) -> ControlFlow<()> {
        if self.told.get().is_none_or(|told| told.elapsed() >= STEP) {
            self.told.set(Some(Instant::now()));
            self.send(Step {
                done: progress.notes as f64,
                of: Some(progress.of_notes as f64),
                message: format!("{} of {} notes indexed", progress.notes, progress.of_notes),
            });
        }
        if self.cancelled.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
