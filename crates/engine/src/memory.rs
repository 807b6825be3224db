//! What a memory does. Every front end is a translation of this type.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{Batch, CacheKey, Change, Doc, Embedding, Index, Snapshot, StoredChunk};
use mindfile_index::{SqliteIndex, VectorEngine};
use mindfile_model::{Embedded, EmbeddedModel, Embedder, Role};
use mindfile_note::hash::Digest;

use crate::clock::{self, Clock};
use crate::config::{Engine, Provider, Settings};
use crate::derive::{self, Vectors};
use crate::error::Error;
use crate::fingerprint::{self, Fingerprint};
use crate::reconcile::{self, OnProgress, Recipe, Report};
use crate::search::{self, Answer, Mode, Place, Plan, Request};
use crate::store::{self, Store};
use crate::workspace::{self, Extra, Lines, Workspace};

/// How many chunks go to a provider in one call.
const EMBED_BATCH: usize = 64;

pub struct Memory {
    settings: Settings,
    clock: Box<dyn Clock>,
    pub(crate) embedder: Option<Box<dyn Embedder>>,
    store: Store,
}

/// What a search answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub plan: Plan,
    pub answer: Answer,
    pub mode: Mode,
    pub provider: String,
    pub model: String,
    /// What could not be consulted, and why.
    pub degraded: Vec<String>,
    /// Why the answer may be older than the notes.
    pub stale: Option<String>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

impl Memory {
    pub fn new(settings: Settings, clock: Box<dyn Clock>) -> Self {
        let embedder: Option<Box<dyn Embedder>> = match settings.provider {
            Provider::Embedded => Some(Box::new(EmbeddedModel::new())),
            Provider::None => None,
        };
        Self::with_embedder(settings, clock, embedder)
    }

    /// A memory whose vectors come from elsewhere.
    pub fn with_embedder(
        settings: Settings,
        clock: Box<dyn Clock>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        let engine = match settings.vector.engine {
            Engine::Scan => VectorEngine::Scan,
            Engine::SqliteVec => VectorEngine::SqliteVec,
        };
        let store = Store::new(&settings.index_path, engine);
        Self { settings, clock, embedder, store }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    pub fn workspace(&self) -> Result<Workspace, Error> {
        let extra: Vec<Extra> = self
            .settings
            .extra_paths
            .iter()
            .map(|extra| Extra { path: extra.path.clone(), pattern: extra.pattern.clone() })
            .collect();
        Ok(Workspace::open(&self.settings.workspace, &extra)?)
    }

    /// Exact lines of a memory file.
    pub fn get(&self, path: &str, from: u32, lines: Option<u32>) -> Result<Lines, Error> {
        let workspace = self.workspace()?;
        let path = workspace.is_memory_path(path)?;
        Ok(workspace.lines(&path, from, lines)?)
    }

    pub(crate) fn index(&self) -> Result<Arc<SqliteIndex>, Error> {
        self.store.index(&*self.clock)
    }

    pub fn notices(&self) -> Vec<String> {
        self.store.notices()
    }

    /// Brings the index up to date with the notes.
    pub fn sync(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        self.mending(|| self.sync_once(false, on_progress))
    }

    /// Makes the index again from the notes, beside the one in use, and puts it in its place.
    pub fn rebuild(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        self.mending(|| self.rebuild_aside(on_progress))
    }

    /// Runs `work`; when the index turns out to be damaged, sets it aside and runs it again on an empty one.
    fn mending<T>(&self, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        match work() {
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                self.store.discard(&error, &*self.clock)?;
                work()
            }
            other => other,
        }
    }

    fn sync_once(&self, purge: bool, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        let workspace = self.workspace()?;
        let index = self.index()?;
        let wanted = self.fingerprint()?;
        let known = index.snapshot()?.meta(fingerprint::KEY)?;
        match known.as_deref().and_then(Fingerprint::parse) {
            Some(known) if known == wanted => {}
            None if known.is_none() => self.set_fingerprint(&*index, &wanted)?,
            Some(_) | None => return self.rebuild_aside(on_progress),
        }
        let report = reconcile::run(&workspace, &*index, &self.recipe(purge), on_progress)?;
        self.embed_pending(&*index, None, on_progress)?;
        Ok(report)
    }

