//! Entities and which of them meet in facts. A batch collects what it changes and writes each row once.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, params};

use super::checksum::{self, add, negated};
use super::sql::{list, one, run};
use crate::alias::Aliases;
use crate::codec;
use crate::record::{Alias, Doc, idf_weight};

/// How many pairs a batch holds back before it writes them.
const MOST_PAIRS: usize = 1 << 16;

#[derive(Default)]
pub(super) struct Graph {
    ids: HashMap<String, i64>,
    next: Option<i64>,
    /// Facts gained and their sums, by entity.
    links: BTreeMap<i64, (i64, i64)>,
    /// Facts gained that name both; the smaller number first.
    pairs: BTreeMap<(i64, i64), i64>,
}

impl Graph {
    /// A fact now names these entities; `spelled` is how it writes each.
    pub(super) fn link(
        &mut self,
        db: &Connection,
        doc: Doc,
        names: &[(String, String)],
    ) -> rusqlite::Result<()> {
        let mut ids = Vec::with_capacity(names.len());
        for (name, spelled) in names {
            let id = self.id(db, name)?;
            let sql = "INSERT INTO fact_entities (fact_id, entity_id, entity) VALUES (?1, ?2, ?3)";
            run(db, sql, params![doc, id, format!("@{spelled}")])?;
            ids.push(id);
        }
        self.count(db, doc, &ids, 1)
    }

    /// A fact does not name these entities any more.
    pub(super) fn unlink(&mut self, db: &Connection, doc: Doc, names: &[String]) -> rusqlite::Result<()> {
        let mut ids = Vec::with_capacity(names.len());
        for name in names {
            let id = self.id(db, name)?;
            run(db, "DELETE FROM fact_entities WHERE entity_id = ?1 AND fact_id = ?2", (id, doc))?;
            ids.push(id);
        }
        self.count(db, doc, &ids, -1)
    }

    /// The facts that name an entity.
    pub(super) fn facts(&mut self, db: &Connection, name: &str) -> rusqlite::Result<Vec<Doc>> {
        let id = self.id(db, name)?;
        list(db, "SELECT fact_id FROM fact_entities WHERE entity_id = ?1", [id], |row| row.get(0))
    }

    fn id(&mut self, db: &Connection, name: &str) -> rusqlite::Result<i64> {
        if let Some(id) = self.ids.get(name) {
            return Ok(*id);
        }
        let id = match one(db, "SELECT id FROM entities WHERE name = ?1", [name], |row| row.get(0))? {
            Some(id) => id,
            None => self.insert(db, name)?,
        };
        self.ids.insert(name.to_owned(), id);
        Ok(id)
    }

    fn insert(&mut self, db: &Connection, name: &str) -> rusqlite::Result<i64> {
        let id = match self.next {
            Some(next) => next,
            None => db.query_row("SELECT coalesce(max(id), 0) + 1 FROM entities", [], |row| row.get(0))?,
        };
        self.next = Some(id + 1);
        run(db, "INSERT INTO entities (id, name) VALUES (?1, ?2)", params![id, name])?;
        // A row that no fact stays linked to is removed when the batch is written.
        self.links.entry(id).or_default();
        Ok(id)
    }

    fn count(&mut self, db: &Connection, doc: Doc, ids: &[i64], sign: i64) -> rusqlite::Result<()> {
        let sum = checksum::link(codec::doc(doc));
        for (at, &id) in ids.iter().enumerate() {
            let change = self.links.entry(id).or_default();
            change.0 += sign;
            change.1 = add(change.1, if sign > 0 { sum } else { negated(sum) });
            for &other in &ids[at + 1..] {
                *self.pairs.entry((id.min(other), id.max(other))).or_default() += sign;
            }
        }
        if self.pairs.len() > MOST_PAIRS { self.write_pairs(db) } else { Ok(()) }
    }

