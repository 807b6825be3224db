//! A model that can be told to stop: its caller continues at once, even while the model is silent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::{ChatModel, Reply, Request, Tool, Turn};
use crate::Error;

/// How long it takes at most to notice the flag.
const GLANCE: Duration = Duration::from_millis(40);

/// Wraps a model so that setting the flag ends an answer with [`Error::Stopped`]. What the model says after that is
/// dropped.
pub fn stoppable(model: Box<dyn ChatModel>, stop: &'static AtomicBool) -> Box<dyn ChatModel> {
    Box::new(StoppableModel { model: Arc::from(model), stop })
}

struct StoppableModel {
    model: Arc<dyn ChatModel>,
    stop: &'static AtomicBool,
}

/// A request that owns its parts, for the thread that asks.
struct OwnedRequest {
    system: String,
    turns: Vec<Turn>,
    tools: Vec<Tool>,
    max_tokens: u64,
}

enum StreamEvent {
    Text(String),
    Whole(Result<Reply, Error>),
}

impl ChatModel for StoppableModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> u64 {
        self.model.window()
    }

    fn answer(&self, request: &Request<'_>, on_text: &mut dyn FnMut(&str)) -> Result<Reply, Error> {
        let model = Arc::clone(&self.model);
        let request = OwnedRequest::of(request);
        let (sender, heard) = mpsc::channel();
        thread::spawn(move || request.ask(&*model, &sender));
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Error::Stopped);
            }
            match heard.recv_timeout(GLANCE) {
                Ok(StreamEvent::Text(text)) => on_text(&text),
                Ok(StreamEvent::Whole(reply)) => return reply,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let at = self.name().to_owned();
                    let what = "it ended without a word".to_owned();
                    return Err(Error::Broken { at, what });
                }
            }
        }
    }
}

impl OwnedRequest {
    fn of(request: &Request<'_>) -> Self {
        Self {
            system: request.system.to_owned(),
            turns: request.turns.to_vec(),
            tools: request.tools.to_vec(),
            max_tokens: request.max_tokens,
        }
    }

    fn ask(&self, model: &dyn ChatModel, sender: &Sender<StreamEvent>) {
        let Self { system, turns, tools, max_tokens } = self;
        let request = Request { system, turns, tools, max_tokens: *max_tokens };
        let reply = model.answer(&request, &mut |text| pass_on(sender, StreamEvent::Text(text.to_owned())));
        pass_on(sender, StreamEvent::Whole(reply));
    }
}

/// The receiver is gone once an answer has been stopped.
fn pass_on(sender: &Sender<StreamEvent>, heard: StreamEvent) {
    match sender.send(heard) {
        Ok(()) | Err(_) => {}
    }
}
