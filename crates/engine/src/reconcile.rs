//! Making the index agree with the workspace. A first start, a `git pull`, a missed event and a crash are one case:
//! look at what is there, compare, change what differs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use jiff::Timestamp;
use mindfile_index::{
    Batch, CENSUS, Change, FORGOTTEN, FileStat, Index, NoteQuery, Snapshot, Source, StoredNote, single,
};
use mindfile_note::chunk::Chunking;
use mindfile_note::hash::{Digest, RunningDigest};
use mindfile_note::text;
use mindfile_trust::origin::{Judge, JudgeSource};
use mindfile_trust::place::is_private;
use mindfile_trust::policy::Policy;
use mindfile_workspace::{self as workspace, Bytes, NoteFile, NotePath, Scan, Stat, Workspace};

use crate::corpus::Corpus;
use crate::derive::{self, AlreadyEmbedded, DeriveOptions, Grown, VectorTiming};
use crate::error::Error;
use crate::tails::{Tail, Tails};
use crate::wording;

pub use crate::report::{OnProgress, Problem, Progress, Report};
pub use mindfile_workspace::NOTE_LIMIT;

/// A file that changed this recently may change again without a new time: look again next time.
const GRAIN_NS: i64 = 2_000_000_000;
/// What an interrupted write left behind this long ago belongs to nobody.
const ABANDONED_NS: i64 = 60_000_000_000;
const BATCH_NOTES: usize = 256;
const BATCH_BYTES: usize = 2 << 20;
/// From this many batches on, if they are most of the index, what they wrote is put together.
const COMPACT_FROM: u64 = 4;
/// The same for rows: a few large notes may hold as many as many small ones.
const COMPACT_ROWS: usize = 20_000;
/// From this many notes on, the disappearance of more than half of them is not taken for deletion.
const GUARD_FROM: usize = 10;

/// How chunks and vectors are made.
#[derive(Debug, Clone)]
pub struct Recipe {
    pub chunking: Chunking,
    pub vectors: VectorTiming,
    pub model: String,
    /// Whose memory it is.
    pub agent: String,
    pub now: Timestamp,
    /// Whose word each line is.
    pub origins: JudgeSource,
    /// Remove vanished notes however many there are.
    pub purge: bool,
    pub policy: Arc<Policy>,
    pub(crate) tails: Arc<Tails>,
}

impl Recipe {
    pub(crate) fn of(corpus: &Corpus, purge: bool) -> Self {
        Self {
            chunking: corpus.settings.chunking,
            vectors: if corpus.is_embedded() { VectorTiming::Now } else { VectorTiming::Later },
            model: corpus.model(),
            agent: corpus.settings.agent.to_string(),
            now: corpus.clock.now(),
            origins: corpus.bound(),
            purge,
            policy: Arc::clone(&corpus.policy),
            tails: Arc::clone(&corpus.space().tails),
        }
    }

    fn making<'a>(&'a self, judge: &'a Judge) -> DeriveOptions<'a> {
        DeriveOptions { chunking: &self.chunking, vectors: self.vectors, policy: &self.policy, judge }
    }
}

pub fn run(
    workspace: &Workspace,
    index: &dyn Index,
    recipe: &Recipe,
    on_progress: &mut OnProgress<'_>,
) -> Result<Report, Error> {
    let (scan, unsettled) = scan(workspace, recipe.now)?;
    let snapshot = index.snapshot()?;
    let census = scan.census();
    let mut report = Report { notes: scan.files.len(), skipped: scan.skipped.clone(), ..Report::default() };
    report.problems = unsettled;
    if census.is_some() && snapshot.meta(CENSUS)?.as_deref() == census.as_deref() {
        return Ok(report);
    }
    let known = snapshot.notes(NoteQuery::All)?;
    let generation = snapshot.generation();
    let read_at = read_at(&*snapshot)?;
    drop(snapshot);
    let mut work = compare(workspace, &scan, known);
    report.held = hold_back(&mut work, scan.files.len(), recipe.purge);
    let batches =
        read_and_apply(&work, &Ingestion { workspace, index, recipe, read_at }, &mut report, on_progress)?;
    let settled = report.held == 0 && report.problems.is_empty();
    let racy = scan.newest_ns >= nanoseconds(recipe.now) - GRAIN_NS;
    if let Some(value) = census.filter(|_| settled && !racy) {
        // Only if nobody else changed the index meanwhile: then it may not agree.
        let census = vec![Change::Meta { key: CENSUS.to_owned(), value }];
        apply_at(index, recipe, census, At { generation: Some(generation + batches), read_at })?;
    }
    Ok(report)
}

