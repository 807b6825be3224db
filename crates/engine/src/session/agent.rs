//! A small agent: the loop that a host runs around a model. Every turn is written down before the model sees it; before
//! each request memory is flushed and the conversation compacted, if it must be; a model that refuses the conversation as
//! too long is asked again with less of it.

use mindfile_model::chat::{self, Call, ChatModel, Reply};
use mindfile_model::{Error as ModelError, count};

use super::compact::{self, Compacted, Trigger};
use super::context::{self, PromptMode, Start};
use super::decide;
use super::flatten::SILENT;
use super::flush::{self, Check, Flushed};
use super::memory::{self, About, TurnReport};
use super::tools::{self, Assistant, Kit, Toolbox};
use super::{Block, Message, Role, ToolCall, Usage};
use crate::access::CONTEXT;
use crate::corpus::Corpus;
use crate::error::Error;

/// How often a model may call tools before it must answer.
const ROUNDS: usize = 16;
/// How often a conversation is made shorter because the model refuses it.
const OVERFLOWS: usize = 4;
const LONGEST_REPLY: u64 = 4_096;
/// Ends an answer that was not heard to its end.
const STOPPED: &str = "[stopped here]";
/// The longest text of a call that is written down; a longer one is cut, and fails.
const LONGEST_CALL: usize = 256 << 10;

