//! How a memory does, and what keeps it well: [`status`] looks, [`doctor`] finds what is wrong and mends it, the
//! [`heartbeat`] tidies up, [`backup`] keeps a copy, and [`eval`] measures how well questions are answered.
//!
//! This crate must not know the terminal, the environment or the crate `hosts`.

pub mod backup;
pub mod doctor;
mod error;
pub mod eval;
pub mod heartbeat;
pub mod status;

pub use error::Error;
