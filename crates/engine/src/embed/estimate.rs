//! What a sync would ask of a provider, before anything is asked or written.

use std::collections::HashSet;

use mindfile_index::{CacheKey, Snapshot, single};
use mindfile_model::provider::catalog;
use mindfile_model::{Embedder, Space, Spending};
use mindfile_settings::Maker;
use mindfile_workspace::NOTE_LIMIT;

use super::cache_key;
use crate::corpus::Corpus;
use crate::derive::{self, AlreadyEmbedded, VectorTiming};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::fit;
use crate::known_spaces;
use crate::reconcile;
use crate::store::Existing;

/// What it would take.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    pub provider: String,
    pub model: String,
    pub notes: usize,
    /// Chunks without a vector, those of the embedded model left out.
    pub chunks: usize,
    /// Of these, the ones whose vector is in the cache.
    pub cached: usize,
    pub spent: Spending,
    /// In US dollars; none where the price is not known.
    pub cost: Option<f64>,
    /// What a million tokens cost, and as of when, where the built-in table says it.
    pub price: Option<(f64, Option<&'static str>)>,
}

/// What a sync would ask of a provider; nobody is asked, and nothing is changed.
pub fn estimate(corpus: &Corpus) -> Result<Estimate, Error> {
    let mut estimate = Estimate {
        provider: corpus.provider(),
        model: corpus.model(),
        notes: 0,
        chunks: 0,
        cached: 0,
        spent: Spending::default(),
        cost: None,
        price: price(corpus),
    };
    let Some(embedder) = corpus.space().embedder.as_deref().filter(|_| !corpus.is_embedded()) else {
        return Ok(estimate);
    };
    let opened = Existing::of(&corpus.settings).opened.unwrap_or_default();
    let snapshot = opened.as_ref().map(|index| index.snapshot()).transpose()?;
    let texts = unembedded_texts(corpus, snapshot.as_deref(), &mut estimate)?;
    let missing = missing(corpus, embedder, snapshot.as_deref(), &texts, &mut estimate)?;
    estimate.spent = embedder.estimate(&missing);
    estimate.cost = cost(corpus, estimate.spent.tokens, corpus.space().by_jobs);
    Ok(estimate)
}

/// The texts that a sync would want vectors for.
fn unembedded_texts(
    corpus: &Corpus,
    snapshot: Option<&dyn Snapshot>,
    estimate: &mut Estimate,
) -> Result<Vec<String>, Error> {
    let known = snapshot.map(|s| s.meta(crate::fingerprint::KEY)).transpose()?.flatten();
    let known = known.as_deref().and_then(Fingerprint::parse);
    let fits = known.as_ref().is_some_and(|known| fit::assumed(corpus, Some(known)).fits(known));
    let workspace = corpus.workspace()?;
    let scan = workspace.scan()?;
    estimate.notes = scan.files.len();
    let judge = corpus.judge()?;
    let mut texts = Vec::new();
    let mut unchanged = HashSet::new();
    for found in &scan.files {
        let Ok(read) = workspace.read(&found.path, NOTE_LIMIT) else { continue };
        let stored = reconcile::stored_note(&found.path, &read, corpus.clock.now());
        let same = match snapshot.filter(|_| fits) {
            Some(snapshot) => {
                single::note(snapshot, &stored.path)?.is_some_and(|known| known.hash == stored.hash)
            }
            None => false,
        };
        if same {
            unchanged.insert(stored.path);
            continue;
        }
        let chunking = &corpus.settings.chunking;
        let policy = &*corpus.policy;
        let making = derive::DeriveOptions { chunking, vectors: VectorTiming::Later, policy, judge: &judge };
        let note = derive::note(stored, &read.bytes, making, &AlreadyEmbedded::new());
        let chunks = note.chunks.iter().chain(note.facts.iter().map(|fact| &fact.chunk));
        texts.extend(chunks.map(|chunk| derive::embedded_text(&chunk.context, &chunk.text)));
    }
    if let Some(snapshot) = snapshot.filter(|_| fits) {
        let docs = snapshot.unembedded(usize::MAX >> 1)?;
        let pending = snapshot.chunks(&docs)?;
        let pending = pending.iter().filter(|chunk| unchanged.contains(&chunk.path));
        texts.extend(pending.map(|chunk| derive::embedded_text(&chunk.context, &chunk.text)));
    }
    Ok(texts)
}

/// Those of the texts, each once, that the cache does not have.
fn missing<'t>(
    corpus: &Corpus,
    embedder: &dyn Embedder,
    snapshot: Option<&dyn Snapshot>,
    texts: &'t [String],
    estimate: &mut Estimate,
) -> Result<Vec<&'t str>, Error> {
    estimate.chunks = texts.len();
    let space = snapshot.map(|snapshot| space(embedder, snapshot)).transpose()?.flatten().unwrap_or_default();
    let keys: Vec<CacheKey> = texts.iter().map(|text| cache_key(embedder, &space, text)).collect();
    let cached = match snapshot.filter(|_| corpus.settings.cache.enabled) {
        Some(snapshot) => snapshot.cached(&keys)?,
        None => vec![None; keys.len()],
    };
    estimate.cached = cached.iter().filter(|vector| vector.is_some()).count();
    let mut seen = HashSet::new();
    let each = texts.iter().zip(keys).zip(cached);
    let missing = each.filter(|((_, key), vector)| vector.is_none() && seen.insert(key.hash));
    Ok(missing.map(|((text, _), _)| text.as_str()).collect())
}

/// What a million tokens cost: as configured, or by the table and its date.
pub fn price(corpus: &Corpus) -> Option<(f64, Option<&'static str>)> {
    match (corpus.settings.embedding.price, &corpus.space().maker) {
        (Some(price), _) => Some((price, None)),
        // A server of one's own has a price of its own.
        (None, Maker::Service(service)) if !service.spec.needs_key => None,
        (None, Maker::Service(service)) => {
            catalog::price(&service.model).map(|price| (price, Some(catalog::PRICES_AS_OF)))
        }
        (None, Maker::Embedded | Maker::None | Maker::Local(_)) => None,
    }
}

/// What so many tokens cost; batch jobs are half as dear.
pub fn cost(corpus: &Corpus, tokens: u64, by_jobs: bool) -> Option<f64> {
    let (price, _) = price(corpus)?;
    let share = if by_jobs { 0.5 } else { 1.0 };
    Some(tokens as f64 / 1_000_000.0 * price * share)
}

/// The latest space of that name that the index has known.
fn space(embedder: &dyn Embedder, snapshot: &dyn Snapshot) -> Result<Option<String>, Error> {
    let Space { provider, model, endpoint, recipe, .. } = embedder.space();
    let same = |print: &&Fingerprint| {
        (&print.provider, &print.model, &print.endpoint, &print.recipe) == (provider, model, endpoint, recipe)
    };
    Ok(known_spaces::listed(snapshot)?.iter().rfind(same).map(known_spaces::cache_name))
}
