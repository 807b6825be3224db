//! A state directory with a workspace in it, for the tests that need a whole memory.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use jiff::Timestamp;
use mindfile::clock::Fixed;
use mindfile::config::{self, Env, Flags, Overrides, Settings};
use mindfile::fingerprint::{self, Fingerprint};
use mindfile::reconcile::Report;
use mindfile::{Error, Memory, search};
use mindfile_care::status::{self, Status};
use mindfile_index::{
    Batch, Change, Index, NoteQuery, RowQuery, Shelf, SqliteIndex, StoredChunk, VectorEngine,
};
use mindfile_model::{Embedder, Error as ModelError, Jobs, Outcome, Role, Sink, Space, Spending, Vector};
use tempfile::TempDir;

/// A state directory with a workspace in it, and a clock that stands far ahead of every file's time.
pub(crate) struct World {
    pub(crate) dir: TempDir,
    pub(crate) settings: Settings,
}

impl World {
    pub(crate) fn new(notes: &[(&str, &str)]) -> Self {
        let dir = TempDir::new().unwrap();
        let settings = settings(dir.path());
        fs::create_dir(dir.path().join("workspace")).unwrap();
        let world = Self { dir, settings };
        for (path, text) in notes {
            world.save(path, text.as_bytes());
        }
        world
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn note(&self, path: &str) -> PathBuf {
        self.at("workspace").join(path)
    }

    pub(crate) fn save(&self, path: &str, bytes: &[u8]) {
        put(&self.note(path), bytes);
    }

    pub(crate) fn memory(&self) -> Memory {
        memory(self.settings.clone())
    }

    pub(crate) fn sync(&self) -> Report {
        self.memory().sync(&mut |_| ControlFlow::Continue(())).unwrap()
    }

    /// Begins to make the index again for other settings, and stops.
    pub(crate) fn interrupt_rebuild(&self) {
        let mut other = self.settings.clone();
        other.chunking.tokens = 99;
        memory(other).sync(&mut |_| ControlFlow::Break(())).unwrap_err();
    }

    /// A memory whose vectors come from a provider that may fail.
    pub(crate) fn memory_with(&self, failing: Failing) -> Memory {
        self.memory_of(Provider { failing, ..Provider::default() })
    }

    /// A memory whose provider writes down what it is asked.
    pub(crate) fn memory_asking(&self, asked: &Asked) -> Memory {
        self.memory_of(Provider { asked: asked.clone(), ..Provider::default() })
    }

    pub(crate) fn memory_of(&self, embedder: impl Embedder + 'static) -> Memory {
        Memory::with_embedder(self.settings.clone(), Box::new(clock()), Some(Box::new(embedder)))
    }

    /// A memory whose clock stands at that time.
    pub(crate) fn memory_at(&self, time: Timestamp) -> Memory {
        Memory::new(self.settings.clone(), Box::new(Fixed(time)))
    }

    /// The index itself, beside any memory that has it open.
    pub(crate) fn open_index(&self) -> SqliteIndex {
        SqliteIndex::open(&self.index(), VectorEngine::Scan).unwrap()
    }

    pub(crate) fn sync_with(&self, failing: Failing) -> Result<Report, Error> {
        self.memory_with(failing).sync(&mut |_| ControlFlow::Continue(()))
    }

    pub(crate) fn status(&self) -> Status {
        status::of(&self.memory(), false).unwrap()
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.settings.index_path.clone()
    }

    /// Changes the bytes of the index while nobody has it open.
    pub(crate) fn patch(&self, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(self.index()).unwrap();
        change(&mut bytes);
        put(&self.index(), &bytes);
    }

    pub(crate) fn generation(&self) -> u64 {
        self.open_index().snapshot().unwrap().generation()
    }

    /// What the index says it was made with.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let stored = self.open_index().meta(fingerprint::KEY).unwrap().unwrap();
        Fingerprint::parse(&stored).unwrap()
    }

    pub(crate) fn set_fingerprint(&self, print: &Fingerprint) {
        let change = Change::Meta { key: fingerprint::KEY.to_owned(), value: print.to_json().unwrap() };
        self.open_index().apply(&Batch { changes: vec![change], ..Batch::default() }).unwrap();
    }

    /// Every chunk that the index holds, by place.
    pub(crate) fn chunks(&self) -> Vec<StoredChunk> {
        let index = self.open_index();
        let snapshot = index.snapshot().unwrap();
        let mut docs = Vec::new();
        for note in snapshot.notes(NoteQuery::All).unwrap() {
            let rows = snapshot.rows_of(&note.path, RowQuery::All).unwrap().into_iter().map(|row| row.doc);
            docs.extend(rows.filter(|doc| doc.shelf == Shelf::Chunks));
        }
        snapshot.chunks(&docs).unwrap().iter().map(|chunk| (**chunk).clone()).collect()
    }

    /// Text without the place of the temporary directory.
    pub(crate) fn tidy(&self, text: &str) -> String {
        text.replace(self.dir.path().to_str().unwrap(), "~")
    }

    /// Every file below the directory with its bytes.
    pub(crate) fn tree(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(self.dir.path(), &mut files);
        files
    }

