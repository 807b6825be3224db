//! Files that others may have put there: opened only if they are what they look like.

use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;

/// What is found under a name.
#[derive(Debug)]
pub enum Plain {
    /// A regular file, open for reading.
    File(File),
    Absent,
    /// A link, which is not followed.
    Link,
    /// A folder, a pipe, a socket or a device.
    Special,
}

/// Opens the file of that name, in one step: what is a file cannot become a link in between. Links on the way to its folder
/// are followed.
pub fn open(path: &Path) -> io::Result<Plain> {
    // A pipe would wait for its other end, a terminal would become ours.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match openat(CWD, path, flags, Mode::empty()) {
        Ok(opened) => opened,
        Err(Errno::NOENT) => return Ok(Plain::Absent),
        Err(Errno::LOOP | Errno::MLINK) => return Ok(Plain::Link),
        Err(Errno::NXIO) => return Ok(Plain::Special),
        Err(other) => return Err(other.into()),
    };
    let kind = FileType::from_raw_mode(fstat(&opened)?.st_mode);
    Ok(if kind == FileType::RegularFile { Plain::File(File::from(opened)) } else { Plain::Special })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_regular_file_is_opened_and_no_link_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        std::fs::File::create(at("file")).unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        std::os::unix::fs::symlink(at("nothing"), at("dead")).unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        std::os::unix::fs::symlink(at("folder"), at("way")).unwrap();
        std::fs::File::create(at("folder/file")).unwrap();
        drop(std::os::unix::net::UnixListener::bind(at("socket")).unwrap());
        let found = ["file", "none", "link", "dead", "folder", "socket", "way/file"].map(|name| {
            match open(&at(name)) {
                Ok(Plain::File(_)) => "file",
                Ok(Plain::Absent) => "absent",
                Ok(Plain::Link) => "link",
                Ok(Plain::Special) => "special",
                Err(_) => "error",
            }
        });
        assert_eq!(found, ["file", "absent", "link", "link", "special", "special", "file"]);
    }
}
