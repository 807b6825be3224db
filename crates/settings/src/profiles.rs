//! The keys that OpenClaw keeps for an agent, in `agents/ID/agent/auth-profiles.json`: read, never written. Only profiles
//! with a key count; a login serves OpenClaw's chats alone.

use std::path::Path;

use serde_json::Value;

use crate::agents::AgentId;
use crate::document::{self, Document, FileRole, Node};
use crate::origin::{ConcealedSecret, Warning};

/// The agent's own file, then that of the main agent, whose profiles OpenClaw lets every agent use.
pub(crate) struct Profiles(Vec<Document>);

impl Profiles {
    /// A file that cannot be used keeps nobody from working; it is said.
    pub(crate) fn read(state_dir: &Path, agent: &AgentId, warnings: &mut Vec<Warning>) -> Self {
        let main = AgentId::default();
        let mut files = Vec::new();
        for id in [Some(agent), Some(&main).filter(|main| *main != agent)].into_iter().flatten() {
            let file = state_dir.join("agents").join(id.as_str()).join("agent/auth-profiles.json");
            match document::read(&file, FileRole::OpenClaw) {
                Ok(found) => files.extend(found),
                Err(error) => {
                    let message = format!("its keys are not used: {error}");
                    warnings.push(Warning { file, key: "profiles".to_owned(), message });
                }
            }
        }
        Self(files)
    }

    /// The keys of a provider, by any of its names: in the order that a file gives them, then the one that worked last,
    /// then by name.
    pub(crate) fn keys<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = ConcealedSecret> + 'a {
        self.0.iter().flat_map(move |document| keys(document, names))
    }
}

fn keys(document: &Document, names: &[&str]) -> Vec<ConcealedSecret> {
    let root = document.root();
    let Some(profiles) = root.child("profiles") else { return Vec::new() };
    let said = |list: &str| names.iter().find_map(|name| root.child(list)?.value.get(name));
    let ordered = said("order").and_then(Value::as_array).into_iter().flatten();
    let preferred = ordered.chain(said("lastGood")).filter_map(Value::as_str);
    let all = profiles.value.as_object().into_iter().flat_map(|all| all.keys().map(String::as_str));
    let mut ids: Vec<&str> = Vec::new();
    for id in preferred.chain(all) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.into_iter().filter_map(|id| key(&profiles.child(id)?, names)).collect()
}

/// The key of a profile, or where it is.
fn key(profile: &Node<'_>, names: &[&str]) -> Option<ConcealedSecret> {
    let says = |field: &str| profile.value.get(field).and_then(Value::as_str);
    let is_meant = says("type") == Some("api_key") && says("provider").is_some_and(|p| names.contains(&p));
    if !is_meant {
        return None;
    }
    Some(profile.child("key").or_else(|| profile.child("keyRef"))?.concealed())
}
