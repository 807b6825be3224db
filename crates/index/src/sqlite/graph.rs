//! Entities and the facts that name them. A batch collects what it changes and writes each row once.

use std::collections::{BTreeMap, HashMap};

use rusqlite::{Connection, params};

use super::checksum::{self, add, negated};
use super::sql::{list, one, run};
use crate::alias::Aliases;
use crate::codec;
use crate::record::{Alias, Doc, idf_weight};

#[derive(Default)]
pub(super) struct Graph {
    ids: HashMap<String, i64>,
    /// Facts gained and their sums, by entity.
    links: BTreeMap<i64, (i64, i64)>,
}

impl Graph {
    /// A fact now names these entities; `spelled` is how it writes each.
    pub(super) fn link(
        &mut self,
        db: &Connection,
        doc: Doc,
        names: &[(String, String)],
    ) -> rusqlite::Result<()> {
        for (name, spelled) in names {
            let id = self.id(db, name)?;
            let sql = "INSERT INTO fact_entities (fact_id, entity_id, entity) VALUES (?1, ?2, ?3)";
            run(db, sql, params![doc, id, format!("@{spelled}")])?;
            self.count(id, 1, checksum::link(codec::doc(doc)));
        }
        Ok(())
    }

    /// A fact does not name these entities any more.
    pub(super) fn unlink(&mut self, db: &Connection, doc: Doc, names: &[String]) -> rusqlite::Result<()> {
        for name in names {
            let id = self.id(db, name)?;
            run(db, "DELETE FROM fact_entities WHERE entity_id = ?1 AND fact_id = ?2", (id, doc))?;
            self.count(id, -1, negated(checksum::link(codec::doc(doc))));
        }
        Ok(())
    }

    fn count(&mut self, id: i64, facts: i64, sum: i64) {
        let change = self.links.entry(id).or_default();
        change.0 += facts;
        change.1 = add(change.1, sum);
    }

    /// Entities whose facts change.
    pub(super) fn entities(&self) -> impl Iterator<Item = i64> {
        self.links.keys().copied()
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
            None => {
                run(db, "INSERT INTO entities (name) VALUES (?1)", [name])?;
                db.last_insert_rowid()
            }
        };
        self.ids.insert(name.to_owned(), id);
        // A row that no fact stays linked to is removed when the batch is written.
        self.links.entry(id).or_default();
        Ok(id)
    }

    pub(super) fn write(self, db: &Connection) -> rusqlite::Result<()> {
        for (id, (facts, sum)) in self.links {
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
