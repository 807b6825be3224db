//! Transcripts in the index: a note a session, chunks of whole messages, cited by the lines of the transcript. The index
//! remembers whose transcripts they are, so that one agent never sees another's.

use std::sync::OnceLock;

use jiff::Timestamp;
use mindfile_index::{
    Batch, Change, ChunkId, Embedding, FileStat, Index, NewChunk, NewNote, NoteQuery, Origin, RowQuery,
    Shelf, Snapshot, Source, StoredNote, single,
};
use mindfile_note::chunk::Chunking;
use mindfile_note::date;
use mindfile_note::hash::Digest;
use mindfile_note::segment::segments;

use mindfile_note::date::day_number;
use mindfile_settings::Settings;
use mindfile_trust::forgotten::Matcher;
use mindfile_trust::speaker::{Role, Utterance};
use mindfile_workspace::transcripts::flatten::{self, SearchedExtras};
use mindfile_workspace::transcripts::{
    Chain, Growth, LENGTHS, SessionFile, Sessions, Transcript, line_start, path_of, start_of,
};

use crate::clock::day_of;
use crate::corpus::Corpus;
use crate::derive::{self, AlreadyEmbedded};
use crate::error::Error;
use crate::reconcile::{Recipe, content_of, read_at};
use crate::report::Report;

/// Whose transcripts the index holds.
pub(crate) const OWNER: &str = "sessions_of";
/// How they were made into chunks.
const MADE: &str = "sessions_made";
/// What they were like when they were last looked at.
const CENSUS: &str = "sessions_census";
/// A file that changed this recently may change again without a new time.
const GRAIN_NS: i64 = 2_000_000_000;
const BATCH_BYTES: usize = 2 << 20;

/// Whether a transcript is looked at from its beginning, because what is known of it has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reindex {
    Yes,
    No,
}

/// What is new in one conversation.
#[derive(Clone, Copy)]
pub struct NewTurns<'a> {
    pub(crate) session: &'a str,
    pub(crate) again: Reindex,
    /// How the transcript grew, where that is known.
    pub(crate) growth: Option<&'a Growth>,
}

impl<'a> NewTurns<'a> {
    /// Whatever is new in it.
    pub fn of(session: &'a str) -> Self {
        Self { session, again: Reindex::No, growth: None }
    }
}

/// How transcripts become chunks.
struct TranscriptIndexer<'a> {
    sessions: &'a Sessions,
    agent: &'a str,
    also: SearchedExtras,
    recipe: &'a Recipe,
    /// What is not searched any more, whatever a transcript says.
    forgotten: &'a Matcher,
}

/// What of transcripts is searched, as the settings say.
pub(crate) fn also(settings: &Settings) -> SearchedExtras {
    SearchedExtras { tool_output: settings.sessions.tool_output, hidden: settings.sessions.hidden }
}

/// Brings an index up to date with every conversation.
pub(crate) fn run(corpus: &Corpus, index: &dyn Index) -> Result<Report, Error> {
    with_transcripts(corpus, |transcripts| transcripts.all(index))
}

/// Brings an index up to date with one conversation. What was only added to costs what was added.
pub(crate) fn only(corpus: &Corpus, index: &dyn Index, new: &NewTurns<'_>) -> Result<Report, Error> {
    with_transcripts(corpus, |transcripts| transcripts.only(index, new))
}

