//! What can be done about a failure, as data: a sentence in which fields, operations and settings keep their own names,
//! because a person at a terminal, a program and a model each spell them in another way.

use std::borrow::Cow;

/// A sentence for whoever has to act. It is built from its parts, and each front end spells it:
///
/// ```
/// use mindfile_fault::{Hint, Spelling};
///
/// struct Terminal;
///
/// impl Spelling for Terminal {
///     fn field(&self, field: &str) -> String {
///         format!("--{}", field.replace('_', "-"))
///     }
///     fn run(&self, operation: &str, fields: &[(&str, String)]) -> String {
///         let fields: String = fields.iter().map(|(name, value)| format!(" {} {value}", self.field(name))).collect();
///         format!("mindfile {operation}{fields}")
///     }
///     fn set(&self, key: &str, value: &str) -> String {
///         format!("mindfile config set {key} {value}")
///     }
/// }
///
/// let hint = Hint::say("to let it be stored again: ").run("forget", &[("allow", "TEXT")]);
/// assert_eq!(hint.spelled(&Terminal), "to let it be stored again: mindfile forget --allow TEXT");
/// assert_eq!(Hint::say("raise ").field("max_results").spelled(&Terminal), "raise --max-results");
/// assert_eq!(Hint::set("enabled", "true").spelled(&Terminal), "mindfile config set enabled true");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint(Vec<Part>);

/// One piece of a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Words that are the same everywhere.
    Say(Cow<'static, str>),
    /// A field of the operation that failed, by its name in Rust: `max_results`.
    Field(&'static str),
    /// Do this operation, with these fields; one without a value is a switch. Which of them need no name is known to the front end alone.
    Run { operation: &'static str, fields: Vec<(&'static str, String)> },
    /// Give a setting this value.
    Set { key: &'static str, value: Cow<'static, str> },
}

/// How a front end writes the parts of a hint that are not plain words.
pub trait Spelling {
    /// `--max-results` at a terminal, `maxResults` for a program.
    fn field(&self, field: &str) -> String;
    /// An operation as it is asked for there.
    fn run(&self, operation: &str, fields: &[(&str, String)]) -> String;
    /// How a setting is changed from there.
    fn set(&self, key: &str, value: &str) -> String;
}

impl Hint {
    pub fn say(words: impl Into<Cow<'static, str>>) -> Self {
        Self(vec![Part::Say(words.into())])
    }

    /// Begins with an operation and its fields.
    pub fn operation(operation: &'static str, fields: &[(&'static str, &str)]) -> Self {
        Self(Vec::new()).run(operation, fields)
    }

    /// Begins with something to set.
    pub fn set(key: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        Self(vec![Part::Set { key, value: value.into() }])
    }

    /// Goes on with something to set.
    #[must_use]
    pub fn and_set(mut self, key: &'static str, value: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Part::Set { key, value: value.into() });
        self
    }

    /// Goes on with words.
    #[must_use]
    pub fn and(mut self, words: impl Into<Cow<'static, str>>) -> Self {
        self.0.push(Part::Say(words.into()));
        self
    }

    /// Goes on with a field.
    #[must_use]
    pub fn field(mut self, field: &'static str) -> Self {
        self.0.push(Part::Field(field));
        self
    }

    /// Goes on with an operation and its fields.
    #[must_use]
    pub fn run(mut self, operation: &'static str, fields: &[(&'static str, &str)]) -> Self {
        let fields = fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.0.push(Part::Run { operation, fields });
        self
    }

    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// The sentence in a front end's words.
    pub fn spelled(&self, spelling: &dyn Spelling) -> String {
        let spelled = |part: &Part| match part {
            Part::Say(words) => words.to_string(),
            Part::Field(field) => spelling.field(field),
            Part::Run { operation, fields } => spelling.run(operation, fields),
            Part::Set { key, value } => spelling.set(key, value),
        };
        self.0.iter().map(spelled).collect()
    }
}

impl From<&'static str> for Hint {
    fn from(words: &'static str) -> Self {
        Self::say(words)
    }
}

impl From<String> for Hint {
    fn from(words: String) -> Self {
        Self::say(words)
    }
}
