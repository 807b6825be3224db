//! Facts and entities.

use mindfile::fact::{self, Wanted};

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
    };
    Ok(wire::FactList::new(&fact::list(&desk.memory, desk.viewer(asked.chat_type), &wanted)?, asked.offset))
}

pub(crate) fn inspect(desk: &Desk, asked: &ask::Inspect) -> Result<wire::Inspected, Failure> {
    let (viewer, day) = (desk.viewer(asked.chat_type), day(desk, asked.as_of.as_deref())?);
    let found = fact::inspect(&desk.memory, viewer, &asked.id, day)?;
    Ok(wire::Inspected::new(&found))
}

pub(crate) fn entities(desk: &Desk, _: &ask::Nothing) -> Result<Vec<wire::ListedEntity>, Failure> {
    Ok(fact::entities(&desk.memory, desk.viewer(None))?.iter().map(wire::ListedEntity::new).collect())
}

pub(crate) fn entity(desk: &Desk, asked: &ask::Entity) -> Result<wire::OneEntity, Failure> {
    let page = fact::entity(&desk.memory, desk.viewer(asked.chat_type), &asked.name)?;
    Ok(wire::OneEntity::new(&page))
}
