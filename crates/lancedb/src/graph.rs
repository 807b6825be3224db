//! Entities: whom facts name, together with whom.

use std::collections::{BTreeMap, HashSet};

use mindfile_index::{Doc, Entity};

use crate::view::Named;

impl Named {
    /// The name in force.
    fn meant(&self, name: &str) -> String {
        self.aliases.resolve(&name.to_lowercase()).to_owned()
    }

    pub(crate) fn facts_of(&self, name: &str) -> Vec<Doc> {
        self.of.get(&self.meant(name)).cloned().unwrap_or_default()
    }

    pub(crate) fn entities(&self) -> Vec<Entity> {
        self.of.iter().map(|(name, docs)| entity(name, docs)).collect()
    }

    pub(crate) fn entity(&self, name: &str) -> Option<Entity> {
        let name = self.meant(name);
        self.of.get(&name).map(|docs| entity(&name, docs))
    }

    /// The entities that facts name together with this one.
    pub(crate) fn neighbours(&self, name: &str) -> Vec<(Entity, u32)> {
        let name = self.meant(name);
        let docs: HashSet<Doc> = self.of.get(&name).into_iter().flatten().copied().collect();
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for fact in self.facts.iter().filter(|fact| docs.contains(&fact.doc)) {
            for other in fact.names.iter().filter(|other| **other != name) {
                *counts.entry(other).or_default() += 1;
            }
        }
        counts
            .into_iter()
            .filter_map(|(other, met)| Some((entity(other, self.of.get(other)?), met)))
            .collect()
    }

    /// Of each fact the first tag that means the name; of those the first that is the name itself, else the first.
    pub(crate) fn spelling(&self, name: &str) -> Option<String> {
        let name = self.meant(name);
        let tag = |tag: &&String| self.aliases.resolve(&tag.to_lowercase()) == name;
        let tags: Vec<&String> =
            self.facts.iter().filter_map(|fact| fact.entities.iter().find(tag)).collect();
        let own = tags.iter().find(|tag| tag.to_ascii_lowercase() == name);
        own.or(tags.first()).map(|tag| (*tag).clone())
    }
}

fn entity(name: &str, docs: &[Doc]) -> Entity {
    Entity { name: name.to_owned(), facts: u32::try_from(docs.len()).unwrap_or(u32::MAX) }
}
