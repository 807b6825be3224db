//! `mindfile entities`

use std::path::Path;
use std::process::ExitCode;

use mindfile::fact::graph::{Entity, Graph, draw};
use mindfile::{Error, Memory, fact};
use mindfile_operations::{Caller, ListEntities, Operation, ReadEntity};
use serde::Serialize;

use super::Run;
use crate::arguments::Entities;
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, clean};

pub(super) fn run(asked: &Entities, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    match &asked.name {
        None => run.print(&ListEntities { limit: asked.limit }.run(&Caller::person(&memory))?, &memory),
        Some(name) => one(name, asked, &memory, run),
    }
}

fn one(name: &str, asked: &Entities, memory: &Memory, run: &Run<'_>) -> Result<ExitCode, Failure> {
    if asked.dot {
        output::text(&drawn(name, memory, draw::dot)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(file) = &asked.svg {
        return save(file, &drawn(name, memory, draw::svg)?, run);
    }
    if let Some(other) = &asked.alias {
        let page = fact::alias_entity(memory, name, other)?;
        return changed(&format!("@{other} means @{name} from now on"), vec![page], run);
    }
    if let Some(other) = &asked.merge_into {
        let page = fact::merge_entities(memory, name, other)?;
        return changed(&format!("@{name} counts for @{other} from now on"), vec![page], run);
    }
    if let Some(new) = &asked.rename {
        let notes = memory.rename_entity(name, new)?.notes;
        let where_to = count(notes.len(), "note");
        return changed(&format!("@{name} is @{new} in {where_to}"), notes, run);
    }
    let read = ReadEntity { name: name.to_owned(), chat_type: None, limit: asked.limit };
    run.print(&read.run(&Caller::person(memory))?, memory)
}

fn drawn(name: &str, memory: &Memory, draw: fn(&Graph, Entity) -> String) -> Result<String, Failure> {
    let known = memory.entity(name)?.entity.name;
    let graph = memory.entity_graph()?;
    let unknown = || fact::Error::NoEntity { name: name.to_owned(), near: None };
    let entity = graph.find(&known).ok_or_else(|| Error::from(unknown()))?;
    Ok(draw(&graph, entity))
}

fn save(file: &Path, picture: &str, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let wrong = |source: std::io::Error| Failure::file(&file.display(), &source);
    mindfile::durable::replace(file, picture.as_bytes()).map_err(wrong)?;
    changed("Drawn", vec![file.display().to_string()], run)
}

fn changed(words: &str, files: Vec<String>, run: &Run<'_>) -> Result<ExitCode, Failure> {
    if run.screen.json {
        output::json(&EntityChanged { ok: true, files })?;
    } else {
        output::text(&format!("✓ {words} ({})\n", clean::text(&files.join(", "))))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a change of an entity, or a picture of one, was written to.
#[derive(Debug, Serialize)]
struct EntityChanged {
    ok: bool,
    files: Vec<String>,
}
