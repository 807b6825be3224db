//! Every operation, once. What a front end offers is made from this table.

use crate::audit::{ShowAudit, VerifyAudit};
use crate::backup::{Backup, Restore};
use crate::doctor::Doctor;
use crate::embeddings::Embeddings;
use crate::facts::{Delete, Edit, Forget, Inspect, ListEntities, ListFacts, ReadEntity, Retain, Trust};
use crate::get::Get;
use crate::heartbeat::Heartbeat;
use crate::import::Import;
use crate::index::{Index, IndexState, StartIndex};
use crate::notes::ListNotes;
use crate::operation::Entry;
use crate::policy::{ApplyPolicy, CheckPolicy, ShowPolicy};
use crate::private::{Decrypt, Encrypt, Rekey};
use crate::recall::Recall;
use crate::reflect::{Reflect, UndoReflection};
use crate::search::Search;
use crate::sessions::{
    Append, Candidates, Compact, Context, Conversations, Flush, FlushCheck, Prune, ReadSession,
    SessionContext,
};
use crate::status::{ShowStatus, ToolStatus};

pub static OPERATIONS: &[Entry] = &[
    Entry::tool::<Search>(),
    Entry::tool::<Get>(),
    Entry::tool::<Recall>(),
    Entry::tool::<Retain>(),
    Entry::tool::<Reflect>(),
    Entry::of::<UndoReflection>(),
    Entry::tool::<Forget>(),
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
    Entry::of::<ListFacts>(),
    Entry::of::<Inspect>(),
    Entry::of::<Edit>(),
    Entry::of::<Trust>(),
    Entry::of::<Delete>(),
    Entry::of::<ListEntities>(),
    Entry::of::<ReadEntity>(),
    Entry::of::<ListNotes>(),
    Entry::of::<ShowStatus>(),
    Entry::tool::<ToolStatus>(),
    Entry::of::<Doctor>(),
    Entry::of::<Index>(),
    Entry::of::<IndexState>(),
    Entry::of::<StartIndex>(),
    Entry::of::<Embeddings>(),
    Entry::of::<ShowAudit>(),
    Entry::of::<VerifyAudit>(),
    Entry::of::<ShowPolicy>(),
    Entry::of::<CheckPolicy>(),
    Entry::of::<ApplyPolicy>(),
    Entry::of::<Heartbeat>(),
    Entry::of::<Backup>(),
    Entry::of::<Restore>(),
    Entry::of::<Import>(),
    Entry::of::<Encrypt>(),
    Entry::of::<Decrypt>(),
    Entry::of::<Rekey>(),
];
