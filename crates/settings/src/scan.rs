//! What one file says, checked against the table: any subset of the keys, each with the place it was written at.

use serde_json::{Map, Value};

use crate::agents::{self, AgentEntry, AgentId, wrong};
use crate::document::{Document, Role, join};
use crate::error::Error;
use crate::key::{Key, Section, closest};
use crate::kind::type_name;
use crate::merge::Assignment;
use crate::origin::{Origin, Warning, shown};
use crate::secret::ConcealedSecret;
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
    scan.root()?;
    let mut everyone = scan.everyone()?;
    let mut own = Vec::new();
    for entry in entries {
        let written = scan.entry(entry)?;
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

    /// The top of the file and of `agents`, where no key of the table stands.
    fn root(&mut self) -> Result<(), Error> {
        const ROOT: &[&str] = &["agents", "memory", "memorySearch", "models", "$schema"];
        self.containers("", &self.document.root, ROOT)?;
        if self.document.role == Role::Workspace && self.document.root.contains_key("agents") {
            return Err(self.not_in_workspace("agents"));
        }
        if let Some(models) = self.section("models")? {
            self.containers("models", models, &["providers"])?;
        }
        match self.section("agents")? {
            Some(agents) => self.containers("agents", agents, &["defaults", "list", "entries"]),
            None => Ok(()),
        }
    }

    fn containers(&mut self, at: &str, object: &Map<String, Value>, known: &[&str]) -> Result<(), Error> {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            let path = join(at, key);
            match self.document.role {
                Role::OpenClaw if key == "$include" => self.not_followed(&path),
                Role::OpenClaw => {}
                Role::Mindfile | Role::Workspace => {
                    let here = closest(key, known.iter().copied()).map(|near| join(at, near));
                    let below = || Self::suggest(Section::Search, "memorySearch", key);
                    let nearest = here.or_else(|| at.is_empty().then(below).flatten());
                    return Err(self.unknown(path, nearest));
                }
            }
        }
        Ok(())
    }

    /// What holds for every agent, the strongest last.
    fn everyone(&mut self) -> Result<Vec<Assignment>, Error> {
        let mut all = Vec::new();
        if let Some(defaults) = self.section("agents.defaults")? {
            self.agent_section("agents.defaults", defaults, &mut all)?;
        }
        self.search("agents.defaults.memorySearch", &mut all)?;
        self.search("memory.search", &mut all)?;
        if self.document.role != Role::OpenClaw {
            self.search("memorySearch", &mut all)?;
        }
        if let Some(memory) = self.section("memory")? {
            self.flatten(Section::Memory, "memory", memory, &["search"], &mut all)?;
        }
        Ok(all)
    }

    /// What holds for one agent only.
    fn entry(&mut self, entry: &AgentEntry<'_>) -> Result<Vec<Assignment>, Error> {
        let mut all = Vec::new();
        self.agent_section(&entry.at, entry.object, &mut all)?;
        let memory_at = format!("{}.memory", entry.at);
        let memory = agents::object(self.document, &memory_at, entry.object.get("memory"))?;
        let older = (format!("{}.memorySearch", entry.at), entry.object.get("memorySearch"));
        let newer = (format!("{memory_at}.search"), memory.and_then(|memory| memory.get("search")));
        for (at, value) in [older, newer] {
            if let Some(search) = agents::object(self.document, &at, value)? {
                self.flatten(Section::Search, &at, search, &[], &mut all)?;
            }
        }
        if let Some(memory) = memory {
            self.flatten(Section::Memory, &memory_at, memory, &["search"], &mut all)?;
        }
        Ok(all)
    }

    fn search(&mut self, at: &str, all: &mut Vec<Assignment>) -> Result<(), Error> {
        let Some(search) = self.section(at)? else { return Ok(()) };
        let mut found = Vec::new();
        self.flatten(Section::Search, at, search, &[], &mut found)?;
        for written in found {
            self.warn_if_overridden(&written, all);
            all.push(written);
        }
        Ok(())
    }

    fn agent_section(
        &mut self,
        at: &str,
        object: &Map<String, Value>,
        all: &mut Vec<Assignment>,
    ) -> Result<(), Error> {
        const OTHERS: &[&str] = &["memorySearch", "memory", "id", "default", "name"];
        self.flatten(Section::Agent, at, object, OTHERS, all)
    }

    /// The keys of a section, wherever its object is nested.
    fn flatten(
        &mut self,
        section: Section,
        at: &str,
        object: &Map<String, Value>,
        others: &[&str],
        all: &mut Vec<Assignment>,
    ) -> Result<(), Error> {
        let top = Position { section, at, prefix: String::new() };
        for (name, value) in object.iter().filter(|(name, _)| !others.contains(&name.as_str())) {
            self.visit(&top, name, value, all)?;
        }
        Ok(())
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

    /// The object at a dotted path from the root, if it is there.
    fn section(&self, at: &str) -> Result<Option<&'a Map<String, Value>>, Error> {
        let mut object = &self.document.root;
        let mut walked = String::new();
        for name in at.split('.') {
            walked = join(&walked, name);
            match agents::object(self.document, &walked, object.get(name))? {
                Some(next) => object = next,
                None => return Ok(None),
            }
        }
        Ok(Some(object))
    }
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
