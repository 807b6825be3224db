//! `mindfile init`

use std::process::ExitCode;

use mindfile::workspace;
use serde::Serialize;

use super::Run;
use crate::arguments::Init;
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, clean, shell};

pub(super) fn run(asked: &Init, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let configured = environment::load(run.globals, run.screen)?.settings.workspace;
    let dir = asked.dir.as_ref().map_or(Ok(configured.clone()), std::path::absolute);
    let dir = dir
        .map_err(|source| Failure::environment(format!("the current directory cannot be read: {source}")))?;
    let created = workspace::init(&dir)?;
    let shown = dir.display().to_string();
    if run.screen.json {
        let made = Made { ok: true, workspace: shown, made: created.made, already: created.already };
        output::json(&made)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{}\n", clean::text(&shown));
    text.extend(created.made.iter().map(|name| format!("  made     {name}\n")));
    text.extend(created.already.iter().map(|name| format!("  is there {name}\n")));
    output::text(&text)?;
    if dir == configured {
        run.screen.say("Next: write notes into memory/, then: mindfile search \"anything\"");
    } else {
        run.screen.say(&format!("Next: mindfile config set workspace {}", clean::text(&shell::word(&shown))));
    }
    Ok(ExitCode::SUCCESS)
}

/// What was made.
#[derive(Debug, Serialize)]
struct Made {
    ok: bool,
    workspace: String,
    made: Vec<String>,
    already: Vec<String>,
}
