//! A provider that was chosen and cannot be used: no key, no such file, not in this build.

use std::time::Instant;

use crate::{Embedder, Error, Jobs, Role, Sink, Space, Spending, Vector};

pub(super) struct UnavailableModel {
    space: Space,
    error: Error,
}

impl UnavailableModel {
    pub(super) fn new(provider: &str, model: &str, error: Error) -> Self {
        let space = Space { provider: provider.to_owned(), model: model.to_owned(), ..Space::default() };
        Self { space, error }
    }
}

impl Embedder for UnavailableModel {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed(&self, _: Role, _: &[&str], _: Option<Instant>) -> Result<Vec<Option<Vector>>, Error> {
        Err(self.error.clone())
    }

    fn embed_each(&self, _: &[&str], _: Option<Instant>, _: &mut Sink<'_>) -> Result<(), Error> {
        Err(self.error.clone())
    }

    fn estimate(&self, _: &[&str]) -> Spending {
        Spending::default()
    }

    fn spent(&self) -> Spending {
        Spending::default()
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}
