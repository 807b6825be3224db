//! Verifies the whole index: derives ids, terms, entities and totals again from the stored texts and compares them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use mindfile_index::{ChunkId, ChunkTerms, Doc, Embedding, Error, FactFields, Shelf, Snapshot, StoredChunk};

use crate::block::{self, Posting};
use crate::codec::{self, named, plain};
use crate::insert::sum;
use crate::read::Reader;
use crate::totals::{Kin, kin};

const PAGE: i64 = 500;
const BLOCKS: i64 = 2_000;

pub(crate) fn verify(reader: &Reader<'_>) -> Result<(), Error> {
    let mut totals: BTreeMap<Kin, [i64; 3]> = BTreeMap::new();
    let mut after = i64::MIN;
    let mut written = Tally::default();
    loop {
        let page = reader.page(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = codec::doc(last.doc);
        for chunk in &page {
            let words = ChunkTerms::of(&chunk.text, &chunk.context);
            check(reader, chunk)?;
            let of = kin(chunk);
            for (term, count) in words.counts() {
                let posting = Posting { doc: codec::doc(chunk.doc), count, length: words.length };
                written.take(&codec::stored(term), of, posting);
            }
            let total = totals.entry(of).or_default();
            total[0] += 1;
            total[1] += i64::from(words.length);
            total[2] += i64::from(chunk.embedding.vector().is_some());
        }
        facts(reader, &page)?;
    }
    if blocks(reader)? != written {
        return Err(reader.damaged("the words are not those of the rows"));
    }
    compare_counts(reader, totals)
}

/// A digest of a set of postings that does not depend on their order.
#[derive(Default, PartialEq, Eq)]
struct Tally {
    count: u64,
    sum: u64,
}

impl Tally {
    fn take(&mut self, term: &str, of: Kin, posting: Posting) {
        let mut hasher = DefaultHasher::new();
        (term, of, posting).hash(&mut hasher);
        self.count += 1;
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

/// Reads every block in key order and checks that the blocks of a term do not overlap.
fn blocks(reader: &Reader<'_>) -> Result<Tally, Error> {
    let sql = "SELECT shelf, term, source, origin, first, rows, bytes FROM postings WHERE agent = $1 AND part = $2
        AND (shelf, term, source, origin, first) > ($3, $4, $5, $6, $7) ORDER BY shelf, term, source, origin, first LIMIT $8";
    let mut tally = Tally::default();
    let mut term = String::new();
    let mut of = (i16::MIN, 0, 0);
    let mut last = 0;
    loop {
        let rows = reader.ask(sql, &[&of.0, &term, &of.1, &of.2, &last, &BLOCKS])?;
        for row in &rows {
            let own: (String, Kin) = (row.get(1), (row.get(0), row.get(2), row.get(3)));
            let first: i64 = row.get(4);
            let mut postings = Vec::new();
            let read = block::read(first, row.get(5), row.get(6), &mut postings);
            if read.is_none() || (own == (term, of) && first <= last) {
                return Err(reader.damaged("the words are not as they were written"));
            }
            last = postings.last().map_or(first, |posting| posting.doc);
            (term, of) = own;
            postings.into_iter().for_each(|posting| tally.take(&term, of, posting));
        }
        if rows.is_empty() {
            return Ok(tally);
        }
    }
}

fn check(reader: &Reader<'_>, chunk: &StoredChunk) -> Result<(), Error> {
    let odd = |what: &str| Err(reader.damaged(format!("row {}: {what}", chunk.doc)));
    if ChunkId::of_stored(chunk) != chunk.id {
        return odd("its text or its place is not what it goes by");
    }
    match &chunk.embedding {
        Embedding::Vector(vector) if Some(vector.len()) != reader.dims() => {
            odd("its vector has another length")
        }
        Embedding::Vector(vector) if vector.iter().any(|value| !value.is_finite()) => {
            odd("its vector is no number")
        }
        Embedding::Vector(_) | Embedding::Blank | Embedding::Pending => Ok(()),
    }
}

/// Compares rows with their checksums, and facts with the names that they are found by.
fn facts(reader: &Reader<'_>, page: &[StoredChunk]) -> Result<(), Error> {
    let all: Vec<i64> = page.iter().map(|chunk| codec::doc(chunk.doc)).collect();
    let sums = reader.sums(&all)?;
    let check = |chunk: &StoredChunk, fields: Option<&FactFields>| {
        if sums.get(&codec::doc(chunk.doc)) == Some(&sum(chunk, fields)) {
            return Ok(());
        }
        Err(reader.damaged(format!("row {} does not match its checksum", chunk.doc)))
    };
    for chunk in page.iter().filter(|chunk| chunk.doc.shelf == Shelf::Chunks) {
        check(chunk, None)?;
    }
    let docs: Vec<Doc> = page.iter().map(|chunk| chunk.doc).filter(|doc| doc.shelf == Shelf::Facts).collect();
    let numbers: Vec<i64> = docs.iter().map(|doc| codec::doc(*doc)).collect();
    let sql = "SELECT doc, name FROM names WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[]) ORDER BY doc, ord";
    let mut known: HashMap<i64, Vec<String>> = HashMap::new();
    for row in reader.ask(sql, &[&numbers])? {
        known.entry(row.get(0)).or_default().push(plain(row.get(1)));
    }
    for fact in reader.facts(&docs)? {
        check(&fact.chunk, Some(&fact.fields))?;
        let names: Vec<String> = named(&fact.fields.entities).into_iter().map(|(name, _)| name).collect();
        if known.remove(&codec::doc(fact.chunk.doc)).unwrap_or_default() != names {
            return Err(reader.damaged(format!("fact {} is not found by whom it names", fact.chunk.doc)));
        }
    }
    Ok(())
}

/// Checks that there are no orphans and that the totals match the rows.
fn compare_counts(reader: &Reader<'_>, totals: BTreeMap<Kin, [i64; 3]>) -> Result<(), Error> {
    let sql = "SELECT (SELECT count(*) FROM vectors WHERE agent = $1 AND part = $2), (SELECT count(*) FROM (
          SELECT name, count(*) AS facts FROM names WHERE agent = $1 AND part = $2 GROUP BY name) n
        FULL JOIN (SELECT name, facts FROM entities WHERE agent = $1 AND part = $2) e ON e.name = n.name
        WHERE e.facts IS DISTINCT FROM n.facts)";
    let counted: Option<(i64, i64)> = reader.ask(sql, &[])?.first().map(|row| (row.get(0), row.get(1)));
    if counted != Some((totals.values().map(|total| total[2]).sum(), 0)) {
        return Err(reader.damaged("the vectors or the entities are not those of the rows"));
    }
    let sql = "SELECT shelf, source, origin, rows, length, vectors FROM totals
        WHERE agent = $1 AND part = $2 AND rows <> 0";
    let mut known = BTreeMap::new();
    for row in reader.ask(sql, &[])? {
        known.insert((row.get(0), row.get(1), row.get(2)), [row.get(3), row.get(4), row.get(5)]);
    }
    if known == totals { Ok(()) } else { Err(reader.damaged("the totals are not those of the rows")) }
}
