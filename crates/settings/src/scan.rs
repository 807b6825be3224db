//! What one file sets, checked against the table: any subset of the keys, each with its place in the file.

use crate::agents::{AgentEntry, AgentId};
use crate::document::{Document, FileRole, Node, join};
use crate::error::Error;
use crate::key::{Key, Section, closest};
use crate::origin::{Origin, Setting, Warning};
use crate::settings::KEYS;

/// What OpenClaw keeps beside our keys in sections that belong to both.
const OF_OPENCLAW: [(&str, &[&str]); 4] = [
    (
        "compaction",
        &[
            "customInstructions", "identifierInstructions", "identifierPolicy", "maxActiveTranscriptBytes",
            "maxHistoryShare", "midTurnPrecheck", "mode", "model", "notifyUser", "postCompactionSections",
            "postIndexSync", "provider", "qualityGuard", "recentTurnsPreserve", "thinkingLevel",
            "timeoutSeconds", "truncateAfterCompaction",
        ],
    ),
    ("compaction.memoryFlush", &["forceFlushTranscriptBytes", "model"]),
    ("contextPruning", &["tools"]),
    (
        "sandbox",
        &[
            "backend", "browser", "docker", "openshell", "perSession", "prune", "scope",
            "sessionToolsVisibility", "ssh", "workspaceRoot",
        ],
    ),
];

/// The objects in which sections stand, and what each may hold.
const CONTAINERS: [(&str, &[&str]); 4] = [
    ("", &["agents", "memory", "memorySearch", "models", "plugins", "$schema"]),
    ("plugins", &["slots"]),
    ("models", &["providers"]),
    ("agents", &["defaults", "list", "entries"]),
];

/// An object that holds the keys of a section, and what else stands in it.
struct SectionPlace {
    at: &'static str,
    section: Section,
    others: &'static [&'static str],
}

const fn place(at: &'static str, section: Section, others: &'static [&'static str]) -> SectionPlace {
    SectionPlace { at, section, others }
}

/// Where a file keeps keys for every agent, the strongest last.
const FOR_ALL: [SectionPlace; 6] = [
    place("plugins.slots", Section::Slots, &[]),
    place("agents.defaults", Section::Agent, &["memorySearch"]),
    place("agents.defaults.memorySearch", Section::Search, &[]),
    place("memory.search", Section::Search, &[]),
    place("memorySearch", Section::Search, &[]),
    place("memory", Section::Memory, &["search"]),
];

/// Where an agent's entry keeps keys, the strongest last.
const FOR_ONE: [SectionPlace; 4] = [
    place("", Section::Agent, &["memorySearch", "memory", "id", "default", "name"]),
    place("memorySearch", Section::Search, &[]),
    place("memory.search", Section::Search, &[]),
    place("memory", Section::Memory, &["search"]),
];

/// AgentChoice the settings are for.
pub(crate) struct AgentChoice<'a> {
    pub(crate) agent: &'a AgentId,
    /// The default agent shares the workspace of `agents.defaults`.
    pub(crate) is_default: bool,
}

