//! The doors for other programs: HTTP and MCP. Everything here translates [`mindfile::Memory`] and adds no behaviour.
//!
//! [`ask`] is what can be asked and [`mindfile_operations::wire`] what is answered, the same through every door; `ops` has one function for
//! each. [`serve`] listens for HTTP, [`mcp::over_stdio`] speaks with the program that started this one.

pub mod ask;
mod beat;
mod desk;
mod error;
mod failure;
mod http;
mod hub;
pub mod mcp;
mod ops;
mod page;
mod token;
mod watch;

pub(crate) use mindfile_operations::{schema, wire};

pub use desk::Desk;
pub use error::Error;
pub use http::listen::Place;
pub use http::{Listening, Terms, serve};
pub use token::Token;
