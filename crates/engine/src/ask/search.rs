//! Search over the notes: by the index, or by another program that finds notes in its place.

use mindfile_index::Source;
use mindfile_ranking::search::{self, Answer, Hit, Mode, Place, Plan, Request};
use mindfile_settings::{BackendName, Maker};
use mindfile_trust::audit::What;
use mindfile_trust::speaker::ChatType;

use super::{Finding, Ground, Question, SpaceAnswer, ask, finder, say, speakers};
use crate::backend::Outage;
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fallback::Fallback;
use crate::ingest::{self, Budget, Scope};
use crate::transcripts::index;
use crate::view::Freshness;
use crate::viewer::Viewer;

/// The name of the engine that is always there.
const BUILTIN: &str = "builtin";

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
    /// Whether a hit is told with its place.
    pub cites: bool,
}

impl Response {
    /// The place of a hit, where it is told.
    pub fn citation(&self, hit: &Hit) -> Option<String> {
        self.cites.then(|| hit.citation())
    }

    /// The same as an answer in the place of an engine that fails. Who stood in for a provider is said as well.
    fn instead_of(mut self, outage: &Outage) -> Self {
        let instead = outage.fallback(self.backend);
        self.notices.extend(self.fallback.replace(instead).map(|fallback| fallback.words()));
        self
    }

    fn of(told: SpaceAnswer<Search<'_>>) -> Self {
        let SpaceAnswer { by, plan, answer, fallback, degraded, stale } = told;
        let backend = match by.space().backend {
            BackendName::Qmd => BackendName::Builtin,
            own @ (BackendName::Builtin
            | BackendName::Sqlite
            | BackendName::Postgres
            | BackendName::LanceDb) => own,
        };
        Self {
            mode: plan.mode,
            cites: by.cites(plan.chat),
            plan,
            answer,
            backend: backend.as_str(),
            provider: by.provider(),
            model: by.model(),
            fallback: fallback.or_else(|| by.space().store.instead().map(|outage| outage.fallback(BUILTIN))),
            degraded,
            stale,
            notices: by.notices(),
        }
    }
}

/// Hybrid search over the notes as they are now. Why a line is missing is a question about the index alone.
pub fn search(corpus: &Corpus, request: &Request, why_not: Option<&Place>) -> Result<Response, Error> {
    let question = Search::new(corpus, request, why_not);
    if corpus.settings.backend != BackendName::Qmd || why_not.is_some() {
        return Ok(Response::of(ask(corpus, &question, Freshness::Refresh)?));
    }
    corpus.check_on()?;
    let plan = question.plan(corpus)?;
    match finder::named(corpus)?.search(corpus, &question.request, plan)? {
        Finding::Answer(response) => Ok(*response),
        Finding::Instead(outage) => {
            Ok(Response::of(ask(corpus, &question, Freshness::Refresh)?).instead_of(&outage))
        }
    }
}

/// Search over the notes as the index has them, for a caller who has just brought it up to date. A hook has no time to start
/// another program.
pub fn search_as_indexed(corpus: &Corpus, request: &Request) -> Result<Response, Error> {
    Ok(Response::of(ask(corpus, &Search::new(corpus, request, None), Freshness::AsIndexed)?))
}

struct Search<'a> {
    /// Without what must not be said, and in the widest chat that it comes from.
    request: Request,
    why_not: Option<&'a Place>,
}

impl<'a> Search<'a> {
    fn new(corpus: &Corpus, request: &Request, why_not: Option<&'a Place>) -> Self {
        let by_key = request.session_key.as_deref().map_or(request.chat, ChatType::of_key);
        let request = Request {
            query: corpus.policy.question(&request.query).into_owned(),
            chat: request.chat.or_wider(by_key),
            ..request.clone()
        };
        Self { request, why_not }
    }
}

impl Question for Search<'_> {
    type Plan = Plan;
    type Answer = Answer;

    fn viewer(&self, corpus: &Corpus) -> Viewer {
        Viewer { door: corpus.door, chat: self.request.chat, for_model: self.request.for_model }
    }

    fn plan(&self, corpus: &Corpus) -> Result<Plan, Error> {
        let plan = planned(corpus, &self.request)?;
        if let Some(place) = self.why_not {
            corpus.check_chat(self.viewer(corpus), &place.path)?;
        }
        Ok(plan)
    }

    fn text<'p>(&self, plan: &'p Plan) -> Option<&'p str> {
        (plan.mode != Mode::Keyword).then_some(plan.text.as_str())
    }

    /// Which transcripts a query may see: those of this agent, as they are now. An index without any needs no filter.
    fn complete(&self, corpus: &Corpus, plan: &mut Plan, degraded: &mut Vec<String>) -> Result<(), Error> {
        let opened = corpus.index()?;
        if plan.filter.source != Some(Source::Memory) {
            if let Err(error) = ingest::run(corpus, Scope::Sessions, Budget::Unlimited) {
                degraded.push(format!("sessions: {error}"));
            }
            let owner = opened.meta(index::OWNER)?;
            if owner.is_some_and(|owner| *owner != *corpus.settings.agent.as_str()) {
                plan.filter.source = Some(Source::Memory);
            }
        } else if opened.meta(index::OWNER)?.is_none() {
            plan.filter.source = None;
        }
        // Where words were chosen nothing is missing; only who asks for meaning misses something.
        if corpus.space().embedder.is_none() && plan.mode == Mode::Vector {
            say(degraded, "there is no embedding provider");
        }
        Ok(())
    }

    fn by_words(&self, corpus: &Corpus, plan: Plan) -> Result<Plan, Error> {
        if plan.mode != Mode::Hybrid {
            return Ok(plan);
        }
        let request = Request { mode: Some(Mode::Keyword), ..self.request.clone() };
        let by_words = planned(corpus, &request)?;
        Ok(Plan { filter: plan.filter, asked: plan.asked, ..by_words })
    }

    fn answer(
        &self,
        _: &Corpus,
        plan: &Plan,
        vector: Option<&[f32]>,
        seen: Ground<'_>,
    ) -> Result<Answer, Error> {
        let mut answer = search::answer(seen.snapshot, plan, vector, self.why_not)?;
        // A model asks for what nobody trusts when a person tells it to, and is not tempted.
        if plan.filter.trusted && !self.request.for_model && !answer.is_sure() {
            answer.untrusted = search::untrusted(seen.snapshot, plan, vector)?;
        }
        Ok(answer)
    }

    fn hand_out(
        &self,
        corpus: &Corpus,
        answer: &mut Answer,
        degraded: &mut Vec<String>,
    ) -> Result<(), Error> {
        speakers::name_speakers(corpus, &mut answer.hits, degraded);
        hand_out(corpus, &mut answer.hits)
    }
}

/// Writes down who sees what, and wraps what nobody trusts.
pub fn hand_out(corpus: &Corpus, hits: &mut [Hit]) -> Result<(), Error> {
    for hit in &*hits {
        let what = if hit.source == Source::Sessions { What::Session } else { What::Note };
        corpus.audit_seen(what, &hit.citation(), &hit.snippet);
    }
    for hit in hits.iter_mut().filter(|hit| !hit.origin.is_trusted()) {
        hit.snippet = corpus.enveloped(&hit.snippet)?;
        hit.answer.text = corpus.enveloped(&hit.answer.text)?;
    }
    Ok(())
}

fn planned(corpus: &Corpus, request: &Request) -> Result<Plan, Error> {
    let english_vectors = corpus.space().maker == Maker::Embedded;
    Ok(search::plan(request, &corpus.settings, english_vectors, clock::day_of(corpus.clock.now()))?)
}
