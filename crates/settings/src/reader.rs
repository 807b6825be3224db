//! What settings are read from: layers that have become one value for each key, and the surroundings that they are
//! relative to. Secrets are never shown, and only looked up when they are needed.

use std::cell::RefCell;
use std::io::Read;
use std::path::{Path, PathBuf};

use mindfile_model::provider::Secret;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::agents::AgentId;
use crate::error::Error;
use crate::key::{Effect, Key};
use crate::origin::{ConcealedSecret, Origin, Setting, shown};
use crate::paths::{Env, expand};
use crate::profiles::Profiles;
use crate::services::Entries;

/// The longest file that can hold a key.
const LONGEST: u64 = 64 << 10;

/// The value of every key, in the order of the declarations.
pub(crate) struct MergedLayers {
    pub(crate) settings: Vec<Setting>,
}

impl MergedLayers {
    pub(crate) fn defaults(keys: &[Key]) -> Self {
        let default = |key: &Key| Setting {
            key: key.path,
            value: key.default.clone(),
            origin: Origin::Default,
            note: (key.effect != Effect::Used).then(|| "not in this version".to_owned()),
            concealed: None,
        };
        Self { settings: keys.iter().map(default).collect() }
    }

    fn change(&mut self, key: &str, change: impl FnOnce(&mut Setting)) {
        if let Some(setting) = self.settings.iter_mut().find(|setting| setting.key == key) {
            change(setting);
        }
    }

    /// Puts a file's settings over what there is.
    pub(crate) fn apply(&mut self, written: Vec<Setting>) {
        for new in written {
            self.change(new.key, |setting| *setting = Setting { note: setting.note.take(), ..new });
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: Value, origin: Origin) {
        self.change(key, |setting| {
            setting.value = value;
            setting.origin = origin;
        });
    }

    /// Adds a note to a value.
    pub(crate) fn note(&mut self, key: &str, note: String) {
        self.change(key, |setting| setting.note = Some(note));
    }

    /// Shows the effective value of a key that no file sets.
    pub(crate) fn show_default(&mut self, key: &str, value: Value) {
        if self.origin(key) == Origin::Default {
            self.set(key, value, Origin::Default);
        }
    }

    fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// The secret of a key, as it was written.
    pub(crate) fn concealed(&self, key: &str) -> Option<&ConcealedSecret> {
        self.setting(key)?.concealed.as_ref()
    }

    /// Where a key's value comes from.
    pub(crate) fn origin(&self, key: &str) -> Origin {
        self.setting(key).map_or(Origin::Default, |setting| setting.origin.clone())
    }

    pub(crate) fn value(&self, key: &str) -> &Value {
        self.setting(key).map_or(&Value::Null, |setting| &setting.value)
    }

    /// A key as it stands in its place: `compaction.enabled in ~/mindfile.json is false`.
    pub(crate) fn stated(&self, key: &str) -> String {
        format!("{} is {}", self.origin(key).place(), shown(self.value(key)))
    }

    /// The error for a value that is allowed, but not as things are.
    pub(crate) fn refused(&self, key: &str, value: impl ToString, allowed: String) -> Error {
        let origin = self.origin(key);
        Error::BadValue { key: origin.key(key).to_owned(), origin, value: value.to_string(), allowed }
    }
}

/// A path as a value.
pub(crate) fn path_value(path: &Path) -> Value {
    path.display().to_string().into()
}

/// What settings are read from: the merged values, and the surroundings that they are relative to.
pub(crate) struct SettingReader<'a> {
    pub(crate) merged: &'a MergedLayers,
    pub(crate) entries: &'a Entries,
    pub(crate) agent: &'a AgentId,
    pub(crate) state_dir: &'a Path,
    pub(crate) workspace: &'a Path,
    pub(crate) home: Option<&'a Path>,
    pub(crate) env: &'a Env,
    /// OpenClaw's file, where the state directory is OpenClaw's home.
    pub(crate) openclaw: Option<&'a Path>,
    pub(crate) profiles: &'a Profiles,
    /// What `config show` adds to a value.
    pub(crate) notes: RefCell<Vec<(&'static str, String)>>,
    /// Keys that were taken from OpenClaw's profiles.
    pub(crate) lent: RefCell<Vec<LentKey>>,
}

/// A key that no file of settings has.
#[derive(Debug, Clone)]
pub(crate) struct LentKey {
    /// The setting that it stands in for.
    pub(crate) setting: &'static str,
    pub(crate) provider: &'static str,
    pub(crate) origin: Origin,
}

impl SettingReader<'_> {
    /// A value that has been accepted for its key, as the type that the declaration gives it.
    pub(crate) fn value<T: DeserializeOwned>(&self, key: &str) -> Result<T, Error> {
        let bug = |error: serde_json::Error| Error::Table { reason: format!("{key}: {error}") };
        serde_json::from_value(self.merged.value(key).clone()).map_err(bug)
    }

