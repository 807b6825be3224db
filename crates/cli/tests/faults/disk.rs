//! A disk that keeps what it must and loses what it may: rebuilt from the trace of every durable call, and stopped at any
//! of them. What was written and not synced is there, gone, or torn at 512 bytes, whatever came after it; a name that was
//! made, taken away or changed holds once its folder was synced, and until then any number of the last changes of that
//! folder may be missing.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::random::Random;

const SECTOR: usize = 512;

/// What one durable call did.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Write { inode: u64, at: u64, bytes: Vec<u8> },
    Truncate { inode: u64, size: u64 },
    Sync { inode: u64, path: PathBuf },
    Open { inode: u64, path: PathBuf, empties: bool },
    Rename { from: PathBuf, to: PathBuf, exchanges: bool },
    Link { from: PathBuf, to: PathBuf },
    Remove { path: PathBuf },
    Folder { path: PathBuf },
}

/// The steps of a trace that `faultio.c` wrote.
pub(crate) fn steps(mut trace: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    while !trace.is_empty() {
        let end = trace.iter().position(|byte| *byte == b'\n').unwrap();
        let head = String::from_utf8_lossy(&trace[..end]).into_owned();
        let words: Vec<&str> = head.splitn(5, ' ').collect();
        let [name, inode, offset, length, paths] = words[..] else {
            panic!("not a line of the trace: {head}")
        };
        let (path, other) = paths.split_once('\t').unwrap();
        let (inode, offset, length) =
            (inode.parse::<u64>().unwrap(), offset.parse::<i64>().unwrap(), length.parse::<usize>().unwrap());
        let bytes = trace[end + 1..end + 1 + length].to_vec();
        trace = &trace[end + 2 + length..];
        steps.extend(step(name, inode, offset, bytes, (PathBuf::from(path), PathBuf::from(other))));
    }
    steps
}

fn step(
    name: &str,
    inode: u64,
    offset: i64,
    bytes: Vec<u8>,
    (path, other): (PathBuf, PathBuf),
) -> Option<Step> {
    const TRUNCATES: i64 = libc::O_TRUNC as i64;
    const EXCHANGES: i64 = libc::RENAME_EXCHANGE as i64;
    let at = offset.cast_unsigned();
    Some(match name {
        "write" | "pwrite" | "writev" | "pwritev" | "pwritev2" => Step::Write { inode, at, bytes },
        "ftruncate" | "truncate" => Step::Truncate { inode, size: at },
        "fsync" | "fdatasync" => Step::Sync { inode, path },
        "open" | "openat" | "openat2" | "creat" => {
            Step::Open { inode, path, empties: offset & TRUNCATES != 0 }
        }
        "rename" | "renameat" | "renameat2" => {
            Step::Rename { from: path, to: other, exchanges: offset & EXCHANGES != 0 }
        }
        "link" | "linkat" => Step::Link { from: path, to: other },
        "unlink" | "unlinkat" | "rmdir" => Step::Remove { path },
        "mkdir" | "mkdirat" => Step::Folder { path },
        "fallocate" | "fchmod" | "fchown" => return None,
        other => panic!("the disk does not know {other}"),
    })
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Entry {
    File(usize),
    Folder,
}

#[derive(Debug, Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Size(usize),
}

#[derive(Debug, Clone, Default)]
struct DiskFile {
    durable: Vec<u8>,
    live: Vec<u8>,
    owed: Vec<Change>,
}

type Names = BTreeMap<String, Entry>;
/// Names that change in one step.
type Renaming = Vec<(String, Option<Entry>)>;

#[derive(Debug, Clone, Default)]
struct DiskFolder {
    durable: Names,
    live: Names,
    owed: Vec<Renaming>,
}

#[derive(Debug, Clone)]
pub(crate) struct Disk {
    root: PathBuf,
    files: Vec<DiskFile>,
    inodes: BTreeMap<u64, usize>,
    folders: BTreeMap<PathBuf, DiskFolder>,
}

impl Disk {
    /// What lies below `root` now, all of it on the disk.
    pub(crate) fn of(root: &Path) -> Self {
        let root = root.to_owned();
        let mut disk =
            Self { root: root.clone(), files: Vec::new(), inodes: BTreeMap::new(), folders: BTreeMap::new() };
        disk.take(&root);
        disk
    }

