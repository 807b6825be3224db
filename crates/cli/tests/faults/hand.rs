//! A hand that edits a workspace as people, editors and sync programs do: any of it, in any order, from a seed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::random::Random;
use crate::tree;

const WORDS: [&str; 40] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "the", "rate", "limit", "api",
    "database", "migration", "postgres", "connection", "pool", "deploy", "failed", "friday", "landlord",
    "coffee", "tomasz", "project", "acme", "running", "slow", "queries", "company", "leaving", "note",
    "decide", "Straße", "Übung", "記憶", "検索", "память", "don't", "C++", "2026-07-14",
];
const NAMES: [&str; 14] = [
    "MEMORY.md",
    "USER.md",
    "memory/2026-07-14.md",
    "memory/2026-07-15.md",
    "memory/2026-07-15-slug.md",
    "memory/people.md",
    "memory/projects/acme.md",
    "memory/projects/acme-dashboard.md",
    "memory/deep/er/est.md",
    "memory/a b c.md",
    "memory/été.md",
    "bank/world.md",
    "bank/entities/tomasz.md",
    "memory/not-a-note.txt",
];
const STARTS: [&str; 13] = [
    "",
    "",
    "",
    "# ",
    "## ",
    "- ",
    "- W @api: ",
    "- O(c=0.8) @tomasz: ",
    "- B(s=0.9) @Tomasz @acme @api: ",
    "  * S @tom: ",
    "```\n- W @api: ",
    "alias: tom = tomasz\n",
    "\n",
];
/// A workspace smaller than this is not made smaller: an empty one is taken for one that is not mounted.
const FEWEST: usize = 4;
const MANY: usize = 70;

pub(crate) struct Hand {
    root: PathBuf,
    pub(crate) random: Random,
}

impl Hand {
    pub(crate) fn new(root: &Path, seed: u64) -> Self {
        Self { root: root.to_owned(), random: Random::new(seed) }
    }

    /// A first state of the workspace.
    pub(crate) fn fill(&mut self, notes: usize) {
        fs::create_dir_all(self.root.join("memory")).unwrap();
        for number in 0..notes {
            let name = format!("memory/n{number}.md");
            let text = self.text(1..12);
            tree::write(&self.root.join(name), text);
        }
    }

