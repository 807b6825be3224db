//! `mindfile chat`: a small agent in the terminal. Whatever ends it, Ctrl-C included, what was said is in the transcript.

use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::chat::{Call, ChatModel, stoppable};
use mindfile::session::{AgentEvent, Host, check_id, converse};

use super::Run;
use crate::arguments::Chat;
use crate::environment;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::style::{FAINT, HEAD};
use crate::output::{self, Screen, clean};
use mindfile_operations::sessions::{CompactionReport, FlushReport};
use mindfile_operations::{AgentTools, Failed};
use serde::Serialize;

const PERSONA: &str =
    "You are a helpful assistant in a terminal. You have a memory that outlives this conversation.";
/// What the model answered, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChatAnswer<'a> {
    session_id: &'a str,
    text: Option<&'a str>,
}

/// How much of a call is shown.
const SHOWN: usize = 100;

pub(super) fn run(asked: &Chat, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let model = environment::chat_model(&memory, &asked.model)?.ok_or_else(no_model)?;
    let session = asked.session.clone().unwrap_or_else(|| new_id(&memory));
    check_id(&session)?;
    let kept = format!("{FAINT}kept as session {session}{FAINT:#}");
    let (screen, farewell) = (run.screen.clone(), format!("\n{kept}"));
    let model = stoppable(model, interrupt::listen_between(move || screen.say(&farewell))?);
    run.screen.say(&format!(
        "{FAINT}{} · session {session} · Ctrl-C stops an answer · empty line or Ctrl-D to leave · resume with \
         --session {session}{FAINT:#}",
        clean::text(model.name())
    ));
    let interactive = std::io::stdin().is_terminal() && !run.screen.json;
    loop {
        if interactive {
            output::text(&format!("{HEAD}you>{HEAD:#} "))?;
        }
        let Some(text) = line()? else { break };
        if text.trim().is_empty() {
            break;
        }
        interrupt::while_busy(|| turn(&memory, &*model, &session, text.trim(), run.screen))?;
    }
    run.screen.say(&kept);
    Ok(ExitCode::SUCCESS)
}

/// One turn. A model that fails does not end the conversation: what was said is kept, and can be said again.
fn turn(
    memory: &Memory,
    model: &dyn ChatModel,
    session: &str,
    text: &str,
    screen: &Screen,
) -> Result<(), Failure> {
    let mut on_event = |event: AgentEvent<'_>| show(&event, screen);
    let mut host = Host { model, tools: &AgentTools { memory }, persona: PERSONA, on_event: &mut on_event };
    match converse(memory, session, text, &mut host) {
        Ok(answer) if screen.json => {
            Ok(output::json_line(&ChatAnswer { session_id: session, text: answer.as_deref() })?)
        }
        Ok(_) => Ok(output::text("\n")?),
        Err(mindfile::Error::Interrupted) => {
            screen.say(&format!("\n{FAINT}· stopped; what was said until then is kept{FAINT:#}"));
            Ok(())
        }
        Err(mindfile::Error::Model(error)) => {
            let hint =
                "what you said is kept; check --model, --base-url and the key, or just go on".to_owned();
            screen.fail(&Failed::new("environment", &error.to_string(), Some(hint)));
            Ok(())
        }
        Err(other) => Err(other.into()),
    }
}

fn show(event: &AgentEvent<'_>, screen: &Screen) {
    match event {
        AgentEvent::Text(text) => {
            if !screen.json {
                pass_on(&clean::text(text));
            }
        }
        AgentEvent::Called(call) => screen.say(&format!("{FAINT}· {}{FAINT:#}", clean::text(&called(call)))),
        AgentEvent::Answered { text, .. } => {
            for source in text.lines().filter(|line| line.starts_with("Source: ")) {
                screen.say(&format!("{FAINT}  {}{FAINT:#}", clean::text(source)));
            }
        }
        AgentEvent::Flushed(flushed) => {
            let words = FlushReport::new(flushed).text();
            screen.say(&format!("{FAINT}· memory flushed: {}{FAINT:#}", words.trim().replace('\n', "; ")));
        }
        AgentEvent::Compacted(compacted) => {
            let words = CompactionReport::new(compacted).text();
            screen.say(&format!("{FAINT}· {}{FAINT:#}", words.trim()));
        }
        AgentEvent::Notice(notice) => screen.warn(notice),
    }
}

/// Whoever reads along may be gone; what is said is in the transcript all the same.
fn pass_on(text: &str) {
    match output::text(text) {
        Ok(()) | Err(_) => {}
    }
}

fn called(call: &Call) -> String {
    let arguments: String = call.arguments.to_string().chars().take(SHOWN).collect();
    format!("{} {arguments}", call.name)
}

fn line() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    let io = |source: std::io::Error| Failure::file("standard input", &source);
    let read = std::io::stdin().lock().read_line(&mut line).map_err(io)?;
    Ok((read > 0).then_some(line))
}

/// The time, to a fraction of a second.
fn new_id(memory: &Memory) -> String {
    memory.clock().now().strftime("chat-%Y%m%d-%H%M%S-%3f").to_string()
}

fn no_model() -> Failure {
    let hint =
        "mindfile chat --model llama3.2 --base-url http://localhost:11434/v1, or set MINDFILE_CHAT_MODEL";
    Failure::usage("no model is named").hint(hint)
}
