//! `mindfile session`

use std::io::Read;
use std::process::ExitCode;

use mindfile::chat::ChatModel;
use mindfile::session::decide::Run as Turn;
use mindfile::session::window::Window;
use mindfile::session::{About, Check, Message, PromptMode, Start, Trigger, parse_lines};
use mindfile::{Error, Memory};

use super::Run;
use crate::arguments::{FlushCheck, Session, SessionAppend, SessionCommand};
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, Screen, json, sessions};

/// What is read of the input at most.
const LARGEST_INPUT: u64 = 256 << 20;

pub(super) fn run(asked: &Session, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = &run.memory()?;
    let screen = run.screen;
    match &asked.command {
        SessionCommand::Append(asked) => append(asked, memory, screen)?,
        SessionCommand::List { limit } => list(*limit, memory, screen)?,
        SessionCommand::Show { session, full } => show(&session.id, *full, memory, screen)?,
        SessionCommand::Context { session, context_window, chat_type, minimal, no_tools } => {
            let start = Start {
                chat: chat_type.map(Into::into),
                prompt: if *minimal { PromptMode::Minimal } else { PromptMode::Full },
                tools: !no_tools,
                window: *context_window,
            };
            context(&session.id, &start, memory, screen)?;
        }
        SessionCommand::Candidates { session } => candidates(&session.id, memory, screen)?,
        SessionCommand::FlushCheck(asked) => flush_check(asked, memory, screen)?,
        SessionCommand::Flush { session, model } => {
            let model = environment::chat_model(memory, model)?;
            return flush(&session.id, model.as_deref(), memory, screen);
        }
        SessionCommand::Compact { session, overflow, model } => {
            let model = environment::chat_model(memory, model)?;
            let trigger = if *overflow { Trigger::Overflow } else { Trigger::Threshold };
            compact(&session.id, model.as_deref(), trigger, memory, screen)?;
        }
        SessionCommand::Prune { session, context_window } => {
            prune(&session.id, *context_window, memory, screen)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn append(asked: &SessionAppend, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let entries =
        if asked.words.is_empty() { parse_lines(&input()?)? } else { vec![message(asked)?.entry()] };
    let about = About { chat: asked.chat_type.map(Into::into), window: asked.context_window };
    let said = memory.say(&asked.session.id, &entries, &about)?;
    warn(&said.notices, screen);
    if screen.json {
        return Ok(output::json(&json::SessionSaid::new(&asked.session.id, &said))?);
    }
    done(&sessions::said(&asked.session.id, &said), screen)
}

fn message(asked: &SessionAppend) -> Result<Message, Error> {
    let text = asked.words.join(" ");
    if text.trim().is_empty() {
        return Err(Error::from(mindfile::session::Error::NotAMessage {
            what: "the text is empty".to_owned(),
        }));
    }
    Ok(Message {
        speaker: asked.speaker.clone(),
        tool: asked.tool.clone(),
        call_id: asked.call_id.clone(),
        hidden: asked.hidden,
        ..Message::new(asked.role.into(), text)
    })
}

fn input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let io = |source: std::io::Error| Failure::file("standard input", &source);
    std::io::stdin().take(LARGEST_INPUT).read_to_end(&mut bytes).map_err(io)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn list(limit: usize, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let (records, notices) = memory.sessions().records()?;
    warn(&notices, screen);
    let found = memory.sessions().list()?;
    let listed = json::SessionListed::all(&found, &records);
    if screen.json {
        return Ok(output::json(&listed)?);
    }
    output::text(&sessions::listed(&listed, limit))?;
    if listed.len() > limit {
        screen.say(&format!("{} more: --limit {}", listed.len() - limit, listed.len()));
    }
    Ok(())
}

fn show(session: &str, full: bool, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let transcript = memory.sessions().read(session)?;
    for damage in &transcript.damage {
        screen.warn(&format!("line {} of the transcript cannot be read: {}", damage.line, damage.what));
    }
    if screen.json {
        return Ok(output::json(&json::SessionShown::new(&transcript, full))?);
    }
    Ok(output::text(&sessions::shown(&transcript, full))?)
}

fn context(session: &str, start: &Start, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let context = memory.context(session, start)?;
    if screen.json {
        return Ok(output::json(&json::SessionContext::new(session, &context))?);
    }
    Ok(output::text(&sessions::context(&context))?)
}

fn candidates(session: &str, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let found = mindfile::session::candidates(memory, memory.viewer(), session)?;
    if screen.json {
        return Ok(output::json(&json::SessionCandidate::all(session, &found))?);
    }
    Ok(output::text(&sessions::candidates(session, &found))?)
}

fn flush_check(asked: &FlushCheck, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let run = match (asked.heartbeat, asked.cli_provider) {
        (true, _) => Turn::Heartbeat,
        (false, true) => Turn::CliProvider,
        (false, false) => Turn::Conversation,
    };
    let pending = asked.pending.as_deref();
    let check = Check { tokens: asked.tokens, pending, run, ..Check::new(asked.context_window) };
    let decision = memory.flush_check(&asked.session.id, &check)?;
    let compact = memory.compaction_check(&asked.session.id, &check)?;
    if screen.json {
        return Ok(output::json(&json::SessionDecision::new(&decision, compact))?);
    }
    Ok(output::text(&sessions::decision(&decision, compact))?)
}

/// Ends with 1 where something of the conversation is not in the day's note yet.
fn flush(
    session: &str,
    model: Option<&dyn ChatModel>,
    memory: &Memory,
    screen: &Screen,
) -> Result<ExitCode, Failure> {
    let flushed = memory.flush(session, model)?;
    warn(&flushed.notices, screen);
    if screen.json {
        output::json(&json::SessionFlushed::new(&flushed))?;
    } else {
        done(&sessions::flushed(&flushed), screen)?;
    }
    let all_saved = flushed.saved.notices.is_empty();
    Ok(if all_saved { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn compact(
    session: &str,
    model: Option<&dyn ChatModel>,
    trigger: Trigger,
    memory: &Memory,
    screen: &Screen,
) -> Result<(), Failure> {
    let compacted = memory.compact(session, model, trigger)?;
    warn(&compacted.notices, screen);
    if screen.json {
        return Ok(output::json(&json::SessionCompacted::new(&compacted))?);
    }
    done(&sessions::compacted(&compacted), screen)
}

fn prune(session: &str, window: u64, memory: &Memory, screen: &Screen) -> Result<(), Failure> {
    let mut turns = Window::of(&memory.sessions().read(session)?).turns;
    let how = &memory.settings().pruning;
    let pruned = mindfile::session::prune::prune(&mut turns, how, window, memory.clock().now());
    if screen.json {
        return Ok(output::json(&json::SessionPruned::new(&pruned, how.mode.as_str()))?);
    }
    Ok(output::text(&sessions::pruned(&pruned, how.mode.as_str()))?)
}

/// What was done, for a person: a host that calls this has its own words.
fn done(text: &str, screen: &Screen) -> Result<(), Failure> {
    if screen.quiet { Ok(()) } else { Ok(output::text(text)?) }
}

fn warn(notices: &[String], screen: &Screen) {
    for notice in notices {
        screen.warn(notice);
    }
}
