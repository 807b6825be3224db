//! Vectors that are not made in the same pass as the words: those of a provider. Chunks wait in the index, and nothing
//! that was embedded before is embedded again.
//!
//! Whatever arrives is in the index and in the cache before the next answer is looked at, so that a kill, an error or a
//! person who has enough loses no more than the requests under way.

mod estimate;
mod jobs;
pub mod refused;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{CacheKey, Change, Doc, Embedding, Index, StoredChunk};
use mindfile_model::{Embedder, Error as ModelError, Outcome, Space, Spending, Vector};
use mindfile_note::hash::Digest;

pub use estimate::{Estimate, cost, estimate, price};

use crate::corpus::Corpus;
use crate::derive;
use crate::error::Error;
use crate::fingerprint::{self, Fingerprint};
use crate::known_spaces;
use crate::reconcile::read_at;
use crate::report::{NewVectors, OnProgress, Problem, Progress, Report};
use crate::transcripts::held;
use mindfile_settings::Maker;

/// How many chunks are looked at together: enough to fill several requests, few enough to be in memory.
const WAVE: usize = 1_024;
/// How many vectors of the cache give way in one step.
const PRUNED_AT_ONCE: u64 = 512;
/// The key in `meta` of how often the cache had what was asked for, and how often not.
pub const CACHE_USE: &str = "cache_use";

/// What an embedding run works with.
struct EmbeddingRun<'a, 'b> {
    /// The first is filled; the caches of all are asked.
    indexes: &'a [&'a dyn Index],
    until: Option<Instant>,
    on_progress: &'a mut OnProgress<'b>,
    made: NewVectors,
    problems: Vec<Problem>,
    /// Chunks that had no vector when it began.
    of: usize,
    /// The space of the index, as the cache names it.
    space: String,
    /// Chunks that are not embedded yet on purpose.
    held: HashSet<Doc>,
    /// How often something had been forgotten when the texts were read.
    read_at: u64,
}

impl<'a, 'b> EmbeddingRun<'a, 'b> {
    fn new(
        indexes: &'a [&'a dyn Index],
        until: Option<Instant>,
        on_progress: &'a mut OnProgress<'b>,
    ) -> Self {
        Self {
            indexes,
            until,
            on_progress,
            made: NewVectors::default(),
            problems: Vec::new(),
            of: 0,
            space: String::new(),
            held: HashSet::new(),
            read_at: 0,
        }
    }

    fn go_on(&mut self) -> ControlFlow<()> {
        let embedded = self.made.embedded + self.made.from_cache;
        (self.on_progress)(&Progress { embedded, of_embedded: self.of, ..Progress::default() })
    }
}

/// Chunks with the same text, which are embedded once.
struct Text {
    text: String,
    key: CacheKey,
    chunks: Vec<Arc<StoredChunk>>,
}

/// Embeds what has no vector yet in the first index; the caches of all are asked. What was made before it failed is
/// counted all the same.
pub(crate) fn run(
    corpus: &Corpus,
    indexes: &[&dyn Index],
    until: Option<Instant>,
    on_progress: &mut OnProgress<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    let mut run = EmbeddingRun::new(indexes, until, on_progress);
    let ended = pending_chunks(corpus, &mut run);
    report.made = run.made;
    report.problems.append(&mut run.problems);
    ended
}

fn pending_chunks(corpus: &Corpus, run: &mut EmbeddingRun<'_, '_>) -> Result<(), Error> {
    let Some(embedder) = corpus.space().embedder.as_deref().filter(|_| !corpus.is_embedded()) else {
        return Ok(());
    };
    let Some(&index) = run.indexes.first() else { return Ok(()) };
    let snapshot = index.snapshot()?;
    run.held = held::held_back(corpus, &*snapshot)?;
    run.of = snapshot.unembedded(usize::MAX >> 1)?.len() - run.held.len();
    let print = snapshot.meta(fingerprint::KEY)?.as_deref().and_then(Fingerprint::parse);
    run.space = print.as_ref().map(known_spaces::cache_name).unwrap_or_default();
    drop(snapshot);
    if run.of == 0 {
        return Ok(());
    }
    let before = embedder.spent();
    let came =
        jobs::run(corpus, embedder, index, run).and_then(|()| embed_waves(corpus, embedder, index, run));
    let after = embedder.spent();
    run.made.spent += Spending {
        requests: after.requests - before.requests,
        texts: after.texts - before.texts,
        tokens: after.tokens - before.tokens,
    };
    run.made.spent += run.made.by_jobs;
    if run.made.embedded > 0 && corpus.settings.requested_provider == "auto" {
        say_where(corpus, embedder);
    }
    came
}

