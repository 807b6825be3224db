//! Ranking by meaning: pgvector finds candidates, one by one among few rows and by its HNSW index among many, and the
//! stored vectors decide.

use std::collections::HashSet;

use mindfile_index::{Doc, Error, Filter, Shelf, Snapshot, vector};
use tokio_postgres::Row;

use crate::codec;
use crate::error::Said;
use crate::pool::Connection;
use crate::read::{Reader, condition};
use crate::schema::PARTITIONS;

/// More than asked for are fetched, so that rows that tie are kept.
const SLACK: usize = 64;
/// How many times as many candidates the HNSW index is asked for: it has half the precision, and misses some.
const WIDER: usize = 4;
/// What pgvector allows.
const LARGEST_EF: usize = 1_000;
const MOST_DIMS: usize = 4_000;

impl Reader<'_> {
    pub(crate) fn near(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        if !self.by_meaning {
            return Ok(Vec::new());
        }
        let mut fetched = limit.saturating_add(SLACK);
        let (kept, mut rest) = loop {
            let found = self.candidates(shelf, query, filter, fetched)?;
            let complete = found.len() < fetched;
            let (kept, rest) = cut(scored(&found, query), limit);
            if complete || kept.len() < fetched {
                break (kept, rest);
            }
            fetched = fetched.saturating_mul(4);
        };
        let known: HashSet<Doc> = kept.iter().chain(&rest).map(|(doc, _)| *doc).collect();
        let missing: Vec<i64> = also.iter().filter(|doc| !known.contains(doc)).map(|doc| doc.0).collect();
        rest.extend(self.these(shelf, query, filter, &missing)?);
        rest.retain(|(doc, _)| also.contains(doc));
        rest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(kept.into_iter().chain(rest).collect())
    }

    fn candidates(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Row>, Error> {
        if limit > 0 && self.size(shelf)? > self.exact_up_to && self.has_hnsw()? {
            return self.by_hnsw(shelf, query, filter, limit);
        }
        let sql = format!(
            "SELECT v.doc, v.embedding FROM vectors v {} WHERE v.agent = $1 AND v.part = $2 AND v.shelf = $3{}
             ORDER BY v.embedding::vector <#> $4::real[]::vector, v.doc LIMIT $5",
            joined(filter),
            condition(filter)
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.ask(&sql, &[&codec::shelf(shelf), &query, &limit])
    }

    /// The order of the index is kept to, and it goes on until enough rows of this agent are found.
    fn by_hnsw(&self, shelf: Shelf, query: &[f32], filter: &Filter, limit: usize) -> Result<Vec<Row>, Error> {
        let dims = query.len();
        let wanted = limit.saturating_mul(WIDER);
        self.set(&format!(
            "SET LOCAL enable_sort TO off; SET LOCAL hnsw.iterative_scan TO relaxed_order;
             SET LOCAL hnsw.max_scan_tuples TO 200000; SET LOCAL hnsw.ef_search TO {}",
            wanted.clamp(100, LARGEST_EF)
        ))?;
        let sql = format!(
            "SELECT doc, embedding FROM (
               SELECT v.doc, v.embedding FROM vectors v {} WHERE v.agent = $1 AND v.part = $2 AND v.shelf = $3
                 AND cardinality(v.embedding) = {dims}{}
               ORDER BY v.embedding::halfvec({dims}) <#> $4::real[]::halfvec({dims}) LIMIT {wanted}) c",
            joined(filter),
            condition(filter)
        );
        let mut found = self.ask(&sql, &[&codec::shelf(shelf), &query])?;
        self.set("SET LOCAL enable_sort TO on")?;
        let best = |row: &Row| vector::cosine(row.get::<_, Vec<f32>>(1).as_slice(), query);
        found.sort_by(|a, b| best(b).total_cmp(&best(a)));
        found.truncate(limit);
        Ok(found)
    }

    pub(crate) fn has_hnsw(&self) -> Result<bool, Error> {
        let Some(dims) = self.dims().filter(|dims| *dims <= MOST_DIMS) else { return Ok(false) };
        let sql = format!(
            "SELECT i.indisvalid FROM generate_series(0, {last}) n
             JOIN pg_index i ON i.indexrelid = to_regclass('vectors_' || n || '_hnsw_{dims}')
             WHERE $2::int4 IS NOT NULL AND satisfies_hash_partition('vectors'::regclass, {PARTITIONS}, n::int4, $1::text)",
            last = PARTITIONS - 1
        );
        Ok(self.ask(&sql, &[])?.first().is_some_and(|row| row.get(0)))
    }

    fn these(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        docs: &[i64],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        if docs.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT v.doc, v.embedding FROM vectors v {} WHERE v.agent = $1 AND v.part = $2 AND v.shelf = $3
             AND v.doc = ANY ($4::int8[]){}",
            joined(filter),
            condition(filter)
        );
        Ok(scored(&self.ask(&sql, &[&codec::shelf(shelf), &docs])?, query))
    }
}

/// A filter needs the row and its note.
fn joined(filter: &Filter) -> &'static str {
    if *filter == Filter::default() {
        return "";
    }
    "JOIN entries e ON e.agent = v.agent AND e.part = v.part AND e.doc = v.doc
     JOIN notes n ON n.agent = e.agent AND n.part = e.part AND n.path = e.path"
}

type Scored = Vec<(Doc, f32)>;

fn scored(rows: &[Row], query: &[f32]) -> Scored {
    let one = |row: &Row| (Doc(row.get(0)), vector::cosine(row.get::<_, Vec<f32>>(1).as_slice(), query));
    rows.iter().map(one).collect()
}

/// The best `limit` with what ties with the last of them, best first; and the others.
fn cut(mut scored: Scored, limit: usize) -> (Scored, Scored) {
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let last =
        limit.checked_sub(1).and_then(|at| scored.get(at)).map_or(f32::NEG_INFINITY, |(_, score)| *score);
    let kept = scored.iter().take_while(|(_, score)| *score >= last).count();
    let rest = scored.split_off(kept);
    (scored, rest)
}

/// Makes the HNSW index of the partition that the agent's vectors are in, without keeping anybody from writing. One that
/// was interrupted is of no use, and made again.
pub(crate) fn make_hnsw(db: &mut Connection, agent: &str, dims: i32) -> Result<(), Said> {
    if usize::try_from(dims).unwrap_or(usize::MAX) > MOST_DIMS {
        return Ok(());
    }
    let number = partition(db, agent)?;
    let name = format!("vectors_{number}_hnsw_{dims}");
    let sql = format!("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{name}')");
    match db.rows(&sql, &[])?.first().map(|row| row.get::<_, bool>(0)) {
        Some(true) => return Ok(()),
        Some(false) => db.batch(&format!("DROP INDEX CONCURRENTLY IF EXISTS {name}"))?,
        None => {}
    }
    db.batch("SET maintenance_work_mem TO '512MB'")?;
    db.batch(&format!(
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON vectors_{number}
         USING hnsw ((embedding::halfvec({dims})) halfvec_ip_ops) WHERE cardinality(embedding) = {dims}"
    ))?;
    db.batch("RESET maintenance_work_mem")
}

/// The partition that rows of the agent are in.
pub(crate) fn partition(db: &mut Connection, agent: &str) -> Result<i32, Said> {
    let sql = format!(
        "SELECT n::int4 FROM generate_series(0, {last}) n
         WHERE satisfies_hash_partition('vectors'::regclass, {PARTITIONS}, n::int4, $1::text)",
        last = PARTITIONS - 1
    );
    let row = db.row(&sql, &[&agent])?;
    Ok(row.map_or(0, |row| row.get(0)))
}
