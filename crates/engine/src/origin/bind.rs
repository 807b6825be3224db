//! Binding what is about to be written to the door it came through, before it is written.

use std::collections::BTreeSet;
use std::sync::Arc;

use mindfile_index::{Filter, Origin, QueryTerm, Shelf};
use mindfile_note::{text, words};

use super::{BESIDE, Binding, Bound, Door, Force, Judge, Marks, Owed, UNTRUSTED, said};
use crate::corpus::Corpus;
use crate::denial::Denial;
use crate::error::Error;
use crate::workspace::NotePath;

/// How many chunks are looked at for a line that somebody trusted wrote before.
const LOOKED_AT: usize = 8;

impl Corpus {
    /// What is known of origins now.
    pub(crate) fn judge(&self) -> Result<Judge, Error> {
        Ok(self.bound().judge()?)
    }

    pub(crate) fn bound(&self) -> Bound {
        Bound { origins: Arc::clone(&self.origins), key: Arc::clone(&self.key) }
    }

    /// The origin of what is said at `door` inside this memory: never more than that of the door to it.
    pub(crate) fn origin_at(&self, door: Door) -> Origin {
        door.origin().min(self.door.origin())
    }

    /// The same for a text: an agent that repeats what nobody trusts does not make it its own word.
    pub(crate) fn origin_of(&self, door: Door, text: &str) -> Result<Origin, Error> {
        let origin = self.origin_at(door);
        if origin == Origin::Owner {
            return Ok(origin);
        }
        let known = self.judge()?.anywhere(text);
        Ok(known.map_or(origin, |binding| origin.min(binding.origin)))
    }

    /// Binds the lines of a text to the door of this memory. To be called before the text is written to a note by other
    /// means than [`Corpus::retain`]. An error if something of it was forgotten on request.
    pub fn bind(&self, path: &str, text: &str) -> Result<(), Error> {
        self.ask_refusal(text)?;
        let lines: Vec<&str> = text::lines(text).collect();
        self.bind_as(self.door.origin(), path, &lines)
    }

    /// Binds lines that are about to be written to a note.
    pub(crate) fn bind_as(&self, origin: Origin, path: &str, lines: &[&str]) -> Result<(), Error> {
        Ok(self.bind_ahead(origin, path, lines)?.settle()?)
    }

    /// The same; what is trusted is not waited for yet, so that the disk can take it together with the lines. Text that
    /// is not trusted never reaches a note before its binding is on the disk.
    pub(crate) fn bind_ahead(&self, origin: Origin, path: &str, lines: &[&str]) -> Result<Owed<'_>, Error> {
        let key = self.key.key()?;
        let mut marks = Vec::new();
        let once: BTreeSet<String> = lines.iter().filter_map(|line| said(line)).collect();
        for said in once {
            let found = Marks::of(key, path, &said);
            marks.push(found.here);
            // What the owner wrote elsewhere stays trusted, whoever repeats it.
            if origin.is_trusted() || !self.is_trusted_elsewhere(path, &said)? {
                marks.extend(found.anywhere);
            }
        }
        let binding = Binding { at_ms: self.clock.now().as_millisecond(), origin, door: self.door };
        let owed = self.origins.append_ahead(binding, Force::Adds, &marks)?;
        if !origin.is_trusted() {
            owed.settle()?;
        }
        Ok(owed)
    }

    fn is_trusted_elsewhere(&self, path: &str, wanted: &str) -> Result<bool, Error> {
        let index = self.index()?;
        let snapshot = index.snapshot()?;
        let terms = QueryTerm::as_asked(&words::query(wanted).terms);
        let filter = Filter { trusted: true, ..Filter::default() };
        let hits = snapshot.lexical(Shelf::Chunks, &terms, &filter, LOOKED_AT)?.hits;
        let docs: Vec<_> = hits.iter().take(LOOKED_AT).map(|hit| hit.doc).collect();
        let chunks = snapshot.chunks(&docs)?;
        let says = |text: &str| text::lines(text).any(|line| said(line).as_deref() == Some(wanted));
        Ok(chunks.iter().any(|chunk| chunk.path != path && says(&chunk.text)))
    }

    /// A conversation that comes through this door is no more than the door is. Whether that is news.
    pub(crate) fn bind_session(&self, session: &str) -> Result<bool, Error> {
        let origin = self.door.origin();
        if origin >= Origin::Owner {
            return Ok(false);
        }
        let mark = Marks::session(self.key.key()?, session);
        if self.origins.bindings()?.get(&mark).is_some_and(|known| known.origin <= origin) {
            return Ok(false);
        }
        let binding = Binding { at_ms: self.clock.now().as_millisecond(), origin, door: self.door };
        self.origins.append(binding, Force::Decides, &[mark])?;
        Ok(true)
    }
}

/// Where a door that nobody trusts may write: beside the owner's notes, never among them.
pub(crate) fn check_place(origin: Origin, door: Door, path: &NotePath) -> Result<(), Error> {
    let below = path.as_str().strip_prefix("memory/").is_some_and(|rest| rest.contains('/'));
    let apart = below || path.as_str().starts_with(BESIDE);
    if origin.is_trusted() || apart {
        return Ok(());
    }
    Err(Denial::NotTrusted { door, path: path.to_string(), folder: UNTRUSTED }.into())
}
