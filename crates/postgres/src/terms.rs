//! Ranking by words. One round trip reads the posting blocks of all terms; the scoring code is that of every engine, so that
//! scores agree to the last bit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use mindfile_index::bm25::{self, Corpus, Postings};
use mindfile_index::columns::{Column, Columns};
use mindfile_index::{
    ChunkTerms, Doc, Error, Filter, Lexical, LexicalHit, Origin, Part, QueryTerm, Shelf, Snapshot, Source,
    StoredChunk, shared_terms,
};
use postgres::Row;

use crate::block::{self, Posting};
use crate::codec::{self, stored};
use crate::condition::own_condition;
use crate::read::Reader;

/// How many of the best rows to check first against the filter's days.
const WAVE: usize = 256;
/// Up to so many facts are read to see whether they have every term; for more, the blocks of all terms are.
const FEW: usize = 64;

impl Reader<'_> {
    pub(crate) fn by_words(
        &self,
        shelf: Shelf,
        terms: &[QueryTerm],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let (chunks, mean_length) = self.moment.corpus(shelf, filter);
        let filter = self.moment.narrowed(shelf, filter);
        let found = self.occurrences(shelf, &QueryTerm::spellings(terms), &filter)?;
        let (columns, postings) = side_by_side(shelf, &found);
        let of_any_day = filter.since.is_none() && filter.until.is_none();
        let most = if of_any_day { limit } else { columns.len() };
        let mut ranked = bm25::rank_among(terms, &postings, &columns, Corpus { chunks, mean_length }, most);
        if !of_any_day {
            ranked.hits = self.of_days(shelf, &ranked.hits, &filter, limit)?;
        }
        Ok(ranked)
    }

    /// The terms that begin with one of these prefixes.
    pub(crate) fn begun(&self, shelf: Shelf, ways: &[String]) -> Result<BTreeSet<String>, Error> {
        let sql =
            "SELECT DISTINCT p.term FROM unnest($4::text[], $5::text[]) AS w(first, last) JOIN postings p
              ON p.agent = $1 AND p.part = $2 AND p.shelf = $3 AND p.term >= w.first COLLATE \"C\"
              AND p.term < w.last COLLATE \"C\"";
        let first: Vec<String> = ways.iter().map(|way| stored(way).into_owned()).collect();
        let last: Vec<String> = first.iter().map(|way| format!("{way}{}", char::MAX)).collect();
        let rows = self.ask(sql, &[&codec::shelf(shelf), &first, &last])?;
        Ok(rows.iter().map(|row| codec::plain(row.get(0))).collect())
    }

    /// The postings of each term, in the order of the terms, which may repeat.
    fn occurrences(
        &self,
        shelf: Shelf,
        terms: &[String],
        filter: &Filter,
    ) -> Result<Vec<Arc<[Posting]>>, Error> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT e.first, e.rows, e.bytes, e.term FROM postings e WHERE e.agent = $1 AND e.part = $2 AND e.shelf = $3
             AND e.term = ANY ($4::text[]){}",
            own_condition(filter)
        );
        let asked: Vec<String> = terms.iter().map(|term| stored(term).into_owned()).collect();
        let rows = self.ask(&sql, &[&codec::shelf(shelf), &asked])?;
        let mut lists: HashMap<&str, Vec<Posting>> = HashMap::new();
        for row in &rows {
            self.unpack(row, lists.entry(row.get(3)).or_default())?;
        }
        if !filter.hidden.is_empty() {
            lists.values_mut().for_each(|list| list.retain(|one| !filter.hidden.has(codec::to_doc(one.doc))));
        }
        let lists: HashMap<&str, Arc<[Posting]>> =
            lists.into_iter().map(|(term, list)| (term, ascending(list).into())).collect();
        Ok(asked.iter().map(|term| lists.get(term.as_str()).cloned().unwrap_or_default()).collect())
    }

    /// Decodes the block of a row whose first columns are `first`, `rows` and `bytes`.
    fn unpack(&self, row: &Row, into: &mut Vec<Posting>) -> Result<(), Error> {
        let read = block::read(row.get(0), row.get(1), row.get(2), into);
        read.ok_or_else(|| self.damaged("the words are not as they were written"))
    }

    /// Filters hits, best first, by the filter's days. Returns the best `limit` and what ties with the last of them.
    fn of_days(
        &self,
        shelf: Shelf,
        mut hits: &[LexicalHit],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<LexicalHit>, Error> {
        let mut kept: Vec<LexicalHit> = Vec::new();
        let mut wave = WAVE.max(limit);
        let last =
            |kept: &[LexicalHit]| limit.checked_sub(1).and_then(|at| kept.get(at)).map(|hit| hit.score);
        while let Some(next) = hits.first().filter(|_| limit > 0)
            && last(&kept).is_none_or(|last| next.score >= last)
        {
            let (now, later) = hits.split_at(wave.min(hits.len()));
            let docs: Vec<Doc> = now.iter().map(|hit| hit.doc).collect();
            let admitted: HashSet<Doc> = self.admitted(shelf, &docs, filter)?.into_iter().collect();
            kept.extend(now.iter().filter(|hit| admitted.contains(&hit.doc)).cloned());
            hits = later;
            wave = wave.saturating_mul(4);
        }
        let least = last(&kept).unwrap_or(f32::NEG_INFINITY);
        kept.retain(|hit| hit.score >= least);
        Ok(kept)
    }

    /// The facts that share terms with a text.
    pub(crate) fn sharing(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let known = self.beginnings(terms)?;
        let first = |term: &String| known.get(term).map(Beginning::docs).unwrap_or_default();
        let counts = terms.iter().map(|term| known.get(term).map_or(0, |beginning| beginning.found));
        let with_all = |rarest: &String, found| {
            if found <= FEW { self.among(&first(rarest), terms) } else { self.with_all(terms) }
        };
        shared_terms::find(terms, counts, |term| Ok(first(term)), with_all)
    }

    /// How many facts have each term, and the first of them. Terms without facts are left out.
    fn beginnings(&self, terms: &[String]) -> Result<BTreeMap<String, Beginning>, Error> {
        if terms.is_empty() {
            return Ok(BTreeMap::new());
        }
        let sql = "SELECT first, rows, bytes, term, found FROM (
              SELECT first, rows, bytes, term, sum(rows) OVER (PARTITION BY term)::int8 AS found,
                sum(rows) OVER (PARTITION BY term, source, origin ORDER BY first) - rows AS before
              FROM postings WHERE agent = $1 AND part = $2 AND shelf = 1 AND term = ANY ($3::text[])) p
            WHERE before < $4";
        let asked: Vec<String> = terms.iter().map(|term| stored(term).into_owned()).collect();
        let mut known: BTreeMap<String, Beginning> = BTreeMap::new();
        for row in &self.ask(sql, &[&asked, &(shared_terms::MOST as i64)])? {
            let beginning = known.entry(codec::plain(row.get(3))).or_default();
            beginning.found = usize::try_from(row.get::<_, i64>(4)).unwrap_or(0);
            self.unpack(row, &mut beginning.first)?;
        }
        Ok(known)
    }

    /// The facts among these that have all terms. Reads the facts, which the caller needs next anyway.
    fn among(&self, docs: &[Doc], terms: &[String]) -> Result<Vec<Doc>, Error> {
        let facts = self.facts(docs)?;
        let has_all = |chunk: &StoredChunk| {
            let words = ChunkTerms::of(&chunk.text, &chunk.context);
            terms.iter().all(|term| words.has(term))
        };
        Ok(facts.iter().filter(|fact| has_all(&fact.chunk)).map(|fact| fact.chunk.doc).collect())
    }

    /// The first facts that have all terms, if every term is frequent.
    fn with_all(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let lists = self.occurrences(Shelf::Facts, terms, &Filter::default())?;
        let Some(shortest) = lists.iter().min_by_key(|list| list.len()) else { return Ok(Vec::new()) };
        let is_in =
            |list: &Arc<[Posting]>, doc| list.binary_search_by_key(&doc, |posting| posting.doc).is_ok();
        let all = shortest.iter().map(|posting| posting.doc);
        let all = all.filter(|doc| lists.iter().all(|list| is_in(list, *doc)));
        Ok(all.take(shared_terms::MOST).map(codec::to_doc).collect())
    }
}

