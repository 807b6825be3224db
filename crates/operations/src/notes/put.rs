//! A whole note written.

use mindfile::notes::{self, StandingNote};

use super::made;
use crate::operation::prelude::*;
use crate::text::clean;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutNote {
    /// The note, relative to the workspace, such as memory/plans.md.
    #[schemars(length(min = 1))]
    pub path: String,
    /// All that it says from now on. A line with a masked value stays what it is where it is repeated as it was shown.
    #[arg(long)]
    pub text: String,
    /// The hash of what it said when it was read; the header If-Match says the same. Without it the note must be new.
    #[arg(long, value_name = "HASH")]
    pub if_match: Option<String>,
}

impl Operation for PutNote {
    const ROW: Row = Row::new("putNote", "Write a whole note, new or in the place of the text that was read")
        .http(Http::put("/v1/notes/{path}"));
    type Answer = WrittenNote;

    fn run(self, caller: &Caller<'_>) -> Result<WrittenNote, Failure> {
        caller.check_alone()?;
        let seen = self.if_match.as_deref();
        let put = notes::put(caller.memory, caller.viewer, &self.path, &self.text, seen)?;
        let StandingNote { hash, .. } = made(put, &self.path, seen)?;
        Ok(WrittenNote { path: self.path, hash, created: self.if_match.is_none() })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct WrittenNote {
    path: String,
    /// Of what it says now.
    hash: String,
    /// There was no such note.
    created: bool,
}

impl Answer for WrittenNote {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::receipt(format!("Wrote {}\n", clean::text(&self.path)))
    }
}
