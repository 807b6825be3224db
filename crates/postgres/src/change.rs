//! Changes to what a part stores besides rows: metadata, the embedding cache and uses.

use mindfile_index::{CacheKey, Change, FORGOTTEN};
use mindfile_note::hash::Digest;

use crate::codec::{all_stored, stored};
use crate::error::StepError;
use crate::postings;
use crate::write::{Part, Writer, show_uses};

impl Writer<'_> {
    pub(crate) fn value(&mut self, change: &Change) -> Result<(), StepError> {
        match change {
            Change::Put(_)
            | Change::Grow { .. }
            | Change::Rename { .. }
            | Change::Touch(_)
            | Change::Remove { .. }
            | Change::Embed { .. } => Ok(()),
            Change::Meta { key, value } => self.meta(key, value),
            Change::Cache { key, vector, now_ms } => self.cache(key, vector, *now_ms),
            Change::PruneCache { keep, most } => self.prune(*keep, *most),
            Change::Use { facts } => show_uses(self.db, self.agent, Part::Aside(self.part), facts).map(drop),
            Change::Compact => postings::put_together(self.db, (self.agent, self.part)),
            Change::Forget { hashes, ids } => self.forget(hashes, ids),
        }
    }

    fn meta(&mut self, key: &str, value: &str) -> Result<(), StepError> {
        let sql = "INSERT INTO meta VALUES ($1, $2, $3, $4)
            ON CONFLICT (agent, part, key) DO UPDATE SET value = excluded.value";
        self.run(sql, &[&key, &stored(value)])?;
        Ok(())
    }

    fn cache(&mut self, key: &CacheKey, vector: &[f32], now_ms: i64) -> Result<(), StepError> {
        let CacheKey { provider, model, provider_key, hash } = key;
        let sql = "INSERT INTO cache VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (agent, provider, model, provider_key, hash)
            DO UPDATE SET embedding = excluded.embedding, updated_at = excluded.updated_at";
        let hash = hash.to_string();
        self.db.run(sql, &[&self.agent, provider, model, provider_key, &hash, &vector, &now_ms])?;
        Ok(())
    }

    fn prune(&mut self, keep: u64, most: u64) -> Result<(), StepError> {
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let sql = "DELETE FROM cache WHERE agent = $1 AND (provider, model, provider_key, hash) IN (
            SELECT provider, model, provider_key, hash FROM cache WHERE agent = $1
            ORDER BY updated_at, provider, model, provider_key, hash
            LIMIT greatest(0, least($3, (SELECT count(*) FROM cache WHERE agent = $1) - $2)))";
        self.db.run(sql, &[&self.agent, &whole(keep), &whole(most)])?;
        Ok(())
    }

    fn forget(&mut self, hashes: &[Digest], ids: &[String]) -> Result<(), StepError> {
        let hashes: Vec<String> = hashes.iter().map(Digest::to_string).collect();
        let ids = all_stored(ids);
        let sql = "WITH made AS (DELETE FROM cache WHERE agent = $1 AND hash = ANY ($4::text[]))
            DELETE FROM uses WHERE agent = $1 AND part = $2 AND fact_id = ANY ($3::text[])";
        self.run(sql, &[&ids, &hashes])?;
        let count = self.forgotten();
        self.meta(FORGOTTEN, &count.to_string())
    }
}
