//! `mindfile search`

use std::process::ExitCode;

use mindfile::clock::today;
use mindfile::search::{Place, Plan, Request};
use mindfile::session::ChatType;
use mindfile::when;
use mindfile::{Memory, Response};

use super::{Run, browse};
use crate::arguments::Search;
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, Screen, explain, hits, json};

pub(super) fn run(asked: &Search, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let request = request(asked, &memory)?;
    if asked.interactive {
        return browse::run(&memory, &request);
    }
    let place =
        asked.why_not.as_deref().map(str::parse::<Place>).transpose().map_err(mindfile::Error::from)?;
    let response = memory.search(&request, place.as_ref())?;
    let plan = asked.explain.then_some(&response.plan);
    if run.screen.json {
        output::json(&json::Found::new(&response, plan, memory.cites(ChatType::Direct)))?;
    } else {
        caveats(&response, run.screen);
        output::text(&text(&response, plan, &memory, run.screen))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn request(asked: &Search, memory: &Memory) -> Result<Request, Failure> {
    let day = |text: Option<&str>| text.map(|text| when::day(memory.clock(), text)).transpose();
    Ok(Request {
        max_results: asked.max_results,
        min_score: asked.min_score,
        mode: asked.mode.map(Into::into),
        source: asked.source.map(Into::into),
        since: day(asked.since.as_deref())?,
        until: day(asked.until.as_deref())?,
        untrusted: asked.include_untrusted,
        session_key: asked.session_key.clone(),
        ..Request::new(asked.query.clone().unwrap_or_else(|| asked.words.join(" ")))
    })
}

/// What a reader of the answer should know about it.
fn caveats(response: &Response, screen: &Screen) {
    for notice in &response.notices {
        screen.warn(notice);
    }
    if let Some(fallback) = &response.fallback {
        screen.warn(&format!("fallback: {}", fallback.words()));
    }
    for degraded in &response.degraded {
        screen.warn(&format!("not everything was consulted: {degraded}"));
    }
    if response.answer.phrases_relaxed {
        screen.say("No note has the quoted words as typed; they were looked for one by one.");
    }
    if let Some(stale) = &response.stale {
        screen.warn(&format!("the answer may be old: {stale}"));
    }
}

fn text(response: &Response, plan: Option<&Plan>, memory: &Memory, screen: &Screen) -> String {
    let answer = &response.answer;
    let mut text = plan.map(|plan| explain::plan(plan, answer) + "\n").unwrap_or_default();
    let today = today(memory.clock());
    for hit in &answer.hits {
        text.push_str(&hits::hit(hit, &response.answer.sought, today, screen.width));
        if plan.is_some() {
            text.push_str(&explain::parts(hit));
        }
        text.push('\n');
    }
    if answer.hits.is_empty() {
        text.push_str(&nothing(answer.below_minimum));
    }
    if let Some(why) = &answer.why_not {
        text.push_str(&explain::why_not(why));
    }
    text
}

fn nothing(below_minimum: usize) -> String {
    if below_minimum == 0 {
        return "Nothing relevant in the notes.\n".to_owned();
    }
    let weak = count(below_minimum, "weak candidate");
    format!("Nothing relevant in the notes. ({weak} left out; --min-score 0 shows them)\n")
}
