//! Updates the postings of a batch. New postings of a term become a row of their own or extend the term's last row while that
//! is small; deleted ones are removed from the rows that hold them. The batch reads and writes everything once, at its end.

use std::collections::{BTreeMap, HashMap};

use mindfile_index::ChunkTerms;
use postgres::Row;

use crate::block::{self, Block, FULL, Posting};
use crate::codec::{int, plain, stored};
use crate::columns::Columns;
use crate::error::StepError;
use crate::pool::{Connection, with_own};
use crate::totals::Kin;

/// A term's last row grows while it is smaller than this: rewriting it costs about as much as another row would.
const SMALL: usize = 256;
/// A term with so many rows that are less than half full on average is compacted:
const MANY: i64 = 16;
/// at most so many bytes in one go,
const TOGETHER: i64 = 256 << 20;
/// so many of them in memory at a time,
const AT_ONCE: i64 = 8 << 20;
/// and after every so many batches that change few terms.
const BETWEEN: i64 = 16;
const TENDED: usize = 256;

/// The changes to the postings of each term.
#[derive(Default)]
pub(crate) struct PostingChanges(HashMap<String, BTreeMap<Kin, Delta>>);

#[derive(Default)]
struct Delta {
    new: Vec<Posting>,
    gone: Vec<i64>,
    /// Whether to rewrite all of its rows.
    whole: bool,
}

/// A stored row that is about to change.
struct StoredBlock {
    first: i64,
    postings: Vec<Posting>,
    /// Whether new postings are added to it.
    grows: bool,
}

impl PostingChanges {
    /// Documents must be added in ascending order.
    pub(crate) fn add(&mut self, of: Kin, doc: i64, words: &ChunkTerms) {
        for (term, count) in words.counts() {
            self.of(term, of).new.push(Posting { doc, count, length: words.length });
        }
    }

    pub(crate) fn remove(&mut self, of: Kin, doc: i64, words: &ChunkTerms) {
        for (term, _) in words.counts() {
            let Delta { new, gone, .. } = self.of(term, of);
            match new.binary_search_by_key(&doc, |posting| posting.doc) {
                Ok(at) => drop(new.remove(at)),
                Err(_) => gone.push(doc),
            }
        }
    }

    fn of(&mut self, term: &str, of: Kin) -> &mut Delta {
        self.0.entry(term.to_owned()).or_default().entry(of).or_default()
    }

    /// Compacts the changed terms now and then: terms with many rows are those that change often.
    pub(crate) fn tend(
        &mut self,
        db: &mut Connection,
        own: (&str, i32),
        generation: i64,
    ) -> Result<(), StepError> {
        if generation % BETWEEN != 0 || self.0.is_empty() || self.0.len() > TENDED {
            return Ok(());
        }
        let terms: Vec<String> = self.0.keys().map(|term| stored(term).into_owned()).collect();
        for (term, of, _) in scattered(db, own, Some(&terms), AT_ONCE)? {
            self.of(&term, of).whole = true;
        }
        Ok(())
    }

