//! The file of a backup, as it is written, read and rid of what was forgotten: a tar file, compressed with Zstandard unless
//! its name ends in `.tar`. The last entry lists the others with their sizes and digests.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use mindfile_note::hash::Digest;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress};
use serde::{Deserialize, Serialize};
use tar::{Archive, Builder, EntryType, Header};
use tempfile::NamedTempFile;

use mindfile_fault::{Fault, Hint};

use mindfile_disk::durable;
use mindfile_trust::forgotten::SieveOutcome;

/// Why a file is no backup that can be trusted.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{} is not a backup of mindfile: {what}", path.display())]
    NotABackup { path: PathBuf, what: String },
    #[error("{} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("{} holds {name:?}, which is refused: {what}", path.display())]
    Unsafe { path: PathBuf, name: String, what: &'static str },
    #[error("the folder {} does not exist", folder.display())]
    NoFolder { folder: PathBuf },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
}

impl Error {
    pub fn fault(&self) -> Fault {
        match self {
            Self::NotABackup { .. } | Self::Unsafe { .. } | Self::NoFolder { .. } => Fault::Caller,
            Self::Damaged { .. } | Self::Io { .. } => Fault::Environment,
        }
    }

    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::NotABackup { .. } | Self::Io { .. } => None,
            Self::NoFolder { .. } => Some("make it, or mount the disk that it is on".into()),
            Self::Damaged { .. } | Self::Unsafe { .. } => {
                Some("nothing was written; use another copy of the backup".into())
            }
        }
    }
}

const MANIFEST: &str = "manifest.json";
const FORMAT: &str = "mindfile-backup";
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A type with serde is a format: see FORMAT.md.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    version: u32,
    agent: String,
    files: Vec<ManifestFile>,
    #[serde(rename = "leftOut")]
    left_out: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    pub path: String,
    pub size: u64,
    pub sha256: String,
}

impl ManifestFile {
    fn of(name: &str, bytes: &[u8]) -> Self {
        let sha256 = Digest::of(bytes).to_string();
        Self { path: name.to_owned(), size: bytes.len() as u64, sha256 }
    }
}

/// An entry of an archive that was found to be good.
pub struct Member<'a> {
    pub listed: ManifestFile,
    pub bytes: &'a [u8],
    pub mode: u32,
    time: u64,
}

/// Where a file of an archive comes from.
#[derive(Debug)]
pub enum FileContent {
    File(PathBuf),
    Text(String),
}

/// What is in a backup that was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Made {
    pub files: usize,
    pub bytes: u64,
    /// The size of the archive.
    pub size: u64,
    /// What is not in it, and why.
    pub left_out: Vec<String>,
}

/// Writes the files, by their names in the archive, aside; syncs the archive, and gives it its name.
pub fn write(
    file: &Path,
    agent: &str,
    files: &[(String, FileContent)],
    left_out: Vec<String>,
) -> Result<Made, Error> {
    let io = |source| Error::Io { path: file.to_owned(), source };
    let path = std::path::absolute(file).map_err(io)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    if !folder.is_dir() {
        return Err(Error::NoFolder { folder: folder.to_owned() });
    }
    let mut plain = NamedTempFile::new_in(folder).map_err(io)?;
    let mut made = fill(plain.as_file_mut(), agent, files, left_out)
        .map_err(|(path, source)| Error::Io { path: path.unwrap_or_else(|| file.to_owned()), source })?;
    made.size = finish(plain, &path, NameClash::Stays).map_err(io)?;
    Ok(made)
}

/// Whether a file of the same name is put away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameClash {
    Stays,
    Goes,
}

/// Compresses what was written, syncs it, and gives it its name. Returns its size.
fn finish(mut plain: NamedTempFile, path: &Path, existing: NameClash) -> io::Result<u64> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let done = if path.extension().is_some_and(|end| end == "tar") {
        plain
    } else {
        let mut packed = NamedTempFile::new_in(folder)?;
        plain.as_file_mut().rewind()?;
        pack(plain.as_file(), packed.as_file_mut())?;
        packed
    };
    done.as_file().sync_all()?;
    let size = done.as_file().metadata()?.len();
    let named = match existing {
        NameClash::Stays => done.persist_noclobber(path),
        NameClash::Goes => done.persist(path),
    };
    named.map_err(|error| error.error)?;
    durable::sync_folder(File::open(folder)?)?;
    Ok(size)
}

