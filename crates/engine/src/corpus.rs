//! What a memory does. Every front end is a translation of this type.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mindfile_disk::secret_key::SecretKey;
use mindfile_index::{Backend, Batch, Change, Index, ReferenceIndex};
use mindfile_model::provider::{self, Pace, local};
use mindfile_model::{EmbeddedModel, Embedder, Error as ModelError};
use mindfile_ranking::recall::Warm;
use mindfile_settings::{BackendName, Encryption, Maker, Settings};
use mindfile_trust::forgotten::{Ledger, Matcher};
use mindfile_trust::origin::{Judge, JudgeSource, Origins};
use mindfile_trust::policy::Policy;
use mindfile_trust::speaker::Door;
use mindfile_trust::vault::{KeySource, Vault};
use mindfile_workspace::transcripts::Sessions;
use mindfile_workspace::{Extra, LAYOUT, Stat, Workspace};

use crate::access::Journal;
use crate::backend::{self, Outages};
use crate::clock::{Beat, Clock};
use crate::error::Error;
use crate::fallback::{self, Fallback};
use crate::store::Store;
use crate::viewer::Viewer;
use crate::wording;

pub struct Corpus {
    pub(crate) settings: Settings,
    pub clock: Arc<dyn Clock>,
    pub pace: Arc<dyn Pace>,
    pub embedder: Option<Box<dyn Embedder>>,
    pub(crate) store: Store,
    /// When other engines than the built-in one failed.
    pub outages: Arc<Outages>,
    pub journal: Journal,
    pub(crate) door: Door,
    pub(crate) policy: Arc<Policy>,
    /// What journals keep of a text is under this key.
    pub(crate) key: Arc<SecretKey>,
    pub(crate) origins: Arc<Origins>,
    pub(crate) ledger: Arc<Ledger>,
    /// The key of private notes.
    pub vault: Arc<Vault>,
    /// Private notes, decrypted.
    pub(crate) private_rows: Mutex<PrivateRows>,
    /// Whether the index has seen every note since this memory was opened.
    pub(crate) caught_up: AtomicBool,
    /// What the index says it was made with, where that was found to fit the settings.
    pub(crate) fitting: Mutex<Option<String>>,
    /// Facts that recalls have loaded.
    pub(crate) warm: Warm,
    /// The same notes in the space of the provider that takes over when the first one fails.
    pub other: Option<Box<Self>>,
    /// When the model was last seen to be the one that the index was made with.
    pub(crate) verified: Mutex<Option<Instant>>,
}

impl Corpus {
    pub fn new(settings: Settings, clock: Box<dyn Clock>) -> Self {
        let clock: Arc<dyn Clock> = Arc::from(clock);
        let pace = Arc::new(Beat(Arc::clone(&clock)));
        Self::with_pace(settings, clock, pace)
    }

    /// The same where somebody else says how time passes between requests.
    pub fn with_pace(settings: Settings, clock: Arc<dyn Clock>, pace: Arc<dyn Pace>) -> Self {
        let other = settings.embedding.fallback.clone().map(|fallback| {
            let mut settings = settings.clone();
            settings.index_path = settings.index_path.with_extension("fallback.sqlite");
            settings.backend = BackendName::Builtin;
            settings.embedding.primary = fallback;
            settings.embedding.fallback = None;
            settings.embedding.jobs.enabled = false;
            Box::new(Self::with_pace(settings, Arc::clone(&clock), Arc::clone(&pace)))
        });
        let embedder = embedder(&settings.embedding.primary, &pace);
        let memory = Self::assembled(settings, clock, pace, embedder);
        let vault = &memory.vault;
        let other = other.map(|other| Box::new(Self { vault: Arc::clone(vault), ..*other }));
        Self { other, ..memory }
    }

    /// A memory whose vectors come from elsewhere.
    pub fn with_embedder(
        settings: Settings,
        clock: Box<dyn Clock>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        let clock: Arc<dyn Clock> = Arc::from(clock);
        let pace = Arc::new(Beat(Arc::clone(&clock)));
        Self::assembled(settings, clock, pace, embedder)
    }

