//! Ranking by words: postings are read from their table, without those of deleted rows, and scored by the code of every
//! engine, so that scores agree.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError};

use mindfile_index::bm25::{self, Postings};
use mindfile_index::{Doc, Error, Filter, Lexical, QueryTerm, Shelf};

use crate::codec::{self, number};
use crate::read::{Question, Reader};
use crate::rows::WordedRow;
use crate::tables::{Table, WordRow};
use crate::view::Spots;

/// How many prefixes to ask for at once.
const WAYS: usize = 64;
/// How many words to cache.
const KNOWN: usize = 4_096;

impl Reader {
    pub(crate) fn by_words(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let postings = self.postings(shelf, &QueryTerm::spellings(terms))?;
        Ok(bm25::rank(terms, &postings, &self.listed(shelf)?.columns, filter, limit))
    }

    pub(crate) fn begun(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let mut terms = BTreeSet::new();
        for ways in ways.chunks(WAYS) {
            let between = |way: &String| {
                let way = way.replace('\'', "''");
                format!("(term >= '{way}' AND term < '{way}{}')", char::MAX)
            };
            let begins = ways.iter().map(between).collect::<Vec<_>>().join(" OR ");
            let condition = Some(format!("shelf = {} AND ({begins})", codec::shelf(shelf)));
            let question = Question { condition, ..Question::all(Table::Terms, &["term"]) };
            terms.extend(self.all(&question, |rows, at| rows.text("term", at).map(str::to_owned))?);
        }
        Ok(terms)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashMap<(Shelf, String), Arc<Postings>>> {
        self.view.postings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The postings of each term, in the order of the terms.
    pub(crate) fn postings(&self, shelf: Shelf, terms: &[String]) -> Result<Vec<Arc<Postings>>, Error> {
        let mut found: HashMap<&String, Arc<Postings>> = HashMap::new();
        {
            let known = self.known();
            found.extend(
                terms.iter().filter_map(|term| Some((term, Arc::clone(known.get(&(shelf, term.clone()))?)))),
            );
        }
        let missing: Vec<&String> = terms.iter().filter(|term| !found.contains_key(term)).collect();
        if !missing.is_empty() {
            found.extend(self.read_postings(shelf, &missing)?);
            let mut known = self.known();
            if known.len() > KNOWN {
                known.clear();
            }
            let fresh = missing.iter().filter_map(|term| Some((*term, Arc::clone(found.get(term)?))));
            known.extend(fresh.map(|(term, postings)| ((shelf, term.clone()), postings)));
        }
        Ok(terms.iter().map(|term| found.get(term).cloned().unwrap_or_default()).collect())
    }

    fn read_postings<'t>(
        &self,
        shelf: Shelf,
        terms: &[&'t String],
    ) -> Result<Vec<(&'t String, Arc<Postings>)>, Error> {
        let spots = self.spots()?;
        let places: Vec<i64> = terms.iter().flat_map(|term| spots.of_word(number(term))).collect();
        let rows = self.words_at(&places)?;
        let listed = &self.listed(shelf)?.columns;
        let mut all: HashMap<&str, Vec<(usize, u32)>> = HashMap::new();
        for row in rows.iter().filter(|row| row.shelf == shelf) {
            let places = row
                .docs
                .iter()
                .zip(&row.counts)
                .filter_map(|(doc, count)| Some((listed.position(Doc::new(shelf, *doc))?, *count)));
            all.entry(&row.term).or_default().extend(places);
        }
        let one = |term: &&'t String| {
            let mut places = all.remove(term.as_str()).unwrap_or_default();
            places.sort_unstable();
            let mut postings = Postings::default();
            places.into_iter().for_each(|(position, count)| postings.push(position, count));
            (*term, Arc::new(postings))
        };
        Ok(terms.iter().map(one).collect())
    }

    fn spots(&self) -> Result<&Spots, Error> {
        if let Some(spots) = self.view.spots.get() {
            return Ok(spots);
        }
        let question = Question { placed: true, ..Question::all(Table::Terms, &["number"]) };
        let all = self.all(&question, |rows, at| Some((rows.long("number", at)?, rows.place(at)?)))?;
        Ok(self.view.spots.get_or_init(|| Spots::of(all)))
    }
}

/// The words of new rows, an entry for each word.
pub(crate) fn collected<'a>(rows: impl Iterator<Item = &'a WordedRow<'a>>) -> Vec<WordRow> {
    let mut all: BTreeMap<(Shelf, String), Vec<(u32, u32)>> = BTreeMap::new();
    for one in rows {
        let doc = one.row.chunk.doc;
        for (term, count) in one.words.counts() {
            all.entry((doc.shelf, term.to_owned())).or_default().push((doc.row, count));
        }
    }
    put_together(all)
}

pub(crate) fn put_together(all: BTreeMap<(Shelf, String), Vec<(u32, u32)>>) -> Vec<WordRow> {
    let one = |((shelf, term), mut places): ((Shelf, String), Vec<(u32, u32)>)| {
        places.sort_unstable();
        let (docs, counts) = places.into_iter().unzip();
        WordRow { shelf, term, docs, counts }
    };
    all.into_iter().map(one).collect()
}
