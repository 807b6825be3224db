//! What an operation is: a struct that is asked with, its answer, and one row that says where it is found.
//!
//! The fields of the struct are the flags of the command and the fields of the JSON; their comments are the help and the
//! descriptions of the schema.

use std::path::Path;

use clap::{ArgMatches, Args, Command};
use mindfile::access::GivenPlace;
use mindfile::clock::Clock;
use mindfile::fault::Spelling;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::schema;

/// What the file of an operation begins with.
pub(crate) mod prelude {
    pub(crate) use clap::Args;
    pub(crate) use schemars::JsonSchema;
    pub(crate) use serde::{Deserialize, Serialize};

    pub(crate) use mindfile::access::GivenPlace;

    pub(crate) use super::{Answer, Deed, Http, Operation, Page, Row, Shown, Tool, ToolOperation, says};
    pub(crate) use crate::caller::Caller;
    pub(crate) use crate::failure::Failure;
}

pub trait Operation: Args + DeserializeOwned + JsonSchema + Send + 'static {
    const ROW: Row;
    type Answer: Answer;
    fn run(self, caller: &Caller<'_>) -> Result<Self::Answer, Failure>;
}

/// Where an operation is found, and what it is for.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What programs call it.
    pub name: &'static str,
    /// What it does, in one line that begins with a verb.
    pub about: &'static str,
    /// The words of the command; none where only programs ask.
    pub command: Option<&'static str>,
    /// What stands below the help of the command.
    pub examples: &'static str,
    pub http: Option<Http>,
}

impl Row {
    pub const fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about, command: None, examples: "", http: None }
    }

    /// A command that no program asks for.
    pub const fn command(words: &'static str, about: &'static str) -> Self {
        Self::new(words, about).typed(words, "")
    }

    /// The same as a command.
    #[must_use]
    pub const fn typed(self, words: &'static str, examples: &'static str) -> Self {
        Self { command: Some(words), examples, ..self }
    }

    /// The same over HTTP.
    #[must_use]
    pub const fn http(self, http: Http) -> Self {
        Self { http: Some(http), ..self }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Http {
    pub method: Method,
    /// A word in braces is a field.
    pub path: &'static str,
    /// The answer comes before the work is done.
    pub begins: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Http {
    const fn of(method: Method, path: &'static str) -> Self {
        Self { method, path, begins: false }
    }

    /// The same, answered before the work is done.
    #[must_use]
    pub const fn begins(self) -> Self {
        Self { begins: true, ..self }
    }

    pub const fn get(path: &'static str) -> Self {
        Self::of(Method::Get, path)
    }

    pub const fn post(path: &'static str) -> Self {
        Self::of(Method::Post, path)
    }

    pub const fn put(path: &'static str) -> Self {
        Self::of(Method::Put, path)
    }

    pub const fn patch(path: &'static str) -> Self {
        Self::of(Method::Patch, path)
    }

    pub const fn delete(path: &'static str) -> Self {
        Self::of(Method::Delete, path)
    }

    /// Whether its fields stand in the query string; else in a body.
    pub fn is_in_query(&self) -> bool {
        matches!(self.method, Method::Get | Method::Delete)
    }
}

/// What an operation answers with. Its JSON is the same everywhere.
pub trait Answer: Serialize + JsonSchema {
    /// As a person at a terminal reads it.
    fn shown(&self, page: &Page<'_>) -> Shown;
}

/// Where a person reads.
pub struct Page<'a> {
    /// Paths below it begin with `~`.
    pub home: Option<&'a Path>,
    /// Columns of the terminal; none where lines stay as long as they are.
    pub width: Option<usize>,
    pub clock: &'a dyn Clock,
    /// How fields and operations are written there.
    pub spelling: &'a dyn Spelling,
}

/// An answer for a person.
#[derive(Debug, Default)]
pub struct Shown {
    pub text: String,
    /// Warnings that a reader of the JSON needs as well.
    pub notices: Vec<String>,
    /// Warnings that the JSON has in its fields.
    pub caveats: Vec<String>,
    /// What is said beside the text.
    pub remarks: Vec<String>,
    /// Something is left to be done, and a script should know.
    pub is_incomplete: bool,
    /// The text only says what was done: nothing for somebody who wants results alone.
    pub is_receipt: bool,
}

impl Shown {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Only what was done.
    pub fn receipt(text: impl Into<String>) -> Self {
        Self { is_receipt: true, ..Self::text(text) }
    }
}

/// An operation that models may call.
pub trait ToolOperation: Operation {
    const TOOL: Tool;
    /// The answer for a model that reads no structure.
    fn told(answer: &Self::Answer) -> String;
    /// The same as structure: nothing that a model does not need.
    fn lean(answer: &Self::Answer) -> Value;
    /// The places in notes and conversations whose text is in the answer.
    fn given(answer: &Self::Answer) -> Vec<GivenPlace>;
}

#[derive(Debug, Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub deed: Deed,
    /// What a model is told that it can say; the operation takes more.
    pub fields: &'static [&'static str],
    /// Offered without being asked for.
    pub usual: bool,
}

