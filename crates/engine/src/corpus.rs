//! What a memory does. Every front end is a translation of this type.

use std::path::PathBuf;
use std::sync::Arc;

use mindfile_disk::secret_key::SecretKey;
use mindfile_index::{Backend, Batch, Change, Index};
use mindfile_model::provider::Pace;
use mindfile_model::{Embedder, Error as ModelError};
use mindfile_settings::{Citations, Encryption, Maker, Settings};
use mindfile_trust::forgotten::{Ledger, Matcher};
use mindfile_trust::heard::Heard;
use mindfile_trust::origin::{Judge, JudgeSource, Origins};
use mindfile_trust::policy::Policy;
use mindfile_trust::speaker::{ChatType, Door};
use mindfile_trust::vault::{KeySource, Vault};
use mindfile_workspace::transcripts::Sessions;
use mindfile_workspace::{Extra, LAYOUT, Workspace};

use crate::access::Journal;
use crate::backend::{self, Outages};
use crate::clock::{Beat, Clock};
use crate::error::Error;
use crate::fallback::{self, Fallback};
use crate::follower::Follower;
use crate::lookout::Lookout;
use crate::space::{Space, Spaces};
use crate::viewer::Viewer;

/// A memory, seen from one of its spaces. Everything in it is shared by whoever sees it from another.
#[derive(Clone)]
pub struct Corpus {
    pub(crate) settings: Arc<Settings>,
    pub clock: Arc<dyn Clock>,
    pub pace: Arc<dyn Pace>,
    spaces: Arc<Spaces>,
    seen_from: Seat,
    /// When other engines than the built-in one failed.
    pub outages: Arc<Outages>,
    pub journal: Arc<Journal>,
    pub(crate) door: Door,
    pub(crate) policy: Arc<Policy>,
    /// What journals keep of a text is under this key.
    pub(crate) key: Arc<SecretKey>,
    pub(crate) origins: Arc<Origins>,
    pub(crate) heard: Arc<Heard>,
    pub(crate) ledger: Arc<Ledger>,
    /// The key of private notes.
    pub vault: Arc<Vault>,
    /// Vectors that are asked for behind an answer.
    pub(crate) follower: Arc<Follower>,
    /// What a watch hears of the notes.
    pub lookout: Arc<Lookout>,
}

/// Which of a memory's spaces is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seat {
    First,
    Spare,
}

impl Corpus {
    pub fn new(settings: Settings, clock: Box<dyn Clock>) -> Self {
        let clock: Arc<dyn Clock> = Arc::from(clock);
        let pace = Arc::new(Beat(Arc::clone(&clock)));
        Self::with_pace(settings, clock, pace)
    }

    /// The same where somebody else says how time passes between requests.
    pub fn with_pace(settings: Settings, clock: Arc<dyn Clock>, pace: Arc<dyn Pace>) -> Self {
        let spaces = |outages: &Arc<Outages>| Spaces::of(&settings, outages, &pace);
        Self::assembled(&settings, clock, Arc::clone(&pace), spaces)
    }

    /// A memory whose vectors come from elsewhere.
    pub fn with_embedder(
        settings: Settings,
        clock: Box<dyn Clock>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        let clock: Arc<dyn Clock> = Arc::from(clock);
        let pace = Arc::new(Beat(Arc::clone(&clock)));
        let spaces = |outages: &Arc<Outages>| Spaces {
            first: Space::first(&settings, outages, embedder),
            spare: None,
        };
        Self::assembled(&settings, clock, pace, spaces)
    }

    fn assembled(
        settings: &Settings,
        clock: Arc<dyn Clock>,
        pace: Arc<dyn Pace>,
        spaces: impl FnOnce(&Arc<Outages>) -> Spaces,
    ) -> Self {
        let beside = |end: &str| settings.state_dir.join("memory").join(format!("{}.{end}", settings.agent));
        let key = Arc::new(SecretKey::of(&settings.state_dir));
        let reached = backend::reached(settings, &key);
        let outages = Arc::new(Outages::new(&beside("backends.json"), reached));
        Self {
            clock,
            pace,
            spaces: Arc::new(spaces(&outages)),
            seen_from: Seat::First,
            outages,
            journal: Arc::new(Journal::new(&beside("access.jsonl"))),
            door: Door::default(),
            policy: Arc::new(Policy::new(&settings.policy, &settings.state_dir)),
            key,
            origins: Arc::new(Origins::new(&beside("origins.jsonl"))),
            heard: Arc::new(Heard::new(&beside("heard.jsonl"))),
            ledger: Arc::new(Ledger::new(&beside("forgotten"))),
            vault: Arc::new(vault(&settings.encryption)),
            follower: Arc::default(),
            lookout: Arc::default(),
            settings: Arc::new(settings.clone()),
        }
    }

    /// The same memory, reached through a door: whatever is written has that door's origin.
    #[must_use]
    pub fn through(self, door: Door) -> Self {
        Self { door, ..self }
    }

    /// The same memory, told of changes by a watch that somebody else keeps.
    #[must_use]
    pub fn watched_by(self, lookout: &Arc<Lookout>) -> Self {
        Self { lookout: Arc::clone(lookout), ..self }
    }

    /// The space that it is seen from.
    pub fn space(&self) -> &Space {
        match (self.seen_from, &self.spaces.spare) {
            (Seat::Spare, Some(spare)) => spare,
            (Seat::First, _) | (Seat::Spare, None) => &self.spaces.first,
        }
    }

    /// The same memory, seen from the space of the provider that takes over when the first one fails.
    pub fn spare(&self) -> Option<Self> {
        let is_another = self.seen_from == Seat::First && self.spaces.spare.is_some();
        is_another.then(|| Self { seen_from: Seat::Spare, ..self.clone() })
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

    /// Fails where the settings give this agent no memory.
    pub fn check_on(&self) -> Result<(), Error> {
        match &self.settings.off {
            None => Ok(()),
            Some(off) => Err(Error::Disabled { agent: self.settings.agent.to_string(), off: off.clone() }),
        }
    }

    /// Whether what is found is told with its place in such a conversation.
    pub fn cites(&self, chat: ChatType) -> bool {
        match self.settings.citations {
            Citations::On => true,
            Citations::Off => false,
            Citations::Auto => chat.is_private(),
        }
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

    pub(crate) fn spaces(&self) -> impl Iterator<Item = &Space> {
        std::iter::once(&self.spaces.first).chain(&self.spaces.spare)
    }

    pub fn index(&self) -> Result<Arc<dyn Backend>, Error> {
        self.space().store.index(&*self.clock)
    }

    pub fn notices(&self) -> Vec<String> {
        self.space().store.notices()
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

    /// Whether vectors come from outside the program.
    pub(crate) fn asks_provider(&self) -> bool {
        self.space().embedder.is_some() && !self.is_embedded()
    }

    pub fn is_embedded(&self) -> bool {
        self.provider() == Maker::Embedded.name()
    }

    pub fn provider(&self) -> String {
        self.space()
            .embedder
            .as_ref()
            .map_or_else(|| "none".to_owned(), |embedder| embedder.space().provider.clone())
    }

    pub fn model(&self) -> String {
        self.space().embedder.as_ref().map_or_else(String::new, |embedder| embedder.space().model.clone())
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
            to: self.spare().map(|spare| spare.provider()),
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