    /// Does one thing, and says what.
    pub(crate) fn edit(&mut self) -> String {
        let files = self.files();
        let Some(path) = (!files.is_empty()).then(|| self.random.pick(&files).clone()) else {
            return self.create();
        };
        let may_shrink = files.len() > FEWEST;
        let name = path.strip_prefix(&self.root).unwrap().display().to_string();
        match self.random.below(19) {
            0 | 1 => return self.create(),
            2 | 3 => self.append(&path),
            4 | 5 => self.edit_middle(&path),
            6 => self.cut(&path),
            7 | 8 => return self.rename(&path),
            9 if may_shrink => fs::remove_file(&path).unwrap(),
            9 | 10 => touch(&path, SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)),
            11 => self.edit_behind_the_back(&path),
            12 => rewrite(&path, |bytes| String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes()),
            13 => tree::write(&path, ""),
            14 => rewrite(&path, |bytes| {
                [b"\xef\xbb\xbf".as_slice(), bytes, b"\xff\xfe broken \x00 \x80"].concat()
            }),
            15 => return self.swap(&path, &files),
            16 if self.random.one_in(10) => return self.copy(&path, MANY),
            16 | 17 => return self.copy(&path, 1),
            _ => return self.new_folder(),
        }
        format!("changed {name}")
    }

    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let tree = tree::of(&self.root);
        let files = tree
            .into_iter()
            .filter(|(name, bytes)| bytes.is_some() && name.extension().is_some_and(|end| end == "md"));
        files.map(|(name, _)| self.root.join(name)).collect()
    }

    fn create(&mut self) -> String {
        let name = *self.random.pick(&NAMES);
        let text = self.text(0..10);
        tree::write(&self.root.join(name), text);
        format!("wrote {name}")
    }

    fn new_folder(&mut self) -> String {
        let name = format!("memory/folder{}/{}.md", self.random.below(4), self.random.pick(&["a", "b"]));
        let text = self.text(0..6);
        tree::write(&self.root.join(&name), text);
        format!("wrote {name}")
    }

    fn append(&mut self, path: &Path) {
        let more = self.text(1..4);
        rewrite(path, |bytes| [bytes, more.as_bytes()].concat());
    }

    fn edit_middle(&mut self, path: &Path) {
        let line = self.line();
        let at = self.random.next();
        rewrite(path, |bytes| {
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let at = at as usize % (lines.len() + 1);
            lines.splice(at..(at + 1).min(lines.len()), [line.as_bytes()]);
            lines.concat()
        });
    }

    fn cut(&mut self, path: &Path) {
        let at = self.random.next();
        rewrite(path, |bytes| bytes[..at as usize % (bytes.len() + 1)].to_vec());
    }

    /// The same length and the same time as before: only the content and the inode's own time tell.
    fn edit_behind_the_back(&mut self, path: &Path) {
        let time = fs::metadata(path).unwrap().modified().unwrap();
        let word = *self.random.pick(&["alpha", "gamma", "delta", "theta"]);
        rewrite(path, |bytes| {
            let mut bytes = bytes.to_vec();
            let end = bytes.len();
            if end >= word.len() {
                bytes[end - word.len()..].copy_from_slice(word.as_bytes());
            }
            bytes
        });
        touch(path, time);
    }

    fn rename(&mut self, from: &Path) -> String {
        let number = self.random.below(9);
        let target = match self.random.below(3) {
            0 => format!("memory/moved{number}/{}", from.file_name().unwrap().to_str().unwrap()),
            1 => format!("memory/renamed-{number}.md"),
            _ => (*self.random.pick(&NAMES)).to_owned(),
        };
        let to = self.root.join(&target);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        if !to.exists() || self.files().len() > FEWEST {
            fs::rename(from, &to).unwrap();
        }
        format!("renamed {} to {target}", from.strip_prefix(&self.root).unwrap().display())
    }

    /// The same text under other names.
    fn copy(&mut self, path: &Path, times: usize) -> String {
        let first = if times == 1 { self.random.below(MANY) } else { 0 };
        for number in first..first + times {
            let to = self.root.join(format!("memory/copy-{number}.md"));
            if path == to {
                continue;
            }
            fs::copy(path, to).unwrap();
        }
        format!("copied {} {times} times", path.strip_prefix(&self.root).unwrap().display())
    }

    /// Two notes exchange their names.
    fn swap(&mut self, one: &Path, files: &[PathBuf]) -> String {
        let two = self.random.pick(files);
        let between = self.root.join("swap.tmp");
        fs::rename(one, &between).unwrap();
        if one != two {
            fs::rename(two, one).unwrap();
        }
        fs::rename(&between, two).unwrap();
        format!("swapped {} and {}", one.display(), two.display())
    }

    pub(crate) fn text(&mut self, lines: std::ops::Range<usize>) -> String {
        let count = self.random.within(lines);
        (0..count).map(|_| self.line()).collect()
    }

    fn line(&mut self) -> String {
        let count = self.random.within(1..12);
        let words: Vec<&str> = (0..count).map(|_| *self.random.pick(&WORDS)).collect();
        let start = *self.random.pick(&STARTS);
        format!("{start}{}\n", words.join(" "))
    }
}

fn rewrite(path: &Path, change: impl FnOnce(&[u8]) -> Vec<u8>) {
    let bytes = fs::read(path).unwrap();
    tree::write(path, change(&bytes));
}

fn touch(path: &Path, time: SystemTime) {
    fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// Waits until the file system's clock has moved on, so that the next change gets a time of its own.
pub(crate) fn tick(folder: &Path) {
    let probe = folder.join("tick.tmp");
    let time = || {
        tree::write(&probe, "");
        fs::metadata(&probe).unwrap().modified().unwrap()
    };
    let before = time();
    while time() == before {
        std::thread::sleep(Duration::from_micros(500));
    }
}
