//! A note with another path.

use mindfile::notes::{self, RenamedNote};

use super::made;
use crate::operation::prelude::*;
use crate::text::clean;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameNote {
    /// The note, relative to the workspace, such as memory/plans.md.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Its new path, at which there is no note yet.
    #[arg(long, value_name = "PATH")]
    #[schemars(length(min = 1))]
    pub to: String,
    /// The hash of what it said when it was read; the header If-Match says the same.
    #[arg(long, value_name = "HASH")]
    pub if_match: String,
}

impl Operation for RenameNote {
    const ROW: Row = Row::new("renameNote", "Give a note another path; links to it follow")
        .http(Http::patch("/v1/notes/{path}"));
    type Answer = RenamedTo;

    fn run(self, caller: &Caller<'_>) -> Result<RenamedTo, Failure> {
        caller.check_alone()?;
        let renamed = notes::rename(caller.memory, caller.viewer, (&self.path, &self.to), &self.if_match)?;
        let RenamedNote { path, hash, relinked, notices } = made(renamed, &self.path, Some(&self.if_match))?;
        Ok(RenamedTo { path, from: self.path, hash, relinked, notices })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RenamedTo {
    path: String,
    from: String,
    hash: String,
    /// The notes whose links followed.
    relinked: Vec<String>,
    /// Why links of other notes did not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
}

impl Answer for RenamedTo {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let relinked = self.relinked.iter().map(|path| format!("  links follow in {}\n", clean::text(path)));
        let moved = format!("{} is {} now\n", clean::text(&self.from), clean::text(&self.path));
        Shown { notices: self.notices.clone(), ..Shown::receipt(moved + &relinked.collect::<String>()) }
    }
}
