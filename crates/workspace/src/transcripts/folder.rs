//! An agent's transcripts: one JSONL file per session, and the database in which newer versions of OpenClaw keep them,
//! which is only read.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use mindfile_disk::{Error as Disk, absent};
use mindfile_note::FileStat;
use serde_json::{Map, Value};

use super::append::{self, WrittenEntries};
use super::error::SessionError as Error;
use super::foreign;
use super::registry::{self, Record, Registry};
use super::transcript::{self, Transcript};
use mindfile_fault::OutOfRange;
use mindfile_trust::policy::Policy;

pub const LONGEST_ID: usize = 128;

/// The transcripts of one agent.
#[derive(Debug, Clone)]
pub struct Sessions {
    folder: PathBuf,
    database: PathBuf,
    agent: String,
    cwd: PathBuf,
    policy: Arc<Policy>,
}

/// A transcript that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    pub session: String,
    pub kept: TranscriptStore,
    pub stat: FileStat,
}

/// Where a transcript is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptStore {
    File,
    /// In OpenClaw's database: read, never written.
    Database,
}

impl Sessions {
    /// The transcripts of an agent below a state directory. `cwd` is the folder that new ones say they are about.
    pub fn new(state_dir: &Path, agent: &str, cwd: &Path, policy: Arc<Policy>) -> Self {
        let home = state_dir.join("agents").join(agent);
        Self {
            folder: home.join("sessions"),
            database: home.join("agent").join("openclaw-agent.sqlite"),
            agent: agent.to_owned(),
            cwd: cwd.to_owned(),
            policy,
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, session: &str) -> PathBuf {
        self.folder.join(format!("{session}.jsonl"))
    }

    /// Every transcript, by id.
    pub fn list(&self) -> Result<Vec<SessionFile>, Error> {
        let mut all = self.files().map_err(|source| self.error(source))?;
        for kept in foreign::sessions(&self.database)? {
            if all.iter().any(|found| found.session == kept.id) || check_id(&kept.id).is_err() {
                continue;
            }
            let mtime_ns = kept.updated_ms.saturating_mul(1_000_000);
            let stat = FileStat { mtime_ns, ctime_ns: mtime_ns, size: kept.events, inode: 0 };
            all.push(SessionFile { session: kept.id, kept: TranscriptStore::Database, stat });
        }
        all.sort_by(|a, b| a.session.cmp(&b.session));
        Ok(all)
    }

    /// One transcript, without looking at the others if it is a file.
    pub fn find(&self, session: &str) -> Result<Option<SessionFile>, Error> {
        check_id(session)?;
        let path = self.path(session);
        match std::fs::symlink_metadata(&path) {
            Ok(known) if known.is_file() => Ok(Some(SessionFile {
                session: session.to_owned(),
                kept: TranscriptStore::File,
                stat: stat(&known),
            })),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Disk { path, source: error }.into()),
            Ok(_) | Err(_) => Ok(self.list()?.into_iter().find(|found| found.session == session)),
        }
    }

    fn files(&self) -> io::Result<Vec<SessionFile>> {
        let mut found = Vec::new();
        for entry in absent::entries(&self.folder)? {
            let name = entry.file_name();
            let Some(session) = name.to_str().and_then(|name| name.strip_suffix(".jsonl")) else { continue };
            let known = entry.metadata()?;
            if known.is_file() && check_id(session).is_ok() {
                found.push(SessionFile {
                    session: session.to_owned(),
                    kept: TranscriptStore::File,
                    stat: stat(&known),
                });
            }
        }
        Ok(found)
    }

    /// The transcript's lines as bytes, wherever they are kept.
    pub fn bytes(&self, session: &str) -> Result<Vec<u8>, Error> {
        check_id(session)?;
        let path = self.path(session);
        let read = absent::if_there(read_plain(&path)).map_err(Disk::at(&path))?;
        read.map_or_else(|| self.foreign_bytes(session), Ok)
    }

    /// Bytes of a transcript's file, if it is still that one.
    pub fn part(&self, session: &str, inode: u64, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let file = open_plain(&self.path(session))?;
        if stat(&file.metadata()?).inode != inode {
            return Err(io::Error::other("another file is in its place"));
        }
        append::read_range(&file, from, to)
    }

    /// The lines of each range, which are in order by their beginnings; lines that are not there are left out.
    pub fn cited(&self, session: &str, ranges: &[RangeInclusive<u32>]) -> Result<Vec<Vec<u8>>, Error> {
        check_id(session)?;
        let path = self.path(session);
        let lines = match absent::if_there(open_plain(&path)).map_err(Disk::at(&path))? {
            Some(file) => transcript::lines_in(BufReader::with_capacity(1 << 18, file), ranges),
            None => transcript::lines_in(self.foreign_bytes(session)?.as_slice(), ranges),
        };
        Ok(lines.map_err(Disk::at(&path))?)
    }

    fn foreign_bytes(&self, session: &str) -> Result<Vec<u8>, Error> {
        match foreign::transcript(&self.database, session, &self.folder.join("cold"))? {
            Some(bytes) => Ok(bytes),
            None => Err(Error::NoSession { session: session.to_owned() }),
        }
    }

    pub fn read(&self, session: &str) -> Result<Transcript, Error> {
        Ok(self.transcript(session, &self.bytes(session)?, 1))
    }

    /// What is said from the line `first` on, as far as it may be seen: the file may be another program's, or older than a rule.
    pub fn transcript(&self, session: &str, bytes: &[u8], first: u32) -> Transcript {
        transcript::read_from(session, bytes, first, &|line, value| self.policy.cover_line(line, value))
    }

