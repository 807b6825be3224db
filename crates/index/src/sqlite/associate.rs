//! Facts, entities and what connects them, read from one generation. What an entity's row says of its facts and its
//! neighbours is compared with what is found.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rusqlite::OptionalExtension;

use super::checksum::{self, add};
use super::graph;
use super::read::Reader;
use super::rows::{read_fact, read_fields};
use crate::alias::Aliases;
use crate::codec;
use crate::record::{Alias, Doc, Entity, StoredFact};
use crate::{Error, shared_terms};

/// How many facts stay in memory between questions.
const WARM_FACTS: usize = 16_384;

/// What earlier snapshots of the same generation read.
#[derive(Default)]
pub(super) struct WarmGraph {
    aliases: Option<Arc<Aliases>>,
    entities: HashMap<String, Option<Arc<EntityRow>>>,
    pub(super) facts: HashMap<Doc, Arc<StoredFact>>,
    facts_of: HashMap<i64, Arc<[Doc]>>,
}

/// One row of `entities`.
pub(super) struct EntityRow {
    id: i64,
    pub(super) entity: Entity,
    facts_sum: i64,
    pairs: i64,
    pairs_sum: i64,
}

impl Reader<'_> {
    pub(super) fn fact(&self, doc: Doc) -> Result<Arc<StoredFact>, Error> {
        if let Some(fact) = self.warm().at(self.state.generation).graph.facts.get(&doc) {
            return Ok(Arc::clone(fact));
        }
        let fact = Arc::new(self.load_fact(doc)?);
        let mut warm = self.warm();
        let facts = &mut warm.at(self.state.generation).graph.facts;
        if facts.len() >= WARM_FACTS {
            facts.clear();
        }
        facts.insert(doc, Arc::clone(&fact));
        Ok(fact)
    }

    fn load_fact(&self, doc: Doc) -> Result<StoredFact, Error> {
        let (chunk, fields) = match self.known_chunk(doc) {
            Some(chunk) => (chunk, self.of_row(doc, read_fields(self.db()?, doc))?),
            None => {
                let (row, sum, fields) = self.of_row(doc, read_fact(self.db()?, doc))?;
                (self.keep_chunk(doc, self.checked(doc, row, sum)?), fields)
            }
        };
        let fields = fields.ok_or_else(|| self.wrong_row(doc))?;
        let names = self.known_aliases()?.names(&fields.entities);
        Ok(StoredFact { chunk, fields, names })
    }

    pub(super) fn sharing(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let counts: Vec<usize> = terms.iter().map(|term| self.term_count(term)).collect::<Result<_, _>>()?;
        let with_term = |term: &String| self.with_all(std::slice::from_ref(term));
        shared_terms::find(terms, counts, with_term, |_, _| self.with_all(terms))
    }

    fn term_count(&self, term: &str) -> Result<usize, Error> {
        let count: Option<u32> = self
            .db()?
            .prepare_cached("SELECT chunks FROM facts_terms WHERE term = ?1")
            .and_then(|mut s| s.query_row([term], |row| row.get(0)).optional())
            .map_err(|e| self.error(e))?;
        Ok(count.map_or(0, |count| count as usize))
    }

    /// A term holds no quote, so that each is a string of its own to FTS5.
    fn with_all(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let all = terms.iter().map(|term| format!("\"{term}\"")).collect::<Vec<_>>().join(" AND ");
        let sql =
            format!("SELECT rowid FROM facts_fts WHERE facts_fts MATCH ?1 LIMIT {}", shared_terms::MOST);
        self.docs(&sql, [all])
    }

    pub(super) fn known_aliases(&self) -> Result<Arc<Aliases>, Error> {
        if let Some(aliases) = &self.warm().at(self.state.generation).graph.aliases {
            return Ok(Arc::clone(aliases));
        }
        let declared = graph::all_aliases(self.db()?).map_err(|e| self.error(e))?;
        let aliases = Arc::new(Aliases::of(&declared));
        self.warm().at(self.state.generation).graph.aliases = Some(Arc::clone(&aliases));
        Ok(aliases)
    }

    pub(super) fn declared_aliases(&self) -> Result<Vec<(String, Alias)>, Error> {
        let mut statement = self
            .db()?
            .prepare_cached("SELECT path, alias, name FROM entity_aliases ORDER BY path, alias, name")
            .map_err(|e| self.error(e))?;
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, Alias { alias: row.get(1)?, name: row.get(2)? })))
            .map_err(|e| self.error(e))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|e| self.error(e))
    }

    fn entity_row(&self, name: &str) -> Result<Option<Arc<EntityRow>>, Error> {
        let lower = name.to_lowercase();
        let aliases = self.known_aliases()?;
        let name = aliases.resolve(&lower);
        if let Some(row) = self.warm().at(self.state.generation).graph.entities.get(name) {
            return Ok(row.clone());
        }
        let row = self
            .db()?
            .prepare_cached(
                "SELECT id, name, fact_count, facts_sum, pair_count, pairs_sum FROM entities WHERE name = ?1",
            )
            .and_then(|mut s| s.query_row([name], read_entity).optional())
            .map_err(|e| self.error(e))?;
        let row = row.map(Arc::new);
        self.warm().at(self.state.generation).graph.entities.insert(name.to_owned(), row.clone());
        Ok(row)
    }

    /// An entity by any of its names; without facts where it is not known.
    pub(super) fn entity(&self, name: &str) -> Result<Entity, Error> {
        match self.entity_row(name)? {
            Some(row) => Ok(row.entity.clone()),
            None => Ok(Entity { name: self.known_aliases()?.in_force(name), facts: 0 }),
        }
    }

    pub(super) fn entity_rows(&self) -> Result<Vec<EntityRow>, Error> {
        let mut statement = self
            .db()?
            .prepare_cached(
                "SELECT id, name, fact_count, facts_sum, pair_count, pairs_sum FROM entities ORDER BY name",
            )
            .map_err(|e| self.error(e))?;
        let rows = statement.query_map([], read_entity).map_err(|e| self.error(e))?;
        rows.collect::<rusqlite::Result<_>>().map_err(|e| self.error(e))
    }

    pub(super) fn entity_facts(&self, name: &str) -> Result<Arc<[Doc]>, Error> {
        let Some(row) = self.entity_row(name)? else { return Ok(Arc::default()) };
        if let Some(facts) = self.warm().at(self.state.generation).graph.facts_of.get(&row.id) {
            return Ok(Arc::clone(facts));
        }
        let facts: Arc<[Doc]> = self.load_entity_facts(&row)?.into();
        self.warm().at(self.state.generation).graph.facts_of.insert(row.id, Arc::clone(&facts));
        Ok(facts)
    }

    fn load_entity_facts(&self, row: &EntityRow) -> Result<Vec<Doc>, Error> {
        let facts =
            self.docs("SELECT fact_id FROM fact_entities WHERE entity_id = ?1 ORDER BY fact_id", [row.id])?;
        let sum = facts.iter().fold(0, |sum, doc| add(sum, checksum::link(codec::doc(*doc))));
        if facts.len() != row.entity.facts as usize || sum != row.facts_sum {
            return Err(self.wrong_table("fact_entities"));
        }
        Ok(facts)
    }

    /// Pairs are stored once and found from both ends.
    fn load_neighbours(&self, row: &EntityRow) -> Result<Vec<(Entity, u32)>, Error> {
        let mut statement = self
            .db()?
            .prepare_cached(
                "SELECT e.id, e.name, e.fact_count, p.cooccur_count FROM (
                   SELECT entity_id_2 AS other, cooccur_count FROM entity_pairs WHERE entity_id_1 = ?1 UNION ALL
                   SELECT entity_id_1 AS other, cooccur_count FROM entity_pairs WHERE entity_id_2 = ?1) p
                 JOIN entities e ON e.id = p.other ORDER BY e.name",
            )
            .map_err(|e| self.error(e))?;
        let mut rows = statement.query([row.id]).map_err(|e| self.error(e))?;
        let (mut neighbours, mut sum) = (Vec::new(), 0);
        while let Some(found) = rows.next().map_err(|e| self.error(e))? {
            let mut read = || -> rusqlite::Result<()> {
                let (id, count): (i64, u32) = (found.get(0)?, found.get(3)?);
                sum = add(sum, checksum::neighbour(id, i64::from(count)));
                neighbours.push((Entity { name: found.get(1)?, facts: found.get(2)? }, count));
                Ok(())
            };
            read().map_err(|e| self.error(e))?;
        }
        if neighbours.len() as i64 != row.pairs || sum != row.pairs_sum {
            return Err(self.wrong_table("entity_pairs"));
        }
        Ok(neighbours)
    }

    pub(super) fn first_spelling(&self, name: &str) -> Result<Option<String>, Error> {
        let Some(row) = self.entity_row(name)? else { return Ok(None) };
        let spelled: Option<String> = self
            .db()?
            .prepare_cached(
                "SELECT fe.entity FROM fact_entities fe JOIN facts f ON f.id = fe.fact_id WHERE fe.entity_id = ?1
                 ORDER BY lower(substr(fe.entity, 2)) <> ?2, f.path, f.start_line, f.id LIMIT 1",
            )
            .and_then(|mut s| s.query_row((row.id, &row.entity.name), |found| found.get(0)).optional())
            .map_err(|e| self.error(e))?;
        Ok(spelled.map(|tag| tag.trim_start_matches('@').to_owned()))
    }

    /// Entities, links and pairs are those that follow from the facts.
    pub(super) fn verify_graph(&self) -> Result<(), Error> {
        let mut facts: BTreeMap<String, Vec<Doc>> = BTreeMap::new();
        let mut pairs: BTreeMap<(String, String), u32> = BTreeMap::new();
        for doc in self.docs("SELECT id FROM facts ORDER BY id", [])? {
            let names = self.load_fact(doc)?.names;
            for (at, name) in names.iter().enumerate() {
                facts.entry(name.clone()).or_default().push(doc);
                for other in names.iter().enumerate().filter(|(place, _)| *place != at) {
                    *pairs.entry((name.clone(), other.1.clone())).or_default() += 1;
                }
            }
        }
        let rows = self.entity_rows()?;
        let mut links = 0;
        for row in &rows {
            let found = self.load_entity_facts(row)?;
            links += found.len() as u64;
            let neighbours = self.load_neighbours(row)?;
            let expected = neighbours.iter().all(|(other, count)| {
                pairs.remove(&(row.entity.name.clone(), other.name.clone())) == Some(*count)
            });
            if facts.remove(&row.entity.name) != Some(found) || !expected {
                return Err(self.wrong_table("entities"));
            }
        }
        if !facts.is_empty()
            || !pairs.is_empty()
            || self.count("SELECT count(*) FROM fact_entities")? != links
        {
            return Err(self.wrong_table("fact_entities"));
        }
        Ok(())
    }
}

fn read_entity(row: &rusqlite::Row<'_>) -> rusqlite::Result<EntityRow> {
    Ok(EntityRow {
        id: row.get(0)?,
        entity: Entity { name: row.get(1)?, facts: row.get(2)? },
        facts_sum: row.get(3)?,
        pairs: row.get(4)?,
        pairs_sum: row.get(5)?,
    })
}
