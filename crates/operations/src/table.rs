//! Every operation, once. What a front end offers is made from this table.

use crate::facts::Retain;
use crate::get::Get;
use crate::operation::Entry;
use crate::recall::Recall;
use crate::search::Search;

pub static OPERATIONS: &[Entry] =
    &[Entry::tool::<Search>(), Entry::tool::<Get>(), Entry::tool::<Recall>(), Entry::tool::<Retain>()];
