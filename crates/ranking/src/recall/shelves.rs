//! Facts that were loaded for a question and may be asked for again, as long as the index stays as it is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use mindfile_index::{Backend, Doc};

use super::facts::ShelvedFact;
use crate::error::Error;
use crate::fact::Uses;

/// How many facts stay in memory; then it begins anew.
const MOST: usize = 16_384;

/// What is kept between questions, behind one lock: recalls of one memory take turns.
#[derive(Default)]
pub struct Warm(Mutex<Shelves>);

#[derive(Default)]
pub struct Shelves {
    index: Option<Weak<dyn Backend>>,
    generation: u64,
    facts: HashMap<Doc, Arc<ShelvedFact>>,
}

impl Warm {
    /// What is kept of this generation of this index; of any other nothing is.
    pub fn of(&self, index: &Arc<dyn Backend>, generation: u64) -> MutexGuard<'_, Shelves> {
        let mut shelves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shelves.index.as_ref().map(Weak::as_ptr);
        let same = known.is_some_and(|known| std::ptr::addr_eq(known, Arc::as_ptr(index)));
        if !same || shelves.generation != generation {
            *shelves = Shelves { index: Some(Arc::downgrade(index)), generation, ..Shelves::default() };
        }
        shelves
    }
}

impl Shelves {
    pub(super) fn has(&self, doc: Doc) -> bool {
        self.facts.contains_key(&doc)
    }

    pub(super) fn put(&mut self, shelved: ShelvedFact) {
        self.facts.insert(shelved.doc, Arc::new(shelved));
    }

    /// A fact that is there, with its use as it is now.
    pub(super) fn get(&mut self, doc: Doc, uses: &Uses) -> Result<Arc<ShelvedFact>, Error> {
        let missing = || Error::Bug { what: format!("fact {doc} was not loaded") };
        let known = self.facts.get_mut(&doc).ok_or_else(missing)?;
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
