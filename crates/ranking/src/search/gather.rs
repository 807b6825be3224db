//! The only stage that reads: one snapshot, one ranked list a signal.

use mindfile_index::{Doc, LexicalHit, QueryTerm, Shelf, Snapshot, TermStat};

use super::forms;
use super::plan::{Mode, Plan};
use crate::error::Error;

/// What each signal says of a chunk. None: the signal did not find it, or was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Signals {
    pub words: Option<f32>,
    /// The share of the query's weight that the chunk's words cover.
    pub coverage: f32,
    pub meaning: Option<f32>,
}

#[derive(Debug, Default)]
pub(super) struct Gathering {
    /// Ordered by chunk.
    pub signals: Vec<(Doc, Signals)>,
    pub terms: Vec<TermStat>,
    /// What is looked for by words.
    pub sought: Vec<QueryTerm>,
    /// Chunks in the index, as far as words were asked.
    pub chunks: usize,
    pub words_found: usize,
    pub meaning_found: usize,
}

impl Gathering {
    pub(super) fn of(&self, doc: Doc) -> Option<&Signals> {
        let at = self.signals.binary_search_by_key(&doc, |(doc, _)| *doc).ok()?;
        Some(&self.signals[at].1)
    }
}

/// What has the query's words.
pub(super) fn by_words(snapshot: &dyn Snapshot, plan: &Plan) -> Result<Gathering, Error> {
    let sought = QueryTerm::as_asked(&plan.words.terms);
    let mut gathered = Gathering::default();
    if plan.mode == Mode::Vector {
        gathered.sought = sought;
    } else {
        gathered.take_words(snapshot, plan, sought)?;
    }
    Ok(gathered)
}

/// The same again, with what has them in other forms.
pub(super) fn by_forms(snapshot: &dyn Snapshot, plan: &Plan, gathered: &mut Gathering) -> Result<(), Error> {
    if plan.mode == Mode::Vector {
        return Ok(());
    }
    let beginning = |ways: &[String]| Ok(snapshot.terms_beginning(Shelf::Chunks, ways)?);
    match forms::sought(&plan.words.terms, beginning)? {
        Some(sought) => gathered.take_words(snapshot, plan, sought),
        None => Ok(()),
    }
}

impl Gathering {
    fn take_words(
        &mut self,
        snapshot: &dyn Snapshot,
        plan: &Plan,
        terms: Vec<QueryTerm>,
    ) -> Result<(), Error> {
        let lexical = snapshot.lexical(Shelf::Chunks, &terms, &plan.filter, plan.word_pool)?;
        self.words_found = lexical.hits.len();
        self.terms = lexical.terms;
        self.chunks = lexical.chunks;
        self.sought = terms;
        let signals =
            |hit: LexicalHit| Signals { words: Some(hit.score), coverage: hit.coverage, meaning: None };
        self.signals = lexical.hits.into_iter().map(|hit| (hit.doc, signals(hit))).collect();
        self.signals.sort_unstable_by_key(|(doc, _)| *doc);
        Ok(())
    }
}

/// What is near the query's vector, if there is one.
pub(super) fn by_meaning(
    snapshot: &dyn Snapshot,
    plan: &Plan,
    query: Option<&[f32]>,
    gathered: &mut Gathering,
) -> Result<(), Error> {
    // Marks without a word or a symbol ask for nothing, however near something is to them.
    let asks = plan.mode == Mode::Vector || !plan.words.terms.is_empty();
    let Some(query) = query.filter(|_| plan.mode != Mode::Keyword && asks) else { return Ok(()) };
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
