//! A digest of a transcript, line by line: after an append it follows from the old digest and the new lines alone,
//! however long the conversation is.

use std::io;

use mindfile_note::hash::Digest;

/// How many lines contents have, by their names: the last ones that were added to.
pub const LENGTHS: &str = "sessions_lengths";
const MOST_LENGTHS: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    pub digest: Digest,
    /// Lines that have an end.
    pub lines: u32,
}

impl Chain {
    pub fn of(bytes: &[u8]) -> Self {
        Self { digest: Digest::of(b""), lines: 0 }.then(bytes)
    }

    /// With more lines. What was before must have ended with the end of a line.
    pub fn then(self, more: &[u8]) -> Self {
        let mut chain = self;
        for line in more.split_inclusive(|byte| *byte == b'\n') {
            chain.digest = chain.digest.then(line);
            chain.lines += u32::from(line.ends_with(b"\n"));
        }
        chain
    }

    /// Of a text, and of its first bytes alone; the text may be shorter.
    pub fn of_grown(bytes: &[u8], first: usize) -> (Self, Self) {
        let (old, more) = bytes.split_at_checked(first).unwrap_or((bytes, &[]));
        let before = Self::of(old);
        let resumes = old.is_empty() || old.ends_with(b"\n");
        (before, if resumes { before.then(more) } else { Self::of(bytes) })
    }

    /// The content of that name, if its length is among those that are known.
    pub fn known(lengths: &str, digest: Digest) -> Option<Self> {
        let name = digest.to_string();
        let length = lengths.lines().find_map(|line| line.strip_prefix(&name)?.trim().parse().ok());
        length.map(|lines| Self { digest, lines })
    }

    /// Its own length, and nothing of others.
    pub fn alone(self) -> String {
        format!("{} {}", self.digest, self.lines)
    }

    /// The lengths that are known, with this one.
    pub fn noted(self, lengths: &str) -> String {
        let name = self.digest.to_string();
        let mut kept: Vec<&str> = lengths.lines().filter(|line| !line.starts_with(&name)).collect();
        let own = self.alone();
        kept.push(&own);
        let from = kept.len().saturating_sub(MOST_LENGTHS);
        kept[from..].join("\n")
    }
}

/// Where the line begins that is `back` lines before the end of `size` bytes, which end a line: 0 is the end itself.
pub fn start_of(size: u64, back: u32, read: &dyn Fn(u64, u64) -> io::Result<Vec<u8>>) -> io::Result<u64> {
    const BLOCK: u64 = 64 << 10;
    let mut left = back;
    // The end of the last line is not the end of one before it.
    let mut end = size.saturating_sub(1);
    while left > 0 && end > 0 {
        let from = end.saturating_sub(BLOCK);
        let block = read(from, end)?;
        for (at, _) in block.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n') {
            left -= 1;
            if left == 0 {
                return Ok(from + at as u64 + 1);
            }
        }
        end = from;
    }
    Ok(if back == 0 { size } else { 0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TEXT: &[u8] = b"one\ntwo\n\nfour\n";

    #[test]
    fn lines_are_found_from_the_end() {
        let read = |from: u64, to: u64| Ok(TEXT[from as usize..to as usize].to_vec());
        let starts: Vec<u64> = (0..5).map(|back| start_of(TEXT.len() as u64, back, &read).unwrap()).collect();
        assert_eq!(starts, [14, 9, 8, 4, 0]);
    }

    proptest! {
        #[test]
        fn whatever_is_added_it_is_the_content_that_is_named(lines in prop::collection::vec("[a-c]{0,3}", 0..8), at: prop::sample::Index) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let whole = Chain::of(text.as_bytes());
            prop_assert_eq!(whole.lines as usize, lines.len());
            let first = at.index(text.len() + 1);
            let (before, all) = Chain::of_grown(text.as_bytes(), first);
            prop_assert_eq!(all, whole);
            prop_assert_eq!(before, Chain::of(&text.as_bytes()[..first]));
        }
    }
}
