//! Ranking by words: the server adds up the scores by the formula that every engine has, with weights that are computed
//! here, and tells the best.

use std::collections::BTreeMap;

use mindfile_index::bm25::{B, K1, Weights};
use mindfile_index::{Doc, Error, Filter, Lexical, LexicalHit, Shelf, likeness};
use tokio_postgres::Row;

use crate::codec::{self, stored};
use crate::condition::{day_condition, own_condition};
use crate::read::Reader;

impl Reader<'_> {
    pub(crate) fn by_words(
        &self,
        shelf: Shelf,
        terms: &[String],
        filter: &Filter,
        limit: usize,
    ) -> Result<Lexical, Error> {
        let (chunks, mean) = self.moment.corpus(shelf, filter);
        let filter = self.moment.narrowed(shelf, filter);
        let found = self.found(shelf, terms, &filter)?;
        let known = found.iter().any(|found| *found > 0);
        let weights = Weights::of(terms, found.into_iter(), chunks, mean);
        let hits = if known && limit > 0 { self.best(shelf, &weights, &filter, limit)? } else { Vec::new() };
        Ok(Lexical { hits, terms: weights.terms, chunks })
    }

    /// In how many of the rows each term is.
    fn found(&self, shelf: Shelf, terms: &[String], filter: &Filter) -> Result<Vec<usize>, Error> {
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT e.term, sum(e.rows)::int8 FROM terms e WHERE e.agent = $1 AND e.part = $2 AND e.shelf = $3
             AND e.term = ANY ($4::text[]){} GROUP BY e.term",
            own_condition(filter)
        );
        let asked: Vec<String> = terms.iter().map(|term| stored(term).into_owned()).collect();
        let rows = self.ask(&sql, &[&codec::shelf(shelf), &asked])?;
        let counts: BTreeMap<String, i64> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let of = |term: &String| counts.get(term).map_or(0, |count| usize::try_from(*count).unwrap_or(0));
        Ok(asked.iter().map(of).collect())
    }

    /// The rows with the highest scores, and those that tie with the last of them. Terms may repeat in a question. Numbers
    /// have the precision and the order of every other engine's, so that scores are the same to the last bit.
    fn best(
        &self,
        shelf: Shelf,
        weights: &Weights,
        filter: &Filter,
        limit: usize,
    ) -> Result<Vec<LexicalHit>, Error> {
        let asked = weights.terms.iter().filter(|stat| stat.chunks > 0);
        let (terms, idfs): (Vec<String>, Vec<f32>) =
            asked.map(|stat| (stored(&stat.term).into_owned(), stat.idf)).unzip();
        let (least, per_length) = (K1 * (1.0 - B), K1 * B / weights.mean_length);
        let sql = format!(
            "WITH scored AS MATERIALIZED (
               SELECT e.doc, sum(q.idf * e.count::real * '{gain}'::real
                 / (e.count::real + ($6::real + $7::real * e.length::real)) ORDER BY q.at) AS score,
                 sum(q.idf ORDER BY q.at) AS covered
               FROM unnest($4::text[], $5::real[]) WITH ORDINALITY q(term, idf, at)
               JOIN postings e ON e.agent = $1 AND e.part = $2 AND e.shelf = $3 AND e.term = q.term
               {days} WHERE true{own} GROUP BY e.doc)
             SELECT doc, score, covered FROM scored WHERE score >= coalesce(
               (SELECT score FROM scored ORDER BY score DESC OFFSET $8 LIMIT 1), 0)
             ORDER BY score DESC, doc",
            gain = K1 + 1.0,
            days = day_condition(filter),
            own = own_condition(filter),
        );
        let last = i64::try_from(limit - 1).unwrap_or(i64::MAX);
        let rows = self.ask(&sql, &[&codec::shelf(shelf), &terms, &idfs, &least, &per_length, &last])?;
        let mass: f32 = weights.terms.iter().map(|stat| stat.idf).sum();
        let mut hits: Vec<LexicalHit> = rows.iter().map(|row| hit(row, mass)).collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.doc.cmp(&b.doc)));
        let last = hits.get(limit - 1).map_or(f32::NEG_INFINITY, |hit| hit.score);
        hits.retain(|hit| hit.score >= last);
        Ok(hits)
    }

    /// Facts that share words with a text.
    pub(crate) fn alike(&self, terms: &[String], limit: usize) -> Result<Vec<Doc>, Error> {
        let found = self.found(Shelf::Facts, terms, &Filter::default())?;
        let mut rare: Vec<(usize, &String)> =
            found.into_iter().zip(terms).filter(|(found, _)| *found > 0).collect();
        let complete = rare.len() == terms.len() && !terms.is_empty();
        rare.sort();
        if rare.is_empty() {
            return Ok(Vec::new());
        }
        let all: Vec<String> = rare.iter().map(|(_, term)| stored(term).into_owned()).collect();
        rare.truncate(likeness::RAREST);
        let lists = self.with(&all, rare.len(), complete)?;
        let names = rare.into_iter().map(|(_, term)| term.clone()).chain([String::new()]);
        Ok(likeness::most_in_common(names.zip(lists).collect(), limit))
    }

    /// The facts with each of the first so many terms, and, where that is wanted, those with all of them.
    fn with(&self, terms: &[String], rare: usize, complete: bool) -> Result<Vec<Vec<Doc>>, Error> {
        let all =
            "UNION ALL (SELECT 0, p.doc FROM postings p WHERE p.agent = $1 AND p.part = $2 AND p.shelf = 1
              AND p.term = $3 AND NOT EXISTS (SELECT FROM unnest($4::text[]) t(term) WHERE NOT EXISTS (
                SELECT FROM postings o WHERE o.agent = $1 AND o.part = $2 AND o.shelf = 1 AND o.term = t.term
                  AND o.doc = p.doc))
              ORDER BY p.doc LIMIT $6)";
        let sql = format!(
            "(SELECT t.at, p.doc FROM unnest($4::text[]) WITH ORDINALITY t(term, at) CROSS JOIN LATERAL (
                SELECT doc FROM postings WHERE agent = $1 AND part = $2 AND shelf = 1 AND term = t.term
                ORDER BY doc LIMIT $6) p WHERE t.at <= $5 AND $3::text IS NOT NULL ORDER BY t.at, p.doc) {}",
            if complete { all } else { "" }
        );
        let (rarest, most) = (terms.first().map_or("", String::as_str), likeness::MOST as i64);
        let rows = self.ask(&sql, &[&rarest, &terms, &i64::try_from(rare).unwrap_or(i64::MAX), &most])?;
        let mut lists = vec![Vec::new(); rare + usize::from(complete)];
        for row in &rows {
            let at = usize::try_from(row.get::<_, i64>(0)).unwrap_or(0);
            let place = if at == 0 { rare } else { at - 1 };
            lists[place].push(Doc(row.get(1)));
        }
        Ok(lists)
    }
}

fn hit(row: &Row, mass: f32) -> LexicalHit {
    let (score, covered): (f32, f32) = (row.get(1), row.get(2));
    let coverage = if mass > 0.0 { covered / mass } else { 0.0 };
    LexicalHit { doc: Doc(row.get(0)), score, coverage }
}
