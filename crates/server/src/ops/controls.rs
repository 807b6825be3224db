//! A person's controls over what is remembered.

use mindfile::forget::{Erasure, Forgotten, What};
use mindfile_operations::Class;

use super::day;
use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

pub(crate) fn edit(desk: &Desk, asked: &ask::Edit) -> Result<wire::Edited, Failure> {
    check(desk)?;
    Ok(wire::Edited::new(&desk.memory.edit(&asked.id, &asked.text)?))
}

pub(crate) fn delete(desk: &Desk, asked: &ask::Delete) -> Result<wire::Gone, Failure> {
    let gone = forgotten(desk, What::Fact(asked.id.clone()), asked.dry_run)?;
    Ok(wire::Gone::new(&gone, asked.dry_run))
}

pub(crate) fn forget(desk: &Desk, asked: &ask::Forget) -> Result<wire::Gone, Failure> {
    forget_with(desk, asked).map(|(gone, _)| gone)
}

/// What went, for a program and for a reader.
pub(crate) fn forget_with(desk: &Desk, asked: &ask::Forget) -> Result<(wire::Gone, Forgotten), Failure> {
    let gone = forgotten(desk, what(desk, asked)?, asked.dry_run)?;
    Ok((wire::Gone::new(&gone, asked.dry_run), gone))
}

fn forgotten(desk: &Desk, what: What, dry_run: bool) -> Result<Forgotten, Failure> {
    check(desk)?;
    Ok(desk.memory.forget(&Erasure { what, dry_run })?)
}

/// What goes is listed line by line, wherever it stands: a group would see MEMORY.md by it.
fn check(desk: &Desk) -> Result<(), Failure> {
    if desk.chat(None).is_private() {
        return Ok(());
    }
    let message = "a server for a group does not change or forget what is remembered";
    Err(Failure::new(Class::Forbidden, message)
        .code("forbidden")
        .hint("use the command line, or a server of your own"))
}

fn what(desk: &Desk, asked: &ask::Forget) -> Result<What, Failure> {
    let days = if asked.since.is_some() || asked.until.is_some() {
        Some(What::Days {
            since: day(desk, asked.since.as_deref())?,
            until: day(desk, asked.until.as_deref())?,
        })
    } else {
        None
    };
    let last = day(desk, asked.last.as_deref())?.map(|since| What::Days { since: Some(since), until: None });
    let all = [
        last,
        days,
        asked.entity.clone().map(What::Entity),
        asked.query.clone().map(What::Query),
        asked.session.clone().map(What::Session),
        asked.origin.map(|origin| What::Origin(origin.into())),
    ];
    let mut said = all.into_iter().flatten();
    match (said.next(), said.next()) {
        (Some(what), None) => Ok(what),
        (None, _) => Err(Failure::usage("nothing is said to be forgotten")
            .hint("one of last, since and until, entity, query, session, origin")),
        (Some(_), Some(_)) => {
            Err(Failure::usage("more than one thing is said to be forgotten")
                .hint("ask for one after the other"))
        }
    }
}
