//! What connects facts: entities, their spellings, and which entities occur together. Shared by all engines.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::alias::Aliases;
use crate::columns::{Columns, Filter};
use crate::query::{EntityQuery, FactQuery};
use crate::record::{Doc, Entity, StoredFact};
use crate::{Error, Snapshot};

/// The entities that share a list of names with `name`, ordered by name, and in how many lists they do.
pub fn neighbours<'a>(
    snapshot: &dyn Snapshot,
    name: &str,
    lists: impl IntoIterator<Item = &'a [String]>,
    filter: &Filter,
) -> Result<Vec<(Entity, u32)>, Error> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for other in lists.into_iter().flatten().filter(|other| *other != name) {
        *counts.entry(other).or_default() += 1;
    }
    let names: Vec<&str> = counts.keys().copied().collect();
    let entities = snapshot.entities(EntityQuery::Named(&names), filter)?;
    Ok(entities.into_iter().zip(counts.into_values()).collect())
}

/// Counts entities again for a filter, for engines that store the counts of all facts only.
pub fn counted(
    snapshot: &dyn Snapshot,
    mut entities: Vec<Entity>,
    query: EntityQuery<'_>,
    filter: &Filter,
) -> Result<Vec<Entity>, Error> {
    let names: Vec<&str> = entities.iter().map(|entity| entity.name.as_str()).collect();
    let lists = snapshot.find_facts(FactQuery::Naming(&names), filter, usize::MAX)?;
    for (entity, docs) in entities.iter_mut().zip(lists) {
        entity.facts = u32::try_from(docs.len()).unwrap_or(u32::MAX);
    }
    if query == EntityQuery::All {
        entities.retain(|entity| entity.facts > 0);
    }
    Ok(entities)
}

/// Finds spellings for a filter, for engines that can only find those of all facts.
pub fn spellings(
    snapshot: &dyn Snapshot,
    names: &[&str],
    aliases: &Aliases,
    filter: &Filter,
) -> Result<Vec<Option<String>>, Error> {
    let lists = snapshot.find_facts(FactQuery::Naming(names), filter, usize::MAX)?;
    let of_one = |(name, docs): (&&str, &Vec<Doc>)| {
        let mut facts = snapshot.facts(docs)?;
        facts.sort_by(|a, b| place(a).cmp(&place(b)));
        let name = aliases.in_force(name);
        Ok(spelling(&name, aliases, facts.iter().map(|fact| fact.fields.entities.as_slice())))
    };
    names.iter().zip(&lists).map(of_one).collect()
}

fn place(fact: &Arc<StoredFact>) -> (&str, u32, Doc) {
    (&fact.chunk.path, fact.chunk.start_line, fact.chunk.doc)
}

/// Takes the first tag of each fact that means the name; of those the first that is the name itself, else the first.
fn spelling<'a>(name: &str, aliases: &Aliases, tags: impl Iterator<Item = &'a [String]>) -> Option<String> {
    let means = |tag: &&String| aliases.resolve(&tag.to_lowercase()) == name;
    let tags: Vec<&String> = tags.filter_map(|tags| tags.iter().find(means)).collect();
    let own = tags.iter().find(|tag| tag.to_ascii_lowercase() == name);
    own.or(tags.first()).map(|tag| (*tag).clone())
}

/// What identifies and connects a fact.
#[derive(Debug, Clone)]
pub struct NamedFact {
    pub doc: Doc,
    pub id: String,
    pub key: Option<String>,
    /// As spelled, without `@`.
    pub entities: Vec<String>,
}

/// The names of all facts, held in memory.
#[derive(Debug, Default)]
pub struct FactNames {
    aliases: Aliases,
    /// By path and line.
    facts: Vec<NamedFact>,
    /// The facts that name an entity, ascending.
    naming: BTreeMap<String, Vec<Doc>>,
}

impl FactNames {
    /// Takes facts ordered by path and line.
    pub fn of(aliases: Aliases, facts: Vec<NamedFact>) -> Self {
        let mut naming: BTreeMap<String, Vec<Doc>> = BTreeMap::new();
        for fact in &facts {
            for name in aliases.names(&fact.entities) {
                naming.entry(name).or_default().push(fact.doc);
            }
        }
        naming.values_mut().for_each(|docs| docs.sort_unstable());
        Self { aliases, facts, naming }
    }

    pub fn aliases(&self) -> &Aliases {
        &self.aliases
    }

    /// The answer of [`Snapshot::find_facts`]; `sharing` gives the facts that share terms with a text.
    pub fn find(
        &self,
        query: FactQuery<'_>,
        columns: &Columns,
        (filter, limit): (&Filter, usize),
        sharing: impl FnOnce(&[String]) -> Result<Vec<Doc>, Error>,
    ) -> Result<Vec<Vec<Doc>>, Error> {
        let lists = match query {
            FactQuery::All => vec![self.facts.iter().map(|fact| fact.doc).collect()],
            FactQuery::Ids(ids) => self.by(ids, |fact| Some(&fact.id)),
            FactQuery::Keys(keys) => self.by(keys, |fact| fact.key.as_ref()),
            FactQuery::Naming(names) => names.iter().map(|name| self.naming(name).collect()).collect(),
            FactQuery::Sharing(terms) => vec![sharing(terms)?],
        };
        Ok(lists.into_iter().map(|docs| filter.first(columns, docs, limit)).collect())
    }

    fn by(&self, values: &[&str], value: impl Fn(&NamedFact) -> Option<&String>) -> Vec<Vec<Doc>> {
        let mut lists: HashMap<&str, Vec<Doc>> = values.iter().map(|value| (*value, Vec::new())).collect();
        for fact in &self.facts {
            if let Some(list) = value(fact).and_then(|value| lists.get_mut(value.as_str())) {
                list.push(fact.doc);
            }
        }
        values.iter().map(|value| lists.get(value).cloned().unwrap_or_default()).collect()
    }

    /// The facts that name an entity by any of its names, the last first.
    fn naming(&self, name: &str) -> impl Iterator<Item = Doc> {
        self.naming.get(&self.aliases.in_force(name)).into_iter().flatten().rev().copied()
    }

    /// Entities with the number of admitted facts that name each.
    pub fn entities(&self, query: EntityQuery<'_>, columns: &Columns, filter: &Filter) -> Vec<Entity> {
        let admits = |doc: &&Doc| filter.is_empty() || filter.admits_doc(columns, **doc);
        let count = |docs: &[Doc]| docs.iter().filter(admits).count();
        match query {
            EntityQuery::All => {
                let all = self.naming.iter().map(|(name, docs)| Entity::of(name.clone(), count(docs)));
                all.filter(|entity| entity.facts > 0).collect()
            }
            EntityQuery::Named(names) => {
                let named = names.iter().map(|name| self.aliases.in_force(name));
                named
                    .map(|name| {
                        let facts = self.naming.get(&name).map_or(0, |docs| count(docs));
                        Entity::of(name, facts)
                    })
                    .collect()
            }
        }
    }

    /// How the first admitted fact spells each entity.
    pub fn spellings(&self, names: &[&str], columns: &Columns, filter: &Filter) -> Vec<Option<String>> {
        let admits = |fact: &&NamedFact| filter.is_empty() || filter.admits_doc(columns, fact.doc);
        let of_one = |name: &&str| {
            let admitted = self.facts.iter().filter(admits).map(|fact| fact.entities.as_slice());
            spelling(&self.aliases.in_force(name), &self.aliases, admitted)
        };
        names.iter().map(of_one).collect()
    }
}
