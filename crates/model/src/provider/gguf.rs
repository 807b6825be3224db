//! A GGUF file run by llama.cpp. The file is loaded with the first question. Short texts go through the model together, so
//! that a step is worth its overhead, but not too many, because the cost of a step grows faster than the tokens in it.

use std::fs::File;
use std::io::Read;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use llama_cpp_2::context::LlamaContext;
use llama_cpp_2::context::params::{LlamaContextParams, LlamaPoolingType};
use llama_cpp_2::llama_backend::LlamaBackend;
use llama_cpp_2::llama_batch::LlamaBatch;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::model::params::LlamaModelParams;
use llama_cpp_2::token::LlamaToken;

use super::download::HostedModel;
use super::family::Family;
use super::local::Local;
use crate::{Embedder, Error, Jobs, Outcome, Role, Sink, Space, Spending, Vector};

/// The most that is read of a text, whatever the model could read: memory grows with it.
const MOST_TOKENS: u32 = 2_048;
/// The most tokens and the most texts of one step.
const TOGETHER: usize = 256;
const MOST_TOGETHER: usize = 32;

pub(super) struct Gguf {
    local: Local,
    space: Space,
    family: Option<&'static Family>,
    /// Held while it is loaded, not while it runs: a question does not wait for the documents of an index.
    model: Mutex<Option<Arc<LlamaModel>>>,
    texts: AtomicU64,
    tokens: AtomicU64,
}

