//! A note removed. It is not forgotten: the same may be written again.

use mindfile::notes;

use super::made;
use crate::operation::prelude::*;
use crate::text::clean;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteNote {
    /// The note, relative to the workspace, such as memory/plans.md.
    #[schemars(length(min = 1))]
    pub path: String,
    /// The hash of what it said when it was read; the header If-Match says the same.
    #[arg(long, value_name = "HASH")]
    pub if_match: String,
}

impl Operation for DeleteNote {
    const ROW: Row = Row::new("deleteNote", "Remove a note that says what was read")
        .http(Http::delete("/v1/notes/{path}"));
    type Answer = DeletedNote;

    fn run(self, caller: &Caller<'_>) -> Result<DeletedNote, Failure> {
        caller.check_alone()?;
        let removed = notes::remove(caller.memory, caller.viewer, &self.path, &self.if_match)?;
        made(removed, &self.path, Some(&self.if_match))?;
        Ok(DeletedNote { path: self.path, deleted: true })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeletedNote {
    path: String,
    deleted: bool,
}

impl Answer for DeletedNote {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::receipt(format!("Removed {}\n", clean::text(&self.path)))
    }
}
