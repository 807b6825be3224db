//! The state of a memory: what is on the disk, what the index knows of it, and which engines are in use and why.
//!
//! Looking changes nothing: no index is made or set aside, and nothing in the workspace is touched. What cannot be
//! inspected becomes part of the answer, not an error.

mod content;
mod deep;
pub(crate) mod drift;
pub(crate) mod files;
pub(crate) mod fit;
mod look;
pub(crate) mod survey;
pub(crate) mod words;

use std::path::PathBuf;

use mindfile_index::Source;

use crate::Error;
use mindfile::Corpus;
use mindfile::backend::Outage;
use mindfile::fact::diagnostics::Diagnostic;
use mindfile::fallback::Fallback;
use mindfile::forget;
use mindfile::lookout::Blind;
use mindfile::report::Problem;
use mindfile::session;
use mindfile::wording;
use mindfile_settings::{BackendName, Engine, ExtraPath, Settings, SwitchedOff};
use mindfile_workspace::{self as workspace, PrivateForm, Scan, SkippedPath, Workspace};

pub(crate) use content::Content;
pub use deep::{Check, Deep};
pub use drift::Drift;
pub use files::{FileSize, Rebuild, Sizes};
pub use fit::{Field, Fit};
pub use look::IndexState;
pub(crate) use look::{Facts, IndexInspection, look};

#[derive(Debug, Clone, PartialEq)]
pub struct Status {
    pub agent: String,
    /// Why this agent has no memory; none where it has.
    pub off: Option<SwitchedOff>,
    pub workspace: NotesFolder,
    pub index: IndexFile,
    pub search: SearchEngines,
    pub counts: Counts,
    /// What is wrong with the facts as a whole, each with what to do.
    pub diagnostics: Vec<Diagnostic>,
    /// What a sync would change.
    pub drift: Drift,
    /// Why answers may be older than the notes, or not as good as they could be.
    pub stale: Vec<String>,
    pub problems: Vec<Problem>,
    pub notices: Vec<String>,
    pub deep: Option<Deep>,
}

/// The folder of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotesFolder {
    pub root: PathBuf,
    pub presence: Presence,
    pub extra_paths: Vec<ExtraPath>,
    /// None where there are no private notes.
    pub private: Option<PrivateNotes>,
    pub skipped: Vec<SkippedPath>,
    /// Hidden files of interrupted writes.
    pub leftovers: Vec<String>,
    /// Why every question looks at all notes; none where a watch of this process tells of changes.
    pub walked: Option<Blind>,
}

/// Who searches, and by what.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchEngines {
    pub embeddings: Embeddings,
    pub cache: EmbeddingCache,
    pub vectors: VectorSearch,
    pub words: WordSearch,
    /// None where QMD is not the engine.
    pub qmd: Option<mindfile_qmd::State>,
    /// Engines that fail, or did so the last time before they came back.
    pub outages: Vec<Outage>,
}

/// How much there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    pub sources: Vec<SourceCount>,
    pub chunks: Chunks,
    pub facts: FactCount,
}

/// Notes in `memory/private/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateNotes {
    pub encrypted: usize,
    /// Not encrypted yet.
    pub clear: usize,
    /// Why the encrypted ones cannot be opened; none if they can.
    pub closed: Option<String>,
}

/// Whether the workspace is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Presence {
    There,
    Missing,
    Unusable(String),
}

/// What answers searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFile {
    /// The engine that keeps the index.
    pub engine: BackendName,
    /// The engine with its version, where it answers.
    pub version: Option<String>,
    /// Where it is; no password is in it.
    pub place: String,
    /// The built-in engine's file, also where another one keeps the index.
    pub path: PathBuf,
    /// Why it is not the file that the settings name.
    pub why: Option<String>,
    pub state: IndexState,
    pub generation: Option<u64>,
    pub journal_mode: Option<String>,
    pub sizes: Sizes,
    pub sqlite: &'static str,
    /// Whether it was built with the settings of today.
    pub fit: Fit,
    /// Indexes that were taken out of use.
    pub aside: Vec<FileSize>,
    pub rebuild: Option<Rebuild>,
}

/// Who makes vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embeddings {
    pub requested: String,
    pub used: String,
    pub model: String,
    pub dims: Option<usize>,
    /// Why the one in use is not the one that was asked for.
    pub fallback: Option<Fallback>,
    /// Whether batch jobs are wanted and the provider has them.
    pub jobs: bool,
}

/// What ranks by meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorSearch {
    pub enabled: bool,
    pub engine: Engine,
    /// Of the vectors in the index.
    pub dims: Option<usize>,
    pub why: String,
}

