//! Why an operation was not carried out, as data: whose fault it is, what is wrong and what helps. Exit codes and statuses
//! follow from it, and each front end spells it in its own words.

use std::io;

use mindfile::fault::{Explain, Fault, Hint, Spelling};
use mindfile::{Denial, Error, config, fact, policy, reflect, retain, session, workspace};
use schemars::JsonSchema;
use serde::Serialize;

use crate::spelling::Program;

/// What has to change before the same request can succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Usage,
    /// What is named is not there.
    Absent,
    /// It contradicts what is there.
    Conflict,
    Forbidden,
    /// The workspace is not where the program was told. Whoever started the program can help that; its callers cannot.
    Away,
    Environment,
    Interrupted,
    /// Nobody reads the output any more.
    Unread,
    Bug,
}

#[derive(Debug)]
pub struct Failure {
    pub class: Class,
    code: Option<&'static str>,
    hint: Option<Hint>,
    wording: Wording,
    /// What stands in the way of a change.
    standing: Option<Box<Standing>>,
}

#[derive(Debug)]
enum Wording {
    Plain(String),
    Explained(Box<dyn Explain + Send + Sync>),
}

/// What stands where somebody wanted to change something else.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Standing {
    /// Of the note; none if there is no note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// A failure as JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Failed {
    ok: bool,
    pub error: Wrong,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Wrong {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What stands there now, where a note is not what the caller read.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Box<Standing>>,
}

impl Failed {
    pub fn new(kind: &'static str, message: &str, hint: Option<String>) -> Self {
        Self { ok: false, error: Wrong { kind, message: policy::stripped(message), hint, now: None } }
    }
}

impl Failure {
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self { class, code: None, hint: None, wording: Wording::Plain(message.into()), standing: None }
    }

    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Class::Usage, message)
    }

    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(Class::Environment, message)
    }

    pub fn bug(message: impl Into<String>) -> Self {
        Self::new(Class::Bug, message)
    }

    /// A file that cannot be read or written.
    pub fn file(path: &(impl std::fmt::Display + ?Sized), source: &io::Error) -> Self {
        Self::environment(format!("{path}: {source}"))
    }

    /// The failure of a library, which knows all about itself.
    pub fn explained(error: impl Explain + Send + Sync + 'static) -> Self {
        let class = match error.fault() {
            Fault::Caller => Class::Usage,
            Fault::Environment => Class::Environment,
            Fault::Bug => Class::Bug,
        };
        let (code, hint) = (error.code(), error.hint());
        Self { class, code, hint, wording: Wording::Explained(Box::new(error)), standing: None }
    }

    #[must_use]
    pub fn hint(self, hint: impl Into<Hint>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// The name by which programs know it.
    #[must_use]
    pub fn code(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }

    /// What stands in the way.
    #[must_use]
    pub(crate) fn standing(self, now: Standing) -> Self {
        Self { standing: Some(Box::new(now)), ..self }
    }

    /// The message with its causes, each said once.
    pub fn message(&self, spelling: &dyn Spelling) -> String {
        match &self.wording {
            Wording::Plain(message) => message.clone(),
            Wording::Explained(error) => with_causes(error.spelled(spelling), &**error),
        }
    }

    pub fn failed(&self, spelling: &dyn Spelling) -> Failed {
        let kind = self.code.unwrap_or(match self.class {
            Class::Usage | Class::Absent | Class::Conflict | Class::Forbidden | Class::Away => "usage",
            Class::Environment | Class::Unread => "environment",
            Class::Interrupted => "interrupted",
            Class::Bug => "bug",
        });
        let hint = self.hint.as_ref().map(|hint| hint.spelled(spelling));
        let mut failed = Failed::new(kind, &self.message(spelling), hint);
        failed.error.now = self.standing.clone();
        failed
    }
}

impl Failure {
    /// As a model that called a tool reads it.
    pub fn told(&self) -> String {
        let Wrong { message, hint, .. } = self.failed(&Program).error;
        let hint = hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        format!("{message}{hint}")
    }
}

/// The message of an error with its causes, each said once.
pub fn words(error: &dyn std::error::Error) -> String {
    with_causes(error.to_string(), error)
}

fn with_causes(message: String, error: &dyn std::error::Error) -> String {
    let mut words = message;
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        cause = error.source();
    }
    words
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let class = class(&error);
        let failure = Self::explained(error);
        Self { class: class.unwrap_or(failure.class), ..failure }
    }
}

macro_rules! failures_of_the_memory {
    ($($error:ty),+) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Error::from(error).into()
            }
        })+
    };
}

failures_of_the_memory!(config::Error, session::Error, workspace::Error);

impl From<mindfile_care::Error> for Failure {
    fn from(error: mindfile_care::Error) -> Self {
        if let mindfile_care::Error::Memory(error) = error {
            return error.into();
        }
        Self::explained(error)
    }
}

impl From<mindfile_hosts::Error> for Failure {
    fn from(error: mindfile_hosts::Error) -> Self {
        if let mindfile_hosts::Error::Memory(error) = error {
            return error.into();
        }
        Self::explained(error)
    }
}

/// What is read and written otherwise is a [`Failure::file`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        let is_unread = error.kind() == io::ErrorKind::BrokenPipe;
        let class = if is_unread { Class::Unread } else { Class::Environment };
        Self::new(class, format!("the output cannot be written: {error}"))
    }
}

/// Where more is known of a failure than whose fault it is.
#[expect(clippy::wildcard_enum_match_arm, reason = "of all others the fault says enough")]
fn class(error: &Error) -> Option<Class> {
    let class = match error {
        Error::Fact(fact::Error::NoFact { .. } | fact::Error::NoEntity { .. })
        | Error::Session(session::Error::NoSession { .. })
        | Error::Workspace(workspace::Error::Missing { .. }) => Class::Absent,
        Error::Retain(retain::Error::Duplicate { .. } | retain::Error::OtherVersion { .. })
        | Error::Reflect(reflect::Error::ChangedSince { .. } | reflect::Error::NothingToUndo)
        | Error::Fact(fact::Error::EntityExists { .. }) => Class::Conflict,
        // A door of the memory opens nothing else.
        Error::Workspace(workspace::Error::NotMemory { .. })
        | Error::Denied(Denial::Private { .. } | Denial::NotTheOwner { .. } | Denial::Forgotten { .. })
        | Error::Disabled { .. }
        | Error::Sandboxed { .. } => Class::Forbidden,
        Error::Workspace(
            workspace::Error::RootMissing { .. } | workspace::Error::RootNotDirectory { .. },
        ) => Class::Away,
        Error::Interrupted => Class::Interrupted,
        Error::Bug { .. } => Class::Bug,
        _ => return None,
    };
    Some(class)
}
