//! Every check there is: what a row goes by, its terms, its vector, its entities and the totals are derived again from its
//! text and compared.

use std::collections::{BTreeMap, HashMap};

use mindfile_index::{ChunkId, Doc, Embedding, Error, Said, Shelf, Snapshot, StoredChunk, Words};

use crate::codec::{self, plain};
use crate::insert::{named, sum};
use crate::read::Reader;
use crate::write::Kin;

const PAGE: i64 = 500;

pub(crate) fn verify(reader: &Reader<'_>) -> Result<(), Error> {
    let mut totals: BTreeMap<Kin, [i64; 3]> = BTreeMap::new();
    let (mut after, mut terms) = (i64::MIN, 0_i64);
    loop {
        let page = reader.page(after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.doc.0;
        let postings = postings(reader, &page)?;
        for chunk in &page {
            let words = Words::of(&chunk.text, &chunk.context);
            check(reader, chunk, &words, postings.get(&chunk.doc.0))?;
            terms += words.counts.len() as i64;
            let of =
                (codec::shelf(chunk.doc.shelf()), codec::source(chunk.source), codec::origin(chunk.origin));
            let total = totals.entry(of).or_default();
            total[0] += 1;
            total[1] += i64::from(words.length);
            total[2] += i64::from(chunk.embedding.vector().is_some());
        }
        facts(reader, &page)?;
    }
    compare_counts(reader, terms, totals)
}

fn check(
    reader: &Reader<'_>,
    chunk: &StoredChunk,
    words: &Words,
    stored: Option<&HashMap<String, i32>>,
) -> Result<(), Error> {
    let odd = |what: &str| Err(reader.damaged(format!("row {}: {what}", chunk.doc.0)));
    if ChunkId::of_stored(chunk) != chunk.id {
        return odd("its text or its place is not what it goes by");
    }
    let same = |known: &HashMap<String, i32>| {
        known.len() == words.counts.len()
            && words.counts.iter().all(|(term, count)| known.get(term) == Some(&codec::int(*count)))
    };
    if !stored.map_or(words.counts.is_empty(), same) {
        return odd("its terms are not those of its text");
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

fn postings(reader: &Reader<'_>, page: &[StoredChunk]) -> Result<HashMap<i64, HashMap<String, i32>>, Error> {
    let (mut shelves, mut terms, mut docs): (Vec<i16>, Vec<String>, Vec<i64>) = Default::default();
    for chunk in page {
        for term in Words::of(&chunk.text, &chunk.context).counts.into_keys() {
            shelves.push(codec::shelf(chunk.doc.shelf()));
            terms.push(codec::stored(&term).into_owned());
            docs.push(chunk.doc.0);
        }
    }
    let sql = "SELECT p.doc, p.term, p.count FROM unnest($3::int2[], $4::text[], $5::int8[]) d(shelf, term, doc)
        JOIN postings p ON p.agent = $1 AND p.part = $2 AND p.shelf = d.shelf AND p.term = d.term AND p.doc = d.doc";
    let mut all: HashMap<i64, HashMap<String, i32>> = HashMap::new();
    for row in reader.ask(sql, &[&shelves, &terms, &docs])? {
        all.entry(row.get(0)).or_default().insert(plain(row.get(1)), row.get(2));
    }
    Ok(all)
}

/// Rows say what they said when they were written; facts are found by whom they name.
fn facts(reader: &Reader<'_>, page: &[StoredChunk]) -> Result<(), Error> {
    let all: Vec<i64> = page.iter().map(|chunk| chunk.doc.0).collect();
    let sums = reader.sums(&all)?;
    let check = |chunk: &StoredChunk, said: Option<&Said>| {
        let StoredChunk { context, text, tokens, .. } = chunk;
        if sums.get(&chunk.doc.0) == Some(&sum(context, text, tokens, said)) {
            return Ok(());
        }
        Err(reader.damaged(format!("row {} does not match its checksum", chunk.doc.0)))
    };
    for chunk in page.iter().filter(|chunk| chunk.doc.shelf() == Shelf::Chunks) {
        check(chunk, None)?;
    }
    let docs: Vec<Doc> =
        page.iter().map(|chunk| chunk.doc).filter(|doc| doc.shelf() == Shelf::Facts).collect();
    let numbers: Vec<i64> = docs.iter().map(|doc| doc.0).collect();
    let sql = "SELECT doc, name FROM names WHERE agent = $1 AND part = $2 AND doc = ANY ($3::int8[]) ORDER BY doc, ord";
    let mut known: HashMap<i64, Vec<String>> = HashMap::new();
    for row in reader.ask(sql, &[&numbers])? {
        known.entry(row.get(0)).or_default().push(plain(row.get(1)));
    }
    for fact in reader.facts(&docs)? {
        check(&fact.chunk, Some(&fact.said))?;
        let names: Vec<String> = named(&fact.said).into_iter().map(|(name, _)| name).collect();
        if known.remove(&fact.chunk.doc.0).unwrap_or_default() != names {
            return Err(reader.damaged(format!("fact {} is not found by whom it names", fact.chunk.doc.0)));
        }
    }
    Ok(())
}

/// Nothing is left over, and the totals are those of the rows.
fn compare_counts(reader: &Reader<'_>, terms: i64, totals: BTreeMap<Kin, [i64; 3]>) -> Result<(), Error> {
    let sql = "SELECT (SELECT count(*) FROM postings WHERE agent = $1 AND part = $2),
        (SELECT count(*) FROM vectors WHERE agent = $1 AND part = $2),
        (SELECT count(*) FROM postings p JOIN entries e ON e.agent = p.agent AND e.part = p.part AND e.doc = p.doc
          WHERE p.agent = $1 AND p.part = $2
          AND (p.length, p.source, p.origin) IS DISTINCT FROM (e.length, e.source, e.origin)),
        (SELECT count(*) FROM (
          SELECT shelf, term, source, origin, count(*) AS rows FROM postings WHERE agent = $1 AND part = $2
            GROUP BY shelf, term, source, origin) p
          FULL JOIN (SELECT * FROM terms WHERE agent = $1 AND part = $2) t
            ON (t.shelf, t.term, t.source, t.origin) = (p.shelf, p.term, p.source, p.origin)
          WHERE t.rows IS DISTINCT FROM p.rows)";
    let rows = reader.ask(sql, &[])?;
    let counted: Option<[i64; 4]> = rows.first().map(|row| [row.get(0), row.get(1), row.get(2), row.get(3)]);
    let vectors: i64 = totals.values().map(|total| total[2]).sum();
    if counted != Some([terms, vectors, 0, 0]) {
        return Err(reader.damaged("terms or vectors are not those of the rows"));
    }
    let sql = "SELECT shelf, source, origin, rows, length, vectors FROM totals
        WHERE agent = $1 AND part = $2 AND rows <> 0";
    let mut known = BTreeMap::new();
    for row in reader.ask(sql, &[])? {
        known.insert((row.get(0), row.get(1), row.get(2)), [row.get(3), row.get(4), row.get(5)]);
    }
    if known == totals { Ok(()) } else { Err(reader.damaged("the totals are not those of the rows")) }
}
