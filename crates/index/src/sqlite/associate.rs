//! Facts and entities, read from one generation. What an entity's row says of its facts is compared with what is found.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::checksum::{self, add};
use super::graph;
use super::read::Reader;
use super::rows::{read_fact, read_fields};
use crate::alias::Aliases;
use crate::codec;
use crate::record::{Doc, Entity, Shelf, StoredFact};
use crate::{Error, shared_terms};

/// What earlier snapshots of the same generation read.
#[derive(Default)]
pub(super) struct GraphMemo {
    aliases: Option<Arc<Aliases>>,
    entities: HashMap<String, Option<Arc<EntityRow>>>,
    facts: HashMap<Doc, Arc<StoredFact>>,
    facts_of: HashMap<i64, Arc<[Doc]>>,
}

/// One row of `entities`.
pub(super) struct EntityRow {
    id: i64,
    pub(super) entity: Entity,
    facts_sum: i64,
}

impl GraphMemo {
    /// Drops what a change touched.
    pub(super) fn follow(&mut self, facts: &BTreeSet<Doc>, entities: &BTreeSet<i64>) {
        facts.iter().for_each(|doc| drop(self.facts.remove(doc)));
        entities.iter().for_each(|id| drop(self.facts_of.remove(id)));
        if !entities.is_empty() {
            self.entities.retain(|_, row| row.as_ref().is_some_and(|row| !entities.contains(&row.id)));
        }
    }
}

