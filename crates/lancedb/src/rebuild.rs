//! Rebuilds an agent's index beside the one in use, as another set of tables that replaces the first with one head. A lock
//! limits this to one process, on whichever host.

use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{Batch, Change, Error, Index, Rebuild};

use crate::head::{Head, Part};
use crate::lock::{self, LockKind};
use crate::{LanceIndex, open};

pub(crate) struct RebuildTables<'a> {
    index: &'a LanceIndex,
    part: String,
    made: LanceIndex,
}

impl<'a> RebuildTables<'a> {
    pub(crate) fn of(index: &'a LanceIndex, wait: bool) -> Result<Option<Self>, Error> {
        let until = (!wait).then(Instant::now);
        let Some(lock) = lock::take(&index.store, LockKind::Making, until)? else { return Ok(None) };
        let part = begin(index)?;
        let made = LanceIndex { keeps: Some(Arc::new(lock)), ..index.part(&part) };
        Ok(Some(Self { index, part, made }))
    }
}

/// The tables being made: those of a rebuild that was interrupted, or new ones.
fn begin(index: &LanceIndex) -> Result<String, Error> {
    change(index, |head| match &head.aside {
        Some(part) if head.parts.contains_key(part) => Ok((None, part.clone())),
        Some(_) | None => {
            let (mut next, part) = open::with_empty(&index.store, head, 0)?;
            next.aside = Some(part.clone());
            Ok((Some(next), part))
        }
    })
}

/// Replaces the current head under the lock, and removes what no head names any more.
fn change<T>(
    index: &LanceIndex,
    work: impl Fn(&Head) -> Result<(Option<Head>, T), Error>,
) -> Result<T, Error> {
    let _lock = index.writing()?;
    let store = &index.store;
    let (next, made) = work(&store.head()?)?;
    let Some(next) = next else { return Ok(made) };
    if !store.commit(&next)? {
        return Err(store.target.place.unavailable("another writer came first"));
    }
    // Readers of the old tables go on; the next cleanup removes these.
    if lock::take(store, LockKind::Reading, Some(Instant::now()))?.is_some() {
        open::sweep(store, &next)?;
    }
    Ok(made)
}

impl Rebuild for RebuildTables<'_> {
    fn index(&self) -> Result<&dyn Index, Error> {
        Ok(&self.made)
    }

    fn restart(&mut self) -> Result<(), Error> {
        let part = change(self.index, |head| {
            let (mut next, part) = open::with_empty(&self.index.store, head, 0)?;
            next.parts.remove(&self.part);
            next.aside = Some(part.clone());
            Ok((Some(next), part))
        })?;
        self.made = LanceIndex { keeps: self.made.keeps.take(), ..self.index.part(&part) };
        self.part = part;
        Ok(())
    }

    fn is_mended_by_restart(&self, error: &Error) -> bool {
        let place = &self.index.store.target;
        error.is_damage_of(place.uri.as_ref()) || error.is_damage_of(place.part(&self.part).as_ref())
    }

    fn carry_cache(&self) -> Result<(), Error> {
        let rows = self.index.reader(None)?.cache_rows()?;
        let cache = |row: crate::tables::CacheRow| {
            let crate::tables::CacheRow { key, vector, updated_ms } = row;
            Change::Cache { key, vector, now_ms: updated_ms }
        };
        let changes: Vec<Change> = rows.into_iter().map(cache).collect();
        if !changes.is_empty() {
            self.made.apply(&Batch { changes, ..Batch::default() })?;
        }
        Ok(())
    }

    fn replace(self: Box<Self>) -> Result<(), Error> {
        change(self.index, |head| {
            let mut next = open::next(&self.index.store, head)?;
            let newest = head.parts.get(&head.part).map_or(0, |part| part.generation);
            let moved = || Error::Moved { path: self.index.store.target.part(&self.part).into() };
            let made: &mut Part = next.parts.get_mut(&self.part).ok_or_else(moved)?;
            made.generation = made.generation.max(newest + 1);
            next.parts.remove(&head.part);
            next.part.clone_from(&self.part);
            next.aside = None;
            Ok((Some(next), ()))
        })
    }

    fn discard(self: Box<Self>) -> Result<(), Error> {
        change(self.index, |head| {
            let mut next = open::next(&self.index.store, head)?;
            next.parts.remove(&self.part);
            next.aside = None;
            Ok((Some(next), ()))
        })
    }
}

/// Replaces the tables in use by empty ones.
pub(crate) fn reset(index: &LanceIndex) -> Result<(), Error> {
    change(index, |head| {
        let newest = head.parts.get(&head.part).map_or(0, |part| part.generation);
        let (mut next, part) = open::with_empty(&index.store, head, newest + 1)?;
        next.parts.remove(&head.part);
        next.part = part;
        Ok((Some(next), ()))
    })
}
