//! The seam between those who need vectors and those who make them.

use crate::{Error, Vector};

pub trait Embedder: Send + Sync {
    /// Names the vectors: only those of equal spaces may be compared or kept together.
    fn space(&self) -> &Space;

    /// One answer for each text, in order. `None` says that the text has no meaning in this space, for example
    /// because it consists of symbols that the model does not know.
    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Option<Vector>>, Error>;
}

/// What a text is for; some models embed a question otherwise than what answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Query,
    Document,
}

/// A vector space, named by where its vectors come from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Space {
    pub provider: String,
    pub model: String,
    /// The address of the provider; empty when the model is part of the program.
    pub endpoint: String,
    pub dims: usize,
}
