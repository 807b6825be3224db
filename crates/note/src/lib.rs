//! What a note is: text, chunks, facts, dates and words, computed from bytes.
//!
//! Every function is pure and total: any bytes are a note, and no input is an error. This crate must not know
//! files, the time or the environment.

pub mod agree;
pub mod alias;
pub mod blocks;
pub mod chunk;
mod cited;
pub mod conversation;
pub mod date;
pub mod fact;
mod file_stat;
pub mod hash;
pub mod link;
pub mod merge;
mod origin;
pub mod reflected;
pub mod segment;
mod source;
pub mod template;
pub mod text;
mod word_enum;
pub mod words;

pub use cited::CitedLine;
pub use file_stat::FileStat;
pub use origin::Origin;
pub use source::Source;