/// Reads a file's settings for an agent, the strongest last: for all agents, then for the one that is meant. Every agent's
/// entry is checked, so that a typing error is found early.
pub(crate) fn read(
    document: &Document,
    entries: &[AgentEntry<'_>],
    choice: &AgentChoice<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Setting>, Error> {
    let mut scan = Scan { document, warnings };
    scan.repeated()?;
    scan.containers()?;
    let mut everyone = scan.sections(&document.root(), &FOR_ALL)?;
    let mut own = Vec::new();
    for entry in entries {
        let written = scan.sections(&entry.node, &FOR_ONE)?;
        if entry.id == *choice.agent {
            own.extend(written);
        }
    }
    if !choice.is_default {
        everyone.retain(|written| written.key != "workspace");
    }
    for key in ["extraPaths", "memory.policy.rules"] {
        add_up(&everyone, &mut own, key);
    }
    everyone.append(&mut own);
    Ok(everyone)
}

/// An agent's extra paths are more paths, not other ones; so are its rules of what may be stored.
fn add_up(everyone: &[Setting], own: &mut [Setting], key: &str) {
    let Some(shared) = everyone.iter().rfind(|written| written.key == key) else { return };
    let Some(own) = own.iter_mut().rfind(|written| written.key == key) else { return };
    let lists = shared.value.as_array().into_iter().chain(own.value.as_array());
    own.value = lists.flatten().cloned().collect();
}

/// One pass over a document.
struct Scan<'a> {
    document: &'a Document,
    warnings: &'a mut Vec<Warning>,
}

impl Scan<'_> {
    fn repeated(&mut self) -> Result<(), Error> {
        for key in &self.document.repeated {
            if self.document.role != FileRole::OpenClaw {
                return Err(Error::Repeated { file: self.document.file.clone(), key: key.clone() });
            }
            if key.starts_with("agents") || key.starts_with("memory") {
                self.warn(key, format!("{key} is written twice; the last one counts"));
            }
        }
        Ok(())
    }

    fn containers(&mut self) -> Result<(), Error> {
        for (at, known) in CONTAINERS {
            if self.document.role == FileRole::Workspace
                && at == "agents"
                && self.document.at(&[at]).is_some()
            {
                return Err(self.document.not_in_workspace(at));
            }
            let Some(container) = self.document.root().object(at)? else { continue };
            for (name, node) in container.children()?.into_iter().filter(|(name, _)| !known.contains(name)) {
                if self.document.role != FileRole::OpenClaw {
                    let here = closest(name, known.iter().copied()).map(|near| join(at, near));
                    let below = || suggest(Section::Search, "memorySearch", name);
                    let nearest = here.or_else(|| at.is_empty().then(below).flatten());
                    return Err(self.document.unknown(node.at, nearest));
                }
                if name == "$include" {
                    self.not_followed(&node.at);
                }
            }
        }
        Ok(())
    }

    /// The keys of a file, or of an agent's entry in it.
    fn sections(&mut self, base: &Node<'_>, places: &[SectionPlace]) -> Result<Vec<Setting>, Error> {
        let mut all = Vec::new();
        let is_shared = base.at.is_empty();
        for SectionPlace { at, section, others } in places {
            // OpenClaw has no such section.
            if self.document.role == FileRole::OpenClaw && is_shared && *at == "memorySearch" {
                continue;
            }
            let Some(top) = base.object(at)? else { continue };
            let mut found = Vec::new();
            for (name, node) in top.children()?.into_iter().filter(|(name, _)| !others.contains(name)) {
                self.visit(*section, &top.at, join("", name), &node, &mut found)?;
            }
            if is_shared {
                found.iter().for_each(|written| self.warn_if_overridden(written, &all));
            }
            all.append(&mut found);
        }
        Ok(all)
    }

    /// A key of a section, or a group of keys.
    fn visit(
        &mut self,
        section: Section,
        top: &str,
        local: String,
        node: &Node<'_>,
        all: &mut Vec<Setting>,
    ) -> Result<(), Error> {
        let group = format!("{local}.");
        if let Some(key) = keys(section).find(|key| key.local() == local) {
            all.push(self.setting(key, node)?);
        } else if keys(section).any(|key| key.local().starts_with(&group)) {
            for (name, child) in node.children()? {
                self.visit(section, top, join(&local, name), &child, all)?;
            }
        } else {
            self.stranger(section, top, &local, node)?;
        }
        Ok(())
    }

    fn setting(&self, key: &'static Key, node: &Node<'_>) -> Result<Setting, Error> {
        if self.document.role == FileRole::Workspace && !key.in_workspace {
            return Err(self.document.not_in_workspace(&node.at));
        }
        let is_secret = key.kind.is_secret();
        let Some(value) = key.kind.accept(node.value) else {
            return Err(if is_secret { node.wrong_type(key.kind) } else { node.wrong(key.kind) });
        };
        let concealed = is_secret.then(|| node.concealed());
        Ok(Setting { key: key.path, value, origin: node.origin(), note: None, concealed })
    }

    /// A key that the table does not have.
    fn stranger(&mut self, section: Section, top: &str, local: &str, node: &Node<'_>) -> Result<(), Error> {
        let nearest = suggest(section, top, local);
        // What stands in an agent's section is another program's, but for the groups that hold keys of ours. Other slots
        // are none of ours.
        let is_openclaws = section == Section::Slots
            || section == Section::Agent
                && local.rsplit_once('.').is_none_or(|(group, name)| {
                    OF_OPENCLAW.iter().any(|(other, names)| *other == group && names.contains(&name))
                });
        if self.document.role != FileRole::OpenClaw {
            return Err(self.document.unknown(node.at.clone(), nearest));
        }
        if local.ends_with("$include") {
            self.not_followed(&node.at);
        } else if !is_openclaws {
            let guess = nearest.map_or_else(String::new, |near| format!("; did you mean {near}?"));
            self.warn(&node.at, format!("unknown key {} is ignored{guess}", node.at));
        }
        Ok(())
    }

    fn warn_if_overridden(&mut self, written: &Setting, before: &[Setting]) {
        let differs = |other: &&Setting| other.key == written.key && other.value != written.value;
        if let Some(Origin::File { at: old, .. }) = before.iter().rfind(differs).map(|other| &other.origin)
            && let Origin::File { at: new, .. } = &written.origin
        {
            self.warn(old, format!("{old} has no effect because {new} is set too"));
        }
    }

    fn not_followed(&mut self, path: &str) {
        self.warn(path, format!("{path} is not followed: settings in the included file are not seen"));
    }

    fn warn(&mut self, key: &str, message: String) {
        self.warnings.push(self.document.warning(key, message));
    }
}

fn keys(section: Section) -> impl Iterator<Item = &'static Key> + Clone {
    KEYS.iter().filter(move |key| key.section == section)
}

/// The key or group of a section that is nearest to a name in it.
fn suggest(section: Section, at: &str, local: &str) -> Option<String> {
    closest(local, keys(section).map(Key::local).flat_map(and_groups)).map(|near| join(at, near))
}

/// A path and the groups it is in.
fn and_groups(path: &'static str) -> impl Iterator<Item = &'static str> + Clone {
    path.match_indices('.').map(|(end, _)| &path[..end]).chain([path])
}
