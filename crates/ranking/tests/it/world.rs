//! Notes, the settings by which they are searched, and a day far ahead of all of them.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use jiff::Timestamp;
use jiff::civil::{Date, date};
use mindfile_index::{
    Batch, Change, Embedding, FactFields, FileStat, Index, NewChunk, NewFact, NewNote, Origin,
    ReferenceIndex, Source, StoredNote, stored_tokens,
};
use mindfile_model::{EmbeddedModel, EmbeddedTable, Embedder, Role, Vector};
use mindfile_note::chunk::{self, Chunk, Chunking, PlacedFact};
use mindfile_note::date::{day_number, of_path, spoken};
use mindfile_note::fact::DEFAULT_SALIENCE;
use mindfile_note::hash::Digest;
use mindfile_note::segment::segments;
use mindfile_ranking::Error;
use mindfile_ranking::fact::Uses;
use mindfile_ranking::recall::{self, Indexed, Recollection, Shelves, Space};
use mindfile_ranking::search::{self, Answer, Mode, Place, Plan, Request};
use mindfile_settings::{Env, Flags, Overrides, Settings};

pub(crate) struct World {
    notes: BTreeMap<String, String>,
    pub(crate) settings: Settings,
    /// Made of the notes when they are first searched.
    index: OnceCell<ReferenceIndex>,
}

/// What a search came to.
pub(crate) struct Response {
    pub(crate) plan: Plan,
    pub(crate) answer: Answer,
}

impl World {
    pub(crate) fn new(notes: &[(&str, &str)]) -> Self {
        let mut world = Self { notes: BTreeMap::new(), settings: settings(), index: OnceCell::new() };
        for (path, text) in notes {
            world.save(path, text.as_bytes());
        }
        world
    }

    pub(crate) fn save(&mut self, path: &str, bytes: &[u8]) {
        self.notes.insert(path.to_owned(), String::from_utf8(bytes.to_vec()).unwrap());
        self.index.take();
    }

    /// As a memory asks, where the vectors are those of the embedded table.
    pub(crate) fn search(&self, request: &Request, why_not: Option<&Place>) -> Result<Response, Error> {
        let today = date(2050, 7, 14);
        let mut plan = search::plan(request, &self.settings, true, today)?;
        let asks = plan.mode != Mode::Keyword;
        let vector = asks.then(|| EmbeddedModel::new().embed(Role::Query, &[&plan.text], None).unwrap());
        let vector = vector.and_then(|vectors| vectors.into_iter().flatten().next()).map(Vector::into_values);
        if vector.is_none() && plan.mode == Mode::Hybrid {
            let by_words = Request { mode: Some(Mode::Keyword), ..request.clone() };
            let by_words = search::plan(&by_words, &self.settings, true, today)?;
            plan = Plan { asked: plan.asked, ..by_words };
        }
        let answer = search::answer(&*self.index().snapshot()?, &plan, vector.as_deref(), why_not)?;
        Ok(Response { plan, answer })
    }

    pub(crate) fn ask(&self, request: &Request) -> Response {
        self.search(request, None).unwrap()
    }

    /// What is sure enough to be given unasked.
    pub(crate) fn answer(&self, query: &str) -> Answer {
        self.ask(&Request { unasked: true, ..Request::new(query) }).answer
    }

    pub(crate) fn finds(&self, query: &str) -> Vec<String> {
        self.answer(query).hits.into_iter().map(|hit| hit.path).collect()
    }

    pub(crate) fn refuses(&self, request: &Request) -> Error {
        self.search(request, None).err().unwrap()
    }

    /// The text of some lines of a note.
    pub(crate) fn lines(&self, path: &str, from: u32, to: u32) -> String {
        let lines = self.notes[path].split_inclusive('\n').skip(from as usize - 1);
        lines.take((to + 1 - from) as usize).collect()
    }

    /// As a memory recalls at noon of a day, the facts used as told.
    pub(crate) fn recall(
        &self,
        request: &recall::Request,
        today: Date,
        uses: &Uses,
    ) -> Result<Recollection, Error> {
        let now: Timestamp = format!("{today}T12:00:00Z").parse().unwrap();
        let plan = recall::plan(request, now, today)?;
        let table = EmbeddedTable::open();
        let query = table.embed_tokens(&table.tokens(&plan.text)).map(Vector::into_values);
        let snapshot = self.index().snapshot()?;
        let mut kept = Shelves::default();
        let shelves = RefCell::new(&mut kept);
        let (space, untrusted) = (Space::Own, request.untrusted);
        recall::answer(
            &Indexed { snapshot: &*snapshot, uses, space, untrusted, shelves },
            &plan,
            query.as_deref(),
        )
    }

