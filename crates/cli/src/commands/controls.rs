//! `mindfile edit`, `mindfile trust` and `mindfile delete`

use std::io::Write;
use std::process::ExitCode;

use mindfile::Memory;
use mindfile::fact::FactRecord;
use mindfile::forget::What;
use mindfile::origin::Origin;
use mindfile::private::is_private;

use super::{Run, forget};
use crate::arguments::{Delete, Edit, Trust};
use crate::environment;
use crate::failure::Failure;
use crate::output::{self, controls, json};

/// What to do where no editor can be used.
const SAY_IT: &str = "say it here: mindfile edit ID --text \"…\"";

pub(super) fn edit(asked: &Edit, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    if let Some(origin) = asked.origin {
        set_origin(&memory, &asked.id, origin.into(), run)?;
    }
    if asked.text.is_none() && asked.origin.is_some() {
        return Ok(ExitCode::SUCCESS);
    }
    let text = match &asked.text {
        Some(text) => text.clone(),
        None => in_editor(&memory.inspect(&asked.id, None)?.fact)?,
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
    let memory = run.memory()?;
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
fn in_editor(fact: &FactRecord) -> Result<String, Failure> {
    if is_private(&fact.path) {
        let message = format!("{} is private, and an editor would have it in a file in clear", fact.path);
        return Err(Failure::usage(message).hint(SAY_IT));
    }
    let Some(editor) = environment::editor() else {
        let message = "there is no text, and $EDITOR names no editor".to_owned();
        return Err(Failure::usage(message).hint(SAY_IT));
    };
    let io = |source: std::io::Error| Failure::file(&editor, &source);
    let mut file = tempfile::Builder::new().prefix("mindfile-").suffix(".md").tempfile().map_err(io)?;
    file.write_all(format!("{}\n", fact.text).as_bytes()).map_err(io)?;
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