/// Writes an archive anew with what `sift` leaves of each file, if that is not all. Returns how many lines went.
pub fn sift(file: &Path, sift: &dyn Fn(&str, &[u8]) -> SieveOutcome) -> Result<usize, Error> {
    let mut taken = 0;
    each::<Error>(file, &mut |entry| {
        taken += match sift(&entry.listed.path, entry.bytes) {
            SieveOutcome::Same => 0,
            SieveOutcome::Other(_, lines) | SieveOutcome::Gone(lines) => lines,
        };
        Ok(())
    })?;
    if taken > 0 {
        rewrite(file, sift)?;
    }
    Ok(taken)
}

fn rewrite(file: &Path, sift: &dyn Fn(&str, &[u8]) -> SieveOutcome) -> Result<(), Error> {
    let io = |source| Error::Io { path: file.to_owned(), source };
    let path = std::path::absolute(file).map_err(io)?;
    let mut plain = NamedTempFile::new_in(path.parent().unwrap_or(Path::new("/"))).map_err(io)?;
    let mut builder = Builder::new(BufWriter::new(plain.as_file_mut()));
    let mut files = Vec::new();
    let mut manifest = walk::<Error>(file, &mut |entry| {
        let new = match sift(&entry.listed.path, entry.bytes) {
            SieveOutcome::Same => entry.bytes.to_vec(),
            SieveOutcome::Other(bytes, _) => bytes,
            SieveOutcome::Gone(_) => return Ok(()),
        };
        add(&mut builder, &entry.listed.path, &new, entry.mode, entry.time).map_err(io)?;
        files.push(ManifestFile::of(&entry.listed.path, &new));
        Ok(())
    })?;
    manifest.files = files;
    close(builder, &manifest).and_then(|()| finish(plain, &path, NameClash::Goes)).map(drop).map_err(io)
}

fn close(mut builder: Builder<impl Write>, manifest: &Manifest) -> io::Result<()> {
    add(&mut builder, MANIFEST, &serde_json::to_vec_pretty(manifest)?, 0o600, 0)?;
    builder.into_inner()?.flush()
}

/// The encoder takes no error for an answer: the first one ends what it is given, and is told afterwards.
fn pack(from: &File, to: &mut File) -> io::Result<()> {
    let mut reader = ErrorLatch { inner: BufReader::new(from), failed: None };
    let mut writer = ErrorLatch { inner: BufWriter::new(to), failed: None };
    compress(&mut reader, &mut writer, CompressionLevel::Fastest);
    match reader.failed.or(writer.failed) {
        Some(error) => Err(error),
        None => writer.inner.flush(),
    }
}

struct ErrorLatch<T> {
    inner: T,
    failed: Option<io::Error>,
}

impl<R: Read> Read for ErrorLatch<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.failed = Some(error);
                Ok(0)
            }
            read => read,
        }
    }
}

impl<W: Write> Write for ErrorLatch<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            self.failed = self.inner.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

type Failed = (Option<PathBuf>, io::Error);

fn fill(
    file: &mut File,
    agent: &str,
    contents: &[(String, FileContent)],
    left_out: Vec<String>,
) -> Result<Made, Failed> {
    let mut builder = Builder::new(BufWriter::new(file));
    let mut files = Vec::new();
    for (name, content) in contents {
        let (bytes, mode, time) = match content {
            FileContent::Text(text) => (text.clone().into_bytes(), 0o600, 0),
            FileContent::File(path) => read(path).map_err(|error| (Some(path.clone()), error))?,
        };
        add(&mut builder, name, &bytes, mode, time).map_err(|error| (None, error))?;
        files.push(ManifestFile::of(name, &bytes));
    }
    let made = Made {
        files: files.len(),
        bytes: files.iter().map(|file| file.size).sum(),
        size: 0,
        left_out: left_out.clone(),
    };
    let manifest =
        Manifest { format: FORMAT.to_owned(), version: 1, agent: agent.to_owned(), files, left_out };
    close(builder, &manifest).map_err(|error| (None, error))?;
    Ok(made)
}

/// A file's bytes, mode and time. One that grows is as long as it was when it was opened: what is added is a later line.
fn read(path: &Path) -> io::Result<(Vec<u8>, u32, u64)> {
    let file = File::open(path)?;
    let known = file.metadata()?;
    let mut bytes = Vec::with_capacity(usize::try_from(known.len()).unwrap_or(0));
    file.take(known.len()).read_to_end(&mut bytes)?;
    Ok((bytes, known.permissions().mode() & 0o777, u64::try_from(known.mtime()).unwrap_or(0)))
}

