//! Private notes: whether they are encrypted, and whether they can be opened.

use mindfile_note::{chunk, text};

use super::Patient;
use super::finding::{Diagnosis, good, names, problem, warning};
use mindfile::fact::Sensitivity;
use mindfile::private;
use mindfile::wording;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::{PrivateForm, Scan, Workspace};

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) {
    let Some((workspace, scan)) = patient.seen.both() else { return };
    let Ok(notes) = workspace.private_notes() else { return };
    let named = |clear: bool| -> Vec<String> {
        let wanted = notes.iter().filter(|note| (note.kept != PrivateForm::Encrypted) == clear);
        wanted.map(|note| note.path.to_string()).collect()
    };
    let clear = named(true);
    let encrypted = named(false);
    found.extend(in_clear(patient, &clear));
    found.extend(opened(patient, encrypted.len()));
    found.extend(lines(patient, workspace, scan));
}

fn in_clear(patient: &Patient<'_>, clear: &[String]) -> Option<Diagnosis> {
    if clear.is_empty() {
        return None;
    }
    let count = wording::count(clear.len() as u64, "private note");
    let what = format!("{count} not encrypted yet: {}", names(clear));
    let effect = "whoever reads the disk or a backup of it reads them; they are in no index";
    Some(warning(what, effect).by(patient.run("encrypt", &[("all", "")])))
}

fn opened(patient: &Patient<'_>, encrypted: usize) -> Option<Diagnosis> {
    if encrypted == 0 {
        return None;
    }
    let notes = wording::count(encrypted as u64, "private note");
    Some(match patient.memory.vault.keys() {
        Ok(_) => good(format!("{notes} encrypted, and the key is at hand")),
        Err(error) => {
            let effect = format!("{notes} cannot be read or searched; everything else works");
            let hint = private::key_hint(&error).unwrap_or_default();
            problem(
                wording::with_cause(&error),
                if hint.is_empty() { effect } else { format!("{effect}. {hint}") },
            )
        }
    })
}

/// Lines that a hand wrote into ordinary notes.
fn lines(patient: &Patient<'_>, workspace: &Workspace, scan: &Scan) -> Option<Diagnosis> {
    let mut paths = Vec::new();
    let mut count = 0;
    for note in &scan.files {
        let high = workspace.read(&note.path, NOTE_LIMIT).map_or(0, |read| confidential(&read.bytes));
        if high > 0 {
            count += high;
            paths.push(note.path.to_string());
        }
    }
    let first = paths.first()?;
    let what = format!("{} with sens=high in clear: {}", wording::are(count, "fact"), names(&paths));
    let effect = "they are on the disk and in the index as they are written";
    Some(warning(what, effect).by(patient.run("encrypt", &[("path", first)])))
}

fn confidential(bytes: &[u8]) -> u64 {
    let decoded = text::decode(bytes);
    if !decoded.to_ascii_lowercase().contains("sens") {
        return 0;
    }
    let facts = chunk::facts(&decoded);
    facts.iter().filter(|placed| placed.fact.sensitivity() == Some(Sensitivity::High)).count() as u64
}