    pub(super) fn write(&mut self, db: &Connection) -> rusqlite::Result<()> {
        self.write_pairs(db)?;
        self.ids.clear();
        self.next = None;
        for (id, (facts, sum)) in std::mem::take(&mut self.links) {
            let sql = "UPDATE entities SET fact_count = fact_count + ?2,
                facts_sum = (facts_sum + ?3) & 4611686018427387903 WHERE id = ?1 RETURNING fact_count";
            match one(db, sql, [id, facts, sum], |row| row.get(0))?.unwrap_or(0) {
                0 => run(db, "DELETE FROM entities WHERE id = ?1", [id])?,
                count => {
                    let weight = idf_weight(count);
                    run(db, "UPDATE entities SET idf_weight = ?2 WHERE id = ?1", params![id, weight])?
                }
            };
        }
        Ok(())
    }

    fn write_pairs(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let pairs = std::mem::take(&mut self.pairs);
        for ((first, second), change) in pairs.into_iter().filter(|(_, change)| *change != 0) {
            let sql = "SELECT cooccur_count FROM entity_pairs WHERE entity_id_1 = ?1 AND entity_id_2 = ?2";
            let before: i64 = one(db, sql, [first, second], |row| row.get(0))?.unwrap_or(0);
            write_pair(db, (first, second), before, before + change)?;
        }
        Ok(())
    }
}

fn write_pair(db: &Connection, pair: (i64, i64), before: i64, after: i64) -> rusqlite::Result<()> {
    let (first, second) = pair;
    if after > 0 {
        let sql = "INSERT OR REPLACE INTO entity_pairs (entity_id_1, entity_id_2, cooccur_count) VALUES (?1, ?2, ?3)";
        run(db, sql, [first, second, after])?;
    } else {
        run(db, "DELETE FROM entity_pairs WHERE entity_id_1 = ?1 AND entity_id_2 = ?2", [first, second])?;
    }
    for (entity, other) in [(first, second), (second, first)] {
        let gone = if before > 0 { negated(checksum::neighbour(other, before)) } else { 0 };
        let come = if after > 0 { checksum::neighbour(other, after) } else { 0 };
        let change = add(add(0, gone), come);
        let count = i64::from(after > 0) - i64::from(before > 0);
        let sql = "UPDATE entities SET pair_count = pair_count + ?2,
            pairs_sum = (pairs_sum + ?3) & 4611686018427387903 WHERE id = ?1";
        run(db, sql, [entity, count, change])?;
    }
    Ok(())
}

/// Every declared alias with the path of its note, in that order.
pub(super) fn all_aliases(db: &Connection) -> rusqlite::Result<Vec<(String, Alias)>> {
    let sql = "SELECT path, alias, name FROM entity_aliases ORDER BY path, alias, name";
    list(db, sql, [], |row| Ok((row.get(0)?, Alias { alias: row.get(1)?, name: row.get(2)? })))
}

/// What the names of all notes mean.
pub(super) fn meanings(db: &Connection) -> rusqlite::Result<Aliases> {
    Ok(Aliases::of(all_aliases(db)?.iter().map(|(_, alias)| alias)))
}

/// The aliases that one note declares.
pub(super) fn aliases_of(db: &Connection, path: &str) -> rusqlite::Result<Vec<Alias>> {
    let sql = "SELECT alias, name FROM entity_aliases WHERE path = ?1 ORDER BY alias, name";
    list(db, sql, [path], |row| Ok(Alias { alias: row.get(0)?, name: row.get(1)? }))
}

pub(super) fn set_aliases(db: &Connection, path: &str, aliases: &[Alias]) -> rusqlite::Result<()> {
    run(db, "DELETE FROM entity_aliases WHERE path = ?1", [path])?;
    for Alias { alias, name } in aliases {
        run(db, "INSERT INTO entity_aliases (path, alias, name) VALUES (?1, ?2, ?3)", [path, alias, name])?;
    }
    Ok(())
}
