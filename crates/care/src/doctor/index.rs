//! The index: whether it can be trusted, whether it is that of these notes, and what lies around it.

use std::path::PathBuf;

use super::Patient;
use super::finding::{Diagnosis, Remedy, good, names, problem, quoted_path, quoted_paths, size, warning};
use crate::Error;
use crate::status::{self, Content, FileSize, Fit, IndexState, Rebuild, files};
use mindfile::store;
use mindfile::wording;
use mindfile_fault::Hint;

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) -> Result<(), Error> {
    found.extend(foreign(patient));
    found.extend(state(patient));
    if patient.looked.state == IndexState::Ready {
        found.extend(patient.content.as_ref().map_or_else(Vec::new, |content| agreement(patient, content)));
        found.extend(held(patient));
        found.extend(fit(patient));
        found.extend(pending(patient));
    }
    found.extend(files::rebuild(&patient.looked.path)?.map(|rebuild| rebuilding(patient, &rebuild)));
    found.extend(aside(patient)?);
    Ok(())
}

fn foreign(patient: &Patient<'_>) -> Option<Diagnosis> {
    let why = patient.looked.why.as_ref()?;
    let is_elsewhere = patient.looked.place != patient.looked.path.display().to_string();
    if patient.looked.engine.is_file() && is_elsewhere {
        let effect = "each command reads the notes again, and what it finds out is lost with it";
        return Some(problem(format!("the index is kept in memory: {why}"), effect).by(unusable(patient)));
    }
    Some(good(format!("{why}; the index is {}", patient.looked.place)))
}

fn state(patient: &Patient<'_>) -> Option<Diagnosis> {
    let path = &patient.looked.place;
    let again = "the notes are not affected: the next search makes the index again, which takes longer";
    let rebuild = |checked: Diagnosis| checked.or(patient.run("index", &[("force", "")]), Remedy::Rebuild);
    match &patient.looked.state {
        IndexState::Ready => Some(whole(patient)),
        IndexState::Absent => absent(patient),
        IndexState::Damaged { what } => {
            Some(rebuild(problem(format!("the index {path} is damaged: {what}"), again)))
        }
        IndexState::Version { found, known } => {
            let age = if found < known { "an older" } else { "a newer" };
            let what = format!(
                "the index {path} was made by {age} mindfile (format {found}, this one knows {known})"
            );
            Some(rebuild(warning(what, again)))
        }
        IndexState::Unusable { what } => {
            let what = format!("the index cannot be used: {what}");
            Some(problem(what, "no search can be answered").by(unusable(patient)))
        }
    }
}

/// What shows more about an index that cannot be opened.
fn unusable(patient: &Patient<'_>) -> Hint {
    let folder = patient.looked.path.parent().unwrap_or(&patient.looked.path);
    match patient.looked.engine.is_file() {
        true => format!("ls -la {}", quoted_path(folder)).into(),
        false => patient.run("config show", &[]),
    }
}

fn whole(patient: &Patient<'_>) -> Diagnosis {
    let chunks = patient.facts.iter().flat_map(|facts| &facts.stats.chunks).map(|(_, count)| count).sum();
    let path = &patient.looked.place;
    good(format!("the index {path} is whole: {} match their checksums", wording::count(chunks, "chunk")))
}

/// No notes need no index.
fn absent(patient: &Patient<'_>) -> Option<Diagnosis> {
    let (_, scan) = patient.seen.both()?;
    if scan.files.is_empty() {
        return None;
    }
    let what = format!("there is no index yet at {}", patient.looked.place);
    Some(
        warning(what, "the first search makes it, which takes longer")
            .or(patient.run("index", &[]), Remedy::Sync),
    )
}

/// Files against index, by content.
fn agreement(patient: &Patient<'_>, content: &Content) -> Vec<Diagnosis> {
    let mut found = Vec::new();
    found.extend(hidden(patient, content));
    found.extend(outdated(patient, content));
    if found.is_empty() && content.read > 0 {
        let count = content.read as u64;
        found.push(good(format!(
            "{} in the index as on the disk, compared by content",
            wording::are(count, "note")
        )));
    }
    found
}

fn hidden(patient: &Patient<'_>, content: &Content) -> Option<Diagnosis> {
    if content.hidden.is_empty() {
        return None;
    }
    let what = format!(
        "{} in the index with another text than on the disk, though size and times are the same: {}",
        wording::are(content.hidden.len() as u64, "note"),
        names(&content.hidden)
    );
    let effect = "searches show text that is not in the notes, and no sync notices";
    Some(problem(what, effect).or(patient.run("index", &[("force", "")]), Remedy::Rebuild))
}

