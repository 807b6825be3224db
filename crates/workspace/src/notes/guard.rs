//! The policy is asked before a note is written. What stood there before is the person's own business: only lines that are
//! new count.

use std::borrow::Cow;
use std::collections::HashMap;

use mindfile_note::text;

use super::{Error, Expect, NotePath, Workspace};

impl Workspace {
    /// A note as it is indexed: what is masked there is masked here, in the same lines.
    pub fn covered<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.guard.as_ref().map_or(Cow::Borrowed(text), |policy| policy.cover(text))
    }

    /// An error if `text` has something that must not be stored.
    pub(super) fn admit(&self, path: &NotePath, text: &[u8]) -> Result<(), Error> {
        let rule = self.guard.as_ref().and_then(|policy| policy.refused(&text::decode(text)));
        rule.map_or(Ok(()), |rule| Err(Error::NeverStore { path: path.clone(), rule }))
    }

    /// The same for a text that takes the place of another.
    pub(super) fn admit_change(&self, path: &NotePath, new: &[u8], expect: Expect<'_>) -> Result<(), Error> {
        match expect {
            _ if self.guard.is_none() => Ok(()),
            Expect::Absent => self.admit(path, new),
            Expect::Bytes(old) => {
                self.admit(path, added(&text::decode(old), &text::decode(new)).join("\n").as_bytes())
            }
        }
    }
}

/// The lines of `new` that `old` has not, in their order.
pub fn added<'n>(old: &str, new: &'n str) -> Vec<&'n str> {
    let mut known: HashMap<&str, usize> = HashMap::new();
    for line in text::lines(old) {
        *known.entry(line).or_default() += 1;
    }
    let is_new = |line: &&str| match known.get_mut(*line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        Some(_) | None => true,
    };
    text::lines(new).filter(is_new).collect()
}
