//! The only stage that reads: one snapshot, one ranked list a signal.

use mindfile_index::{Doc, Shelf, Snapshot, TermStat};

use super::plan::{Mode, Plan};
use crate::error::Error;

/// What each signal says of a chunk. None: the signal did not find it, or was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Signals {
    pub words: Option<f32>,
    /// The share of the query's weight that the chunk's words cover.
    pub coverage: f32,
    pub meaning: Option<f32>,
    /// The weight of the query's words that the chunk has in other forms, as far as these were looked for.
    pub forms: f32,
}

impl Signals {
    /// What the chunk has of the query's words, in whatever form.
    pub(super) fn worded(&self) -> Option<f32> {
        let worded = self.words.unwrap_or(0.0) + self.forms;
        (worded > 0.0).then_some(worded)
    }
}

#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Ordered by chunk.
    pub signals: Vec<(Doc, Signals)>,
    pub terms: Vec<TermStat>,
    /// Chunks in the index, as far as words were asked.
    pub chunks: usize,
    pub words_found: usize,
    pub meaning_found: usize,
}

impl Gathered {
    pub(super) fn of(&self, doc: Doc) -> Option<&Signals> {
        let at = self.signals.binary_search_by_key(&doc, |(doc, _)| *doc).ok()?;
        Some(&self.signals[at].1)
    }
}

pub(super) fn gather(snapshot: &dyn Snapshot, plan: &Plan, query: Option<&[f32]>) -> Result<Gathered, Error> {
    let mut gathered = Gathered::default();
    if plan.mode != Mode::Vector {
        by_words(snapshot, plan, &mut gathered)?;
    }
    // Marks without a word or a symbol ask for nothing, however near something is to them.
    let asks = plan.mode == Mode::Vector || !plan.words.terms.is_empty();
    if plan.mode != Mode::Keyword
        && asks
        && let Some(query) = query
    {
        by_meaning(snapshot, plan, query, &mut gathered)?;
    }
    Ok(gathered)
}

fn by_words(snapshot: &dyn Snapshot, plan: &Plan, gathered: &mut Gathered) -> Result<(), Error> {
    let lexical = snapshot.lexical(Shelf::Chunks, &plan.words.terms, &plan.filter, plan.word_pool)?;
    gathered.words_found = lexical.hits.len();
    gathered.terms = lexical.terms;
    gathered.chunks = lexical.chunks;
    gathered.signals = lexical
        .hits
        .into_iter()
        .map(|hit| {
            (hit.doc, Signals { words: Some(hit.score), coverage: hit.coverage, ..Signals::default() })
        })
        .collect();
    gathered.signals.sort_unstable_by_key(|(doc, _)| *doc);
    Ok(())
}

fn by_meaning(
    snapshot: &dyn Snapshot,
    plan: &Plan,
    query: &[f32],
    gathered: &mut Gathered,
) -> Result<(), Error> {
    let also: Vec<Doc> = gathered.signals.iter().map(|(doc, _)| *doc).collect();
    let nearest = snapshot.nearest(Shelf::Chunks, query, &plan.filter, plan.meaning_pool, &also)?;
    gathered.meaning_found = nearest.len();
    for (doc, cosine) in nearest {
        match also.binary_search(&doc) {
            Ok(at) => gathered.signals[at].1.meaning = Some(cosine),
            Err(_) => {
                gathered.signals.push((doc, Signals { meaning: Some(cosine), ..Signals::default() }));
            }
        }
    }
    gathered.signals.sort_unstable_by_key(|(doc, _)| *doc);
    Ok(())
}
