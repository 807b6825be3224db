//! Answers a search with QMD, or says why it cannot.

use std::time::{Duration, Instant};

use mindfile_index::{QueryTerm, Source};

use crate::NAME;
use crate::ask::{self, Way};
use crate::guard::{AdmittedHits, Guard, private_elsewhere};
use crate::look::remembered;
use crate::parse::{self, AnswerSource, RawHit};
use crate::run;
use crate::server::{self, Reply, ServerRecord};
use crate::trouble::Trouble;
use crate::upkeep::{Readiness, Wish, tend};
use mindfile::Corpus;
use mindfile::Error;
use mindfile::Viewer;
use mindfile::ask::{Finding, Response, hand_out};
use mindfile::backend::Availability;
use mindfile::collection::{self, Asker, Holds};
use mindfile::search::{self, Answer, Mode, Plan, Request};
use mindfile_settings::QmdMode;

/// What may be left out is asked for, too.
const SPARE: usize = 3;
const MOST: usize = 100;

/// What QMD answered with.
struct QmdAnswer {
    ready: Readiness,
    raw: Vec<RawHit>,
    way: Way,
}

pub(crate) fn search(corpus: &Corpus, request: &Request, plan: Plan) -> Result<Finding, Error> {
    let plan = narrowed(corpus, plan, request);
    let asker = Asker { chat: request.chat, key: request.session_key.as_deref() };
    if !collection::admits(&corpus.settings().qmd.scope, asker) {
        let why = format!("memory.qmd.scope lets QMD answer nothing in this {} chat", plan.chat.as_str());
        let response = response(corpus, plan, Answer::default(), vec![why], None);
        return Ok(Finding::Answer(Box::new(response)));
    }
    if let Availability::Rest(outage) = corpus.outages.turn(NAME, corpus.clock().now()) {
        return Ok(Finding::Instead(outage));
    }
    match asked(corpus, &plan, request.mode) {
        Err(trouble) => Ok(Finding::Instead(remembered(corpus, &trouble))),
        Ok(told) => {
            corpus.outages.answered(NAME, corpus.clock().now());
            Ok(Finding::Answer(Box::new(answered(corpus, plan, request, &told)?)))
        }
    }
}

/// QMD has limits of its own.
fn narrowed(corpus: &Corpus, plan: Plan, request: &Request) -> Plan {
    let limits = &corpus.settings().qmd.limits;
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

fn asked(corpus: &Corpus, plan: &Plan, mode: Option<Mode>) -> Result<QmdAnswer, Trouble> {
    let ready = tend(corpus, Wish::Before)?;
    let way = way_to_ask(corpus, &ready, mode)?;
    let until = Instant::now() + corpus.settings().qmd.limits.timeout;
    let names: Vec<&str> = ready
        .collections
        .all
        .iter()
        .filter(|collection| plan.filter.source.is_none_or(|source| source == source_of(collection.holds)))
        .map(|collection| collection.name.as_str())
        .collect();
    if names.is_empty() {
        return Ok(QmdAnswer { raw: Vec::new(), way, ready });
    }
    let whole = |trouble: Trouble| trouble.within(corpus.settings().qmd.limits.timeout);
    let mut raw = found_by(corpus, &ready, way, plan, &names, until).map_err(whole)?;
    if raw.is_empty() && way == Way::Whole && ask::is_other_by_word(&plan.text) {
        raw = found_by(corpus, &ready, Way::Lines, plan, &names, until).map_err(whole)?;
    }
    Ok(QmdAnswer { raw, way, ready })
}

fn way_to_ask(corpus: &Corpus, ready: &Readiness, mode: Option<Mode>) -> Result<Way, Trouble> {
    let settings = &corpus.settings().qmd;
    let mode = match mode {
        None => settings.mode,
        Some(Mode::Keyword) => QmdMode::Search,
        Some(Mode::Vector) => QmdMode::Vsearch,
        Some(Mode::Hybrid) => QmdMode::Query,
    };
    let found = ready.home.model_count();
    let needed = ask::models_needed(mode, settings.rerank);
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
fn found_by(
    corpus: &Corpus,
    ready: &Readiness,
    way: Way,
    plan: &Plan,
    names: &[&str],
    until: Instant,
) -> Result<Vec<RawHit>, Trouble> {
    let limit = (plan.limit * SPARE).min(MOST.max(plan.limit));
    let left = || until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    if let Some(record) = ServerRecord::running(&ready.home, &ready.kept.config)
        && let Reply::Text(text) = server::ask(record.port, &way.body(&plan.text, names, limit), left())?
    {
        let not_json = |why| Trouble::NotJson { what: "mcp".to_owned(), why };
        return parse::hits(&text, AnswerSource::Server).map_err(not_json);
    }
    let arguments = way.arguments(&plan.text, names, limit);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let text = run::output(&corpus.settings().qmd.command, &arguments, &ready.home, left())?;
    let not_json = |why| Trouble::NotJson { what: arguments[0].to_owned(), why };
    parse::hits(&text, AnswerSource::Command).map_err(not_json)
}

fn answered(corpus: &Corpus, plan: Plan, request: &Request, told: &QmdAnswer) -> Result<Response, Error> {
    let viewer = Viewer { door: corpus.door(), chat: request.chat, for_model: request.for_model };
    let guard = Guard::new(corpus, &plan, &told.ready.collections, viewer)?;
    let AdmittedHits { found, gone } = guard.sift(&told.raw)?;
    let mut hits = search::ranked_elsewhere(found, &plan);
    let shown = hits.len();
    hits.retain(|hit| hit.score >= plan.min_score);
    let below_minimum = shown - hits.len();
    hand_out(corpus, &mut hits)?;
    let sought = QueryTerm::as_asked(&plan.words.terms);
    let answer = Answer { by_words: told.raw.len(), below_minimum, hits, sought, ..Answer::default() };
    let problems = &told.ready.collections.problems;
    let mut degraded: Vec<String> = problems.iter().map(|why| format!("qmd: {why}")).collect();
    if plan.filter.source == Some(Source::Sessions) && !corpus.settings().qmd.sessions.enabled {
        degraded
            .push("qmd: conversations are not written out for it (memory.qmd.sessions.enabled)".to_owned());
    }
    degraded.extend(private_elsewhere(corpus, viewer)?);
    let stale = staleness(told, gone);
    let plan = Plan { mode: told.way.mode(), ..plan };
    Ok(Response { model: told.ready.kept.version.clone(), ..response(corpus, plan, answer, degraded, stale) })
}

fn response(
    corpus: &Corpus,
    plan: Plan,
    answer: Answer,
    degraded: Vec<String>,
    stale: Option<String>,
) -> Response {
    Response {
        mode: plan.mode,
        cites: corpus.cites(plan.chat),
        plan,
        answer,
        backend: NAME,
        provider: NAME.to_owned(),
        model: String::new(),
        fallback: None,
        degraded,
        stale,
        notices: corpus.notices(),
    }
}

fn staleness(told: &QmdAnswer, gone: usize) -> Option<String> {
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
