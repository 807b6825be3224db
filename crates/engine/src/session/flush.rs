//! The flush before a compaction. Code saves what the rules find, always; then a model, if there is one, is asked in a
//! private turn on a copy of the conversation to save what it deems worth keeping.

use mindfile_model::chat;
use rustix::fs::{Access, AtFlags, CWD, accessat};

use super::decide::{self, Decision, Run, State, Tokens};
use super::flatten::SILENT;
use super::sandbox;
use super::save::{self, Added, Saved};
use super::tools::{self, Assistant, Kit};
use super::window::{self, Window};
use super::{Block, Body, Message, PlacedEntry, Role, Transcript};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;

/// What the user turn of a flush says; the day's note is put in.
const PROMPT: &str = "Pre-compaction memory flush. Store durable memories now (use memory/YYYY-MM-DD.md; create \
                          memory/ if needed). If nothing to store, reply with NO_REPLY.";
/// What is added to the system prompt.
const SYSTEM_PROMPT: &str = "Session nearing compaction. Store durable memories now. What you write is added to \
                                 today's note with memory_append; nothing else can be written, and nobody reads your \
                                 reply. NO_REPLY is the usual answer.";
/// How often a model may call tools in a flush.
const ROUNDS: usize = 4;
const LONGEST_REPLY: u64 = 2_048;
/// Stands for what a tool said.
const WITHHELD: &str = "[what the tool said is not part of a flush]";

/// What is asked by `flush-check`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check<'a> {
    pub window: u64,
    /// What the provider said of the last prompt. It is taken for stale if it is less than what is counted.
    pub tokens: Option<u64>,
    /// The turn that is about to be sent and is not in the transcript yet.
    pub pending: Option<&'a str>,
    /// What is sent beside the conversation: the system prompt and the tools.
    pub overhead: u64,
    pub run: Run,
}

