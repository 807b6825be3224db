//! How far a call is, told to a client that asked for it, and the end of a call that the client does not want any more.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use mindfile::{Error, reconcile};
use rmcp::model::ProgressNotificationParam;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::Context;
use crate::desk::Desk;
use crate::failure::Failure;

/// How often progress is told.
const STEP: Duration = Duration::from_millis(100);

/// The side of the thread that works.
pub(super) struct Progress {
    said: Option<UnboundedSender<Step>>,
    cancelled: CancellationToken,
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
    let progress = Progress { said: token.is_some().then_some(sender), cancelled: context.ct.clone() };
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
    pub(super) fn say(&self, message: &str) {
        self.step(Step { done: 0.0, of: None, message: message.to_owned() });
    }

    fn step(&self, step: Step) {
        if let Some(said) = &self.said {
            // The client has gone.
            drop(said.send(step));
        }
    }

    /// Brings the index up to date first: the client sees how far that is, if it asked for it, and can end it.
    pub(super) fn catch_up(&self, desk: &Desk) -> Result<(), Failure> {
        let mut told: Option<Instant> = None;
        let ready = desk.memory.prepare(&mut |progress: &reconcile::Progress| {
            if told.is_none_or(|told| told.elapsed() >= STEP) {
                told = Some(Instant::now());
                self.step(Step {
                    done: progress.notes as f64,
                    of: Some(progress.of_notes as f64),
                    message: format!("{} of {} notes indexed", progress.notes, progress.of_notes),
                });
            }
            if self.cancelled.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match ready {
            Err(Error::Interrupted) => Err(Failure::usage("cancelled by the client")),
            other => Ok(other?),
        }
    }
}
