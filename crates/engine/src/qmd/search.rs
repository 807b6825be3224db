//! A search that QMD answers, or the reason why it does not.

use std::time::{Duration, Instant};

use mindfile_index::{QueryTerm, Source};

use super::NAME;
use super::ask::{self, Way};
use super::collection::Holds;
use super::guard::{Guard, Sifted};
use super::parse::{self, By, Raw};
use super::run;
use super::scope::{self, Asker};
use super::server::{self, Record, Reply};
use super::trouble::Trouble;
use super::upkeep::{Ready, Wish};
use crate::ask::{Response, hand_out};
use crate::backend::{Availability, Outage};
use crate::config::QmdMode;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::search::{self, Answer, Mode, Plan, Request};
use crate::viewer::Viewer;

/// What may be left out is asked for, too.
const SPARE: usize = 3;
const MOST: usize = 100;

/// What came of asking QMD.
pub(crate) enum Came {
    Answer(Box<Response>),
    /// It cannot answer now: the built-in index does.
    Instead(Outage),
}

/// What QMD answered with.
struct Told {
    ready: Ready,
    raw: Vec<Raw>,
    way: Way,
}

impl Corpus {
    pub(crate) fn search_qmd(&self, request: &Request, plan: Plan) -> Result<Came, Error> {
        let plan = self.narrowed(plan, request);
        let asker = Asker { chat: request.chat, key: request.session_key.as_deref() };
        if !scope::admits(&self.settings.qmd.scope, asker) {
            let why = format!("memory.qmd.scope lets QMD answer nothing in this {} chat", plan.chat.as_str());
            let response = self.qmd_response(plan, Answer::default(), vec![why], None);
            return Ok(Came::Answer(Box::new(response)));
        }
        if let Availability::Rest(outage) = self.outages.turn(NAME, self.clock.now()) {
            return Ok(Came::Instead(outage));
        }
        match self.told(&plan, request.mode) {
            Err(trouble) => Ok(Came::Instead(self.remembered(&trouble))),
            Ok(told) => {
                self.outages.answered(NAME, self.clock.now());
                Ok(Came::Answer(Box::new(self.answered(plan, request, &told)?)))
            }
        }
    }

    /// QMD has limits of its own.
    fn narrowed(&self, plan: Plan, request: &Request) -> Plan {
        let limits = &self.settings.qmd.limits;
        Plan {
            limit: request.max_results.unwrap_or(limits.max_results),
            snippet_chars: limits.max_snippet_chars,
            injected_chars: limits.max_injected_chars,
            // Its order is no score that could be too low.
            min_score: request.min_score.unwrap_or(0.0),
            filter: mindfile_index::Filter { source: request.source, ..plan.filter },
            ..plan
        }
    }

    fn told(&self, plan: &Plan, mode: Option<Mode>) -> Result<Told, Trouble> {
        let ready = self.tend(Wish::Before)?;
        let way = self.way(&ready, mode)?;
        let until = Instant::now() + self.settings.qmd.limits.timeout;
        let names: Vec<&str> = ready
            .collections
            .all
            .iter()
            .filter(|collection| {
                plan.filter.source.is_none_or(|source| source == source_of(collection.holds))
            })
            .map(|collection| collection.name.as_str())
            .collect();
        if names.is_empty() {
            return Ok(Told { raw: Vec::new(), way, ready });
        }
        let whole = |trouble: Trouble| trouble.within(self.settings.qmd.limits.timeout);
        let mut raw = self.ask_qmd(&ready, way, plan, &names, until).map_err(whole)?;
        if raw.is_empty() && way == Way::Whole && ask::has_several_words(&plan.text) {
            raw = self.ask_qmd(&ready, Way::Lines, plan, &names, until).map_err(whole)?;
        }
        Ok(Told { raw, way, ready })
    }

