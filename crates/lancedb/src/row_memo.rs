//! A cache of the rows that questions of one generation read.

use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

use mindfile_index::{Doc, Error, Shelf};

use crate::read::Reader;
use mindfile_index::plan::StoredRow;

/// How many rows of a shelf to cache; each takes about 4 KB.
const MOST: usize = 8_192;

impl Reader {
    fn held(&self, shelf: Shelf) -> MutexGuard<'_, HashMap<Doc, StoredRow>> {
        self.view.rows(shelf).lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached ones among these rows.
    pub(crate) fn known_rows(&self, docs: &[Doc]) -> Result<HashMap<Doc, StoredRow>, Error> {
        let mut found = HashMap::with_capacity(docs.len());
        for shelf in Shelf::ALL {
            let held = self.held(shelf);
            let own = docs.iter().filter(|doc| doc.shelf == shelf);
            found.extend(own.filter_map(|doc| Some((*doc, held.get(doc)?.clone()))));
        }
        let missing: Vec<Doc> = docs.iter().filter(|doc| !found.contains_key(doc)).copied().collect();
        if !missing.is_empty() {
            let read = self.rows(&missing)?;
            self.hold(&read);
            found.extend(read);
        }
        Ok(found)
    }

    fn hold(&self, read: &HashMap<Doc, StoredRow>) {
        for shelf in Shelf::ALL {
            let mut held = self.held(shelf);
            if held.len() + read.len() > MOST {
                held.clear();
            }
            let own = read.iter().filter(|(doc, _)| doc.shelf == shelf);
            held.extend(own.map(|(doc, row)| (*doc, row.clone())));
        }
    }
}