    /// A path that is relative to the state directory.
    pub(crate) fn path(&self, text: &str, key: &str) -> Result<PathBuf, Error> {
        expand(text.as_ref(), self.state_dir, self.home, &self.merged.origin(key))
    }

    /// Whether a file sets it.
    pub(crate) fn is_written(&self, key: &str) -> bool {
        self.merged.origin(key) != Origin::Default
    }

    pub(crate) fn note(&self, key: &'static str, note: String) {
        self.notes.borrow_mut().push((key, note));
    }

    /// The secret of a key, if there is one.
    pub(crate) fn secret(&self, key: &str) -> Result<Option<Secret>, Error> {
        self.merged.concealed(key).map_or(Ok(None), |concealed| self.open(key, concealed))
    }

    /// The names and secret values of a key, such as HTTP headers.
    pub(crate) fn secrets(&self, key: &str) -> Result<Vec<(String, Secret)>, Error> {
        self.merged.concealed(key).map_or_else(|| Ok(Vec::new()), |concealed| self.open_all(key, concealed))
    }

    /// The secret itself: as written, from a variable, or from a file. None where the variable is not set.
    pub(crate) fn open(&self, key: &str, concealed: &ConcealedSecret) -> Result<Option<Secret>, Error> {
        let ConcealedSecret { value, origin } = concealed;
        if let Value::String(text) = value {
            return Ok(match text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
                Some(variable) => self.variable(variable),
                None => Secret::new(text),
            });
        }
        let named = |name: &str| value.get(name).and_then(Value::as_str);
        let (variable, file) = match named("source") {
            Some("env") => (named("id"), None),
            Some("file") => (None, named("path").or_else(|| named("id"))),
            Some(_) => (None, None),
            None => (named("env"), named("file")),
        };
        match (variable, file) {
            (Some(variable), _) => Ok(self.variable(variable)),
            (None, Some(file)) => self.secret_in(file, origin),
            (None, None) => Err(Error::BadValue {
                origin: origin.clone(),
                key: key.to_owned(),
                value: "an object".to_owned(),
                allowed: "a string, { env: \"NAME\" } or { file: \"PATH\" }".to_owned(),
            }),
        }
    }

    pub(crate) fn open_all(
        &self,
        key: &str,
        concealed: &ConcealedSecret,
    ) -> Result<Vec<(String, Secret)>, Error> {
        let mut all = Vec::new();
        for (name, value) in concealed.value.as_object().into_iter().flatten() {
            let one = ConcealedSecret { value: value.clone(), origin: concealed.origin.clone() };
            all.extend(self.open(&format!("{key}.{name}"), &one)?.map(|secret| (name.clone(), secret)));
        }
        Ok(all)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Secret> {
        Secret::new(&self.env.variable(name)?)
    }

    /// The authorities that the environment names for every program.
    pub(crate) fn authorities(&self) -> Option<PathBuf> {
        self.env.variable("SSL_CERT_FILE").map(PathBuf::from)
    }

    fn secret_in(&self, file: &str, origin: &Origin) -> Result<Option<Secret>, Error> {
        let file = expand(file.as_ref(), self.state_dir, self.home, origin)?;
        let mut text = String::new();
        let read =
            std::fs::File::open(&file).and_then(|opened| opened.take(LONGEST).read_to_string(&mut text));
        read.map_err(|source| Error::Read { file, source })?;
        Ok(Secret::new(&text))
    }
}
