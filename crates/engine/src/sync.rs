//! Keeping the index in step with the notes: bringing it up to date, making it again, and knowing when neither is needed.

use std::ops::ControlFlow;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use mindfile_index::{Backend, Batch, Change, FORGOTTEN, Index, Rebuild, Snapshot};
use mindfile_model::provider::local;
use mindfile_model::{Embedded, Error as ModelError};

use crate::config::Maker;
use crate::corpus::Corpus;
use crate::derive::Vectors;
use crate::embed;
use crate::error::Error;
use crate::fallback;
use crate::fingerprint::{self, Fingerprint};
use crate::reconcile::{self, OnProgress, Recipe, Report};
use crate::session;
use crate::spaces;
use crate::status;
use crate::workspace::{self, NotePath};

/// A model that was seen to be the same this long ago is taken for the same.
const TRUSTED: Duration = Duration::from_secs(600);

/// How often a sync begins again because something was forgotten meanwhile.
const ATTEMPTS: usize = 4;

/// How much a sync may do.
#[derive(Clone, Copy)]
struct Bounds {
    purge: bool,
    /// When no further vectors are asked for.
    until: Option<Instant>,
    /// Whether nothing is asked of the provider, because it was down a moment ago.
    offline: bool,
}

impl Bounds {
    const NONE: Self = Self { purge: false, until: None, offline: false };
}

impl Corpus {
    /// Brings the index up to date with the notes. When the provider fails and another one is to take over, that one's
    /// index is.
    pub fn sync(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        self.go_on_forgetting()?;
        let came = self.mending(|| self.sync_once(Bounds::NONE, on_progress));
        let came = came.and_then(|report| self.fetch_model().map(|()| report));
        self.or_instead(came, |other| other.sync(on_progress))
    }

    /// Questions do not wait for a model file, so that it has to be there also when no note asked for it.
    fn fetch_model(&self) -> Result<(), Error> {
        match &self.settings.embedding.primary {
            Maker::Local(local) if local::IS_BUILT_IN && !local.is_there() => Ok(local.file().map(drop)?),
            Maker::Local(_) | Maker::Embedded | Maker::None | Maker::Service(_) => Ok(()),
        }
    }

    /// Brings the index up to date with single notes, after a write to them: the work does not depend on how many others
    /// there are. Private notes are none of the index's: they are looked at when they are asked for.
    pub fn look(&self, paths: &[NotePath]) -> Result<Report, Error> {
        let paths = reconcile::indexable(paths);
        if paths.is_empty() {
            return Ok(Report::default());
        }
        let workspace = self.workspace()?;
        let index = self.index()?;
        if self.fits(&*index.snapshot()?)? {
            let recipe = self.recipe(false);
            return self.mending(|| reconcile::look(&workspace, &*index, &recipe, &paths));
        }
        self.sync(&mut |_| ControlFlow::Continue(()))
    }

    /// Whether the index was made for the settings in force, as far as that is known without asking a provider.
    pub(crate) fn fits(&self, snapshot: &dyn Snapshot) -> Result<bool, Error> {
        let Some(stored) = snapshot.meta(fingerprint::KEY)? else { return Ok(false) };
        let mut fitting = self.fitting.lock().unwrap_or_else(PoisonError::into_inner);
        if fitting.as_deref() != Some(&*stored) {
            let known = Fingerprint::parse(&stored);
            if !known.is_some_and(|known| self.assumed(Some(&known)).fits(&known)) {
                return Ok(false);
            }
            *fitting = Some(stored.to_string());
        }
        Ok(true)
    }

    /// The same where the notes may not have changed, but what is known of them has.
    pub(crate) fn look_afresh(&self, paths: &[NotePath]) -> Result<(), Error> {
        let (workspace, index, recipe) = (self.workspace()?, self.index()?, self.recipe(false));
        self.look_again(paths);
        self.mending(|| reconcile::look_afresh(&workspace, &*index, &recipe, paths).map(drop))
    }

    /// Makes the index again from the notes, beside the one in use, and puts it in its place.
    pub fn rebuild(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        let came = self.mending(|| self.rebuild_aside(None, None, on_progress));
        self.or_instead(came, |other| other.rebuild(on_progress))
    }