/// The same for single notes: nothing else is looked at.
pub fn notes(
    workspace: &Workspace,
    index: &dyn Index,
    recipe: &Recipe,
    paths: &[NotePath],
) -> Result<Report, Error> {
    let paths = &*indexable(paths);
    let snapshot = index.snapshot()?;
    let mut batch = Derived::default();
    let mut wanted: Vec<(&NotePath, Option<Digest>)> = Vec::new();
    for path in paths {
        let before = batch.changes.len();
        let known = single::note(&*snapshot, path.as_str())?;
        match workspace.read(path, NOTE_LIMIT) {
            Err(workspace::Error::Missing { .. }) => {
                batch.changes.extend(known.map(|note| Change::Remove { path: note.path }));
            }
            read => {
                let grew = match (&read, &known) {
                    (Ok(read), Some(known)) => batch.grow(path, read, known, recipe),
                    (Ok(_) | Err(_), _) => false,
                };
                if !grew {
                    let kept = read.as_ref().is_ok_and(|read| is_content_of(read, known.as_ref()));
                    batch.had = if kept {
                        AlreadyEmbedded::default()
                    } else {
                        derive::had(&*snapshot, path.as_str())?
                    };
                    batch.take(path, read, known.as_ref(), None, recipe);
                }
            }
        }
        wanted.extend(batch.changes.get(before).map(|change| (path, content_of(change))));
    }
    let at = At { generation: Some(snapshot.generation()), read_at: read_at(&*snapshot)? };
    drop(snapshot);
    let mut report = Report { notes: paths.len(), ..Report::default() };
    report.count(&batch);
    if batch.changes.is_empty() {
        return Ok(report);
    }
    apply_at(index, recipe, batch.changes, at)?;
    if is_stored(index, &wanted)? {
        return Ok(report);
    }
    // Someone else wrote in between: what the index had may be gone.
    rejudged(workspace, index, recipe, paths)
}

/// The notes that an index on the disk may hold: a private one must not reach it, whoever names it.
pub(crate) fn indexable(paths: &[NotePath]) -> Vec<NotePath> {
    paths.iter().filter(|path| !is_private(path.as_str())).cloned().collect()
}

/// Whether the index has a note as it is on the disk now; both may lack it. A note that changed a moment ago is read, unless
/// this process was the last to see it change.
pub(crate) fn is_indexed(
    workspace: &Workspace,
    snapshot: &dyn Snapshot,
    path: &NotePath,
    tails: &Tails,
) -> Result<bool, Error> {
    if is_private(path.as_str()) {
        return Ok(true);
    }
    let known = single::note(snapshot, path.as_str())?;
    if let (Some(known), Ok(stat)) = (&known, workspace.stat(path))
        && known.stat == file_stat(&stat)
        && (!known.racy || tails.of(path.as_str()).is_some_and(|tail| tail.stat == stat))
    {
        return Ok(true);
    }
    match workspace.read(path, NOTE_LIMIT) {
        Err(workspace::Error::Missing { .. }) => Ok(known.is_none()),
        read => Ok(is_content_of(&read?, known.as_ref())),
    }
}

fn is_content_of(read: &Bytes, known: Option<&StoredNote>) -> bool {
    known.is_some_and(|known| known.hash == Digest::of(&read.bytes))
}

