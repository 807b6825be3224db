//! Facts and entities.

use mindfile::fact::Wanted;
use mindfile::retain::{self, Retained};
use mindfile::{Error, fact};

use super::day;
use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

const PAGE: usize = 100;

pub(crate) fn facts(desk: &Desk, asked: &ask::Facts) -> Result<wire::FactList, Failure> {
    let wanted = Wanted {
        kind: asked.kind.map(Into::into),
        entity: asked.entity.clone(),
        state: asked.state.map(Into::into),
        key: asked.key.clone(),
        text: asked.text.clone(),
        since: day(desk, asked.since.as_deref())?,
        until: day(desk, asked.until.as_deref())?,
        min_salience: asked.min_salience,
        order: asked.order.map(Into::into).unwrap_or_default(),
        offset: asked.offset,
        limit: asked.limit.unwrap_or(PAGE),
        chat: desk.chat(asked.chat_type),
    };
    Ok(wire::FactList::new(&desk.memory.list_facts(&wanted)?, asked.offset))
}

pub(crate) fn retain(desk: &Desk, asked: &ask::Retain) -> Result<wire::Kept, Failure> {
    Ok(retain_with(desk, asked)?.0)
}

/// The same with what the memory said, for who puts it into other words.
pub(crate) fn retain_with(desk: &Desk, asked: &ask::Retain) -> Result<(wire::Kept, Retained), Failure> {
    let request = retain::Request {
        text: asked.text.clone(),
        kind: asked.kind.map(Into::into),
        entities: asked.entities.0.clone(),
        salience: asked.salience,
        confidence: asked.confidence,
        key: asked.key.clone(),
        ttl: asked.ttl.clone(),
        sensitivity: asked.sensitivity.map(Into::into),
        due: asked.due.clone(),
        source: asked.source.clone(),
        file: asked.file.clone(),
        id: asked.id.clone(),
        if_version: asked.if_version,
        force: asked.force,
        confirm: asked.confirm,
    };
    let retained = desk.memory.retain(&request)?;
    Ok((wire::Kept::new(&retained), retained))
}

pub(crate) fn inspect(desk: &Desk, asked: &ask::Inspect) -> Result<wire::Inspected, Failure> {
    let chat = desk.chat(asked.chat_type);
    let mut found = desk.memory.inspect(&asked.id, day(desk, asked.as_of.as_deref())?)?;
    if !chat.admits(&found.fact.path) {
        return Err(Error::from(fact::Error::NoFact { id: asked.id.clone() }).into());
    }
    found.values.retain(|(fact, _)| chat.admits(&fact.path));
    found.copies.retain(|fact| chat.admits(&fact.path));
    Ok(wire::Inspected::new(&found))
}

pub(crate) fn entities(desk: &Desk, _: &ask::Nothing) -> Result<Vec<wire::ListedEntity>, Failure> {
    Ok(desk.memory.entities()?.iter().map(wire::ListedEntity::new).collect())
}

pub(crate) fn entity(desk: &Desk, asked: &ask::Entity) -> Result<wire::OneEntity, Failure> {
    let chat = desk.chat(asked.chat_type);
    let mut page = desk.memory.entity(&asked.name)?;
    page.facts.retain(|fact| chat.admits(&fact.path));
    Ok(wire::OneEntity::new(&page))
}
