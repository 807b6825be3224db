//! The plan of a forgetting, made of what was chosen.

use super::choose::Choice;
use super::{Plan, index, line_mark, origin_marks};
use crate::corpus::Corpus;
use crate::error::Error;

pub(super) fn plan(corpus: &Corpus, choice: &Choice) -> Result<Plan, Error> {
    let key = corpus.key.key()?;
    let messages = choice.messages.iter();
    let lines = || choice.lines.iter().map(|line| (line.path.as_str(), line.text.as_str()));
    let paths = choice.lines.iter().map(|line| line.path.clone()).chain(choice.notes.iter().cloned());
    Ok(Plan {
        items: choice.matcher.items().to_vec(),
        notes: choice.notes.clone(),
        paths: paths.collect(),
        lines: lines().map(|(path, text)| line_mark(key, path, text)).collect(),
        messages: messages.map(|(said, how)| (said.session.clone(), said.line, *how)).collect(),
        ids: choice.ids.clone(),
        origins: origin_marks(key, lines()),
        hashes: index::chunk_hashes(corpus, choice)?,
    })
}