/// The facts with a term.
#[derive(Default)]
struct Beginning {
    found: usize,
    /// At least as many as [`shared_terms::MOST`], if there are so many.
    first: Vec<Posting>,
}

impl Beginning {
    fn docs(&self) -> Vec<Doc> {
        let mut docs: Vec<Doc> = self.first.iter().map(|posting| codec::to_doc(posting.doc)).collect();
        docs.sort_unstable();
        docs.truncate(shared_terms::MOST);
        docs
    }
}

/// Sorts postings: blocks of different sources and origins overlap.
fn ascending(mut list: Vec<Posting>) -> Vec<Posting> {
    list.sort_by_key(|posting| posting.doc);
    list
}

/// The columns of all rows that have at least one of the terms, and the postings of each term among them.
fn side_by_side(shelf: Shelf, found: &[Arc<[Posting]>]) -> (Columns, Vec<Arc<Postings>>) {
    let mut rows: Vec<(i64, u32)> =
        found.iter().flat_map(|list| list.iter().map(|posting| (posting.doc, posting.length))).collect();
    // Fast, since each list is in order.
    rows.sort();
    rows.dedup_by_key(|(doc, _)| *doc);
    let mut columns = Columns::with_room(shelf, Part::Main, rows.len());
    for (doc, length) in rows {
        // The query has filtered by source and origin already; days are checked later.
        columns.push(
            codec::to_doc(doc),
            Column { source: Source::Memory, origin: Origin::Owner, day: 0, length },
        );
    }
    let postings = found.iter().map(|list| Arc::new(placed(list, &columns))).collect();
    (columns, postings)
}

fn placed(list: &[Posting], columns: &Columns) -> Postings {
    let mut postings = Postings::default();
    let mut from = 0;
    for posting in list {
        if let Some(position) = columns.position_from(from, codec::to_doc(posting.doc)) {
            postings.push(position, posting.count);
            from = position;
        }
    }
    postings
}
