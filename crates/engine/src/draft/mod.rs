//! The one door through which notes are written.
//!
//! [`Notes`] is the right to write: whoever has it has waited until nobody else of this state directory writes. New text
//! needs a [`Draft`], and there is none before every refusal is made: of its place, of what was forgotten on request, of what
//! the policy forbids to store, of a private note without a key. Writing a draft binds whose word each line is, before or
//! together with the text. What says nothing new (a fact that fades, a line that goes, a note that is encrypted) is a method
//! of [`Notes`] itself.

mod bind;
mod heard;
mod key;
mod late;
mod line;
mod refusal;

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::Duration;

use mindfile_note::text;

pub use bind::bind;
pub use bind::{bind_session, check_place, origin_of, set_origin};
pub(crate) use heard::lowered;
pub(crate) use key::key_notice;
pub use late::hear_tools;
pub use line::Edit;
use line::lead;
use mindfile_disk::join_scoped;
use mindfile_disk::lock;
use mindfile_note::Origin;
use mindfile_trust::place::is_private;
use mindfile_trust::speaker::Door;
use mindfile_workspace::{
    self as workspace, Expect, Leftover, NOTE_LIMIT, NotePath, Settlement, Workspace, Writer,
};
pub use refusal::{refuse, refuse_forgotten, without_forgotten};

use crate::audit::Record;
use crate::corpus::Corpus;
use crate::error::{self, Error};
use crate::ingest::{self, Budget, Scope};

/// How long a writer waits for its turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// The right to write notes. As long as it lives no other process or thread of this state directory has it, so that two
/// of them cannot write the same fact, or the same version of a keyed memory, at once.
pub struct Notes<'a> {
    corpus: &'a Corpus,
    workspace: Writer,
    /// What was written and the index has not seen yet.
    changed: RefCell<Vec<NotePath>>,
}

/// What somebody says, to be written to a note.
pub(crate) struct NewText<'t> {
    /// What a refusal calls it.
    pub(crate) what: &'static str,
    pub(crate) door: Door,
    /// What it says, as forgotten texts and the policy's rules are looked for in it.
    pub(crate) says: &'t [&'t str],
    /// Its lines with whose word each is; bound before they are written.
    pub(crate) lines: &'t [(&'t str, Origin)],
}

/// New text that may be written to a note.
pub struct Draft<'n> {
    notes: &'n Notes<'n>,
    path: NotePath,
    lines: Vec<(String, Origin)>,
    /// What a person should know of it.
    pub notices: Vec<String>,
}

/// A list item, or several, and where they go in a note.
pub struct Items<'t> {
    pub text: &'t str,
    /// The heading they stand under; it is begun again where another one came last.
    pub heading: &'t str,
    /// What a new note begins with.
    pub title: &'t str,
}

impl<'a> Notes<'a> {
    /// Waits until nobody else writes.
    pub fn open(corpus: &'a Corpus) -> Result<Self, Error> {
        Self::with(corpus, corpus.workspace()?)
    }

    /// The same for who has opened the workspace.
    pub fn with(corpus: &'a Corpus, workspace: Workspace) -> Result<Self, Error> {
        let path = turn_file(corpus);
        let turn = lock::hold(&path, PATIENCE).map_err(|source| Error::Io { path, source })?;
        Ok(Self::holding(corpus, workspace.writer(turn)))
    }

    /// The same if nobody else writes now.
    pub(crate) fn open_now(corpus: &'a Corpus) -> Result<Option<Self>, Error> {
        let workspace = corpus.workspace()?;
        let path = turn_file(corpus);
        let turn = lock::try_hold(&path).map_err(|source| Error::Io { path, source })?;
        Ok(turn.map(|turn| Self::holding(corpus, workspace.writer(turn))))
    }

    fn holding(corpus: &'a Corpus, workspace: Writer) -> Self {
        Self { corpus, workspace, changed: RefCell::default() }
    }

