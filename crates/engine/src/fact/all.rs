//! Every fact at once.

use mindfile_index::{Doc, FactQuery, single};
use mindfile_ranking::fact::{FactRecord, load};

use crate::corpus::Corpus;
use crate::error::Error;
use crate::view::Freshness;

impl Corpus {
    /// As [`Self::facts`], with private ones where their owner asks.
    pub fn facts_in_sight(&self) -> Result<Vec<FactRecord>, Error> {
        let view = self.view(self.viewer(), Freshness::AsIndexed)?;
        let snapshot = view.snapshot()?;
        let docs = single::list(&*snapshot, FactQuery::All)?;
        Ok(load::records(&*snapshot, &docs, &*self.journal.uses()?)?)
    }

    /// Every fact but private ones with its number in the index, by path and line.
    pub fn facts(&self) -> Result<Vec<(Doc, FactRecord)>, Error> {
        let index = self.index()?;
        let snapshot = index.snapshot()?;
        let docs = single::list(&*snapshot, FactQuery::All)?;
        let records = load::records(&*snapshot, &docs, &*self.journal.uses()?)?;
        Ok(docs.into_iter().zip(records).collect())
    }
}