impl Reader<'_> {
    pub(super) fn fact(&self, doc: Doc) -> Result<Arc<StoredFact>, Error> {
        self.kept(|memo| &mut memo.graph.facts, &doc, || Ok(Arc::new(self.load_fact(doc)?)))
    }

    /// Who has the words of a fact reads only what else it says; who has none of it reads its row once.
    fn load_fact(&self, doc: Doc) -> Result<StoredFact, Error> {
        let mut read = None;
        let chunk = self.kept(
            |memo| &mut memo.on(doc.shelf).rows,
            &doc,
            || {
                let (row, fields) = self.of_row(doc, read_fact(self.db()?, doc))?;
                read = Some(fields);
                Ok(Arc::new(row.chunk))
            },
        )?;
        let fields = match read {
            Some(fields) => fields,
            None => self.of_row(doc, read_fields(self.db()?, doc))?,
        };
        let names = self.known_aliases()?.names(&fields.entities);
        Ok(StoredFact { chunk, fields, names })
    }

    /// Facts of which none is kept.
    pub(super) fn walked(&self, docs: &[Doc]) -> Result<Vec<Arc<StoredFact>>, Error> {
        let aliases = self.known_aliases()?;
        let read = |doc: &Doc| {
            let (row, fields) = self.of_row(*doc, read_fact(self.db()?, *doc))?;
            let names = aliases.names(&fields.entities);
            Ok(Arc::new(StoredFact { chunk: Arc::new(row.chunk), fields, names }))
        };
        docs.iter().map(read).collect()
    }

    pub(super) fn sharing(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let counts: Vec<usize> = terms.iter().map(|term| self.term_count(term)).collect::<Result<_, _>>()?;
        let with_term = |term: &String| self.with_all(std::slice::from_ref(term));
        shared_terms::find(terms, counts, with_term, |_, _| self.with_all(terms))
    }

    fn term_count(&self, term: &str) -> Result<usize, Error> {
        let (count, _) = self.stored_term(Shelf::Facts, term)?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// A term holds no quote, so that each is a string of its own to FTS5.
    fn with_all(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let all = terms.iter().map(|term| format!("\"{term}\"")).collect::<Vec<_>>().join(" AND ");
        let sql =
            format!("SELECT rowid FROM facts_fts WHERE facts_fts MATCH ?1 LIMIT {}", shared_terms::MOST);
        self.docs(&sql, [all])
    }

    pub(super) fn known_aliases(&self) -> Result<Arc<Aliases>, Error> {
        if let Some(aliases) = &self.warm().graph.aliases {
            return Ok(Arc::clone(aliases));
        }
        let aliases = Arc::new(graph::meanings(self.db()?).map_err(|error| self.fault(error))?);
        self.warm().graph.aliases = Some(Arc::clone(&aliases));
        Ok(aliases)
    }

    fn entity_row(&self, name: &str) -> Result<Option<Arc<EntityRow>>, Error> {
        let lower = name.to_lowercase();
        let aliases = self.known_aliases()?;
        let name = aliases.resolve(&lower);
        self.kept(
            |memo| &mut memo.graph.entities,
            name,
            || Ok(self.one(&format!("{ENTITIES} WHERE name = ?1"), [name], read_entity)?.map(Arc::new)),
        )
    }

    /// An entity by any of its names; without facts where it is not known.
    pub(super) fn entity(&self, name: &str) -> Result<Entity, Error> {
        match self.entity_row(name)? {
            Some(row) => Ok(row.entity.clone()),
            None => Ok(Entity { name: self.known_aliases()?.in_force(name), facts: 0 }),
        }
    }

    pub(super) fn entity_rows(&self) -> Result<Vec<EntityRow>, Error> {
        self.list(&format!("{ENTITIES} ORDER BY name"), [], read_entity)
    }

    pub(super) fn entity_facts(&self, name: &str) -> Result<Arc<[Doc]>, Error> {
        let Some(row) = self.entity_row(name)? else { return Ok(Arc::default()) };
        self.kept(|memo| &mut memo.graph.facts_of, &row.id, || Ok(self.load_entity_facts(&row)?.into()))
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

    pub(super) fn first_spelling(&self, name: &str) -> Result<Option<String>, Error> {
        let Some(row) = self.entity_row(name)? else { return Ok(None) };
        let spelled = self.spelled_once(&row)?;
        if spelled.is_some() {
            return Ok(spelled);
        }
        let sql =
            "SELECT fe.entity FROM fact_entities fe JOIN facts f ON f.id = fe.fact_id WHERE fe.entity_id = ?1
            ORDER BY lower(substr(fe.entity, 2)) <> ?2, f.path, f.start_line, f.id LIMIT 1";
        let spelled: Option<String> = self.one(sql, (row.id, &row.entity.name), |found| found.get(0))?;
        Ok(spelled.map(|tag| tag.trim_start_matches('@').to_owned()))
    }

    /// How all facts write an entity, or all that write its name in force; none where they differ. The index has the ways
    /// to write it side by side, so that the facts are not read.
    fn spelled_once(&self, row: &EntityRow) -> Result<Option<String>, Error> {
        let next =
            "SELECT entity FROM fact_entities WHERE entity_id = ?1 AND entity > ?2 ORDER BY entity LIMIT 1";
        let (mut last, mut ways) = (String::new(), Vec::new());
        while let Some(tag) = self.one(next, (row.id, &last), |found| found.get::<_, String>(0))? {
            ways.push(tag.trim_start_matches('@').to_owned());
            last = tag;
        }
        let own = |way: &&String| way.to_ascii_lowercase() == row.entity.name;
        let meant: Vec<&String> = match ways.iter().any(|way| own(&way)) {
            true => ways.iter().filter(own).collect(),
            false => ways.iter().collect(),
        };
        Ok(if let [way] = meant[..] { Some(way.clone()) } else { None })
    }

    /// Entities and links are those that follow from the facts.
    pub(super) fn verify_graph(&self) -> Result<(), Error> {
        let mut facts: BTreeMap<String, Vec<Doc>> = BTreeMap::new();
        let aliases = self.known_aliases()?;
        for doc in self.docs("SELECT id FROM facts ORDER BY id", [])? {
            let fields = self.of_row(doc, read_fields(self.db()?, doc))?;
            for name in aliases.names(&fields.entities) {
                facts.entry(name).or_default().push(doc);
            }
        }
        let mut links = 0;
        for row in self.entity_rows()? {
            let found = self.load_entity_facts(&row)?;
            links += found.len() as u64;
            if facts.remove(&row.entity.name) != Some(found) {
                return Err(self.wrong_table("entities"));
            }
        }
        if !facts.is_empty() || self.count("SELECT count(*) FROM fact_entities")? != links {
            return Err(self.wrong_table("fact_entities"));
        }
        Ok(())
    }
}

const ENTITIES: &str = "SELECT id, name, fact_count, facts_sum FROM entities";

fn read_entity(row: &rusqlite::Row<'_>) -> rusqlite::Result<EntityRow> {
    Ok(EntityRow {
        id: row.get(0)?,
        entity: Entity { name: row.get(1)?, facts: row.get(2)? },
        facts_sum: row.get(3)?,
    })
}
