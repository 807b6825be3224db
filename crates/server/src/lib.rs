//! The doors for other programs: HTTP and MCP. Everything here translates [`mindfile::Memory`] and adds no behaviour.
//!
//! What can be asked stands in the table of [`mindfile_operations`]. [`serve`] listens for HTTP, [`mcp::over_stdio`] speaks with the
//! program that started this one.

mod beat;
mod desk;
mod error;
mod failure;
mod guard;
mod http;
mod hub;
mod listen;
pub mod mcp;
mod page;
mod rest;
mod room;
mod token;
mod watch;

pub use desk::Desk;
pub use error::Error;
pub use http::{Listening, Terms, serve};
pub use listen::Place;
pub use token::Token;
