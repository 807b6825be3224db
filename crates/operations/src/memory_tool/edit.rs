//! What changes files. A change is made of what the model may see, and put in its place only if that still stands there.

use mindfile::notes::{self, Changed};

use super::view::numbered;
use super::{FOLDER, ROOT, Stored, ToolPath, find};
use crate::caller::Caller;
use crate::failure::{Class, Failure};

/// How often a change is made anew where somebody else writes the file at the same moment.
const ATTEMPTS: usize = 5;
/// Lines before and after a change that are shown.
const AROUND: usize = 2;

pub(super) fn create(caller: &Caller<'_>, path: &str, text: &str) -> Result<String, Failure> {
    let place = ToolPath::parse(path)?;
    let taken = || Failure::usage(format!("File {path} already exists"));
    if find(caller, &place)?.is_some() {
        return Err(taken());
    }
    match notes::put(caller.memory, caller.viewer, &place.note(), text, None)? {
        Changed::Made(_) => Ok(format!("File created successfully at: {path}")),
        Changed::Other(_) => Err(taken()),
    }
}

pub(super) fn replace(caller: &Caller<'_>, path: &str, old: &str, new: &str) -> Result<String, Failure> {
    change(caller, path, &|text| {
        let found = starts(text, old);
        let [at] = found[..] else {
            return Err(Failure::usage(misses(text, path, old, &found)));
        };
        let whole = [&text[..at], new, &text[at + old.len()..]].concat();
        let lines: Vec<&str> = whole.split('\n').collect();
        let changed = line_of(text, at);
        let first = changed.saturating_sub(AROUND + 1);
        let around = (first + 1..).zip(&lines[first..(changed + AROUND).min(lines.len())]);
        let snippet: Vec<String> = around.map(|(number, line)| numbered(number, line)).collect();
        let head =
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):";
        let told = format!("{head}\n{}", snippet.join("\n"));
        Ok((whole, told))
    })
}

/// Why a text is not replaced: it is not there, or not only once.
fn misses(text: &str, path: &str, old: &str, found: &[usize]) -> String {
    if found.is_empty() {
        return format!("No replacement was performed, old_str `{old}` did not appear verbatim in {path}.");
    }
    let lines: Vec<String> = found.iter().map(|at| line_of(text, *at).to_string()).collect();
    let lines = lines.join(", ");
    format!(
        "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please ensure it is unique"
    )
}

/// Where a text begins in another, also where it overlaps itself.
fn starts(text: &str, part: &str) -> Vec<usize> {
    let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    places.filter(|at| text[*at..].starts_with(part)).collect()
}

/// Counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

pub(super) fn insert(caller: &Caller<'_>, path: &str, after: i64, new: &str) -> Result<String, Failure> {
    change(caller, path, &|text| {
        let mut lines: Vec<&str> = text.split('\n').collect();
        if lines.last() == Some(&"") {
            lines.pop();
        }
        let most = lines.len();
        let at = usize::try_from(after).ok().filter(|at| *at <= most).ok_or_else(|| {
            Failure::usage(format!(
                "Invalid `insert_line` parameter: {after}. It should be within the range [0, {most}]."
            ))
        })?;
        lines.insert(at, new.trim_end_matches('\n'));
        let whole = lines.join("\n");
        let end = if whole.ends_with('\n') { "" } else { "\n" };
        Ok((whole + end, format!("The file {path} has been edited.")))
    })
}

/// A text with what is told of its change.
type Edited = Result<(String, String), Failure>;

fn change(caller: &Caller<'_>, path: &str, edit: &dyn Fn(&str) -> Edited) -> Result<String, Failure> {
    let place = ToolPath::parse(path)?;
    for _ in 0..ATTEMPTS {
        let (text, hash) = match find(caller, &place)? {
            Some(Stored::File { text, hash }) => (text, hash),
            Some(Stored::Folder(_)) => {
                return Err(Failure::usage(format!("The path {path} is not a file.")));
            }
            None => {
                let message = format!("The path {path} does not exist. Please provide a valid path.");
                return Err(Failure::usage(message));
            }
        };
        let (whole, told) = edit(&text)?;
        if let Changed::Made(_) =
            notes::put(caller.memory, caller.viewer, &place.note(), &whole, Some(&hash))?
        {
            return Ok(told);
        }
    }
    Err(busy(path))
}

pub(super) fn delete(caller: &Caller<'_>, path: &str) -> Result<String, Failure> {
    let place = ToolPath::parse(path)?;
    if place.is_root() {
        return Err(Failure::usage(format!("Cannot delete the {ROOT} directory itself")));
    }
    let missing = || Failure::usage(format!("The path {path} does not exist"));
    for (note, hash) in held(caller, &place)?.ok_or_else(missing)? {
        if let Changed::Other(_) = notes::remove(caller.memory, caller.viewer, &note, &hash)? {
            return Err(busy(path));
        }
    }
    Ok(format!("Successfully deleted {path}"))
}

pub(super) fn rename(caller: &Caller<'_>, old: &str, new: &str) -> Result<String, Failure> {
    let (from, to) = (ToolPath::parse(old)?, ToolPath::parse(new)?);
    if from.is_root() {
        return Err(Failure::usage(format!("Cannot rename the {ROOT} directory itself")));
    }
    if find(caller, &to)?.is_some() {
        return Err(Failure::usage(format!("The destination {new} already exists")));
    }
    let missing = || Failure::usage(format!("The path {old} does not exist"));
    let is_file = matches!(find(caller, &from)?, Some(Stored::File { .. }));
    for (note, hash) in held(caller, &from)?.ok_or_else(missing)? {
        let path = match is_file {
            true => to.note(),
            false => format!("{FOLDER}/{}/{}", to.rest, &note[from.folder().len()..]),
        };
        if let Changed::Other(_) = notes::rename(caller.memory, caller.viewer, (&note, &path), &hash)? {
            return Err(busy(old));
        }
    }
    Ok(format!("Successfully renamed {old} to {new}"))
}

/// The notes at a place with their hashes; none if nothing is there.
fn held(caller: &Caller<'_>, place: &ToolPath) -> Result<Option<Vec<(String, String)>>, Failure> {
    let listed = match find(caller, place)? {
        None => return Ok(None),
        Some(Stored::File { hash, .. }) => return Ok(Some(vec![(place.note(), hash)])),
        Some(Stored::Folder(listed)) => listed,
    };
    let hash = |path: String| {
        let read = notes::read(caller.memory, caller.viewer, &path, 1, Some(1))?;
        let large = || Failure::usage(format!("{path} is too large to be changed at once"));
        let hash = read.hash.ok_or_else(large)?;
        Ok((path, hash))
    };
    let held: Result<Vec<_>, Failure> = listed.into_iter().map(|note| hash(note.path)).collect();
    held.map(Some)
}

fn busy(path: &str) -> Failure {
    Failure::new(Class::Conflict, format!("{path} was changed by someone else meanwhile"))
}
