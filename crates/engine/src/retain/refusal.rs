//! Values that may not be stored again. Every way into the memory asks here before it writes.

use std::borrow::Cow;

use super::Request;
use crate::corpus::Corpus;
use crate::denial::Denial;
use crate::error::Error;

impl Corpus {
    /// An error if a text of another program was forgotten on request, or if the policy forbids to store it.
    pub(crate) fn ask_import(&self, what: &str, text: &str) -> Result<(), Error> {
        self.ask_refusal(text)?;
        Ok(self.policy.admit(what, text)?)
    }

    /// An error if what the text says was forgotten on request.
    pub fn ask_refusal(&self, text: &str) -> Result<(), Error> {
        match self.forgotten()?.asked(text) {
            Some(at) => Err(Denial::Forgotten { what: at.strftime("%Y-%m-%d").to_string() }.into()),
            None => Ok(()),
        }
    }

    /// The same for a fact: a value that is nothing by itself may have been forgotten as the value of its key.
    pub(super) fn ask_refusal_of(&self, request: &Request) -> Result<(), Error> {
        self.ask_refusal(&request.text)?;
        match &request.key {
            Some(key) => self.ask_refusal(&format!("{key} {}", request.text)),
            None => Ok(()),
        }
    }

    /// The text with a mark in the place of whatever was forgotten.
    pub(crate) fn without_forgotten<'a>(&self, text: &'a str) -> Result<Cow<'a, str>, Error> {
        Ok(self.forgotten()?.cover(text))
    }
}
