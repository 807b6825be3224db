//! What one file says, checked against the table: any subset of the keys, each with the place it was written at.

use serde_json::{Map, Value};

use crate::agents::{self, AgentEntry, AgentId, wrong};
use crate::document::{Document, Role, join};
use crate::error::Error;
use crate::key::{Key, Section, closest};
use crate::kind::type_name;
use crate::merge::Assignment;
use crate::origin::{ConcealedSecret, Origin, Warning, shown};
use crate::settings::KEYS;

/// What OpenClaw keeps beside our keys in sections that belong to both.
const OF_OPENCLAW: [&str; 21] = [
    "compaction.customInstructions",
    "compaction.enabled",
    "compaction.identifierInstructions",
    "compaction.identifierPolicy",
    "compaction.maxActiveTranscriptBytes",
    "compaction.maxHistoryShare",
    "compaction.memoryFlush.forceFlushTranscriptBytes",
    "compaction.memoryFlush.model",
    "compaction.midTurnPrecheck",
    "compaction.mode",
    "compaction.model",
    "compaction.notifyUser",
    "compaction.postCompactionSections",
    "compaction.postIndexSync",
    "compaction.provider",
    "compaction.qualityGuard",
    "compaction.recentTurnsPreserve",
    "compaction.thinkingLevel",
    "compaction.timeoutSeconds",
    "compaction.truncateAfterCompaction",
    "contextPruning.tools",
];

/// Where a file keeps keys for every agent, the strongest last.
const FOR_ALL: [(&str, Section); 5] = [
    ("agents.defaults", Section::Agent),
    ("agents.defaults.memorySearch", Section::Search),
    ("memory.search", Section::Search),
    ("memorySearch", Section::Search),
    ("memory", Section::Memory),
];

/// Where an agent's entry keeps keys, the strongest last.
const FOR_ONE: [(&str, Section); 4] = [
    ("", Section::Agent),
    ("memorySearch", Section::Search),
    ("memory.search", Section::Search),
    ("memory", Section::Memory),
];

/// Whom the settings are for.
pub(crate) struct Whom<'a> {
    pub(crate) agent: &'a AgentId,
    /// The default agent shares the workspace of `agents.defaults`.
    pub(crate) is_default: bool,
}

