//! The wording of a status.

use super::{Drift, Fit, IndexState, Presence};
use mindfile::fallback::Fallback;
use mindfile::wording::{are, count, have};
use mindfile_settings::{Engine, VectorStore};

/// Why answers may be older than the notes, or not as good as they could be.
pub(super) fn stale(
    presence: &Presence,
    index: &IndexState,
    drift: &Drift,
    fit: &Fit,
    pending: u64,
) -> Vec<String> {
    let mut reasons = Vec::new();
    reasons.extend(of_workspace(presence, index));
    reasons.extend(of_index(index));
    if *index == IndexState::Ready {
        reasons.extend(of_drift(drift));
    }
    reasons.extend(of_fit(fit));
    if pending > 0 {
        reasons.push(format!("{} no vector yet", have(pending, "chunk")));
    }
    reasons
}

fn of_workspace(presence: &Presence, index: &IndexState) -> Option<String> {
    let why = match presence {
        Presence::There => return None,
        Presence::Missing => "the workspace does not exist",
        Presence::Unusable(why) => why,
    };
    let rest = if *index == IndexState::Ready { ": answers come from the index alone" } else { "" };
    Some(format!("{why}{rest}"))
}

fn of_index(state: &IndexState) -> Option<String> {
    match state {
        IndexState::Ready => None,
        IndexState::Absent => Some("there is no index yet: the first search makes it".to_owned()),
        IndexState::Damaged { what } => {
            Some(format!("the index is damaged ({what}): the next search makes it again"))
        }
        IndexState::Version { found, known } => Some(format!(
            "the index has format {found}, made by {} mindfile; this one knows format {known}: the next search makes it \
             again",
            if found < known { "an older" } else { "a newer" }
        )),
        IndexState::Unusable { what } => Some(format!("the index cannot be used: {what}")),
    }
}

fn of_drift(drift: &Drift) -> Vec<String> {
    let mut reasons = Vec::new();
    let notes = |paths: &[String], verb: fn(u64, &str) -> String| verb(paths.len() as u64, "note");
    if !drift.new.is_empty() {
        reasons.push(format!("{} not in the index yet", notes(&drift.new, are)));
    }
    if !drift.changed.is_empty() {
        reasons.push(format!("{} changed since the last sync", notes(&drift.changed, have)));
    }
    if !drift.removed.is_empty() {
        reasons.push(format!("{} gone from the disk", notes(&drift.removed, are)));
    }
    if !drift.held.is_empty() {
        let held = count(drift.held.len() as u64, "note");
        reasons.push(format!(
            "{held} vanished from the workspace at once; searches still answer from what was known of them"
        ));
    }
    reasons
}

fn of_fit(fit: &Fit) -> Option<String> {
    match fit {
        Fit::Unfilled | Fit::Fits => None,
        Fit::Differs(_) | Fit::Unreadable => Some(format!("{}: the next search makes it again", fit.words())),
        Fit::Unknown(_) => Some(fit.words()),
    }
}

/// A provider whose name means nothing here.
pub(super) fn fallback(requested: &str, used: &str) -> Option<Fallback> {
    let chosen = requested == used || requested == "auto" || used != "embedded";
    let reason = format!("\"{requested}\" is not in this version; \"{used}\" makes the vectors instead");
    (!chosen).then(|| Fallback { from: requested.to_owned(), to: Some(used.to_owned()), reason, at_ms: 0 })
}

pub(super) fn by_words(state: &IndexState) -> super::WordSearch {
    match of_index(state) {
        None => super::WordSearch { available: true, why: "FTS5, ranked by BM25".to_owned() },
        Some(why) => super::WordSearch { available: false, why },
    }
}

pub(super) fn by_meaning(store: &VectorStore, enabled: bool) -> String {
    if !enabled {
        return "off: provider is \"none\", so nothing makes vectors".to_owned();
    }
    let scan = format!("exact scan over 8-bit codes ({})", mindfile_index::scan_instructions());
    let linked = match mindfile_index::sqlite_vec_version() {
        Ok(version) => format!("sqlite-vec {version}"),
        Err(error) => return format!("{scan}; sqlite-vec is not usable: {error}"),
    };
    match store.engine {
        Engine::SqliteVec => format!("{linked}, by store.vector.engine; the default is the {scan}"),
        Engine::Scan if store.enabled => {
            format!(
                "{scan}, the best scored again with the stored vectors; {linked} is linked and available by store.vector.engine"
            )
        }
        Engine::Scan => {
            format!(
                "{scan}, the best scored again with the stored vectors; {linked} is linked, but store.vector.enabled is false"
            )
        }
    }
}
