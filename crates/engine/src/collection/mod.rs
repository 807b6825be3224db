//! Folders under names, worked out from the settings and from what is on the disk: another program searches them, and cites
//! `qmd/NAME/PATH`. Which file that is, and who may have it, is judged here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mindfile_note::Origin;
use mindfile_settings::{BackendName, QmdPath, Settings};
use mindfile_trust::origin::Judge;
use mindfile_trust::place::PRIVATE;
use mindfile_trust::speaker::{ChatType, Role};
use mindfile_workspace::{Extra, NotePath, Workspace};

use crate::corpus::Corpus;
use crate::error::Denial;
use crate::error::Error;

mod scope;

pub use scope::{Asker, admits};

/// How the path of a note begins that is no note of the workspace: `qmd/COLLECTION/PATH`.
pub const PREFIX: &str = "qmd/";

const MARKDOWN: &str = "**/*.md";
/// The notes at the top of a workspace.
const TOP: &str = "MEMORY.md,memory.md,USER.md";
const LONGEST_NAME: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    pub name: String,
    pub root: PathBuf,
    pub pattern: String,
    /// Patterns of what is left out.
    pub ignore: Vec<String>,
    pub holds: Holds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    Notes,
    /// Conversations that were written out.
    Sessions,
}

/// All of them, and why others are not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collections {
    pub all: Vec<Collection>,
    pub problems: Vec<String>,
}

/// The collections of a memory.
pub fn of(corpus: &Corpus) -> Collections {
    wanted(&corpus.settings, corpus.is_plain_folder())
}

/// What the settings ask for. `plain`: the workspace is a folder of notes without a layout.
fn wanted(settings: &Settings, plain: bool) -> Collections {
    let mut made = Making { settings, names: BTreeSet::new(), made: Collections::default() };
    if settings.qmd.include_default_memory {
        made.workspace(plain);
    }
    for collected in &settings.qmd.paths {
        made.collected(collected);
    }
    if settings.qmd.sessions.enabled {
        let name = format!("sessions-{}", settings.agent);
        made.add(name, &settings.qmd.sessions.folder, MARKDOWN, Holds::Sessions);
    }
    made.made
}

struct Making<'a> {
    settings: &'a Settings,
    names: BTreeSet<String>,
    made: Collections,
}

impl Making<'_> {
    /// The notes that the built-in index has, too.
    fn workspace(&mut self, plain: bool) {
        let (root, agent) = (self.settings.workspace.clone(), &self.settings.agent);
        let named = |part: &str| format!("memory-{part}-{agent}");
        let (top, folders) = (named("root"), [("memory", named("dir")), ("bank", named("bank"))]);
        self.add(top, &root, if plain { MARKDOWN } else { TOP }, Holds::Notes);
        for (folder, name) in folders.into_iter().filter(|_| !plain) {
            let folder = root.join(folder);
            if folder.is_dir() {
                self.add(name, &folder, MARKDOWN, Holds::Notes);
            }
        }
        for extra in &self.settings.extra_paths {
            let (path, pattern) = (extra.path.clone(), extra.pattern.clone());
            self.collected(&QmdPath { path, pattern, name: None });
        }
    }

    fn collected(&mut self, collected: &QmdPath) {
        let QmdPath { path, name, pattern } = collected;
        let own = || name_of(path, self.settings.agent.as_str());
        let name = self.unused(&name.clone().unwrap_or_else(own));
        let (folder, file) = match (path.is_file(), path.parent(), path.file_name()) {
            (true, Some(folder), Some(file)) => (folder, file.to_str()),
            _ => (path.as_path(), None),
        };
        let pattern = file.or(pattern.as_deref()).unwrap_or(MARKDOWN);
        if folder.is_dir() {
            self.add(name, folder, pattern, Holds::Notes);
        } else {
            self.made.problems.push(format!("collection {name}: {} does not exist", path.display()));
        }
    }

    fn unused(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !self.names.contains(name)).unwrap_or_default()
    }

    fn add(&mut self, name: String, root: &Path, pattern: &str, holds: Holds) {
        let private = self.settings.workspace.join(PRIVATE);
        if root.starts_with(&private) {
            self.made.problems.push(format!("collection {name}: {} is private", root.display()));
            return;
        }
        let inside = private.strip_prefix(root).ok().and_then(Path::to_str);
        let ignore = inside.map(|inside| format!("{inside}/**")).into_iter().collect();
        self.names.insert(name.clone());
        self.made.all.push(Collection {
            name,
            root: root.to_owned(),
            pattern: pattern.to_owned(),
            ignore,
            holds,
        });
    }
}

