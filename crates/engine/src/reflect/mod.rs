//! Reflection: many facts into a core that fits into a prompt, and a bank of pages behind it.
//!
//! Everything here but `apply` is pure: select, consolidate, cut, render, compare. Files are touched last and once, with
//! what stood there before kept for `--undo`.

pub mod alike;
mod apply;
pub mod consolidate;
mod edit;
pub mod line;
pub mod pages;
pub mod record;
pub mod rewrite;
pub mod section;
pub mod select;
#[cfg(test)]
mod tests;
mod undo;

pub use crate::error::reflect::Error;
pub use apply::{CoreRequest, Reflected, reflect, undo_reflection};
pub use consolidate::{Consolidated, Group, Item, consolidate, cut};
pub use edit::FileEdit;
pub use line::Line;
pub use pages::PageText;
pub use select::{Chosen, Selection, priority, select};

/// Tokens of the core where nobody says.
pub const DEFAULT_TOKENS: usize = 2048;
/// The core must have room for a fact.
pub const LEAST_TOKENS: usize = 64;
