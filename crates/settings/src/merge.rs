//! Layers become one value for each key.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::key::{Effect, Key};
use crate::origin::{ConcealedSecret, Origin, Setting};

/// A key that a file sets.
#[derive(Debug, Clone)]
pub(crate) struct Assignment {
    pub(crate) key: &'static Key,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
    /// The value as it was written, where `value` must not show it.
    pub(crate) concealed: Option<ConcealedSecret>,
}

/// The value of every key, in the order of the declarations, and the secrets that the values do not show.
pub(crate) struct MergedLayers {
    settings: Vec<Setting>,
    concealed: BTreeMap<&'static str, ConcealedSecret>,
}

impl MergedLayers {
    /// The defaults.
    pub(crate) fn new(keys: &[Key]) -> Self {
        let note = |key: &Key| (key.effect != Effect::Used).then(|| "not in this version".to_owned());
        let default = |key: &Key| Setting {
            key: key.path,
            value: key.default.clone(),
            origin: Origin::Default,
            note: note(key),
        };
        Self { settings: keys.iter().map(default).collect(), concealed: BTreeMap::new() }
    }

    /// Puts a file's settings over what there is.
    pub(crate) fn apply(&mut self, written: Vec<Assignment>) {
        for Assignment { key, value, origin, concealed } in written {
            self.set(key.path, value, origin);
            self.concealed.extend(concealed.map(|concealed| (key.path, concealed)));
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: Value, origin: Origin) {
        for setting in self.settings.iter_mut().filter(|setting| setting.key == key) {
            setting.value = value.clone();
            setting.origin = origin.clone();
        }
    }

    /// Says more about a value than it says itself.
    pub(crate) fn note(&mut self, key: &str, note: String) {
        for setting in self.settings.iter_mut().filter(|setting| setting.key == key) {
            setting.note = Some(note.clone());
        }
    }

    /// Shows what a key comes to where no file says it.
    pub(crate) fn show_default(&mut self, key: &str, value: Value) {
        if self.origin(key) == Origin::Default {
            self.set(key, value, Origin::Default);
        }
    }

    /// The secret of a key, as it was written.
    pub(crate) fn concealed(&self, key: &str) -> Option<&ConcealedSecret> {
        self.concealed.get(key)
    }

    fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().find(|setting| setting.key == key)
    }

    /// Where a key's value comes from.
    pub(crate) fn origin(&self, key: &str) -> Origin {
        self.setting(key).map_or(Origin::Default, |setting| setting.origin.clone())
    }

    pub(crate) fn value(&self, key: &str) -> &Value {
        self.setting(key).map_or(&Value::Null, |setting| &setting.value)
    }

    pub(crate) fn settings(&self) -> &[Setting] {
        &self.settings
    }

    pub(crate) fn into_settings(self) -> Vec<Setting> {
        self.settings
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