    fn rebuild_aside(&self, on_progress: &mut OnProgress<'_>) -> Result<Report, Error> {
        let workspace = self.workspace()?;
        let index = self.index()?;
        let path = Store::rebuild_path(&index);
        let lock = Store::rebuild_lock(&index)?;
        let wanted = self.fingerprint()?;
        let aside = open_aside(&path, &wanted)?;
        self.set_fingerprint(&aside, &wanted)?;
        let report = reconcile::run(&workspace, &aside, &self.recipe(true), on_progress)?;
        self.embed_pending(&aside, None, on_progress)?;
        drop(aside);
        index.replace_with(&path)?;
        store::delete_database(&path)?;
        drop(lock);
        Ok(report)
    }

    pub(crate) fn fingerprint(&self) -> Result<Fingerprint, Error> {
        let tokens = Embedded::open().fingerprint();
        match &self.embedder {
            Some(embedder) => Fingerprint::of(&**embedder, tokens, &self.settings.chunking),
            None => Ok(Fingerprint::without_vectors(tokens, &self.settings.chunking)),
        }
    }

    fn set_fingerprint(&self, index: &dyn Index, wanted: &Fingerprint) -> Result<(), Error> {
        let change = Change::Meta { key: fingerprint::KEY.to_owned(), value: wanted.to_json()? };
        self.apply(index, vec![change])
    }

    fn apply(&self, index: &dyn Index, changes: Vec<Change>) -> Result<(), Error> {
        index.apply(&Batch { changes, model: self.model(), now_ms: self.clock.now().as_millisecond() })?;
        Ok(())
    }

    fn recipe(&self, purge: bool) -> Recipe {
        Recipe {
            chunking: self.settings.chunking,
            vectors: if self.is_embedded() { Vectors::Now } else { Vectors::Later },
            model: self.model(),
            now: self.clock.now(),
            purge,
        }
    }

    fn is_embedded(&self) -> bool {
        self.provider() == Provider::Embedded.as_str()
    }

    pub fn provider(&self) -> String {
        self.embedder.as_ref().map_or_else(|| "none".to_owned(), |embedder| embedder.space().provider.clone())
    }

    pub fn model(&self) -> String {
        self.embedder.as_ref().map_or_else(String::new, |embedder| embedder.space().model.clone())
    }