impl Check<'_> {
    pub fn new(window: u64) -> Self {
        Self { window, tokens: None, pending: None, overhead: 0, run: Run::Conversation }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flushed {
    pub saved: Saved,
    /// What the model added to notes.
    pub written: Vec<Added>,
    /// Whether a model was asked.
    pub asked: bool,
    pub notices: Vec<String>,
}

/// Whether a session must be flushed before its next turn.
pub(crate) fn is_due(corpus: &Corpus, session: &str, check: &Check<'_>) -> Result<Decision, Error> {
    let transcript = corpus.sessions().read(session)?;
    Ok(decide::should_flush(&session_state(corpus, &transcript, check)?))
}

/// Whether it must be compacted.
pub(crate) fn is_compaction_due(corpus: &Corpus, session: &str, check: &Check<'_>) -> Result<bool, Error> {
    let transcript = corpus.sessions().read(session)?;
    let state = session_state(corpus, &transcript, check)?;
    Ok(decide::should_compact(&state, corpus.settings.compaction.reserve_tokens))
}

pub(super) fn session_state(
    corpus: &Corpus,
    transcript: &Transcript,
    check: &Check<'_>,
) -> Result<State, Error> {
    let pending = check.pending.map_or(0, |text| window::tokens(&Message::new(Role::User, text)));
    let conversation = Window::of(transcript);
    let (reported, since) = conversation.reported();
    let record = corpus.sessions().record(&transcript.session)?;
    let marked = transcript.flush().map(|mark| mark.compactions);
    let compaction = &corpus.settings.compaction;
    Ok(State {
        window: check.window,
        reserve_floor: compaction.reserve_tokens_floor,
        soft_threshold: compaction.flush.soft_threshold_tokens,
        tokens: Tokens {
            counted: conversation.tokens() + pending + check.overhead,
            reported: check.tokens.or(reported),
            since: if check.tokens.is_some() { pending } else { since + pending },
        },
        compactions: transcript.compactions(),
        flushed: marked.or_else(|| record.and_then(|record| record.flushed_compactions)),
        enabled: asks_model(corpus),
        compacts: compaction.enabled,
        run: check.run,
        writable: is_workspace_writable(corpus) && sandbox::check(corpus, &transcript.session).is_ok(),
    })
}

fn asks_model(corpus: &Corpus) -> bool {
    corpus.settings.compaction.flush.enabled && corpus.settings.off.is_none()
}

fn is_workspace_writable(corpus: &Corpus) -> bool {
    let root = &corpus.settings.workspace;
    let can = |path: &std::path::Path| accessat(CWD, path, Access::WRITE_OK, AtFlags::empty()).is_ok();
    let memory = root.join("memory");
    if memory.exists() { can(&memory) } else { can(root) }
}

/// Saves what was said since the last flush, and asks the model. Whatever the model does, the first holds.
pub fn flush(corpus: &Corpus, session: &str, assistant: Option<Assistant<'_>>) -> Result<Flushed, Error> {
    let transcript = corpus.sessions().read(session)?;
    let saved = save::save_span(corpus, &transcript);
    let mut flushed = Flushed { saved, ..Flushed::default() };
    let is_open = sandbox::check(corpus, session).is_ok();
    if let Some(assistant) = assistant.filter(|_| asks_model(corpus) && is_open) {
        flushed.asked = true;
        if let Err(error) = flush_turn(corpus, &transcript, assistant, &mut flushed.written) {
            let more = if flushed.written.is_empty() { "anything" } else { "more" };
            flushed.notices.push(format!("the model was not able to save {more}: {error}"));
        }
    }
    if flushed.saved.notices.is_empty() {
        flushed.notices.extend(save::mark_flushed(corpus, &transcript)?);
    }
    flushed.notices.extend(flushed.saved.notices.iter().cloned());
    Ok(flushed)
}

/// A turn on a copy of the conversation. Neither it nor its answer gets into the transcript.
fn flush_turn(
    corpus: &Corpus,
    transcript: &Transcript,
    Assistant { model, tools: toolbox }: Assistant<'_>,
    written: &mut Vec<Added>,
) -> Result<(), Error> {
    let conversation = trusted(Window::of(transcript), transcript);
    let system = flush_system_prompt(corpus);
    let mut turns = super::chat::turns(&conversation);
    turns.push(chat::Turn::User(prompt(corpus)));
    let tools = tools::tools(toolbox, Kit::Flush);
    for _ in 0..ROUNDS {
        let request =
            chat::Request { system: &system, turns: &turns, tools: &tools, max_tokens: LONGEST_REPLY };
        let reply = model.answer(&request, &mut |_| {})?;
        if reply.calls.is_empty() {
            break;
        }
        turns.push(chat::Turn::Assistant { text: reply.text, calls: reply.calls.clone() });
        for call in reply.calls {
            let answered = tools::call(corpus, toolbox, Kit::Flush, &transcript.session, &call);
            written.extend(answered.added);
            turns.push(chat::Turn::Tool {
                call: call.id,
                name: call.name,
                text: answered.text,
                failed: answered.failed,
            });
        }
    }
    Ok(())
}

/// The user turn of a flush, with the day's note.
pub(crate) fn prompt(corpus: &Corpus) -> String {
    let prompt = corpus.settings.compaction.flush.prompt.as_deref().unwrap_or(PROMPT);
    with_silence(&prompt.replace("YYYY-MM-DD", &clock::today(&*corpus.clock).to_string()))
}

fn flush_system_prompt(corpus: &Corpus) -> String {
    corpus.settings.compaction.flush.system_prompt.clone().unwrap_or_else(|| SYSTEM_PROMPT.to_owned())
}

/// What a flush is made of: what tools said is left out, and so is a summary of it, because what is saved would be no
/// more trusted than that.
fn trusted(mut conversation: Window, transcript: &Transcript) -> Window {
    conversation.summary = conversation.summary.filter(|summary| summary.origin.is_trusted());
    let is_summary = |placed: &&PlacedEntry| matches!(placed.entry.body, Body::BranchSummary { .. });
    let summaries: Vec<u32> =
        transcript.entries.iter().filter(is_summary).map(|placed| placed.line).collect();
    conversation.turns.retain(|turn| !summaries.contains(&turn.line));
    for turn in conversation.turns.iter_mut().filter(|turn| turn.message.role == Role::Tool) {
        turn.message.blocks = vec![Block::Text(WITHHELD.to_owned())];
    }
    conversation
}

/// A model that is not told how to say nothing says something.
fn with_silence(prompt: &str) -> String {
    if prompt.contains(SILENT) {
        return prompt.to_owned();
    }
    format!("{prompt} If there is nothing to store, reply with {SILENT}.")
}
