//! What was asked for and will not happen: one warning for each file and outcome.

use std::path::PathBuf;

use crate::key::{Effect, Key};
use crate::merge::MergedLayers;
use crate::origin::{Origin, Setting, Warning, shown};
use crate::provider::{EMBEDDED, is_known};
use crate::services::Entries;
use crate::settings::KEYS;

pub(crate) fn warnings(merged: &MergedLayers, entries: &Entries) -> Vec<Warning> {
    // Settings of one file that come to the same end.
    let mut groups: Vec<((&PathBuf, &str), Vec<&Setting>)> = Vec::new();
    for (key, setting) in KEYS.iter().zip(merged.settings()) {
        if let (Some(instead), Origin::File { path, .. }) = (instead(key, setting, entries), &setting.origin)
        {
            let group = (path, instead);
            match groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, settings)) => settings.push(setting),
                None => groups.push((group, vec![setting])),
            }
        }
    }
    let warning = |((file, instead), settings): ((&PathBuf, &str), Vec<&Setting>)| Warning {
        file: file.clone(),
        key: settings[0].key.to_owned(),
        message: format!("{} not available in this version; {instead}", subject(&settings)),
    };
    groups.into_iter().map(warning).collect()
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

/// The settings with their values, and the verb for so many.
fn subject(settings: &[&Setting]) -> String {
    let shown: Vec<String> = settings.iter().map(|s| format!("{} {}", s.key, shown(&s.value))).collect();
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last} are", first.join(", ")),
        one => format!("{} is", one.concat()),
    }
}
