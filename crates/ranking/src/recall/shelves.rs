//! Facts that were loaded for a question and may be asked for again. A later generation of the index gives the same stored
//! fact for what it did not change: that one needs no second look.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mindfile_index::{Backend, Doc, StoredFact};

use super::facts::ShelvedFact;
use crate::error::Error;
use crate::fact::{FactRecord, Uses};

/// How many facts stay in memory; then it begins anew.
const MOST: usize = 4096;

/// What is kept between questions, behind one lock: recalls of one memory take turns.
#[derive(Default)]
pub struct Warm(Mutex<Shelves>);

#[derive(Default)]
pub struct Shelves {
    index: Option<Weak<dyn Backend>>,
    generation: u64,
    facts: HashMap<Doc, KeptFact>,
}

/// A fact, and the generation in which it was last seen to be what is stored.
struct KeptFact {
    generation: u64,
    stored: Arc<StoredFact>,
    fact: Arc<ShelvedFact>,
}

impl Warm {
    /// What is kept of this index, to be asked in this generation; of any other index nothing is.
    pub fn of(&self, index: &Arc<dyn Backend>, generation: u64) -> MutexGuard<'_, Shelves> {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shelves.index.as_ref().map(Weak::as_ptr);
        if !known.is_some_and(|known| std::ptr::addr_eq(known, Arc::as_ptr(index))) {
            *shelves = Shelves { index: Some(Arc::downgrade(index)), ..Shelves::default() };
        }
        shelves.generation = generation;
        shelves
    }

    pub fn forget(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Shelves::default();
    }
}

impl Shelves {
    pub(super) fn has(&self, doc: Doc) -> bool {
        self.facts.get(&doc).is_some_and(|kept| kept.generation == self.generation)
    }

    /// Whether a fact is what it was. What a key's value is, its other values decide as well.
    pub(super) fn keep(&mut self, stored: &Arc<StoredFact>) -> bool {
        let known = self.facts.get_mut(&stored.chunk.doc);
        let Some(kept) = known.filter(|kept| Arc::ptr_eq(&kept.stored, stored)) else { return false };
        if kept.fact.fact.key.is_some() {
            return false;
        }
        kept.generation = self.generation;
        true
    }

    pub(super) fn put(&mut self, stored: Arc<StoredFact>, fact: FactRecord) {
        let doc = stored.chunk.doc;
        let fact = Arc::new(ShelvedFact::new(doc, fact));
        self.facts.insert(doc, KeptFact { generation: self.generation, stored, fact });
    }

    /// A fact that is there, with its use as it is now.
    pub(super) fn get(&mut self, doc: Doc, uses: &Uses) -> Result<Arc<ShelvedFact>, Error> {
        let missing = || Error::Bug { what: format!("fact {doc} was not loaded") };
        let known = &mut self.facts.get_mut(&doc).ok_or_else(missing)?.fact;
        let access = uses.get(&known.fact.id).copied().unwrap_or_default();
        if known.fact.access != access {
            Arc::make_mut(known).fact.access = access;
        }
        Ok(Arc::clone(known))
    }

    /// Begins anew when there is too much.
    pub fn trim(&mut self) {
        if self.facts.len() > MOST {
            self.facts.clear();
        }
    }
}