    fn take(&mut self, folder: &Path) {
        let mut names = Names::new();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let known = entry.metadata().unwrap();
            if known.is_dir() {
                self.take(&entry.path());
                names.insert(name, Entry::Folder);
            } else if known.is_file() {
                let bytes = fs::read(entry.path()).unwrap();
                self.inodes.insert(known.ino(), self.files.len());
                names.insert(name, Entry::File(self.files.len()));
                self.files.push(DiskFile { durable: bytes.clone(), live: bytes, owed: Vec::new() });
            }
        }
        self.folders
            .insert(folder.to_owned(), DiskFolder { durable: names.clone(), live: names, owed: Vec::new() });
    }

    pub(crate) fn apply(&mut self, step: &Step) {
        match step {
            Step::Write { inode, at, bytes } => {
                self.change(*inode, Change::Write(*at as usize, bytes.clone()))
            }
            Step::Truncate { inode, size } => self.change(*inode, Change::Size(*size as usize)),
            Step::Sync { inode, path } => self.sync(*inode, path),
            Step::Open { inode, path, empties } => self.open(*inode, path, *empties),
            Step::Rename { from, to, exchanges } => self.rename(from, to, *exchanges),
            Step::Link { from, to } => {
                let entry = self.entry(from);
                self.name(to, entry);
            }
            Step::Remove { path } => self.name(path, None),
            Step::Folder { path } => {
                self.folders.insert(path.clone(), DiskFolder::default());
                self.name(path, Some(Entry::Folder));
            }
        }
    }

    fn change(&mut self, inode: u64, change: Change) {
        // Of a file that is not below the root nothing is asked.
        let Some(file) = self.inodes.get(&inode).map(|id| &mut self.files[*id]) else { return };
        carry_out(&mut file.live, &change);
        file.owed.push(change);
    }

    fn sync(&mut self, inode: u64, path: &Path) {
        if let Some(folder) = self.folders.get_mut(path) {
            folder.durable = folder.live.clone();
            folder.owed.clear();
        } else if let Some(id) = self.inodes.get(&inode) {
            let file = &mut self.files[*id];
            file.durable = file.live.clone();
            file.owed.clear();
        }
    }

    fn open(&mut self, inode: u64, path: &Path, empties: bool) {
        match self.entry(path) {
            None => {
                self.inodes.insert(inode, self.files.len());
                self.files.push(DiskFile::default());
                self.name(path, Some(Entry::File(self.files.len() - 1)));
            }
            Some(_) if empties => self.change(inode, Change::Size(0)),
            Some(_) => {}
        }
    }

    fn rename(&mut self, from: &Path, to: &Path, exchanges: bool) {
        let (moved, other) = (self.entry(from), self.entry(to).filter(|_| exchanges));
        assert_eq!(from.parent(), to.parent(), "renamed into another folder");
        assert!(!matches!(moved, Some(Entry::Folder)), "a folder is renamed");
        self.names(from.parent().unwrap(), vec![(name(from), other), (name(to), moved)]);
    }

    fn entry(&self, path: &Path) -> Option<Entry> {
        self.folders.get(path.parent()?)?.live.get(&name(path)).copied()
    }

    fn name(&mut self, path: &Path, entry: Option<Entry>) {
        self.names(path.parent().unwrap(), vec![(name(path), entry)]);
    }

    fn names(&mut self, folder: &Path, renaming: Renaming) {
        let Some(folder) = self.folders.get_mut(folder) else { return };
        put(&mut folder.live, &renaming);
        folder.owed.push(renaming);
    }

    /// What may be found if the machine stops now, as files below `target`.
    pub(crate) fn crash(&self, random: &mut Random, target: &Path) {
        // Everything owed, nothing, or any part of it.
        let luck = random.below(4);
        self.lay_out(&self.root, target, luck, random);
    }

    fn lay_out(&self, folder: &Path, target: &Path, luck: usize, random: &mut Random) {
        fs::create_dir_all(target).unwrap();
        let Some(known) = self.folders.get(folder) else { return };
        let mut names = known.durable.clone();
        let kept = match luck {
            0 => 0,
            1 => known.owed.len(),
            _ => random.below(known.owed.len() + 1),
        };
        known.owed[..kept].iter().for_each(|renaming| put(&mut names, renaming));
        for (name, entry) in names {
            match entry {
                Entry::Folder => self.lay_out(&folder.join(&name), &target.join(&name), luck, random),
                Entry::File(id) => private(&target.join(&name), &self.files[id].crashed(luck, random)),
            }
        }
    }
}

impl DiskFile {
    fn crashed(&self, luck: usize, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        for change in &self.owed {
            match (luck, random.below(3)) {
                (0, _) | (2 | 3, 0) => {}
                (3, 1) => torn(&mut bytes, change, random),
                _ => carry_out(&mut bytes, change),
            }
        }
        bytes
    }
}

/// Some of the sectors of a write.
fn torn(bytes: &mut Vec<u8>, change: &Change, random: &mut Random) {
    let Change::Write(at, written) = change else { return };
    let mut from = 0;
    while from < written.len() {
        let end = ((at + from) / SECTOR + 1) * SECTOR - at;
        let end = end.min(written.len());
        if random.one_in(2) {
            carry_out(bytes, &Change::Write(at + from, written[from..end].to_vec()));
        }
        from = end;
    }
}

fn carry_out(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Size(size) => bytes.resize(*size, 0),
        Change::Write(at, written) => {
            bytes.resize(bytes.len().max(at + written.len()), 0);
            bytes[*at..at + written.len()].copy_from_slice(written);
        }
    }
}

fn put(names: &mut Names, renaming: &Renaming) {
    for (name, entry) in renaming {
        match entry {
            Some(entry) => names.insert(name.clone(), *entry),
            None => names.remove(name),
        };
    }
}

/// A file that nobody else reads, as the program makes them.
fn private(path: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}
