//! What a memory does. Every front end is a translation of this type.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use mindfile_index::{Backend, Batch, Change, Index, Source};
use mindfile_model::provider::{self, Pace, local};
use mindfile_model::{EmbeddedModel, Embedder, Role};

use crate::access::Journal;
use crate::audit::What;
use crate::backend::{self, Outage, Outages};
use crate::clock::{self, Beat, Clock};
use crate::config::{BackendName, Maker, Settings};
use crate::error::Error;
use crate::fallback::{self, Fallback};
use crate::fit;
use crate::forget::{Ledger, Matcher};
use crate::ingest::{self, Budget, Scope};
use crate::origin::{Bound, Door, Judge, Origins};
use crate::policy::Policy;
use crate::private::{self, PrivateRows, Vault};
use crate::qmd::Came;
use crate::recall::Warm;
use crate::report::Report;
use crate::search::{self, Answer, Hit, Mode, Place, Plan, Request};
use crate::secret_key::SecretKey;
use crate::session::{self, ChatType, Sessions};
use crate::store::Store;
use crate::view::Freshness;
use crate::viewer::Viewer;
use crate::workspace::{self, Extra, Workspace};

/// The name of the engine that is always there.
const BUILTIN: &str = "builtin";

pub struct Corpus {
    pub(crate) settings: Settings,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) pace: Arc<dyn Pace>,
    pub(crate) embedder: Option<Box<dyn Embedder>>,
    pub(crate) store: Store,
    /// When other engines than the built-in one failed.
    pub(crate) outages: Arc<Outages>,
    pub(crate) journal: Journal,
    pub(crate) door: Door,
    pub(crate) policy: Arc<Policy>,
    /// What journals keep of a text is under this key.
    pub(crate) key: Arc<SecretKey>,
    pub(crate) origins: Arc<Origins>,
    pub(crate) ledger: Arc<Ledger>,
    /// The key of private notes.
    pub(crate) vault: Arc<Vault>,
    /// Private notes, decrypted.
    pub(crate) private_rows: Mutex<PrivateRows>,
    /// Whether the index has seen every note since this memory was opened.
    pub(crate) caught_up: AtomicBool,
    /// What the index says it was made with, where that was found to fit the settings.
    pub(crate) fitting: Mutex<Option<String>>,
    /// Facts that recalls have loaded.
    pub(crate) warm: Warm,
    /// The same notes in the space of the provider that takes over when the first one fails.
    pub(crate) other: Option<Box<Self>>,
    /// When the model was last seen to be the one that the index was made with.
    pub(crate) verified: Mutex<Option<Instant>>,
}

/// What a search answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub plan: Plan,
    pub answer: Answer,
    pub mode: Mode,
    /// The engine that answered.
    pub backend: &'static str,
    pub provider: String,
    pub model: String,
    /// Who answered in place of the provider that was asked for, and why.
    pub fallback: Option<Fallback>,
    /// What could not be consulted, and why.
    pub degraded: Vec<String>,
    /// Why the answer may be older than the notes.
    pub stale: Option<String>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

impl Response {
    /// The same as an answer in the place of an engine that fails. Who stood in for a provider is said as well.
    fn instead_of(mut self, outage: &Outage) -> Self {
        let instead = outage.fallback(self.backend);
        self.notices.extend(self.fallback.replace(instead).map(|fallback| fallback.words()));
        self
    }
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
        let vault = Arc::new(private::vault(&settings.encryption));
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

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Where the transcripts of the agent are.
    pub fn sessions(&self) -> Sessions {
        session::sessions(&self.settings, Arc::clone(&self.policy))
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
        root.is_dir() && !workspace::LAYOUT.iter().any(|name| root.join(name).symlink_metadata().is_ok())
    }

    /// What is known of origins now.
    pub(crate) fn judge(&self) -> Result<Judge, Error> {
        Ok(self.bound().judge()?)
    }

    pub(crate) fn bound(&self) -> Bound {
        Bound { origins: Arc::clone(&self.origins), key: Arc::clone(&self.key) }
    }

    /// What was forgotten, ready to be looked for.
    pub(crate) fn forgotten(&self) -> Result<Arc<Matcher>, Error> {
        Ok(self.ledger.matcher(&self.key)?)
    }