/// Nobody asked for this provider by name, so that it is said where notes go.
fn say_where(corpus: &Corpus, embedder: &dyn Embedder) {
    let Space { provider, endpoint, .. } = embedder.space();
    if matches!(corpus.space().maker, Maker::Service(_)) {
        corpus.space().store.note(format!(
            "provider \"auto\" found a key for {provider}: text of notes was sent to {endpoint} (mindfile config set \
             provider embedded keeps it here)"
        ));
    }
}

fn embed_waves(
    corpus: &Corpus,
    embedder: &dyn Embedder,
    index: &dyn Index,
    run: &mut EmbeddingRun<'_, '_>,
) -> Result<(), Error> {
    loop {
        if run.made.waiting_jobs > 0 {
            return Ok(());
        }
        let chunks = pending(index, WAVE, run)?;
        if chunks.is_empty() {
            return Ok(());
        }
        let missing = take_known(corpus, embedder, index, chunks, run)?;
        let came = ask(corpus, embedder, index, &missing, run);
        prune(corpus, index)?;
        came?;
        if run.go_on() == ControlFlow::Break(()) {
            return Err(Error::Interrupted);
        }
    }
}

/// Gives chunks the vectors that are known, and returns the texts of the others.
fn take_known(
    corpus: &Corpus,
    embedder: &dyn Embedder,
    index: &dyn Index,
    chunks: Vec<Arc<StoredChunk>>,
    run: &mut EmbeddingRun<'_, '_>,
) -> Result<Vec<Text>, Error> {
    let texts = grouped(embedder, &run.space, chunks);
    let keys: Vec<CacheKey> = texts.iter().map(|text| text.key.clone()).collect();
    let known = cached(corpus, &keys, run.indexes)?;
    let mut changes = vec![cache_use(index, known.iter().filter(|v| v.is_some()).count(), keys.len())?];
    let mut missing = Vec::new();
    for (text, vector) in texts.into_iter().zip(known) {
        match vector {
            Some(vector) => {
                run.made.from_cache += text.chunks.len();
                changes.extend(changes_of(corpus, embedder, &text, Embedding::Vector(vector)));
            }
            None => missing.push(text),
        }
    }
    corpus.apply_read(index, changes, Some(run.read_at))?;
    Ok(missing)
}

/// Vectors that were not used for the longest time give way, a few at a time.
pub(crate) fn prune(corpus: &Corpus, index: &dyn Index) -> Result<(), Error> {
    let keep = corpus.settings.cache.max_entries;
    let most = PRUNED_AT_ONCE;
    while corpus.settings.cache.enabled && index.snapshot()?.stats()?.cache_entries > keep {
        corpus.apply(index, vec![Change::PruneCache { keep, most }])?;
    }
    Ok(())
}

fn ask(
    corpus: &Corpus,
    embedder: &dyn Embedder,
    index: &dyn Index,
    texts: &[Text],
    run: &mut EmbeddingRun<'_, '_>,
) -> Result<(), Error> {
    if texts.is_empty() {
        return Ok(());
    }
    let asked: Vec<&str> = texts.iter().map(|text| text.text.as_str()).collect();
    let mut failure = None;
    let came = embedder.embed_each(&asked, run.until, &mut |answers| {
        let kept = keep(corpus, embedder, index, answers.into_iter().map(|(at, o)| (&texts[at], o)), run);
        match kept.map(|()| run.go_on()) {
            Ok(ControlFlow::Continue(())) => return ControlFlow::Continue(()),
            Ok(ControlFlow::Break(())) => failure = Some(Error::Interrupted),
            Err(error) => failure = Some(error),
        }
        ControlFlow::Break(())
    });
    match (failure, came) {
        (Some(failure), _) => Err(failure),
        (None, Err(ModelError::Stopped)) => Err(Error::Interrupted),
        (None, came) => Ok(came?),
    }
}

