//! Decides what may be kept, whose word it is, and who may read it: the policy, the origins of texts, the ledger of what
//! was forgotten, the audit log, and the key of private notes.
//!
//! This crate judges texts and keeps its own journals. It must not know the index, models, or notes as files; callers
//! ask it before they read or write notes.

pub mod age;
pub mod audit;
pub mod forgotten;
pub mod heard;
pub mod origin;
pub mod place;
pub mod policy;
pub mod speaker;
pub mod vault;
