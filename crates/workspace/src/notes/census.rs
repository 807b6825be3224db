//! Knowing quickly that nothing changed. A scan lists every folder; when a folder's own times are the same, its list of
//! names is the same too, and it is enough to look at each known file. That is most of the work of a search's start.

use std::ffi::CStr;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, fstat, statat};

use super::{Scan, Stamp, Stat, Workspace, confine};

/// Ends a name, here as for the system; no name of a file has it.
const END: char = '\0';
/// Begins the path of a folder; no name of a file has it.
const FOLDER_MARK: char = '/';

impl Scan {
    /// The names of all folders and notes, and one digest over their states. Only a scan that saw everything has one.
    pub fn census(&self) -> Option<String> {
        if self.is_incomplete() {
            return None;
        }
        let mut stamp = Stamp::default();
        let mut names = String::new();
        let mut listed = 0;
        for (folder, stat) in &self.folders {
            stamp.add_state(stat);
            names.push(FOLDER_MARK);
            names.push_str(folder);
            names.push(END);
            let mut files: Vec<(&str, &Stat)> = self.files_in(folder).collect();
            // What the system keeps of files that were made one after the other lies side by side.
            files.sort_unstable_by_key(|(_, stat)| stat.inode);
            for (name, stat) in &files {
                stamp.add_state(stat);
                names.push_str(name);
                names.push(END);
            }
            listed += files.len();
        }
        // A note whose folder is not listed is looked at anew each time.
        (listed == self.files.len()).then(|| format!("{stamp}{names}"))
    }

    /// The notes that stand directly in a folder: their names there, and their states.
    fn files_in<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a Stat)> {
        let prefix =
            if folder.is_empty() || folder.ends_with('/') { folder.to_owned() } else { format!("{folder}/") };
        let start = self.files.partition_point(|found| found.path.as_str() < prefix.as_str());
        let within = self.files[start..].iter();
        let within = within
            .map_while(move |found| Some((found.path.as_str().strip_prefix(prefix.as_str())?, &found.stat)));
        within.filter(|(rest, _)| !rest.contains('/'))
    }
}

impl Workspace {
    /// Whether folders and notes are as they were when the census was taken.
    pub fn is_as_in(&self, census: &str) -> bool {
        let Some((expected, names)) = census.split_at_checked(32) else { return false };
        self.state(names).is_some_and(|stamp| stamp.to_string() == expected)
    }

    /// None when something is missing or cannot be looked at.
    fn state(&self, names: &str) -> Option<Stamp> {
        let root = confine::open_root(&self.root).ok()?;
        let mut stamp = Stamp::default();
        let mut folder: Option<OwnedFd> = None;
        let mut rest = names;
        // As a name ends here, so it does for the system: nothing is copied for it.
        while let Ok(entry) = CStr::from_bytes_until_nul(rest.as_bytes()) {
            let name = rest.get(..entry.count_bytes())?;
            rest = rest.get(name.len() + 1..)?;
            let stat = match name.strip_prefix(FOLDER_MARK) {
                Some(at) => fstat(folder.insert(self.open_listed(&root, at)?)).ok()?,
                None => statat(folder.as_ref()?, entry, AtFlags::SYMLINK_NOFOLLOW).ok()?,
            };
            stamp.add_state(&Stat::of(&stat));
        }
        Some(stamp)
    }

    /// A folder of the census; below the workspace no link is followed on the way.
    fn open_listed(&self, root: &OwnedFd, at: &str) -> Option<OwnedFd> {
        let is_outside = at.starts_with('/') || at.split('/').any(|part| part == "..");
        let opened =
            if is_outside { confine::open_path(&self.root.join(at)) } else { confine::open_folder(root, at) };
        opened.ok()
    }
}
