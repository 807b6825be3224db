//! Engines that other crates bring. The program hands them in once, before it reads the command line, so that the library
//! does not depend on any of them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use mindfile_index::{Backend, Error as IndexError};

use mindfile_settings::{BackendName, Settings};

/// Opens an agent's index. Where it is only to be looked at and there is none, nothing is made.
pub type Opener = fn(&Settings, Purpose) -> Result<Option<Arc<dyn Backend>>, IndexError>;

/// What an index is opened for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It is made where there is none.
    Use,
    /// Nothing is made or changed.
    Look,
}

static PROVIDED: RwLock<BTreeMap<&'static str, Opener>> = RwLock::new(BTreeMap::new());

/// From now on the engine can be named in `memory.backend`. The first one of a name stays.
pub fn provide(engine: BackendName, opener: Opener) {
    let mut all = PROVIDED.write().unwrap_or_else(PoisonError::into_inner);
    all.entry(engine.as_str()).or_insert(opener);
}

/// The index of an engine that is not the built-in one.
pub(crate) fn open(settings: &Settings, purpose: Purpose) -> Result<Option<Arc<dyn Backend>>, IndexError> {
    let engine = settings.backend.as_str();
    let opener = PROVIDED.read().unwrap_or_else(PoisonError::into_inner).get(engine).copied();
    match opener {
        Some(opener) => opener(settings, purpose),
        None => Err(absent(engine)),
    }
}

pub(crate) fn absent(engine: &'static str) -> IndexError {
    IndexError::Unusable {
        engine,
        place: "memory.backend".to_owned(),
        why: "this program was built without it".to_owned(),
        hint: format!(
            "use a build with {engine} (docs/backends.md), or the built-in index: mindfile config set \
             memory.backend builtin"
        ),
    }
}