/// What ranks by words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WordSearch {
    pub available: bool,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceCount {
    pub source: Source,
    pub indexed: u64,
    /// Not known while the workspace is away.
    pub on_disk: Option<u64>,
    pub chunks: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chunks {
    pub total: u64,
    pub embedded: u64,
    /// Not embedded yet.
    pub pending: u64,
}

/// Fact lines, and whom they are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FactCount {
    pub facts: u64,
    pub entities: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddingCache {
    pub enabled: bool,
    pub max_entries: u64,
    pub entries: u64,
    pub bytes: u64,
    /// How often a vector was looked for, and how often it was there.
    pub asked: u64,
    pub hits: u64,
}

impl Status {
    /// Who answers in the place of the engine that was asked for, while that one fails.
    pub fn instead(&self) -> Option<Fallback> {
        let asked = self.index.engine.as_str();
        let on = self.search.outages.iter().find(|outage| outage.engine == asked && outage.is_on());
        on.map(|outage| outage.fallback(BackendName::Builtin.as_str()))
    }

    /// Whether a sync would change anything.
    pub fn is_dirty(&self) -> bool {
        self.drift.is_dirty()
    }
}

/// How this memory stands. `deep` checks everything that can be checked, which takes as long as reading all of it.
pub fn of(corpus: &Corpus, deep: bool) -> Result<Status, Error> {
    let seen = see(corpus);
    let mut looked = look(corpus.settings());
    let facts = looked.facts();
    let fit = fit::compare(corpus, facts.as_ref(), deep);
    let drift = drift::compare(seen.both(), facts.as_ref().map_or(&[], |facts| facts.notes.as_slice()));
    let is_deep = deep;
    let deep = deep.then(|| deep::check(corpus, &mut looked, facts.as_ref(), &seen));
    let stale = words::stale(&seen.presence, &looked.state, &drift, &fit, pending(corpus, facts.as_ref()));
    let mut problems =
        seen.both().map_or_else(Vec::new, |(workspace, scan)| content::problems(workspace, scan, &drift));
    problems.extend(facts.iter().flat_map(|facts| facts.refused.clone()));
    let settings = corpus.settings();
    let mut vectors = vectors(corpus, facts.as_ref());
    let mut by_words = words::by_words(&looked.state);
    if let Some(index) = looked.open.as_deref().filter(|index| index.file().is_none()) {
        let how = format!("compared in {}", index.version());
        vectors.why = index.without_meaning().unwrap_or(how);
        by_words.why = format!("ranked by BM25, in {}", index.version());
    }
    let diagnostics =
        survey::diagnostics(corpus, &mut looked, &seen, if is_deep { survey::MANY } else { survey::SOME });
    Ok(Status {
        agent: settings.agent.to_string(),
        off: settings.off.clone(),
        search: SearchEngines {
            embeddings: embeddings(corpus, facts.as_ref()),
            cache: cache(corpus, facts.as_ref()),
            vectors,
            words: by_words,
            qmd: mindfile_qmd::state(corpus),
            outages: corpus.outages.known(),
        },
        counts: counts(settings, &seen, facts.as_ref()),
        diagnostics,
        index: index_file(looked, facts.as_ref(), fit)?,
        drift,
        stale,
        workspace: notes_folder(corpus, seen),
        problems,
        notices: all_notices(corpus),
        deep,
    })
}

fn notes_folder(corpus: &Corpus, seen: WorkspaceInspection) -> NotesFolder {
    let settings = corpus.settings();
    NotesFolder {
        root: settings.workspace.clone(),
        extra_paths: settings.extra_paths.clone(),
        private: private_notes(corpus, &seen),
        leftovers: seen.leftovers(),
        walked: corpus.lookout.blind(),
        skipped: seen.scan.map_or_else(Vec::new, |scan| scan.skipped),
        presence: seen.presence,
    }
}

fn counts(settings: &Settings, seen: &WorkspaceInspection, facts: Option<&Facts>) -> Counts {
    let stats = facts.map(|facts| &facts.stats);
    Counts {
        sources: sources(settings, seen, facts),
        chunks: chunks(facts),
        facts: stats.map_or_else(FactCount::default, |stats| FactCount {
            facts: stats.facts,
            entities: stats.entities,
        }),
    }
}

fn all_notices(corpus: &Corpus) -> Vec<String> {
    let pending = forget::forgetting(corpus).into_iter();
    let pending =
        pending.map(|why| format!("something is not forgotten everywhere yet: {why}; the next sync goes on"));
    corpus.notices().into_iter().chain(pending).collect()
}

/// The workspace as it is, or why it cannot be seen.
pub(crate) fn see(corpus: &Corpus) -> WorkspaceInspection {
    let opened = corpus.workspace();
    let found = opened.and_then(|workspace| Ok((workspace.scan()?, workspace)));
    match found {
        Ok((scan, workspace)) => {
            WorkspaceInspection { presence: Presence::There, workspace: Some(workspace), scan: Some(scan) }
        }
        Err(error) => WorkspaceInspection { presence: presence(&error), workspace: None, scan: None },
    }
}

fn private_notes(corpus: &Corpus, seen: &WorkspaceInspection) -> Option<PrivateNotes> {
    let notes = seen.workspace.as_ref()?.private_notes().ok().filter(|notes| !notes.is_empty())?;
    let encrypted = notes.iter().filter(|note| note.kept == PrivateForm::Encrypted).count();
    let closed = corpus.vault.keys().err().filter(|_| encrypted > 0).map(|error| wording::with_cause(&error));
    Some(PrivateNotes { encrypted, clear: notes.len() - encrypted, closed })
}

/// How many chunks wait for a vector that someone could make.
pub(crate) fn pending(corpus: &Corpus, facts: Option<&Facts>) -> u64 {
    facts.filter(|_| corpus.space().embedder.is_some()).map_or(0, |facts| facts.pending)
}

fn embeddings(corpus: &Corpus, facts: Option<&Facts>) -> Embeddings {
    let requested = corpus.settings().requested_provider.clone();
    let failed = facts.and_then(|facts| facts.failure.clone()).filter(|_| !corpus.is_embedded());
    let spare = corpus.spare();
    let answering = match (&spare, &failed) {
        (Some(spare), Some(_)) => spare,
        (Some(_) | None, _) => corpus,
    };
    let dims = answering.space().embedder.as_ref().map(|embedder| embedder.space().dims);
    let jobs = answering.space().embedder.as_ref().is_some_and(|embedder| embedder.jobs().is_some());
    Embeddings {
        used: answering.provider(),
        model: answering.model(),
        dims: dims.filter(|dims| *dims > 0),
        fallback: failed.or_else(|| words::fallback(&requested, &corpus.provider())),
        jobs: jobs && corpus.settings().embedding.jobs.enabled,
        requested,
    }
}

fn vectors(corpus: &Corpus, facts: Option<&Facts>) -> VectorSearch {
    let enabled = corpus.space().embedder.is_some();
    VectorSearch {
        enabled,
        engine: corpus.settings().vector.engine,
        dims: facts.and_then(|facts| facts.stats.dims),
        why: words::by_meaning(&corpus.settings().vector, enabled),
    }
}

fn cache(corpus: &Corpus, facts: Option<&Facts>) -> EmbeddingCache {
    let cache = &corpus.settings().cache;
    EmbeddingCache {
        enabled: cache.enabled,
        max_entries: cache.max_entries,
        hits: facts.map_or(0, |facts| facts.cache_use.0),
        asked: facts.map_or(0, |facts| facts.cache_use.1),
        entries: facts.map_or(0, |facts| facts.stats.cache_entries),
        bytes: facts.map_or(0, |facts| facts.about.cache_bytes),
    }
}

/// One look at the workspace.
pub(crate) struct WorkspaceInspection {
    pub(crate) presence: Presence,
    workspace: Option<Workspace>,
    scan: Option<Scan>,
}

impl WorkspaceInspection {
    pub(crate) fn both(&self) -> Option<(&Workspace, &Scan)> {
        self.workspace.as_ref().zip(self.scan.as_ref())
    }

    fn leftovers(&self) -> Vec<String> {
        let leftovers = self.scan.iter().flat_map(|scan| &scan.leftovers);
        leftovers.map(workspace::Leftover::path).collect()
    }
}

fn presence(error: &mindfile::Error) -> Presence {
    if matches!(error, mindfile::Error::Workspace(workspace::Error::RootMissing { .. })) {
        return Presence::Missing;
    }
    Presence::Unusable(wording::with_cause(error))
}

fn sources(settings: &Settings, seen: &WorkspaceInspection, facts: Option<&Facts>) -> Vec<SourceCount> {
    let count =
        |counts: &[(Source, u64)], source| counts.iter().find(|(s, _)| *s == source).map_or(0, |(_, n)| *n);
    let on_disk = |source| match source {
        Source::Memory => seen.scan.as_ref().map(|scan| scan.files.len() as u64),
        Source::Sessions => session::of(settings).list().ok().map(|found| found.len() as u64),
    };
    let counted = settings.sources.iter().map(|&source| SourceCount {
        source,
        indexed: facts.map_or(0, |facts| count(&facts.stats.notes, source)),
        on_disk: on_disk(source),
        chunks: facts.map_or(0, |facts| count(&facts.stats.chunks, source)),
    });
    counted.collect()
}

fn chunks(facts: Option<&Facts>) -> Chunks {
    facts.map_or_else(Chunks::default, |facts| Chunks {
        total: facts.stats.chunks.iter().map(|(_, count)| count).sum(),
        embedded: facts.stats.embedded,
        pending: facts.pending,
    })
}

fn index_file(looked: IndexInspection, facts: Option<&Facts>, fit: Fit) -> Result<IndexFile, Error> {
    let about = facts.map(|facts| facts.about.clone()).unwrap_or_default();
    let sizes = match looked.engine.is_file() {
        true => files::sizes(&looked.path, about.reusable_bytes)?,
        false => Sizes { index: about.bytes, wal: 0, reusable: about.reusable_bytes },
    };
    Ok(IndexFile {
        sizes,
        fit,
        aside: files::aside(&looked.path)?,
        rebuild: files::rebuild(&looked.path)?,
        engine: looked.engine,
        version: looked.open.as_ref().map(|index| index.version()),
        place: looked.place,
        path: looked.path,
        why: looked.why,
        state: looked.state,
        generation: facts.map(|facts| facts.generation),
        journal_mode: about.journal_mode,
        sqlite: mindfile_index::sqlite_version(),
    })
}
