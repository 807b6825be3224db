//! Vectors that are not made in the same pass as the words: those of a provider. Chunks wait in the index, and nothing
//! that was embedded before is embedded again.

use std::ops::ControlFlow;
use std::sync::Arc;

use mindfile_index::{CacheKey, Change, Doc, Embedding, Index, StoredChunk};
use mindfile_model::{Embedder, Role};
use mindfile_note::hash::Digest;

use crate::derive;
use crate::error::Error;
use crate::memory::Memory;
use crate::reconcile::{self, OnProgress};

/// How many chunks go to a provider in one call.
const EMBED_BATCH: usize = 64;

impl Memory {
    /// Embeds what has no vector yet in the first index. Nothing that was embedded before, in that index or in the cache
    /// of any of them, is embedded again.
    pub(crate) fn embed_pending(
        &self,
        indexes: &[&dyn Index],
        on_progress: &mut OnProgress<'_>,
    ) -> Result<(), Error> {
        let Some(embedder) = self.embedder.as_deref().filter(|_| !self.is_embedded()) else { return Ok(()) };
        let Some(index) = indexes.first() else { return Ok(()) };
        loop {
            let snapshot = index.snapshot()?;
            let docs: Vec<Doc> = snapshot.unembedded(EMBED_BATCH)?;
            if docs.is_empty() {
                return Ok(());
            }
            let chunks = snapshot.chunks(&docs)?;
            drop(snapshot);
            self.apply(*index, self.embed(embedder, &chunks, indexes)?)?;
            if on_progress(&reconcile::Progress::default()) == ControlFlow::Break(()) {
                return Err(Error::Interrupted);
            }
        }
    }

    fn embed(
        &self,
        embedder: &dyn Embedder,
        chunks: &[Arc<StoredChunk>],
        indexes: &[&dyn Index],
    ) -> Result<Vec<Change>, Error> {
        let texts: Vec<String> =
            chunks.iter().map(|chunk| derive::embedded_text(&chunk.context, &chunk.text)).collect();
        let keys: Vec<CacheKey> = texts.iter().map(|text| cache_key(embedder, text)).collect();
        let mut vectors = self.cached(&keys, indexes)?;
        let missing: Vec<usize> = (0..texts.len()).filter(|&at| vectors[at].is_none()).collect();
        let asked: Vec<&str> = missing.iter().map(|&at| texts[at].as_str()).collect();
        let answers =
            if asked.is_empty() { Vec::new() } else { embedder.embed(Role::Document, &asked, None)? };
        for (at, vector) in missing.into_iter().zip(answers) {
            vectors[at] = vector.map(mindfile_model::Vector::into_values);
        }
        let mut changes = Vec::new();
        if self.settings.cache.enabled {
            let now_ms = self.clock.now().as_millisecond();
            let known = keys.into_iter().zip(vectors.iter().cloned());
            changes.extend(known.filter_map(|(key, v)| Some(Change::Cache { key, vector: v?, now_ms })));
            changes.push(Change::PruneCache { keep: self.settings.cache.max_entries });
        }
        let embedding = |vector: Option<Vec<f32>>| vector.map_or(Embedding::Blank, Embedding::Vector);
        let embeddings = chunks
            .iter()
            .zip(vectors)
            .map(|(chunk, v)| (chunk.doc, chunk.id.clone(), embedding(v)))
            .collect();
        changes.push(Change::Embed { model: embedder.space().model.clone(), embeddings });
        Ok(changes)
    }

    fn cached(&self, keys: &[CacheKey], indexes: &[&dyn Index]) -> Result<Vec<Option<Vec<f32>>>, Error> {
        let mut known = vec![None; keys.len()];
        for index in indexes.iter().filter(|_| self.settings.cache.enabled) {
            let found = index.snapshot()?.cached(keys)?;
            known = known.into_iter().zip(found).map(|(before, found)| before.or(found)).collect();
        }
        Ok(known)
    }
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
