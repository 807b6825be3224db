//! Another engine in the place of the built-in index, and what happens when it fails: the built-in one answers alone, and
//! says why, until the other one's turn comes again. No answer is made of both.

mod outage;
mod outages;

pub use outage::Outage;
pub use outages::{Outages, Turn};
