//! Conversations.

use mindfile::session::decide::Run;
use mindfile::session::{self, About, Check, Context, Message, PromptMode, Start, Trigger};

use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

/// A context that belongs to no conversation.
const NONE: &str = "none";
const WINDOW: u64 = 200_000;

pub(crate) fn sessions(desk: &Desk, asked: &ask::Sessions) -> Result<Vec<wire::SessionListed>, Failure> {
    let seen = session::conversations(&desk.memory, desk.viewer(None))?;
    let mut listed = wire::SessionListed::all(&seen.found, &seen.records);
    listed.truncate(asked.limit.unwrap_or(usize::MAX));
    Ok(listed)
}

pub(crate) fn session(desk: &Desk, asked: &ask::SessionShow) -> Result<wire::SessionShown, Failure> {
    let transcript = session::conversation(&desk.memory, desk.viewer(None), &asked.id)?;
    Ok(wire::SessionShown::new(&transcript, asked.full))
}

pub(crate) fn append(desk: &Desk, asked: &ask::Append) -> Result<wire::SessionSaid, Failure> {
    if asked.messages.is_empty() {
        return Err(Failure::usage("messages is empty"));
    }
    let entries: Vec<_> = asked.messages.iter().map(|said| message(said).entry()).collect();
    let chat = desk.chat(asked.chat_type);
    let is_told = asked.chat_type.is_some() || !chat.is_private();
    let about = About { chat: is_told.then_some(chat), window: asked.context_window };
    let said = desk.memory.say(&asked.id, &entries, &about)?;
    Ok(wire::SessionSaid::new(&asked.id, &said))
}

fn message(said: &ask::Said) -> Message {
    Message {
        speaker: said.speaker.clone(),
        tool: said.tool.clone(),
        call_id: said.call_id.clone(),
        hidden: said.hidden,
        ..Message::new(said.role.into(), said.text.clone())
    }
}

pub(crate) fn candidates(
    desk: &Desk,
    asked: &ask::SessionId,
) -> Result<Vec<wire::SessionCandidate>, Failure> {
    let found = session::candidates(&desk.memory, desk.viewer(None), &asked.id)?;
    Ok(wire::SessionCandidate::all(&asked.id, &found))
}

pub(crate) fn context(desk: &Desk, asked: &ask::Context) -> Result<wire::SessionContext, Failure> {
    Ok(context_with(desk, asked)?.0)
}

/// The same with what the memory said, for who puts it into other words.
pub(crate) fn context_with(
    desk: &Desk,
    asked: &ask::Context,
) -> Result<(wire::SessionContext, Context), Failure> {
    let session = asked.session.clone().unwrap_or_else(|| NONE.to_owned());
    let asked = ask::SessionContext {
        id: session,
        chat_type: asked.chat_type,
        context_window: asked.context_window,
        minimal: asked.minimal,
    };
    begun(desk, &asked)
}

pub(crate) fn session_context(
    desk: &Desk,
    asked: &ask::SessionContext,
) -> Result<wire::SessionContext, Failure> {
    Ok(begun(desk, asked)?.0)
}

fn begun(desk: &Desk, asked: &ask::SessionContext) -> Result<(wire::SessionContext, Context), Failure> {
    // Without a word of the caller the session's own record decides, as far as the server allows.
    let said = asked.chat_type.is_some() || !desk.chat(None).is_private();
    let start = Start {
        chat: said.then(|| desk.chat(asked.chat_type)),
        prompt: if asked.minimal { PromptMode::Minimal } else { PromptMode::Full },
        tools: true,
        window: asked.context_window.unwrap_or(WINDOW),
    };
    let context = desk.memory.context(&asked.id, &start)?;
    Ok((wire::SessionContext::new(&asked.id, &context), context))
}

pub(crate) fn flush_check(desk: &Desk, asked: &ask::FlushCheck) -> Result<wire::SessionDecision, Failure> {
    let check = Check {
        tokens: asked.tokens,
        pending: asked.pending.as_deref(),
        run: Run::Conversation,
        ..Check::new(asked.context_window)
    };
    readable(desk, &asked.id)?;
    let decision = desk.memory.flush_check(&asked.id, &check)?;
    let compact = desk.memory.compaction_check(&asked.id, &check)?;
    Ok(wire::SessionDecision::new(&decision, compact))
}

/// By the rules alone; a host that has a model asks it by the prompt of its own.
pub(crate) fn flush(desk: &Desk, asked: &ask::SessionId) -> Result<wire::SessionFlushed, Failure> {
    readable(desk, &asked.id)?;
    Ok(wire::SessionFlushed::new(&desk.memory.flush(&asked.id, None)?))
}

pub(crate) fn compact(desk: &Desk, asked: &ask::Compact) -> Result<wire::SessionCompacted, Failure> {
    readable(desk, &asked.id)?;
    let trigger = if asked.overflow { Trigger::Overflow } else { Trigger::Threshold };
    Ok(wire::SessionCompacted::new(&desk.memory.compact(&asked.id, None, trigger)?))
}

/// What is kept of a private conversation, or written into one, is nothing for a group.
fn readable(desk: &Desk, session: &str) -> Result<(), Failure> {
    Ok(session::check(&desk.memory, desk.viewer(None), session)?)
}
