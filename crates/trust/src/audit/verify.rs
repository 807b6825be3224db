//! Checks that the log is intact, or finds where it is not.

use std::io;

use ring::signature::KeyPair;

use super::act::Act;
use super::chain::{End, Entry};
use super::head::{self, Head};
use super::log::Log;
use mindfile_disk::Error;
use mindfile_disk::absent::if_there;
use mindfile_disk::secret_key::hex;

/// What came of looking at every entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogCheck {
    /// Entries that hang together, from the first on.
    pub entries: u64,
    /// The digest of the last of them, to be kept elsewhere.
    pub head: String,
    /// The first entry that is not as it was written.
    pub broken: Option<ChainBreak>,
    /// The last line is a write that was cut off; its entry was never acknowledged.
    pub torn: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainBreak {
    /// The number that the entry has or should have.
    pub entry: u64,
    pub file: String,
    /// Counted from 1; none for what is not there at all.
    pub line: Option<u32>,
    pub why: String,
}

impl Log {
    /// Looks at every entry. `anchor` is a head that was kept elsewhere: number and digest.
    pub fn verify(&self, anchor: Option<(u64, &str)>) -> Result<LogCheck, Error> {
        self.try_verify(anchor).map_err(|source| self.error(source))
    }

    /// Every entry, as far as the lines can be read.
    pub fn entries(&self) -> Result<Vec<Entry>, Error> {
        let read = || -> io::Result<Vec<Entry>> {
            let mut all = Vec::new();
            for path in self.files.all()? {
                let bytes = std::fs::read(path)?;
                let lines = bytes.split(|byte| *byte == b'\n');
                all.extend(lines.filter_map(|line| Some(Entry::read(line)?.0)));
            }
            Ok(all)
        };
        read().map_err(|source| self.error(source))
    }

    fn try_verify(&self, anchor: Option<(u64, &str)>) -> io::Result<LogCheck> {
        let files = self.files.all()?;
        let Some(key) = if_there(self.key())? else {
            let why = "the key of the log is gone: no signature can be checked";
            return Ok(without_key(!files.is_empty() || self.files.head().exists(), why));
        };
        let public = key.public_key().as_ref();
        let known = head::read(&self.files.head(), public)?;
        let mut walk = Walk { end: End::BEFORE_ALL, known, anchor, broken: None, torn: false };
        for path in files {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            walk.file(&name, &std::fs::read(&path)?, public);
            if walk.broken.is_some() {
                break;
            }
        }
        walk.finish();
        let Walk { end, broken, torn, .. } = walk;
        Ok(LogCheck { entries: end.seq, head: hex(&end.hash), broken, torn })
    }
}

fn without_key(is_there: bool, why: &str) -> LogCheck {
    let broken = ChainBreak { entry: 1, file: String::new(), line: None, why: why.to_owned() };
    LogCheck { entries: 0, head: hex(&End::BEFORE_ALL.hash), broken: is_there.then_some(broken), torn: false }
}

struct Walk<'a> {
    end: End,
    known: Head,
    anchor: Option<(u64, &'a str)>,
    broken: Option<ChainBreak>,
    torn: bool,
}

impl Walk<'_> {
    fn file(&mut self, name: &str, bytes: &[u8], key: &[u8]) {
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.torn = whole < bytes.len();
        let lines = bytes[..whole].split_inclusive(|byte| *byte == b'\n');
        for (line, number) in lines.zip(1..) {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            if let Err(why) = self.line(line, key) {
                let entry = self.end.seq + 1;
                self.broken = Some(ChainBreak { entry, file: name.to_owned(), line: Some(number), why });
                return;
            }
        }
    }

    fn line(&mut self, line: &[u8], key: &[u8]) -> Result<(), String> {
        let entry = Entry::checked(line, &self.end, key)?;
        match Act::parse(&entry.act) {
            Some(Act::Lost) => {
                return Err("the head of the log was gone: entries before it may be, too".to_owned());
            }
            Some(Act::Restart) => return Err("an earlier log was taken away".to_owned()),
            Some(_) | None => {}
        }
        let end = End::of(entry.seq, line);
        let other = |known: &End| known.seq == end.seq && known.hash != end.hash;
        if matches!(&self.known, Head::At(known) if other(known)) {
            return Err("the head knows another entry of this number".to_owned());
        }
        if self.anchor.is_some_and(|(seq, hash)| seq == end.seq && hash != hex(&end.hash)) {
            return Err("the digest that was kept elsewhere is another one".to_owned());
        }
        self.end = end;
        Ok(())
    }

    /// What is missing at the end.
    fn finish(&mut self) {
        if self.broken.is_some() {
            return;
        }
        let last = self.end.seq;
        let anchored = self.anchor.map_or(0, |(seq, _)| seq);
        let why = match &self.known {
            Head::At(head) if head.seq > last => {
                Some(format!("it is missing; the head knows {} entries", head.seq))
            }
            Head::Spoilt => Some("the head of the log cannot be read, or another key signed it".to_owned()),
            // With one entry the process may have died before it wrote the head.
            Head::Missing if last > 1 => {
                Some("the head of the log is missing: later entries may be, too".to_owned())
            }
            Head::At(_) | Head::Missing if anchored > last => {
                Some(format!("it is missing; entry {anchored} was kept elsewhere"))
            }
            Head::At(_) | Head::Missing => None,
        };
        let broken = |why| ChainBreak { entry: last + 1, file: String::new(), line: None, why };
        self.broken = why.map(broken);
    }
}