    pub(crate) fn index(&self) -> &ReferenceIndex {
        self.index.get_or_init(|| self.indexed())
    }

    fn indexed(&self) -> ReferenceIndex {
        let index = ReferenceIndex::default();
        let note = |(path, text): (&String, &String)| Change::Put(note(path, text, &self.settings.chunking));
        let changes = self.notes.iter().map(note).collect();
        index.apply(&Batch { changes, ..Batch::default() }).unwrap();
        index
    }
}

fn settings() -> Settings {
    let folder = Path::new("/nowhere").to_owned();
    let flags = Flags { state_dir: Some(folder.clone()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: folder };
    mindfile_settings::load(&overrides).unwrap().settings
}

fn note(path: &str, text: &str, chunking: &Chunking) -> NewNote {
    let read = chunk::read(text, chunking);
    let day = of_path(path);
    let title = read
        .title
        .unwrap_or_else(|| path.rsplit('/').next().unwrap().trim_end_matches(".md").replace(['-', '_'], " "));
    let note = StoredNote {
        path: path.to_owned(),
        source: Source::Memory,
        hash: Digest::of(text.as_bytes()),
        stat: FileStat::default(),
        racy: false,
    };
    let chunks = read.chunks.into_iter().map(|chunk| new_chunk(chunk, &title, day)).collect();
    let facts = chunk::facts(text).iter().map(|fact| new_fact(fact, path)).collect();
    NewNote { note, day: day.map(day_number), chunks, facts, aliases: Vec::new() }
}

/// A fact of a page from outside is not trusted.
fn new_fact(placed: &PlacedFact<'_>, path: &str) -> NewFact {
    let fact = &placed.fact;
    let entities: Vec<String> = fact.entities().map(str::to_owned).collect();
    let key = fact.key().map(std::borrow::Cow::into_owned);
    let context = [entities.join(" "), key.clone().unwrap_or_default()].join(" ");
    let (text, hash) = (fact.text().to_owned(), Digest::of(placed.text.as_bytes()));
    let table = EmbeddedTable::open();
    let parts = [table.tokens(&context), table.tokens(&text)];
    let numbers = parts.each_ref().map(|part| part.iter().map(|token| token.get()).collect::<Vec<u16>>());
    let embedding = table.embed_tokens(&parts.concat());
    let chunk = NewChunk {
        start_line: placed.line,
        end_line: placed.line,
        context,
        text,
        hash,
        tokens: stored_tokens::joined(&numbers[0], std::iter::once(numbers[1].as_slice())),
        embedding: embedding.map_or(Embedding::Blank, |vector| Embedding::Vector(vector.into_values())),
        origin: if path.contains("outside") { Origin::Untrusted } else { Origin::Owner },
        terms: OnceLock::new(),
    };
    let fields = FactFields {
        id: fact.id_or_derived().into_owned(),
        kind: fact.kind(),
        salience: fact.salience().map_or(DEFAULT_SALIENCE, |s| s as f32),
        confidence: fact.confidence().map(|c| c as f32),
        key,
        entities,
        line: placed.text.to_owned(),
    };
    NewFact { chunk, fields }
}

fn new_chunk(chunk: Chunk, title: &str, day: Option<Date>) -> NewChunk {
    let above = chunk.heading.iter().map(String::as_str).filter(|heading| *heading != title);
    let mut context = std::iter::once(title).chain(above).collect::<Vec<_>>().join(" › ");
    context.extend(day.map(|day| format!(" · {}", spoken(day))));
    let table = EmbeddedTable::open();
    let parts = segments(&chunk.text).into_iter().map(|segment| table.tokens(&chunk.text[segment.range]));
    let parts: Vec<_> = std::iter::once(table.tokens(&context)).chain(parts).collect();
    let numbers: Vec<Vec<u16>> =
        parts.iter().map(|part| part.iter().map(|token| token.get()).collect()).collect();
    let vector = table.embed_tokens(&parts.concat());
    NewChunk {
        start_line: chunk.lines.start,
        end_line: chunk.lines.end,
        context,
        hash: chunk.hash,
        text: chunk.text,
        tokens: stored_tokens::joined(&numbers[0], numbers[1..].iter().map(Vec::as_slice)),
        embedding: vector.map_or(Embedding::Blank, |vector| Embedding::Vector(vector.into_values())),
        origin: Origin::Owner,
        terms: OnceLock::new(),
    }
}

pub(crate) const NOTES: &[(&str, &str)] = &[
    ("MEMORY.md", "# Memory\n\nThe production database is called heron.\n"),
    ("memory/2050-07-13.md", "Sarah moved the release to Friday.\n"),
    ("memory/garden.md", "# Garden\n\nTomatoes need water twice a day.\n"),
];
