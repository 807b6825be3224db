//! Another engine in the place of the built-in index: how it is opened, and what happens when it fails. Then the built-in
//! one answers alone, and says why, until the other one's turn comes again. No answer is made of both.

mod outage;
mod outages;
mod provided;
mod reached;

pub use mindfile_index::{Backend, Error};
pub use outage::Outage;
pub use outages::{Availability, Outages};
pub use provided::{Opener, Purpose, provide};

pub(crate) use provided::{absent, open};
pub(crate) use reached::reached;
