//! Facts that do not agree: of the same sort, about the same, with another value of one thing.

use std::cmp::Ordering;
use std::collections::HashMap;

use jiff::civil::Date;
use mindfile_note::agree::{self, Difference, Statement};
use mindfile_note::fact::Kind;

use super::FactRecord;

/// A fact as it is compared with others.
#[derive(Debug, Clone)]
pub struct Compared<'a> {
    pub fact: &'a FactRecord,
    statement: Statement,
}

/// Two facts that do not agree.
#[derive(Debug, Clone, PartialEq)]
pub struct Disagreement {
    /// The one that was said last, as far as that is known.
    pub newer: FactRecord,
    pub older: FactRecord,
    pub difference: Difference,
}

impl<'a> Compared<'a> {
    pub fn of(fact: &'a FactRecord) -> Self {
        Self { fact, statement: Statement::of(&fact.text) }
    }

    /// How it disagrees with another one, if it does. A key has one value at a time by itself, a summary rests on others, and
    /// what happened is not undone by what happened later.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let (a, b) = (self.fact, other.fact);
        let is_other = a.id != b.id && !a.beside.contains(&b.id) && !b.beside.contains(&a.id);
        let is_alike = a.kind == b.kind && a.kind != Kind::Summary && a.key.is_none() && b.key.is_none();
        if !is_other || !is_alike || !share_subjects(a, b) {
            return None;
        }
        let difference = agree::difference(&self.statement, &other.statement)?;
        Some(if a.kind == Kind::Experience { Difference::Doubtful } else { difference })
    }
}

/// "is on holiday" is another fact for another person: one must be about all that the other is about.
fn share_subjects(a: &FactRecord, b: &FactRecord) -> bool {
    let names_all =
        |one: &FactRecord, other: &FactRecord| other.entities.iter().all(|name| one.entities.contains(name));
    names_all(a, b) || names_all(b, a)
}

/// The facts that hold and do not agree. Where many differ in the same part, they are a list of what holds together and
/// not one thing that changed.
pub fn disagreements<'a>(facts: impl IntoIterator<Item = &'a FactRecord>, today: Date) -> Vec<Disagreement> {
    let standing: Vec<&FactRecord> =
        facts.into_iter().filter(|fact| fact.holds(today) && fact.origin.is_trusted()).collect();
    // Of many facts few meet any other: their frames are held, and their words only for those that do.
    let mut met: Vec<(u64, usize)> = Vec::new();
    for (at, fact) in standing.iter().enumerate() {
        met.extend(Statement::of(&fact.text).frames().into_iter().map(|frame| (frame, at)));
    }
    met.sort_unstable();
    met.dedup();
    let mut compared: HashMap<usize, Compared<'_>> = HashMap::new();
    let mut found: HashMap<(usize, usize), Difference> = HashMap::new();
    let mut rivals = vec![0_usize; standing.len()];
    for (a, b) in pairs(&met) {
        for at in [a, b] {
            compared.entry(at).or_insert_with(|| Compared::of(standing[at]));
        }
        if let Some(difference) = compared[&a].difference(&compared[&b]) {
            found.insert((a, b), difference);
            if difference == Difference::Doubtful {
                rivals[a] += 1;
                rivals[b] += 1;
            }
        }
    }
    let is_one_thing = |((a, b), difference): &((usize, usize), Difference)| {
        *difference == Difference::Certain || rivals[*a].max(rivals[*b]) < 2
    };
    let record = |((a, b), difference): ((usize, usize), Difference)| {
        Disagreement::of(standing[a], standing[b], difference)
    };
    let mut disagreements: Vec<Disagreement> = found.into_iter().filter(is_one_thing).map(record).collect();
    disagreements.sort_by_cached_key(|one| (one.newer.place(), one.older.place()));
    disagreements
}

/// How many facts one is compared with that leave the same rest: what more of them share is how something is told.
const COMPARED: usize = 8;

/// The facts that stand together in a frame, each pair once. Frames are in order.
fn pairs(met: &[(u64, usize)]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for group in met.chunk_by(|one, other| one.0 == other.0) {
        for (at, (_, one)) in group.iter().enumerate() {
            pairs.extend(group[at + 1..].iter().take(COMPARED).map(|(_, other)| (*one, *other)));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

impl Disagreement {
    pub fn of(a: &FactRecord, b: &FactRecord, difference: Difference) -> Self {
        let is_later = in_time(a, b).unwrap_or_else(|| a.place().cmp(&b.place())) == Ordering::Greater;
        let (newer, older) = if is_later { (a, b) } else { (b, a) };
        Self { newer: newer.clone(), older: older.clone(), difference }
    }

    /// Whether the older one may be marked as past without asking: it is certain that one holds at a time and which was said
    /// last, and whoever said that is trusted at least as much.
    pub fn is_settled(&self) -> bool {
        self.difference == Difference::Certain
            && self.newer.origin >= self.older.origin
            && in_time(&self.newer, &self.older) == Some(Ordering::Greater)
    }
}

/// Which of two facts was said later; unknown for two notes of one day.
fn in_time(a: &FactRecord, b: &FactRecord) -> Option<Ordering> {
    let (day, other) = (a.confirmed.max(a.since()), b.confirmed.max(b.since()));
    match day.cmp(&other) {
        Ordering::Equal => (a.path == b.path).then(|| a.line.cmp(&b.line)),
        _ if day.is_none() || other.is_none() => None,
        order @ (Ordering::Less | Ordering::Greater) => Some(order),
    }
}
