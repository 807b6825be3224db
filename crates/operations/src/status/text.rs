//! How a memory stands, as text: OpenClaw's lines in their order, then ours.

use std::path::Path;

use mindfile::config::SwitchedOff;
use mindfile::fact::diagnostics::Diagnostic;
use mindfile_care::status::{
    Check, Deep, Drift, EmbeddingCache, FactCount, Field, Fit, IndexState, Presence, PrivateNotes,
    SourceCount, Status,
};
use mindfile_qmd::State;

use crate::operation::Page;
use crate::text::clean;
use crate::text::quantity::{bytes, number};
use crate::text::style::HEAD;

/// One memory.
pub(super) fn of(status: &Status, page: &Page<'_>) -> String {
    let sheet = Sheet { status, page };
    let lines =
        [sheet.origin(), sheet.counts(), sheet.search(), sheet.storage(), sheet.upkeep(), sheet.deep()]
            .concat();
    let mut text = format!("{HEAD}Memory Search ({}){HEAD:#}\n", clean::text(&status.agent));
    text.extend(lines.iter().map(|line| format!("{}\n", clean::text(line))));
    text
}

struct Sheet<'a> {
    status: &'a Status,
    page: &'a Page<'a>,
}

impl Sheet<'_> {
    fn origin(&self) -> Vec<String> {
        let embeddings = &self.status.search.embeddings;
        let mut lines = vec![
            format!("Provider: {} (requested: {})", embeddings.used, embeddings.requested),
            format!("Model: {}", if embeddings.model.is_empty() { "none" } else { &embeddings.model }),
            format!("Sources: {}", self.sources()),
        ];
        if !self.status.workspace.extra_paths.is_empty() {
            let paths: Vec<String> =
                self.status.workspace.extra_paths.iter().map(|extra| self.short(&extra.path)).collect();
            lines.push(format!("Extra paths: {}", paths.join(", ")));
        }
        lines
    }

    fn sources(&self) -> String {
        let sources: Vec<&str> =
            self.status.counts.sources.iter().map(|count| count.source.as_str()).collect();
        sources.join(", ")
    }

    fn counts(&self) -> Vec<String> {
        let status = self.status;
        let presence = match &status.workspace.presence {
            Presence::There => String::new(),
            Presence::Missing => " (does not exist)".to_owned(),
            Presence::Unusable(why) => format!(" ({why})"),
        };
        let mut lines = vec![
            format!("Indexed: {}", files(&status.counts.sources)),
            format!("Dirty: {}", dirty(&status.drift)),
            format!("Store: {}", self.store()),
            format!("Workspace: {}{presence}", self.short(&status.workspace.root)),
            "By source:".to_owned(),
        ];
        let each = status.counts.sources.iter();
        lines.extend(
            each.map(|count| format!("  {} · {}", count.source.as_str(), files(std::slice::from_ref(count)))),
        );
        let FactCount { facts, entities } = status.counts.facts;
        if facts > 0 {
            lines.push(format!("Facts: {} · {} entities", number64(facts), number64(entities)));
        }
        lines.extend(status.workspace.private.as_ref().map(private));
        lines.extend(status.search.qmd.as_ref().map(qmd));
        lines.extend(status.search.outages.iter().map(|outage| format!("Engine: {}", outage.words())));
        lines.extend(
            status
                .search
                .embeddings
                .fallback
                .iter()
                .map(|fallback| format!("Fallback: {}", fallback.words())),
        );
        lines
    }

    fn search(&self) -> Vec<String> {
        let status = self.status;
        let vectors = &status.search.vectors;
        let ready = |is: bool| if is { "ready" } else { "unavailable" };
        let mut lines =
            vec![format!("Vector: {} ({})", if vectors.enabled { "ready" } else { "disabled" }, vectors.why)];
        lines.extend(vectors.dims.map(|dims| format!("Vector dims: {dims}")));
        if status.index.engine.is_file() {
            lines.push(format!("Vector engine: {}", vectors.engine.as_str()));
        }
        lines.push(format!(
            "Vectors: {} of {} chunks",
            number64(status.counts.chunks.embedded),
            number64(status.counts.chunks.total)
        ));
        lines.push(format!("FTS: {} ({})", ready(status.search.words.available), status.search.words.why));
        if let Some(SwitchedOff { on: (key, value), why }) = &status.off {
            let how = self.page.spelling.set(key, value);
            lines.push(format!("Memory: switched off, {why} ({how})"));
        }
        lines
    }

    /// Where the index is.
    fn store(&self) -> String {
        let index = &self.status.index;
        if index.engine.is_file() { self.short(&index.path) } else { index.place.clone() }
    }

    /// The engine that would keep the index.
    fn engine(&self) -> String {
        let index = &self.status.index;
        if index.engine.is_file() {
            format!("SQLite {}", index.sqlite)
        } else {
            index.engine.as_str().to_owned()
        }
    }

    fn storage(&self) -> Vec<String> {
        let status = self.status;
        let cache = &status.search.cache;
        let sizes = &status.index.sizes;
        let mut lines = vec![match cache.enabled {
            true => {
                format!("Embedding cache: enabled ({} entries{})", number64(cache.entries), hit_rate(cache))
            }
            false => "Embedding cache: disabled".to_owned(),
        }];
        lines.push(format!(
            "Index: {}, {}{}, {}",
            state(&status.index.state),
            bytes(sizes.index + sizes.wal),
            if sizes.reusable > 0 { format!(" ({} reusable)", bytes(sizes.reusable)) } else { String::new() },
            status.index.version.clone().unwrap_or_else(|| self.engine())
        ));
        lines.extend(status.index.why.iter().map(|why| format!("Index note: {why}")));
        lines.extend(fit(&status.index.fit).map(|words| format!("Index fit: {words}")));
        for aside in &status.index.aside {
            lines.push(format!("Set aside: {} ({})", self.short(&aside.path), bytes(aside.bytes)));
        }
        if let Some(rebuild) = &status.index.rebuild {
            let how = if rebuild.running {
                "under way".to_owned()
            } else {
                let again = self.page.spelling.run("index", &[("force", String::new())]);
                format!("interrupted; {again} goes on with it")
            };
            lines.push(format!("Rebuild: {how} ({})", bytes(rebuild.bytes)));
        }
        lines
    }

    /// What a person should look at.
    fn upkeep(&self) -> Vec<String> {
        let status = self.status;
        let mut issues: Vec<String> = status.stale.clone();
        issues.extend(
            status.workspace.skipped.iter().map(|skipped| format!("{}: {}", skipped.path, skipped.reason)),
        );
        issues.extend(status.problems.iter().map(|problem| format!("{}: {}", problem.path, problem.what)));
        issues.extend(
            status.workspace.leftovers.iter().map(|path| format!("{path}: left from an interrupted write")),
        );
        issues.extend(status.notices.iter().cloned());
        let diagnosed = status.diagnostics.iter();
        let hint = |d: &Diagnostic| d.hint.spelled(self.page.spelling);
        issues.extend(diagnosed.map(|d| format!("{}: {} ({})", d.code.as_str(), d.what, hint(d))));
        if issues.is_empty() {
            return Vec::new();
        }
        std::iter::once("Issues:".to_owned())
            .chain(issues.into_iter().map(|issue| format!("  {issue}")))
            .collect()
    }

    fn deep(&self) -> Vec<String> {
        let Some(Deep { index, notes, embeddings, engines }) = &self.status.deep else { return Vec::new() };
        let checks = [("index", index), ("notes", notes), ("embeddings", embeddings), ("engines", engines)];
        let lines = checks.iter().map(|(name, check)| format!("  {name} · {}", checked(check)));
        std::iter::once("Checked:".to_owned()).chain(lines).collect()
    }

    fn short(&self, path: &Path) -> String {
        let below = self.page.home.and_then(|home| path.strip_prefix(home).ok());
        below.map_or_else(|| path.display().to_string(), |rest| format!("~/{}", rest.display()))
    }
}

