//! `mindfile retain`

use std::io::Read;
use std::process::ExitCode;

use mindfile::retain::{self, Outcome, Request, Retained, TEXT_LIMIT};

use super::Run;
use crate::arguments::{Retain, Salience};
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, Screen, clean, facts, json};

pub(super) fn run(asked: &Retain, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let request = request(asked)?;
    let model = match request.salience {
        None => environment::quick_chat_model(&memory, &asked.model)?,
        Some(_) => None,
    };
    let retained = retain::retain(&memory, &request, model.as_deref())?;
    if run.screen.json {
        output::json(&json::Kept::new(&retained))?;
    } else {
        output::text(&facts::kept(&retained))?;
    }
    remarks(&retained, run.screen);
    Ok(ExitCode::SUCCESS)
}

fn request(asked: &Retain) -> Result<Request, Failure> {
    Ok(Request {
        text: text(&asked.words)?,
        kind: asked.kind.map(Into::into),
        entities: asked.entity.clone(),
        salience: match asked.salience {
            Some(Salience::Said(said)) => Some(said),
            Some(Salience::Auto) | None => None,
        },
        confidence: asked.confidence,
        key: asked.key.clone(),
        ttl: asked.ttl.clone(),
        sensitivity: asked.sensitivity.map(Into::into),
        due: asked.due.clone(),
        source: asked.source.clone(),
        file: asked.file.clone(),
        id: asked.id.clone(),
        if_version: asked.if_version,
        force: asked.force,
        confirm: asked.confirm,
    })
}

/// The words of the line, or what stands in the input: no more of it than says that it is too long.
fn text(words: &[String]) -> Result<String, Failure> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let mut bytes = Vec::new();
    let io = |source| Failure::File { path: "standard input".to_owned(), source };
    std::io::stdin().take(64 * TEXT_LIMIT as u64).read_to_end(&mut bytes).map_err(io)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn remarks(retained: &Retained, screen: &Screen) {
    for notice in &retained.notices {
        screen.warn(notice);
    }
    if screen.json {
        return;
    }
    let fact = &retained.fact;
    let clean = |words: String| clean::text(&words).into_owned();
    screen.say(&clean(format!("{}#L{} ^{}", fact.path, fact.line, fact.id)));
    match (retained.outcome, &retained.before) {
        (Outcome::Proposed, Some(before)) => screen.say(&clean(format!(
            "\"{}\" stays until it is seen again on another day, or with --confirm",
            before.text
        ))),
        (Outcome::Written, Some(before)) => {
            screen.say(&clean(format!("\"{}\" is kept as what was", before.text)));
        }
        (Outcome::Written | Outcome::Known | Outcome::Confirmed | Outcome::Proposed, _) => {}
    }
}
