//! Values that may not be stored again. Every way into the memory asks here before it writes.

use std::borrow::Cow;

use crate::corpus::Corpus;
use crate::error::Denial;
use crate::error::Error;

/// An error if a text was forgotten on request, or if the policy forbids to store it.
pub fn refuse(corpus: &Corpus, what: &str, text: &str) -> Result<(), Error> {
    refuse_forgotten(corpus, text)?;
    Ok(corpus.policy.admit(what, text)?)
}

/// An error if what the text says was forgotten on request.
pub fn refuse_forgotten(corpus: &Corpus, text: &str) -> Result<(), Error> {
    match corpus.forgotten()?.asked(text) {
        Some(at) => Err(Denial::Forgotten { what: at.strftime("%Y-%m-%d").to_string() }.into()),
        None => Ok(()),
    }
}

/// The text with a mark in the place of whatever was forgotten.
pub fn without_forgotten<'a>(corpus: &Corpus, text: &'a str) -> Result<Cow<'a, str>, Error> {
    Ok(corpus.forgotten()?.cover(text))
}
