//! The tools: what each is called, what a model reads about it, and what it does.

use std::sync::Arc;

use mindfile_operations::{Caller, Deed, Entry, OPERATIONS, ToolReply};
use rmcp::ErrorData;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use super::{Context, Offer, progress};
use crate::desk::Desk;
use crate::failure::Failure;

/// None where memory is switched off.
pub(super) fn described(desk: &Desk, offer: Offer) -> Vec<Tool> {
    if desk.memory.check_on().is_err() {
        return Vec::new();
    }
    let tools = OPERATIONS.iter().filter_map(|entry| Some((entry, entry.tool?)));
    let tools = tools.filter(|(_, tool)| offer.all || tool.tool.usual);
    let answered = |entry: &Entry| offer.whole.then(|| (entry.answered)());
    tools.map(|(entry, tool)| describe(&tool.tool, (tool.asked)(), answered(entry))).collect()
}

fn describe(tool: &mindfile_operations::Tool, asked: JsonObject, answered: Option<JsonObject>) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(tool.deed == Deed::Reads)
        .destructive(matches!(tool.deed, Deed::Rewrites | Deed::Forgets))
        .open_world(false);
    let described = Tool::new(tool.name, tool.about, Arc::new(asked)).with_annotations(hints);
    match answered {
        Some(answered) => described.with_raw_output_schema(Arc::new(answered)),
        None => described,
    }
}

/// Calls a tool. What went wrong in it is its answer, so that a model reads it and can do better.
pub(super) async fn call(
    desk: &Arc<Desk>,
    offer: Offer,
    request: CallToolRequestParams,
    context: Context,
) -> Result<CallToolResult, ErrorData> {
    let mut tools = OPERATIONS.iter().filter_map(|entry| entry.tool);
    let Some(tool) = tools.find(|tool| tool.tool.name == request.name) else {
        return Err(ErrorData::invalid_params(format!("there is no tool {:?}", request.name), None));
    };
    let given = Value::Object(request.arguments.unwrap_or_default());
    let cancelled = context.ct.clone();
    let (progress, relay) = progress::of(context);
    let done =
        desk.run(move |desk| (tool.call)(&Caller { listener: Some(&progress), ..desk.caller() }, given));
    let relayed = tokio::spawn(relay);
    let came = tokio::select! {
        came = done => came,
        () = cancelled.cancelled() => Err(Failure::usage("cancelled by the client")),
    };
    // What was said on the way reaches the client before the answer does.
    drop(relayed.await);
    Ok(match came {
        Ok(told) => answer(told, offer),
        Err(failure) => failed(&failure),
    })
}

fn answer(told: ToolReply, offer: Offer) -> CallToolResult {
    let mut result = CallToolResult::structured(if offer.whole { told.value } else { told.lean });
    result.content = vec![ContentBlock::text(told.text)];
    result
}

/// A failure has another shape than the tool's answers, so that it is told as text.
fn failed(failure: &Failure) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(failure.told())])
}