    pub(crate) fn index(&self) -> Result<Arc<dyn Backend>, Error> {
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

    pub(crate) fn is_embedded(&self) -> bool {
        self.provider() == Maker::Embedded.name()
    }

    pub fn provider(&self) -> String {
        self.embedder.as_ref().map_or_else(|| "none".to_owned(), |embedder| embedder.space().provider.clone())
    }

    pub fn model(&self) -> String {
        self.embedder.as_ref().map_or_else(String::new, |embedder| embedder.space().model.clone())
    }

    /// Hybrid search over the notes as they are now.
    pub fn search(&self, request: &Request, why_not: Option<&Place>) -> Result<Response, Error> {
        self.search_in(Notes::AsNow, request, why_not)
    }

    /// Where the engine is lost on the way, everything is asked again of the one in its place: no answer is of both.
    pub(crate) fn search_in(
        &self,
        notes: Notes,
        request: &Request,
        why_not: Option<&Place>,
    ) -> Result<Response, Error> {
        match self.search_once(notes, request, why_not) {
            Err(Error::Index(error)) if error.is_outage() => self.search_once(Notes::AsNow, request, why_not),
            came => came,
        }
    }

    fn search_once(
        &self,
        notes: Notes,
        request: &Request,
        why_not: Option<&Place>,
    ) -> Result<Response, Error> {
        if !self.settings.enabled {
            return Err(Error::Disabled { agent: self.settings.agent.to_string() });
        }
        let request = &self.put(request);
        let today = clock::day_of(self.clock.now());
        let plan = search::plan(request, &self.settings, today)?;
        // Why a line is missing is a question about the index, and a hook has no time to start another program.
        let own = self.settings.backend != BackendName::Qmd;
        if own || why_not.is_some() || notes == Notes::AsIndexed {
            return self.search_index(notes, request, why_not, plan);
        }
        match self.search_qmd(request, plan.clone())? {
            Came::Answer(response) => Ok(*response),
            Came::Instead(outage) => {
                let response = self.search_index(notes, request, why_not, plan)?;
                Ok(response.instead_of(&outage))
            }
        }
    }

    /// A question as it may be asked: without what must not be said, and in the widest chat that it comes from.
    fn put(&self, request: &Request) -> Request {
        let by_key = request.session_key.as_deref().map_or(request.chat, ChatType::of_key);
        Request {
            query: self.policy.question(&request.query).into_owned(),
            chat: request.chat.or_wider(by_key),
            ..request.clone()
        }
    }

    /// The answer of the index itself.
    fn search_index(
        &self,
        notes: Notes,
        request: &Request,
        why_not: Option<&Place>,
        mut plan: Plan,
    ) -> Result<Response, Error> {
        let today = clock::day_of(self.clock.now());
        let mut degraded = Vec::new();
        let failed = self.resting().filter(|_| plan.mode != Mode::Keyword);
        if let (Some(failed), Some(other)) = (&failed, &self.other) {
            return other.search_instead(failed.clone(), request, why_not);
        }
        let mut failed = failed.map(|failed| failed.reason);
        let ingested = match notes {
            Notes::AsNow => {
                let budget = Budget::Question { resting: failed.as_deref() };
                ingest::run(self, Scope::All, budget)?
            }
            Notes::AsIndexed => Report::default(),
        };
        degraded.extend(ingested.unembedded);
        failed = ingested.provider_down.or(failed);
        let stale = ingested.stale;
        self.admit(&mut plan, &mut degraded)?;
        let vector = match self.query_vector(&plan, failed, &mut degraded)? {
            Asked::Vector(vector) => vector,
            Asked::Failed(fallback) => match &self.other {
                Some(other) => return other.search_instead(fallback, request, why_not),
                None => None,
            },
        };
        if vector.is_none() && plan.mode == Mode::Hybrid {
            let by_words = Request { mode: Some(Mode::Keyword), ..request.clone() };
            let filter = std::mem::take(&mut plan.filter);
            plan = Plan { filter, asked: plan.asked, ..search::plan(&by_words, &self.settings, today)? };
        }
        let viewer = Viewer { door: self.door, chat: request.chat, for_model: request.for_model };
        if let Some(place) = why_not {
            self.check_chat(viewer, &place.path)?;
        }
        let mut answer = match self.answer(&plan, vector.as_deref(), why_not, viewer) {
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                self.store.discard(&error, &*self.clock)?;
                ingest::run(self, Scope::All, Budget::Unlimited)?;
                self.answer(&plan, vector.as_deref(), why_not, viewer)
            }
            other => other,
        }?;
        session::memory::name_speakers(self, &mut answer.hits, &mut degraded);
        self.hand_out(&mut answer.hits)?;
        degraded.extend(self.closed_to(viewer));
        let mode = plan.mode;
        let backend = match self.settings.backend {
            BackendName::Qmd => BackendName::Builtin,
            own @ (BackendName::Builtin
            | BackendName::Sqlite
            | BackendName::Postgres
            | BackendName::LanceDb) => own,
        };
        Ok(Response {
            plan,
            answer,
            mode,
            backend: backend.as_str(),
            provider: self.provider(),
            model: self.model(),
            fallback: self.store.instead().map(|outage| outage.fallback(BUILTIN)),
            degraded,
            stale,
            notices: self.notices(),
        })
    }

