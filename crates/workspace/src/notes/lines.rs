//! Exact lines of a note of any size, by streaming: the memory it takes does not depend on the file.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use mindfile_note::text;

use super::{Error, NotePath, Workspace, confine, is_private};
use mindfile_trust::policy::Policy;

/// More than any reader wants at once, and little enough to hold.
const MAX_BYTES: usize = 4 << 20;
const BLOCK: usize = 64 << 10;

/// A place in a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Counted from 1.
    pub line: u32,
    /// How many bytes of that line are before it.
    pub byte: u64,
}

impl From<u32> for Start {
    fn from(line: u32) -> Self {
        Self { line, byte: 0 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    pub from: Start,
    /// How many lines `bytes` holds. The last one of the file may lack its end; where a line is longer than is returned at
    /// once, it is a part of that line.
    pub lines: u32,
    /// The file's own bytes, in whatever encoding, line ends included.
    pub bytes: Vec<u8>,
    /// Lines of the file, where its end was reached.
    pub total_lines: Option<u32>,
    /// Where the rest begins, if there was more than is returned at once.
    pub next: Option<Start>,
}

impl Lines {
    /// Lines of a text.
    pub fn of(text: &str, from: impl Into<Start>, count: Option<u32>) -> Self {
        let mut cut = Cut::new(from.into(), count);
        for block in text.as_bytes().chunks(BLOCK) {
            if !cut.is_done() {
                cut.take(block);
            }
        }
        cut.ended = !cut.is_done();
        cut.finish()
    }

    /// Whether it holds a part of a line.
    pub fn is_in_a_line(&self) -> bool {
        self.from.byte > 0 || self.next.is_some_and(|next| next.byte > 0)
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
    /// The lines that begin at `from`; all of them without `count`. A file with fewer lines gives none.
    pub fn lines(&self, path: &NotePath, from: impl Into<Start>, count: Option<u32>) -> Result<Lines, Error> {
        let from = from.into();
        if from.line == 0 {
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
    from: Start,
    /// Bytes of the first line that are left out still.
    before: u64,
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
    fn new(from: Start, count: Option<u32>) -> Self {
        Self {
            from,
            before: from.byte,
            until: count.map_or(u32::MAX, |count| from.line.saturating_add(count)),
            line: 1,
            begun: false,
            ended: false,
            truncated: false,
            kept: Vec::new(),
            block: vec![0; BLOCK],
        }
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
        let wanted = self.skip(bytes);
        for piece in self.skip_in_line(wanted).split_inclusive(|byte| *byte == b'\n') {
            if self.is_done() {
                return;
            }
            self.piece(piece);
        }
    }

    /// What is left of `bytes` where the first wanted line begins.
    fn skip<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let missing = self.from.line.saturating_sub(self.line);
        let Some(last) = missing.checked_sub(1) else { return bytes };
        let ends = breaks(bytes);
        if ends < missing {
            self.line += ends;
            self.begun = if bytes.is_empty() { self.begun } else { !bytes.ends_with(b"\n") };
            return &[];
        }
        let mut all = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let start = all.nth(last as usize).map_or(bytes.len(), |(at, _)| at + 1);
        self.line = self.from.line;
        self.begun = false;
        &bytes[start..]
    }

    /// What is left of the first line where the wanted part of it begins. A line that is shorter is left out whole.
    fn skip_in_line<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        if self.before == 0 || self.line != self.from.line || bytes.is_empty() {
            return bytes;
        }
        let room = usize::try_from(self.before).unwrap_or(usize::MAX).min(bytes.len());
        let end = bytes[..room].iter().position(|byte| *byte == b'\n');
        let start = end.map_or(room, |at| at + 1);
        self.before -= start as u64;
        self.begun = end.is_none();
        if end.is_some() {
            self.before = 0;
            self.line += 1;
            self.from = Start::from(self.line);
        }
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

    fn finish(mut self) -> Lines {
        let last = self.line.saturating_sub(u32::from(!self.begun));
        let total_lines = self.ended.then_some(last);
        let next = self.truncated.then(|| self.shorten());
        let open_end = !self.kept.is_empty() && !self.kept.ends_with(b"\n");
        let lines = breaks(&self.kept) + u32::from(open_end);
        Lines { from: self.from, lines, bytes: self.kept, total_lines, next }
    }

    /// Ends what is kept with a whole line, or, where a line is longer than that, with a word. Returns where the rest begins.
    fn shorten(&mut self) -> Start {
        if let Some(last) = self.kept.iter().rposition(|byte| *byte == b'\n') {
            self.kept.truncate(last + 1);
            return Start::from(self.from.line + breaks(&self.kept));
        }
        self.kept.truncate(words_end(&self.kept));
        Start { byte: self.from.byte + self.kept.len() as u64, ..self.from }
    }
}

/// The end of the last word, if one ends near the end; else that of the last whole character.
fn words_end(bytes: &[u8]) -> usize {
    let near = bytes.len().saturating_sub(BLOCK);
    if let Some(space) = bytes[near..].iter().rposition(u8::is_ascii_whitespace) {
        return near + space + 1;
    }
    let rest = bytes.iter().rev().take_while(|byte| **byte & 0xc0 == 0x80).count().min(3);
    let Some(first) = bytes.len().checked_sub(rest + 1) else { return bytes.len() };
    let length = match bytes[first] {
        0xf0..=0xff => 4,
        0xe0..=0xef => 3,
        0xc0..=0xdf => 2,
        _ => 1,
    };
    if length > rest + 1 { first } else { bytes.len() }
}

fn breaks(bytes: &[u8]) -> u32 {
    bytes
        .chunks(255)
        .map(|part| u32::from(part.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>()))
        .sum()
}
