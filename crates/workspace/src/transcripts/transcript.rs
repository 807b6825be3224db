//! A conversation as it was written down. Reading is total: an unreadable line is reported, and the rest is used.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::ops::RangeInclusive;

use jiff::Timestamp;
use serde_json::Value;

use super::entry::{self, Body, Compaction, Entry, FlushMark, Header, Message, Parent};

#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    pub session: String,
    pub entries: Vec<PlacedEntry>,
    pub damage: Vec<Damage>,
}

/// An entry and the line it stands in, counted from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedEntry {
    pub line: u32,
    pub entry: Entry,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    pub line: u32,
    pub what: String,
    /// It is the last line and has no end: a write was cut off.
    pub torn: bool,
}

/// Reads the bytes of a transcript, as they are.
pub fn read(session: &str, bytes: &[u8]) -> Transcript {
    read_from(session, bytes, 1, &|_, _| {})
}

/// Where a line begins, counted from 1. None: there are not so many.
pub fn line_start(bytes: &[u8], line: u32) -> Option<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(ends).nth(usize::try_from(line.checked_sub(1)?).ok()?)
}

/// The lines of each range, counted from 1; the ranges are in order by their beginnings and may overlap. No more is read
/// than they ask for.
pub(super) fn lines_in(mut from: impl BufRead, ranges: &[RangeInclusive<u32>]) -> io::Result<Vec<Vec<u8>>> {
    let mut found = vec![Vec::new(); ranges.len()];
    let last = ranges.iter().map(|range| *range.end()).max().unwrap_or(0);
    let mut line = 1;
    while line <= last {
        let buffer = from.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let end = memchr::memchr(b'\n', buffer).map(|at| at + 1);
        let part = &buffer[..end.unwrap_or(buffer.len())];
        for (_, bytes) in ranges.iter().zip(&mut found).filter(|(range, _)| range.contains(&line)) {
            bytes.extend_from_slice(part);
        }
        let length = part.len();
        from.consume(length);
        line += u32::from(end.is_some());
    }
    Ok(found)
}

/// A part of a transcript that begins with the line `first`, each line changed before it is understood.
pub(super) fn read_from(
    session: &str,
    bytes: &[u8],
    first: u32,
    change: &dyn Fn(&[u8], &mut Value),
) -> Transcript {
    let mut transcript = Transcript { session: session.to_owned(), entries: Vec::new(), damage: Vec::new() };
    let ended = bytes.ends_with(b"\n");
    let mut lines = bytes.split(|byte| *byte == b'\n').zip(first..).peekable();
    while let Some((line, number)) = lines.next() {
        let torn = lines.peek().is_none() && !ended;
        if !line.trim_ascii().is_empty() {
            transcript.take(line, number, torn, change);
        }
    }
    transcript
}

impl Transcript {
    fn take(&mut self, bytes: &[u8], line: u32, torn: bool, change: &dyn Fn(&[u8], &mut Value)) {
        let parsed = serde_json::from_slice::<Value>(bytes).map(|mut value| {
            change(bytes, &mut value);
            value
        });
        let entry = parsed
            .map_err(|error| error.to_string())
            .and_then(|value| entry::read(&value).ok_or_else(|| "not an object with a type".to_owned()));
        match entry {
            Ok(entry) => self.entries.push(PlacedEntry { line, entry }),
            Err(what) => self.damage.push(Damage { line, what, torn }),
        }
    }

    pub fn header(&self) -> Option<&Header> {
        self.entries.iter().find_map(|placed| {
            if let Body::Header(header) = &placed.entry.body { Some(header) } else { None }
        })
    }

    /// The conversation that the last entry belongs to, in order. Where the parent of an entry is lost, the line before
    /// takes its place, so that nothing before it is.
    pub fn path(&self) -> Vec<&PlacedEntry> {
        let ids: HashMap<&str, usize> = self
            .entries
            .iter()
            .enumerate()
            .filter_map(|(at, placed)| Some((placed.entry.id.as_deref()?, at)))
            .collect();
        let mut path = Vec::new();
        let mut next = self.entries.len().checked_sub(1);
        while let Some(at) = next {
            let placed = &self.entries[at];
            path.push(placed);
            let before = at.checked_sub(1);
            next = match &placed.entry.parent {
                Parent::Unsaid => before,
                Parent::None => None,
                Parent::Id(id) => ids.get(id.as_str()).copied().filter(|parent| *parent < at).or(before),
            };
        }
        path.reverse();
        path
    }

    /// The messages of the conversation, whether compacted or not.
    pub fn messages(&self) -> impl Iterator<Item = (&PlacedEntry, &Message)> {
        self.path().into_iter().filter_map(|placed| Some((placed, placed.entry.message()?)))
    }

    pub fn compactions(&self) -> u64 {
        self.path().iter().filter(|placed| placed.entry.compaction().is_some()).count() as u64
    }

    /// The last flush that was noted.
    pub fn flush(&self) -> Option<&FlushMark> {
        self.path().into_iter().rev().find_map(|placed| placed.entry.flush())
    }

    pub fn last_at(&self) -> Option<Timestamp> {
        self.entries.iter().rev().find_map(|placed| placed.entry.at)
    }

    pub fn first_at(&self) -> Option<Timestamp> {
        self.entries.iter().find_map(|placed| placed.entry.at)
    }
}

impl Entry {
    pub fn message(&self) -> Option<&Message> {
        if let Body::Message(message) = &self.body { Some(message) } else { None }
    }

    pub fn compaction(&self) -> Option<&Compaction> {
        if let Body::Compaction(compaction) = &self.body { Some(compaction) } else { None }
    }

    pub fn flush(&self) -> Option<&FlushMark> {
        if let Body::Flush(mark) = &self.body { Some(mark) } else { None }
    }
}