/// Reads a file's settings for an agent, the strongest last: for all agents, then for the one that is meant. Every agent's
/// entry is checked, so that a typing error is found early.
pub(crate) fn read(
    document: &Document,
    entries: &[AgentEntry<'_>],
    reader: &Whom<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Assignment>, Error> {
    let mut scan = Scan { document, warnings };
    scan.repeated()?;
    scan.containers()?;
    let mut everyone = scan.sections("", &document.root, &FOR_ALL)?;
    let mut own = Vec::new();
    for entry in entries {
        let written = scan.sections(&entry.at, entry.object, &FOR_ONE)?;
        if entry.id == *reader.agent {
            own.extend(written);
        }
    }
    if !reader.is_default {
        everyone.retain(|written| written.key.path != "workspace");
    }
    for key in ["extraPaths", "memory.policy.rules"] {
        add_up(&everyone, &mut own, key);
    }
    everyone.append(&mut own);
    Ok(everyone)
}

/// An agent's extra paths are more paths, not other ones; so are its rules of what may be stored.
fn add_up(everyone: &[Assignment], own: &mut [Assignment], key: &str) {
    let of_key = |written: &&Assignment| written.key.path == key;
    let Some(shared) = everyone.iter().rfind(of_key) else { return };
    let Some(own) = own.iter_mut().rfind(|written| written.key.path == key) else { return };
    let lists = shared.value.as_array().into_iter().chain(own.value.as_array());
    own.value = lists.flatten().cloned().collect();
}

/// One pass over a document.
struct Scan<'a> {
    document: &'a Document,
    warnings: &'a mut Vec<Warning>,
}

impl<'a> Scan<'a> {
    fn repeated(&mut self) -> Result<(), Error> {
        let ours = |key: &&String| key.starts_with("agents") || key.starts_with("memory");
        match self.document.role {
            Role::OpenClaw => {
                for key in self.document.repeated.iter().filter(ours) {
                    self.warn(key, format!("{key} is written twice; the last one counts"));
                }
                Ok(())
            }
            Role::Mindfile | Role::Workspace => match self.document.repeated.first() {
                Some(key) => Err(Error::Repeated { file: self.document.file.clone(), key: key.clone() }),
                None => Ok(()),
            },
        }
    }

    /// The objects in which sections stand, and no key of the table.
    fn containers(&mut self) -> Result<(), Error> {
        const CONTAINERS: [(&str, &[&str]); 3] = [
            ("", &["agents", "memory", "memorySearch", "models", "$schema"]),
            ("models", &["providers"]),
            ("agents", &["defaults", "list", "entries"]),
        ];
        for (at, known) in CONTAINERS {
            if self.document.role == Role::Workspace && at == "agents" && self.document.at(&[at]).is_some() {
                return Err(self.not_in_workspace(at));
            }
            let object = self.object("", &self.document.root, at)?;
            for key in object.into_iter().flat_map(Map::keys).filter(|key| !known.contains(&key.as_str())) {
                let path = join(at, key);
                if self.document.role != Role::OpenClaw {
                    let here = closest(key, known.iter().copied()).map(|near| join(at, near));
                    let below = || Self::suggest(Section::Search, "memorySearch", key);
                    return Err(self.unknown(path, here.or_else(|| at.is_empty().then(below).flatten())));
                }
                if key == "$include" {
                    self.not_followed(&path);
                }
            }
        }
        Ok(())
    }

    /// The keys of a file, or of an agent's entry in it.
    fn sections(
        &mut self,
        base: &str,
        root: &'a Map<String, Value>,
        places: &[(&str, Section)],
    ) -> Result<Vec<Assignment>, Error> {
        let mut all = Vec::new();
        for &(at, section) in places {
            // OpenClaw has no such section.
            if self.document.role == Role::OpenClaw && base.is_empty() && at == "memorySearch" {
                continue;
            }
            let Some(object) = self.object(base, root, at)? else { continue };
            let others: &[&str] = match section {
                Section::Agent if base.is_empty() => &["memorySearch"],
                Section::Agent => &["memorySearch", "memory", "id", "default", "name"],
                Section::Memory => &["search"],
                Section::Search => &[],
            };
            let mut found = Vec::new();
            let top = Position { section, at: &below(base, at), prefix: String::new() };
            for (name, value) in object.iter().filter(|(name, _)| !others.contains(&name.as_str())) {
                self.visit(&top, name, value, &mut found)?;
            }
            if base.is_empty() {
                found.iter().for_each(|written| self.warn_if_overridden(written, &all));
            }
            all.append(&mut found);
        }
        Ok(all)
    }

    fn visit(
        &mut self,
        place: &Position<'_>,
        name: &str,
        value: &Value,
        all: &mut Vec<Assignment>,
    ) -> Result<(), Error> {
        let local = join(&place.prefix, name);
        let mut keys = KEYS.iter().filter(|key| key.section == place.section);
        if let Some(key) = keys.clone().find(|key| key.local() == local) {
            all.push(self.written(key, join(place.at, &local), value)?);
            return Ok(());
        }
        let group = format!("{local}.");
        if !keys.any(|key| key.local().starts_with(&group)) {
            return self.stranger(place, &local);
        }
        let at = join(place.at, &local);
        let Some(object) = agents::object(self.document, &at, Some(value))? else { return Ok(()) };
        let below = Position { section: place.section, at: place.at, prefix: local };
        for (name, value) in object {
            self.visit(&below, name, value, all)?;
        }
        Ok(())
    }

    fn written(&self, key: &'static Key, at: String, value: &Value) -> Result<Assignment, Error> {
        if self.document.role == Role::Workspace && !key.in_workspace {
            return Err(self.not_in_workspace(&at));
        }
        match key.kind.accept(value) {
            Some(kept) => {
                let origin = Origin::File { path: self.document.file.clone(), at };
                let concealed = key
                    .kind
                    .is_secret()
                    .then(|| ConcealedSecret { value: value.clone(), origin: origin.clone() });
                Ok(Assignment { key, value: kept, origin, concealed })
            }
            None if key.kind.is_secret() => {
                Err(wrong(self.document, &at, type_name(value).to_owned(), key.kind))
            }
            None => Err(wrong(self.document, &at, shown(value), key.kind)),
        }
    }

    /// A key that the table does not have.
    fn stranger(&mut self, place: &Position<'_>, local: &str) -> Result<(), Error> {
        let path = join(place.at, local);
        if self.document.role != Role::OpenClaw {
            let nearest = Self::suggest(place.section, place.at, local);
            return Err(self.unknown(path, nearest));
        }
        if local.ends_with("$include") {
            self.not_followed(&path);
        } else if !Self::is_openclaws(place.section, local) {
            let nearest = Self::suggest(place.section, place.at, local);
            let guess = nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"));
            self.warn(&path, format!("unknown key {path} is ignored{guess}"));
        }
        Ok(())
    }

    /// What stands in an agent's section is another program's, but for the groups that hold keys of ours.
    fn is_openclaws(section: Section, local: &str) -> bool {
        section == Section::Agent && (!local.contains('.') || OF_OPENCLAW.contains(&local))
    }

    /// The key or group of a section that is nearest to a name in it.
    fn suggest(section: Section, at: &str, local: &str) -> Option<String> {
        let paths = KEYS.iter().filter(|key| key.section == section).map(Key::local);
        closest(local, paths.flat_map(and_groups)).map(|near| join(at, near))
    }

    fn warn_if_overridden(&mut self, written: &Assignment, before: &[Assignment]) {
        let Some(other) = before.iter().rfind(|b| b.key.path == written.key.path && b.value != written.value)
        else {
            return;
        };
        if let (Origin::File { at: old, .. }, Origin::File { at: new, .. }) = (&other.origin, &written.origin)
        {
            self.warn(old, format!("{old} has no effect because {new} is set too"));
        }
    }

    fn not_followed(&mut self, path: &str) {
        self.warn(path, format!("{path} is not followed: settings in the included file are not seen"));
    }

    fn warn(&mut self, key: &str, message: String) {
        self.warnings.push(Warning { file: self.document.file.clone(), key: key.to_owned(), message });
    }

    fn unknown(&self, key: String, nearest: Option<String>) -> Error {
        Error::UnknownKey { file: self.document.file.clone(), key, nearest }
    }

    fn not_in_workspace(&self, key: &str) -> Error {
        Error::NotInWorkspace { file: self.document.file.clone(), key: key.to_owned() }
    }

    /// The object at a dotted path below another, if it is there.
    fn object(
        &self,
        base: &str,
        root: &'a Map<String, Value>,
        path: &str,
    ) -> Result<Option<&'a Map<String, Value>>, Error> {
        let mut object = root;
        let mut walked = base.to_owned();
        for name in path.split('.').filter(|name| !name.is_empty()) {
            walked = join(&walked, name);
            match agents::object(self.document, &walked, object.get(name))? {
                Some(next) => object = next,
                None => return Ok(None),
            }
        }
        Ok(Some(object))
    }
}

fn below(base: &str, at: &str) -> String {
    if base.is_empty() || at.is_empty() { format!("{base}{at}") } else { format!("{base}.{at}") }
}

/// A path and the groups it is in.
fn and_groups(path: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    path.match_indices('.').map(|(end, _)| &path[..end]).chain([path])
}

/// Where the scan is: a section's object in the file, and the path below it.
struct Position<'a> {
    section: Section,
    at: &'a str,
    prefix: String,
}
