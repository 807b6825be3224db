//! `mindfile man`

use std::path::Path;
use std::process::ExitCode;

use clap::Command;
use clap_mangen::Man as Page;
use mindfile::durable;
use serde::Serialize;

use super::{Run, tree};
use crate::arguments::Man;
use crate::failure::Failure;
use crate::output;

pub(super) fn run(asked: &Man, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let mut command = tree::command();
    command.build();
    let Some(folder) = &asked.out else {
        output::exact(&page(command, "mindfile")?)?;
        return Ok(ExitCode::SUCCESS);
    };
    let mut written = Vec::new();
    write_all(&command, "mindfile", folder, &mut written)?;
    if run.screen.json {
        output::json(&Pages { ok: true, folder: folder.display().to_string(), pages: written })?;
    } else {
        output::text(&format!("{} pages in {}\n", written.len(), folder.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A page for the command and for each below it.
fn write_all(command: &Command, name: &str, folder: &Path, written: &mut Vec<String>) -> Result<(), Failure> {
    let file = format!("{name}.1");
    let path = folder.join(&file);
    durable::replace(&path, &page(command.clone(), name)?)
        .map_err(|source: std::io::Error| Failure::file(&path.display(), &source))?;
    written.push(file);
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_all(below, &format!("{name}-{}", below.get_name()), folder, written)?;
    }
    Ok(())
}

fn page(command: Command, name: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    Page::new(command).title(name.to_uppercase()).render(&mut bytes)?;
    Ok(bytes)
}

/// What was written.
#[derive(Debug, Serialize)]
struct Pages {
    ok: bool,
    folder: String,
    pages: Vec<String>,
}
