//! A service as an embedder.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::Value;

use super::answer::{Answer, checked};
use super::catalog::Limits;
use super::endpoint::Endpoint;
use super::family::Family;
use super::pace::Pace;
use super::request::{self, PreparedText};
use super::transport::{HttpCall, Transport};
use super::{Protocol, Service, gemini, ollama, openai, tokens};
use crate::{Embedder, Error, Jobs, Role, Sink, Space, Spending, Vector};

pub(super) struct Remote {
    pub(super) service: Service,
    pub(super) transport: Transport,
    pub(super) family: Option<&'static Family>,
    limits: Limits,
    space: Space,
    /// The length of the vectors, once an answer told it.
    dims: AtomicUsize,
    /// The most texts that the service took in one request; less than the limit where it took fewer.
    most_items: AtomicUsize,
    counted: SpendingCounter,
}

#[derive(Default)]
struct SpendingCounter {
    requests: AtomicU64,
    texts: AtomicU64,
    tokens: AtomicU64,
}

impl Remote {
    pub(super) fn new(service: Service, pace: Arc<dyn Pace>) -> Result<Self, Error> {
        let spec = service.spec;
        if spec.needs_key && service.key.is_none() {
            let variable =
                if service.is_at_home() { spec.variables.first().copied().unwrap_or_default() } else { "" };
            return Err(Error::NoKey { provider: service.provider, variable });
        }
        let endpoint = Endpoint::parse(&service.base_url)?;
        let family = if spec.needs_key { None } else { Family::of(&service.model) };
        let limits = limits(&service, family);
        let space = space(&service, &endpoint, family);
        let ca_file = service.ca_file.as_deref();
        let transport = Transport::new(endpoint, service.all_headers(), service.timeouts, ca_file, pace)?;
        Ok(Self {
            transport,
            family,
            limits,
            dims: AtomicUsize::new(space.dims),
            space,
            most_items: AtomicUsize::new(limits.items),
            counted: SpendingCounter::default(),
            service,
        })
    }

    pub(super) fn prepare<'a>(&self, role: Role, text: &'a str) -> PreparedText<'a> {
        let prefix = self.family.map_or("", |family| family.prefix(role));
        PreparedText::new(prefix, text, self.limits.text_tokens)
    }

    pub(super) fn pack(&self, texts: &[PreparedText<'_>]) -> Vec<Vec<usize>> {
        let items = self.most_items.load(Ordering::Relaxed);
        request::pack(texts, &Limits { items, ..self.limits })
    }

    /// The service takes at most so many texts at once.
    pub(super) fn learn_items(&self, items: usize) {
        self.most_items.fetch_min(items.max(1), Ordering::Relaxed);
    }

    pub(super) fn most_items(&self) -> usize {
        self.most_items.load(Ordering::Relaxed)
    }

    /// One request, tried again while its failure may pass.
    pub(super) fn ask(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
    ) -> Result<Vec<Vector>, Error> {
        let (path, body) = self.message(role, texts);
        let (vectors, tokens) = self.transport.ask(&HttpCall::json(&path, &body), until, |bytes| {
            let answer = self.read(bytes, texts.len())?;
            Ok((checked(answer.vectors, self.dims.load(Ordering::Relaxed))?, answer.tokens))
        })?;
        self.learn_dims(&vectors)?;
        let told = tokens.filter(|tokens| *tokens > 0);
        let tokens = told.unwrap_or_else(|| texts.iter().map(|text| tokens::estimate(text) as u64).sum());
        self.count(texts.len(), tokens);
        Ok(vectors)
    }

    /// The first answer decides how long vectors are; a later one of another length is another model's.
    fn learn_dims(&self, vectors: &[Vector]) -> Result<(), Error> {
        let Some(found) = vectors.first().map(|vector| vector.as_slice().len()) else { return Ok(()) };
        match self.dims.compare_exchange(0, found, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => Ok(()),
            Err(known) if known == found => Ok(()),
            Err(known) => {
                Err(self.transport.malformed(&format!("a vector of {found} dimensions instead of {known}")))
            }
        }
    }

    pub(super) fn dims(&self) -> usize {
        self.dims.load(Ordering::Relaxed)
    }

    pub(super) fn count(&self, texts: usize, tokens: u64) {
        self.counted.requests.fetch_add(1, Ordering::Relaxed);
        self.counted.texts.fetch_add(texts as u64, Ordering::Relaxed);
        self.counted.tokens.fetch_add(tokens, Ordering::Relaxed);
    }

    fn message(&self, role: Role, texts: &[&str]) -> (String, Value) {
        let service = &self.service;
        match service.spec.protocol {
            Protocol::OpenAi => (openai::PATH.to_owned(), openai::body(service, role, texts)),
            Protocol::Gemini => (gemini::path(service), gemini::body(service, role, texts)),
            Protocol::Ollama => (ollama::PATH.to_owned(), ollama::body(service, texts)),
        }
    }

    fn read(&self, bytes: &[u8], count: usize) -> Result<Answer, String> {
        match self.service.spec.protocol {
            Protocol::OpenAi => openai::read(bytes, count),
            Protocol::Gemini => gemini::read(bytes, count),
            Protocol::Ollama => ollama::read(bytes, count),
        }
    }
}

