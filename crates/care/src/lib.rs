//! Keeps a memory healthy: [`status`] inspects it, [`doctor`] finds and mends problems, the [`heartbeat`] tidies up,
//! [`backup`] makes copies, and [`eval`] measures the quality of answers.
//!
//! This crate must not know the terminal, the environment or the crate `hosts`.

pub mod backup;
pub mod doctor;
mod error;
pub mod eval;
pub mod heartbeat;
pub mod status;

pub use error::Error;
