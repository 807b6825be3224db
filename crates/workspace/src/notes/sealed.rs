//! Private notes as files: `NAME.md.age` beneath `memory/private/`, which only a key opens. Above this module they are
//! notes like any other, called `NAME.md`. Text in clear never gets a name in the workspace: what is written aside is
//! encrypted already.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat, unlinkat};
use rustix::io::Errno;

use super::append::{self, AppendOutcome};
use super::read::{self, Bytes};
use super::replace::{self, Replacement, Swap};
use super::walk::entries;
use super::{Error, Expect, NotePath, Place, Stat, Workspace, Writer, confine, lock, path, remove};
use mindfile_trust::age;
use mindfile_trust::place::{PRIVATE, is_private};
use mindfile_trust::vault::{KeyError, Keys};

/// What an encrypted note's name has more than its own.
pub(super) const AGE: &str = ".age";
/// Of a note of 16 MiB: a header, and a code for each 64 KiB.
const LONGEST: u64 = (16 << 20) + (64 << 10);
const ATTEMPTS: usize = 5;
const DEEPEST: usize = 16;

/// A private note as it lies on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateNote {
    pub path: NotePath,
    pub stat: Stat,
    pub kept: PrivateForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateForm {
    Encrypted,
    /// In clear: nobody has encrypted it yet.
    Clear,
    /// Both, as an interruption leaves it; the encrypted one counts.
    Both,
}

impl Workspace {
    /// The note's path, if it is a private one; the name of the file itself means it, too.
    pub(super) fn private_path(path: &str) -> Option<NotePath> {
        let plain = path.strip_suffix(AGE).filter(|_| is_private(path)).unwrap_or(path);
        is_private(plain).then(|| NotePath::new(plain.to_owned()))
    }

    fn keys(&self, path: &NotePath) -> Result<Arc<Keys>, Error> {
        let key = |source| Error::Key { path: path.clone(), source };
        self.vault
            .as_ref()
            .map_or_else(|| Err(Error::NoVault { path: path.clone() }), |vault| vault.keys().map_err(key))
    }

    /// The encrypted file's place and name.
    fn sealed(&self, path: &NotePath) -> Result<(Place, NotePath), Error> {
        let mut place = self.place(path)?;
        place.rel.push_str(AGE);
        Ok((place, NotePath::new(format!("{path}{AGE}"))))
    }

    /// The bytes of the encrypted file; none where there is none.
    fn cipher(&self, path: &NotePath) -> Result<Option<Bytes>, Error> {
        let (place, name) = self.sealed(path)?;
        match confine::open_file(&place, &name) {
            Err(Error::Missing { .. }) => Ok(None),
            opened => {
                let found = read::read_once(&opened?, &name, LONGEST)?;
                let long = || std::io::Error::other("it is longer than 16 MiB");
                if found.truncated { Err(Error::io("read", &name, long())) } else { Ok(Some(found)) }
            }
        }
    }

    pub(super) fn read_private(&self, path: &NotePath, limit: u64) -> Result<Bytes, Error> {
        let Some(found) = self.cipher(path)? else {
            let plain = read::read_once(&confine::open_file(&self.place(path)?, path)?, path, limit)?;
            return if age::is_age(&plain.bytes) { self.opened(path, plain, limit) } else { Ok(plain) };
        };
        self.opened(path, found, limit)
    }

    fn opened(&self, path: &NotePath, found: Bytes, limit: u64) -> Result<Bytes, Error> {
        let plain = self.unsealed(path, &found.bytes)?;
        let truncated = plain.len() as u64 > limit;
        let kept = usize::try_from(limit).map_or(plain.len(), |limit| plain.len().min(limit));
        Ok(Bytes { bytes: plain[..kept].to_vec(), truncated, ..found })
    }

    fn unsealed(&self, path: &NotePath, cipher: &[u8]) -> Result<zeroize::Zeroizing<Vec<u8>>, Error> {
        let closed = |source| KeyError::Closed { path: path.to_string(), source };
        let opened = self.keys(path)?.open(cipher).map_err(closed);
        opened.map_err(|source| Error::Key { path: path.clone(), source })
    }

    fn seal(&self, path: &NotePath, plain: &[u8]) -> Result<Vec<u8>, Error> {
        let closed = |source| KeyError::Closed { path: path.to_string(), source };
        let sealed = self.keys(path)?.seal(plain).map_err(closed);
        sealed.map_err(|source| Error::Key { path: path.clone(), source })
    }

