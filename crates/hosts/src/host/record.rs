//! Records what was done to a host's files, in the state directory, so that it can be undone byte for byte.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mindfile_note::hash::Digest;
use serde::{Deserialize, Serialize};

use super::Host;
use crate::Error;
use mindfile_disk::{Error as Disk, absent, durable};

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    host: String,
    pub(super) files: Vec<FileRecord>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FileRecord {
    pub(super) path: PathBuf,
    /// The name of the copy of what was there; none if there was no file.
    pub(super) before: Option<String>,
    /// The digest of what was written.
    pub(super) after: String,
    /// Folders that were made for it, the outermost first.
    #[serde(default)]
    pub(super) made: Vec<PathBuf>,
}

/// Where the record of one installation is.
pub(super) struct Shelf {
    folder: PathBuf,
    stem: String,
}

impl Shelf {
    pub(super) fn of(state: &Path, host: &Host, project: Option<&Path>) -> Self {
        let stem = match project {
            None => host.name.to_owned(),
            Some(project) => {
                let mut digest = Digest::of(project.as_os_str().as_encoded_bytes()).to_string();
                digest.truncate(12);
                format!("{}-{digest}", host.name)
            }
        };
        Self { folder: state.join("hosts"), stem }
    }

    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.stem))
    }

    pub(super) fn copy(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(super) fn copy_name(&self, number: usize) -> String {
        format!("{}.{number}.before", self.stem)
    }

    pub(super) fn read(&self) -> Result<Option<Record>, Error> {
        read_record(&self.path())
    }

    pub(super) fn write(&self, host: &Host, files: Vec<FileRecord>) -> Result<(), Error> {
        let record = Record { version: 1, host: host.name.to_owned(), files };
        let path = self.path();
        let bytes = serde_json::to_vec_pretty(&record).map_err(std::io::Error::from);
        let mut bytes = bytes.map_err(Disk::at(&path))?;
        bytes.push(b'\n');
        write(&path, &bytes)
    }

    pub(super) fn remove(&self, record: &Record) -> Result<(), Error> {
        for kept in &record.files {
            if let Some(name) = &kept.before {
                remove(&self.copy(name))?;
            }
        }
        remove(&self.path())
    }
}

/// Hosts that were connected from this state directory, by name; each once, whatever projects it was connected for.
pub fn connected(state: &Path) -> Result<BTreeSet<String>, Error> {
    let folder = state.join("hosts");
    let Some(entries) = absent::if_there(std::fs::read_dir(&folder)).map_err(Disk::at(&folder))? else {
        return Ok(BTreeSet::new());
    };
    let mut names = BTreeSet::new();
    for entry in entries {
        let path = entry.map_err(Disk::at(&folder))?.path();
        if path.extension().is_some_and(|kind| kind == "json") {
            names.extend(read_record(&path)?.map(|record| record.host));
        }
    }
    Ok(names)
}

fn read_record(path: &Path) -> Result<Option<Record>, Error> {
    let unreadable = |what: String| Error::Unreadable {
        path: path.to_owned(),
        format: "a record of an installation",
        what,
    };
    match read(path)? {
        None => Ok(None),
        Some(bytes) => match serde_json::from_slice::<Record>(&bytes) {
            Ok(record) if record.version == 1 => Ok(Some(record)),
            Ok(record) => Err(unreadable(format!("its version is {}", record.version))),
            Err(error) => Err(unreadable(error.to_string())),
        },
    }
}

impl Record {
    pub(super) fn of(&self, path: &Path) -> Option<&FileRecord> {
        self.files.iter().find(|kept| kept.path == path)
    }
}

impl FileRecord {
    /// Whether a file is still as it was written.
    pub(super) fn is_untouched(&self, bytes: Option<&[u8]>) -> bool {
        bytes.is_some_and(|bytes| Digest::of(bytes).to_string() == self.after)
    }
}

/// A file's bytes; none if there is no file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    Ok(absent::if_there(std::fs::read(path)).map_err(Disk::at(path))?)
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    Ok(durable::replace(path, bytes).map_err(Disk::at(path))?)
}

pub(super) fn remove(path: &Path) -> Result<(), Error> {
    Ok(absent::remove_file(path).map_err(Disk::at(path))?)
}