/// Single notes, with nothing taken for granted.
pub(crate) fn rejudged(
    workspace: &Workspace,
    index: &dyn Index,
    recipe: &Recipe,
    paths: &[NotePath],
) -> Result<Report, Error> {
    let paths = &*indexable(paths);
    let mut batch = Derived::default();
    let read_at = forgotten(index.meta(FORGOTTEN)?);
    for path in paths {
        match workspace.read(path, NOTE_LIMIT) {
            Err(workspace::Error::Missing { .. }) => {
                batch.changes.push(Change::Remove { path: path.as_str().to_owned() });
            }
            read => {
                batch.take(path, read, None, None, recipe);
            }
        }
    }
    let mut report = Report { notes: paths.len(), ..Report::default() };
    report.count(&batch);
    apply_at(index, recipe, batch.changes, At { generation: None, read_at })?;
    Ok(report)
}

/// Whether the index has these notes, or has them not, as they are wanted.
fn is_stored(index: &dyn Index, wanted: &[(&NotePath, Option<Digest>)]) -> Result<bool, Error> {
    let paths: Vec<&str> = wanted.iter().map(|(path, _)| path.as_str()).collect();
    let stored: HashMap<String, Digest> =
        index.notes(NoteQuery::At(&paths))?.into_iter().map(|note| (note.path, note.hash)).collect();
    Ok(wanted.iter().all(|(path, hash)| stored.get(path.as_str()) == hash.as_ref()))
}

/// The content of a note after a change to it; none if the change leaves no note.
pub(crate) fn content_of(change: &Change) -> Option<Digest> {
    if let Change::Put(note) | Change::Grow { note, .. } = change {
        return Some(note.note.hash);
    }
    if let Change::Touch(note) | Change::Rename { to: note, .. } = change { Some(note.hash) } else { None }
}

/// Whether the index is known to agree with the workspace, without listing it.
pub fn is_settled(workspace: &Workspace, snapshot: &dyn Snapshot) -> Result<bool, Error> {
    Ok(snapshot.meta(CENSUS)?.is_some_and(|census| workspace.is_as_in(&census)))
}

/// Looks at the workspace, after finishing what an interrupted write left behind.
fn scan(workspace: &Workspace, now: Timestamp) -> Result<(Scan, Vec<Problem>), Error> {
    let scan = workspace.scan()?;
    if scan.leftovers.is_empty() {
        return Ok((scan, Vec::new()));
    }
    let before = nanoseconds(now) - ABANDONED_NS;
    let unsettled = scan.leftovers.iter().filter_map(|leftover| {
        let error = workspace.settle(leftover, before).err()?;
        Some(Problem { path: leftover.path(), what: wording::with_cause(&error) })
    });
    let unsettled = unsettled.collect();
    Ok((workspace.scan()?, unsettled))
}

struct Comparison<'a> {
    /// Files to look into, with what is known of them.
    read: Vec<(&'a NoteFile, Option<StoredNote>)>,
    /// Notes that are not on the disk any more.
    gone: BTreeMap<String, StoredNote>,
    known: usize,
}

struct Ingestion<'a> {
    workspace: &'a Workspace,
    index: &'a dyn Index,
    recipe: &'a Recipe,
    read_at: u64,
}

impl Ingestion<'_> {
    fn apply(&self, changes: Vec<Change>) -> Result<u64, Error> {
        apply_at(self.index, self.recipe, changes, At { generation: None, read_at: self.read_at })
    }
}

fn compare<'a>(workspace: &Workspace, scan: &'a Scan, known: Vec<StoredNote>) -> Comparison<'a> {
    let count = known.iter().filter(|note| note.source == Source::Memory).count();
    let mut gone: BTreeMap<String, StoredNote> = known
        .into_iter()
        .filter(|note| note.source == Source::Memory)
        .map(|note| (note.path.clone(), note))
        .collect();
    let mut read = Vec::new();
    for found in &scan.files {
        match gone.remove(found.path.as_str()) {
            Some(note) if note.stat == file_stat(&found.stat) && !note.racy => {}
            other => read.push((found, other)),
        }
    }
    // A path that the settings do not name any more is gone, whatever the scan saw.
    gone.retain(|path, _| workspace.is_memory_path(path).map_or(true, |path| scan.covers(&path)));
    Comparison { read, gone, known: count }
}