/// `Private: 3 encrypted · the key is at hand`
fn private(notes: &PrivateNotes) -> String {
    let clear = if notes.clear > 0 { format!(" · {} in clear", number(notes.clear)) } else { String::new() };
    let key = notes.closed.as_deref().unwrap_or("the key is at hand");
    let key = if notes.encrypted > 0 { format!(" · {key}") } else { String::new() };
    format!("Private: {} encrypted{clear}{key}", number(notes.encrypted))
}

/// `QMD: qmd 2.8.3 (facd35e) · search · memory-root-main, docs · updated 2026-07-14T08:00:00Z · server at port 4711`
fn qmd(state: &State) -> String {
    let version = state.version.as_deref().unwrap_or("not asked yet");
    let mut parts = vec![version.to_owned(), state.mode.to_owned(), state.collections.join(", ")];
    parts.push(match state.updated {
        Some(at) => format!("updated {}", at.strftime("%Y-%m-%dT%H:%M:%SZ")),
        None => "not updated yet".to_owned(),
    });
    parts.extend(state.server.map(|port| format!("server at port {port}")));
    parts.extend(state.problems.iter().map(|why| format!("left out: {why}")));
    format!("QMD: {}", parts.join(" · "))
}

/// `43/43 files · 92 chunks`
fn files(counts: &[SourceCount]) -> String {
    let indexed = counts.iter().map(|count| count.indexed).sum();
    let on_disk: Option<u64> = counts.iter().map(|count| count.on_disk).sum();
    let chunks = counts.iter().map(|count| count.chunks).sum();
    let total = on_disk.map_or_else(|| "?".to_owned(), number64);
    format!("{}/{total} files · {} chunks", number64(indexed), number64(chunks))
}

