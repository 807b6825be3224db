//! A GGUF file run by llama.cpp. The file is loaded with the first question; texts go through the model one by one,
//! because its cost grows faster than the number of texts in a batch.

use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::{LlamaContextParams, LlamaPoolingType};
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;

use super::family::Family;
use super::local::Local;
use crate::{Embedder, Error, Jobs, Outcome, Role, Sink, Space, Spent, Vector};

/// More than this is not read of a text, whatever the model could: memory grows with it.
const MOST_TOKENS: u32 = 2_048;

pub(super) struct Gguf {
    local: Local,
    space: Space,
    family: Option<&'static Family>,
    /// One at a time: making a context is not safe beside another.
    model: Mutex<Option<LlamaModel>>,
    texts: AtomicU64,
    tokens: AtomicU64,
}

impl Gguf {
    pub(super) fn new(local: &Local) -> Self {
        let family = Family::of(&local.name());
        let space = Space {
            provider: "local".to_owned(),
            model: local.name(),
            endpoint: String::new(),
            dims: 0,
            recipe: family.map_or_else(String::new, |family| format!("prompts of {}", family.name)),
        };
        let model = Mutex::default();
        Self {
            local: local.clone(),
            space,
            family,
            model,
            texts: AtomicU64::new(0),
            tokens: AtomicU64::new(0),
        }
    }

    /// Hands the outcome of each text to `take`, until that has enough.
    fn run(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
        mut take: impl FnMut(usize, Outcome) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let file = self.local.file()?;
        let failed = |what: String| Error::ModelFile { path: file.clone(), what };
        let mut slot = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let model = match &mut *slot {
            Some(model) => model,
            None => slot.insert(load(&file)?),
        };
        let length = model.n_ctx_train().min(MOST_TOKENS);
        let mut context = context(model, length).map_err(failed)?;
        let prefix = self.family.map_or("", |family| family.prefix(role));
        for (at, text) in texts.iter().enumerate() {
            if until.is_some_and(|until| Instant::now() >= until) {
                return Err(Error::Deadline);
            }
            let tokens = model.vocab().tokenize(format!("{prefix}{text}").as_bytes(), true, false);
            let (tokens, kept) = cut(tokens, text, length as usize);
            let vector = pooled(&mut context, &tokens).map_err(failed)?;
            self.texts.fetch_add(1, Ordering::Relaxed);
            self.tokens.fetch_add(tokens.len() as u64, Ordering::Relaxed);
            let outcome = match (Vector::new(vector)?, kept) {
                (vector, Some(kept)) => Outcome::Cut { vector, kept },
                (vector, None) => Outcome::Vector(vector),
            };
            if take(at, outcome) == ControlFlow::Break(()) {
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }
}

impl Embedder for Gguf {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
    ) -> Result<Vec<Option<Vector>>, Error> {
        let mut vectors = Vec::with_capacity(texts.len());
        self.run(role, texts, until, |_, outcome| {
            vectors.push(match outcome {
                Outcome::Vector(vector) | Outcome::Cut { vector, .. } => Some(vector),
                Outcome::Blank | Outcome::Refused(_) => None,
            });
            ControlFlow::Continue(())
        })?;
        Ok(vectors)
    }

    fn embed_each(&self, texts: &[&str], until: Option<Instant>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.run(Role::Document, texts, until, |at, outcome| sink(vec![(at, outcome)]))
    }

    fn estimate(&self, texts: &[&str]) -> Spent {
        let tokens = texts.iter().map(|text| super::tokens::estimate(text) as u64).sum();
        Spent { requests: 0, texts: texts.len() as u64, tokens }
    }

    fn spent(&self) -> Spent {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Spent { requests: 0, texts: of(&self.texts), tokens: of(&self.tokens) }
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        None
    }
}

/// llama.cpp is started once in a process.
fn backend() -> Result<&'static LlamaBackend, String> {
    static BACKEND: OnceLock<Result<LlamaBackend, String>> = OnceLock::new();
    let start = || {
        let mut backend = LlamaBackend::init().map_err(|error| error.to_string())?;
        backend.void_logs();
        Ok(backend)
    };
    BACKEND.get_or_init(start).as_ref().map_err(Clone::clone)
}

fn load(file: &Path) -> Result<LlamaModel, Error> {
    let failed = |what: String| Error::ModelFile { path: file.to_owned(), what };
    let backend = backend().map_err(failed)?;
    let loaded = LlamaModel::load_from_file(backend, file, &LlamaModelParams::default());
    loaded.map_err(|error| failed(format!("it is not a model that can be used: {error}")))
}

fn context(model: &LlamaModel, length: u32) -> Result<LlamaContext<'_>, String> {
    // Threads wait by spinning: one core is left to everybody else.
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
    let threads = i32::try_from(cores).unwrap_or(1);
    let params = LlamaContextParams::default()
        .with_embeddings(true)
        .with_n_ctx(NonZeroU32::new(length))
        .with_n_batch(length)
        .with_n_ubatch(length)
        .with_n_threads(threads)
        .with_n_threads_batch(threads);
    let params =
        if says_how_to_pool(model) { params } else { params.with_pooling_type(LlamaPoolingType::Mean) };
    model.new_context(backend()?, params).map_err(|error| error.to_string())
}

fn says_how_to_pool(model: &LlamaModel) -> bool {
    let architecture = model.meta_val_str("general.architecture").unwrap_or_default();
    model.meta_val_str(&format!("{architecture}.pooling_type")).is_ok()
}

/// At most so many tokens, the last of which ends the text as the model expects it; and how many characters that is.
fn cut(mut tokens: Vec<LlamaToken>, text: &str, most: usize) -> (Vec<LlamaToken>, Option<usize>) {
    let all = tokens.len();
    if all <= most {
        return (tokens, None);
    }
    let last = tokens.last().copied();
    tokens.truncate(most.saturating_sub(1));
    tokens.extend(last);
    (tokens, Some(text.chars().count() * most / all))
}

fn pooled(context: &mut LlamaContext<'_>, tokens: &[LlamaToken]) -> Result<Vec<f32>, String> {
    let mut batch = LlamaBatch::new(tokens.len().max(1), 1);
    batch.add_sequence(tokens, 0, true).map_err(|error| error.to_string())?;
    context.clear_kv_cache();
    context.decode(&mut batch).map_err(|error| error.to_string())?;
    let vector = context.embeddings_seq_ith(0).map_err(|error| error.to_string())?;
    Ok(vector.to_vec())
}
