//! What is asked of `retain`, judged before anything is touched.

use mindfile_fault::OutOfRange;
use mindfile_note::date;
use mindfile_note::fact::{Kind, Line, Name, Provenance, Sensitivity, Ttl};

use super::entity;
use crate::error::Error;

/// The longest text of a fact, in bytes.
pub const TEXT_LIMIT: usize = 8 << 10;
const LONGEST_KEY: usize = 200;
const LONGEST_ID: usize = 64;

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    pub text: String,
    /// Without one: an opinion for a keyed memory, else a world fact.
    pub kind: Option<Kind>,
    pub entities: Vec<String>,
    /// Without one it is estimated from the text.
    pub salience: Option<f32>,
    pub confidence: Option<f32>,
    pub key: Option<String>,
    /// A duration or a last day, as in the line.
    pub ttl: Option<String>,
    pub sensitivity: Option<Sensitivity>,
    /// The day on which the person is to be reminded of it.
    pub due: Option<String>,
    /// `kind:reference`.
    pub source: Option<String>,
    /// A memory file instead of today's note.
    pub file: Option<String>,
    /// The caller's name for this fact: a second request with it writes nothing.
    pub id: Option<String>,
    /// Replace a keyed value only if it has this version; 0 means that there is none.
    pub if_version: Option<u32>,
    /// Write it though the same is known.
    pub force: bool,
    /// The person has confirmed the change of a keyed value.
    pub confirm: bool,
}

impl Request {
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }

    /// Every mistake that can be seen without looking at the memory.
    pub fn check(&self) -> Result<(), Error> {
        if self.text.len() > TEXT_LIMIT {
            return Err(super::Error::TooLong { bytes: self.text.len(), limit: TEXT_LIMIT }.into());
        }
        if Line::new(Kind::World, [""], &self.text).is_none() {
            return Err(super::Error::Empty.into());
        }
        self.entities.iter().try_for_each(|entity| entity::check(entity))?;
        check_unit("salience", self.salience)?;
        check_unit("confidence", self.confidence)?;
        check_word("key", self.key.as_deref(), is_key, "1 to 200 characters without spaces")?;
        check_word("id", self.id.as_deref(), is_id, "1 to 64 ASCII letters, digits and -")?;
        check_word(
            "ttl",
            self.ttl.as_deref(),
            |ttl| Ttl::parse(ttl).is_some(),
            "a duration (180d, 2w) or a day",
        )?;
        check_word("due", self.due.as_deref(), |day| date::parse(day).is_some(), "a day such as 2026-07-14")?;
        check_word("source", self.source.as_deref(), is_source, "kind:reference, such as chat:msg_9981")?;
        match (&self.key, self.if_version) {
            (None, Some(version)) => {
                let (value, allowed) = (version.to_string(), "given together with a key");
                Err(OutOfRange { field: "if_version", value, allowed }.into())
            }
            (Some(_), _) | (None, None) => Ok(()),
        }
    }

    pub(super) fn kind(&self) -> Kind {
        let keyed = if self.key.is_some() { Kind::Opinion } else { Kind::World };
        self.kind.unwrap_or(keyed)
    }

    /// The line with what the request says; dates, version and id come later.
    pub(super) fn line(&self, entities: &[String], salience: f32) -> Result<Line<'static>, Error> {
        let mut line = Line::new(self.kind(), entities, &self.text).ok_or(super::Error::Empty)?;
        line.set(Name::Key, self.key.as_deref());
        line.set(Name::Salience, Some(&number(salience)));
        line.set(Name::Confidence, self.confidence.map(number).as_deref());
        line.set(Name::Ttl, self.ttl.as_deref());
        line.set(Name::Sensitivity, self.sensitivity.map(Sensitivity::as_str));
        line.set(Name::Due, self.due.as_deref());
        line.set(Name::Source, self.source.as_deref());
        Ok(line)
    }
}

/// As people write it: `0.95`.
pub fn number(value: f32) -> String {
    let rounded = (f64::from(value) * 10_000.0).round() / 10_000.0;
    rounded.to_string()
}

fn check_unit(field: &'static str, value: Option<f32>) -> Result<(), Error> {
    match value {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(OutOfRange { field, value: value.to_string(), allowed: "from 0 to 1" }.into())
        }
        Some(_) | None => Ok(()),
    }
}

fn check_word(
    field: &'static str,
    value: Option<&str>,
    is_good: impl Fn(&str) -> bool,
    allowed: &'static str,
) -> Result<(), Error> {
    match value {
        Some(value) if !is_good(value) => {
            Err(OutOfRange { field, value: format!("{value:?}"), allowed }.into())
        }
        Some(_) | None => Ok(()),
    }
}

fn is_key(key: &str) -> bool {
    !key.is_empty()
        && key.len() <= LONGEST_KEY
        && !key.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= LONGEST_ID && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn is_source(source: &str) -> bool {
    Provenance::parse(source).is_some() && !source.contains(char::is_control)
}