/// Puts answers into the index and the cache, in one step.
fn keep<'t>(
    corpus: &Corpus,
    embedder: &dyn Embedder,
    index: &dyn Index,
    answers: impl Iterator<Item = (&'t Text, Outcome)>,
    run: &mut EmbeddingRun<'_, '_>,
) -> Result<(), Error> {
    let mut changes = Vec::new();
    let mut refusals = Vec::new();
    for (text, outcome) in answers {
        let embedding = match outcome {
            Outcome::Vector(vector) => Embedding::Vector(Vector::into_values(vector)),
            Outcome::Cut { vector, kept } => {
                run.problems.extend(text.chunks.iter().map(|chunk| refused::cut(chunk, kept)));
                Embedding::Vector(vector.into_values())
            }
            Outcome::Blank => Embedding::Blank,
            Outcome::Refused(why) => {
                refusals.extend(text.chunks.iter().map(|chunk| refused::Refusal::of(chunk, &why)));
                Embedding::Blank
            }
        };
        run.made.embedded += text.chunks.len();
        changes.extend(changes_of(corpus, embedder, text, embedding));
    }
    run.problems.extend(refusals.iter().map(refused::Refusal::problem));
    changes.extend(refused::remember(index, refusals)?);
    corpus.apply_read(index, changes, Some(run.read_at))
}

fn changes_of(corpus: &Corpus, embedder: &dyn Embedder, text: &Text, embedding: Embedding) -> Vec<Change> {
    let now_ms = corpus.clock.now().as_millisecond();
    let cached = embedding.vector().filter(|_| corpus.settings.cache.enabled);
    let mut changes: Vec<Change> = cached
        .map(|vector| Change::Cache { key: text.key.clone(), vector: vector.to_vec(), now_ms })
        .into_iter()
        .collect();
    let embeddings =
        text.chunks.iter().map(|chunk| (chunk.doc, chunk.id.clone(), embedding.clone())).collect();
    changes.push(Change::Embed { model: embedder.space().model.clone(), embeddings });
    changes
}

fn cached(
    corpus: &Corpus,
    keys: &[CacheKey],
    indexes: &[&dyn Index],
) -> Result<Vec<Option<Vec<f32>>>, Error> {
    let mut known = vec![None; keys.len()];
    for index in indexes.iter().filter(|_| corpus.settings.cache.enabled) {
        let found = index.snapshot()?.cached(keys)?;
        known = known.into_iter().zip(found).map(|(before, found)| before.or(found)).collect();
    }
    Ok(known)
}

fn cache_use(index: &dyn Index, hits: usize, asked: usize) -> Result<Change, Error> {
    let known = index.snapshot()?.meta(CACHE_USE)?;
    let (before, of) = known.as_deref().and_then(parse_use).unwrap_or_default();
    let value = format!("{} {}", before + hits as u64, of + asked as u64);
    Ok(Change::Meta { key: CACHE_USE.to_owned(), value })
}

/// How often the cache had what was asked for, and how often it was asked.
pub fn parse_use(text: &str) -> Option<(u64, u64)> {
    let (hits, asked) = text.split_once(' ')?;
    Some((hits.parse().ok()?, asked.parse().ok()?))
}

fn pending(
    index: &dyn Index,
    limit: usize,
    run: &mut EmbeddingRun<'_, '_>,
) -> Result<Vec<Arc<StoredChunk>>, Error> {
    let snapshot = index.snapshot()?;
    run.read_at = read_at(&*snapshot)?;
    let held = &run.held;
    let mut docs: Vec<Doc> = snapshot.unembedded(limit.saturating_add(held.len()).min(usize::MAX >> 1))?;
    docs.retain(|doc| !held.contains(doc));
    docs.truncate(limit);
    Ok(snapshot.chunks(&docs)?)
}

/// Chunks by what is embedded of them, in the order of the first of each.
fn grouped(embedder: &dyn Embedder, space: &str, chunks: Vec<Arc<StoredChunk>>) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let mut places: HashMap<Digest, usize> = HashMap::new();
    for chunk in chunks {
        let text = derive::embedded_text(&chunk.context, &chunk.text);
        let key = cache_key(embedder, space, &text);
        let place = *places.entry(key.hash).or_insert(texts.len());
        match texts.get_mut(place) {
            Some(same) => same.chunks.push(chunk),
            None => texts.push(Text { text, key, chunks: vec![chunk] }),
        }
    }
    texts
}

fn cache_key(embedder: &dyn Embedder, space: &str, text: &str) -> CacheKey {
    let Space { provider, model, .. } = embedder.space();
    CacheKey {
        provider: provider.clone(),
        model: model.clone(),
        provider_key: space.to_owned(),
        hash: Digest::of(text.as_bytes()),
    }
}
