//! How answers are written for a person: plain text with the few styles there are, cleaned of whatever could steer a
//! terminal.

pub mod clean;
pub mod quantity;
pub mod style;
pub mod table;
pub mod wrap;
