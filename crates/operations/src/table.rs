//! Every operation, once. What a front end offers is made from this table.

use crate::facts::Retain;
use crate::get::Get;
use crate::operation::Entry;
use crate::recall::Recall;
use crate::search::Search;
use crate::sessions::{
    Append, Candidates, Compact, Context, Conversations, Flush, FlushCheck, Prune, ReadSession,
    SessionContext,
};

pub static OPERATIONS: &[Entry] = &[
    Entry::tool::<Search>(),
    Entry::tool::<Get>(),
    Entry::tool::<Recall>(),
    Entry::tool::<Retain>(),
    Entry::tool::<Context>(),
    Entry::of::<Conversations>(),
    Entry::of::<ReadSession>(),
    Entry::of::<Append>(),
    Entry::of::<Candidates>(),
    Entry::of::<SessionContext>(),
    Entry::of::<FlushCheck>(),
    Entry::of::<Flush>(),
    Entry::of::<Compact>(),
    Entry::of::<Prune>(),
];
