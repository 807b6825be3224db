//! What can be asked, the same for HTTP and MCP: each type is the query or the body of a request and the arguments of a
//! tool. The comments are what people and models read about the fields.

mod browse;
mod controls;
mod facts;
mod find;

pub use browse::{Notes, Nothing};
pub use controls::{Delete, Edit, Forget};
pub use facts::{Entity, Facts, Inspect};
pub use find::Reflect;
