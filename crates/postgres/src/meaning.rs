//! Ranking by meaning. pgvector finds candidates, by a scan of few rows or with its HNSW index among many; the stored vectors
//! decide.

use std::collections::HashSet;

use mindfile_index::vector::{self, Scored};
use mindfile_index::{Doc, Error, Filter, Shelf};

use crate::codec;
use crate::condition::condition;
use crate::error::StepError;
use crate::pool::Connection;
use crate::read::Reader;
use crate::schema::PARTITIONS;
use crate::value::{Floats, Vectors};

/// How many extra rows to fetch, so that rows that tie are kept.
const SLACK: usize = 64;
/// How many times more candidates to ask of the HNSW index, which has half the precision and misses some.
const WIDER: usize = 2;
/// The query vector, converted once and not for every row.
const ASKED: &str = "(SELECT $4::real[]::vector)";
/// Limits of pgvector.
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
        if self.index.server.vectors == Vectors::Kept {
            return Ok(Vec::new());
        }
        let filter = &self.moment.narrowed(shelf, filter);
        let others: Vec<i64> = also.iter().map(|doc| codec::doc(*doc)).collect();
        let mut fetched = limit.saturating_add(SLACK);
        let (kept, mut rest) = loop {
            let (found, others) = self.candidates(shelf, query, filter, fetched, &others)?;
            let complete = found.len() < fetched;
            let (kept, mut rest) = vector::split_best(found, limit);
            if complete || kept.len() < fetched {
                let known: HashSet<Doc> = kept.iter().chain(&rest).map(|(doc, _)| *doc).collect();
                rest.extend(others.into_iter().filter(|(doc, _)| !known.contains(doc)));
                break (kept, rest);
            }
            fetched = fetched.saturating_mul(4);
        };
        rest.retain(|(doc, _)| also.contains(doc));
        rest.sort_by(vector::best_first);
        Ok(kept.into_iter().chain(rest).collect())
    }

    /// The nearest rows, scored by their stored vectors, and the other rows asked for, as the server scores them.
    fn candidates(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        others: &[i64],
    ) -> Result<(Scored, Scored), Error> {
        let by_hnsw = limit > 0 && self.moment.size(shelf) > self.index.exact_up_to && self.has_hnsw()?;
        let own = format!(
            "FROM vectors v {} WHERE v.agent = $1 AND v.part = $2 AND v.shelf = $3{}",
            joined(filter),
            condition(filter)
        );
        // The limit comes first, so that only the nearest vectors are serialized.
        let nearest = if by_hnsw { self.by_hnsw(&own, query.len(), limit)? } else { own.clone() };
        let sql = format!(
            "(SELECT v.doc, {column}, NULL::float8 FROM (SELECT v.doc, v.embedding {nearest}
                ORDER BY v.embedding::vector <#> {ASKED}, v.doc LIMIT {most}) v)
             UNION ALL
             (SELECT v.doc, NULL, -(v.embedding::vector <#> {ASKED}) {own} AND v.doc = ANY ($5::int8[]))",
            column = self.index.server.vectors.column(),
            most = limit.min(1 << 31),
        );
        let rows = self.ask(&sql, &[&codec::shelf(shelf), &query, &others])?;
        if by_hnsw {
            self.set("SET LOCAL enable_sort TO on; SET LOCAL enable_bitmapscan TO on")?;
        }
        let mut near = Vec::new();
        let mut rest = Vec::new();
        for row in &rows {
            let doc = codec::to_doc(row.get(0));
            match (row.get::<_, Option<Floats>>(1), row.get::<_, Option<f64>>(2)) {
                (Some(Floats(own)), _) => near.push((doc, vector::cosine(&own, query))),
                (None, score) => rest.push((doc, score.unwrap_or(0.0) as f32)),
            }
        }
        Ok((near, rest))
    }

    /// Finds rows with the HNSW index. The settings make the planner use it, and let it search on until it has found enough
    /// rows of this agent.
    fn by_hnsw(&self, own: &str, dims: usize, limit: usize) -> Result<String, Error> {
        let wanted = limit.saturating_mul(WIDER);
        self.set(&format!(
            "SET LOCAL enable_sort TO off; SET LOCAL enable_bitmapscan TO off; SET LOCAL hnsw.iterative_scan TO relaxed_order;
             SET LOCAL hnsw.max_scan_tuples TO 200000; SET LOCAL hnsw.ef_search TO {}",
            wanted.clamp(100, LARGEST_EF)
        ))?;
        Ok(format!(
            "FROM (SELECT v.doc, v.embedding {own} AND vector_dims(v.embedding) = {dims}
               ORDER BY v.embedding::halfvec({dims}) <#> (SELECT $4::real[]::halfvec({dims})) LIMIT {wanted}) v"
        ))
    }

    pub(crate) fn has_hnsw(&self) -> Result<bool, Error> {
        let native = self.index.server.vectors == Vectors::Native;
        let Some(dims) = self.dims().filter(|dims| native && *dims <= MOST_DIMS) else { return Ok(false) };
        if self.index.server.hnsw.iter().any(|known| usize::try_from(*known) == Ok(dims)) {
            return Ok(true);
        }
        let sql = format!(
            "SELECT i.indisvalid FROM generate_series(0, {last}) n
             JOIN pg_index i ON i.indexrelid = to_regclass('vectors_' || n || '_hnsw_{dims}')
             WHERE $2::int4 IS NOT NULL AND satisfies_hash_partition('vectors'::regclass, {PARTITIONS}, n::int4, $1::text)",
            last = PARTITIONS - 1
        );
        Ok(self.ask(&sql, &[])?.first().is_some_and(|row| row.get(0)))
    }
}

/// The joins that a filter needs.
fn joined(filter: &Filter) -> &'static str {
    if *filter == Filter::default() {
        return "";
    }
    "JOIN entries e ON e.agent = v.agent AND e.part = v.part AND e.doc = v.doc
     JOIN notes n ON n.agent = e.agent AND n.part = e.part AND n.path = e.path"
}

/// Creates the HNSW index of a partition without blocking writers. Drops and replaces one whose creation was interrupted.
pub(crate) fn make_hnsw(db: &mut Connection, number: i32, dims: i32) -> Result<(), StepError> {
    if usize::try_from(dims).unwrap_or(usize::MAX) > MOST_DIMS {
        return Ok(());
    }
    let name = format!("vectors_{number}_hnsw_{dims}");
    let sql = format!("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('{name}')");
    match db.rows(&sql, &[])?.first().map(|row| row.get::<_, bool>(0)) {
        Some(true) => return Ok(()),
        Some(false) => db.batch(&format!("DROP INDEX CONCURRENTLY IF EXISTS {name}"))?,
        None => {}
    }
    db.batch(
        "SELECT set_config('maintenance_work_mem', '512MB', false)
         WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('512MB')",
    )?;
    db.batch(&format!(
        "CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON vectors_{number}
         USING hnsw ((embedding::halfvec({dims})) halfvec_ip_ops) WHERE vector_dims(embedding) = {dims}"
    ))?;
    db.batch("RESET maintenance_work_mem")
}
