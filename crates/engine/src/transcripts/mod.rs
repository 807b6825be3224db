//! Transcripts in the index: how they become chunks, and which of these wait for their vectors.

pub(crate) mod held;
pub(crate) mod index;