/// Whether so many notes vanished at once that they are kept: an unmounted or half-synced workspace looks like a deletion of
/// everything.
pub fn is_held_back(vanished: usize, known: usize, present: usize, new: usize) -> bool {
    let emptied = present == 0 && vanished > 0;
    let halved = known >= GUARD_FROM && vanished * 2 > known && new < vanished;
    emptied || halved
}

/// Keeps what vanished, where that is too much. Returns how many notes were kept.
fn hold_back(work: &mut Comparison<'_>, present: usize, purge: bool) -> usize {
    let vanished = work.gone.len();
    let new = work.read.iter().filter(|(_, known)| known.is_none()).count();
    if purge || !is_held_back(vanished, work.known, present, new) {
        return 0;
    }
    work.gone.clear();
    vanished
}

/// One thread reads and derives, this one writes: the batches overlap. Returns how many there were.
fn read_and_apply(
    work: &Comparison<'_>,
    context: &Ingestion<'_>,
    report: &mut Report,
    on_progress: &mut OnProgress<'_>,
) -> Result<u64, Error> {
    let mut batches = 0;
    let mut rows = 0;
    let mut progress = Progress {
        of_notes: work.read.len(),
        of_bytes: work.read.iter().map(|(found, _)| found.stat.size.min(NOTE_LIMIT)).sum(),
        ..Progress::default()
    };
    let moved = renames(work, context);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel::<Derived>(1);
        scope.spawn(|| derive_all(work, &moved, context, sender));
        for derived in receiver {
            progress.advance(&derived);
            report.count(&derived);
            // Notes that were looked into and are as they were change nothing.
            rows += derived.rows();
            if !derived.changes.is_empty() {
                context.apply(derived.changes)?;
                batches += 1;
            }
            if on_progress(&progress).is_break() {
                return Err(Error::Interrupted);
            }
        }
        Ok(())
    })?;
    let renamed: BTreeSet<&String> = moved.values().collect();
    let removed: Vec<Change> = work
        .gone
        .keys()
        .filter(|path| !renamed.contains(path))
        .map(|path| Change::Remove { path: path.clone() })
        .collect();
    report.removed = removed.len();
    for changes in removed.chunks(BATCH_NOTES) {
        context.apply(changes.to_vec())?;
        batches += 1;
    }
    if (batches >= COMPACT_FROM || rows >= COMPACT_ROWS) && work.read.len() * 2 > work.known {
        context.apply(vec![Change::Compact])?;
        batches += 1;
    }
    Ok(batches)
}

/// New path to old path, where the content is that of a vanished note and its context stays the same.
fn renames(work: &Comparison<'_>, context: &Ingestion<'_>) -> HashMap<String, String> {
    let mut by_size: HashMap<u64, Vec<&StoredNote>> = HashMap::new();
    for note in work.gone.values() {
        by_size.entry(note.stat.size).or_default().push(note);
    }
    let mut moved = HashMap::new();
    for (found, _) in
        work.read.iter().filter(|(found, known)| known.is_none() && found.stat.size <= NOTE_LIMIT)
    {
        let Some(candidates) = by_size.get_mut(&found.stat.size).filter(|notes| !notes.is_empty()) else {
            continue;
        };
        let Ok(bytes) = context.workspace.read(&found.path, NOTE_LIMIT) else { continue };
        let hash = Digest::of(&bytes.bytes);
        let Ok(judge) = context.recipe.origins.judge() else { continue };
        let same = |note: &&StoredNote| {
            note.hash == hash
                && derive::same_origins(&bytes.bytes, &judge, &note.path, found.path.as_str())
                && derive::same_context(
                    &bytes.bytes,
                    &context.recipe.chunking,
                    &note.path,
                    found.path.as_str(),
                )
        };
        if let Some(at) = candidates.iter().position(same) {
            moved.insert(found.path.as_str().to_owned(), candidates.swap_remove(at).path.clone());
        }
    }
    moved
}

