//! The tools: what each is called, what a model reads about it, and what it does.

use mindfile_care::status;
use std::sync::Arc;

use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::progress::{self, Progress};
use super::{Context, text};
use crate::desk::Desk;
use crate::failure::Failure;
use crate::{ask, ops, schema, wire};

/// What a tool does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Reads,
    /// Adds, and takes nothing away.
    Adds,
    /// Rewrites what is there, and can be undone.
    Rewrites,
    /// Takes away for good.
    Forgets,
}

pub(super) struct OneTool {
    pub(super) name: &'static str,
    title: &'static str,
    about: &'static str,
    deed: Deed,
    asked: fn() -> JsonObject,
    answered: fn() -> JsonObject,
    call: fn(&Desk, Value, &Progress) -> Result<Told, Failure>,
}

/// An answer for a program, and the same for a reader.
pub(super) struct Told {
    value: Value,
    text: String,
}

pub(super) fn all() -> Vec<OneTool> {
    finding().into_iter().chain(tending()).collect()
}

fn finding() -> [OneTool; 4] {
    [
        OneTool {
            name: "memory_search",
            title: "Search memory",
            about: "Find passages in the notes by words and meaning. Use it before answering anything about earlier \
                    work, decisions, people, dates or preferences. Returns snippets with citations; read more of one \
                    with memory_get.",
            deed: Deed::Reads,
            asked: schema::asked::<ask::Search>,
            answered: schema::answered::<wire::Found>,
            call: search,
        },
        OneTool {
            name: "memory_get",
            title: "Read a memory file",
            about: "Read exact lines of a memory file that memory_search cited, such as memory/2026-07-14.md from line \
                    5. Only memory files can be read.",
            deed: Deed::Reads,
            asked: schema::asked::<ask::Get>,
            answered: schema::answered::<wire::Lines>,
            call: get,
        },
        OneTool {
            name: "memory_recall",
            title: "Recall facts",
            about: "Recall single facts that answer a question, then facts connected with those through people and \
                    things they name together. Best for who, what and why questions; memory_search finds passages.",
            deed: Deed::Reads,
            asked: schema::asked::<ask::Recall>,
            answered: schema::answered::<wire::Recalls>,
            call: recall,
        },
        OneTool {
            name: "memory_context",
            title: "Context to begin with",
            about: "What belongs into your context at the start of a session: persona, user, long-term memory and the \
                    notes of today and yesterday, within budget. Pass chatType \"group\" where others read along.",
            deed: Deed::Reads,
            asked: schema::asked::<ask::Context>,
            answered: schema::answered::<wire::SessionContext>,
            call: context,
        },
    ]
}

fn tending() -> [OneTool; 4] {
    [
        OneTool {
            name: "memory_retain",
            title: "Keep a fact",
            about: "Write one fact down for good: a sentence that can be understood by itself, with the names it is \
                    about as entities. Use it when the person says something worth keeping or asks you to remember. \
                    Give a key (such as editor.theme) for something that has one current value.",
            deed: Deed::Adds,
            asked: schema::asked::<ask::Retain>,
            answered: schema::answered::<wire::Kept>,
            call: retain,
        },
        OneTool {
            name: "memory_reflect",
            title: "Consolidate memory",
            about: "Consolidate the facts that matter most into MEMORY.md and the pages in bank/. Call it with dryRun \
                    first; the last reflection can be undone by the owner.",
            deed: Deed::Rewrites,
            asked: schema::asked::<ask::Reflect>,
            answered: schema::answered::<wire::Reflection>,
            call: reflect,
        },
        OneTool {
            name: "memory_forget",
            title: "Forget for good",
            about: "Take something out of notes, conversations and index so that it does not come back. Only when the \
                    person asks for it: call it with dryRun, show what would go, and go on when they agree. Say one of \
                    query, entity, session, last, since and until, or origin.",
            deed: Deed::Forgets,
            asked: schema::asked::<ask::Forget>,
            answered: schema::answered::<wire::Gone>,
            call: forget,
        },
        OneTool {
            name: "memory_status",
            title: "State of the memory",
            about: "How many notes, chunks and facts there are, whether the index is up to date, and what is wrong.",
            deed: Deed::Reads,
            asked: schema::asked::<ask::Status>,
            answered: schema::answered::<wire::Agent>,
            call: status,
        },
    ]
}

