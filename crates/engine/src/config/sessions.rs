//! The settings of conversations: their search, their flush and compaction, and what is pruned.

use std::time::Duration;

use serde::Deserialize;

use super::error::Error;
use super::kind::{Kind, span};
use super::merge::Merged;
use super::resolve::refused;
use super::settings::{Compaction, ContextPruning, Flush, Pruning, Transcripts};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Experimental {
    pub(super) session_memory: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SessionValues {
    delta_bytes: u64,
    delta_messages: u64,
    debounce_ms: u64,
    tool_output: bool,
    hidden: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CompactionValues {
    reserve_tokens_floor: u64,
    reserve_tokens: u64,
    keep_recent_tokens: u64,
    memory_flush: FlushValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FlushValues {
    enabled: bool,
    soft_threshold_tokens: u64,
    prompt: Option<String>,
    system_prompt: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct PruningValues {
    mode: Pruning,
    ttl: String,
    keep_last_assistants: usize,
    soft_trim_ratio: f64,
    hard_clear_ratio: f64,
    min_prunable_tool_chars: usize,
    soft_trim: TrimValues,
    hard_clear: ClearValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TrimValues {
    max_chars: usize,
    head_chars: usize,
    tail_chars: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClearValues {
    enabled: bool,
    placeholder: String,
}

pub(super) fn transcripts(
    experimental: &Experimental,
    sources: &[String],
    values: &SessionValues,
) -> Transcripts {
    Transcripts {
        enabled: experimental.session_memory && sources.iter().any(|name| name == "sessions"),
        delta_bytes: values.delta_bytes,
        delta_messages: values.delta_messages,
        debounce: Duration::from_millis(values.debounce_ms),
        tool_output: values.tool_output,
        hidden: values.hidden,
    }
}

pub(super) fn compaction(values: CompactionValues) -> Compaction {
    let flush = values.memory_flush;
    Compaction {
        reserve_tokens_floor: values.reserve_tokens_floor,
        reserve_tokens: values.reserve_tokens,
        keep_recent_tokens: values.keep_recent_tokens,
        flush: Flush {
            enabled: flush.enabled,
            soft_threshold_tokens: flush.soft_threshold_tokens,
            prompt: flush.prompt,
            system_prompt: flush.system_prompt,
        },
    }
}

pub(super) fn pruning(values: PruningValues, merged: &Merged) -> Result<ContextPruning, Error> {
    const TTL: &str = "contextPruning.ttl";
    let wrong = || refused(merged.origin(TTL), TTL, &values.ttl, Kind::Span.to_string());
    Ok(ContextPruning {
        mode: values.mode,
        ttl: span(&values.ttl).ok_or_else(wrong)?,
        keep_last_assistants: values.keep_last_assistants,
        soft_trim_ratio: values.soft_trim_ratio,
        hard_clear_ratio: values.hard_clear_ratio,
        min_prunable_chars: values.min_prunable_tool_chars,
        trim_above: values.soft_trim.max_chars,
        trim_head: values.soft_trim.head_chars,
        trim_tail: values.soft_trim.tail_chars,
        hard_clear: values.hard_clear.enabled,
        placeholder: values.hard_clear.placeholder,
    })
}
