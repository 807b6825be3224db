//! The use of facts: what recall returns is noted in the journal, and shown in the index.

use std::sync::Arc;

use mindfile_index::{Change, Index};

use crate::corpus::Corpus;
use crate::error::Error;
use mindfile_ranking::fact::Uses;

impl Corpus {
    /// Notes that these facts were recalled just now.
    pub fn touch(&self, ids: &[String]) -> Result<(), Error> {
        self.journal.append(ids, self.clock.now().as_millisecond())?;
        let uses = self.journal.uses()?;
        let shown = ids.iter().filter_map(|id| Some((id.clone(), *uses.get(id)?)));
        let change = Change::Use { facts: shown.collect() };
        self.apply(&*self.index()?, vec![change])
    }

    /// How often each fact was recalled, and when last.
    pub fn uses(&self) -> Result<Arc<Uses>, Error> {
        self.journal.uses()
    }
}

/// Shows the whole journal in an index that was just made.
pub(crate) fn show(corpus: &Corpus, index: &dyn Index) -> Result<(), Error> {
    let uses = corpus.journal.uses()?;
    if uses.is_empty() {
        return Ok(());
    }
    let facts = uses.iter().map(|(id, access)| (id.clone(), *access)).collect();
    corpus.apply(index, vec![Change::Use { facts }])
}