pub(super) fn described(tool: &OneTool) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(tool.deed == Deed::Reads)
        .destructive(matches!(tool.deed, Deed::Rewrites | Deed::Forgets))
        .idempotent(tool.deed == Deed::Reads)
        .open_world(false);
    Tool::new(tool.name, tool.about, Arc::new((tool.asked)()))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new((tool.answered)()))
        .with_annotations(hints)
}

/// Calls a tool. What went wrong in it is its answer, so that a model reads it and can do better.
pub(super) async fn call(
    desk: &Arc<Desk>,
    request: CallToolRequestParams,
    context: Context,
) -> Result<CallToolResult, ErrorData> {
    let Some(tool) = all().into_iter().find(|tool| tool.name == request.name) else {
        return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
    };
    let given = Value::Object(request.arguments.unwrap_or_default());
    let cancelled = context.ct.clone();
    let (progress, relay) = progress::of(context);
    let done = desk.run(move |desk| (tool.call)(desk, given, &progress));
    let relayed = tokio::spawn(relay);
    let came = tokio::select! {
        came = done => came,
        () = cancelled.cancelled() => Err(Failure::usage("cancelled by the client")),
    };
    // What was said on the way reaches the client before the answer does.
    drop(relayed.await);
    Ok(match came {
        Ok(told) => answer(told),
        Err(failure) => failed(&failure),
    })
}

fn answer(told: Told) -> CallToolResult {
    let mut result = CallToolResult::structured(told.value);
    result.content = vec![ContentBlock::text(told.text)];
    result
}

/// A failure has another shape than the tool's answers, so that it is told as text.
fn failed(failure: &Failure) -> CallToolResult {
    let hint = failure.hint.as_ref().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    CallToolResult::error(vec![ContentBlock::text(format!("{}{hint}", failure.message))])
}

fn read<A: DeserializeOwned>(given: Value) -> Result<A, Failure> {
    serde_json::from_value(given).map_err(|error| Failure::usage(format!("the arguments: {error}")))
}

fn told<T: Serialize + JsonSchema>(value: &T, text: String) -> Result<Told, Failure> {
    let value = serde_json::to_value(value).map_err(|error| Failure::bug(error.to_string()))?;
    Ok(Told { value, text })
}

fn search(desk: &Desk, given: Value, progress: &Progress) -> Result<Told, Failure> {
    let asked: ask::Search = read(given)?;
    progress.catch_up(desk)?;
    let (found, response) = ops::search_with(desk, &asked)?;
    told(&found, text::found(&response))
}

fn get(desk: &Desk, given: Value, _: &Progress) -> Result<Told, Failure> {
    let lines = ops::get(desk, &read(given)?)?;
    let text = text::lines(&lines);
    told(&lines, text)
}

fn retain(desk: &Desk, given: Value, _: &Progress) -> Result<Told, Failure> {
    let (kept, retained) = ops::retain_with(desk, &read(given)?)?;
    told(&kept, text::kept(&retained))
}

fn recall(desk: &Desk, given: Value, progress: &Progress) -> Result<Told, Failure> {
    let asked: ask::Recall = read(given)?;
    progress.catch_up(desk)?;
    let remembered = ops::remembered(desk, &asked)?;
    told(&wire::Recalls::new(&remembered, asked.debug, asked.explain), text::recalled(&remembered))
}

fn reflect(desk: &Desk, given: Value, progress: &Progress) -> Result<Told, Failure> {
    let asked: ask::Reflect = read(given)?;
    progress.catch_up(desk)?;
    progress.say("consolidating");
    let (reflection, reflected) = ops::reflect_with(desk, &asked)?;
    told(&reflection, text::reflected(&reflected, asked.dry_run))
}

fn forget(desk: &Desk, given: Value, progress: &Progress) -> Result<Told, Failure> {
    let asked: ask::Forget = read(given)?;
    progress.catch_up(desk)?;
    let (gone, forgotten) = ops::forget_with(desk, &asked)?;
    told(&gone, text::forgotten(&forgotten, asked.dry_run))
}

fn status(desk: &Desk, given: Value, _: &Progress) -> Result<Told, Failure> {
    let asked: ask::Status = read(given)?;
    let status = status::of(&desk.memory, asked.deep)?;
    told(&wire::Agent::new(&status), text::status(&status))
}

fn context(desk: &Desk, given: Value, _: &Progress) -> Result<Told, Failure> {
    let (shown, context) = ops::context_with(desk, &read(given)?)?;
    told(&shown, context.system())
}
