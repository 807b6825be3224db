//! The memory files as a list.

use mindfile::notes::{self, NoteSummary};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::values::Chat;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListNotes {
    /// Only paths that begin so.
    #[arg(long, value_name = "PATH")]
    pub prefix: Option<String>,
    /// How many to leave out at the beginning.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(default)]
    pub offset: usize,
    /// How many at most; all if it is not said.
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for ListNotes {
    const ROW: Row = Row::new("listNotes", "List the memory files").http(Http::get("/v1/notes"));
    type Answer = NoteList;

    fn run(self, caller: &Caller<'_>) -> Result<NoteList, Failure> {
        let mut listed = notes::list(caller.memory, caller.viewer(self.chat_type))?;
        if let Some(prefix) = &self.prefix {
            listed.retain(|note| note.path.starts_with(prefix.as_str()));
        }
        let page = listed.iter().skip(self.offset).take(self.limit.unwrap_or(usize::MAX));
        Ok(NoteList { notes: page.map(ListedNote::new).collect(), total: listed.len(), offset: self.offset })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct NoteList {
    notes: Vec<ListedNote>,
    /// How many there are in all.
    total: usize,
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ListedNote {
    path: String,
    bytes: u64,
    modified: Option<String>,
    /// Of a daily note.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

impl ListedNote {
    fn new(note: &NoteSummary) -> Self {
        Self {
            path: note.path.clone(),
            bytes: note.bytes,
            modified: note.modified.map(|at| format!("{at:.3}")),
            day: note.day.map(|day| day.to_string()),
        }
    }
}

impl Answer for NoteList {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(
            self.notes.iter().map(|note| format!("{}\n", clean::text(&note.path))).collect::<String>(),
        )
    }
}