impl Embedder for Remote {
    fn space(&self) -> &Space {
        &self.space
    }

    fn embed(
        &self,
        role: Role,
        texts: &[&str],
        until: Option<Instant>,
    ) -> Result<Vec<Option<Vector>>, Error> {
        let prepared: Vec<PreparedText<'_>> = texts.iter().map(|text| self.prepare(role, text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for pack in self.pack(&prepared) {
            let texts: Vec<&str> = pack.iter().map(|&at| &*prepared[at].text).collect();
            vectors.extend(self.ask(role, &texts, until)?.into_iter().map(Some));
        }
        Ok(vectors)
    }

    fn embed_each(&self, texts: &[&str], until: Option<Instant>, sink: &mut Sink<'_>) -> Result<(), Error> {
        request::embed_each(self, texts, until, sink)
    }

    fn estimate(&self, texts: &[&str]) -> Spending {
        let prepared: Vec<PreparedText<'_>> =
            texts.iter().map(|text| self.prepare(Role::Document, text)).collect();
        Spending {
            requests: self.pack(&prepared).len() as u64,
            texts: texts.len() as u64,
            tokens: prepared.iter().map(|text| text.tokens as u64).sum(),
        }
    }

    fn spent(&self) -> Spending {
        Spending {
            requests: self.counted.requests.load(Ordering::Relaxed),
            texts: self.counted.texts.load(Ordering::Relaxed),
            tokens: self.counted.tokens.load(Ordering::Relaxed),
        }
    }

    fn jobs(&self) -> Option<&dyn Jobs> {
        self.service.spec.has_batch_jobs.then_some(self)
    }
}

fn limits(service: &Service, family: Option<&Family>) -> Limits {
    let limits = service.spec.limits;
    Limits {
        items: limits.items,
        tokens: limits.tokens.min(service.request_tokens),
        text_tokens: limits.text_tokens.min(family.map_or(usize::MAX, |family| family.tokens)),
    }
}

fn space(service: &Service, endpoint: &Endpoint, family: Option<&Family>) -> Space {
    let mut recipe: Vec<String> = Vec::new();
    recipe.extend(service.dims.map(|dims| format!("dimensions {dims}")));
    recipe.extend(family.map(|family| format!("prompts of {}", family.name)));
    recipe.extend(service.query_input_type.iter().map(|kind| format!("queries {kind}")));
    recipe.extend(service.document_input_type.iter().map(|kind| format!("documents {kind}")));
    Space {
        provider: service.provider.clone(),
        model: service.model.clone(),
        endpoint: endpoint.shown().to_owned(),
        // A server of one's own may give any model a well-known name.
        dims: service
            .dims
            .unwrap_or_else(|| if service.is_at_home() { service.spec.dims(&service.model) } else { 0 }),
        recipe: recipe.join(", "),
    }
}