    fn way(&self, ready: &Ready, mode: Option<Mode>) -> Result<Way, Trouble> {
        let settings = &self.settings.qmd;
        let mode = match mode {
            None => settings.mode,
            Some(Mode::Keyword) => QmdMode::Search,
            Some(Mode::Vector) => QmdMode::Vsearch,
            Some(Mode::Hybrid) => QmdMode::Query,
        };
        let (found, needed) = (ready.home.model_count(), ask::models_needed(mode, settings.rerank));
        match mode {
            QmdMode::Search => Ok(Way::Whole),
            QmdMode::Query if found >= needed => Ok(Way::Both { rerank: settings.rerank }),
            QmdMode::Query => Ok(Way::Lines),
            QmdMode::Vsearch if found >= needed => Ok(Way::Meaning),
            QmdMode::Vsearch => {
                Err(Trouble::NoModels { mode: mode.as_str(), folder: ready.home.models(), found, needed })
            }
        }
    }

    /// By the server that somebody keeps, else by a process for this question.
    fn ask_qmd(
        &self,
        ready: &Ready,
        way: Way,
        plan: &Plan,
        names: &[&str],
        until: Instant,
    ) -> Result<Vec<Raw>, Trouble> {
        let limit = (plan.limit * SPARE).min(MOST.max(plan.limit));
        let left = || until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        if let Some(record) = Record::running(&ready.home, &ready.kept.config)
            && let Reply::Text(text) = server::ask(record.port, &way.body(&plan.text, names, limit), left())?
        {
            let not_json = |why| Trouble::NotJson { what: "mcp".to_owned(), why };
            return parse::hits(&text, By::Server).map_err(not_json);
        }
        let arguments = way.arguments(&plan.text, names, limit);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = run::output(&self.settings.qmd.command, &arguments, &ready.home, left())?;
        let not_json = |why| Trouble::NotJson { what: arguments[0].to_owned(), why };
        parse::hits(&text, By::Command).map_err(not_json)
    }

    fn answered(&self, plan: Plan, request: &Request, told: &Told) -> Result<Response, Error> {
        let viewer = Viewer { door: self.door, chat: request.chat, for_model: request.for_model };
        let guard = Guard::new(self, &plan, &told.ready.collections, viewer)?;
        let Sifted { found, gone } = guard.sift(&told.raw)?;
        let mut hits = search::ranked_elsewhere(found, &plan);
        let shown = hits.len();
        hits.retain(|hit| hit.score >= plan.min_score);
        let below_minimum = shown - hits.len();
        hand_out(self, &mut hits)?;
        let sought = QueryTerm::as_asked(&plan.words.terms);
        let answer = Answer { by_words: told.raw.len(), below_minimum, hits, sought, ..Answer::default() };
        let problems = &told.ready.collections.problems;
        let mut degraded: Vec<String> = problems.iter().map(|why| format!("qmd: {why}")).collect();
        if plan.filter.source == Some(Source::Sessions) && !self.settings.qmd.sessions.enabled {
            degraded.push(
                "qmd: conversations are not written out for it (memory.qmd.sessions.enabled)".to_owned(),
            );
        }
        degraded.extend(self.private_elsewhere(viewer)?);
        let stale = staleness(told, gone);
        let plan = Plan { mode: told.way.mode(), ..plan };
        Ok(Response {
            model: told.ready.kept.version.clone(),
            ..self.qmd_response(plan, answer, degraded, stale)
        })
    }

    fn qmd_response(
        &self,
        plan: Plan,
        answer: Answer,
        degraded: Vec<String>,
        stale: Option<String>,
    ) -> Response {
        Response {
            mode: plan.mode,
            plan,
            answer,
            backend: NAME,
            provider: NAME.to_owned(),
            model: String::new(),
            fallback: None,
            degraded,
            stale,
            notices: self.notices(),
        }
    }
}

fn staleness(told: &Told, gone: usize) -> Option<String> {
    if gone > 0 {
        return Some(format!("{gone} of what QMD found is not there any more"));
    }
    told.ready.behind.then(|| "notes changed since QMD's index was brought up to date".to_owned())
}

fn source_of(holds: Holds) -> Source {
    match holds {
        Holds::Notes => Source::Memory,
        Holds::Sessions => Source::Sessions,
    }
}