    pub(crate) fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// What somebody says, ready to be written, or why it must not be.
    pub(crate) fn draft(&'a self, path: &NotePath, new: &NewText<'_>) -> Result<Draft<'a>, Error> {
        let origin = Origin::lowest(new.lines.iter().map(|(_, origin)| *origin));
        check_place(origin, new.door, path)?;
        for text in new.says {
            refuse(self.corpus, new.what, text)?;
        }
        let notices = if is_private(path.as_str()) { key_notice(self.corpus)? } else { Vec::new() };
        Ok(self.owned(path, new.lines, notices))
    }

    /// The lines of another program's text, with this memory's door for their word.
    pub fn imported(&'a self, path: &NotePath, what: &'static str, text: &str) -> Result<Draft<'a>, Error> {
        let door = self.corpus.door;
        let lines: Vec<(&str, Origin)> = text::lines(text).map(|line| (line, door.origin())).collect();
        self.draft(path, &NewText { what, door, says: &[text], lines: &lines })
    }

    /// Text that was made of what the notes say, by this program: whatever it rests on was judged when it was written.
    pub(crate) fn derived(&'a self, path: &NotePath, lines: &[(&str, Origin)]) -> Draft<'a> {
        self.owned(path, lines, Vec::new())
    }

    fn owned(&'a self, path: &NotePath, lines: &[(&str, Origin)], notices: Vec<String>) -> Draft<'a> {
        let lines = lines.iter().map(|(line, origin)| ((*line).to_owned(), *origin)).collect();
        Draft { notes: self, path: path.clone(), lines, notices }
    }

    /// Changes one fact line of a note and leaves every other byte as it is.
    pub(crate) fn edit(&self, path: &NotePath, edit: &Edit<'_>) -> Result<(), Error> {
        let cover = |text: &str| self.corpus.policy.cover(text).into_owned();
        if self.rewrite(path, &|text| line::edited(text, edit, &cover))? {
            return Ok(());
        }
        Err(error::fact::Error::NoFact { id: edit.id.to_owned() }.into())
    }

    /// The same for several lines in one write. Those that are not there any more are passed over.
    pub fn edit_all(&self, path: &NotePath, edits: &[Edit<'_>]) -> Result<bool, Error> {
        let cover = |text: &str| self.corpus.policy.cover(text).into_owned();
        self.rewrite(path, &|text| line::edit_all(text, edits, &cover))
    }

    /// Puts what `change` makes of a note in its place, if nobody else changes it meanwhile; else it is read and changed
    /// again. False if there is nothing to change.
    pub(crate) fn rewrite(
        &self,
        path: &NotePath,
        change: &dyn Fn(&str) -> Option<String>,
    ) -> Result<bool, Error> {
        let changed = line::rewrite(&self.workspace, path, change)?;
        if changed {
            self.note(path);
        }
        Ok(changed)
    }

    /// Puts another text in the place of the one that stands there; `None` is no note.
    pub(crate) fn replace(
        &self,
        path: &NotePath,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
    ) -> Result<(), Error> {
        match (before, after) {
            (None, None) => {}
            (None, Some(after)) => drop(self.workspace.replace(path, after, Expect::Absent)?),
            (Some(before), Some(after)) => {
                drop(self.workspace.replace(path, after, Expect::Bytes(before))?);
            }
            (Some(before), None) => self.workspace.remove(path, before)?,
        }
        self.note(path);
        Ok(())
    }

    /// Encrypts a private note that stands there in clear.
    pub(crate) fn encrypt(&self, path: &NotePath) -> Result<(), Error> {
        Ok(self.workspace.encrypt_in_place(path)?)
    }

    /// Removes the text in clear of a note that is encrypted elsewhere.
    pub(crate) fn wipe(&self, path: &NotePath) -> Result<(), Error> {
        Ok(self.workspace.wipe(path)?)
    }

    /// Makes an ordinary note of a private one.
    pub(crate) fn decrypt(&self, from: &NotePath, to: &NotePath) -> Result<(), Error> {
        self.workspace.decrypt_to(from, to)?;
        self.note(to);
        Ok(())
    }

    /// Encrypts a private note again, for the key that leads now.
    pub(crate) fn reseal(&self, path: &NotePath) -> Result<(), workspace::Error> {
        self.workspace.reseal(path).map(drop)
    }

    /// Clears away what an interrupted replacement left in the workspace; what it held of somebody is kept.
    pub fn settle(&self, leftover: &Leftover, before_ns: i64) -> Result<Settlement, Error> {
        Ok(self.workspace.settle(leftover, before_ns)?)
    }

    fn note(&self, path: &NotePath) {
        self.changed.borrow_mut().push(path.clone());
    }

    /// Lets the index see what was written.
    pub fn index(&self) -> Result<(), Error> {
        ingest::run(self.corpus, Scope::Notes(&self.changed.take()), Budget::Unlimited).map(drop)
    }

    /// Lets the index see what was written, and logs what was done.
    pub(crate) fn finish(&self, record: &Record<'_>) -> Result<(), Error> {
        self.index()?;
        self.corpus.audit(record);
        Ok(())
    }
}

impl Draft<'_> {
    /// Adds list items to the end of the note, in one write that is on the disk when this returns. `meanwhile` runs while
    /// the disk is waited for; where somebody puts another file in the note's place, it runs once more.
    pub fn append(self, items: &Items<'_>, meanwhile: &mut dyn FnMut()) -> Result<(), Error> {
        let start = match self.known_end(items.heading)? {
            Some(start) => start,
            None => match self.notes.workspace.read(&self.path, NOTE_LIMIT) {
                Ok(read) => lead(&text::decode(&read.bytes), None, items.heading),
                Err(workspace::Error::Missing { .. }) => {
                    format!("# {}\n\n## {}\n\n", items.title, items.heading)
                }
                Err(error) => return Err(error.into()),
            },
        };
        self.append_text(&format!("{start}{}\n", items.text), meanwhile)
    }

    /// What must stand before an item at the end of a note that is as this process saw it last.
    fn known_end(&self, heading: &str) -> Result<Option<String>, Error> {
        let Some(tail) = self.notes.corpus.space().tails.of(self.path.as_str()) else { return Ok(None) };
        let found = match self.notes.workspace.rest(&self.path, tail.resume.at as u64) {
            Err(workspace::Error::Missing { .. }) => return Ok(None),
            found => found?,
        };
        let rest = std::str::from_utf8(&found.bytes).ok().filter(|_| found.stat == tail.stat);
        Ok(rest.map(|rest| lead(rest, Some(&tail.resume), heading)))
    }

    /// Adds a text to the end of the note as it is.
    pub(crate) fn append_text(self, text: &str, meanwhile: &mut dyn FnMut()) -> Result<(), Error> {
        let owed = self.bind_ahead()?;
        let mut bound = Ok(());
        self.notes.workspace.append_meanwhile(&self.path, text.as_bytes(), &mut || {
            let settle = || owed.iter().try_for_each(bind::settle);
            (bound, ()) = join_scoped(settle, &mut *meanwhile);
        })?;
        bound?;
        self.notes.note(&self.path);
        Ok(())
    }

    /// Makes the note. False if there is one already.
    pub fn create(self, bytes: &[u8]) -> Result<bool, Error> {
        self.bind()?;
        match self.notes.workspace.replace(&self.path, bytes, Expect::Absent) {
            Err(workspace::Error::Conflict { .. }) => Ok(false),
            done => {
                drop(done?);
                self.notes.note(&self.path);
                Ok(true)
            }
        }
    }

    /// Changes one fact line of the note.
    pub(crate) fn edit(self, edit: &Edit<'_>) -> Result<(), Error> {
        self.bind()?;
        self.notes.edit(&self.path, edit)
    }

    /// Puts another text in the place of the one that stands there.
    pub(crate) fn replace(self, before: Option<&[u8]>, after: Option<&[u8]>) -> Result<(), Error> {
        self.bind()?;
        self.notes.replace(&self.path, before, after)
    }
}

fn turn_file(corpus: &Corpus) -> PathBuf {
    corpus.settings.state_dir.join("memory").join("retain.lock")
}
