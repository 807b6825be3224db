//! Ranking by words: the server finds the rows with the highest scores, and those are scored again by the code that every
//! engine has, so that the numbers are the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use mindfile_index::bm25::{self, B, K1, Postings, Weights};
use mindfile_index::columns::{Column, Columns};
use mindfile_index::{Doc, Error, Filter, Lexical, Shelf, likeness};
use tokio_postgres::Row;

use crate::codec::{self, stored, to_origin, to_source};
use crate::read::{Reader, condition, own_condition};

/// More than asked for are fetched: the server adds up with other precision, and rows that tie are kept.
const SLACK: usize = 64;

impl Reader<'_> {
    pub(crate) fn by_words(
        &self,
        shelf: Shelf,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let (chunks, mean) = self.corpus(shelf, filter)?;
        let found = self.found(shelf, terms, filter)?;
        let weights = Weights::of(terms, found.into_iter(), chunks, mean);
        let mut fetched = limit.saturating_add(SLACK);
        loop {
            let rows = self.best(shelf, &weights, filter, fetched)?;
            let (columns, postings) = self.columns(&rows, terms.len())?;
            let ranked = bm25::rank_by(weights.clone(), &postings, &columns, filter, limit);
            // Where the last ones tie there may be more of them.
            if columns.len() < fetched || ranked.hits.len() < fetched.saturating_sub(SLACK / 2) {
                return Ok(ranked);
            }
            fetched = fetched.saturating_mul(4);
        }
    }

    /// How many rows are asked, and their mean length.
    fn corpus(&self, shelf: Shelf, filter: &Filter) -> Result<(usize, f32), Error> {
        let sql = format!(
            "SELECT coalesce(sum(e.rows), 0)::int8, coalesce(sum(e.length), 0)::int8 FROM totals e
             WHERE e.agent = $1 AND e.part = $2 AND e.shelf = $3{}",
            own_condition(filter)
        );
        let rows = self.ask(&sql, &[&codec::shelf(shelf)])?;
        let (count, length): (i64, i64) = rows.first().map_or((0, 0), |row| (row.get(0), row.get(1)));
        let count = usize::try_from(count).unwrap_or(0);
        let mean = if count == 0 { 1.0 } else { (length as f32 / count as f32).max(1.0) };
        Ok((count, mean))
    }

    /// In how many of the rows each term is.
    fn found(&self, shelf: Shelf, terms: &[String], filter: &Filter) -> Result<Vec<usize>, Error> {
        let own = own_condition(filter);
        let sql = if own.is_empty() {
            "SELECT term, count(*) FROM postings WHERE agent = $1 AND part = $2 AND shelf = $3
             AND term = ANY ($4::text[]) GROUP BY term"
                .to_owned()
        } else {
            format!(
                "SELECT p.term, count(*) FROM postings p
                 JOIN entries e ON e.agent = p.agent AND e.part = p.part AND e.doc = p.doc
                 WHERE p.agent = $1 AND p.part = $2 AND p.shelf = $3 AND p.term = ANY ($4::text[]){own} GROUP BY p.term"
            )
        };
        let asked: Vec<String> = terms.iter().map(|term| stored(term).into_owned()).collect();
        let rows = self.ask(&sql, &[&codec::shelf(shelf), &asked])?;
        let counts: BTreeMap<String, i64> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let of = |term: &String| counts.get(term).map_or(0, |count| usize::try_from(*count).unwrap_or(0));
        Ok(asked.iter().map(of).collect())
    }

    /// The rows with the highest scores, with how often each term is in them. Terms may repeat in a question.
    fn best(
        &self,
        shelf: Shelf,
        weights: &Weights,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<Row>, Error> {
        let terms: Vec<String> = weights.terms.iter().map(|stat| stored(&stat.term).into_owned()).collect();
        let idfs: Vec<f32> = weights.terms.iter().map(|stat| stat.idf).collect();
        let (least, per_length) = (K1 * (1.0 - B), K1 * B / weights.mean_length);
        let sql = format!(
            "SELECT e.doc, e.source, e.origin, coalesce(e.day, n.changed), e.length, array_agg(q.at), array_agg(p.count),
               sum(q.idf * p.count * {gain} / (p.count + $6::real + $7::real * e.length)) AS score
             FROM unnest($4::text[], $5::real[]) WITH ORDINALITY q(term, idf, at)
             JOIN postings p ON p.agent = $1 AND p.part = $2 AND p.shelf = $3 AND p.term = q.term
             JOIN entries e ON e.agent = p.agent AND e.part = p.part AND e.doc = p.doc
             JOIN notes n ON n.agent = e.agent AND n.part = e.part AND n.path = e.path
             WHERE true{own}
             GROUP BY e.doc, e.source, e.origin, coalesce(e.day, n.changed), e.length
             ORDER BY score DESC, e.doc LIMIT $8",
            gain = K1 + 1.0,
            own = condition(filter),
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.ask(&sql, &[&codec::shelf(shelf), &terms, &idfs, &least, &per_length, &limit])
    }

    fn columns(&self, rows: &[Row], terms: usize) -> Result<(Columns, Vec<Arc<Postings>>), Error> {
        let mut rows: Vec<&Row> = rows.iter().collect();
        rows.sort_by_key(|row| row.get::<_, i64>(0));
        let mut columns = Columns::with_room(rows.len());
        let mut postings: Vec<Postings> = (0..terms).map(|_| Postings::default()).collect();
        for (position, row) in rows.into_iter().enumerate() {
            let doc = Doc(row.get(0));
            let odd = || self.damaged(format!("row {} has no source or no origin", doc.0));
            let source = to_source(row.get(1)).ok_or_else(odd)?;
            let origin = to_origin(row.get(2)).ok_or_else(odd)?;
            let length = row.get::<_, i32>(4).unsigned_abs();
            columns.push(doc, Column { source, origin, day: row.get(3), length });
            let (at, counts): (Vec<i64>, Vec<i32>) = (row.get(5), row.get(6));
            for (at, count) in at.into_iter().zip(counts) {
                let place = usize::try_from(at - 1).ok().and_then(|at| postings.get_mut(at));
                if let Some(postings) = place {
                    postings.push(position, count.unsigned_abs());
                }
            }
        }
        Ok((columns, postings.into_iter().map(Arc::new).collect()))
    }

    /// Facts that share words with a text.
    pub(crate) fn alike(&self, terms: &[String], limit: usize) -> Result<Vec<Doc>, Error> {
        let found = self.found(Shelf::Facts, terms, &Filter::default())?;
        let mut rare: Vec<(usize, &String)> =
            found.into_iter().zip(terms).filter(|(found, _)| *found > 0).collect();
        let complete = rare.len() == terms.len() && !terms.is_empty();
        rare.sort();
        rare.truncate(likeness::RAREST);
        let mut lists = Vec::new();
        for (_, term) in &rare {
            lists.push(((*term).clone(), self.with(term)?));
        }
        if complete {
            lists.push((String::new(), self.with_all(terms)?));
        }
        Ok(likeness::most_in_common(lists, limit))
    }

    fn with(&self, term: &str) -> Result<Vec<Doc>, Error> {
        let sql = "SELECT doc FROM postings WHERE agent = $1 AND part = $2 AND shelf = 1 AND term = $3
            ORDER BY doc LIMIT $4";
        let rows = self.ask(sql, &[&stored(term), &(likeness::MOST as i64)])?;
        Ok(rows.iter().map(|row| Doc(row.get(0))).collect())
    }

    fn with_all(&self, terms: &[String]) -> Result<Vec<Doc>, Error> {
        let mut asked: Vec<String> = terms.iter().map(|term| stored(term).into_owned()).collect();
        asked.sort();
        asked.dedup();
        let sql = "SELECT doc FROM postings WHERE agent = $1 AND part = $2 AND shelf = 1 AND term = ANY ($3::text[])
            GROUP BY doc HAVING count(*) = $4 ORDER BY doc LIMIT $5";
        let rows = self.ask(sql, &[&asked, &(asked.len() as i64), &(likeness::MOST as i64)])?;
        Ok(rows.iter().map(|row| Doc(row.get(0))).collect())
    }
}
