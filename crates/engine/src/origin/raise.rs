//! Giving and taking trust: an act of the owner at the terminal, and nobody else's.

use mindfile_index::Origin;

use super::{Binding, Force, Marks, said};
use crate::audit::{Act, Record, What};
use crate::corpus::Corpus;
use crate::denial::Denial;
use crate::error::Error;
use crate::fact::{FactRecord, inspect};
use crate::fault::OutOfRange;
use crate::ingest::{self, Budget, Scope};

/// A fact whose origin was set.
#[derive(Debug, Clone, PartialEq)]
pub struct Trusted {
    pub fact: FactRecord,
    pub before: Origin,
}

impl Corpus {
    /// Says whose word a fact is, whatever is known of it.
    pub fn trust(&self, id: &str, origin: Origin) -> Result<Trusted, Error> {
        if !self.door.is_owner() {
            return Err(Denial::NotTheOwner { door: self.door, what: "give trust" }.into());
        }
        if origin == Origin::System {
            let (value, allowed) = (origin.as_str().to_owned(), "owner, agent or untrusted");
            return Err(OutOfRange { field: "origin", value, allowed }.into());
        }
        let fact = inspect(self, self.viewer(), id, None)?.fact;
        let before = fact.origin;
        self.set_origin(&fact, origin)?;
        self.audit(&Record { act: Act::Trust, what: What::Fact, id: Some(&fact.id), text: Some(&fact.text) });
        Ok(Trusted { fact: FactRecord { origin, ..fact }, before })
    }

    /// Binds what a fact says, wherever it stands, and lets the index see it.
    pub(crate) fn set_origin(&self, fact: &FactRecord, origin: Origin) -> Result<(), Error> {
        let Some(said) = said(&fact.text) else { return Ok(()) };
        let marks = Marks::of(self.key.key()?, &fact.path, &said);
        let marks: Vec<_> = [Some(marks.here), marks.anywhere].into_iter().flatten().collect();
        let binding = Binding { at_ms: self.clock.now().as_millisecond(), origin, door: self.door };
        self.origins.append(binding, Force::Decides, &marks)?;
        let path = self.workspace()?.is_memory_path(&fact.path)?;
        ingest::run(self, Scope::Rejudged(std::slice::from_ref(&path)), Budget::Unlimited).map(drop)
    }
}
