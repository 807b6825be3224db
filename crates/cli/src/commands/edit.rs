//! `mindfile edit`

use std::io::Write;
use std::process::ExitCode;

use mindfile::fact::FactRecord;
use mindfile::private::is_private;
use mindfile_operations::{self as operations, Caller, Operation};

use super::Run;
use crate::arguments::Edit;
use crate::environment;
use crate::failure::Failure;

/// What to do where no editor can be used.
const SAY_IT: &str = "say it here: mindfile edit ID --text \"…\"";

pub(super) fn run(asked: &Edit, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let caller = Caller::person(&memory);
    let id = asked.id.clone();
    let said = asked.text.clone().or_else(|| (!asked.words.is_empty()).then(|| asked.words.join(" ")));
    if asked.origin.is_some() {
        let trusted = operations::Trust { id: id.clone(), origin: asked.origin }.run(&caller)?;
        run.print(&trusted, &memory)?;
        if said.is_none() {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let text = match said {
        Some(text) => text,
        None => in_editor(&memory.inspect(&id, None)?.fact)?,
    };
    run.print(&operations::Edit { id, text }.run(&caller)?, &memory)
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
