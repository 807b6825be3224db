//! Exact lines of a note of any size, by streaming: the memory it takes does not depend on the file.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use mindfile_note::text;

use super::{Error, NotePath, Workspace, confine, is_private};
use mindfile_trust::policy::Policy;

/// More than any reader wants at once, and little enough to hold.
const MAX_BYTES: usize = 4 << 20;
const BLOCK: usize = 64 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// Number of the first line, counted from 1.
    pub from: u32,
    /// How many lines `bytes` holds; the last one may lack its end.
    pub lines: u32,
    /// The file's own bytes, in whatever encoding, line ends included.
    pub bytes: Vec<u8>,
    /// Lines of the file, where its end was reached.
    pub total_lines: Option<u32>,
    /// There was more than is returned at once.
    pub truncated: bool,
}

impl Lines {
    /// The same lines of another text of as many lines.
    pub fn of(self, text: &str) -> Self {
        let before = usize::try_from(self.from.saturating_sub(1)).unwrap_or(usize::MAX);
        let count = usize::try_from(self.lines).unwrap_or(usize::MAX);
        let lines = text.split_inclusive('\n').skip(before).take(count);
        Self { bytes: lines.collect::<String>().into_bytes(), ..self }
    }

    /// The same lines as a policy lets them be seen, where the text around them is not known.
    pub fn covered(self, policy: &Policy) -> Self {
        match policy.cover(&text::decode(&self.bytes)) {
            Cow::Borrowed(_) => self,
            Cow::Owned(covered) => Self { bytes: covered.into_bytes(), ..self },
        }
    }
}

impl Workspace {
    /// Lines `from` (counted from 1) and following; all of them without `count`. A file with fewer lines gives none.
    pub fn lines(&self, path: &NotePath, from: u32, count: Option<u32>) -> Result<Lines, Error> {
        if from == 0 {
            return Err(Error::LineZero);
        }
        let mut file = self.reader(path)?;
        let mut cut = Cut::new(from, count);
        while !cut.is_done() && cut.feed(&mut file).map_err(|source| Error::io("read", path, source))? {}
        Ok(cut.finish())
    }

    /// The text as it is read on; that of a private note is decrypted whole.
    fn reader(&self, path: &NotePath) -> Result<Box<dyn Read>, Error> {
        if is_private(path.as_str()) {
            return Ok(Box::new(Cursor::new(self.read(path, u64::MAX)?.bytes)));
        }
        Ok(Box::new(confine::open_file(&self.place(path)?, path)?))
    }

    /// The number, counted from 1, of the line that holds the byte at `offset`.
    pub fn line_at(&self, path: &NotePath, offset: u64) -> Result<u32, Error> {
        let file = self.reader(path)?;
        let mut rest = file.take(offset);
        let mut block = vec![0; BLOCK];
        let mut line = 1_u32;
        loop {
            let read = rest.read(&mut block).map_err(|source| Error::io("read", path, source))?;
            if read == 0 {
                return Ok(line);
            }
            line = line.saturating_add(breaks(&block[..read]));
        }
    }
}

struct Cut {
    from: u32,
    /// The first line no longer wanted.
    until: u32,
    /// The line that the next byte belongs to.
    line: u32,
    /// Whether the current line has a byte yet.
    begun: bool,
    ended: bool,
    truncated: bool,
    kept: Vec<u8>,
    block: Vec<u8>,
}

impl Cut {
    fn new(from: u32, count: Option<u32>) -> Self {
        let until = count.map_or(u32::MAX, |count| from.saturating_add(count));
        let block = vec![0; BLOCK];
        Self { from, until, line: 1, begun: false, ended: false, truncated: false, kept: Vec::new(), block }
    }

    fn is_done(&self) -> bool {
        self.ended || self.truncated || self.line >= self.until
    }

    fn feed(&mut self, file: &mut dyn Read) -> std::io::Result<bool> {
        let mut block = std::mem::take(&mut self.block);
        let read = file.read(&mut block)?;
        self.ended = read == 0;
        self.take(&block[..read]);
        self.block = block;
        Ok(!self.ended)
    }

    fn take(&mut self, bytes: &[u8]) {
        for piece in self.skip(bytes).split_inclusive(|byte| *byte == b'\n') {
            if self.is_done() {
                return;
            }
            self.piece(piece);
        }
    }

    /// What is left of `bytes` where the first wanted line begins.
    fn skip<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let missing = self.from.saturating_sub(self.line);
        let Some(last) = missing.checked_sub(1) else { return bytes };
        let ends = breaks(bytes);
        if ends < missing {
            self.line += ends;
            self.begun = if bytes.is_empty() { self.begun } else { !bytes.ends_with(b"\n") };
            return &[];
        }
        let mut all = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let start = all.nth(last as usize).map_or(bytes.len(), |(at, _)| at + 1);
        self.line = self.from;
        self.begun = false;
        &bytes[start..]
    }

    /// One wanted line, or the part of it that is in this block.
    fn piece(&mut self, piece: &[u8]) {
        let room = MAX_BYTES - self.kept.len();
        self.truncated = piece.len() > room;
        self.kept.extend_from_slice(&piece[..piece.len().min(room)]);
        let whole = piece.ends_with(b"\n") && !self.truncated;
        self.begun = !whole;
        self.line += u32::from(whole);
    }

    fn finish(self) -> Lines {
        let last = self.line.saturating_sub(u32::from(!self.begun));
        let total_lines = self.ended.then_some(last);
        let open_end = !self.kept.is_empty() && !self.kept.ends_with(b"\n");
        let lines = breaks(&self.kept) + u32::from(open_end);
        Lines { from: self.from, lines, bytes: self.kept, total_lines, truncated: self.truncated }
    }
}

fn breaks(bytes: &[u8]) -> u32 {
    bytes
        .chunks(255)
        .map(|part| u32::from(part.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>()))
        .sum()
}
