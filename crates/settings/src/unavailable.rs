//! What was asked for and will not happen: one warning for each file and outcome.

use std::path::Path;

use crate::key::{Effect, Key};
use crate::merge::MergedLayers;
use crate::origin::{Origin, Setting, Warning, shown};
use crate::provider::{EMBEDDED, is_known};
use crate::services::Entries;
use crate::settings::KEYS;

/// Settings of one file that come to the same end.
struct Outcome<'a> {
    file: &'a Path,
    instead: &'static str,
    settings: Vec<(&'a Key, &'a Setting)>,
}

pub(crate) fn warnings(merged: &MergedLayers, entries: &Entries) -> Vec<Warning> {
    let mut groups: Vec<Outcome<'_>> = Vec::new();
    for (key, setting) in KEYS.iter().zip(merged.settings()) {
        let (Some(instead), Origin::File { path, .. }) = (instead(key, setting, entries), &setting.origin)
        else {
            continue;
        };
        match groups.iter_mut().find(|group| group.file == path && group.instead == instead) {
            Some(group) => group.settings.push((key, setting)),
            None => groups.push(Outcome { file: path, instead, settings: vec![(key, setting)] }),
        }
    }
    groups.iter().map(Outcome::warning).collect()
}

/// What happens in place of what a setting asks for, if it asks for something that this version does not do.
fn instead(key: &Key, setting: &Setting, entries: &Entries) -> Option<&'static str> {
    let is_strange = || setting.value.as_str().is_some_and(|name| !is_known(name, entries));
    match (key.effect, key.path) {
        (Effect::NotInThisVersion { instead }, _) => (setting.value != key.default).then_some(instead),
        (Effect::Used, "provider") => is_strange().then_some(EMBEDDED),
        (Effect::Used, "fallback") => is_strange().then_some("there is no fallback"),
        (Effect::Used | Effect::DetailOf(_), _) => None,
    }
}

impl Outcome<'_> {
    fn warning(&self) -> Warning {
        let names: Vec<String> = self
            .settings
            .iter()
            .map(|(key, setting)| format!("{} {}", key.path, shown(&setting.value)))
            .collect();
        let (subject, verb) = match names.as_slice() {
            [first @ .., last] if !first.is_empty() => (format!("{} and {last}", first.join(", ")), "are"),
            names => (names.concat(), "is"),
        };
        let message = format!("{subject} {verb} not available in this version; {}", self.instead);
        let key = self.settings.first().map_or("", |(key, _)| key.path).to_owned();
        Warning { file: self.file.to_owned(), key, message }
    }
}
