//! What QMD searches: folders under names, worked out from the settings and from what is on the disk.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::config::{Collected, Settings};
use crate::private;

const MARKDOWN: &str = "**/*.md";
/// The notes at the top of a workspace.
const TOP: &str = "MEMORY.md,memory.md,USER.md";
const LONGEST_NAME: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Collection {
    pub(super) name: String,
    pub(super) root: PathBuf,
    pub(super) pattern: String,
    /// Patterns of what is left out.
    pub(super) ignore: Vec<String>,
    pub(super) holds: Holds,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Notes,
    /// Conversations that were written out.
    Sessions,
}

/// All of them, and why others are not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Collections {
    pub(super) all: Vec<Collection>,
    pub(super) problems: Vec<String>,
}

/// What the settings ask for. `plain`: the workspace is a folder of notes without a layout.
pub(super) fn wanted(settings: &Settings, plain: bool) -> Collections {
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
            self.collected(&Collected { path, pattern, name: None });
        }
    }

    fn collected(&mut self, collected: &Collected) {
        let Collected { path, name, pattern } = collected;
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
        let private = self.settings.workspace.join(private::FOLDER);
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
    pub(super) fn find(&self, name: &str) -> Option<&Collection> {
        self.all.iter().find(|collection| collection.name == name)
    }

    /// QMD's settings. JSON is YAML, too.
    pub(super) fn index_yml(&self) -> Value {
        let one = |collection: &Collection| {
            let mut value = json!({ "path": collection.root, "pattern": collection.pattern });
            if !collection.ignore.is_empty() {
                value["ignore"] = json!(collection.ignore);
            }
            (collection.name.clone(), value)
        };
        json!({ "collections": self.all.iter().map(one).collect::<serde_json::Map<_, _>>() })
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