impl Gguf {
    pub(super) fn new(local: &Local) -> Self {
        let family = Family::of(&local.name());
        let space = Space {
            provider: "local".to_owned(),
            model: local.name(),
            recipe: family.map_or_else(String::new, |family| format!("prompts of {}", family.name)),
            ..Space::default()
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

    /// Hands the outcomes of the texts to `sink`, those of one step together, until that has enough.
    fn run(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        let file = self.file(until)?;
        let failed = |what: String| Error::ModelFile { path: file.clone(), what };
        let model = &*self.model(&file)?;
        let length = model.n_ctx_train().min(MOST_TOKENS);
        let mut context = context(model, length).map_err(failed)?;
        let given: Vec<TokenizedText> =
            (0..).zip(texts).map(|(at, text)| self.given(model, role, text, at, length as usize)).collect();
        for step in steps(&given) {
            if until.is_some_and(|until| Instant::now() >= until) {
                return Err(Error::Deadline);
            }
            let vectors = pooled(&mut context, step).map_err(failed)?;
            if sink(self.outcomes(step, vectors)?) == ControlFlow::Break(()) {
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    /// A caller with a deadline does not wait for a download.
    fn file(&self, until: Option<Instant>) -> Result<PathBuf, Error> {
        match HostedModel::parse(&self.local.model)? {
            Some(_) if until.is_some() && !self.local.is_there() => {
                Err(Error::NotFetched { uri: self.local.model.clone() })
            }
            Some(_) | None => self.local.file(),
        }
    }

    fn model(&self, file: &Path) -> Result<Arc<LlamaModel>, Error> {
        let mut slot = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let model = match &*slot {
            Some(model) => model,
            None => slot.insert(Arc::new(load(file)?)),
        };
        Ok(Arc::clone(model))
    }

    fn given(&self, model: &LlamaModel, role: Role, text: &str, at: usize, most: usize) -> TokenizedText {
        let prefix = self.family.map_or("", |family| family.prefix(role));
        let tokens = model.vocab().tokenize(format!("{prefix}{text}").as_bytes(), true, false);
        let (tokens, kept) = cut(tokens, text, most);
        TokenizedText { at, tokens, kept }
    }

    fn outcomes(
        &self,
        step: &[TokenizedText],
        vectors: Vec<Vec<f32>>,
    ) -> Result<Vec<(usize, Outcome)>, Error> {
        self.texts.fetch_add(step.len() as u64, Ordering::Relaxed);
        self.tokens.fetch_add(tokens(step) as u64, Ordering::Relaxed);
        let outcome = |(given, vector): (&TokenizedText, Vec<f32>)| {
            Ok((given.at, Outcome::of(Vector::new(vector)?, given.kept)))
        };
        step.iter().zip(vectors).map(outcome).collect()
    }
}

/// A text as the model is given it.
struct TokenizedText {
    at: usize,
    tokens: Vec<LlamaToken>,
    /// How many characters were kept of one that was cut.
    kept: Option<usize>,
}

fn tokens(step: &[TokenizedText]) -> usize {
    step.iter().map(|given| given.tokens.len()).sum()
}

/// The texts in order, as many together as a step takes, and at least one.
fn steps(mut given: &[TokenizedText]) -> Vec<&[TokenizedText]> {
    let mut steps = Vec::new();
    while !given.is_empty() {
        let most = given.len().min(MOST_TOGETHER);
        let fitting = (1..=most).take_while(|&count| tokens(&given[..count]) <= TOGETHER).last();
        let (step, rest) = given.split_at(fitting.unwrap_or(1));
        steps.push(step);
        given = rest;
    }
    steps
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
        self.run(role, texts, until, &mut |outcomes| {
            vectors.extend(outcomes.into_iter().map(|(_, outcome)| match outcome {
                Outcome::Vector(vector) | Outcome::Cut { vector, .. } => Some(vector),
                Outcome::Blank | Outcome::Refused(_) => None,
            }));
            ControlFlow::Continue(())
        })?;
        Ok(vectors)
    }

    fn embed_each(&self, texts: &[&str], until: Option<Instant>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.run(Role::Document, texts, until, sink)
    }

    fn estimate(&self, texts: &[&str]) -> Spending {
        let tokens = texts.iter().map(|text| super::tokens::estimate(text) as u64).sum();
        Spending { requests: 0, texts: texts.len() as u64, tokens }
    }

    fn spent(&self) -> Spending {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Spending { requests: 0, texts: of(&self.texts), tokens: of(&self.tokens) }
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
    let refuse = |why| Error::NotAModel { path: file.to_owned(), why };
    if !is_gguf(file).map_err(|error| failed(error.to_string()))? {
        return Err(refuse("it is not a GGUF file"));
    }
    let backend = backend().map_err(failed)?;
    let loaded = LlamaModel::load_from_file(backend, file, &LlamaModelParams::default());
    // llama.cpp gives no reason.
    loaded.map_err(|_null| {
        refuse("it is cut off or damaged, or llama.cpp in this build does not know its kind")
    })
}

fn is_gguf(file: &Path) -> std::io::Result<bool> {
    let mut head = Vec::new();
    File::open(file)?.take(4).read_to_end(&mut head)?;
    Ok(head == b"GGUF")
}

fn context(model: &LlamaModel, length: u32) -> Result<LlamaContext<'_>, String> {
    // Threads wait by spinning: one core is left to everybody else.
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get().saturating_sub(1).max(1));
    let threads = i32::try_from(cores).unwrap_or(1);
    let tokens = length.max(TOGETHER as u32);
    let params = LlamaContextParams::default()
        .with_embeddings(true)
        .with_n_ctx(NonZeroU32::new(tokens))
        .with_n_batch(tokens)
        .with_n_ubatch(tokens)
        .with_n_seq_max(MOST_TOGETHER as u32)
        // One room for all texts of a step, not a part of it for each.
        .with_kv_unified(true)
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

fn pooled(context: &mut LlamaContext<'_>, step: &[TokenizedText]) -> Result<Vec<Vec<f32>>, String> {
    let mut batch = LlamaBatch::new(tokens(step).max(1), 1);
    for (given, number) in step.iter().zip(0..) {
        batch.add_sequence(&given.tokens, number, true).map_err(|error| error.to_string())?;
    }
    context.clear_kv_cache();
    context.decode(&mut batch).map_err(|error| error.to_string())?;
    let vector = |number| context.embeddings_seq_ith(number).map(<[f32]>::to_vec);
    (0..).take(step.len()).map(vector).collect::<Result<_, _>>().map_err(|error| error.to_string())
}
