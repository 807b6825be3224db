//! `mindfile recall`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::recall::{Remembered, Request, Touch};
use mindfile::when;

use super::Run;
use crate::arguments::Recall;
use crate::failure::Failure;
use crate::output::{self, Screen, json, recall};

pub(super) fn run(asked: &Recall, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let touch = if asked.no_touch { Touch::No } else { Touch::Yes };
    let remembered = memory.recall(&request(asked, &memory)?, touch)?;
    if run.screen.json {
        output::json(&json::Recalls::new(&remembered, asked.debug, asked.explain))?;
    } else {
        caveats(&remembered, run.screen);
        output::text(&recall::text(&remembered, asked.debug, asked.explain))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn request(asked: &Recall, memory: &Memory) -> Result<Request, Failure> {
    let day = |text: Option<&str>| text.map(|text| when::day(memory.clock(), text)).transpose();
    Ok(Request {
        query: asked.words.join(" "),
        k: asked.k,
        min_salience: asked.min_salience,
        depth: asked.associative_depth,
        decay: asked.activation_decay,
        entities: asked.entity.clone(),
        kind: asked.kind.map(Into::into),
        since: day(asked.since.as_deref())?,
        as_of: day(asked.as_of.as_deref())?,
        budget: asked.budget,
        scorer: asked.scorer.into(),
        past: asked.past,
        untrusted: asked.include_untrusted,
        ..Request::default()
    })
}

/// What a reader of the answer should know about it.
fn caveats(remembered: &Remembered, screen: &Screen) {
    for notice in &remembered.notices {
        screen.warn(notice);
    }
    for degraded in &remembered.degraded {
        screen.warn(&format!("not everything was consulted: {degraded}"));
    }
    if let Some(stale) = &remembered.stale {
        screen.warn(&format!("the answer may be old: {stale}"));
    }
}
