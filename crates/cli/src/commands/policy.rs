//! `mindfile policy`

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::policy::Detector;

use super::Run;
use crate::arguments::{Policy, PolicyCommand};
use crate::failure::Failure;
use crate::output::{self, json, trust};

/// What is read of a file at most.
const LARGEST: u64 = 64 << 20;

pub(super) fn run(asked: &Policy, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    match &asked.command {
        PolicyCommand::Show => show(&memory, run)?,
        PolicyCommand::Check { words } => check(words, &memory, run)?,
        PolicyCommand::Apply { dry_run: _, yes } => return apply(!yes, &memory, run),
    }
    Ok(ExitCode::SUCCESS)
}

fn show(memory: &Memory, run: &Run<'_>) -> Result<(), Failure> {
    let policy = memory.policy();
    let rules = json::Rules::new(policy);
    if run.screen.json {
        return Ok(output::json(&rules)?);
    }
    output::text(&trust::rules(policy, Detector::all()))?;
    Ok(())
}

fn check(words: &[String], memory: &Memory, run: &Run<'_>) -> Result<(), Failure> {
    let text = given(words)?;
    let found = memory.policy().explain(&text);
    if run.screen.json {
        return Ok(output::json(&json::Checked::new(&found))?);
    }
    if found.is_empty() {
        run.screen.say("nothing is found");
    }
    output::text(&trust::findings(&found))?;
    Ok(())
}

fn apply(dry_run: bool, memory: &Memory, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let applied = memory.apply_policy(dry_run)?;
    if run.screen.json {
        output::json(&json::AppliedPolicy::new(&applied, dry_run))?;
    } else {
        output::text(&trust::applied(&applied))?;
        if dry_run {
            run.screen.say("nothing was changed; mindfile policy apply --yes does it");
        }
    }
    for left in &applied.left {
        run.screen.warn(left);
    }
    Ok(if applied.left.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One word that names a file is that file; anything else is the text itself.
fn given(words: &[String]) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    match words {
        [dash] if dash == "-" => {
            let io = |source: std::io::Error| Failure::file("standard input", &source);
            std::io::stdin().take(LARGEST).read_to_end(&mut bytes).map_err(io)?;
        }
        [path] if Path::new(path).is_file() => {
            let io = |source: std::io::Error| Failure::file(&path, &source);
            let file = std::fs::File::open(path).map_err(io)?;
            file.take(LARGEST).read_to_end(&mut bytes).map_err(io)?;
        }
        _ => return Ok(words.join(" ")),
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
