//! Facts out of the index, with what the journal knows of their use.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use mindfile_index::{Doc, FactQuery, Filter, Origin, Snapshot, StoredFact, single};
use mindfile_note::{date, fact};

use super::{Access, FactRecord, Uses, keyed};
use crate::error::Error;

/// How many facts are in memory with their vectors, which no record has.
const AT_ONCE: usize = 1024;

/// The facts, in the order asked for. Of several current values of a key only the newest is left current.
pub fn records(snapshot: &dyn Snapshot, docs: &[Doc], uses: &Uses) -> Result<Vec<FactRecord>, Error> {
    let mut records = Vec::with_capacity(docs.len());
    for some in docs.chunks(AT_ONCE) {
        for fact in snapshot.facts(some)? {
            records.push(record(&fact, uses)?);
        }
    }
    settle(snapshot, &mut records, uses)?;
    Ok(records)
}

/// The same of facts that were read already.
pub fn of_stored(
    snapshot: &dyn Snapshot,
    facts: &[Arc<StoredFact>],
    uses: &Uses,
) -> Result<Vec<FactRecord>, Error> {
    let mut records: Vec<FactRecord> =
        facts.iter().map(|fact| record(fact, uses)).collect::<Result<_, _>>()?;
    settle(snapshot, &mut records, uses)?;
    Ok(records)
}

fn settle(snapshot: &dyn Snapshot, records: &mut [FactRecord], uses: &Uses) -> Result<(), Error> {
    let keys: BTreeSet<String> = records.iter().filter_map(|record| record.key.clone()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let settled = all_values(snapshot, &keys, uses)?.into_iter().flatten();
    let settled: HashMap<(String, u32), FactRecord> =
        settled.map(|fact| ((fact.path.clone(), fact.line), fact)).collect();
    for record in records.iter_mut().filter(|record| record.key.is_some()) {
        if let Some(settled) = settled.get(&(record.path.clone(), record.line)) {
            record.clone_from(settled);
        }
    }
    Ok(())
}

/// Every value that a key ever had, the current one settled.
pub fn values(snapshot: &dyn Snapshot, key: &str, uses: &Uses) -> Result<Vec<FactRecord>, Error> {
    let all = all_values(snapshot, &[key], uses)?;
    Ok(all.into_iter().next().unwrap_or_default())
}

/// The same of each of these keys.
pub(crate) fn all_values(
    snapshot: &dyn Snapshot,
    keys: &[&str],
    uses: &Uses,
) -> Result<Vec<Vec<FactRecord>>, Error> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let lists = snapshot.find_facts(FactQuery::Keys(keys), &Filter::default(), usize::MAX)?;
    let facts = snapshot.facts(&lists.concat())?;
    let mut facts = facts.iter();
    let of_one = |docs: &Vec<Doc>| -> Result<Vec<FactRecord>, Error> {
        let mut values: Vec<FactRecord> =
            facts.by_ref().take(docs.len()).map(|fact| record(fact, uses)).collect::<Result<_, _>>()?;
        keyed::settle(&mut values);
        Ok(values)
    };
    lists.iter().map(of_one).collect()
}

fn record(fact: &StoredFact, uses: &Uses) -> Result<FactRecord, Error> {
    let wrong = || Error::Bug { what: format!("{:?} is stored as a fact and is none", fact.fields.line) };
    let line = fact::read(&fact.fields.line).ok_or_else(wrong)?;
    let place = LineRef { path: &fact.chunk.path, line: fact.chunk.start_line };
    let access = uses.get(&fact.fields.id).copied().unwrap_or_default();
    let origin = fact.chunk.origin;
    let record = of_line(&line, place, fact.names.clone(), access);
    // What nobody trusts proposes; it is never the value of a key.
    let proposed = record.proposed || (record.key.is_some() && !origin.is_trusted());
    Ok(FactRecord { origin, proposed, ..record })
}

/// The line of a fact as it stands in its note.
pub fn line(snapshot: &dyn Snapshot, fact: &FactRecord) -> Result<String, Error> {
    let facts = snapshot.facts(&single::list(snapshot, FactQuery::Ids(&[&fact.id]))?)?;
    let it = facts.iter().find(|f| f.chunk.path == fact.path && f.chunk.start_line == fact.line);
    Ok(it.map(|fact| fact.fields.line.clone()).unwrap_or_default())
}

/// Where a line stands.
#[derive(Debug, Clone, Copy)]
pub struct LineRef<'a> {
    pub path: &'a str,
    pub line: u32,
}

/// A line with its place, its entities' names in force, and its use; as if a hand had written it.
pub fn of_line(line: &fact::Line<'_>, place: LineRef<'_>, names: Vec<String>, access: Access) -> FactRecord {
    let day = date::of_path(place.path);
    let base = line.confirmed().or(line.seen()).or(day);
    FactRecord {
        id: line.id_or_derived().into_owned(),
        kind: line.kind(),
        text: line.text().to_owned(),
        entities: names,
        spelled: line.entities().map(str::to_owned).collect(),
        salience: line.salience().map_or(fact::DEFAULT_SALIENCE, |s| s as f32),
        confidence: line.confidence().map(|c| c as f32),
        key: line.key().map(std::borrow::Cow::into_owned),
        version: line.version().unwrap_or(1),
        valid_until: line.ttl().and_then(|ttl| ttl.last_day(base)),
        seen: line.seen(),
        confirmed: line.confirmed(),
        until: line.until(),
        by: line.by().map(std::borrow::Cow::into_owned),
        beside: line.beside(),
        proposed: line.is_proposed(),
        due: line.due(),
        sensitivity: line.sensitivity(),
        source: line.source().map(|source| format!("{}:{}", source.kind, source.reference)),
        path: place.path.to_owned(),
        line: place.line,
        day,
        access,
        origin: Origin::Owner,
    }
}
