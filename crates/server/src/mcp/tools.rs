//! The tools: what each is called, what a model reads about it, and what it does.

use std::sync::Arc;

use mindfile_operations::spelling::Program;
use mindfile_operations::{Caller, Deed, Listener, OPERATIONS, ToolReply};
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

type Work = Box<dyn FnOnce(&Desk, Value, &Progress) -> Result<ToolReply, Failure> + Send>;
type Call = fn(&Desk, Value, &Progress) -> Result<ToolReply, Failure>;

/// A tool that is not in the table of operations yet.
struct Unlisted {
    tool: mindfile_operations::Tool,
    asked: fn() -> JsonObject,
    answered: fn() -> JsonObject,
    call: Call,
}

const UNLISTED: [Unlisted; 2] = [
    Unlisted {
        tool: mindfile_operations::Tool {
            name: "memory_reflect",
            title: "Consolidate memory",
            about: "Consolidate the facts that matter most into MEMORY.md and the pages in bank/. Call it with dryRun \
                    first; the last reflection can be undone by the owner.",
            deed: Deed::Rewrites,
        },
        asked: schema::asked::<ask::Reflect>,
        answered: schema::answered::<wire::Reflection>,
        call: reflect,
    },
    Unlisted {
        tool: mindfile_operations::Tool {
            name: "memory_forget",
            title: "Forget for good",
            about: "Take something out of notes, conversations and index so that it does not come back. Only when the \
                    person asks for it: call it with dryRun, show what would go, and go on when they agree. Say one of \
                    query, entity, session, last, since and until, or origin.",
            deed: Deed::Forgets,
        },
        asked: schema::asked::<ask::Forget>,
        answered: schema::answered::<wire::Gone>,
        call: forget,
    },
];

pub(super) fn described() -> Vec<Tool> {
    let listed = OPERATIONS.iter().filter_map(|entry| Some((entry.tool?.tool, entry.asked, entry.answered)));
    let unlisted = UNLISTED.iter().map(|one| (one.tool, one.asked, one.answered));
    listed.chain(unlisted).map(|(tool, asked, answered)| describe(&tool, asked(), answered())).collect()
}

fn describe(tool: &mindfile_operations::Tool, asked: JsonObject, answered: JsonObject) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(tool.deed == Deed::Reads)
        .destructive(matches!(tool.deed, Deed::Rewrites | Deed::Forgets))
        .idempotent(tool.deed == Deed::Reads)
        .open_world(false);
    Tool::new(tool.name, tool.about, Arc::new(asked))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(answered))
        .with_annotations(hints)
}

/// What a tool does, by its name.
fn found(name: &str) -> Option<Work> {
    let mut listed = OPERATIONS.iter().filter_map(|entry| entry.tool);
    if let Some(tool) = listed.find(|tool| tool.tool.name == name) {
        return Some(Box::new(move |desk, given, progress| {
            let caller = Caller { listener: Some(progress), ..desk.caller() };
            (tool.call)(&caller, given)
        }));
    }
    UNLISTED.iter().find(|one| one.tool.name == name).map(|one| Box::new(one.call) as _)
}

/// Calls a tool. What went wrong in it is its answer, so that a model reads it and can do better.
pub(super) async fn call(
    desk: &Arc<Desk>,
    request: CallToolRequestParams,
    context: Context,
) -> Result<CallToolResult, ErrorData> {
    let Some(tool) = found(&request.name) else {
        return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
    };
    let given = Value::Object(request.arguments.unwrap_or_default());
    let cancelled = context.ct.clone();
    let (progress, relay) = progress::of(context);
    let done = desk.run(move |desk| tool(desk, given, &progress));
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

fn answer(told: ToolReply) -> CallToolResult {
    let mut result = CallToolResult::structured(told.value);
    result.content = vec![ContentBlock::text(told.text)];
    result
}

/// A failure has another shape than the tool's answers, so that it is told as text.
fn failed(failure: &Failure) -> CallToolResult {
    let failed = failure.failed(&Program).error;
    let hint = failed.hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    CallToolResult::error(vec![ContentBlock::text(format!("{}{hint}", failed.message))])
}

fn read<A: DeserializeOwned>(given: Value) -> Result<A, Failure> {
    serde_json::from_value(given).map_err(|error| Failure::usage(format!("the arguments: {error}")))
}

fn told<T: Serialize + JsonSchema>(value: &T, text: String) -> Result<ToolReply, Failure> {
    let value = serde_json::to_value(value).map_err(|error| Failure::bug(error.to_string()))?;
    Ok(ToolReply { value, text })
}

fn caught_up(desk: &Desk, progress: &Progress) -> Result<(), Failure> {
    Caller { listener: Some(progress), ..desk.caller() }.catch_up()
}

fn reflect(desk: &Desk, given: Value, progress: &Progress) -> Result<ToolReply, Failure> {
    let asked: ask::Reflect = read(given)?;
    caught_up(desk, progress)?;
    progress.say("consolidating");
    let (reflection, reflected) = ops::reflect_with(desk, &asked)?;
    told(&reflection, text::reflected(&reflected, asked.dry_run))
}

fn forget(desk: &Desk, given: Value, progress: &Progress) -> Result<ToolReply, Failure> {
    let asked: ask::Forget = read(given)?;
    caught_up(desk, progress)?;
    let (gone, forgotten) = ops::forget_with(desk, &asked)?;
    told(&gone, text::forgotten(&forgotten, asked.dry_run))
}