    /// Writes down who sees what, and wraps what nobody trusts.
    pub(crate) fn hand_out(&self, hits: &mut [Hit]) -> Result<(), Error> {
        for hit in &*hits {
            let what = if hit.source == Source::Sessions { What::Session } else { What::Note };
            self.audit_seen(what, &hit.citation(), &hit.snippet);
        }
        for hit in hits.iter_mut().filter(|hit| !hit.origin.is_trusted()) {
            hit.snippet = self.enveloped(&hit.snippet)?;
        }
        Ok(())
    }

    /// The answer of the memory that takes over.
    fn search_instead(
        &self,
        fallback: Fallback,
        request: &Request,
        why_not: Option<&Place>,
    ) -> Result<Response, Error> {
        let response = self.search(request, why_not)?;
        Ok(Response { fallback: Some(fallback), ..response })
    }

    /// Which transcripts a query may see: those of this agent, as they are now. An index without any needs no filter.
    fn admit(&self, plan: &mut Plan, degraded: &mut Vec<String>) -> Result<(), Error> {
        let index = self.index()?;
        if plan.filter.source != Some(Source::Memory) {
            if let Err(error) = ingest::run(self, Scope::Sessions, Budget::Unlimited) {
                degraded.push(format!("sessions: {error}"));
            }
            let owner = index.meta(session::index::OWNER)?;
            if owner.is_some_and(|owner| *owner != *self.settings.agent.as_str()) {
                plan.filter.source = Some(Source::Memory);
            }
        } else if index.meta(session::index::OWNER)?.is_none() {
            plan.filter.source = None;
        }
        Ok(())
    }

    fn answer(
        &self,
        plan: &Plan,
        vector: Option<&[f32]>,
        why_not: Option<&Place>,
        viewer: Viewer,
    ) -> Result<Answer, Error> {
        let view = self.view(viewer, Freshness::AsIndexed)?;
        let snapshot = view.snapshot_until(Instant::now() + self.settings.query.deadline)?;
        search::answer(&*snapshot, plan, vector, why_not)
    }

    /// The vector of the question, unless words were chosen or nobody could be asked. `failed` says why nobody is asked.
    fn query_vector(
        &self,
        plan: &Plan,
        failed: Option<String>,
        degraded: &mut Vec<String>,
    ) -> Result<Asked, Error> {
        let Some(embedder) = self.embedder.as_deref() else {
            // Words were chosen; only who asks for meaning misses something.
            if plan.mode == Mode::Vector {
                say(degraded, "there is no embedding provider");
            }
            return Ok(Asked::Vector(None));
        };
        if plan.mode == Mode::Keyword {
            return Ok(Asked::Vector(None));
        }
        self.ask_vector(embedder, &plan.text, failed, degraded)
    }

    /// The vector of a question, or why there is none.
    pub(crate) fn ask_vector(
        &self,
        embedder: &dyn Embedder,
        text: &str,
        failed: Option<String>,
        degraded: &mut Vec<String>,
    ) -> Result<Asked, Error> {
        if let Some(why) = self.index()?.without_meaning() {
            say(degraded, &why);
            return Ok(Asked::Vector(None));
        }
        let foreign =
            || self.other_model().map(|other| format!("the index has vectors of another model, {other}"));
        if let Some(why) = failed.or_else(foreign) {
            say(degraded, &why);
            return Ok(Asked::Failed(self.fallen(why)));
        }
        let until = (!self.is_embedded()).then(|| self.pace.now() + self.settings.query.embed_deadline);
        match embedder.embed(Role::Query, &[text], until) {
            Ok(vectors) => {
                self.recovered()?;
                let vector = vectors.into_iter().flatten().next();
                Ok(Asked::Vector(vector.map(mindfile_model::Vector::into_values)))
            }
            Err(error) => {
                say(degraded, &error.to_string());
                let remembered = self.other.is_some() || fallback::is_down(&error);
                let fallback = if remembered { self.fell(&error)? } else { self.fallen(error.to_string()) };
                Ok(Asked::Failed(fallback))
            }
        }
    }

    /// Whose vectors the index has, if they cannot be compared with the query's. Trouble is left to the search itself.
    pub(crate) fn other_model(&self) -> Option<String> {
        let space = self.embedder.as_ref()?.space();
        let known = fit::known(self).ok()??;
        let of = |provider: &str, model: &str, endpoint: &str| format!("{provider} {model} {endpoint}");
        let other = of(&known.provider, &known.model, &known.endpoint);
        (other != of(&space.provider, &space.model, &space.endpoint)).then(|| other.trim_end().to_owned())
    }
}

/// Which notes a question is asked of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notes {
    /// The index is brought up to date first.
    AsNow,
    /// The caller has just done so.
    AsIndexed,
}

/// What came of asking for a question's vector.
pub(crate) enum Asked {
    Vector(Option<Vec<f32>>),
    Failed(Fallback),
}

fn say(degraded: &mut Vec<String>, why: &str) {
    let why = format!("meaning: {why}");
    if !degraded.contains(&why) {
        degraded.push(why);
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
