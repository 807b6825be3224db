//! From the bytes of a note to what the index keeps of it. The same bytes under the same path always give the same.

pub mod facts;

use std::collections::HashSet;
use std::sync::OnceLock;

use mindfile_index::{
    Change, ChunkId, Embedding, NewChunk, NewNote, RowQuery, Shelf, Snapshot, StoredNote, stored_tokens,
};
use mindfile_model::{EmbeddedTable, TokenId};
use mindfile_note::chunk::{self, Chunk, Chunking, Note, PlacedFact, Resume};
use mindfile_note::date::day_number;
use mindfile_note::segment::segments;
use mindfile_note::{alias, date, template, text};
use mindfile_trust::origin::{Judge, LineOrigins as Lines};
use mindfile_trust::policy::Policy;

/// Who makes the vectors, as far as deriving is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VectorTiming {
    /// The embedded table: so cheap that they are made in the same pass.
    Now,
    /// A provider: the chunks stay pending.
    Later,
}

/// Chunks and facts that the index has whole: nothing but their ids is made again.
pub(crate) type AlreadyEmbedded = HashSet<(Shelf, ChunkId)>;

/// The rows of a note that need nothing more from an embedder.
pub(crate) fn had(snapshot: &dyn Snapshot, path: &str) -> Result<AlreadyEmbedded, mindfile_index::Error> {
    let rows = snapshot.rows_of(path, RowQuery::All)?.into_iter();
    Ok(rows.filter(|row| !row.is_pending).map(|row| (row.doc.shelf, row.id)).collect())
}

/// What decides how a note is derived, beside its bytes and its path.
#[derive(Clone, Copy)]
pub(crate) struct DeriveOptions<'a> {
    pub(crate) chunking: &'a Chunking,
    pub(crate) vectors: VectorTiming,
    pub(crate) policy: &'a Policy,
    /// Whose word each line is.
    pub(crate) judge: &'a Judge,
}

/// Nothing gets into the index but what somebody wrote and the policy lets be seen: the text is covered before anything is
/// made of it.
pub(crate) fn note(
    stored: StoredNote,
    bytes: &[u8],
    making: DeriveOptions<'_>,
    had: &AlreadyEmbedded,
) -> NewNote {
    let DeriveOptions { chunking, vectors, policy, judge } = making;
    let raw = text::decode(bytes);
    let own = template::own_text(&stored.path, &raw);
    let decoded = policy.cover(&own);
    let read = chunk::read(&decoded, chunking);
    let origins = judge.lines(&stored.path, &raw);
    let aliases = alias::declared(&stored.path, &decoded);
    let new = NewNote { aliases, ..rows(stored, read, &facts::placed(&decoded), &origins) };
    embedded(new, vectors, had)
}

/// A note that was added to.
pub(crate) struct Grown {
    pub(crate) change: Change,
    /// Where it is read on when it is added to again, and how many facts stand before that.
    pub(crate) resume: Option<(Resume, usize)>,
    /// What of the facts is not taken as it stands there, in words.
    pub(crate) left_out: Vec<String>,
}

/// Of a note that was added to, what its chunks and facts are from the first line on where they differ from those of its
/// first `old` bytes, which are known up to `from`. None where that is not all that changed.
pub(crate) fn grown(
    stored: StoredNote,
    bytes: &[u8],
    old: usize,
    from: Option<(&Resume, usize)>,
    making: DeriveOptions<'_>,
) -> Option<Grown> {
    let DeriveOptions { chunking, vectors, policy, judge } = making;
    // What is added to one of these may change what stood before it.
    let is_apart = stored.path.starts_with(alias::PAGES) || template::fills(&stored.path);
    if is_apart || !bytes[..old].ends_with(b"\n") || !is_clear(policy, bytes, old, from.is_some()) {
        return None;
    }
    let (resume, before_it) = (from.map(|(resume, _)| resume), from.map_or(0, |(_, facts)| facts));
    let start = resume.map_or(0, |resume| resume.at);
    let (before, after) = (plain(&bytes[start..old])?, plain(&bytes[start..])?);
    let (was, _) = chunk::read_on(before, resume, chunking);
    let (mut is, next) = chunk::read_on(after, resume, chunking);
    if was.title != is.title {
        return None;
    }
    let facts_were = facts::placed_on(before, resume, before_it);
    let mut facts = facts::placed_on(after, resume, before_it);
    let next = next.map(|next| {
        let passed = facts.iter().filter(|fact| fact.line <= next.lines()).count();
        (next, before_it + passed)
    });
    let changes = [
        first_change(&was.chunks, &is.chunks, |chunk| chunk.lines.start),
        first_change(&facts_were, &facts, |fact| fact.line),
    ];
    let from = changes.into_iter().flatten().min().unwrap_or(u32::MAX);
    is.chunks.retain(|chunk| chunk.lines.start >= from);
    facts.retain(|fact| fact.line >= from);
    let origins = judge.lines_after(&stored.path, after, resume.map_or(0, Resume::lines));
    let new = rows(stored, is, &facts, &origins);
    let note = embedded(new, vectors, &AlreadyEmbedded::default());
    let left_out = facts::left_out(after, &note.facts);
    Some(Grown { change: Change::Grow { note, from }, resume: next, left_out })
}

/// UTF-8 without a byte order mark.
fn plain(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.starts_with('\u{feff}'))
}

/// Whether nothing is covered. Where something is, what was added may end what stood before it.
fn is_clear(policy: &Policy, bytes: &[u8], old: usize, is_known: bool) -> bool {
    let reach = policy.reach().filter(|_| is_known);
    let far = reach.map_or(0, |reach| old.saturating_sub(reach));
    let from = bytes[..far].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let rest = plain(&bytes[from..]);
    rest.is_some_and(|rest| {
        if is_known { policy.is_clear_beyond(rest, old - from) } else { policy.judge(rest).is_empty() }
    })
}

