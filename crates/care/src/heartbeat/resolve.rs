//! What upkeep does about facts that do not agree: it marks what is past where that is certain, or where a model says so.

use std::collections::BTreeSet;

use super::{Anomaly, Beat, Verdict};
use crate::Error;
use mindfile::Corpus;
use mindfile::draft::Notes;
use mindfile::fact::{Disagreement, Past, accept, is_own, retire};

/// What is settled by itself, and what somebody has to look at. A fact that is past disagrees with nothing.
pub(super) fn sort(disagreements: Vec<Disagreement>) -> (Vec<Anomaly>, Vec<Anomaly>) {
    let is_settled = |one: &Disagreement| one.is_settled() && is_own(&one.older);
    let (settled, open): (Vec<_>, Vec<_>) = disagreements.into_iter().partition(is_settled);
    let past: BTreeSet<&str> = settled.iter().map(|one| one.older.id.as_str()).collect();
    let stands = |one: &Disagreement| !past.contains(&*one.newer.id) && !past.contains(&*one.older.id);
    let open = open.into_iter().filter(stands).map(Anomaly::new).collect();
    (settled.into_iter().map(Anomaly::new).collect(), open)
}

/// Marks them in their notes.
pub(super) fn apply(notes: &Notes<'_>, settled: &[Anomaly]) -> Result<(), Error> {
    let is_past = |one: &&Anomaly| one.verdict != Some(Verdict::Both);
    let past: Vec<Past<'_>> =
        settled.iter().filter(is_past).map(|one| Past { fact: &one.older, by: &one.newer }).collect();
    if !past.is_empty() {
        retire(notes, &past)?;
    }
    for one in settled.iter().filter(|one| !is_past(one)) {
        accept(notes, &one.newer, &one.older)?;
    }
    Ok(())
}

/// What a model decided is done; of what it is not sure, and what it says against the order of time, stays for a person.
pub(super) fn by_verdict(corpus: &Corpus, beat: &mut Beat) -> Result<(), Error> {
    let is_decided = |one: &Anomaly| match one.verdict {
        Some(Verdict::Newer) => one.newer.origin >= one.older.origin && is_own(&one.older),
        Some(Verdict::Both) => is_own(&one.newer) && is_own(&one.older),
        Some(Verdict::Older | Verdict::Unsure) | None => false,
    };
    let (decided, open): (Vec<_>, Vec<_>) =
        std::mem::take(&mut beat.anomalies).into_iter().partition(is_decided);
    beat.anomalies = open;
    if !decided.is_empty() {
        apply(&Notes::open(corpus)?, &decided)?;
    }
    beat.settled.extend(decided);
    Ok(())
}