    fn assembled(
        settings: Settings,
        clock: Arc<dyn Clock>,
        pace: Arc<dyn Pace>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        let beside = |end: &str| settings.state_dir.join("memory").join(format!("{}.{end}", settings.agent));
        let journal = Journal::new(&beside("access.jsonl"));
        let (key, origins) = (SecretKey::of(&settings.state_dir), Origins::new(&beside("origins.jsonl")));
        let (key, origins) = (Arc::new(key), Arc::new(origins));
        let outages = Outages::new(&beside("backends.json"), backend::reached(&settings, &key));
        let outages = Arc::new(outages);
        let store = Store::new(&settings, &outages);
        let policy = Arc::new(Policy::new(&settings.policy, &settings.state_dir));
        let ledger = Arc::new(Ledger::new(&beside("forgotten")));
        let caught_up = AtomicBool::new(false);
        let (door, warm, other) = (Door::default(), Warm::default(), None);
        let (verified, fitting) = (Mutex::default(), Mutex::default());
        let vault = Arc::new(vault(&settings.encryption));
        Self {
            settings,
            clock,
            pace,
            embedder,
            store,
            outages,
            journal,
            door,
            policy,
            key,
            origins,
            ledger,
            vault,
            private_rows: Mutex::default(),
            caught_up,
            fitting,
            warm,
            other,
            verified,
        }
    }

    /// The same memory, reached through a door: whatever is written has that door's origin.
    #[must_use]
    pub fn through(mut self, door: Door) -> Self {
        self.other = self.other.map(|other| Box::new(other.through(door)));
        self.door = door;
        self
    }

    pub fn door(&self) -> Door {
        self.door
    }

    /// Whoever came through the memory's door, with nobody reading along.
    pub fn viewer(&self) -> Viewer {
        Viewer::through(self.door)
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Where the transcripts of the agent are.
    pub fn sessions(&self) -> Sessions {
        sessions(&self.settings, Arc::clone(&self.policy))
    }

    /// Where candidates are kept: beside the index, because they can be found again in the transcripts.
    pub fn candidates_path(&self) -> PathBuf {
        self.settings.state_dir.join("memory").join(format!("{}.candidates.jsonl", self.settings.agent))
    }

    pub fn workspace(&self) -> Result<Workspace, Error> {
        let mut extra: Vec<Extra> = self
            .settings
            .extra_paths
            .iter()
            .map(|extra| Extra { path: extra.path.clone(), pattern: extra.pattern.clone() })
            .collect();
        if self.is_plain_folder() {
            extra.push(Extra { path: self.settings.workspace.clone(), pattern: None });
        }
        let workspace = Workspace::open(&self.settings.workspace, &extra)?;
        Ok(workspace.guarded(Arc::clone(&self.policy)).with_vault(Arc::clone(&self.vault)))
    }

    /// A folder that has nothing of a workspace's layout is somebody's notes: all of its Markdown counts.
    pub fn is_plain_folder(&self) -> bool {
        let root = &self.settings.workspace;
        root.is_dir() && !LAYOUT.iter().any(|name| root.join(name).symlink_metadata().is_ok())
    }

    /// What is known of origins now.
    pub(crate) fn judge(&self) -> Result<Judge, Error> {
        Ok(self.bound().judge()?)
    }

    pub fn bound(&self) -> JudgeSource {
        JudgeSource { origins: Arc::clone(&self.origins), key: Arc::clone(&self.key) }
    }

    /// What was forgotten, ready to be looked for.
    pub fn forgotten(&self) -> Result<Arc<Matcher>, Error> {
        Ok(self.ledger.matcher(&self.key)?)
    }

    pub fn index(&self) -> Result<Arc<dyn Backend>, Error> {
        self.store.index(&*self.clock)
    }

    pub fn notices(&self) -> Vec<String> {
        self.store.notices()
    }

    pub(crate) fn apply(&self, index: &dyn Index, changes: Vec<Change>) -> Result<(), Error> {
        self.apply_read(index, changes, None)
    }

    /// The same for what was made of texts that were read at a count of what was forgotten.
    pub(crate) fn apply_read(
        &self,
        index: &dyn Index,
        changes: Vec<Change>,
        read_at: Option<u64>,
    ) -> Result<(), Error> {
        let now_ms = self.clock.now().as_millisecond();
        let agent = self.settings.agent.to_string();
        index.apply(&Batch { changes, model: self.model(), agent, now_ms, only_at: None, read_at })?;
        Ok(())
    }

    pub fn is_embedded(&self) -> bool {
        self.provider() == Maker::Embedded.name()
    }

    pub fn provider(&self) -> String {
        self.embedder.as_ref().map_or_else(|| "none".to_owned(), |embedder| embedder.space().provider.clone())
    }

    pub fn model(&self) -> String {
        self.embedder.as_ref().map_or_else(String::new, |embedder| embedder.space().model.clone())
    }
}

impl Corpus {
    /// What is known of a failure of the provider, if the last attempt was one.
    pub(crate) fn failure(&self) -> Option<Fallback> {
        let index = self.index().ok()?;
        let text = index.snapshot().ok()?.meta(fallback::KEY).ok()??;
        Fallback::parse(&text)
    }

