//! `mindfile edit`, `mindfile trust` and `mindfile delete`

use std::io::Write;
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::forget::What;
use mindfile::origin::Origin;

use super::{Run, forget};
use crate::arguments::{Delete, Edit, Trust};
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, controls, json};

pub(super) fn edit(asked: &Edit, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = environment::memory(run.globals, run.screen)?;
    if let Some(origin) = asked.origin {
        set_origin(&memory, &asked.id, origin.into(), run)?;
    }
    if asked.text.is_none() && asked.origin.is_some() {
        return Ok(ExitCode::SUCCESS);
    }
    let text = match &asked.text {
        Some(text) => text.clone(),
        None => in_editor(&memory.inspect(&asked.id, None)?.fact.text)?,
    };
    let edited = memory.edit(&asked.id, &text)?;
    if run.screen.json {
        output::json(&json::Edited::new(&edited))?;
    } else {
        output::text(&controls::edited(&edited))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn trust(asked: &Trust, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = environment::memory(run.globals, run.screen)?;
    set_origin(&memory, &asked.id, Origin::Owner, run)?;
    Ok(ExitCode::SUCCESS)
}

fn set_origin(memory: &Memory, id: &str, origin: Origin, run: &Run<'_>) -> Result<(), Failure> {
    let trusted = memory.trust(id, origin)?;
    if run.screen.json {
        output::json(&json::TrustGiven::new(&trusted))?;
    } else {
        output::text(&controls::trusted(&trusted))?;
    }
    Ok(())
}

pub(super) fn delete(asked: &Delete, run: &Run<'_>) -> Result<ExitCode, Failure> {
    forget::carry_out(What::Fact(asked.id.clone()), &asked.sure, run)
}

/// The text as the person leaves it in an editor, in one line.
fn in_editor(text: &str) -> Result<String, Failure> {
    let Some(editor) = environment::editor() else {
        let message = "there is no text, and $EDITOR names no editor".to_owned();
        let hint = "say it here: mindfile edit ID --text \"…\"".to_owned();
        return Err(Failure::Usage { message, hint });
    };
    let io = |source| Failure::File { path: editor.clone(), source };
    let mut file = tempfile::Builder::new().prefix("mindfile-").suffix(".md").tempfile().map_err(io)?;
    file.write_all(format!("{text}\n").as_bytes()).map_err(io)?;
    let (program, words) = editor.split_once(' ').unwrap_or((&editor, ""));
    let status = std::process::Command::new(program)
        .args(words.split_whitespace())
        .arg(file.path())
        .status()
        .map_err(io)?;
    if !status.success() {
        return Err(io(std::io::Error::other(format!(
            "the editor ended with {status}; nothing was changed"
        ))));
    }
    let new = std::fs::read_to_string(file.path()).map_err(io)?;
    Ok(new.split_whitespace().collect::<Vec<_>>().join(" "))
}