/// What happens in a turn, as it happens.
#[derive(Debug)]
pub enum AgentEvent<'a> {
    /// A piece of the answer.
    Text(&'a str),
    Called(&'a Call),
    Answered {
        call: &'a Call,
        text: &'a str,
        failed: bool,
    },
    Flushed(&'a Flushed),
    Compacted(&'a Compacted),
    Notice(&'a str),
}

/// Who goes on with the conversation, and how.
pub struct Host<'a> {
    pub model: &'a dyn ChatModel,
    pub tools: &'a dyn Toolbox,
    /// What is said before the files of the workspace.
    pub persona: &'a str,
    pub on_event: &'a mut dyn FnMut(AgentEvent<'_>),
}

impl<'a> Host<'a> {
    fn assistant(&self) -> Assistant<'a> {
        Assistant { model: self.model, tools: self.tools }
    }
}

/// One turn of a conversation: what a person says, and what the model answers. None: it has nothing to say.
pub fn converse(
    corpus: &Corpus,
    session: &str,
    text: &str,
    host: &mut Host<'_>,
) -> Result<Option<String>, Error> {
    write(corpus, session, &Message::new(Role::User, text), host)?;
    for _ in 0..ROUNDS {
        let reply = next_reply(corpus, session, host)?;
        write(corpus, session, &spoken(&reply), host)?;
        if reply.calls.is_empty() {
            let text = reply.text.trim();
            return Ok((!text.is_empty() && text != SILENT).then(|| text.to_owned()));
        }
        for call in &reply.calls {
            do_call(corpus, session, call, host)?;
        }
    }
    (host.on_event)(AgentEvent::Notice("the model called tools again and again, and was stopped"));
    Ok(None)
}

fn write(
    corpus: &Corpus,
    session: &str,
    message: &Message,
    host: &mut Host<'_>,
) -> Result<TurnReport, Error> {
    let about = About { chat: None, window: Some(host.model.window()) };
    let said = memory::say(corpus, session, &[message.entry()], &about)?;
    for notice in &said.notices {
        (host.on_event)(AgentEvent::Notice(notice));
    }
    Ok(said)
}

fn do_call(corpus: &Corpus, session: &str, call: &Call, host: &mut Host<'_>) -> Result<(), Error> {
    (host.on_event)(AgentEvent::Called(call));
    let answered = tools::call(corpus, host.tools, Kit::Conversation, session, call);
    (host.on_event)(AgentEvent::Answered { call, text: &answered.text, failed: answered.failed });
    let message = Message {
        call_id: Some(call.id.clone()),
        tool: Some(call.name.clone()),
        failed: answered.failed,
        ..Message::new(Role::Tool, answered.text)
    };
    write(corpus, session, &message, host).map(drop)
}

/// Asks the model, with less and less of the conversation while it refuses it as too long.
fn next_reply(corpus: &Corpus, session: &str, host: &mut Host<'_>) -> Result<Reply, Error> {
    make_room(corpus, session, host)?;
    let tools = tools::tools(host.tools, Kit::Conversation);
    let mut overflows = 0;
    loop {
        let (system, turns) = given(corpus, session, host)?;
        let max_tokens = LONGEST_REPLY.min(host.model.window() / 4).max(1);
        let request = chat::Request { system: &system, turns: &turns, tools: &tools, max_tokens };
        let mut heard = String::new();
        let answered = host.model.answer(&request, &mut |text| {
            heard.push_str(text);
            (host.on_event)(AgentEvent::Text(text));
        });
        match answered {
            Err(ModelError::Stopped) => return Err(stopped(corpus, session, &heard, host)?),
            Err(ModelError::Overflow { .. })
                if overflows < OVERFLOWS && corpus.settings.compaction.enabled =>
            {
                overflows += 1;
                let compacted = compact::compact(corpus, session, Some(host.assistant()), Trigger::Overflow)?;
                (host.on_event)(AgentEvent::Compacted(&compacted));
                if compacted.entry.is_none() {
                    overflows = OVERFLOWS;
                }
            }
            other => return Ok(other?),
        }
    }
}

/// Writes down what was heard of an answer until somebody stopped it, and that it was stopped.
fn stopped(corpus: &Corpus, session: &str, heard: &str, host: &mut Host<'_>) -> Result<Error, Error> {
    if !heard.trim().is_empty() {
        write(corpus, session, &Message::new(Role::Assistant, format!("{} {STOPPED}", heard.trim())), host)?;
    }
    Ok(Error::Interrupted)
}

/// Flushes and compacts before a request, where that must be.
fn make_room(corpus: &Corpus, session: &str, host: &mut Host<'_>) -> Result<(), Error> {
    let (system, _) = given(corpus, session, host)?;
    let tools = tools::tools(host.tools, Kit::Conversation);
    let tools: usize = tools.iter().map(|tool| count::tokens(&tool.arguments.to_string())).sum();
    let overhead = (count::tokens(&system) + tools) as u64;
    let check = Check { overhead, ..Check::new(host.model.window()) };
    let transcript = corpus.sessions().read(session)?;
    let state = flush::session_state(corpus, &transcript, &check)?;
    if decide::should_flush(&state).flush {
        let flushed = flush::flush(corpus, session, Some(host.assistant()))?;
        (host.on_event)(AgentEvent::Flushed(&flushed));
    }
    if decide::should_compact(&state, corpus.settings.compaction.reserve_tokens) {
        let compacted = compact::compact(corpus, session, Some(host.assistant()), Trigger::Threshold)?;
        (host.on_event)(AgentEvent::Compacted(&compacted));
    }
    Ok(())
}

fn given(corpus: &Corpus, session: &str, host: &Host<'_>) -> Result<(String, Vec<chat::Turn>), Error> {
    let start = Start { chat: None, prompt: PromptMode::Full, tools: true, window: host.model.window() };
    let context = context::context(corpus, session, &start)?;
    // A turn goes on where it cannot be noted what it was given.
    drop(corpus.note_given(CONTEXT, Some(session), context.places()));
    let system = [host.persona, &context.system()].join("\n\n");
    Ok((system.trim().to_owned(), super::chat::turns(&context.window)))
}

/// A model's answer as a message.
fn spoken(reply: &Reply) -> Message {
    let text = (!reply.text.is_empty()).then(|| Block::Text(reply.text.clone()));
    let calls = reply.calls.iter().map(|call| {
        Block::ToolCall(ToolCall {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: bounded(&call.arguments),
        })
    });
    let usage = reply.usage.map(|usage| Usage {
        input: usage.input,
        output: usage.output,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
    });
    Message { usage, ..Message::of_blocks(Role::Assistant, text.into_iter().chain(calls).collect()) }
}

fn bounded(arguments: &serde_json::Value) -> serde_json::Value {
    let text = arguments.to_string();
    if text.len() <= LONGEST_CALL {
        return arguments.clone();
    }
    serde_json::json!({"cut": &text[..text.floor_char_boundary(LONGEST_CALL)], "bytes": text.len()})
}