fn outdated(patient: &Patient<'_>, content: &Content) -> Option<Diagnosis> {
    let is_readable = |path: &&String| !content.unreadable.iter().any(|note| note.path == **path);
    let new: Vec<String> = patient.drift.new.iter().filter(is_readable).cloned().collect();
    let parts =
        [(&new, "new"), (&content.changed, "changed"), (&patient.drift.removed, "gone from the disk")];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(paths, _)| !paths.is_empty())
        .map(|(paths, how)| format!("{} {how} ({})", paths.len(), names(paths)))
        .collect();
    if parts.is_empty() {
        return None;
    }
    let what = format!("the index is behind the notes: {}", parts.join(", "));
    let effect = if patient.settings().sync.on_search {
        "the next search brings it up to date first"
    } else {
        "searches answer as if nothing had changed, because sync.onSearch is false"
    };
    Some(warning(what, effect).or(patient.run("index", &[]), Remedy::Sync))
}

/// A person must say whether the notes were deleted or their disk is away.
fn held(patient: &Patient<'_>) -> Option<Diagnosis> {
    let held = &patient.drift.held;
    if held.is_empty() {
        return None;
    }
    let notes = wording::count(held.len() as u64, "note");
    let what =
        format!("{notes} vanished from the workspace at once and stayed in the index: {}", names(held));
    let effect = "searches still find them; if they were deleted on purpose, make the index again";
    Some(warning(what, effect).by(patient.run("index", &[("force", "")])))
}

fn fit(patient: &Patient<'_>) -> Option<Diagnosis> {
    match &patient.fit {
        Fit::Unfilled | Fit::Fits => None,
        Fit::Differs(_) | Fit::Unreadable => {
            let effect = "the next search makes the index again, which takes longer";
            let made = warning(patient.fit.words(), effect);
            Some(made.or(patient.run("index", &[]), Remedy::Sync))
        }
        Fit::Unknown(_) => {
            let made = warning(patient.fit.words(), "searches go by words alone until the model answers");
            Some(made.by(patient.run("status", &[("deep", "")])))
        }
    }
}

fn pending(patient: &Patient<'_>) -> Option<Diagnosis> {
    let pending = status::pending(patient.memory, patient.facts.as_ref());
    if pending == 0 {
        return None;
    }
    let what = format!("{} no vector yet", wording::have(pending, "chunk"));
    let made = warning(what, "found by their words, but not by their meaning");
    Some(made.or(patient.run("index", &[]), Remedy::Sync))
}

fn rebuilding(patient: &Patient<'_>, rebuild: &Rebuild) -> Diagnosis {
    let path = rebuild.path.display();
    if rebuild.running {
        return good(format!(
            "another process makes the index again, in {path}; searches use the present one until then"
        ));
    }
    let what = format!("a rebuild of the index was interrupted and left {path} ({})", size(rebuild.bytes));
    let effect = "it takes space and holds text of the notes; the next rebuild would go on with it";
    delete(patient, warning(what, effect), vec![rebuild.path.clone()])
}

fn aside(patient: &Patient<'_>) -> Result<Vec<Diagnosis>, Error> {
    let mut ours = Vec::new();
    let mut found = Vec::new();
    for file in files::aside(&patient.looked.path)? {
        if files::was_index(&file.path)? {
            ours.push(file);
        } else {
            found.push(odd(&file));
        }
    }
    if !ours.is_empty() {
        found.push(old(patient, ours));
    }
    Ok(found)
}

fn old(patient: &Patient<'_>, aside: Vec<FileSize>) -> Diagnosis {
    let bytes = aside.iter().map(|file| file.bytes).sum();
    let paths: Vec<PathBuf> = aside.into_iter().map(|file| file.path).collect();
    let shown: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let count =
        wording::were(paths.len() as u64, "index that could not be used", "indexes that could not be used");
    let what = format!("{count} set aside ({}): {}", size(bytes), names(&shown));
    delete(patient, warning(what, "takes space and still holds text of the notes"), paths)
}

/// It may be a person's own file, so only a person deletes it.
fn odd(file: &FileSize) -> Diagnosis {
    let what =
        format!("{} stood where the index belongs, but does not look like an index", file.path.display());
    let effect = "it was set aside and is deleted when two more are; keep it elsewhere if it is yours";
    warning(what, effect).by(format!("file {}", quoted_path(&file.path)))
}

fn delete(patient: &Patient<'_>, made: Diagnosis, databases: Vec<PathBuf>) -> Diagnosis {
    let present = databases.iter().flat_map(|path| store::database_files(path)).filter(|file| file.exists());
    let command = format!("rm {}", quoted_paths(&present.collect::<Vec<_>>()));
    made.or(command, Remedy::Delete { index: patient.looked.path.clone(), databases })
}