/// The line where two lists begin to differ.
fn first_change<T: PartialEq>(old: &[T], new: &[T], line: impl Fn(&T) -> u32) -> Option<u32> {
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    [old.get(same), new.get(same)].into_iter().flatten().map(line).min()
}

/// Without aliases, tokens and vectors.
fn rows(stored: StoredNote, read: Note, facts: &[PlacedFact<'_>], origins: &Lines) -> NewNote {
    let day = date::of_path(&stored.path);
    let own_title = read.title.is_some() || day.is_none();
    let title = read.title.unwrap_or_else(|| spoken_name(&stored.path));
    let chunks = read.chunks.into_iter().map(|chunk| derive(chunk, &title, day, origins)).collect();
    let facts = facts::of_placed(facts, own_title.then_some(&*title), origins);
    NewNote { note: stored, day: day.map(day_number), chunks, facts, aliases: Vec::new() }
}

fn embedded(mut new: NewNote, vectors: VectorTiming, had: &AlreadyEmbedded) -> NewNote {
    let source = new.note.source;
    let path = &new.note.path;
    let rows = new.chunks.iter_mut().map(|chunk| (Shelf::Chunks, chunk));
    for (shelf, chunk) in rows.chain(new.facts.iter_mut().map(|fact| (Shelf::Facts, &mut fact.chunk))) {
        let is_had = !had.is_empty() && had.contains(&(shelf, ChunkId::new(source, path, chunk)));
        if !is_had {
            (chunk.tokens, chunk.embedding) = embedding(&chunk.context, &chunk.text, vectors);
            chunk.terms();
        }
    }
    new
}

/// Whether the same content under two names has the same context, so that a rename changes nothing else.
pub(crate) fn same_context(bytes: &[u8], chunking: &Chunking, from: &str, to: &str) -> bool {
    let decoded = text::decode(bytes);
    let titled = || chunk::read(&decoded, chunking).title.is_some();
    let pages = [from, to].map(|path| path.starts_with(alias::PAGES));
    let [was, is] = [from, to].map(|path| template::own_text(path, &decoded));
    pages[0] == pages[1]
        && was == is
        && date::of_path(from) == date::of_path(to)
        && (spoken_name(from) == spoken_name(to) || titled())
}

/// Whether the same content under two names is the same people's word, line by line.
pub(crate) fn same_origins(bytes: &[u8], judge: &Judge, from: &str, to: &str) -> bool {
    let decoded = text::decode(bytes);
    judge.lines(from, &decoded) == judge.lines(to, &decoded)
}

/// What is embedded: the context, then the text itself.
pub(crate) fn embedded_text(context: &str, text: &str) -> String {
    format!("{context}\n{text}")
}

/// The tokens of a chunk, with what is needed to find those of each segment again.
struct ChunkTokens {
    all: Vec<TokenId>,
    /// Where each segment begins.
    begins: Vec<usize>,
}

impl ChunkTokens {
    fn of(context: &str, text: &str) -> Self {
        let table = EmbeddedTable::open();
        // A token of ordinary prose is four to five bytes long.
        let mut all = Vec::with_capacity((context.len() + text.len()) / 4 + 1);
        table.add_tokens(context, &mut all);
        let mut begins = Vec::new();
        for segment in segments(text) {
            begins.push(all.len());
            table.add_tokens(&text[segment.range], &mut all);
        }
        Self { all, begins }
    }

    fn stored(&self) -> Vec<u16> {
        let all: Vec<u16> = self.all.iter().map(|token| token.get()).collect();
        let context = &all[..self.begins.first().copied().unwrap_or(all.len())];
        let ends = self.begins.iter().skip(1).copied().chain([all.len()]);
        stored_tokens::joined(context, self.begins.iter().zip(ends).map(|(begin, end)| &all[*begin..end]))
    }
}

/// Without tokens, words and vector.
fn derive(chunk: Chunk, title: &str, day: Option<jiff::civil::Date>, origins: &Lines) -> NewChunk {
    let context = context(title, &chunk.heading, day);
    NewChunk {
        start_line: chunk.lines.start,
        end_line: chunk.lines.end,
        context,
        hash: chunk.hash,
        text: chunk.text,
        tokens: Vec::new(),
        embedding: Embedding::Pending,
        origin: origins.lowest(chunk.lines.start, chunk.lines.end),
        terms: OnceLock::new(),
    }
}

/// The stored tokens of a chunk or a fact, and its vector if it is made in this pass.
pub(crate) fn embedding(context: &str, text: &str, vectors: VectorTiming) -> (Vec<u16>, Embedding) {
    let tokens = ChunkTokens::of(context, text);
    let embedding = match vectors {
        VectorTiming::Later => Embedding::Pending,
        VectorTiming::Now => match EmbeddedTable::open().embed_tokens(&tokens.all) {
            Some(vector) => Embedding::Vector(vector.into_values()),
            None => Embedding::Blank,
        },
    };
    (tokens.stored(), embedding)
}

fn context(title: &str, heading: &[String], day: Option<jiff::civil::Date>) -> String {
    let mut parts = vec![title.to_owned()];
    parts.extend(heading.iter().filter(|heading| *heading != title).cloned());
    let mut context = parts.join(" › ");
    if let Some(day) = day {
        context.push_str(" · ");
        context.push_str(&date::spoken(day));
    }
    context
}

/// `memory/projects/acme-dashboard.md` is "acme dashboard" to a reader.
fn spoken_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.trim_end_matches(".md").replace(['-', '_'], " ")
}
