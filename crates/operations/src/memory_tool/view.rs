//! What a folder holds, and what a file says.

use std::collections::BTreeMap;

use mindfile::notes::NoteSummary;

use super::{Stored, ToolPath, find};
use crate::caller::Caller;
use crate::failure::Failure;

const MOST_LINES: usize = 999_999;
/// Of the number before a line.
const WIDTH: usize = 6;
const DEPTH: usize = 2;

pub(super) fn view(caller: &Caller<'_>, path: &str, range: Option<&[i64]>) -> Result<String, Failure> {
    let place = ToolPath::parse(path)?;
    match find(caller, &place)? {
        Some(Stored::File { text, .. }) => content(caller, &place, &text, range),
        Some(Stored::Folder(notes)) => Ok(listing(&place, &notes)),
        None => Err(Failure::usage(format!("The path {path} does not exist. Please provide a valid path."))),
    }
}

fn content(
    caller: &Caller<'_>,
    place: &ToolPath,
    text: &str,
    range: Option<&[i64]>,
) -> Result<String, Failure> {
    let lines: Vec<&str> = text.split('\n').collect();
    let asked = &place.asked;
    if lines.len() > MOST_LINES {
        return Err(Failure::usage(format!("File {asked} exceeds maximum line limit of 999,999 lines.")));
    }
    let (first, last) = match range {
        Some(&[first, last]) => (at(first).max(1) - 1, if last == -1 { lines.len() } else { at(last) }),
        Some(_) | None => (0, lines.len()),
    };
    let last = last.min(lines.len());
    let note = place.note();
    // A model reads what nobody trusts in an envelope; each line has its own, so that the numbers stay right.
    let is_trusted = caller.memory.shown(&note, text)? == text;
    let mut shown = Vec::new();
    for (number, line) in (first + 1..).zip(lines.get(first..last).unwrap_or_default()) {
        let line = if is_trusted { (*line).to_owned() } else { caller.memory.shown(&note, line)? };
        shown.push(numbered(number, &line));
    }
    Ok(format!("Here's the content of {asked} with line numbers:\n{}", shown.join("\n")))
}

pub(super) fn numbered(number: usize, line: &str) -> String {
    format!("{number:>WIDTH$}\t{line}")
}

fn at(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}

/// A folder with the bytes of all that is in it, or a file.
#[derive(Default)]
struct FolderTree {
    bytes: u64,
    inner: BTreeMap<String, Self>,
}

fn listing(place: &ToolPath, notes: &[NoteSummary]) -> String {
    let mut root = FolderTree::default();
    for note in notes {
        let rest = shown_name(&note.path[place.folder().len()..]);
        root.add(rest.split('/'), note.bytes);
    }
    let asked = &place.asked;
    let mut lines = vec![format!("{}\t{asked}", size(root.bytes))];
    root.list(asked, 1, &mut lines);
    format!(
        "Here're the files and directories up to 2 levels deep in {asked}, excluding hidden items:\n{}",
        lines.join("\n")
    )
}

/// `plan.txt` of the note `plan.txt.md`; a note without another ending keeps its own.
fn shown_name(path: &str) -> &str {
    let stem = path.strip_suffix(".md").unwrap_or(path);
    let name = stem.rsplit('/').next().unwrap_or(stem);
    if name.contains('.') { stem } else { path }
}

impl FolderTree {
    fn add<'p>(&mut self, mut path: impl Iterator<Item = &'p str>, bytes: u64) {
        self.bytes += bytes;
        if let Some(name) = path.next() {
            self.inner.entry(name.to_owned()).or_default().add(path, bytes);
        }
    }

    fn list(&self, above: &str, depth: usize, lines: &mut Vec<String>) {
        for (name, node) in &self.inner {
            let path = format!("{}/{name}", above.trim_end_matches('/'));
            let end = if node.inner.is_empty() { "" } else { "/" };
            lines.push(format!("{}\t{path}{end}", size(node.bytes)));
            if depth < DEPTH {
                node.list(&path, depth + 1, lines);
            }
        }
    }
}

/// `0B`, `512B`, `1.5K`: a whole number has no point.
fn size(bytes: u64) -> String {
    let step = (bytes.max(1).ilog2() / 10).min(3);
    let unit = ["B", "K", "M", "G"][step as usize];
    let value = bytes as f64 / f64::from(1_u32 << (10 * step));
    if value.fract() == 0.0 { format!("{value:.0}{unit}") } else { format!("{value:.1}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_the_tool_writes_them() {
        let all: Vec<String> = [0, 1, 1023, 1024, 1536, 2048, 1 << 20, (1 << 30) * 5].map(size).to_vec();
        assert_eq!(all, ["0B", "1B", "1023B", "1K", "1.5K", "2K", "1M", "5G"]);
    }

    #[test]
    fn a_file_is_shown_by_the_name_that_it_was_given() {
        let names = ["a.md", "a.txt.md", "b/c.json.md", "b.c/d.md"].map(shown_name);
        assert_eq!(names, ["a.md", "a.txt", "b/c.json", "b.c/d.md"]);
    }
}
