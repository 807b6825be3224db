//! An agent's workspace, its conversations, and the model that it talks to.

use super::{UNIT, agent, count, session};
use crate::config::chat::Chat;
use crate::config::keys::{Effect, Key};
use crate::config::kind::{Kind, Preset};
use crate::config::settings::Pruning;

const TOKENS: Kind = Kind::Whole { min: 0, max: 1 << 32 };

pub(super) const KEYS: &[Key] = &[
    agent(
        "workspace",
        Kind::Path,
        Preset::Unset,
        "The folder of notes; a leading `~` is replaced, a relative path is below the state directory. By default \
         workspace/ there, and workspace-<id>/ for an agent that is not the default one.",
        Effect::Used,
    ),
    session(
        "compaction.reserveTokensFloor",
        TOKENS,
        Preset::Whole(20_000),
        "Tokens of the context window that stay free when memory is flushed.",
    ),
    session(
        "compaction.reserveTokens",
        TOKENS,
        Preset::Whole(16_384),
        "Tokens of the context window that stay free for the prompt and the answer: above that, a conversation is \
         compacted.",
    ),
    session(
        "compaction.keepRecentTokens",
        TOKENS,
        Preset::Whole(20_000),
        "Tokens of the last turns that a compaction leaves as they are.",
    ),
    session(
        "compaction.memoryFlush.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether a model is asked to save memories before a compaction. What the rules find is saved in any case.",
    ),
    session(
        "compaction.memoryFlush.softThresholdTokens",
        TOKENS,
        Preset::Whole(4_000),
        "How many tokens before compaction memory is flushed.",
    ),
    session(
        "compaction.memoryFlush.prompt",
        Kind::Text,
        Preset::Unset,
        "What the user turn of a flush says; YYYY-MM-DD is replaced by the day.",
    ),
    session(
        "compaction.memoryFlush.systemPrompt",
        Kind::Text,
        Preset::Unset,
        "What the system prompt of a flush adds.",
    ),
    session(
        "contextPruning.mode",
        Kind::OneOf(Pruning::WORDS),
        Preset::Text("off"),
        "Whether old results of tools are shortened in what a model is given: \"off\", \"cache-ttl\" (when the \
         provider's cache has expired) or \"always\". The transcript stays as it is.",
    ),
    session(
        "contextPruning.ttl",
        Kind::Span,
        Preset::Text("5m"),
        "How long a provider keeps what it was given: seconds, or with s, m or h.",
    ),
    session(
        "contextPruning.keepLastAssistants",
        Kind::Whole { min: 0, max: 10_000 },
        Preset::Whole(3),
        "The last answers whose tool results are left alone.",
    ),
    session(
        "contextPruning.softTrimRatio",
        UNIT,
        Preset::Number(0.3),
        "The share of the window above which large results are trimmed.",
    ),
    session(
        "contextPruning.hardClearRatio",
        UNIT,
        Preset::Number(0.5),
        "The share of the window above which old results are cleared.",
    ),
    session(
        "contextPruning.minPrunableToolChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(50_000),
        "With fewer characters in all old results, none is cleared.",
    ),
    session(
        "contextPruning.softTrim.maxChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(4_000),
        "A longer result is trimmed.",
    ),
    session(
        "contextPruning.softTrim.headChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(1_500),
        "What stays of its beginning.",
    ),
    session(
        "contextPruning.softTrim.tailChars",
        Kind::Whole { min: 0, max: 1 << 32 },
        Preset::Whole(1_500),
        "What stays of its end.",
    ),
    session(
        "contextPruning.hardClear.enabled",
        Kind::Flag,
        Preset::Flag(true),
        "Whether old results are cleared at all.",
    ),
    session(
        "contextPruning.hardClear.placeholder",
        Kind::Text,
        Preset::Text("[Old tool result content cleared]"),
        "What stands in the place of a cleared result.",
    ),
    session(
        "chat.provider",
        Kind::OneOf(Chat::PROVIDERS),
        Preset::Text("openai"),
        "How the chat model is spoken to: \"openai\" (also Ollama, llama.cpp, vLLM and OpenRouter) or \"anthropic\".",
    ),
    session(
        "chat.model",
        Kind::Text,
        Preset::Unset,
        "The chat model that `chat`, `retain` (how much a fact matters), `reflect`, `session flush` and `session \
         compact` ask. Without one they go by rules, and `chat` has nobody to talk to.",
    ),
    session(
        "chat.baseUrl",
        Kind::Text,
        Preset::Unset,
        "Where the chat model is, such as http://localhost:11434/v1; by default the provider's own address.",
    ),
    session(
        "chat.apiKey",
        Kind::Secret,
        Preset::Unset,
        "The key of the chat model: a string, { env: \"NAME\" } or { file: \"PATH\" }. By default \
         $OPENAI_API_KEY or $ANTHROPIC_API_KEY, for the provider's own address alone.",
    ),
    session("chat.headers", Kind::Secrets, Preset::Unset, "HTTP headers for the chat model."),
    session(
        "chat.caFile",
        Kind::Path,
        Preset::Unset,
        "A PEM file with the authorities whose certificates the chat model's service may have, instead of the public \
         ones; by default $SSL_CERT_FILE.",
    ),
    session(
        "chat.contextWindow",
        Kind::Whole { min: 1_024, max: 1 << 32 },
        Preset::Whole(128_000),
        "The chat model's context window, in tokens.",
    ),
    session(
        "chat.timeoutSeconds",
        count(86_400),
        Preset::Whole(600),
        "Seconds after which an answer is given up.",
    ),
    session(
        "bootstrapMaxChars",
        Kind::Whole { min: 1, max: 1 << 32 },
        Preset::Whole(20_000),
        "The most that one file adds to the start of a session; four characters are counted as one token.",
    ),
    session(
        "bootstrapTotalMaxChars",
        Kind::Whole { min: 1, max: 1 << 32 },
        Preset::Whole(60_000),
        "The most that all files together add.",
    ),
];
