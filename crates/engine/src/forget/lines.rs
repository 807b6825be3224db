//! Taking lines out of a note: every other byte, every line end and the encoding stay as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use mindfile_note::text;

use super::choose::Choice;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::reconcile::NOTE_LIMIT;
use crate::workspace::{self, Expect, NotePath, Workspace};

impl Corpus {
    /// Takes the lines out of their notes.
    pub(super) fn erase_lines(&self, choice: &Choice) -> Result<(), Error> {
        let workspace = self.workspace()?;
        for note in &choice.notes {
            let path = workspace.is_memory_path(note)?;
            match workspace.read(&path, NOTE_LIMIT) {
                Ok(read) => workspace.remove(&path, &read.bytes)?,
                Err(workspace::Error::Missing { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        for note in choice.noted() {
            erase(&workspace, &workspace.is_memory_path(&note)?, choice)?;
        }
        Ok(())
    }
}

fn erase(workspace: &Workspace, path: &NotePath, choice: &Choice) -> Result<(), Error> {
    let read = workspace.read(path, NOTE_LIMIT)?;
    let gone: BTreeSet<u32> = choice.lines_of(path.as_str()).map(|line| line.line).collect();
    let decoded = text::decode(&read.bytes);
    let stands = |line: &super::Line| {
        let at = usize::try_from(line.line).unwrap_or(usize::MAX).saturating_sub(1);
        text::lines(&decoded).nth(at) == Some(line.text.as_str())
    };
    // Numbers of lines hold only as long as nobody else writes.
    if read.truncated || !choice.lines_of(path.as_str()).all(stands) {
        return Err(workspace::Error::Conflict { path: path.clone(), kept: None }.into());
    }
    workspace.replace(path, &without(&read.bytes, &gone), Expect::Bytes(&read.bytes))?;
    Ok(())
}

/// The bytes without some lines, counted from 1.
pub(super) fn without(bytes: &[u8], gone: &BTreeSet<u32>) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let mark = mark(bytes);
    kept.extend_from_slice(&bytes[..mark]);
    for (number, range) in (1..).zip(lines(bytes, mark)) {
        if !gone.contains(&number) {
            kept.extend_from_slice(&bytes[range]);
        }
    }
    kept
}

/// How long the byte order mark is.
fn mark(bytes: &[u8]) -> usize {
    match bytes {
        [0xef, 0xbb, 0xbf, ..] => 3,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => 2,
        _ => 0,
    }
}

/// Lines with their ends: LF, CRLF or CR, in UTF-16 as two bytes each.
fn lines(bytes: &[u8], mark: usize) -> Vec<Range<usize>> {
    let unit = if mark == 2 { 2 } else { 1 };
    let big = bytes.first() == Some(&0xfe);
    let at = |place: usize| -> Option<u16> {
        let unit = bytes.get(place..place + unit)?;
        Some(match (unit, big) {
            ([one], _) => u16::from(*one),
            (pair, true) => u16::from(pair[0]) << 8 | u16::from(pair[1]),
            (pair, false) => u16::from(pair[1]) << 8 | u16::from(pair[0]),
        })
    };
    let (mut all, mut start, mut place) = (Vec::new(), mark, mark);
    while let Some(code) = at(place) {
        place += unit;
        let pair = code == u16::from(b'\r') && at(place) == Some(u16::from(b'\n'));
        if code == u16::from(b'\n') || (code == u16::from(b'\r') && !pair) {
            all.push(start..place);
            start = place;
        }
    }
    if start < bytes.len() {
        all.push(start..bytes.len());
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_line_goes_and_every_other_byte_stays() {
        let gone = BTreeSet::from([2]);
        for (before, after) in [
            (&b"a\nb\nc\n"[..], &b"a\nc\n"[..]),
            (b"a\r\nb\r\nc", b"a\r\nc"),
            (b"a\rb\rc", b"a\rc"),
            (b"\xef\xbb\xbfa\nb", b"\xef\xbb\xbfa\n"),
            (b"\xff\xfea\0\n\0b\0\r\0\n\0c\0", b"\xff\xfea\0\n\0c\0"),
            (b"\xfe\xff\0a\0\n\0b", b"\xfe\xff\0a\0\n"),
            (b"a\n\xff\xfe\nc\n", b"a\nc\n"),
        ] {
            assert_eq!(without(before, &gone), after, "{before:?}");
        }
    }

    proptest! {
        #[test]
        fn lines_are_counted_as_notes_are(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let counted = lines(&bytes, mark(&bytes));
            prop_assert_eq!(counted.len(), text::lines(&text::decode(&bytes)).count());
            prop_assert_eq!(without(&bytes, &BTreeSet::new()), bytes);
        }
    }
}