    /// Reads the rows that change and writes them.
    pub(crate) fn write(self, db: &mut Connection, (agent, part): (&str, i32)) -> Result<(), StepError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let columns = self.columns(db, (agent, part))?;
        db.run(&format!("WITH {} SELECT", statements(3)), &with_own(&agent, &part, &columns.values()))?;
        Ok(())
    }

    /// Reads the rows that change and returns the parameters of [`statements`].
    pub(crate) fn columns(
        self,
        db: &mut Connection,
        (agent, part): (&str, i32),
    ) -> Result<Columns, StepError> {
        let mut held = self.held(db, (agent, part))?;
        let mut gone = Keys::default();
        let mut put = Keys::default();
        let mut rows: Vec<i32> = Vec::new();
        let mut bytes: Vec<Vec<u8>> = Vec::new();
        for (term, kins) in self.0.into_iter().collect::<BTreeMap<_, _>>() {
            for (of, delta) in kins {
                let (left, blocks) = rewritten(delta, held.remove(&(term.clone(), of)).unwrap_or_default());
                left.into_iter().for_each(|first| gone.push(&term, of, first));
                for Block { first, rows: count, bytes: own } in blocks {
                    put.push(&term, of, first);
                    rows.push(count);
                    bytes.push(own);
                }
            }
        }
        Ok(put.after(gone.after(Columns::default())).with(rows).with(bytes))
    }

    fn held(
        &self,
        db: &mut Connection,
        (agent, part): (&str, i32),
    ) -> Result<HashMap<(String, Kin), Vec<StoredBlock>>, StepError> {
        let mut asked = Keys::default();
        let mut whole = Keys::default();
        for (term, of, delta) in
            self.0.iter().flat_map(|(term, of)| of.iter().map(move |(of, delta)| (term, of, delta)))
        {
            if delta.whole {
                whole.push(term, *of, i64::MIN);
                continue;
            }
            delta.gone.iter().for_each(|doc| asked.push(term, *of, *doc));
            if !delta.new.is_empty() {
                asked.push(term, *of, i64::MAX);
            }
        }
        let mut all: HashMap<(String, Kin), Vec<StoredBlock>> = HashMap::new();
        for (sql, keys) in
            [(HOLDING, asked), (WHOLE, whole)].into_iter().filter(|(_, keys)| !keys.first.is_empty())
        {
            let Keys { shelf, term, source, origin, first } = keys;
            let small = int(SMALL as u32);
            for row in db.rows(sql, &[&agent, &part, &shelf, &term, &source, &origin, &first, &small])? {
                all.entry(key(&row)).or_default().push(StoredBlock::read(&row)?);
            }
        }
        Ok(all)
    }
}

/// Compacts all terms that have many small rows.
pub(crate) fn put_together(db: &mut Connection, own: (&str, i32)) -> Result<(), StepError> {
    let mut pending = PostingChanges::default();
    let mut held = 0;
    for (term, of, size) in scattered(db, own, None, TOGETHER)? {
        pending.of(&term, of).whole = true;
        held += size;
        if held >= AT_ONCE {
            std::mem::take(&mut pending).write(db, own)?;
            held = 0;
        }
    }
    pending.write(db, own)
}

/// Finds terms with many small rows and their sizes, those with the most rows first, up to `most` bytes.
fn scattered(
    db: &mut Connection,
    (agent, part): (&str, i32),
    among: Option<&[String]>,
    most: i64,
) -> Result<Vec<(String, Kin, i64)>, StepError> {
    let condition =
        among.map_or("cardinality($3::text[]) = 0", |_| "shelf IN (0, 1) AND term = ANY ($3::text[])");
    let sql = format!(
        "SELECT shelf, term, source, origin, size FROM (
           SELECT shelf, term, source, origin, sum(octet_length(bytes))::int8 AS size,
             sum(sum(octet_length(bytes))) OVER (ORDER BY count(*) DESC, shelf, term, source, origin) AS until
           FROM postings WHERE agent = $1 AND part = $2 AND {condition} GROUP BY shelf, term, source, origin
           HAVING count(*) >= $4::int8 AND sum(octet_length(bytes)) < count(*) * $5::int8) t
         WHERE until - size < $6::int8 ORDER BY until"
    );
    let terms = among.unwrap_or_default();
    let half = i64::try_from(FULL / 2).unwrap_or(i64::MAX);
    let rows = db.rows(&sql, &[&agent, &part, &terms, &MANY, &half, &most])?;
    let one = |row: &Row| {
        let (term, of) = key(row);
        (term, of, row.get(4))
    };
    Ok(rows.iter().map(one).collect())
}

impl StoredBlock {
    fn read(row: &Row) -> Result<Self, StepError> {
        let mut postings = Vec::new();
        let first = row.get(4);
        block::read(first, row.get(5), row.get(6), &mut postings).ok_or_else(|| {
            StepError::Damaged(format!(
                "the words \"{}\" are not as they were written",
                row.get::<_, &str>(1)
            ))
        })?;
        Ok(Self { first, postings, grows: row.get(7) })
    }
}

