//! Giving and taking trust: an act of the owner at the terminal, and nobody else's.

use mindfile_index::Origin;

use crate::audit::Record;
use crate::corpus::Corpus;
use crate::draft;
use crate::error::Denial;
use crate::error::Error;
use crate::fact::inspect;
use mindfile_fault::OutOfRange;
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::audit::{Act, What};

/// A fact whose origin was set.
#[derive(Debug, Clone, PartialEq)]
pub struct Trusted {
    pub fact: FactRecord,
    pub before: Origin,
}

/// Says whose word a fact is, whatever is known of it.
pub fn trust(corpus: &Corpus, id: &str, origin: Origin) -> Result<Trusted, Error> {
    if !corpus.door.is_owner() {
        return Err(Denial::NotTheOwner { door: corpus.door, what: "give trust" }.into());
    }
    if origin == Origin::System {
        let (value, allowed) = (origin.as_str().to_owned(), "owner, agent or untrusted");
        return Err(OutOfRange { field: "origin", value, allowed }.into());
    }
    let fact = inspect(corpus, corpus.viewer(), id, None)?.fact;
    let before = fact.origin;
    draft::set_origin(corpus, &fact, origin)?;
    corpus.audit(&Record { act: Act::Trust, what: What::Fact, id: Some(&fact.id), text: Some(&fact.text) });
    Ok(Trusted { fact: FactRecord { origin, ..fact }, before })
}
