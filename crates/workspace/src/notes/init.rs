//! Creates a workspace with a first page that explains it. Existing files are left alone.

use std::path::Path;

use rustix::fs::{AtFlags, mkdirat, statat};
use rustix::io::Errno;

use super::{Error, NotePath, Workspace, absolute, confine, replace};
use mindfile_disk::durable::{self, NEW_FOLDER, sync_folder};

/// Names relative to the workspace; a folder's name ends in `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewWorkspace {
    pub made: Vec<String>,
    pub already: Vec<String>,
}

const MEMORY: &str = "\
# Memory

What should never be forgotten: decisions, preferences, people, facts that stay true.
Your agent reads this page at the start of every private conversation, so keep it short.
Write here yourself whenever you like; this file is yours.

A fact is one line of a list: a kind (W about the world, B something that happened, O an opinion or a preference),
names with an @ before them, a colon, and the fact. FORMAT.md of mindfile has examples.

Notes of the day live in the folder memory, one file a day.
";

const SOUL: &str = "\
# Soul

How your agent should be: its name, its tone, what it cares about, what it must never do.
It reads this page before everything else. Replace these lines with your own.
";

/// Makes a workspace at `dir`, or completes one; never overwrites.
pub fn init(dir: &Path) -> Result<NewWorkspace, Error> {
    let workspace = made(dir)?;
    let mut created = NewWorkspace::default();
    if workspace.has("memory.md")? {
        created.already.push("memory.md".to_owned());
    } else {
        workspace.page(&NotePath::new("MEMORY.md".to_owned()), MEMORY, &mut created)?;
    }
    workspace.page(&NotePath::persona(), SOUL, &mut created)?;
    workspace.memory_folder(&mut created)?;
    Ok(created)
}

/// Makes a workspace without a page: the least that notes can be written to.
pub fn init_folders(dir: &Path) -> Result<(), Error> {
    made(dir)?.memory_folder(&mut NewWorkspace::default())
}

fn made(dir: &Path) -> Result<Workspace, Error> {
    let root = absolute(dir)?;
    durable::make_folders(&root).map_err(|source| Error::io("make", root.display(), source))?;
    Workspace::open(&root, &[])
}

impl Workspace {
    fn has(&self, name: &str) -> Result<bool, Error> {
        match statat(confine::open_root(&self.root)?, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(errno) => Err(Error::io("examine", name, errno)),
        }
    }

    fn page(&self, path: &NotePath, text: &str, created: &mut NewWorkspace) -> Result<(), Error> {
        match replace::create(&self.place(path)?, path, text.as_bytes()) {
            Ok(_) => created.made.push(path.to_string()),
            Err(Error::Conflict { .. }) => created.already.push(path.to_string()),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn memory_folder(&self, created: &mut NewWorkspace) -> Result<(), Error> {
        let root = confine::open_root(&self.root)?;
        let name = "memory/".to_owned();
        match mkdirat(&root, "memory", NEW_FOLDER) {
            Ok(()) => created.made.push(name),
            Err(Errno::EXIST) => created.already.push(name),
            Err(errno) => return Err(Error::io("make", "memory", errno)),
        }
        sync_folder(&root)
            .map_err(|errno| Error::NotDurable { path: "memory".to_owned(), source: errno.into() })
    }
}

#[cfg(test)]
mod tests {
    use mindfile_note::template;

    use super::{MEMORY, SOUL};

    /// A page that changes needs its paragraphs in `note/src/template/paragraphs.txt`, beside those of the page before.
    #[test]
    fn a_new_workspace_says_nothing_of_its_own() {
        for (name, page) in [("MEMORY.md", MEMORY), ("SOUL.md", SOUL)] {
            assert_eq!(template::own_text(name, page).trim(), "", "{name}");
        }
    }
}
