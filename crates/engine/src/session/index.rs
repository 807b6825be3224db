//! Transcripts in the index: a note a session, chunks of whole messages, cited by the lines of the transcript. The index
//! remembers whose transcripts they are, so that one agent never sees another's.

use jiff::Timestamp;
use mindfile_index::{
    Batch, Change, Embedding, Index, NewChunk, NewNote, Snapshot, Source, StoredChunk, StoredNote,
};
use mindfile_note::chunk::Chunking;
use mindfile_note::date;
use mindfile_note::hash::Digest;
use mindfile_note::segment::segments;

use super::flatten::{self, Also, Spoken};
use super::folder::{Found, Sessions};
use super::transcript;
use crate::clock::{day_number, day_of};
use crate::derive;
use crate::error::Error;
use crate::reconcile::{Recipe, Report};

/// Whose transcripts the index holds.
pub(crate) const OWNER: &str = "sessions_of";
/// How they were made into chunks.
const MADE: &str = "sessions_made";
/// What they were like when they were last looked at.
const CENSUS: &str = "sessions_census";
/// A file that changed this recently may change again without a new time.
const GRAIN_NS: i64 = 2_000_000_000;
const BATCH_BYTES: usize = 2 << 20;

/// How transcripts become chunks.
pub(crate) struct Making<'a> {
    pub(crate) sessions: &'a Sessions,
    pub(crate) agent: &'a str,
    pub(crate) also: Also,
    pub(crate) recipe: &'a Recipe,
}

/// The path under which a session is indexed and cited.
pub fn path_of(session: &str) -> String {
    format!("sessions/{session}.jsonl")
}

/// The session that a cited path names.
pub fn id_of(path: &str) -> Option<&str> {
    path.strip_prefix("sessions/")?.strip_suffix(".jsonl")
}

impl Making<'_> {
    /// Brings the index up to date with every transcript.
    pub(crate) fn all(&self, index: &dyn Index) -> Result<Report, Error> {
        let found = self.sessions.list()?;
        let census = Self::census(&found);
        let snapshot = index.snapshot()?;
        let owned = self.is_own(&*snapshot)?;
        let mut report = Report { notes: found.len(), ..Report::default() };
        if owned && snapshot.meta(CENSUS)?.as_deref() == Some(&census) {
            return Ok(report);
        }
        let mut known = snapshot.notes()?;
        drop(snapshot);
        known.retain(|note| note.source == Source::Sessions);
        let mut changes = self.owning();
        let mut size = 0;
        for transcript in &found {
            let path = path_of(&transcript.session);
            let at = known.iter().position(|note| note.path == path);
            let before = at.map(|at| known.swap_remove(at)).filter(|_| owned);
            if before.as_ref().is_some_and(|note| note.stat == transcript.stat && !note.racy) {
                continue;
            }
            size += self.one(transcript, before.as_ref(), &|_, _| Ok(false), &mut changes, &mut report)?;
            if size >= BATCH_BYTES {
                size = 0;
                self.apply(index, std::mem::take(&mut changes), None)?;
            }
        }
        report.removed = known.len();
        changes.extend(known.into_iter().map(|note| Change::Remove { path: note.path }));
        let newest = found.iter().map(|found| found.stat.mtime_ns.max(found.stat.ctime_ns)).max();
        if newest.unwrap_or(0) < self.now_ns() - GRAIN_NS {
            changes.push(Change::Meta { key: CENSUS.to_owned(), value: census });
        }
        self.apply(index, changes, None)?;
        Ok(report)
    }

    /// Brings the index up to date with one transcript.
    pub(crate) fn only(&self, index: &dyn Index, session: &str) -> Result<(), Error> {
        let snapshot = index.snapshot()?;
        let fresh = snapshot.meta(OWNER)?.is_none();
        if !fresh && !self.is_own(&*snapshot)? {
            drop(snapshot);
            return self.all(index).map(drop);
        }
        let path = path_of(session);
        let before = snapshot.note(&path)?;
        let Some(found) = self.sessions.find(session)? else { return Ok(()) };
        let mut changes = if fresh { self.owning() } else { Vec::new() };
        let known = |piece: &Piece, context: &str| is_stored(&*snapshot, &path, piece, context);
        self.one(&found, before.as_ref(), &known, &mut changes, &mut Report::default())?;
        let generation = snapshot.generation();
        drop(snapshot);
        if self.apply(index, changes, Some(generation))? == generation + 1 {
            return Ok(());
        }
        // Somebody else changed the index: what was stored a moment ago may not be.
        let mut changes = Vec::new();
        self.one(&found, None, &|_, _| Ok(false), &mut changes, &mut Report::default())?;
        self.apply(index, changes, None).map(drop)
    }

    fn one(
        &self,
        found: &Found,
        before: Option<&StoredNote>,
        known: &IsStored<'_>,
        changes: &mut Vec<Change>,
        report: &mut Report,
    ) -> Result<usize, Error> {
        let bytes = self.sessions.bytes(&found.session)?;
        let newest = found.stat.mtime_ns.max(found.stat.ctime_ns);
        let note = StoredNote {
            path: path_of(&found.session),
            source: Source::Sessions,
            hash: Digest::of(&bytes),
            stat: found.stat,
            racy: newest >= self.now_ns() - GRAIN_NS || bytes.len() as u64 > found.stat.size,
        };
        match before {
            Some(before) if before.hash == note.hash => {
                changes.push(Change::Touch(note));
                return Ok(0);
            }
            Some(_) => report.changed += 1,
            None => report.added += 1,
        }
        let made = self.note(note, &found.session, &bytes, known)?;
        report.chunks += made.chunks.len();
        changes.push(Change::Put(made));
        Ok(bytes.len())
    }

    fn note(
        &self,
        note: StoredNote,
        session: &str,
        bytes: &[u8],
        known: &IsStored<'_>,
    ) -> Result<NewNote, Error> {
        let transcript = transcript::read(session, bytes);
        let lines = flatten::lines(&transcript, self.also);
        let day = transcript.last_at().map(|at| day_number(day_of(at)));
        let packed = pack(&lines, &self.recipe.chunking);
        let chunks: Result<Vec<NewChunk>, Error> =
            packed.into_iter().map(|piece| self.chunk(piece, known)).collect();
        Ok(NewNote { note, day, chunks: chunks?, facts: Vec::new(), aliases: Vec::new() })
    }

    /// Of a chunk that is stored only the identity counts, so that a turn costs its own words and not the session's.
    fn chunk(&self, piece: Piece, known: &IsStored<'_>) -> Result<NewChunk, Error> {
        let said = piece.at.map(|at| format!(" · {}", date::spoken(day_of(at))));
        let context = format!("conversation{}", said.unwrap_or_default());
        let (tokens, embedding) = if known(&piece, &context)? {
            (Vec::new(), Embedding::Pending)
        } else {
            derive::embedding(&context, &piece.text, self.recipe.vectors)
        };
        Ok(NewChunk {
            start_line: piece.first,
            end_line: piece.last,
            hash: Digest::of(piece.text.as_bytes()),
            context,
            text: piece.text,
            tokens,
            embedding,
        })
    }

    /// Whether what the index holds is of this agent and made in this way.
    fn is_own(&self, snapshot: &dyn Snapshot) -> Result<bool, Error> {
        Ok(snapshot.meta(OWNER)?.as_deref() == Some(self.agent)
            && snapshot.meta(MADE)?.as_deref() == Some(&self.made()))
    }

    fn owning(&self) -> Vec<Change> {
        let meta = |key: &str, value: &str| Change::Meta { key: key.to_owned(), value: value.to_owned() };
        vec![meta(OWNER, self.agent), meta(MADE, &self.made())]
    }

    fn made(&self) -> String {
        format!("1 {:?}", self.also)
    }

    fn census(found: &[Found]) -> String {
        let mut all = String::new();
        for transcript in found {
            all.push_str(&format!("\n{} {:?}", transcript.session, transcript.stat));
        }
        Digest::of(all.as_bytes()).to_string()
    }

    fn now_ns(&self) -> i64 {
        i64::try_from(self.recipe.now.as_nanosecond()).unwrap_or(i64::MAX)
    }

    /// The generation of the index afterwards.
    fn apply(&self, index: &dyn Index, changes: Vec<Change>, only_at: Option<u64>) -> Result<u64, Error> {
        let now_ms = self.recipe.now.as_millisecond();
        Ok(index.apply(&Batch { changes, model: self.recipe.model.clone(), now_ms, only_at })?)
    }
}

