//! Layers become one value for each key of the table, and what this version cannot do about them becomes warnings.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::keys::{Effect, Key};
use super::options::{Options, Written};
use super::origin::{Origin, Setting, Warning, shown};
use super::provider;
use super::secret::Concealed;
use super::services::Entries;
use super::table::{EMBEDDED, KEYS, NO_FALLBACK};

/// The value of every key, in the order of the table, and the secrets that the values do not show.
pub(super) struct Merged(Vec<Setting>, BTreeMap<&'static str, Concealed>);

impl Merged {
    /// The defaults.
    pub(super) fn new() -> Self {
        Self(KEYS.iter().map(default_setting).collect(), BTreeMap::new())
    }

    /// Puts a file's settings over what there is.
    pub(super) fn apply(&mut self, options: Options) {
        for Written { key, value, origin, concealed } in options.everyone.into_iter().chain(options.agent) {
            self.set(key.path, value, origin);
            self.1.extend(concealed.map(|concealed| (key.path, concealed)));
        }
    }

    pub(super) fn set(&mut self, path: &str, value: Value, origin: Origin) {
        for setting in self.0.iter_mut().filter(|setting| setting.key == path) {
            setting.value = value.clone();
            setting.origin = origin.clone();
        }
    }

    /// Says more about a value than it says itself.
    pub(super) fn note(&mut self, path: &str, note: String) {
        for setting in self.0.iter_mut().filter(|setting| setting.key == path) {
            setting.note = Some(note.clone());
        }
    }

    /// The secret of a key, as it was written.
    pub(super) fn concealed(&self, path: &str) -> Option<&Concealed> {
        self.1.get(path)
    }

    /// Where a key's value comes from.
    pub(super) fn origin(&self, path: &str) -> Origin {
        self.0.iter().find(|s| s.key == path).map_or(Origin::Default, |s| s.origin.clone())
    }

    /// A string value, and where it comes from.
    pub(super) fn text(&self, path: &str) -> Option<(String, Origin)> {
        let setting = self.0.iter().find(|setting| setting.key == path)?;
        Some((setting.value.as_str()?.to_owned(), setting.origin.clone()))
    }

    /// The values that this version acts on, nested as a file nests them.
    pub(super) fn used(&self) -> Value {
        let used = KEYS.iter().zip(&self.0).filter(|(key, _)| key.effect == Effect::Used);
        nested(used.map(|(key, setting)| (key.path, &setting.value)))
    }

    /// What was asked for and will not happen: one warning for each file and outcome.
    pub(super) fn warnings(&self, entries: &Entries) -> Vec<Warning> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for (key, setting) in KEYS.iter().zip(&self.0) {
            let (Some(instead), Origin::File { path, .. }) =
                (Self::instead(key, setting, entries), &setting.origin)
            else {
                continue;
            };
            match groups.iter_mut().find(|group| group.file == path && group.instead == instead) {
                Some(group) => group.settings.push((key, setting)),
                None => groups.push(Group { file: path, instead, settings: vec![(key, setting)] }),
            }
        }
        groups.iter().map(Group::warning).collect()
    }

    pub(super) fn into_settings(self) -> Vec<Setting> {
        self.0
    }

    /// What happens in place of what a setting asks for, if it asks for something that this version does not do.
    fn instead(key: &Key, setting: &Setting, entries: &Entries) -> Option<&'static str> {
        let asks = setting.value != key.default.value();
        let is_known = || setting.value.as_str().is_some_and(|name| provider::is_known(name, entries));
        match key.effect {
            Effect::NotInThisVersion { instead } => asks.then_some(instead),
            Effect::Used if key.path == "provider" => (!is_known()).then_some(EMBEDDED),
            Effect::Used if key.path == "fallback" => (!is_known()).then_some(NO_FALLBACK),
            Effect::Used | Effect::DetailOf(_) => None,
        }
    }
}

/// Values by their dotted paths, as nested objects.
pub(super) fn nested<'a>(values: impl Iterator<Item = (&'a str, &'a Value)>) -> Value {
    let mut root = Map::new();
    for (path, value) in values {
        insert(&mut root, path, value);
    }
    Value::Object(root)
}

fn insert(object: &mut Map<String, Value>, path: &str, value: &Value) {
    match path.split_once('.') {
        None => {
            object.insert(path.to_owned(), value.clone());
        }
        Some((name, rest)) => {
            let below = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(below) = below {
                insert(below, rest, value);
            }
        }
    }
}

fn default_setting(key: &Key) -> Setting {
    let note = match key.effect {
        Effect::Used => None,
        Effect::NotInThisVersion { .. } | Effect::DetailOf(_) => Some("not in this version".to_owned()),
    };
    Setting { key: key.path, value: key.default.value(), origin: Origin::Default, note }
}

/// Settings of one file that come to the same end.
struct Group<'a> {
    file: &'a Path,
    instead: &'static str,
    settings: Vec<(&'a Key, &'a Setting)>,
}

impl Group<'_> {
    fn warning(&self) -> Warning {
        let names: Vec<String> = self.settings.iter().map(|(key, setting)| named(key, setting)).collect();
        let (subject, verb) = match names.as_slice() {
            [one] => (one.clone(), "is"),
            [first @ .., last] => (format!("{} and {last}", first.join(", ")), "are"),
            [] => (String::new(), "is"),
        };
        let message = format!("{subject} {verb} not available in this version; {}", self.instead);
        let key = self.settings.first().map_or("", |(key, _)| key.path).to_owned();
        Warning { file: self.file.to_owned(), key, message }
    }
}

fn named(key: &Key, setting: &Setting) -> String {
    match key.path {
        "sources" => "sources \"sessions\"".to_owned(),
        path if key.kind.is_secret() => path.to_owned(),
        path => format!("{path} {}", shown(&setting.value)),
    }
}
