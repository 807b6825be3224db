//! The plan of a forgetting, made of what was chosen.

use std::sync::Arc;

use super::choose::Choice;
use super::{Matcher, Plan, line_mark, origin_marks};
use crate::corpus::Corpus;
use crate::error::Error;

impl Corpus {
    pub(super) fn plan(&self, choice: &Choice) -> Result<Plan, Error> {
        let key = self.key.key()?;
        let messages = choice.messages.iter();
        let paths = choice.lines.iter().map(|line| line.path.clone()).chain(choice.notes.iter().cloned());
        Ok(Plan {
            items: choice.matcher.items().to_vec(),
            notes: choice.notes.clone(),
            paths: paths.collect(),
            lines: choice.lines.iter().map(|line| line_mark(key, &line.path, &line.text)).collect(),
            messages: messages.map(|(said, how)| (said.session.clone(), said.line, *how)).collect(),
            ids: choice.ids.clone(),
            origins: origin_marks(
                key,
                choice.lines.iter().map(|line| (line.path.as_str(), line.text.as_str())),
            ),
            hashes: self.chunk_hashes(choice)?,
        })
    }
}

impl Corpus {
    /// What was forgotten, ready to be looked for.
    pub fn forgotten(&self) -> Result<Arc<Matcher>, Error> {
        Ok(self.ledger.matcher(&self.key)?)
    }
}
