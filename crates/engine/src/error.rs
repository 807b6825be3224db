//! What a memory can fail with, and whose fault it is.

use std::path::PathBuf;

use crate::fact::diagnostics::Code;
use crate::fault::Fault;
use crate::origin::Door;
use crate::private::KeyError;
use crate::reflect::section::Torn;
use crate::session::ChatType;
use crate::{backup, config, host, import, workspace};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Config(#[from] config::Error),
    #[error(transparent)]
    Workspace(#[from] workspace::Error),
    #[error(transparent)]
    Host(#[from] host::Error),
    #[error(transparent)]
    Import(#[from] import::Error),
    #[error(transparent)]
    Backup(#[from] backup::Error),
    #[error(transparent)]
    Index(#[from] mindfile_index::Error),
    #[error(transparent)]
    Model(#[from] mindfile_model::Error),
    #[error("the query is empty")]
    EmptyQuery,
    #[error("{what} is {value}; it must be {allowed}")]
    OutOfRange { what: &'static str, value: String, allowed: &'static str },
    #[error("\"{text}\" is not a place in a note")]
    NotAPlace { text: String },
    #[error("\"{text}\" is not a date or a duration")]
    NotADate { text: String },
    #[error("E2BIG: {what} needs {tokens} tokens, the budget is {budget}")]
    TooBig { what: &'static str, tokens: usize, budget: usize },
    #[error("{path} cannot be written to: {why}")]
    Torn { path: String, why: Torn },
    #[error("no reflection is left to undo")]
    NothingToUndo,
    #[error("what the last reflection wrote to {path} was changed since")]
    ChangedSince { path: String },
    #[error("the workspace {workspace} is read-only: {path} cannot be written to: {source}")]
    ReadOnly { workspace: String, path: PathBuf, source: std::io::Error },
    #[error("the fact has no text")]
    EmptyFact,
    #[error("the fact is {bytes} bytes long; it must be at most {limit}")]
    LongFact { bytes: usize, limit: usize },
    #[error("{entity:?} is not an entity's name: {why}")]
    NotAnEntity { entity: String, why: &'static str },
    #[error("EDUPFACTS: {} as ^{id} in {path}:{line}: {text}", if *.exact { "already known" } else { "nearly the same is known" })]
    Duplicate { id: String, path: String, line: u32, text: String, exact: bool },
    #[error("what this fact says was forgotten on request ({what}) and is not stored again")]
    Forgotten { what: String },
    #[error("{what} is not stored: the policy's rule \"{rule}\" forbids it")]
    NeverStore { what: String, rule: String },
    #[error("\"{key}\" is at version {found}, not {expected}")]
    OtherVersion { key: String, expected: u32, found: u32 },
    #[error("what comes through the door \"{door}\" is not trusted and cannot be written to {path}")]
    NotTrusted { door: Door, path: String, folder: &'static str },
    #[error("only the owner can {what}, at the terminal; this is the door \"{door}\"")]
    NotTheOwner { door: Door, what: &'static str },
    #[error("there is no fact ^{id}")]
    NoFact { id: String },
    #[error("ENOENTITY: no fact names @{name}")]
    NoEntity { name: String, near: Option<String> },
    #[error("@{name} is known already")]
    EntityExists { name: String },
    #[error("there is no session \"{session}\"")]
    NoSession { session: String },
    #[error("session \"{session}\" is in OpenClaw's database, which is only read")]
    ForeignSession { session: String },
    #[error("a message needs a role and text: {what}")]
    NotAMessage { what: String },
    #[error("{path} is for private conversations, and this is a {} one", chat.as_str())]
    Private { path: String, chat: ChatType },
    #[error(transparent)]
    Key(#[from] KeyError),
    #[error("stopped before it was finished")]
    Interrupted,
    #[error("memory search is switched off for agent \"{agent}\"")]
    Disabled { agent: String },
    #[error("{path}: {what}")]
    Dataset { path: PathBuf, what: String },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("a bug in mindfile: {what}")]
    Bug { what: String },
}

impl Error {
    pub fn fault(&self) -> Fault {
        match self {
            Self::Config(error) => error.fault(),
            Self::Workspace(error) => error.fault(),
            Self::Host(error) => error.fault(),
            Self::Import(error) => error.fault(),
            Self::Backup(error) => error.fault(),
            Self::Index(_) | Self::Interrupted | Self::Io { .. } | Self::ReadOnly { .. } => {
                Fault::Environment
            }
            Self::Key(error) => error.fault(),
            Self::Model(error) => match error.fault() {
                mindfile_model::Fault::Caller => Fault::Caller,
                mindfile_model::Fault::Environment => Fault::Environment,
                mindfile_model::Fault::Bug => Fault::Bug,
            },
            Self::EmptyQuery
            | Self::OutOfRange { .. }
            | Self::NotAPlace { .. }
            | Self::NotADate { .. }
            | Self::TooBig { .. }
            | Self::Torn { .. }
            | Self::NothingToUndo
            | Self::ChangedSince { .. }
            | Self::EmptyFact
            | Self::LongFact { .. }
            | Self::NotAnEntity { .. }
            | Self::Duplicate { .. }
            | Self::Forgotten { .. }
            | Self::NeverStore { .. }
            | Self::OtherVersion { .. }
            | Self::NotTrusted { .. }
            | Self::NotTheOwner { .. }
            | Self::NoFact { .. }
            | Self::NoEntity { .. }
            | Self::EntityExists { .. }
            | Self::NoSession { .. }
            | Self::ForeignSession { .. }
            | Self::NotAMessage { .. }
            | Self::Private { .. }
            | Self::Disabled { .. }
            | Self::Dataset { .. } => Fault::Caller,
            Self::Bug { .. } => Fault::Bug,
        }
    }

    /// The diagnostic that it is a case of, by the name that programs know.
    pub fn code(&self) -> Option<&'static str> {
        match self {
            Self::Duplicate { .. } => Some(Code::DuplicateFacts.as_str()),
            Self::TooBig { .. } => Some(Code::TooBig.as_str()),
            Self::NoEntity { .. } => Some(Code::NoEntity.as_str()),
            Self::Config(_)
            | Self::Workspace(_)
            | Self::Host(_)
            | Self::Import(_)
            | Self::Backup(_)
            | Self::Index(_)
            | Self::Model(_)
            | Self::EmptyQuery
            | Self::OutOfRange { .. }
            | Self::NotAPlace { .. }
            | Self::NotADate { .. }
            | Self::Torn { .. }
            | Self::NothingToUndo
            | Self::ChangedSince { .. }
            | Self::EmptyFact
            | Self::LongFact { .. }
            | Self::NotAnEntity { .. }
            | Self::Forgotten { .. }
            | Self::NeverStore { .. }
            | Self::OtherVersion { .. }
            | Self::NotTrusted { .. }
            | Self::NotTheOwner { .. }
            | Self::NoFact { .. }
            | Self::EntityExists { .. }
            | Self::NoSession { .. }
            | Self::ForeignSession { .. }
            | Self::NotAMessage { .. }
            | Self::Private { .. }
            | Self::Interrupted
            | Self::Key(_)
            | Self::Disabled { .. }
            | Self::Dataset { .. }
            | Self::ReadOnly { .. }
            | Self::Io { .. }
            | Self::Bug { .. } => None,
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::Workspace(error) => error.hint(),
            Self::Host(error) => error.hint(),
            Self::Import(error) => error.hint(),
            Self::Backup(error) => error.hint(),
            Self::Index(error) => Some(index_hint(error)),
            Self::Model(error) => error.hint(),
            Self::EmptyQuery => {
                Some("say what to look for: mindfile search \"what did we decide about X\"".to_owned())
            }
            Self::NotAPlace { .. } => {
                Some("write it as PATH#L40, for example memory/2026-07-14.md#L40".to_owned())
            }
            Self::NotADate { .. } => {
                Some("write 2026-07-14, or a duration such as 30d, 6w or 12h".to_owned())
            }
            Self::TooBig { tokens, .. } => Some(format!("give it at least {tokens} tokens")),
            Self::Torn { .. } => {
                Some("put the missing marker back, or delete both; nothing was changed".to_owned())
            }
            Self::ChangedSince { .. } => {
                Some("nothing was changed; take the lines out by hand, or reflect again".to_owned())
            }
            Self::ReadOnly { .. } => {
                Some("nothing was changed; check the permissions, or look with --dry-run".to_owned())
            }
            Self::EmptyFact => Some("say what to keep: mindfile retain \"Sarah leads the team\"".to_owned()),
            Self::LongFact { .. } => {
                Some("a fact is one sentence; write longer text into a note of its own".to_owned())
            }
            Self::NotAnEntity { .. } => {
                Some("for example --entity Sarah, or --entity slow-endpoint".to_owned())
            }
            Self::Duplicate { .. } => Some("to write it all the same: --force".to_owned()),
            Self::Forgotten { .. } => {
                Some("to let it be stored again: mindfile forget --allow TEXT".to_owned())
            }
            Self::NeverStore { .. } => {
                Some("leave the value out; `mindfile policy check TEXT` shows what was found".to_owned())
            }
            Self::OtherVersion { key, .. } => {
                Some(format!("look at the value that is there now: mindfile inspect {key}"))
            }
            Self::NotTrusted { folder, .. } => Some(format!("without a file it goes to {folder}")),
            Self::NoFact { .. } => Some("`mindfile recall` prints the ids of facts with --json".to_owned()),
            Self::NoEntity { near, .. } => Some(entity_hint(near.as_deref())),
            Self::EntityExists { name } => {
                Some(format!("to make two entities one: mindfile entities OLD --merge-into {name}"))
            }
            Self::NoSession { .. } => Some("`mindfile session list` shows those that are there".to_owned()),
            Self::ForeignSession { .. } => {
                Some("begin another one: mindfile session append --session NEW-ID …".to_owned())
            }
            Self::NotAMessage { .. } => {
                Some("for example {\"role\":\"user\",\"content\":\"hello\"}, one a line".to_owned())
            }
            Self::Key(error) => error.hint(),
            Self::Interrupted => Some("run the same command again: it goes on where it stopped".to_owned()),
            Self::Disabled { .. } => Some("mindfile config set enabled true".to_owned()),
            Self::Dataset { .. } => Some("see docs/evals.md for the formats".to_owned()),
            Self::OutOfRange { .. }
            | Self::NothingToUndo
            | Self::NotTheOwner { .. }
            | Self::Private { .. }
            | Self::Io { .. } => None,
            Self::Bug { .. } => Some("please report it with the command that led here".to_owned()),
        }
    }
}

fn entity_hint(near: Option<&str>) -> String {
    match near {
        Some(near) => format!("did you mean @{near}? `mindfile entities` lists all of them"),
        None => "`mindfile entities` lists those that facts name; tag one with --entity".to_owned(),
    }
}

fn index_hint(error: &mindfile_index::Error) -> String {
    use mindfile_index::Error as Index;
    let hint = match error {
        Index::Damaged { .. } | Index::Version { .. } | Index::Moved { .. } | Index::Dimensions { .. } => {
            "mindfile index --force makes it again from the notes"
        }
        Index::Foreign { .. } => "choose another place with memorySearch.store.path",
        Index::OldSqlite { .. } => "build mindfile with its bundled SQLite",
        Index::NoWal { .. } => "move the index to a local disk: mindfile config set store.path PATH",
        Index::NotFinite => "the embedding model gave an unusable vector: check the model",
        Index::Superseded => "run the same command again",
        Index::Unusable { hint, .. } => hint,
        Index::Unavailable { .. } => {
            "see that it runs and can be reached; the built-in index is there without it: --backend builtin"
        }
        Index::Engine { .. } => "look at its log; the built-in index is there without it: --backend builtin",
        Index::Deadline => "ask with fewer words, or raise query.deadlineMs",
        Index::Io { .. } | Index::Sqlite { .. } => {
            "check the disk and the permissions of the state directory"
        }
    };
    hint.to_owned()
}