#[derive(Default)]
struct Derived {
    /// What the index has of the note that is taken next.
    had: AlreadyEmbedded,
    changes: Vec<Change>,
    problems: Vec<Problem>,
    notes: usize,
    bytes: u64,
    chunks: usize,
    added: usize,
    changed: usize,
    renamed: usize,
}

impl Progress {
    fn advance(&mut self, derived: &Derived) {
        self.notes += derived.notes;
        self.bytes += derived.bytes;
        self.chunks += derived.chunks;
    }
}

impl Report {
    fn count(&mut self, derived: &Derived) {
        self.added += derived.added;
        self.changed += derived.changed;
        self.renamed += derived.renamed;
        self.chunks += derived.chunks;
        self.problems.extend(derived.problems.iter().cloned());
    }
}

fn derive_all(
    work: &Comparison<'_>,
    moved: &HashMap<String, String>,
    context: &Ingestion<'_>,
    sender: SyncSender<Derived>,
) {
    let mut batch = Derived::default();
    let mut size = 0;
    for (found, known) in &work.read {
        let read = context.workspace.read(&found.path, NOTE_LIMIT);
        let from = moved.get(found.path.as_str());
        size += batch.take(&found.path, read, known.as_ref(), from, context.recipe);
        if batch.notes >= BATCH_NOTES || size >= BATCH_BYTES {
            size = 0;
            // The writer is gone when it failed or was stopped; it reports that itself.
            if sender.send(std::mem::take(&mut batch)).is_err() {
                return;
            }
        }
    }
    if batch.notes > 0 {
        drop(sender.send(batch));
    }
}

impl Derived {
    /// How many rows the index gets at most.
    fn rows(&self) -> usize {
        let rows = |change: &Change| {
            if let Change::Put(note) = change { note.chunks.len() + note.facts.len() } else { 0 }
        };
        self.changes.iter().map(rows).sum()
    }

