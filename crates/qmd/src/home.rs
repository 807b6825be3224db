//! The folder of QMD for one agent: its settings, its index, its models, and a record of their state. It shares nothing
//! with a person's own QMD.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use mindfile_note::hash::Digest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::trouble::Trouble;
use mindfile::collection::{Collection, Collections};
use mindfile::store;
use mindfile_disk::absent;
use mindfile_disk::durable;
use mindfile_disk::lock;

const KEPT: &str = "mindfile.json";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Home {
    dir: PathBuf,
}

/// What is known of the index. A type with serde is a format: see FORMAT.md. Times are milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct HomeRecord {
    pub(crate) qmd: u32,
    /// The digest of the settings that were written.
    pub(crate) config: String,
    /// When the index was last brought up to date; 0: never.
    pub(crate) updated: i64,
    /// The digest of the notes as they were then.
    pub(crate) census: String,
    /// When vectors were last made.
    pub(crate) embedded: i64,
    /// What the program calls itself.
    pub(crate) version: String,
}

const VERSION: u32 = 1;

impl Home {
    pub(crate) fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// The home that the settings name; beside it, if another program made that one.
    pub(crate) fn of(wanted: &Path) -> Self {
        let home = Self::at(wanted);
        let foreign = !home.file(KEPT).exists() && (home.index_yml().exists() || home.database().exists());
        if foreign { Self::at(&wanted.with_file_name("qmd.mindfile")) } else { home }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    fn config_home(&self) -> PathBuf {
        self.dir.join("xdg-config")
    }

    fn cache_home(&self) -> PathBuf {
        self.dir.join("xdg-cache")
    }

    fn index_yml(&self) -> PathBuf {
        self.config_home().join("qmd").join("index.yml")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.cache_home().join("qmd").join("index.sqlite")
    }

    pub(crate) fn models(&self) -> PathBuf {
        self.cache_home().join("qmd").join("models")
    }

    pub(crate) fn variables(&self) -> [(&'static str, PathBuf); 3] {
        [
            ("XDG_CONFIG_HOME", self.config_home()),
            ("XDG_CACHE_HOME", self.cache_home()),
            ("QMD_CONFIG_DIR", self.config_home().join("qmd")),
        ]
    }

    /// How many model files there are.
    pub(crate) fn model_count(&self) -> usize {
        let Ok(entries) = std::fs::read_dir(self.models()) else { return 0 };
        let gguf = |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "gguf");
        entries.filter_map(Result::ok).filter(gguf).count()
    }

    pub(crate) fn kept(&self) -> HomeRecord {
        let text = std::fs::read_to_string(self.file(KEPT)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(crate) fn keep(&self, kept: &HomeRecord) -> Result<(), Trouble> {
        let path = self.file(KEPT);
        let kept = HomeRecord { qmd: VERSION, ..kept.clone() };
        let bytes = serde_json::to_vec(&kept).map_err(io::Error::from);
        bytes.and_then(|bytes| durable::replace(&path, &bytes)).map_err(Trouble::io(&path))
    }

    /// Makes the home, and writes the settings where they are not what they should be.
    pub(crate) fn prepare(
        &self,
        collections: &Collections,
        models: Option<&Path>,
    ) -> Result<HomeRecord, Trouble> {
        let mut kept = self.kept();
        let text = index_yml(collections).to_string();
        let config = Digest::of(text.as_bytes()).to_string();
        if kept.config != config || !self.index_yml().exists() {
            // What is known of the index is written first: a home with settings and without that is another program's.
            kept = HomeRecord { config, updated: 0, census: String::new(), ..kept };
            self.keep(&kept)?;
            let path = self.index_yml();
            durable::replace(&path, text.as_bytes()).map_err(Trouble::io(&path))?;
        }
        let cache = self.cache_home().join("qmd");
        durable::make_folders(&cache).map_err(Trouble::io(&cache))?;
        if let Some(models) = models.filter(|models| models.is_dir() && !self.models().exists()) {
            match symlink(models, self.models()) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                    return Err(Trouble::io(&self.models())(error));
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(kept)
    }

    /// Held by whoever changes QMD's index. None if another process has it for longer than `patience`.
    pub(crate) fn lock(&self, name: &str, patience: Duration) -> Result<Option<File>, Trouble> {
        let path = self.file(name);
        match lock::hold(&path, patience) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(source) => Err(Trouble::io(&path)(source)),
        }
    }

    /// Whether some process holds that lock.
    pub(crate) fn is_locked(&self, name: &str) -> bool {
        let Ok(file) = File::open(self.file(name)) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    }

    /// Which file the index is now; none while there is none.
    pub(crate) fn inode(&self) -> Option<u64> {
        std::fs::metadata(self.database()).ok().map(|known| known.ino())
    }

    /// Leaves nothing of what QMD had read.
    pub(crate) fn drop_index(&self) -> Result<(), Trouble> {
        for file in store::database_files(&self.database()) {
            absent::remove_file(&file).map_err(Trouble::io(&file))?;
        }
        let kept = self.kept();
        self.keep(&HomeRecord { updated: 0, embedded: 0, census: String::new(), ..kept })
    }
}

/// QMD's settings. JSON is YAML, too.
fn index_yml(collections: &Collections) -> Value {
    let one = |collection: &Collection| {
        let mut value = json!({ "path": collection.root, "pattern": collection.pattern });
        if !collection.ignore.is_empty() {
            value["ignore"] = json!(collection.ignore);
        }
        (collection.name.clone(), value)
    };
    json!({ "collections": collections.all.iter().map(one).collect::<serde_json::Map<_, _>>() })
}
