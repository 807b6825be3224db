//! Facts and entities.

mod blame;
mod diff;
mod edit;
mod entities;
mod forget;
mod inspect;
mod list;
mod overview;
mod retain;
mod settle;

pub use blame::{Blame, BlamedNote};
pub use diff::{DiffFacts, FactsDiff};
pub use edit::{Edit, EditedFact, Trust, TrustedFact};
pub use entities::{EntityList, ListEntities, OneEntity, ReadEntity};
pub use forget::{Delete, Forget, Gone};
pub use inspect::{Inspect, InspectedFact};
pub use list::{FactList, ListFacts};
pub use overview::{GraphPicture, ReadGraph};
pub use retain::{Retain, RetainedFact};
pub(crate) use settle::settle_words;
pub use settle::{ListDisagreements, OpenDisagreements, Settle, SettledFacts};
