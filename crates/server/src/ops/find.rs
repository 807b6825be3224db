//! Searching, reading, recalling, consolidating.

use mindfile::recall::{self, Remembered, Touch};
use mindfile::reflect::{self, Reflected};
use mindfile::search::{self, Place};
use mindfile::{Response, notes};

use super::day;
use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

pub(crate) fn search(desk: &Desk, asked: &ask::Search) -> Result<wire::Found, Failure> {
    Ok(search_with(desk, asked)?.0)
}

/// The same with what the memory said, for who puts it into other words.
pub(crate) fn search_with(desk: &Desk, asked: &ask::Search) -> Result<(wire::Found, Response), Failure> {
    let place =
        asked.why_not.as_deref().map(str::parse::<Place>).transpose().map_err(mindfile::Error::from)?;
    let request = search::Request {
        max_results: asked.max_results,
        min_score: asked.min_score,
        mode: asked.mode.map(Into::into),
        source: asked.source.map(Into::into),
        since: day(desk, asked.since.as_deref())?,
        until: day(desk, asked.until.as_deref())?,
        chat: desk.chat(asked.chat_type),
        session_key: asked.session_key.clone(),
        untrusted: asked.include_untrusted,
        for_model: true,
        ..search::Request::new(asked.query.clone())
    };
    let response = desk.memory.search(&request, place.as_ref())?;
    Ok((found(desk, asked, &response), response))
}

fn found(desk: &Desk, asked: &ask::Search, response: &Response) -> wire::Found {
    let plan = asked.explain.then_some(&response.plan);
    let cited = desk.memory.cites(response.plan.chat);
    let found = wire::Found::new(response, plan, cited);
    if asked.marks { found.marked(response) } else { found }
}

pub(crate) fn get(desk: &Desk, asked: &ask::Get) -> Result<wire::Lines, Failure> {
    let viewer = desk.viewer(asked.chat_type);
    let lines = notes::read(&desk.memory, viewer, &asked.path, asked.from.unwrap_or(1), asked.lines)?;
    let told = wire::Lines::new(&asked.path, &lines);
    let text = desk.memory.shown(&asked.path, told.text())?;
    Ok(told.with_text(text))
}

pub(crate) fn recall(desk: &Desk, asked: &ask::Recall) -> Result<wire::Recalls, Failure> {
    Ok(wire::Recalls::new(&remembered(desk, asked)?, asked.debug, asked.explain))
}

/// What a recall came to, before it is put into words.
pub(crate) fn remembered(desk: &Desk, asked: &ask::Recall) -> Result<Remembered, Failure> {
    let request = recall::Request {
        query: asked.query.clone(),
        k: asked.k,
        min_salience: asked.min_salience,
        depth: asked.associative_depth,
        decay: asked.activation_decay,
        entities: asked.entities.0.clone(),
        kind: asked.kind.map(Into::into),
        since: day(desk, asked.since.as_deref())?,
        as_of: day(desk, asked.as_of.as_deref())?,
        budget: asked.budget,
        scorer: asked.scorer.map(Into::into).unwrap_or_default(),
        past: asked.past,
        chat: desk.chat(asked.chat_type),
        untrusted: asked.include_untrusted,
        for_model: true,
    };
    let touch = if asked.no_touch { Touch::No } else { Touch::Yes };
    Ok(desk.memory.recall(&request, touch)?)
}

pub(crate) fn reflect(desk: &Desk, asked: &ask::Reflect) -> Result<wire::Reflection, Failure> {
    Ok(reflect_with(desk, asked)?.0)
}

/// The same with what the memory said.
pub(crate) fn reflect_with(
    desk: &Desk,
    asked: &ask::Reflect,
) -> Result<(wire::Reflection, Reflected), Failure> {
    let request = reflect::Request { max_tokens: asked.max_tokens, dry_run: asked.dry_run };
    let reflected = desk.memory.reflect(request)?;
    Ok((wire::Reflection::new(&reflected, asked.dry_run), reflected))
}

pub(crate) fn undo_reflection(desk: &Desk, _: &ask::Nothing) -> Result<wire::Undone, Failure> {
    Ok(wire::Undone { ok: true, files: desk.memory.undo_reflection()? })
}
