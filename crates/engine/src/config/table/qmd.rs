//! The engine QMD: `memory.qmd`.

use super::{count, memory, shared};
use crate::config::keys::{Effect, Key};
use crate::config::kind::{Kind, Preset};
use crate::config::settings::QmdMode;

pub(super) const KEYS: &[Key] = &[
    shared(
        "memory.qmd.command",
        Kind::Text,
        Preset::Text("qmd"),
        "QMD's program: a name, or a path; a leading `~` is replaced, a relative path is below the state directory.",
    ),
    shared(
        "memory.qmd.searchMode",
        Kind::OneOf(QmdMode::WORDS),
        Preset::Text("search"),
        "How QMD searches: \"search\" (words), \"vsearch\" (meaning) or \"query\" (both, and a model compares the best). \
         Without QMD's models \"query\" goes by words, and \"vsearch\" cannot be done.",
    ),
    shared(
        "memory.qmd.rerank",
        Kind::Flag,
        Preset::Flag(true),
        "Whether \"query\" may compare the best once more by a model.",
    ),
    shared(
        "memory.qmd.server",
        Kind::Flag,
        Preset::Flag(true),
        "Whether `serve` keeps a server of QMD at a loopback port, which answers much faster than a process for each \
         search. QMD's server asks for no token: switch it off where others have a login on this machine.",
    ),
    shared(
        "memory.qmd.includeDefaultMemory",
        Kind::Flag,
        Preset::Flag(true),
        "Whether QMD searches the workspace's own notes and `extraPaths`.",
    ),
    shared(
        "memory.qmd.paths",
        Kind::Collections,
        Preset::Words(&[]),
        "More folders or files that QMD searches, each a string or { path, name, pattern }; relative to the workspace.",
    ),
    shared(
        "memory.qmd.sessions.enabled",
        Kind::Flag,
        Preset::Flag(false),
        "Whether conversations are written out as Markdown and searched by QMD.",
    ),
    shared(
        "memory.qmd.sessions.exportDir",
        Kind::Path,
        Preset::Unset,
        "Where they are written to; by default agents/{agentId}/qmd/sessions/ in the state directory.",
    ),
    shared(
        "memory.qmd.sessions.retentionDays",
        count(36_500),
        Preset::Unset,
        "Conversations that ended longer ago are left out; by default none is.",
    ),
    shared(
        "memory.qmd.update.interval",
        Kind::Span,
        Preset::Text("5m"),
        "How often QMD's index is brought up to date: seconds, or with s, m or h; 0 for never by time.",
    ),
    shared(
        "memory.qmd.update.debounceMs",
        Kind::Whole { min: 0, max: 3_600_000 },
        Preset::Whole(15_000),
        "How long notes that changed may wait for QMD: the least time between two updates.",
    ),
    shared(
        "memory.qmd.update.onBoot",
        Kind::Flag,
        Preset::Flag(true),
        "Whether `serve` and `watch` update QMD's index when they start.",
    ),
    shared(
        "memory.qmd.update.waitForBootSync",
        Kind::Flag,
        Preset::Flag(false),
        "Whether they wait for that before they begin.",
    ),
    shared(
        "memory.qmd.update.embedInterval",
        Kind::Span,
        Preset::Text("60m"),
        "How often QMD makes vectors of what is new, where it has models; 0 for never by time.",
    ),
    shared(
        "memory.qmd.update.commandTimeoutMs",
        count(86_400_000),
        Preset::Whole(30_000),
        "The longest that QMD's small commands may take, such as telling its version.",
    ),
    shared(
        "memory.qmd.update.updateTimeoutMs",
        count(86_400_000),
        Preset::Whole(120_000),
        "The longest that an update may take.",
    ),
    shared(
        "memory.qmd.update.embedTimeoutMs",
        count(86_400_000),
        Preset::Whole(120_000),
        "The longest that making vectors may take; the next run goes on.",
    ),
    shared(
        "memory.qmd.limits.maxResults",
        count(1_000),
        Preset::Whole(6),
        "The most results that QMD is asked for.",
    ),
    shared(
        "memory.qmd.limits.maxSnippetChars",
        Kind::Whole { min: 40, max: 100_000 },
        Preset::Whole(700),
        "The longest snippet of a result that QMD found.",
    ),
    shared(
        "memory.qmd.limits.maxInjectedChars",
        Kind::Whole { min: 40, max: 10_000_000 },
        Preset::Whole(4_000),
        "The most text that all results together put before a model.",
    ),
    shared(
        "memory.qmd.limits.timeoutMs",
        Kind::Whole { min: 10, max: 600_000 },
        Preset::Whole(4_000),
        "The longest that QMD may take to answer a search; after that the built-in index answers.",
    ),
    shared(
        "memory.qmd.scope.default",
        Kind::OneOf(&["allow", "deny"]),
        Preset::Text("deny"),
        "Whether QMD answers in a chat that no rule is about.",
    ),
    shared(
        "memory.qmd.scope.rules",
        Kind::Scopes,
        Preset::Unset,
        "The chats in which QMD answers, each rule { action, match: { chatType, channel, keyPrefix } }; the first that \
         matches counts. By default direct chats.",
    ),
    memory(
        "memory.qmd.searchTool",
        Kind::Text,
        Preset::Unset,
        "Its tool, where it is reached through mcporter.",
        Effect::DetailOf("memory.qmd.mcporter"),
    ),
    memory(
        "memory.qmd.mcporter",
        Kind::Object,
        Preset::Unset,
        "How it is reached through mcporter.",
        Effect::NotInThisVersion { instead: "QMD is asked by its own server or command" },
    ),
];