    /// Adds what follows from one file, and returns how many bytes were read.
    fn take(
        &mut self,
        path: &NotePath,
        read: Result<Bytes, workspace::Error>,
        known: Option<&StoredNote>,
        from: Option<&String>,
        recipe: &Recipe,
    ) -> usize {
        self.notes += 1;
        let problem = |what| Problem { path: path.as_str().to_owned(), what };
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                self.problems.push(problem(wording::with_cause(&error)));
                return 0;
            }
        };
        if read.truncated {
            let what = format!("{} bytes long, only the first {NOTE_LIMIT} are indexed", read.stat.size);
            self.problems.push(problem(what));
        }
        self.bytes += read.bytes.len() as u64;
        let stored = stored_note(path, &read, recipe.now);
        // Asked after the note was read: whatever is in it was bound before it was written.
        match recipe.origins.judge() {
            Ok(judge) => self.add(stored, &read.bytes, known, from, (recipe, &judge)),
            Err(error) => self.problems.push(problem(error.to_string())),
        }
        read.bytes.len()
    }

    /// Adds what follows from lines at the end of a note, if these are all that is new in it.
    fn grow(&mut self, path: &NotePath, read: &Bytes, known: &StoredNote, recipe: &Recipe) -> bool {
        let old = usize::try_from(known.stat.size).unwrap_or(usize::MAX);
        let Some((prefix, more)) = read.bytes.split_at_checked(old) else { return false };
        if more.is_empty() || read.truncated {
            return false;
        }
        let tail = recipe.tails.of(path.as_str()).filter(|tail| tail.is_of(prefix, known.hash));
        let digest = tail.as_ref().map_or_else(|| RunningDigest::of(prefix), |tail| tail.digest.clone());
        if tail.is_none() && digest.digest() != known.hash {
            return false;
        }
        let digest = digest.and(more);
        let stored = stored_as(path, read, digest.digest(), recipe.now);
        let Ok(judge) = recipe.origins.judge() else { return false };
        let from = tail.as_ref().map(|tail| (&tail.resume, tail.facts));
        let grown = derive::grown(stored, &read.bytes, old, from, recipe.making(&judge));
        let Some(Grown { change, resume, left_out }) = grown else { return false };
        self.notes += 1;
        self.changed += 1;
        if let Change::Grow { note, .. } = &change {
            self.chunks += note.chunks.len();
        }
        self.limits(path.as_str(), left_out);
        self.changes.push(change);
        if let Some(resume) = resume.filter(|_| !read.unstable) {
            recipe.tails.keep(Tail::of(path.as_str(), &read.bytes, read.stat, digest, resume));
        }
        true
    }

    /// Names the facts of a note that are not taken as they stand there.
    fn limits(&mut self, path: &str, left_out: Vec<String>) {
        let problem = |what| Problem { path: path.to_owned(), what };
        self.problems.extend(left_out.into_iter().map(problem));
    }

    fn add(
        &mut self,
        stored: StoredNote,
        bytes: &[u8],
        known: Option<&StoredNote>,
        from: Option<&String>,
        (recipe, judge): (&Recipe, &Judge),
    ) {
        if let Some(from) = from {
            self.renamed += 1;
            self.changes.push(Change::Rename { from: from.clone(), to: stored });
            return;
        }
        match known {
            Some(known) if *known == stored => return,
            Some(known) if known.hash == stored.hash => {
                self.changes.push(Change::Touch(stored));
                return;
            }
            Some(_) => self.changed += 1,
            None => self.added += 1,
        }
        let note = derive::note(stored, bytes, recipe.making(judge), &self.had);
        self.chunks += note.chunks.len();
        self.limits(&note.note.path, derive::facts::left_out(&text::decode(bytes), &note.facts));
        self.changes.push(Change::Put(note));
    }
}

pub(crate) fn stored_note(path: &NotePath, read: &Bytes, now: Timestamp) -> StoredNote {
    stored_as(path, read, Digest::of(&read.bytes), now)
}

fn stored_as(path: &NotePath, read: &Bytes, hash: Digest, now: Timestamp) -> StoredNote {
    let newest = read.stat.mtime_ns.max(read.stat.ctime_ns);
    StoredNote {
        path: path.as_str().to_owned(),
        source: Source::Memory,
        hash,
        stat: file_stat(&read.stat),
        racy: read.unstable || newest >= nanoseconds(now) - GRAIN_NS,
    }
}

pub(crate) fn file_stat(stat: &Stat) -> FileStat {
    FileStat { mtime_ns: stat.mtime_ns, ctime_ns: stat.ctime_ns, size: stat.size, inode: stat.inode }
}

fn nanoseconds(time: Timestamp) -> i64 {
    i64::try_from(time.as_nanosecond()).unwrap_or(i64::MAX)
}

/// The state of the index that a batch was made for.
#[derive(Clone, Copy)]
struct At {
    generation: Option<u64>,
    read_at: u64,
}

/// How often something had been forgotten when texts are read after this.
pub(crate) fn read_at(snapshot: &dyn Snapshot) -> Result<u64, Error> {
    Ok(forgotten(snapshot.meta(FORGOTTEN)?))
}

fn forgotten(count: Option<Arc<str>>) -> u64 {
    count.and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn apply_at(index: &dyn Index, recipe: &Recipe, changes: Vec<Change>, at: At) -> Result<u64, Error> {
    let now_ms = recipe.now.as_millisecond();
    let only_at = at.generation;
    let read_at = Some(at.read_at);
    let model = recipe.model.clone();
    let agent = recipe.agent.clone();
    Ok(index.apply(&Batch { changes, only_at, read_at, model, agent, now_ms })?)
}