    /// Embeds what has no vector yet, until done or until the deadline. Nothing that was embedded before, in this
    /// index or in the cache, is embedded again.
    fn embed_pending(
        &self,
        index: &dyn Index,
        deadline: Option<Instant>,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<(), Error> {
        let Some(embedder) = self.embedder.as_deref().filter(|_| !self.is_embedded()) else { return Ok(()) };
        while deadline.is_none_or(|deadline| Instant::now() < deadline) {
            let snapshot = index.snapshot()?;
            let docs: Vec<Doc> = snapshot.unembedded(EMBED_BATCH)?;
            if docs.is_empty() {
                break;
            }
            let changes = self.embed(embedder, &*snapshot, &snapshot.chunks(&docs)?)?;
            drop(snapshot);
            self.apply(index, changes)?;
            if on_progress(&reconcile::Progress::default()) == ControlFlow::Break(()) {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    }

    fn embed(
        &self,
        embedder: &dyn Embedder,
        snapshot: &dyn Snapshot,
        chunks: &[Arc<StoredChunk>],
    ) -> Result<Vec<Change>, Error> {
        let texts: Vec<String> =
            chunks.iter().map(|chunk| derive::embedded_text(&chunk.context, &chunk.text)).collect();
        let keys: Vec<CacheKey> = texts.iter().map(|text| cache_key(embedder, text)).collect();
        let known =
            if self.settings.cache.enabled { snapshot.cached(&keys)? } else { vec![None; keys.len()] };
        let missing: Vec<usize> = (0..texts.len()).filter(|&at| known[at].is_none()).collect();
        let asked: Vec<&str> = missing.iter().map(|&at| texts[at].as_str()).collect();
        let answers = if asked.is_empty() { Vec::new() } else { embedder.embed(Role::Document, &asked)? };
        let mut found: Vec<Embedding> =
            known.into_iter().map(|vector| vector.map_or(Embedding::Blank, Embedding::Vector)).collect();
        let mut changes = Vec::new();
        for (at, vector) in missing.into_iter().zip(answers) {
            let Some(vector) = vector else { continue };
            let vector = vector.into_values();
            if self.settings.cache.enabled {
                let now_ms = self.clock.now().as_millisecond();
                changes.push(Change::Cache { key: keys[at].clone(), vector: vector.clone(), now_ms });
            }
            found[at] = Embedding::Vector(vector);
        }
        let embeddings =
            chunks.iter().zip(found).map(|(chunk, e)| (chunk.doc, chunk.id.clone(), e)).collect();
        if self.settings.cache.enabled {
            changes.push(Change::PruneCache { keep: self.settings.cache.max_entries });
        }
        changes.push(Change::Embed { model: embedder.space().model.clone(), embeddings });
        Ok(changes)
    }

    /// Hybrid search over the notes as they are now.
    pub fn search(&self, request: &Request, why_not: Option<&Place>) -> Result<Response, Error> {
        if !self.settings.enabled {
            return Err(Error::Disabled { agent: self.settings.agent.to_string() });
        }
        let mut plan = search::plan(request, &self.settings, clock::day_of(self.clock.now()))?;
        let stale = self.freshen()?;
        let mut degraded = Vec::new();
        let vector = self.query_vector(&plan, &mut degraded);
        let answer = self.mending(|| {
            let index = self.index()?;
            let snapshot = index.snapshot_until(Instant::now() + self.settings.query.deadline)?;
            search::answer(&*snapshot, &plan, vector.as_deref(), why_not)
        });
        let answer = match answer {
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => return Err(Error::Index(error)),
            other => other?,
        };
        if vector.is_none() && plan.mode == Mode::Hybrid {
            plan.mode = Mode::Keyword;
        }
        let mode = plan.mode;
        Ok(Response {
            plan,
            answer,
            mode,
            provider: self.provider(),
            model: self.model(),
            degraded,
            stale,
            notices: self.notices(),
        })
    }

    /// Makes sure that a note saved a moment ago is found. A workspace that is away leaves the old index to answer.
    fn freshen(&self) -> Result<Option<String>, Error> {
        if !self.settings.sync.on_search {
            return Ok(None);
        }
        if self.is_settled() {
            return Ok(None);
        }
        match self.sync(&mut |_| ControlFlow::Continue(())) {
            Ok(report) if report.held > 0 => Ok(Some(format!(
                "{} notes vanished from the workspace at once and are still answered from the index",
                report.held
            ))),
            Ok(_) => Ok(None),
            Err(Error::Workspace(error @ workspace::Error::RootMissing { .. })) if self.has_notes()? => {
                Ok(Some(error.to_string()))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether there is nothing to do. Trouble is left to `sync`, which reports or mends it.
    fn is_settled(&self) -> bool {
        let look = || -> Result<bool, Error> {
            let index = self.index()?;
            let snapshot = index.snapshot()?;
            let known = snapshot.meta(fingerprint::KEY)?;
            Ok(known.as_deref().and_then(Fingerprint::parse) == Some(self.fingerprint()?)
                && reconcile::is_settled(&self.workspace()?, &*snapshot)?
                && (self.is_embedded() || snapshot.unembedded(1)?.is_empty()))
        };
        look().unwrap_or(false)
    }

    fn has_notes(&self) -> Result<bool, Error> {
        Ok(self.note_count()? > 0)
    }

    /// How many notes the index holds.
    pub fn note_count(&self) -> Result<u64, Error> {
        Ok(self.index()?.snapshot()?.stats()?.notes.iter().map(|(_, count)| count).sum())
    }

    fn query_vector(&self, plan: &Plan, degraded: &mut Vec<String>) -> Option<Vec<f32>> {
        if plan.mode == Mode::Keyword {
            return None;
        }
        let embedder = self.embedder.as_deref()?;
        match embedder.embed(Role::Query, &[&plan.text]) {
            Ok(vectors) => vectors.into_iter().flatten().next().map(mindfile_model::Vector::into_values),
            Err(error) => {
                degraded.push(format!("meaning: {error}"));
                None
            }
        }
    }
}

/// A rebuild that was interrupted goes on, unless it was made for other settings.
fn open_aside(path: &std::path::Path, wanted: &Fingerprint) -> Result<SqliteIndex, Error> {
    if let Ok(aside) = SqliteIndex::open(path, VectorEngine::Scan) {
        let known = aside.snapshot()?.meta(fingerprint::KEY)?;
        if known.as_deref().and_then(Fingerprint::parse).as_ref() == Some(wanted) {
            return Ok(aside);
        }
    }
    store::delete_database(path)?;
    Ok(SqliteIndex::open(path, VectorEngine::Scan)?)
}

fn cache_key(embedder: &dyn Embedder, text: &str) -> CacheKey {
    let space = embedder.space();
    CacheKey {
        provider: space.provider.clone(),
        model: space.model.clone(),
        provider_key: Digest::of(space.endpoint.as_bytes()).to_string(),
        hash: Digest::of(text.as_bytes()),
    }
}