    /// The failure, while it is so recent that the provider is left alone.
    pub(crate) fn resting(&self) -> Option<Fallback> {
        if self.is_embedded() {
            return None;
        }
        let now = self.clock.now().as_millisecond();
        self.failure().filter(|failure| (failure.at_ms..failure.at_ms + fallback::REST_MS).contains(&now))
    }

    /// That the provider cannot be asked, and who takes over.
    pub(crate) fn fallen(&self, reason: String) -> Fallback {
        Fallback {
            from: self.provider(),
            to: self.other.as_ref().map(|other| other.provider()),
            reason,
            at_ms: self.clock.now().as_millisecond(),
        }
    }

    /// Remembers that the provider failed.
    pub(crate) fn fell(&self, error: &ModelError) -> Result<Fallback, Error> {
        let fallback = self.fallen(error.to_string());
        let value = serde_json::to_string(&fallback)
            .map_err(|source| Error::Bug { what: format!("fallback: {source}") })?;
        let index = self.index()?;
        self.apply(&*index, vec![Change::Meta { key: fallback::KEY.to_owned(), value }])?;
        Ok(fallback)
    }

    /// The provider answers: nobody is in its place any more.
    pub(crate) fn recovered(&self) -> Result<(), Error> {
        if self.is_embedded() || self.failure().is_none() {
            return Ok(());
        }
        let index = self.index()?;
        self.apply(&*index, vec![Change::Meta { key: fallback::KEY.to_owned(), value: String::new() }])
    }
}

/// Whoever makes vectors, ready to be asked.
fn embedder(maker: &Maker, pace: &Arc<dyn Pace>) -> Option<Box<dyn Embedder>> {
    match maker {
        Maker::Embedded => Some(Box::new(EmbeddedModel::new())),
        Maker::None => None,
        Maker::Service(service) => Some(provider::open((**service).clone(), Arc::clone(pace))),
        Maker::Local(file) => Some(local::open(file)),
    }
}

/// The vault that the settings name.
fn vault(settings: &Encryption) -> Vault {
    let source = match settings.key_command.clone() {
        Some(words) => KeySource::Command(words),
        None => KeySource::File(settings.key_file.clone()),
    };
    Vault::new(source, settings.passphrase.clone())
}

/// The transcripts of the agent that the settings are of.
pub(crate) fn sessions(settings: &Settings, policy: Arc<Policy>) -> Sessions {
    Sessions::new(&settings.state_dir, settings.agent.as_str(), &settings.workspace, policy)
}

/// What was decrypted so far of private notes.
pub(crate) struct PrivateRows {
    pub(crate) index: ReferenceIndex,
    /// As what each note was seen; none where it is to be read again.
    pub(crate) seen: BTreeMap<String, Option<Stat>>,
    pub(crate) closed: Option<Closed>,
}

impl Default for PrivateRows {
    fn default() -> Self {
        Self { index: ReferenceIndex::apart(), seen: BTreeMap::new(), closed: None }
    }
}

/// Private notes that could not be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    pub notes: usize,
    pub why: String,
}

impl Closed {
    /// `private: 3 notes stay closed: the key … is locked with a passphrase`
    pub fn words(&self) -> String {
        let notes = wording::count(self.notes as u64, "note");
        let verb = if self.notes == 1 { "stays" } else { "stay" };
        format!("private: {notes} {verb} closed: {}", self.why)
    }
}