    pub(crate) fn finds(&self, query: &str) -> Vec<String> {
        let request = search::Request { unasked: true, ..search::Request::new(query) };
        let found = self.memory().search(&request, None).unwrap();
        found.answer.hits.into_iter().map(|hit| hit.path).collect()
    }
}

pub(crate) fn settings(state: &Path) -> Settings {
    let flags = Flags { state_dir: Some(state.to_owned()), ..Flags::default() };
    let overrides = Overrides { flags, env: Env::default(), home: None, cwd: state.to_owned() };
    config::load(&overrides).unwrap().settings
}

pub(crate) fn memory(settings: Settings) -> Memory {
    Memory::new(settings, Box::new(clock()))
}

pub(crate) fn remote(settings: Settings, provider: Provider) -> Memory {
    Memory::with_embedder(settings, Box::new(clock()), Some(Box::new(provider)))
}

/// A provider during whose answer something else happens.
pub(crate) struct Meanwhile {
    provider: Provider,
    happens: Box<dyn Fn() + Send + Sync>,
}

impl Meanwhile {
    pub(crate) fn new(happens: impl Fn() + Send + Sync + 'static) -> Self {
        Self { provider: Provider::default(), happens: Box::new(happens) }
    }
}

impl Embedder for Meanwhile {
    fn space(&self) -> &Space {
        self.provider.space()
    }

    fn embed(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
    ) -> Result<Vec<Option<Vector>>, ModelError> {
        self.provider.embed(role, texts, until)
    }

    fn embed_each(
        &self,
        texts: &[&str],
        until: Option<Instant>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        (self.happens)();
        self.provider.embed_each(texts, until, sink)
    }

    fn estimate(&self, texts: &[&str]) -> Spending {
        self.provider.estimate(texts)
    }

    fn spent(&self) -> Spending {
        self.provider.spent()
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}

fn clock() -> Fixed {
    Fixed("2050-07-14T12:00:00Z".parse().unwrap())
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Failing {
    Never,
    /// It answers for the text by which an index knows its space, and then no more.
    Documents,
    Queries,
    Always,
}

/// What a provider was asked to embed, but for questions and the text by which an index knows its space.
#[derive(Clone, Default)]
pub(crate) struct Asked(Arc<Mutex<Vec<String>>>);

impl Asked {
    /// What was asked since the last look, in any order.
    pub(crate) fn take(&self) -> Vec<String> {
        let mut asked = std::mem::take(&mut *self.0.lock().unwrap());
        asked.sort();
        asked
    }
}

/// How many texts the provider takes at once.
const AT_ONCE: usize = 64;

/// Vectors of two dimensions from elsewhere.
pub(crate) struct Provider {
    pub(crate) space: Space,
    pub(crate) failing: Failing,
    pub(crate) asked: Asked,
}

impl Default for Provider {
    fn default() -> Self {
        let (provider, model) = ("remote".to_owned(), "two-dims".to_owned());
        let space = Space {
            provider,
            model,
            endpoint: "https://embed.example".to_owned(),
            dims: 2,
            recipe: String::new(),
        };
        Self { space, failing: Failing::Never, asked: Asked::default() }
    }
}

impl Embedder for Provider {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed(
        &self,
        role: Role,
        texts: &[&str],
        _: Option<Instant>,
    ) -> Result<Vec<Option<Vector>>, ModelError> {
        let canary = texts.iter().all(|text| text.contains("quick brown fox"));
        let fails = match self.failing {
            Failing::Never => false,
            Failing::Documents => !canary,
            Failing::Queries => role == Role::Query,
            Failing::Always => true,
        };
        if fails {
            return Err(ModelError::Zero { dims: 2 });
        }
        if role == Role::Document && !canary {
            self.asked.0.lock().unwrap().extend(texts.iter().map(|&text| text.to_owned()));
        }
        texts.iter().map(|text| Vector::new(vec![1.0, text.len() as f32]).map(Some)).collect()
    }

    fn embed_each(
        &self,
        texts: &[&str],
        until: Option<Instant>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        for (n, some) in texts.chunks(AT_ONCE).enumerate() {
            let answers = self.embed(Role::Document, some, until)?.into_iter().enumerate();
            let answers =
                answers.map(|(at, v)| (n * AT_ONCE + at, v.map_or(Outcome::Blank, Outcome::Vector)));
            if sink(answers.collect()).is_break() {
                return Err(ModelError::Stopped);
            }
        }
        Ok(())
    }

    fn estimate(&self, texts: &[&str]) -> Spending {
        Spending { requests: 1, texts: texts.len() as u64, tokens: texts.len() as u64 }
    }

    fn spent(&self) -> Spending {
        Spending::default()
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}

fn collect(folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
}

pub(crate) fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::File::create(path).unwrap().write_all(bytes).unwrap();
}

/// Where in the header of an SQLite file its owner and its format stand.
pub(crate) const APPLICATION_ID: usize = 68;
pub(crate) const FORMAT: usize = 60;

pub(crate) const NOTES: &[(&str, &str)] = &[
    ("MEMORY.md", "# Memory\n\nThe production database is called heron.\n"),
    ("memory/2050-07-13.md", "Sarah moved the release to Friday.\n"),
    ("memory/garden.md", "# Garden\n\nTomatoes need water twice a day.\n"),
];
