//! Looking around: notes, the index, and vectors.

use std::sync::{Arc, mpsc};

use mindfile::notes;
use mindfile::vectors;
use mindfile_care::doctor::{self, Finding, Severity};
use mindfile_care::status;

use crate::ask::{self, Input};
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;
use mindfile_operations::spelling::Program;

pub(crate) fn notes(desk: &Desk, asked: &ask::Notes) -> Result<wire::NoteList, Failure> {
    let mut listed = notes::list(&desk.memory, desk.viewer(asked.chat_type))?;
    if let Some(prefix) = &asked.prefix {
        listed.retain(|note| note.path.starts_with(prefix.as_str()));
    }
    Ok(wire::NoteList::new(&listed, asked.offset, asked.limit.unwrap_or(usize::MAX)))
}

/// One object for each agent, as on the command line; a server has one.
pub(crate) fn status(desk: &Desk, asked: &ask::Status) -> Result<Vec<wire::Agent>, Failure> {
    Ok(vec![wire::Agent::new(&status::of(&desk.memory, asked.deep)?)])
}

pub(crate) fn doctor(desk: &Desk, _: &ask::Nothing) -> Result<wire::Examined, Failure> {
    let findings = doctor::examine(&desk.memory, false, &desk.warnings)?;
    let well = !findings.iter().any(|finding: &Finding| finding.severity == Severity::Problem);
    Ok(wire::Examined::new(well, &findings, &Program))
}

#[expect(clippy::unnecessary_wraps, reason = "every operation of the table may fail")]
pub(crate) fn index_state(desk: &Desk, _: &ask::Nothing) -> Result<wire::Started, Failure> {
    Ok(desk.hub.state(false))
}

/// Begins to index, unless that is under way; the events tell how far it is.
pub(crate) fn start_index(desk: &Arc<Desk>, asked: ask::Index) -> wire::Started {
    let (tell, told) = mpsc::channel();
    let worker = Arc::clone(desk);
    std::thread::spawn(move || {
        let running = worker.hub.begin();
        // Once this is told, whoever asks sees it run until it is done.
        if tell.send(running.is_some()).is_ok()
            && let Some(running) = running
        {
            drop(running.index(&worker.memory, asked.force));
        }
    });
    desk.hub.state(told.recv().unwrap_or(false))
}

pub(crate) fn embeddings(_: &Desk, asked: &ask::Embeddings) -> Result<wire::Embedded, Failure> {
    let texts: Vec<&str> = match &asked.input {
        Input::One(text) => vec![text],
        Input::Many(texts) => texts.iter().map(String::as_str).collect(),
    };
    if !(1..=2048).contains(&texts.len()) {
        return Err(Failure::usage(format!("input has {} texts; it must have 1 to 2048", texts.len())));
    }
    let made = vectors::embedded(&texts)?;
    match asked.dimensions {
        Some(wanted) if wanted != made.dims => {
            Err(Failure::usage(format!("dimensions is {wanted}; the model has {}", made.dims)))
        }
        Some(_) | None => Ok(wire::Embedded::new(made, asked.encoding_format)),
    }
}