    pub(super) fn replace_private(
        &self,
        path: &NotePath,
        new: &[u8],
        expect: Expect<'_>,
    ) -> Result<Replacement, Error> {
        let conflict = || Error::Conflict { path: path.clone(), kept: None };
        let (place, name) = self.sealed(path)?;
        let sealed = self.seal(path, new)?;
        match (expect, self.cipher(path)?) {
            (Expect::Absent, None) if self.is_there(path)? => Err(conflict()),
            (Expect::Absent, None) => replace::create(&place, &name, &sealed),
            (Expect::Absent, Some(_)) => Err(conflict()),
            (Expect::Bytes(old), Some(cipher)) => {
                if self.unsealed(path, &cipher.bytes)?.as_slice() != old {
                    return Err(conflict());
                }
                Swap::begin(&place, &name, &cipher.bytes, &sealed)?.run()
            }
            (Expect::Bytes(old), None) => {
                if self.read_private(path, LONGEST)?.bytes != old {
                    return Err(conflict());
                }
                let made = replace::create(&place, &name, &sealed)?;
                self.overwritten(path)?;
                Ok(made)
            }
        }
    }

    fn is_there(&self, path: &NotePath) -> Result<bool, Error> {
        match confine::open_file(&self.place(path)?, path) {
            Ok(_) => Ok(true),
            Err(Error::Missing { .. }) => Ok(false),
            Err(other) => Err(other),
        }
    }

    /// Reads, adds and writes anew: an encrypted file has no end to append to.
    pub(super) fn append_private(&self, path: &NotePath, text: &[u8]) -> Result<AppendOutcome, Error> {
        for _ in 0..ATTEMPTS {
            let old = match self.read_private(path, LONGEST) {
                Err(Error::Missing { .. }) => None,
                read => Some(read?.bytes),
            };
            let before = old.clone().unwrap_or_default();
            let whole = [before.as_slice(), &append::block(&before, text)].concat();
            let expect = old.as_deref().map_or(Expect::Absent, Expect::Bytes);
            match self.replace_private(path, &whole, expect) {
                Err(Error::Conflict { kept: None, .. }) => {}
                done => {
                    let Replacement { stat, created, .. } = done?;
                    return Ok(AppendOutcome { stat, created, at: None });
                }
            }
        }
        Err(Error::Conflict { path: path.clone(), kept: None })
    }

    pub(super) fn remove_private(&self, path: &NotePath, expected: &[u8]) -> Result<(), Error> {
        let Some(cipher) = self.cipher(path)? else {
            return remove::remove_at(&self.place(path)?, path, expected);
        };
        if self.unsealed(path, &cipher.bytes)?.as_slice() != expected {
            return Err(Error::Conflict { path: path.clone(), kept: None });
        }
        let (place, name) = self.sealed(path)?;
        remove::remove_at(&place, &name, &cipher.bytes)
    }

    /// The file of that name as it lies there, encrypted or not.
    pub fn plain(&self, path: &NotePath) -> Result<Vec<u8>, Error> {
        Ok(read::read_once(&confine::open_file(&self.place(path)?, path)?, path, LONGEST)?.bytes)
    }

    /// Removes a text in clear.
    pub(super) fn overwritten(&self, path: &NotePath) -> Result<(), Error> {
        let place = self.place(path)?;
        let dir = confine::open_parent(&place, path)?;
        lock::alone(&dir, path)?;
        let name = path::name_of(&place.rel);
        overwrite(&dir, name, path)?;
        match unlinkat(&dir, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => replace::sync(&dir, path),
            Err(errno) => Err(Error::io("remove", path, errno)),
        }
    }

    /// Every private note, by path.
    pub fn private_notes(&self) -> Result<Vec<PrivateNote>, Error> {
        let shown = NotePath::new(PRIVATE.to_owned());
        let base = confine::open_root(self.root())?;
        let mut found = BTreeMap::new();
        match confine::open_folder(base, PRIVATE) {
            Err(Errno::NOENT) => return Ok(Vec::new()),
            opened => list(&opened.map_err(|errno| confine::refused(&shown, errno))?, PRIVATE, 0, &mut found)
                .map_err(|errno| Error::io("list", &shown, errno))?,
        }
        Ok(found.into_values().collect())
    }
}

impl Writer {
    /// Encrypts the file again for the key that leads now. Whether it was there.
    pub fn reseal(&self, path: &NotePath) -> Result<bool, Error> {
        let Some(cipher) = self.cipher(path)? else { return Ok(false) };
        let (place, name) = self.sealed(path)?;
        let sealed = self.seal(path, &self.unsealed(path, &cipher.bytes)?)?;
        Swap::begin(&place, &name, &cipher.bytes, &sealed)?.run()?;
        Ok(true)
    }