/// The rows to delete, by their first number, and the rows to write.
fn rewritten(mut delta: Delta, mut held: Vec<StoredBlock>) -> (Vec<i64>, Vec<Block>) {
    delta.gone.sort_unstable();
    held.sort_by_key(|held| held.first);
    let mut gone = Vec::new();
    let mut blocks = Vec::new();
    let mut last = Vec::new();
    for StoredBlock { first, mut postings, grows } in held {
        postings.retain(|posting| delta.gone.binary_search(&posting.doc).is_err());
        gone.push(first);
        if grows {
            last.extend(postings);
        } else {
            blocks.extend(block::cut(&postings));
        }
    }
    last.extend(delta.new);
    blocks.extend(block::cut(&last));
    gone.retain(|first| !blocks.iter().any(|block| block.first == *first));
    (gone, blocks)
}

/// Keys of the table, one array for each column.
#[derive(Default)]
pub(crate) struct Keys {
    shelf: Vec<i16>,
    term: Vec<String>,
    source: Vec<i16>,
    origin: Vec<i16>,
    first: Vec<i64>,
}

impl Keys {
    fn push(&mut self, term: &str, (shelf, source, origin): Kin, first: i64) {
        self.shelf.push(shelf);
        self.term.push(stored(term).into_owned());
        self.source.push(source);
        self.origin.push(origin);
        self.first.push(first);
    }

    fn after(self, columns: Columns) -> Columns {
        let Self { shelf, term, source, origin, first } = self;
        columns.with(shelf).with(term).with(source).with(origin).with(first)
    }
}

fn key(row: &Row) -> (String, Kin) {
    (plain(row.get(1)), (row.get(0), row.get(2), row.get(3)))
}

/// Reads the rows that hold given entries. The largest possible number stands for the term's last row, if that is small.
const HOLDING: &str = "WITH found AS (
    SELECT q.shelf, q.term, q.source, q.origin, b.first, bool_or(q.doc = 9223372036854775807) AS grows
    FROM unnest($3::int2[], $4::text[], $5::int2[], $6::int2[], $7::int8[]) q(shelf, term, source, origin, doc)
    CROSS JOIN LATERAL (SELECT p.first, octet_length(p.bytes) AS size FROM postings p
      WHERE p.agent = $1 AND p.part = $2 AND p.shelf = q.shelf AND p.term = q.term AND p.source = q.source
        AND p.origin = q.origin AND p.first <= q.doc ORDER BY p.first DESC LIMIT 1) b
    WHERE q.doc < 9223372036854775807 OR b.size < $8 GROUP BY q.shelf, q.term, q.source, q.origin, b.first)
  SELECT p.shelf, p.term, p.source, p.origin, p.first, p.rows, p.bytes, f.grows FROM found f
  JOIN postings p ON p.agent = $1 AND p.part = $2 AND p.shelf = f.shelf AND p.term = f.term AND p.source = f.source
    AND p.origin = f.origin AND p.first = f.first";

/// Reads every row of some terms, with the same parameters.
const WHOLE: &str = "SELECT p.shelf, p.term, p.source, p.origin, p.first, p.rows, p.bytes, true
  FROM unnest($3::int2[], $4::text[], $5::int2[], $6::int2[], $7::int8[]) q(shelf, term, source, origin, first)
  JOIN postings p ON p.agent = $1 AND p.part = $2 AND p.shelf = q.shelf AND p.term = q.term AND p.source = q.source
    AND p.origin = q.origin AND p.first > q.first AND $8::int4 > 0";

/// Deletes and writes rows; `first` is the number of their first parameter.
pub(crate) fn statements(first: usize) -> String {
    let at = |column: usize| first + column;
    format!(
        "gone_blocks AS (DELETE FROM postings p
           USING unnest(${}::int2[], ${}::text[], ${}::int2[], ${}::int2[], ${}::int8[]) d(shelf, term, source, origin, first)
           WHERE p.agent = $1 AND p.part = $2 AND p.shelf = d.shelf AND p.term = d.term AND p.source = d.source
             AND p.origin = d.origin AND p.first = d.first),
         put_blocks AS (INSERT INTO postings (agent, part, shelf, term, source, origin, first, rows, bytes)
           SELECT $1, $2, * FROM unnest(${}::int2[], ${}::text[], ${}::int2[], ${}::int2[], ${}::int8[], ${}::int4[], ${}::bytea[])
           ON CONFLICT (agent, part, shelf, term, source, origin, first)
           DO UPDATE SET rows = excluded.rows, bytes = excluded.bytes)",
        at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11),
    )
}
