//! Questions about a single thing: a snapshot itself answers about many at once.

use crate::columns::Filter;
use crate::query::{EntityQuery, FactQuery, NoteQuery};
use crate::record::{Doc, Entity, StoredNote};
use crate::{Error, Snapshot};

pub fn note(snapshot: &dyn Snapshot, path: &str) -> Result<Option<StoredNote>, Error> {
    Ok(snapshot.notes(NoteQuery::At(&[path]))?.pop())
}

/// All facts that a query finds, as one list.
pub fn list(snapshot: &dyn Snapshot, query: FactQuery<'_>) -> Result<Vec<Doc>, Error> {
    Ok(snapshot.find_facts(query, &Filter::default(), usize::MAX)?.concat())
}

/// An entity by any of its names, if a fact names it.
pub fn entity(snapshot: &dyn Snapshot, name: &str) -> Result<Option<Entity>, Error> {
    let found = snapshot.entities(EntityQuery::Named(&[name]), &Filter::default())?.pop();
    Ok(found.and_then(Entity::known))
}

/// How facts spell an entity; its name if no fact does.
pub fn spelled(snapshot: &dyn Snapshot, name: &str) -> Result<String, Error> {
    let found = snapshot.spellings(&[name], &Filter::default())?.pop().flatten();
    Ok(found.unwrap_or_else(|| name.to_owned()))
}