fn add(builder: &mut Builder<impl Write>, name: &str, bytes: &[u8], mode: u32, time: u64) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(bytes.len() as u64);
    header.set_mode(mode);
    header.set_mtime(time);
    builder.append_data(&mut header, name, bytes)
}

/// Goes through an archive: every entry is checked before `take` sees it, and the list at the end against all of them.
/// Only when this returns is the archive known to be whole.
pub fn each<E: From<Error>>(
    file: &Path,
    take: &mut dyn FnMut(&Member<'_>) -> Result<(), E>,
) -> Result<Vec<ManifestFile>, E> {
    Ok(walk(file, take)?.files)
}

fn walk<E: From<Error>>(
    file: &Path,
    take: &mut dyn FnMut(&Member<'_>) -> Result<(), E>,
) -> Result<Manifest, E> {
    let damaged = |error: io::Error| Error::Damaged { path: file.to_owned(), what: error.to_string() };
    let mut archive = Archive::new(open(file)?);
    let (mut found, mut manifest): (Vec<ManifestFile>, Option<Manifest>) = (Vec::new(), None);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if entry.header().entry_type() != EntryType::Regular {
            return Err(refused(file, &name, "it is not a plain file").into());
        }
        check_name(file, &name)?;
        let mode = entry.header().mode().unwrap_or(0o600) & 0o777;
        let time = entry.header().mtime().unwrap_or(0);
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(damaged)?;
        if name == MANIFEST {
            manifest = Some(parse(file, &bytes)?);
            continue;
        }
        if found.iter().any(|listed| listed.path == name) {
            return Err(refused(file, &name, "it is in it twice").into());
        }
        let listed = ManifestFile::of(&name, &bytes);
        take(&Member { listed: listed.clone(), bytes: &bytes, mode, time })?;
        found.push(listed);
    }
    Ok(compare(file, &found, manifest)?)
}

fn compare(file: &Path, found: &[ManifestFile], manifest: Option<Manifest>) -> Result<Manifest, Error> {
    let not = |what: &str| Error::NotABackup { path: file.to_owned(), what: what.to_owned() };
    let manifest = manifest.ok_or_else(|| not("it has no list of its files, or was cut off"))?;
    if manifest.format != FORMAT || manifest.version != 1 {
        return Err(not(&format!("it is {} of version {}", manifest.format, manifest.version)));
    }
    let differing = manifest.files.iter().find(|listed| !found.contains(listed));
    let what = match (differing, found.len() == manifest.files.len()) {
        (None, true) => return Ok(manifest),
        (Some(listed), _) => format!("{} is not as the list says", listed.path),
        (None, false) => "it holds files that are not in its list".to_owned(),
    };
    Err(Error::Damaged { path: file.to_owned(), what })
}

fn parse(file: &Path, bytes: &[u8]) -> Result<Manifest, Error> {
    serde_json::from_slice(bytes)
        .map_err(|error| Error::NotABackup { path: file.to_owned(), what: error.to_string() })
}

/// A name leads into the workspace or the state directory, and nowhere else.
fn check_name(file: &Path, name: &str) -> Result<(), Error> {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let inside = name.starts_with("workspace/") || name.starts_with("state/");
    if name == MANIFEST || (plain && inside && !name.contains(['\0', '\\']) && !name.contains("//")) {
        return Ok(());
    }
    Err(refused(file, name, "it leads out of the memory"))
}

fn refused(file: &Path, name: &str, what: &'static str) -> Error {
    Error::Unsafe { path: file.to_owned(), name: name.to_owned(), what }
}

fn open(file: &Path) -> Result<Box<dyn Read>, Error> {
    let io = |source| Error::Io { path: file.to_owned(), source };
    let mut opened = File::open(file).map_err(io)?;
    let mut magic = [0; 4];
    let read = opened.read(&mut magic).map_err(io)?;
    opened.rewind().map_err(io)?;
    if read < 4 || magic != ZSTD {
        return Ok(Box::new(BufReader::new(opened)));
    }
    let decoder = StreamingDecoder::new(BufReader::new(opened));
    let decoder =
        decoder.map_err(|error| Error::Damaged { path: file.to_owned(), what: error.to_string() })?;
    Ok(Box::new(decoder))
}