    /// Adds entries, given without id, parent and time. When this returns they are on the disk. What must not be stored
    /// is taken out of them first: a turn that was spoken cannot be refused.
    pub fn append(&self, session: &str, entries: &[Value], now: Timestamp) -> Result<WrittenEntries, Error> {
        self.append_knowing(session, entries, now, &|_| None)
    }

    /// The same where the number of lines that a file had may be known.
    pub fn append_knowing(
        &self,
        session: &str,
        entries: &[Value],
        now: Timestamp,
        lines: &dyn Fn(&FileStat) -> Option<u32>,
    ) -> Result<WrittenEntries, Error> {
        check_id(session)?;
        let path = self.path(session);
        if !path.exists() && foreign::sessions(&self.database)?.iter().any(|kept| kept.id == session) {
            return Err(Error::ReadOnly { session: session.to_owned() });
        }
        let header = append::header(session, &self.cwd, now);
        let mut entries = entries.to_vec();
        for entry in &mut entries {
            self.policy.strip_value(entry);
        }
        Ok(append::append(&path, &header, &entries, now, lines).map_err(Disk::at(&path))?)
    }

    /// Takes out of a transcript what must not be stored.
    pub fn strip(&self, session: &str) -> Result<(), Error> {
        check_id(session)?;
        let path = self.path(session);
        Ok(append::rewrite(&path, &|_, line| self.stripped(line)).map_err(Disk::at(&path))?)
    }

    /// None if there is nothing to take out.
    fn stripped(&self, line: &[u8]) -> Option<Vec<u8>> {
        match serde_json::from_slice::<Value>(line) {
            Ok(mut value) => self.policy.strip_value(&mut value).then(|| value.to_string().into_bytes()),
            Err(_torn) => match self.policy.strip(&String::from_utf8_lossy(line)) {
                Cow::Owned(stripped) => Some(stripped.into_bytes()),
                Cow::Borrowed(_) => None,
            },
        }
    }

    /// Puts what `change` makes of lines of a transcript in their place.
    pub fn rewrite(&self, session: &str, change: &append::OnLine<'_>) -> Result<(), Error> {
        check_id(session)?;
        let path = self.path(session);
        Ok(append::rewrite(&path, change).map_err(Disk::at(&path))?)
    }

    /// What `sessions.json` says of every session.
    pub fn records(&self) -> Result<(Vec<Record>, Vec<String>), Error> {
        let registry = registry::read(&self.folder, &self.agent, &|| self.transcripts())
            .map_err(|source| self.error(source))?;
        Ok((registry.records(), registry.notices))
    }

    pub fn record(&self, session: &str) -> Result<Option<Record>, Error> {
        Ok(self.records()?.0.into_iter().rev().find(|record| record.session == session))
    }

    /// Changes the fields of a session in `sessions.json`. Returns what had to be mended.
    pub fn note(
        &self,
        session: &str,
        change: impl FnOnce(&mut Map<String, Value>),
    ) -> Result<Vec<String>, Error> {
        self.note_with(session, &|| self.transcripts(), change)
    }

    /// The same for a session that began this moment: that it is not in the file is no loss.
    pub fn note_new(
        &self,
        session: &str,
        change: impl FnOnce(&mut Map<String, Value>),
    ) -> Result<Vec<String>, Error> {
        let others = || {
            let mut all = self.transcripts()?;
            all.retain(|transcript| transcript.session != session);
            Ok(all)
        };
        self.note_with(session, &others, change)
    }

    fn note_with(
        &self,
        session: &str,
        transcripts: &dyn Fn() -> io::Result<Vec<Transcript>>,
        change: impl FnOnce(&mut Map<String, Value>),
    ) -> Result<Vec<String>, Error> {
        let change = |registry: &mut Registry| registry.change(&self.agent, session, change);
        let registry = registry::update(&self.folder, &self.agent, transcripts, change);
        Ok(registry.map_err(|source| self.error(source))?.notices)
    }

    fn transcripts(&self) -> io::Result<Vec<Transcript>> {
        let files = self.files()?;
        let read = |found: &SessionFile| {
            Ok(self.transcript(&found.session, &read_plain(&self.path(&found.session))?, 1))
        };
        files.iter().map(read).collect()
    }

    fn error(&self, source: io::Error) -> Error {
        Disk { path: self.folder.clone(), source }.into()
    }
}

/// A session's id is a file's name: it cannot lead anywhere else.
pub fn check_id(session: &str) -> Result<(), Error> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let good = !session.is_empty() && session.len() <= LONGEST_ID && !session.starts_with('.');
    if good && session.chars().all(fits) {
        return Ok(());
    }
    let allowed = "1 to 128 ASCII letters, digits, -, _ and ., not beginning with .";
    Err(OutOfRange { field: "session", value: format!("{session:?}"), allowed }.into())
}

/// A link may lead out of the state directory.
fn open_plain(path: &Path) -> io::Result<File> {
    if std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::other("is a link, and links are not followed"));
    }
    File::open(path)
}

fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_plain(path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata()?.len()).unwrap_or(0));
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn stat(known: &std::fs::Metadata) -> FileStat {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    FileStat {
        mtime_ns: nanoseconds(known.mtime(), known.mtime_nsec()),
        ctime_ns: nanoseconds(known.ctime(), known.ctime_nsec()),
        size: known.len(),
        inode: known.ino(),
    }
}
