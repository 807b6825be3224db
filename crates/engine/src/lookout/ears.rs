//! The system's queue of changes, read without waiting.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heard {
    pub(super) watch: i32,
    /// The folder, as its notes are named.
    pub(super) folder: String,
    pub(super) name: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Events were lost, or a folder that was watched is gone.
    Lost,
    /// A folder came, went or changed.
    Folder,
    /// A file went.
    Gone,
    /// A file came, or something of it changed.
    Content,
}

#[cfg(target_os = "linux")]
pub(super) use linux::Ears;

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::Deaf as Ears;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashMap;
    use std::io;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
    use rustix::io::Errno;

    use super::{Heard, Kind};

    pub(in super::super) struct Ears {
        queue: OwnedFd,
        folders: HashMap<i32, String>,
    }

    impl Ears {
        pub(in super::super) fn open() -> io::Result<Self> {
            let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC)?;
            Ok(Self { queue, folders: HashMap::new() })
        }

        /// Fails for a folder that is watched by another name already: its notes would be told by one of the two.
        pub(in super::super) fn watch(&mut self, path: &Path, folder: &str) -> io::Result<()> {
            let wanted = WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MODIFY
                | WatchFlags::ATTRIB
                | WatchFlags::MOVED_FROM
                | WatchFlags::MOVED_TO
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::EXCL_UNLINK
                | WatchFlags::ONLYDIR;
            let watch = inotify::add_watch(&self.queue, path, wanted)?;
            match self.folders.insert(watch, folder.to_owned()) {
                Some(other) if other != folder => {
                    Err(io::Error::other(format!("{folder} and {other} are one folder")))
                }
                Some(_) | None => Ok(()),
            }
        }

        /// Everything that is in the queue now.
        pub(in super::super) fn listen(&self) -> io::Result<Vec<Heard>> {
            let mut heard = Vec::new();
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut events = Reader::new(&self.queue, &mut buffer);
            loop {
                match events.next() {
                    Ok(event) => heard.push(self.heard(&event)),
                    Err(Errno::WOULDBLOCK) => return Ok(heard),
                    Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }

        fn heard(&self, event: &inotify::Event<'_>) -> Heard {
            let lost = ReadFlags::QUEUE_OVERFLOW
                | ReadFlags::IGNORED
                | ReadFlags::UNMOUNT
                | ReadFlags::DELETE_SELF
                | ReadFlags::MOVE_SELF;
            let flags = event.events();
            let is = |any: ReadFlags| flags.intersects(any);
            let folder = self.folders.get(&event.wd());
            let kind = if is(lost) || folder.is_none() {
                Kind::Lost
            } else if is(ReadFlags::ISDIR) {
                Kind::Folder
            } else if is(ReadFlags::DELETE | ReadFlags::MOVED_FROM) {
                Kind::Gone
            } else {
                Kind::Content
            };
            let name = event.file_name().map(|name| name.to_string_lossy().into_owned());
            let folder = folder.cloned().unwrap_or_default();
            Heard { watch: event.wd(), folder, name: name.unwrap_or_default(), kind }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;
    use std::path::Path;

    use super::Heard;

    /// No other system tells of a change before the call that made it returns.
    pub(in super::super) enum Deaf {}

    impl Deaf {
        pub(in super::super) fn open() -> io::Result<Self> {
            Err(io::Error::from(io::ErrorKind::Unsupported))
        }

        pub(in super::super) fn watch(&mut self, _: &Path, _: &str) -> io::Result<()> {
            match *self {}
        }

        pub(in super::super) fn listen(&self) -> io::Result<Vec<Heard>> {
            match *self {}
        }
    }
}
