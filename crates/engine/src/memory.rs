//! What a memory does. Every front end is a translation of this type.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use mindfile_index::{Index, SqliteIndex, VectorEngine};
use mindfile_model::{EmbeddedModel, Embedder, Role};

use crate::clock::{self, Clock};
use crate::config::{Engine, Provider, Settings};
use crate::error::Error;
use crate::search::{self, Answer, Mode, Place, Plan, Request};
use crate::store::Store;
use crate::workspace::{self, Extra, Lines, Workspace};

pub struct Memory {
    pub(crate) settings: Settings,
    pub(crate) clock: Box<dyn Clock>,
    pub(crate) embedder: Option<Box<dyn Embedder>>,
    pub(crate) store: Store,
}

/// What a search answers with.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    pub plan: Plan,
    pub answer: Answer,
    pub mode: Mode,
    pub provider: String,
    pub model: String,
    /// What could not be consulted, and why.
    pub degraded: Vec<String>,
    /// Why the answer may be older than the notes.
    pub stale: Option<String>,
    /// What happened on the way that a person should know.
    pub notices: Vec<String>,
}

impl Memory {
    pub fn new(settings: Settings, clock: Box<dyn Clock>) -> Self {
        let embedder: Option<Box<dyn Embedder>> = match settings.provider {
            Provider::Embedded => Some(Box::new(EmbeddedModel::new())),
            Provider::None => None,
        };
        Self::with_embedder(settings, clock, embedder)
    }

    /// A memory whose vectors come from elsewhere.
    pub fn with_embedder(
        settings: Settings,
        clock: Box<dyn Clock>,
        embedder: Option<Box<dyn Embedder>>,
    ) -> Self {
        let engine = match settings.vector.engine {
            Engine::Scan => VectorEngine::Scan,
            Engine::SqliteVec => VectorEngine::SqliteVec,
        };
        let store = Store::new(&settings.index_path, engine);
        Self { settings, clock, embedder, store }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn clock(&self) -> &dyn Clock {
        &*self.clock
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
        Ok(Workspace::open(&self.settings.workspace, &extra)?)
    }

    /// A folder that has nothing of a workspace's layout is somebody's notes: all of its Markdown counts.
    pub fn is_plain_folder(&self) -> bool {
        let root = &self.settings.workspace;
        root.is_dir() && !workspace::LAYOUT.iter().any(|name| root.join(name).symlink_metadata().is_ok())
    }

    /// Exact lines of a memory file.
    pub fn get(&self, path: &str, from: u32, lines: Option<u32>) -> Result<Lines, Error> {
        let workspace = self.workspace()?;
        let path = workspace.is_memory_path(path)?;
        Ok(workspace.lines(&path, from, lines)?)
    }

    pub(crate) fn index(&self) -> Result<Arc<SqliteIndex>, Error> {
        self.store.index(&*self.clock)
    }

    pub fn notices(&self) -> Vec<String> {
        self.store.notices()
    }

    pub(crate) fn is_embedded(&self) -> bool {
        self.provider() == Provider::Embedded.as_str()
    }

    pub fn provider(&self) -> String {
        self.embedder.as_ref().map_or_else(|| "none".to_owned(), |embedder| embedder.space().provider.clone())
    }

    pub fn model(&self) -> String {
        self.embedder.as_ref().map_or_else(String::new, |embedder| embedder.space().model.clone())
    }

    /// Hybrid search over the notes as they are now.
    pub fn search(&self, request: &Request, why_not: Option<&Place>) -> Result<Response, Error> {
        if !self.settings.enabled {
            return Err(Error::Disabled { agent: self.settings.agent.to_string() });
        }
        let today = clock::day_of(self.clock.now());
        let mut plan = search::plan(request, &self.settings, today)?;
        let mut degraded = Vec::new();
        let stale = self.freshen(&mut degraded)?;
        let vector = self.query_vector(&plan, &mut degraded);
        if vector.is_none() && plan.mode == Mode::Hybrid {
            let by_words = Request { mode: Some(Mode::Keyword), ..request.clone() };
            plan = search::plan(&by_words, &self.settings, today)?;
        }
        let answer = match self.answer(&plan, vector.as_deref(), why_not) {
            Err(Error::Index(error)) if error.is_mended_by_rebuild() => {
                self.store.discard(&error, &*self.clock)?;
                self.sync(&mut |_| ControlFlow::Continue(()))?;
                self.answer(&plan, vector.as_deref(), why_not)
            }
            other => other,
        }?;
        let mode = plan.mode;
        Ok(Response {
            plan,
            answer,
            mode,
            provider: self.provider(),
            model: self.model(),
            degraded,
            stale,
            notices: self.notices(),
        })
    }

    fn answer(&self, plan: &Plan, vector: Option<&[f32]>, why_not: Option<&Place>) -> Result<Answer, Error> {
        let index = self.index()?;
        let snapshot = index.snapshot_until(Instant::now() + self.settings.query.deadline)?;
        search::answer(&*snapshot, plan, vector, why_not)
    }

    fn query_vector(&self, plan: &Plan, degraded: &mut Vec<String>) -> Option<Vec<f32>> {
        if plan.mode == Mode::Keyword {
            return None;
        }
        let vector = match (self.embedder.as_deref(), self.other_model()) {
            // Words were chosen; only who asks for meaning misses something.
            (None, _) if plan.mode == Mode::Hybrid => return None,
            (None, _) => Err("there is no embedding provider".to_owned()),
            (Some(_), Some(other)) => Err(format!("the index has vectors of another model, {other}")),
            (Some(embedder), None) => {
                embedder.embed(Role::Query, &[&plan.text], None).map_err(|error| error.to_string())
            }
        };
        match vector {
            Ok(vectors) => vectors.into_iter().flatten().next().map(mindfile_model::Vector::into_values),
            Err(why) => {
                let why = format!("meaning: {why}");
                if !degraded.contains(&why) {
                    degraded.push(why);
                }
                None
            }
        }
    }

    /// Whose vectors the index has, if they cannot be compared with the query's. Trouble is left to the search itself.
    fn other_model(&self) -> Option<String> {
        let space = self.embedder.as_ref()?.space();
        let known = self.known().ok()??;
        let of = |provider: &str, model: &str, endpoint: &str| format!("{provider} {model} {endpoint}");
        let other = of(&known.provider, &known.model, &known.endpoint);
        (other != of(&space.provider, &space.model, &space.endpoint)).then(|| other.trim_end().to_owned())
    }
}
