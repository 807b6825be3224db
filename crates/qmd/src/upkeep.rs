//! Keeps QMD's index up to date: whoever comes first does what is due, and nothing more.

use std::time::Duration;

use crate::ask;
use crate::home::{Home, HomeRecord};
use crate::run;
use crate::trouble::Trouble;
use crate::{KEEPER, UPDATE, export};
use mindfile::Corpus;
use mindfile::collection::{self, Collections};
use mindfile_settings::QmdMode;

/// How much is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// A search: what must be done before it, and vectors are not made.
    Before,
    /// Whatever is due.
    Due,
    /// All of it, due or not.
    Now,
}

/// QMD as it stands after that.
pub(crate) struct Readiness {
    pub(crate) home: Home,
    pub(crate) collections: Collections,
    pub(crate) kept: HomeRecord,
    /// Notes changed since, and its turn has not come.
    pub(crate) behind: bool,
}

pub(crate) fn home_of(corpus: &Corpus) -> Home {
    Home::of(&corpus.settings().qmd.home)
}

pub(crate) fn tend(corpus: &Corpus, wish: Wish) -> Result<Readiness, Trouble> {
    let census = census(corpus)?;
    let home = home_of(corpus);
    let collections = collection::of(corpus);
    if collections.all.is_empty() {
        let none = || "the settings name no folder".to_owned();
        let why = collections.problems.first().cloned().unwrap_or_else(none);
        return Err(Trouble::NoCollections { why });
    }
    let kept = home.prepare(&collections, corpus.settings().qmd.models.as_deref())?;
    let now = now_ms(corpus);
    let kept_by_another = wish == Wish::Before && home.is_locked(KEEPER);
    let due = wish == Wish::Now
        || kept.updated == 0
        || home.inode().is_none()
        || (!kept_by_another && is_due(corpus, &kept, &census, now));
    let kept = if due { update(corpus, &home, kept, &census, wish)? } else { kept };
    let kept = embed(corpus, &home, kept, wish)?;
    let behind = kept.census != census;
    Ok(Readiness { home, collections, kept, behind })
}

fn now_ms(corpus: &Corpus) -> i64 {
    corpus.clock().now().as_millisecond()
}

/// One word for the notes as they are now. What lies elsewhere is looked at by the interval.
fn census(corpus: &Corpus) -> Result<String, Trouble> {
    let scan = corpus.workspace().map_err(Trouble::notes)?.scan().map_err(Trouble::notes)?;
    let sessions = if corpus.settings().qmd.sessions.enabled {
        corpus.sessions().list().map_err(Trouble::notes)?
    } else {
        Vec::new()
    };
    let said: Vec<String> =
        sessions.iter().map(|found| format!("{} {:?}", found.session, found.stat)).collect();
    let whole = format!("{} {}", scan.stamp, said.join("\n"));
    Ok(mindfile_note::hash::Digest::of(whole.as_bytes()).to_string()[..16].to_owned())
}

fn is_due(corpus: &Corpus, kept: &HomeRecord, census: &str, now: i64) -> bool {
    let update = &corpus.settings().qmd.update;
    let changed = kept.census != census && has_passed(kept.updated, update.debounce, now);
    changed || update.interval.is_some_and(|interval| has_passed(kept.updated, interval, now))
}

/// `qmd update`, by one process at a time. Who finds another one at it goes on with what there is.
fn update(
    corpus: &Corpus,
    home: &Home,
    kept: HomeRecord,
    census: &str,
    wish: Wish,
) -> Result<HomeRecord, Trouble> {
    let settings = &corpus.settings().qmd;
    let must = wish == Wish::Now || kept.updated == 0;
    let patience = if must { settings.update.update_timeout } else { Duration::ZERO };
    let Some(lock) = home.lock(UPDATE, patience)? else {
        return if must { Err(Trouble::Busy) } else { Ok(kept) };
    };
    let known = home.kept();
    if wish != Wish::Now && known.updated > kept.updated && known.config == kept.config {
        return Ok(known);
    }
    if settings.sessions.enabled {
        export::export_sessions(corpus)?;
    }
    let version = run::output(&settings.command, &["--version"], home, settings.update.command_timeout)?;
    // The time before it: what changes meanwhile is due again.
    let updated = now_ms(corpus);
    run::output(&settings.command, &["update"], home, settings.update.update_timeout)?;
    let version = version.lines().next().unwrap_or_default().trim().to_owned();
    let kept = HomeRecord { updated, census: census.to_owned(), version, ..known };
    home.keep(&kept)?;
    drop(lock);
    Ok(kept)
}

/// `qmd embed`, where there are models: without them it waits for ever.
fn embed(corpus: &Corpus, home: &Home, kept: HomeRecord, wish: Wish) -> Result<HomeRecord, Trouble> {
    let settings = &corpus.settings().qmd;
    let by_time = settings.update.embed_interval;
    let due = match wish {
        Wish::Before => false,
        Wish::Due => {
            kept.embedded == 0 || by_time.is_some_and(|time| has_passed(kept.embedded, time, now_ms(corpus)))
        }
        Wish::Now => true,
    };
    let able = settings.mode != QmdMode::Search
        && home.model_count() >= ask::models_needed(settings.mode, settings.rerank);
    if !due || !able {
        return Ok(kept);
    }
    let Some(lock) = home.lock(UPDATE, Duration::ZERO)? else { return Ok(kept) };
    run::output(&settings.command, &["embed"], home, settings.update.embed_timeout)?;
    let kept = HomeRecord { embedded: now_ms(corpus), ..home.kept() };
    home.keep(&kept)?;
    drop(lock);
    Ok(kept)
}

/// A clock that was set back does not put it off.
fn has_passed(since: i64, time: Duration, now: i64) -> bool {
    let time = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    now < since || now - since >= time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_also_when_the_clock_is_set_back() {
        let second = Duration::from_secs(1);
        assert!(!has_passed(5_000, second, 5_999));
        assert!(has_passed(5_000, second, 6_000));
        assert!(has_passed(5_000, second, 4_999));
    }
}
