//! A note as a person reads it: its blocks, whose word they are, and where its links lead.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use mindfile_note::blocks::{self, Content, NoteBlock, Span};
use mindfile_note::{date, text};

use super::{list, readable};
use crate::collection;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::viewer::Viewer;
use mindfile_trust::audit::What;
use mindfile_workspace::NOTE_LIMIT;

/// So much of a note is read to find what it is called.
const HEAD: u64 = 256 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// As it is cited.
    pub path: String,
    pub title: Option<String>,
    /// Of a daily note.
    pub day: Option<Date>,
    pub modified: Option<Timestamp>,
    pub lines: u32,
    pub blocks: Vec<RenderedBlock>,
    /// The notes that its links lead to, by what is written in the link.
    pub links: HashMap<String, String>,
    /// There is more in the file than is read at once.
    pub truncated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedBlock {
    pub block: NoteBlock,
    /// Whether somebody answers for each of its lines.
    pub is_trusted: bool,
}

/// What a note is called, and the heading under which a line of it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Titled {
    pub title: Option<String>,
    pub heading: Option<String>,
}

/// A whole memory file.
pub fn rendered(corpus: &Corpus, viewer: Viewer, path: &str) -> Result<Rendered, Error> {
    let (workspace, note, shown) = readable(corpus, viewer, path)?;
    corpus.check_note(viewer, note.as_str())?;
    let bytes = workspace.read(&note, NOTE_LIMIT)?;
    let text = text::decode(&bytes.bytes);
    let text = corpus.policy.cover(&text);
    corpus.audit_seen(What::Note, &shown, &text);
    let (judge, place) = (corpus.judge()?, collection::place(corpus, path));
    let trusted: Vec<bool> = text::lines(&text).map(|line| place.origin(&judge, line).is_trusted()).collect();
    let blocks = blocks::read(&text);
    let links = links(corpus, viewer, &shown, &blocks)?;
    let one = |block: NoteBlock| {
        let lines = block.line as usize - 1..block.last as usize;
        RenderedBlock { is_trusted: trusted.get(lines).is_none_or(|lines| lines.iter().all(|is| *is)), block }
    };
    Ok(Rendered {
        title: blocks::title(&text),
        day: date::of_path(&shown),
        modified: Timestamp::from_nanosecond(i128::from(bytes.stat.mtime_ns)).ok(),
        lines: u32::try_from(trusted.len()).unwrap_or(u32::MAX),
        blocks: blocks.into_iter().map(one).collect(),
        links,
        truncated: bytes.truncated,
        path: shown,
    })
}

/// A text as it would be read as a note. It is nobody's yet, and its links lead nowhere.
pub fn preview(corpus: &Corpus, text: &str) -> Rendered {
    let text = corpus.policy.cover(text);
    let blocks = blocks::read(&text).into_iter().map(|block| RenderedBlock { block, is_trusted: true });
    Rendered {
        path: String::new(),
        title: blocks::title(&text),
        day: None,
        modified: None,
        lines: u32::try_from(text::lines(&text).count()).unwrap_or(u32::MAX),
        blocks: blocks.collect(),
        links: HashMap::new(),
        truncated: false,
    }
}

/// What a note is called; with the heading over a line, if one is named.
pub fn titled(corpus: &Corpus, viewer: Viewer, path: &str, line: Option<u32>) -> Result<Titled, Error> {
    let (workspace, note, _) = readable(corpus, viewer, path)?;
    corpus.check_note(viewer, note.as_str())?;
    let bytes = workspace.read(&note, HEAD)?;
    let text = text::decode(&bytes.bytes);
    let text = corpus.policy.cover(&text);
    let heading = line.and_then(|line| blocks::heading(&blocks::read(&text), line));
    Ok(Titled { title: blocks::title(&text), heading })
}

/// Where the links of a note lead that name another note.
fn links(
    corpus: &Corpus,
    viewer: Viewer,
    from: &str,
    blocks: &[NoteBlock],
) -> Result<HashMap<String, String>, Error> {
    let mut targets: Vec<&str> =
        blocks.iter().flat_map(spans).filter_map(|span| span.target.as_deref()).collect();
    targets.retain(|target| !target.contains("://") && !target.starts_with('#'));
    if targets.is_empty() {
        return Ok(HashMap::new());
    }
    let notes: Vec<String> = list(corpus, viewer)?.into_iter().map(|note| note.path).collect();
    let named: HashMap<String, &str> = notes.iter().rev().map(|path| (stem(path), path.as_str())).collect();
    let lead = |target: &str| {
        let plain = target.split('#').next().unwrap_or(target).trim();
        let beside = joined(from, plain);
        let places = [beside.clone(), format!("{beside}.md"), plain.to_owned(), format!("{plain}.md")];
        let placed = notes.iter().find(|note| places.contains(note));
        placed.cloned().or_else(|| named.get(&plain.to_lowercase()).map(|path| (*path).to_owned()))
    };
    Ok(targets.into_iter().filter_map(|target| Some((target.to_owned(), lead(target)?))).collect())
}

fn stem(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".md").unwrap_or(name).to_lowercase()
}

/// A relative path, seen from a note.
fn joined(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn spans(block: &NoteBlock) -> Vec<&Span> {
    match &block.content {
        Content::Heading { said, .. }
        | Content::Paragraph(said)
        | Content::Item { said, .. }
        | Content::Cited { said, .. } => said.iter().collect(),
        Content::Fact(fact) => fact.said.iter().collect(),
        Content::Table(rows) => rows.iter().flatten().flatten().collect(),
        Content::Field { .. } | Content::Code { .. } | Content::Markup(_) | Content::Rule => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_seen_from_its_note() {
        assert_eq!(joined("memory/people/sarah.md", "../pixel.md"), "memory/pixel.md");
        assert_eq!(joined("MEMORY.md", "./memory/a.md"), "memory/a.md");
        assert_eq!(joined("a.md", "../../b.md"), "b.md");
        assert_eq!(stem("memory/Pixel.md"), "pixel");
    }
}
