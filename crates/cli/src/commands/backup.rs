//! `mindfile backup` and `mindfile restore`

use std::path::PathBuf;
use std::process::ExitCode;

use mindfile::clock::today;
use mindfile_care::backup::{self, Places};

use super::Run;
use crate::arguments::{Backup, Restore};
use crate::failure::Failure;
use crate::output::quantity::{bytes, count};
use crate::output::{self, json};

pub(super) fn run(asked: &Backup, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let usual = || {
        let (agent, day) = (&memory.settings().agent, today(memory.clock()));
        PathBuf::from(format!("mindfile-{agent}-{day}.tar.zst"))
    };
    let file = asked.file.clone().unwrap_or_else(usual);
    let made = backup::make(&memory, &file)?;
    for left_out in &made.left_out {
        run.screen.warn(&format!("not in it: {left_out}"));
    }
    let name = file.display().to_string();
    if run.screen.json {
        output::json(&json::BackedUp::new(name, &made))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (files, of, size) = (count(made.files, "file"), bytes(made.bytes), bytes(made.size));
    output::text(&format!("{name}: {files}, {of} in {size}\n"))?;
    run.screen.say(&format!("To prove it: mindfile restore {} --verify", output::shell::word(&name)));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn restore(asked: &Restore, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    if asked.verify {
        let proved = backup::verify(&memory, &asked.file)?;
        if run.screen.json {
            output::json(&json::Proved::new(&proved))?;
            return Ok(ExitCode::SUCCESS);
        }
        return Ok(output::text(&verified(&proved)).map(|()| ExitCode::SUCCESS)?);
    }
    let places = match &asked.into {
        Some(folder) => Places::below(folder),
        None => Places {
            workspace: memory.settings().workspace.clone(),
            state: memory.settings().state_dir.clone(),
        },
    };
    let done = backup::restore(&memory, &asked.file, &places, asked.force)?;
    if run.screen.json {
        output::json(&json::PutBack::new(&places, &done))?;
        return Ok(ExitCode::SUCCESS);
    }
    let (written, already) = (count(done.written, "file"), done.already);
    output::text(&format!(
        "{written} restored, {} overwritten, {already} there already\n  notes {}\n  state {}\n{}",
        done.overwritten,
        places.workspace.display(),
        places.state.display(),
        withheld(&done)
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// What was forgotten, and is not restored.
fn withheld(done: &backup::RestoreReport) -> String {
    let line = |one: &backup::WithheldFile| {
        format!("  forgotten, and not restored: {} of {}\n", count(one.lines, "line"), one.name)
    };
    done.withheld.iter().map(line).collect()
}

fn verified(proved: &backup::Proof) -> String {
    let mut text = format!(
        "✓ {} ({}) restored and compared, byte by byte; {} indexed\n",
        count(proved.files, "file"),
        bytes(proved.bytes),
        count(proved.notes, "note")
    );
    if proved.changed_since.is_empty() {
        text.push_str(&format!("✓ {} answered as here\n", count(proved.questions, "question")));
    } else {
        let changed = count(proved.changed_since.len(), "file");
        text.push_str(&format!(
            "  {changed} here changed since, such as {}; answers were not compared\n",
            proved.changed_since[0]
        ));
    }
    text
}
