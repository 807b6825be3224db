//! What can go wrong between a text and its vector.

use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Error)]
pub enum Error {
    #[error("value {position} of the vector is {value}, which is not a finite number")]
    NotFinite { position: usize, value: f32 },
    #[error("all {dims} values of the vector are zero, so it has no direction")]
    Zero { dims: usize },
}

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// What was asked for is wrong.
    Caller,
    /// Something around the program failed: a provider, the network, the machine.
    Environment,
    /// The program itself is wrong.
    Bug,
}

impl Error {
    /// Vectors come from a model: one that cannot be used is the model's failure.
    pub fn fault(&self) -> Fault {
        match self {
            Self::NotFinite { .. } | Self::Zero { .. } => Fault::Environment,
        }
    }

    /// What to do about it, if anything can be done.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotFinite { .. } | Self::Zero { .. } => {
                Some("the embedding model answered with a broken vector: try again, or choose another model")
            }
        }
    }
}
