//! Where QMD keeps its things, and ours beside them: hosts give each agent folders of its own.

use std::path::PathBuf;

use crate::environment;
use crate::failure::Failure;

const USUAL: &str = "index";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folders {
    /// One file a collection.
    pub(super) collections: PathBuf,
    /// The database that hosts read for themselves.
    pub(super) documents: PathBuf,
}

impl Folders {
    pub(super) fn find(index: Option<&str>) -> Result<Self, Failure> {
        let index = index.unwrap_or(USUAL);
        if !super::collection::is_name(index) {
            return Err(super::collection::no_name(index));
        }
        let config = environment::folder("QMD_CONFIG_DIR")
            .or_else(|| environment::folder("XDG_CONFIG_HOME").map(|folder| folder.join("qmd")))
            .or_else(|| environment::folder("HOME").map(|home| home.join(".config/qmd")));
        let cache = environment::folder("XDG_CACHE_HOME")
            .or_else(|| environment::folder("HOME").map(|home| home.join(".cache")));
        let documents = environment::folder("INDEX_PATH")
            .or_else(|| cache.map(|cache| cache.join("qmd").join(format!("{index}.sqlite"))));
        match (config, documents) {
            (Some(config), Some(documents)) => {
                Ok(Self { collections: config.join("mindfile").join(index), documents })
            }
            (None, _) | (_, None) => Err(mindfile::config::Error::NoHome.into()),
        }
    }

    /// Our own index.
    pub(super) fn index(&self) -> PathBuf {
        self.documents.with_extension("mindfile.sqlite")
    }
}
