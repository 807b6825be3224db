//! Ranking by meaning: LanceDB compares the question with every vector, and the best are scored again here, with the numbers
//! that every engine gives.

use arrow_array::RecordBatch;
use futures_util::TryStreamExt;
use lancedb::DistanceType;
use lancedb::query::{ExecutableQuery, QueryBase, Select};
use mindfile_index::{Doc, Error, Filter, Origin, Shelf, vector};

use crate::codec;
use crate::columns::Rows;
use crate::read::Reader;
use crate::tables::Table;

/// More than asked for are fetched: rows that tie are kept, and those of other days are left out here.
const SLACK: usize = 64;

impl Reader {
    pub(crate) fn near(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let mut fetched = limit.saturating_add(SLACK);
        let mut best = loop {
            let all = self.closest(shelf, query, filter, fetched)?;
            let complete = all.len() < fetched;
            let best = self.scored(shelf, all, query, filter, limit)?;
            // Where the last ones tie there may be more of them.
            if complete || (best.len() >= limit && best.len() < fetched - SLACK / 2) {
                break best;
            }
            fetched = fetched.saturating_mul(4);
        };
        let others: Vec<Doc> = also
            .iter()
            .filter(|doc| doc.shelf() == shelf && !best.iter().any(|(known, _)| known == *doc))
            .copied()
            .collect();
        let read = |rows: Rows<'_>, at: usize| Some((Doc(rows.long("doc", at)?), rows.vector("vector", at)));
        let others = self.placed(shelf, &["doc", "vector"], &others, read)?;
        let others = others.into_iter().filter_map(|(doc, vector)| Some((doc, vector?))).collect();
        best.extend(self.scored(shelf, others, query, filter, usize::MAX)?);
        Ok(best)
    }

    /// The best that the filter admits, with exact cosines, best first, and what ties with the last.
    fn scored(
        &self,
        shelf: Shelf,
        rows: Vec<(Doc, Vec<f32>)>,
        query: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let columns = &self.listed(shelf)?.columns;
        let admits = |doc: Doc| columns.position(doc).is_some_and(|at| filter.admits(columns, at));
        let mut scored: Vec<(Doc, f32)> = rows
            .into_iter()
            .filter(|(doc, _)| admits(*doc))
            .map(|(doc, own)| (doc, vector::cosine(&own, query)))
            .collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let last =
            limit.checked_sub(1).and_then(|at| scored.get(at)).map_or(f32::NEG_INFINITY, |last| last.1);
        scored.retain(|(_, cosine)| *cosine >= last);
        Ok(scored)
    }

    /// As LanceDB ranks them.
    fn closest(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<(Doc, Vec<f32>)>, Error> {
        let Some(table) = self.table(Table::of(shelf))? else { return Ok(Vec::new()) };
        let (query, condition) = (query.to_vec(), condition(filter));
        let asking = async move {
            let nearest = table.query().nearest_to(query)?.column("vector").distance_type(DistanceType::Dot);
            let nearest = nearest.bypass_vector_index().only_if(condition).limit(limit);
            let found = nearest.select(Select::columns(&["doc", "vector"])).execute().await?;
            found.try_collect::<Vec<RecordBatch>>().await
        };
        let batches = self.asked(self.store.reading(self.until, asking))?;
        let mut all = Vec::new();
        for rows in batches.iter().map(Rows) {
            let one = |at: usize| Some((Doc(rows.long("doc", at)?), rows.vector("vector", at)?));
            all.extend((0..rows.len()).filter_map(one));
        }
        Ok(all)
    }
}

/// What can be asked of a row alone. Its day may be that of its note.
fn condition(filter: &Filter) -> String {
    let mut all = format!("state = {}", codec::VECTOR);
    if let Some(source) = filter.source {
        let number = codec::source(source);
        all.push_str(&format!(" AND source = {number}"));
    }
    if filter.trusted {
        let untrusted = codec::origin(Origin::Untrusted);
        all.push_str(&format!(" AND origin <> {untrusted}"));
    }
    all
}

#[cfg(test)]
mod tests {
    use mindfile_index::Source;

    use super::*;

    #[test]
    fn a_filter_is_a_condition_of_numbers() {
        let filter = Filter { source: Some(Source::Sessions), trusted: true, ..Filter::default() };
        assert_eq!(condition(&filter), "state = 2 AND source = 1 AND origin <> 0");
        assert_eq!(condition(&Filter::default()), "state = 2");
    }
}