fn dirty(drift: &Drift) -> String {
    let kinds = [
        (drift.new.len(), "new"),
        (drift.changed.len(), "changed"),
        (drift.removed.len(), "removed"),
        (drift.held.len(), "vanished at once and held"),
    ];
    let told: Vec<String> =
        kinds.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(*n))).collect();
    match (drift.is_dirty(), told.is_empty()) {
        (true, _) => format!("yes ({})", told.join(", ")),
        (false, false) => format!("no ({})", told.join(", ")),
        (false, true) => "no".to_owned(),
    }
}

fn state(state: &IndexState) -> String {
    match state {
        IndexState::Absent => "not made yet".to_owned(),
        IndexState::Ready => "ready".to_owned(),
        IndexState::Damaged { what } => format!("damaged: {what}"),
        IndexState::Version { found, known } => format!("of version {found}, known is {known}"),
        IndexState::Unusable { what } => format!("unusable: {what}"),
    }
}

fn fit(fit: &Fit) -> Option<String> {
    match fit {
        Fit::Unfilled | Fit::Fits => None,
        Fit::Differs(fields) => {
            let field = |field: &Field| format!("{} was {}, is {}", field.name, field.index, field.now);
            Some(format!(
                "made with other settings: {}",
                fields.iter().map(field).collect::<Vec<_>>().join("; ")
            ))
        }
        Fit::Unreadable => Some("what it was made with cannot be read".to_owned()),
        Fit::Unknown(why) => Some(format!("not known: {why}")),
    }
}

fn checked(check: &Check) -> String {
    match check {
        Check::Passed(words) => words.clone(),
        Check::Failed(words) => format!("FAILED: {words}"),
        Check::Skipped(words) => format!("not checked: {words}"),
    }
}

/// `, 12.4 MB, 87 % of 1,204 found`
fn hit_rate(cache: &EmbeddingCache) -> String {
    if cache.asked == 0 {
        return String::new();
    }
    let percent = cache.hits * 100 / cache.asked;
    format!(", {}, {percent} % of {} found", bytes(cache.bytes), number64(cache.asked))
}

fn number64(n: u64) -> String {
    number(usize::try_from(n).unwrap_or(usize::MAX))
}
