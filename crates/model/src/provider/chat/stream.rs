//! Puts an answer together from its pieces.

use serde_json::Value;

use crate::chat::{Call, Reply, Usage};

/// Longer arguments mean a runaway model; what came until then is kept.
const LONGEST_ARGUMENTS: usize = 4 << 20;

/// The data of a line of an event stream.
pub(super) fn event(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let data = line.strip_prefix("data:")?.trim_start();
    (!data.is_empty() && data != "[DONE]").then_some(data)
}

#[derive(Default)]
pub(super) struct PartialReply {
    text: String,
    /// By their number in the stream.
    calls: Vec<(u64, PartialCall)>,
    pub(super) usage: Option<Usage>,
    pub(super) cut_off: bool,
    /// Whether the service said that this is the end.
    pub(super) ended: bool,
}

#[derive(Default)]
struct PartialCall {
    id: String,
    name: String,
    arguments: String,
}

impl PartialReply {
    pub(super) fn add_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A piece of a call; each of its parts may be missing.
    pub(super) fn add_call(&mut self, number: u64, id: &str, name: &str, arguments: &str) {
        let at = self.calls.iter().position(|(other, _)| *other == number).unwrap_or_else(|| {
            self.calls.push((number, PartialCall::default()));
            self.calls.len() - 1
        });
        let call = &mut self.calls[at].1;
        if !id.is_empty() {
            id.clone_into(&mut call.id);
        }
        call.name.push_str(name);
        if call.arguments.len() < LONGEST_ARGUMENTS {
            call.arguments.push_str(arguments);
        }
    }

    /// The whole answer. One that broke off is an error: half a call could do something else.
    pub(super) fn finish(self) -> Result<Reply, String> {
        if !self.ended {
            return Err("the answer broke off".to_owned());
        }
        let calls: Vec<Call> =
            self.calls.into_iter().enumerate().map(|(at, (_, call))| call.whole(at)).collect();
        Ok(Reply { text: self.text, calls, usage: self.usage, cut_off: self.cut_off })
    }
}

impl PartialCall {
    /// Arguments that are not JSON stay as they are: the tool reports what is wrong with them.
    fn whole(self, at: usize) -> Call {
        let text = if self.arguments.trim().is_empty() { "{}" } else { &self.arguments };
        let arguments = serde_json::from_str(text).unwrap_or_else(|_broken| Value::from(text));
        let id = if self.id.is_empty() { format!("call_{at}") } else { self.id };
        Call { id, name: self.name, arguments }
    }
}
