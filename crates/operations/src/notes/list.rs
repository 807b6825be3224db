//! The memory files as a list.

use std::cmp::Reverse;

use mindfile::notes::{self, NoteSummary};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::values::{Chat, WhenForm};

/// Each title is a file that is read.
const TITLED: usize = 200;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListNotes {
    /// Only paths that begin so.
    #[arg(long, value_name = "PATH")]
    pub prefix: Option<String>,
    /// Only notes of this folder itself, daily notes left out; "." is the workspace.
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    /// Only paths that hold this, in any case.
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
    /// Only daily notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// Only daily notes of this day and before.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub until: Option<String>,
    /// The last changed first, instead of by path.
    #[arg(long)]
    #[serde(default)]
    pub newest: bool,
    /// Say what each is called; at most 200 at a time.
    #[arg(long)]
    #[serde(default)]
    pub titles: bool,
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
        let viewer = caller.viewer(self.chat_type);
        let (since, until) = (caller.day(self.since.as_deref())?, caller.day(self.until.as_deref())?);
        let mut listed = notes::list(caller.memory, viewer)?;
        let is_dated = since.is_some() || until.is_some();
        let text = self.text.as_ref().map(|text| text.to_lowercase());
        listed.retain(|note| {
            self.prefix.as_ref().is_none_or(|prefix| note.path.starts_with(prefix.as_str()))
                && self.folder.as_ref().is_none_or(|folder| note.day.is_none() && note.folder() == folder)
                && text.as_ref().is_none_or(|text| note.path.to_lowercase().contains(text))
                && (!is_dated || note.day.is_some())
                && since.is_none_or(|since| note.day.is_some_and(|day| day >= since))
                && until.is_none_or(|until| note.day.is_some_and(|day| day <= until))
        });
        if self.newest {
            listed.sort_by_key(|note| Reverse(note.modified));
        }
        let total = listed.len();
        let most = self.limit.unwrap_or(usize::MAX);
        let most = if self.titles { most.min(TITLED) } else { most };
        let page = listed.iter().skip(self.offset).take(most);
        let one = |note: &NoteSummary| {
            let title = match self.titles {
                true => notes::titled(caller.memory, viewer, &note.path, None)?.title,
                false => None,
            };
            Ok(ListedNote::new(note, title))
        };
        let notes: Result<Vec<ListedNote>, Failure> = page.map(one).collect();
        Ok(NoteList { notes: notes?, total, offset: self.offset })
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
    /// What the note calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    bytes: u64,
    modified: Option<String>,
    /// Of a daily note.
    #[serde(skip_serializing_if = "Option::is_none")]
    day: Option<String>,
}

impl ListedNote {
    fn new(note: &NoteSummary, title: Option<String>) -> Self {
        Self {
            path: note.path.clone(),
            title,
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
