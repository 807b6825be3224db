//! What may be kept, whose word it is, and who may read it: the policy, the origins of texts, the ledger of what was
//! forgotten, the audit log, and the key of private notes.
//!
//! Everything here judges texts and keeps journals of its own. It knows no index, no model, and no note as a file: whoever
//! reads or writes notes asks here first.

pub mod age;
pub mod audit;
pub mod forgotten;
pub mod origin;
pub mod place;
pub mod policy;
pub mod speaker;
pub mod vault;
