//! Layers become one value for each key.

use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::key::{Effect, Key};
use crate::origin::{ConcealedSecret, Origin, Setting};

/// The value of every key, in the order of the declarations.
pub(crate) struct MergedLayers(Vec<Setting>);

impl MergedLayers {
    pub(crate) fn defaults(keys: &[Key]) -> Self {
        let default = |key: &Key| Setting {
            key: key.path,
            value: key.default.clone(),
            origin: Origin::Default,
            note: (key.effect != Effect::Used).then(|| "not in this version".to_owned()),
            concealed: None,
        };
        Self(keys.iter().map(default).collect())
    }

    fn change(&mut self, key: &str, change: impl FnOnce(&mut Setting)) {
        if let Some(setting) = self.0.iter_mut().find(|setting| setting.key == key) {
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

    /// Says more about a value than it says itself.
    pub(crate) fn note(&mut self, key: &str, note: String) {
        self.change(key, |setting| setting.note = Some(note));
    }

    /// Shows what a key comes to where no file says it.
    pub(crate) fn show_default(&mut self, key: &str, value: Value) {
        if self.origin(key) == Origin::Default {
            self.set(key, value, Origin::Default);
        }
    }

    fn setting(&self, key: &str) -> Option<&Setting> {
        self.0.iter().find(|setting| setting.key == key)
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

    pub(crate) fn settings(&self) -> &[Setting] {
        &self.0
    }

    pub(crate) fn into_settings(self) -> Vec<Setting> {
        self.0
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