    /// Writes an encrypted note beside its text in clear, or finds it there, and only then removes the latter. A kill in
    /// between leaves both, and the same call finishes it.
    pub fn encrypt_in_place(&self, path: &NotePath) -> Result<(), Error> {
        let place = self.place(path)?;
        let plain = read::read_once(&confine::open_file(&place, path)?, path, LONGEST)?;
        let (sealed_place, name) = self.sealed(path)?;
        match self.cipher(path)? {
            None => drop(replace::create(&sealed_place, &name, &self.seal(path, &plain.bytes)?)?),
            Some(cipher) if is_rest_of(&plain.bytes, &self.unsealed(path, &cipher.bytes)?) => {}
            Some(_) => return Err(Error::TwoTexts { path: path.clone() }),
        }
        self.overwritten(path)
    }

    /// Writes the text in clear to `to`, a note that is not there yet or has that text, and then removes the encrypted file.
    pub fn decrypt_to(&self, path: &NotePath, to: &NotePath) -> Result<(), Error> {
        let missing = || Error::Missing { path: path.clone() };
        let cipher = self.cipher(path)?.ok_or_else(missing)?;
        let plain = self.unsealed(path, &cipher.bytes)?;
        match replace::create(&self.place(to)?, to, &plain) {
            Err(Error::Conflict { .. }) if self.plain(to)? == plain.as_slice() => {}
            done => drop(done?),
        }
        let (place, name) = self.sealed(path)?;
        remove::remove_at(&place, &name, &cipher.bytes)
    }

    /// Removes a text in clear: overwritten first, as far as the disk lets that mean something.
    pub fn wipe(&self, path: &NotePath) -> Result<(), Error> {
        self.overwritten(path)
    }
}

fn list(
    dir: &OwnedFd,
    at: &str,
    depth: usize,
    found: &mut BTreeMap<String, PrivateNote>,
) -> Result<(), Errno> {
    let mut names = Vec::new();
    entries::each(dir, &mut entries::buffer(), |name, _| {
        names.extend(name.to_str().ok().filter(|name| !name.starts_with('.')).map(str::to_owned));
    })?;
    for name in names {
        let Ok(stat) = statat(dir, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let here = path::join(at, &name);
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory if depth < DEEPEST => {
                let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                list(&openat(dir, &name, flags, Mode::empty())?, &here, depth + 1, found)?;
            }
            FileType::RegularFile => note(&here, Stat::of(&stat), found),
            FileType::Directory
            | FileType::Symlink
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => {}
        }
    }
    Ok(())
}

fn note(file: &str, stat: Stat, found: &mut BTreeMap<String, PrivateNote>) {
    let plain = file.strip_suffix(AGE);
    let name = plain.unwrap_or(file);
    if !path::is_note_name(path::name_of(name)) {
        return;
    }
    let kept = if plain.is_some() { PrivateForm::Encrypted } else { PrivateForm::Clear };
    let fresh = PrivateNote { path: NotePath::new(name.to_owned()), stat, kept };
    let known = found.entry(name.to_owned()).or_insert_with(|| fresh.clone());
    if known.kept != kept {
        let stat = if kept == PrivateForm::Encrypted { stat } else { known.stat };
        *known = PrivateNote { stat, kept: PrivateForm::Both, ..fresh };
    }
}

/// Whether a file in clear is the text, or what an interrupted overwriting left of it.
pub fn is_rest_of(found: &[u8], text: &[u8]) -> bool {
    found.len() == text.len() && found.iter().zip(text).all(|(byte, whole)| *byte == 0 || byte == whole)
}

/// A file with another name keeps its text.
fn overwrite(dir: &OwnedFd, name: &str, path: &NotePath) -> Result<(), Error> {
    let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let fd = match openat(dir, name, flags, Mode::empty()) {
        Err(Errno::NOENT) => return Ok(()),
        opened => opened.map_err(|errno| confine::refused(path, errno))?,
    };
    let mut file = confine::regular(fd, path)?;
    let stat = rustix::fs::fstat(&file).map_err(|errno| Error::io("examine", path, errno))?;
    if stat.st_nlink > 1 {
        return Ok(());
    }
    let length = usize::try_from(stat.st_size).unwrap_or(0);
    let wiped = file.write_all(&vec![0; length]).and_then(|()| file.sync_all());
    wiped.map_err(|source| Error::io("overwrite", path, source))
}