fn with_transcripts<T>(
    corpus: &Corpus,
    run: impl FnOnce(&TranscriptIndexer<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let sessions = corpus.sessions();
    let recipe = Recipe::of(corpus, false);
    let forgotten = corpus.forgotten()?;
    let agent = corpus.settings.agent.as_str();
    let also = also(&corpus.settings);
    run(&TranscriptIndexer { sessions: &sessions, agent, also, recipe: &recipe, forgotten: &forgotten })
}

/// How many lines a transcript had when it was like that, if the index knows it.
pub(crate) fn lines_at(index: &dyn Index, session: &str, stat: &FileStat) -> Result<Option<u32>, Error> {
    let snapshot = index.snapshot()?;
    let note = single::note(&*snapshot, &path_of(session))?.filter(|note| note.stat == *stat);
    let Some(note) = note else { return Ok(None) };
    let chain = Chain::known(&known_lengths(&*snapshot)?, note.hash);
    Ok(chain.map(|chain| chain.lines))
}

/// What the index knows of the lengths of contents.
fn known_lengths(snapshot: &dyn Snapshot) -> Result<String, Error> {
    Ok(snapshot.meta(LENGTHS)?.map(|known| known.to_string()).unwrap_or_default())
}

/// The line where the last chunk of a note begins.
fn last_line(snapshot: &dyn Snapshot, path: &str) -> Result<Option<u32>, Error> {
    Ok(snapshot.rows_of(path, RowQuery::LastChunks)?.first().map(|row| row.start_line))
}

impl TranscriptIndexer<'_> {
    fn all(&self, index: &dyn Index) -> Result<Report, Error> {
        let found = self.sessions.list()?;
        let census = Self::census(&found);
        let snapshot = index.snapshot()?;
        let owned = self.is_own(&*snapshot)?;
        let mut report = Report { notes: found.len(), ..Report::default() };
        if owned && snapshot.meta(CENSUS)?.as_deref() == Some(&*census) {
            return Ok(report);
        }
        let mut known = snapshot.notes(NoteQuery::All)?;
        let read_at = read_at(&*snapshot)?;
        drop(snapshot);
        known.retain(|note| note.source == Source::Sessions);
        let mut changes = if owned { Vec::new() } else { self.owning() };
        let mut size = 0;
        for transcript in &found {
            let path = path_of(&transcript.session);
            let at = known.iter().position(|note| note.path == path);
            let before = at.map(|at| known.swap_remove(at)).filter(|_| owned);
            if before.as_ref().is_some_and(|note| note.stat == transcript.stat && self.is_settled(note)) {
                continue;
            }
            size += self.one(transcript, before.as_ref(), None, &mut changes, &mut report)?;
            if size >= BATCH_BYTES {
                size = 0;
                self.apply(index, std::mem::take(&mut changes), None, read_at)?;
            }
        }
        report.removed = known.len();
        if !known.is_empty() {
            changes.push(Self::lengths(String::new()));
        }
        changes.extend(known.into_iter().map(|note| Change::Remove { path: note.path }));
        let newest = found.iter().map(|found| found.stat.mtime_ns.max(found.stat.ctime_ns)).max();
        if newest.unwrap_or(0) < self.now_ns() - GRAIN_NS {
            changes.push(Change::Meta { key: CENSUS.to_owned(), value: census });
        }
        if !changes.is_empty() {
            self.apply(index, changes, None, read_at)?;
        }
        Ok(report)
    }

    /// Whether a transcript that looks as it did is as it was. One that changed a moment ago could have changed again
    /// without looking so, which is rare in a file that is only added to: that is looked into when the moment is over.
    fn is_settled(&self, note: &StoredNote) -> bool {
        let newest = note.stat.mtime_ns.max(note.stat.ctime_ns);
        !note.racy || (self.now_ns() - newest).abs() < GRAIN_NS
    }

    fn only(&self, index: &dyn Index, new: &NewTurns<'_>) -> Result<Report, Error> {
        let NewTurns { session, again, growth } = *new;
        let snapshot = index.snapshot()?;
        let fresh = snapshot.meta(OWNER)?.is_none();
        if !fresh && !self.is_own(&*snapshot)? {
            drop(snapshot);
            return self.all(index);
        }
        let path = path_of(session);
        let before = single::note(&*snapshot, &path)?.filter(|_| again == Reindex::No);
        let Some(found) = self.sessions.find(session)? else { return Ok(Report::default()) };
        let mut report = Report { notes: 1, ..Report::default() };
        let mut changes = if fresh { self.owning() } else { Vec::new() };
        let added = match (&before, growth) {
            (Some(before), Some(growth)) => self.added(before, session, growth, &*snapshot)?,
            (Some(_) | None, Some(_) | None) => None,
        };
        match added {
            Some(added) => changes.extend(added),
            None => {
                self.one(&found, before.as_ref(), Some(&*snapshot), &mut changes, &mut report)?;
            }
        }
        let (generation, read_at) = (snapshot.generation(), read_at(&*snapshot)?);
        drop(snapshot);
        let wanted = changes.iter().find_map(content_of);
        let Some(wanted) = wanted else { return Ok(report) };
        self.apply(index, changes, Some(generation), read_at)?;
        if index.notes(NoteQuery::At(&[&path]))?.pop().is_some_and(|note| note.hash == wanted) {
            return Ok(report);
        }
        // Somebody else changed the index: what was stored a moment ago may not be.
        let mut changes = Vec::new();
        self.one(&found, None, None, &mut changes, &mut Report::default())?;
        self.apply(index, changes, None, read_at)?;
        Ok(report)
    }

    /// Adds what follows from one transcript, and returns how many bytes were read. With the `snapshot` that the changes
    /// will be applied to, only what is new in it is made.
    fn one(
        &self,
        found: &SessionFile,
        before: Option<&StoredNote>,
        snapshot: Option<&dyn Snapshot>,
        changes: &mut Vec<Change>,
        report: &mut Report,
    ) -> Result<usize, Error> {
        let bytes = self.sessions.bytes(&found.session)?;
        let old = before.map_or(0, |before| usize::try_from(before.stat.size).unwrap_or(usize::MAX));
        let old = old.min(bytes.len());
        let (prefix, chain) = Chain::of_grown(&bytes, old);
        let mut note = self.stored(&found.session, chain.digest, found.stat);
        note.racy |= bytes.len() as u64 > found.stat.size;
        match before {
            Some(before) if *before == note => return Ok(0),
            Some(before) if before.hash == note.hash => {
                changes.push(Change::Touch(note));
                return Ok(0);
            }
            Some(_) => report.changed += 1,
            None => report.added += 1,
        }
        let grew = before.is_some_and(|before| before.hash == prefix.digest) && bytes[..old].ends_with(b"\n");
        let made = match snapshot {
            Some(snapshot) if grew => self.grown(&note, &found.session, &bytes, old, snapshot)?,
            Some(_) | None => None,
        };
        let made = match made {
            Some(made) => made,
            None => Change::Put(self.whole(note, &found.session, &bytes, snapshot)?),
        };
        if let Change::Put(note) | Change::Grow { note, .. } = &made {
            report.chunks += note.chunks.len();
        }
        changes.push(made);
        match snapshot {
            // What was taken out of a transcript must not be guessed from the names of what it was.
            _ if before.is_some() && !grew => changes.push(Self::lengths(chain.alone())),
            Some(snapshot) => changes.push(Self::lengths(chain.noted(&known_lengths(snapshot)?))),
            None => {}
        }
        Ok(bytes.len())
    }

    /// What follows from a transcript that was as the index knows it and was added to under its lock: no more of it is
    /// read than its last chunk and what is new. None where that cannot be told.
    fn added(
        &self,
        before: &StoredNote,
        session: &str,
        growth: &Growth,
        snapshot: &dyn Snapshot,
    ) -> Result<Option<[Change; 2]>, Error> {
        if before.stat != growth.before {
            return Ok(None);
        }
        let Some(chain) = Chain::known(&known_lengths(snapshot)?, before.hash) else { return Ok(None) };
        let Some(from) = last_line(snapshot, &before.path)? else { return Ok(None) };
        let Some(back) = (chain.lines + 1).checked_sub(from) else { return Ok(None) };
        let read = |from, to| self.sessions.part(session, growth.after.inode, from, to);
        let old = growth.before.size;
        let part = start_of(old, back, &read).and_then(|at| Ok((at, read(at, growth.after.size)?)));
        // Somebody has put another file in its place: then that one is read.
        let Ok((at, bytes)) = part else { return Ok(None) };
        let Some(old) = usize::try_from(old - at).ok().filter(|old| *old <= bytes.len()) else {
            return Ok(None);
        };
        let chain = chain.then(&bytes[old..]);
        let note = self.stored(session, chain.digest, growth.after);
        let grown = self.extended(&note, session, &bytes, old, from)?;
        let lengths = Self::lengths(chain.noted(&known_lengths(snapshot)?));
        Ok(grown.map(|grown| [grown, lengths]))
    }

    fn lengths(value: String) -> Change {
        Change::Meta { key: LENGTHS.to_owned(), value }
    }

    fn stored(&self, session: &str, hash: Digest, stat: FileStat) -> StoredNote {
        let newest = stat.mtime_ns.max(stat.ctime_ns);
        let racy = newest >= self.now_ns() - GRAIN_NS;
        StoredNote { path: path_of(session), source: Source::Sessions, hash, stat, racy }
    }

    /// A transcript that was added to, given as a whole.
    fn grown(
        &self,
        note: &StoredNote,
        session: &str,
        bytes: &[u8],
        old: usize,
        snapshot: &dyn Snapshot,
    ) -> Result<Option<Change>, Error> {
        let Some(from) = last_line(snapshot, &note.path)? else { return Ok(None) };
        match line_start(bytes, from).filter(|at| *at < old) {
            Some(at) => self.extended(note, session, &bytes[at..], old - at, from),
            None => Ok(None),
        }
    }

    /// A transcript that was added to, from the line `from` on, where its last chunk begins, which is the only one of the
    /// old that may change; `old` of the bytes are not new. None where that is not enough, such as on another day, which
    /// is the day of all of it.
    fn extended(
        &self,
        note: &StoredNote,
        session: &str,
        bytes: &[u8],
        old: usize,
        from: u32,
    ) -> Result<Option<Change>, Error> {
        let day = |bytes: &[u8]| {
            self.sessions.transcript(session, bytes, from).last_at().map(|at| day_number(day_of(at)))
        };
        let known = day(&bytes[..old]);
        if known.is_none() || known != day(bytes) {
            return Ok(None);
        }
        let added = self.sessions.transcript(session, bytes, from);
        let had = AlreadyEmbedded::default();
        Ok(Some(Change::Grow { note: self.note(note.clone(), &added, known, &had)?, from }))
    }

    fn whole(
        &self,
        note: StoredNote,
        session: &str,
        bytes: &[u8],
        snapshot: Option<&dyn Snapshot>,
    ) -> Result<NewNote, Error> {
        let had = match snapshot {
            Some(snapshot) => derive::had(snapshot, &note.path)?,
            None => AlreadyEmbedded::default(),
        };
        let transcript = self.sessions.transcript(session, bytes, 1);
        let day = transcript.last_at().map(|at| day_number(day_of(at)));
        self.note(note, &transcript, day, &had)
    }

    fn note(
        &self,
        note: StoredNote,
        transcript: &Transcript,
        day: Option<i32>,
        had: &AlreadyEmbedded,
    ) -> Result<NewNote, Error> {
        let judge = self.recipe.origins.judge()?;
        let mut lines = flatten::lines(transcript, self.also);
        for spoken in &mut lines {
            spoken.text = self.forgotten.cover(&spoken.text).into_owned();
        }
        let origin_of = |role| judge.turn(&transcript.session, role);
        let packed = pack(&lines, &self.recipe.chunking, &origin_of);
        let chunks = packed.into_iter().map(|piece| self.chunk(piece, &note, had)).collect();
        Ok(NewNote { note, day, chunks, facts: Vec::new(), aliases: Vec::new() })
    }

    /// Of a chunk that is stored whole only the identity counts.
    fn chunk(&self, piece: Piece, note: &StoredNote, had: &AlreadyEmbedded) -> NewChunk {
        let said = piece.at.map(|at| format!(" · {}", date::spoken(day_of(at))));
        let mut chunk = NewChunk {
            start_line: piece.first,
            end_line: piece.last,
            hash: Digest::of(piece.text.as_bytes()),
            context: format!("conversation{}", said.unwrap_or_default()),
            text: piece.text,
            tokens: Vec::new(),
            embedding: Embedding::Pending,
            origin: piece.origin,
            terms: OnceLock::new(),
        };
        let is_had =
            !had.is_empty() && had.contains(&(Shelf::Chunks, ChunkId::new(note.source, &note.path, &chunk)));
        if !is_had {
            (chunk.tokens, chunk.embedding) =
                derive::embedding(&chunk.context, &chunk.text, self.recipe.vectors);
            chunk.terms();
        }
        chunk
    }

    /// Whether what the index holds is of this agent and made in this way.
    fn is_own(&self, snapshot: &dyn Snapshot) -> Result<bool, Error> {
        Ok(snapshot.meta(OWNER)?.as_deref() == Some(self.agent)
            && snapshot.meta(MADE)?.as_deref() == Some(&*self.made()))
    }

    fn owning(&self) -> Vec<Change> {
        let meta = |key: &str, value: &str| Change::Meta { key: key.to_owned(), value: value.to_owned() };
        vec![meta(OWNER, self.agent), meta(MADE, &self.made())]
    }

    fn made(&self) -> String {
        format!("3 {:?}", self.also)
    }

    fn census(found: &[SessionFile]) -> String {
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
    fn apply(
        &self,
        index: &dyn Index,
        changes: Vec<Change>,
        only_at: Option<u64>,
        read_at: u64,
    ) -> Result<u64, Error> {
        let now_ms = self.recipe.now.as_millisecond();
        let (model, agent) = (self.recipe.model.clone(), self.agent.to_owned());
        Ok(index.apply(&Batch { changes, model, agent, now_ms, only_at, read_at: Some(read_at) })?)
    }
}

/// Whole messages that are found together, or a part of one that is too long.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    first: u32,
    last: u32,
    at: Option<Timestamp>,
    text: String,
    origin: Origin,
}

/// Messages one after the other until a chunk is full, what is trusted and what is not apart. What is added at the end
/// changes the last chunk only.
fn pack(lines: &[Utterance], chunking: &Chunking, origin_of: &dyn Fn(Role) -> Origin) -> Vec<Piece> {
    let most = chunking.max_weight();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut full = true;
    for spoken in lines {
        let (text, origin) = (spoken.labelled(), origin_of(spoken.role));
        let fits = |piece: &Piece| {
            piece.text.len() + 1 + text.len() <= most && piece.origin.is_trusted() == origin.is_trusted()
        };
        match pieces.last_mut().filter(|piece| !full && fits(piece)) {
            Some(piece) => {
                piece.text.push('\n');
                piece.text.push_str(&text);
                piece.last = spoken.line;
                piece.origin = piece.origin.min(origin);
            }
            None => {
                let parts = split(&text, most);
                full = parts.len() > 1;
                pieces.extend(parts.into_iter().map(|text| Piece {
                    first: spoken.line,
                    last: spoken.line,
                    at: spoken.at,
                    text,
                    origin,
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
