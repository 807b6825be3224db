//! The folders of the memory, and the months of its daily notes.

use std::collections::BTreeMap;

use mindfile::notes::{self, NoteSummary};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::values::Chat;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OutlineNotes {
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for OutlineNotes {
    const ROW: Row = Row::new("outlineNotes", "Count the memory files by folder and by month")
        .http(Http::get("/v1/outline"));
    type Answer = NoteOutline;

    fn run(self, caller: &Caller<'_>) -> Result<NoteOutline, Failure> {
        Ok(NoteOutline::new(&notes::list(caller.memory, caller.viewer(self.chat_type))?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct NoteOutline {
    /// By path; "." is the workspace itself. Daily notes are not counted here.
    folders: Vec<NotesOf>,
    /// Of daily notes, the first month first.
    months: Vec<NotesOf>,
    /// How many notes there are in all.
    total: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct NotesOf {
    /// A folder, or a month such as 2026-07.
    name: String,
    notes: usize,
    bytes: u64,
}

impl NoteOutline {
    fn new(notes: &[NoteSummary]) -> Self {
        let month = |note: &NoteSummary| note.day.map(|day| day.strftime("%Y-%m").to_string());
        Self {
            folders: counted(
                notes.iter().filter(|note| note.day.is_none()).map(|note| (note.folder().to_owned(), note)),
            ),
            months: counted(notes.iter().filter_map(|note| Some((month(note)?, note)))),
            total: notes.len(),
        }
    }
}

fn counted<'a>(notes: impl Iterator<Item = (String, &'a NoteSummary)>) -> Vec<NotesOf> {
    let mut all: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for (name, note) in notes {
        let (notes, bytes) = all.entry(name).or_default();
        *notes += 1;
        *bytes += note.bytes;
    }
    all.into_iter().map(|(name, (notes, bytes))| NotesOf { name, notes, bytes }).collect()
}

impl Answer for NoteOutline {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let one = |of: &NotesOf| format!("{}  {}\n", clean::text(&of.name), count(of.notes, "note"));
        Shown::text(self.folders.iter().chain(&self.months).map(one).collect::<String>())
    }
}
