//! The memory files as a list, for those who browse.

use jiff::Timestamp;
use jiff::civil::Date;
use mindfile_note::date;

use crate::corpus::Corpus;
use crate::error::Error;
use crate::session::ChatType;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Workspace-relative, with `/`.
    pub path: String,
    pub bytes: u64,
    pub modified: Option<Timestamp>,
    /// Of a daily note.
    pub day: Option<Date>,
}

/// The memory files that such a conversation may see, by path.
pub fn list(corpus: &Corpus, chat: ChatType) -> Result<Vec<Listed>, Error> {
    let scan = corpus.workspace()?.scan()?;
    let files = scan.files.into_iter().filter(|found| chat.admits(found.path.as_str()));
    let listed = files.map(|found| Listed {
        day: date::of_path(found.path.as_str()),
        path: found.path.to_string(),
        bytes: found.stat.size,
        modified: Timestamp::from_nanosecond(i128::from(found.stat.mtime_ns)).ok(),
    });
    Ok(listed.collect())
}