/// Whether the index has a piece with its context already.
type IsStored<'a> = dyn Fn(&Piece, &str) -> Result<bool, Error> + 'a;

fn is_stored(snapshot: &dyn Snapshot, path: &str, piece: &Piece, context: &str) -> Result<bool, Error> {
    let docs = snapshot.locate(path, piece.first)?;
    let same = |chunk: &StoredChunk| {
        (chunk.start_line, chunk.end_line) == (piece.first, piece.last)
            && chunk.text == piece.text
            && chunk.context == context
    };
    Ok(snapshot.chunks(&docs)?.iter().any(|chunk| same(chunk)))
}

/// Whole messages that are found together, or a part of one that is too long.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    first: u32,
    last: u32,
    at: Option<Timestamp>,
    text: String,
}

/// Messages one after the other until a chunk is full. What is added at the end changes the last chunk only.
fn pack(lines: &[Spoken], chunking: &Chunking) -> Vec<Piece> {
    let most = chunking.max_weight();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut full = true;
    for spoken in lines {
        let text = spoken.labelled();
        let fits = |piece: &Piece| piece.text.len() + 1 + text.len() <= most;
        match pieces.last_mut().filter(|piece| !full && fits(piece)) {
            Some(piece) => {
                piece.text.push('\n');
                piece.text.push_str(&text);
                piece.last = spoken.line;
            }
            None => {
                let parts = split(&text, most);
                full = parts.len() > 1;
                pieces.extend(parts.into_iter().map(|text| Piece {
                    first: spoken.line,
                    last: spoken.line,
                    at: spoken.at,
                    text,
                }));
            }
        }
    }
    pieces
}

/// A long message by its sentences.
fn split(text: &str, most: usize) -> Vec<String> {
    if text.len() <= most {
        return vec![text.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    for segment in segments(text) {
        let sentence = &text[segment.range];
        match parts.last_mut().filter(|part| part.len() + sentence.len() <= most) {
            Some(part) => part.push_str(sentence),
            None => parts.push(sentence.to_owned()),
        }
    }
    parts
}