    /// What came of it, or what the memory that takes over makes of it when the provider failed.
    fn or_instead(
        &self,
        came: Result<Report, Error>,
        instead: impl FnOnce(&Self) -> Result<Report, Error>,
    ) -> Result<Report, Error> {
        match (came, &self.other) {
            (Err(Error::Model(error)), Some(other)) => {
                let fallback = self.fell(&error)?;
                Ok(Report { fallback: Some(fallback), ..instead(other)? })
            }
            (Ok(report), _) => {
                self.recovered()?;
                Ok(report)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Runs `work`; when the index turns out to be damaged, sets it aside and runs it again on an empty one. What was made
    /// of texts that were read before something was forgotten is made again.
    pub(crate) fn mending<T>(&self, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        for _ in 0..ATTEMPTS {
            match work() {
                Err(Error::Index(mindfile_index::Error::Superseded)) => {}
                // The engine is opened anew, or the built-in one in its place.
                Err(Error::Index(error)) if error.is_outage() => {}
                Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                    self.store.discard(&error, &*self.clock)?;
                    return work();
                }
                other => return other,
            }
        }
        work()
    }

    fn sync_once(&self, bounds: Bounds, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        let workspace = self.workspace()?;
        let index = self.index()?;
        let stored = index.meta(fingerprint::KEY)?;
        let known = stored.as_deref().and_then(Fingerprint::parse);
        let fits = match &known {
            // The model inside the program costs little to ask.
            Some(known) if self.assumed(Some(known)).fits(known) => {
                !self.is_embedded() || self.is_still(known)?
            }
            Some(_) | None => false,
        };
        if !fits {
            match self.fingerprint_within(bounds) {
                // Words do not wait for a model that cannot be asked.
                Err(error @ Error::Model(_)) if self.is_of_this_workspace()? => {
                    reconcile::run(&workspace, &*index, &self.recipe(bounds.purge), on_progress)?;
                    return Err(error);
                }
                Err(error) => return Err(error),
                Ok(wanted) if stored.is_none() => {
                    let known = spaces::listed(&*index.snapshot()?)?;
                    self.set_fingerprint(&*index, &spaces::recognised(wanted, &known), known)?;
                    self.show_uses(&*index)?;
                }
                Ok(wanted) => return self.rebuild_aside(Some(wanted), bounds.until, on_progress),
            }
        }
        let mut report = reconcile::run(&workspace, &*index, &self.recipe(bounds.purge), on_progress)?;
        if self.settings.sessions.enabled {
            report.add(self.sync_sessions(&*index)?);
        }
        if bounds.offline || self.is_embedded() || !self.has_pending(&*index.snapshot()?)? {
            return Ok(report);
        }
        if let Some(known) = known.filter(|known| fits && !known.canary.is_empty())
            && !self.is_still(&known)?
        {
            return self.rebuild_aside(None, bounds.until, on_progress);
        }
        self.embed_into(&[&*index], bounds.until, on_progress, &mut report)?;
        Ok(report)
    }

    fn embed_into(
        &self,
        indexes: &[&dyn Index],
        until: Option<Instant>,
        on_progress: &mut OnProgress<'_>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let mut run = embed::Run::new(indexes, until, on_progress);
        let came = self.embed_pending(&mut run);
        report.made = run.made;
        report.problems.append(&mut run.problems);
        came
    }

    /// Whether the provider's model is still the one that the index was made with; asked once in a while.
    fn is_still(&self, known: &Fingerprint) -> Result<bool, Error> {
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.is_some_and(|at| at.elapsed() < TRUSTED) {
            return Ok(true);
        }
        let same = self.fingerprint()?.fits(known);
        *verified = same.then(Instant::now);
        Ok(same)
    }

    /// `now` is what the index would be built with, if that was asked for already.
    fn rebuild_aside(
        &self,
        now: Option<Fingerprint>,
        until: Option<Instant>,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Report, Error> {
        let index = self.index()?;
        let Some(mut made) = index.rebuild(until.is_none())? else {
            return Err(ModelError::Deadline.into());
        };
        let known = spaces::listed(&*index.snapshot()?)?;
        let read_at = reconcile::read_at(&*index.snapshot()?)?;
        let wanted = spaces::recognised(now.map_or_else(|| self.fingerprint(), Ok)?, &known);
        let aside = Aside { index: &*index, wanted, known, read_at };
        if !is_made_for(made.index()?, &aside.wanted)? {
            made.restart()?;
        }
        let report = match self.fill(&*made, &aside, until, on_progress) {
            // What an interrupted rebuild left behind is of no use any more; the index itself may be as it should.
            Err(Error::Index(error)) if made.is_mended_by_restart(&error) => {
                made.restart()?;
                self.fill(&*made, &aside, until, on_progress)?
            }
            other => other?,
        };
        if reconcile::read_at(&*index.snapshot()?)? != read_at {
            made.discard()?;
            return Err(mindfile_index::Error::Superseded.into());
        }
        made.replace()?;
        Ok(report)
    }

    /// Makes everything that the index should hold, beside it.
    fn fill(
        &self,
        rebuild: &dyn Rebuild,
        aside: &Aside<'_>,
        until: Option<Instant>,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<Report, Error> {
        let made = rebuild.index()?;
        self.set_fingerprint(made, &aside.wanted, aside.known.clone())?;
        let counted = Change::Meta { key: FORGOTTEN.to_owned(), value: aside.read_at.to_string() };
        self.apply(made, vec![counted])?;
        self.show_uses(made)?;
        let mut report = reconcile::run(&self.workspace()?, made, &self.recipe(true), on_progress)?;
        let index = aside.index;
        if self.settings.sessions.enabled || index.snapshot()?.meta(session::index::OWNER)?.is_some() {
            report.add(self.sync_sessions(made)?);
        }
        self.embed_into(&[made, index], until, on_progress, &mut report)?;
        rebuild.carry_cache()?;
        Ok(report)
    }

    /// What the index would be built with now; a provider is asked for its vector of the known text.
    pub(crate) fn fingerprint(&self) -> Result<Fingerprint, Error> {
        self.policy.prepare()?;
        let tokens = Embedded::open().fingerprint();
        let print = match &self.embedder {
            Some(embedder) => Fingerprint::of(&**embedder, tokens, &self.settings)?,
            None => Fingerprint::without_vectors(tokens, &self.settings),
        };
        Ok(Fingerprint { policy: self.policy.digest()?, workspace: self.whose(), ..print })
    }

    /// Whose notes the index is of: on this machine those of a folder, elsewhere those of an agent, which may lie in another
    /// folder on each host.
    fn whose(&self) -> String {
        match self.store.is_shared() {
            true => format!("agent {}", self.settings.agent),
            false => self.settings.workspace.to_string_lossy().into_owned(),
        }
    }

    fn fingerprint_within(&self, bounds: Bounds) -> Result<Fingerprint, Error> {
        if bounds.offline { Err(ModelError::Deadline.into()) } else { self.fingerprint() }
    }

    /// The same without asking a provider: it is taken for the one that `known` was built with.
    pub(crate) fn assumed(&self, known: Option<&Fingerprint>) -> Fingerprint {
        let tokens = Embedded::open().fingerprint();
        let print = match &self.embedder {
            Some(embedder) => Fingerprint::assumed(embedder.space(), tokens, &self.settings, known),
            None => Fingerprint::without_vectors(tokens, &self.settings),
        };
        // A key that cannot be read is no key: what is indexed under one does not fit.
        Fingerprint { policy: self.policy.digest().unwrap_or_default(), workspace: self.whose(), ..print }
    }

    fn set_fingerprint(
        &self,
        index: &dyn Index,
        wanted: &Fingerprint,
        known: Vec<Fingerprint>,
    ) -> Result<(), Error> {
        let change = Change::Meta { key: fingerprint::KEY.to_owned(), value: wanted.to_json()? };
        self.apply(index, vec![change, spaces::remember(wanted, known)?])
    }

    pub(crate) fn apply(&self, index: &dyn Index, changes: Vec<Change>) -> Result<(), Error> {
        self.apply_read(index, changes, None)
    }

    /// The same for what was made of texts that were read at a count of what was forgotten.
    pub(crate) fn apply_read(
        &self,
        index: &dyn Index,
        changes: Vec<Change>,
        read_at: Option<u64>,
    ) -> Result<(), Error> {
        let now_ms = self.clock.now().as_millisecond();
        let agent = self.settings.agent.to_string();
        index.apply(&Batch { changes, model: self.model(), agent, now_ms, only_at: None, read_at })?;
        Ok(())
    }

    pub(crate) fn recipe(&self, purge: bool) -> Recipe {
        Recipe {
            chunking: self.settings.chunking,
            vectors: if self.is_embedded() { Vectors::Now } else { Vectors::Later },
            model: self.model(),
            agent: self.settings.agent.to_string(),
            now: self.clock.now(),
            origins: self.bound(),
            purge,
            policy: Arc::clone(&self.policy),
        }
    }

    /// Makes sure that a note saved a moment ago is found. A workspace that is away leaves the old index to answer, a
    /// model that cannot be asked leaves words. `failed` says why a provider is not to be asked, also afterwards.
    pub(crate) fn freshen(
        &self,
        degraded: &mut Vec<String>,
        failed: &mut Option<String>,
    ) -> Result<Option<String>, Error> {
        if !self.settings.sync.on_search || self.is_settled() {
            return Ok(None);
        }
        let bounds = self.while_asked(failed.is_some());
        match self.mending(|| self.sync_once(bounds, &mut |_| ControlFlow::Continue(()))) {
            Ok(report) if report.held > 0 => Ok(Some(format!(
                "{} notes vanished from the workspace at once and are still answered from the index",
                report.held
            ))),
            Ok(_) => Ok(None),
            Err(Error::Workspace(error @ workspace::Error::RootMissing { .. })) if self.has_notes()? => {
                Ok(Some(error.to_string()))
            }
            Err(Error::Model(error)) if self.is_of_this_workspace()? => {
                degraded.push(format!("meaning: {}", self.unembedded_words(&error, failed.as_deref())?));
                if fallback::is_down(&error) {
                    *failed = Some(error.to_string());
                    self.fell(&error)?;
                }
                let known = self.known()?;
                let unfinished = known.is_some_and(|known| !self.assumed(Some(&known)).fits(&known));
                Ok(unfinished
                    .then(|| "the index could not be made again for the settings in force".to_owned()))
            }
            Err(error) => Err(error),
        }
    }

    /// What a question does before it is answered, for a caller who wants to see how far that is, or to end it: brings the
    /// index up to date where that is due. What goes wrong is left to the question itself.
    pub fn prepare(&self, on_progress: &mut OnProgress<'_>) -> Result<(), Error> {
        if !self.settings.sync.on_search || self.is_settled() {
            return Ok(());
        }
        match self.mending(|| self.sync_once(self.while_asked(false), on_progress)) {
            Err(Error::Interrupted) => Err(Error::Interrupted),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// How much a sync may do while somebody waits for an answer.
    fn while_asked(&self, offline: bool) -> Bounds {
        let until = (!self.is_embedded()).then(|| self.pace.now() + self.settings.query.embed_deadline);
        Bounds { purge: false, until, offline }
    }

    /// Why chunks have no vector yet.
    fn unembedded_words(&self, error: &ModelError, failed: Option<&str>) -> Result<String, Error> {
        if let Some(failed) = failed {
            return Ok(failed.to_owned());
        }
        if *error != ModelError::Deadline {
            return Ok(error.to_string());
        }
        let pending = self.index()?.snapshot()?.unembedded(usize::MAX >> 1)?.len() as u64;
        if pending == 0 {
            return Ok("the index is not made for this model yet: mindfile index makes it".to_owned());
        }
        Ok(format!("{} no vector yet: mindfile index makes the rest", status::words::have(pending, "chunk")))
    }

    /// What the index was built with; none for one that was never filled.
    pub(crate) fn known(&self) -> Result<Option<Fingerprint>, Error> {
        let known = self.index()?.meta(fingerprint::KEY)?;
        Ok(known.as_deref().and_then(Fingerprint::parse))
    }

    pub(crate) fn is_of_this_workspace(&self) -> Result<bool, Error> {
        Ok(self.known()?.is_none_or(|known| known.workspace == self.whose()))
    }

    /// Whether there is nothing to do. Trouble is left to `sync`, which reports or mends it.
    fn is_settled(&self) -> bool {
        let look = || -> Result<bool, Error> {
            let index = self.index()?;
            let snapshot = index.snapshot()?;
            Ok(self.fits(&*snapshot)?
                && reconcile::is_settled(&self.workspace()?, &*snapshot)?
                && (self.embedder.is_none() || self.is_embedded() || !self.has_pending(&*snapshot)?))
        };
        look().unwrap_or(false)
    }

    /// Whether a provider is to be asked for vectors.
    fn has_pending(&self, snapshot: &dyn Snapshot) -> Result<bool, Error> {
        if snapshot.unembedded(1)?.is_empty() {
            return Ok(false);
        }
        let held = self.held_back(snapshot)?;
        Ok(snapshot.unembedded(held.len() + 1)?.len() > held.len())
    }

    fn has_notes(&self) -> Result<bool, Error> {
        Ok(self.is_of_this_workspace()? && self.note_count()? > 0)
    }

    /// How many notes the index holds.
    pub fn note_count(&self) -> Result<u64, Error> {
        Ok(self.index()?.snapshot()?.stats()?.notes.iter().map(|(_, count)| count).sum())
    }
}

/// What a rebuild beside the index in use is made with.
struct Aside<'a> {
    index: &'a dyn Backend,
    wanted: Fingerprint,
    /// The spaces that the index has known.
    known: Vec<Fingerprint>,
    /// How often something had been forgotten when it began.
    read_at: u64,
}

/// A rebuild that was interrupted goes on, unless it was made for other settings. An empty one can be for any.
fn is_made_for(made: &dyn Index, wanted: &Fingerprint) -> Result<bool, Error> {
    let known = made.snapshot()?.meta(fingerprint::KEY)?;
    Ok(known.is_none_or(|known| Fingerprint::parse(&known).is_some_and(|known| known.fits(wanted))))
}