/// A text as structure.
pub(crate) fn says(text: String) -> Value {
    serde_json::json!({ "says": text })
}

/// What a tool does to the memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Reads,
    /// Adds, and takes nothing away.
    Adds,
    /// Rewrites what is there, and can be undone.
    Rewrites,
    /// Takes away for good.
    Forgets,
}

/// An answer whose type is not known any more.
pub trait Reply {
    fn json(&self) -> Result<Vec<u8>, Failure>;
    fn pretty_json(&self) -> Result<String, Failure>;
    fn shown(&self, page: &Page<'_>) -> Shown;
}

impl<A: Answer> Reply for A {
    fn json(&self) -> Result<Vec<u8>, Failure> {
        serde_json::to_vec(self).map_err(|error| Failure::bug(error.to_string()))
    }

    fn pretty_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).map_err(|error| Failure::bug(error.to_string()))
    }

    fn shown(&self, page: &Page<'_>) -> Shown {
        Answer::shown(self, page)
    }
}

/// What comes of an operation whose type is not known any more.
pub type Outcome = Result<Box<dyn Reply>, Failure>;

/// What a tool answers with.
#[derive(Debug)]
pub struct ToolReply {
    /// The whole answer, as its schema has it.
    pub value: Value,
    pub lean: Value,
    pub text: String,
}

/// An operation as the front ends see it: everything they make themselves from.
#[derive(Clone, Copy)]
pub struct Entry {
    pub row: Row,
    pub asked: fn() -> Map<String, Value>,
    pub answered: fn() -> Map<String, Value>,
    /// Gives a command its arguments.
    pub augment: fn(Command) -> Command,
    pub by_words: fn(&Caller<'_>, &ArgMatches) -> Outcome,
    /// The last says what the value is: the query, the body.
    pub by_json: fn(&Caller<'_>, Value, &str) -> Outcome,
    pub tool: Option<ToolEntry>,
}

#[derive(Clone, Copy)]
pub struct ToolEntry {
    pub tool: Tool,
    /// What a model is shown of what it takes, in as few tokens as say it.
    pub asked: fn() -> Map<String, Value>,
    /// All that it takes, as briefly.
    pub takes: fn() -> Map<String, Value>,
    pub call: fn(&Caller<'_>, Value) -> Result<ToolReply, Failure>,
}

impl Entry {
    pub const fn of<O: Operation>() -> Self {
        Self {
            row: O::ROW,
            asked: schema::asked::<O>,
            answered: schema::answered::<O::Answer>,
            augment: O::augment_args,
            by_words: |caller, given| Ok(Box::new(read_words::<O>(given)?.run(caller)?)),
            by_json: |caller, given, what| Ok(Box::new(read_json::<O>(given, what)?.run(caller)?)),
            tool: None,
        }
    }

    /// One that models may call, too. Where memory is switched off it answers no program.
    pub const fn tool<O: ToolOperation>() -> Self {
        let call = |caller: &Caller<'_>, given: Value| {
            caller.memory.check_on()?;
            let answer = read_json::<O>(given, "the arguments")?.run(caller)?;
            let value = serde_json::to_value(&answer).map_err(|error| Failure::bug(error.to_string()))?;
            // An answer is worth having even where it cannot be noted, such as on a disk that is read-only.
            drop(caller.memory.note_given(O::TOOL.name, caller.session, O::given(&answer)));
            Ok(ToolReply { value, lean: O::lean(&answer), text: O::told(&answer) })
        };
        let by_json = |caller: &Caller<'_>, given: Value, what: &str| -> Outcome {
            caller.memory.check_on()?;
            Ok(Box::new(read_json::<O>(given, what)?.run(caller)?))
        };
        let tool = ToolEntry {
            tool: O::TOOL,
            asked: || schema::briefest::<O>(O::TOOL.fields),
            takes: schema::brief::<O>,
            call,
        };
        Self { by_json, tool: Some(tool), ..Self::of::<O>() }
    }
}

fn read_words<O: Operation>(given: &ArgMatches) -> Result<O, Failure> {
    O::from_arg_matches(given).map_err(|error| Failure::usage(error.to_string()))
}

fn read_json<O: Operation>(mut given: Value, what: &str) -> Result<O, Failure> {
    let fields = schema::of::<O>();
    schema::settle(&fields, &mut given);
    schema::check(&fields, &given).map_err(|wrong| Failure::usage(format!("{what}: {wrong}")))?;
    serde_json::from_value(given).map_err(|error| Failure::usage(format!("{what}: {error}")))
}
