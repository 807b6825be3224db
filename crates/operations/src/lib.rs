//! What can be asked of a memory, declared once: each operation is one struct with its answer, and every front end makes
//! itself from the table of them.
//!
//! This crate must not know the terminal, sockets or the environment.

mod agent;
mod audit;
mod backup;
mod caller;
mod doctor;
mod embeddings;
pub mod explain;
mod fact;
mod facts;
mod failure;
mod get;
mod given;
mod heartbeat;
mod import;
mod index;
mod indexing;
mod lookup;
mod memory_tool;
mod notes;
mod operation;
mod policy;
mod private;
mod recall;
mod reflect;
pub mod schema;
mod score;
mod search;
pub mod sessions;
pub mod spelling;
mod status;
mod table;
pub mod text;
pub mod values;

pub use agent::AgentTools;
pub use audit::{Anchor, AuditEntries, ShowAudit, VerifiedAudit, VerifyAudit};
pub use backup::{BackedUp, Backup, ProvedBackup, Restore, Restored, RestoredFiles};
pub use caller::{Caller, Listener};
pub use doctor::{Doctor, Examination};
pub use embeddings::{EmbeddedTexts, Embeddings, Encoding, Input};
pub use facts::{
    Blame, BlamedNote, Delete, DiffFacts, Edit, EditedFact, EntityList, FactList, FactsDiff, Forget, Gone,
    GraphPicture, Inspect, InspectedFact, ListDisagreements, ListEntities, ListFacts, OneEntity,
    OpenDisagreements, ReadEntity, ReadGraph, Retain, RetainedFact, Settle, SettledFacts, Trust, TrustedFact,
};
pub use failure::{Class, Failed, Failure, Standing, words};
pub use get::{Get, Lines};
pub use given::{GivenList, ShowGiven};
pub use heartbeat::{Heartbeat, Upkeep};
pub use import::{Import, Imported};
pub use index::{Estimated, Index, IndexAnswer, IndexState, Indexed, Looked, StartIndex};
pub use indexing::{Indexing, IndexingState, Progressed};
pub use lookup::{Known, Lookup};
pub use memory_tool::{MemoryCommand, MemoryTool, Said};
pub use notes::{
    DeleteNote, DeletedNote, ListNotes, NoteBlocks, NoteList, NoteOutline, OutlineNotes, PreviewBlocks,
    PutNote, ReadBlocks, RenameNote, RenamedTo, WrittenNote,
};
pub use operation::{
    Answer, Deed, Entry, Http, Method, Operation, Outcome, Page, Reply, Row, Shown, Tool, ToolEntry,
    ToolOperation, ToolReply,
};
pub use policy::{AppliedPolicy, ApplyPolicy, CheckPolicy, PolicyFindings, PolicyRules, ShowPolicy};
pub use private::{Decrypt, Encrypt, MovedNotes, NewKey, Rekey};
pub use recall::{Recall, Recollection};
pub use reflect::{Reflect, Reflection, UndoReflection, Undone};
pub use score::{Score, ScoredParts};
pub use search::{Found, Search};
pub use search::{NOTHING_ANSWERS, hits};
pub use status::{AgentStatus, ShowStatus, Statuses, ToolStatus};
pub use table::OPERATIONS;