/// `~/My notes` of the agent `main` is `my-notes-main`.
fn name_of(path: &Path, agent: &str) -> String {
    let last = path.file_stem().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let plain: String = last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = plain.split('-').filter(|part| !part.is_empty()).collect();
    let cut: String = parts.join("-").chars().take(LONGEST_NAME / 2).collect();
    format!("{}-{agent}", if cut.is_empty() { "notes" } else { cut.trim_end_matches('-') })
}

impl Collections {
    pub fn find(&self, name: &str) -> Option<&Collection> {
        self.all.iter().find(|collection| collection.name == name)
    }
}

/// The file that `qmd/COLLECTION/PATH` names, where such a chat may have it. None if it names none.
pub(crate) fn file(
    corpus: &Corpus,
    chat: ChatType,
    path: &str,
) -> Result<Option<(Workspace, NotePath)>, Error> {
    let named = path.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/'));
    let named = named.filter(|(_, below)| is_below(below));
    let Some((name, below)) = named.filter(|_| corpus.settings.backend == BackendName::Qmd) else {
        return Ok(None);
    };
    let collections = of(corpus);
    let Some(collection) = collections.find(name) else { return Ok(None) };
    if !scope::admits(&corpus.settings.qmd.scope, Asker { chat, key: None }) {
        return Err(Denial::Private { path: path.to_owned(), chat }.into());
    }
    if let Some(note) = corpus.workspace()?.note_at(&collection.root.join(below)) {
        return Ok(Some((corpus.workspace()?, note)));
    }
    Ok(outside(collection, below))
}

/// What a cited path stands for when it is judged whose word it is: another name does not make another origin.
pub(crate) fn place(corpus: &Corpus, path: &str) -> TruePlace {
    let named = path.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/'));
    let collections = named.map(|_| of(corpus)).unwrap_or_default();
    let found = named.and_then(|(name, below)| Some((collections.find(name)?, below)));
    let Some((collection, below)) = found else { return TruePlace::Note(path.to_owned()) };
    match collection.holds {
        Holds::Sessions => TruePlace::Session(below.trim_end_matches(".md").to_owned()),
        Holds::Notes => {
            let workspace = corpus.workspace().ok();
            let note = workspace.and_then(|workspace| workspace.note_at(&collection.root.join(below)));
            TruePlace::Note(note.map_or_else(|| below.to_owned(), |note| note.to_string()))
        }
    }
}

/// Whether a path leads nowhere but down.
pub fn is_below(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

/// A note of a collection's folder, from which no link leads out.
pub fn outside(collection: &Collection, below: &str) -> Option<(Workspace, NotePath)> {
    let extra = Extra { path: collection.root.clone(), pattern: None };
    let workspace = Workspace::open(&collection.root, &[extra]).ok()?;
    let note = workspace.is_memory_path(below).ok()?;
    Some((workspace, note))
}

/// Where a line really stands.
pub(crate) enum TruePlace {
    Note(String),
    Session(String),
}

impl TruePlace {
    /// Of a conversation, what the door lets be that it came through.
    pub(crate) fn origin(&self, judge: &Judge, line: &str) -> Origin {
        match self {
            Self::Note(path) => judge.line(path, line),
            Self::Session(session) => judge.turn(session, Role::User),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_a_name_gets_one() {
        let name = |path: &str| name_of(Path::new(path), "main");
        assert_eq!(name("/home/ann/My notes"), "my-notes-main");
        assert_eq!(name("/srv/überblick.md"), "berblick-main");
        assert_eq!(name("/"), "notes-main");
        assert!(mindfile_settings::is_collection_name(&name(&format!("/{}", "a b".repeat(90)))));
    }
}
