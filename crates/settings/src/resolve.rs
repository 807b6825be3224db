//! The declared settings as they are meant: what two keys say together, and what the environment adds.

use std::path::{Path, PathBuf};

use mindfile_note::Source;
use mindfile_note::chunk::Chunking;
use mindfile_trust::policy::Rules;
use serde_json::{Value, json};

use crate::agents::AgentId;
use crate::declare::{Group, Reader};
use crate::error::Error;
use crate::merge::{MergedLayers, path_value};
use crate::origin::Origin;
use crate::paths::Env;
use crate::provider::{self, Choice};
use crate::secret::Vault;
use crate::services::Entries;
use crate::settings::{Chat, Declarations, Embedding, Hybrid, Settings};
use crate::words::Engine;

/// What is known of the surroundings when values become settings.
pub(crate) struct Context<'a> {
    pub(crate) agent: AgentId,
    pub(crate) state_dir: &'a Path,
    pub(crate) workspace: PathBuf,
    pub(crate) home: Option<&'a Path>,
    pub(crate) env: &'a Env,
    pub(crate) entries: &'a Entries,
    /// OpenClaw's file, where the state directory is OpenClaw's home.
    pub(crate) openclaw: Option<&'a Path>,
}

/// Makes the settings, and puts what they came to into the merged values.
pub(crate) fn settings(merged: &mut MergedLayers, context: Context<'_>) -> Result<Settings, Error> {
    let Context { agent, state_dir, workspace, home, env, entries, openclaw } = context;
    let vault = Vault { env, state_dir, home };
    let reader = Reader { merged, vault, agent: &agent, workspace: workspace.clone() };
    let mut declared = Declarations::read(&reader)?;
    let choice = Choice { reader: &reader, entries, declared: &declared };
    let (primary, why) = provider::primary(&choice)?;
    let mut notes: Vec<Note> = why.into_iter().map(|why| ("provider", why)).collect();
    let fallback = provider::fallback(&choice, &primary)?;
    let index_path = index_path(&reader, declared.index.as_deref(), openclaw)?;
    let chunking = chunking(&reader, declared.chunk_tokens, declared.chunk_overlap)?;
    notes.extend(weights(&reader, &mut declared.hybrid)?);
    let policy = policy(&reader, &declared.policy_rules, &declared.policy_builtin)?;
    from_environment(&reader, &mut declared);
    if !declared.vector.enabled {
        declared.vector.engine = Engine::Scan;
    }
    declared.qmd.paths.append(&mut declared.extra_collections);
    declared.sessions.enabled =
        declared.session_memory && declared.sources.iter().any(|name| name == "sessions");
    if fallback.is_none() && declared.fallback != "none" {
        notes.push(("fallback", "no other provider than the first; none is used".to_owned()));
    }
    notes.into_iter().for_each(|(key, note)| merged.note(key, note));
    if is_beside(&merged.origin("store.path"), openclaw) {
        merged.set("store.path", path_value(&index_path), merged.origin("store.path"));
    }
    merged.show_default("store.path", path_value(&index_path));
    merged.show_default("encryption.keyFile", path_value(&declared.encryption.key_file));
    merged.show_default("memory.qmd.sessions.exportDir", path_value(&declared.qmd.sessions.folder));
    let direct_chats = json!([{ "action": "allow", "match": { "chatType": "direct" } }]);
    merged.show_default("memory.qmd.scope.rules", direct_chats);
    Ok(Settings {
        agent,
        state_dir: state_dir.to_owned(),
        workspace,
        index_path,
        backend: declared.backend,
        enabled: declared.enabled,
        embedding: Embedding { primary, fallback, jobs: declared.remote.jobs, price: declared.remote.price },
        requested_provider: declared.provider,
        sources: sources(&declared.sources, declared.session_memory),
        extra_paths: declared.extra_paths,
        chunking,
        sync: declared.sync,
        query: declared.query,
        hybrid: declared.hybrid,
        vector: declared.vector,
        cache: declared.cache,
        citations: declared.citations,
        sessions: declared.sessions,
        compaction: declared.compaction,
        pruning: declared.pruning,
        chat: declared.chat,
        bootstrap: declared.bootstrap,
        policy,
        server: declared.server,
        qmd: declared.qmd,
        postgres: declared.postgres,
        lancedb: declared.lancedb,
        encryption: declared.encryption,
    })
}

/// What a variable says where the files say nothing.
fn from_environment(reader: &Reader<'_>, declared: &mut Declarations) {
    let vault = &reader.vault;
    let Declarations { chat, postgres, .. } = declared;
    // A key of the environment is for the provider's own address alone.
    if !reader.is_written("chat.apiKey") && chat.base_url.is_none() {
        chat.key = vault.variable(Chat::key_variable(chat.protocol));
    }
    if !reader.is_written("memory.postgres.url") {
        postgres.url = vault.variable("MINDFILE_POSTGRES_URL");
    }
    chat.ca_file = chat.ca_file.take().or_else(|| vault.authorities());
    postgres.ca_file = postgres.ca_file.take().or_else(|| vault.authorities());
}

/// In an OpenClaw home the usual place, and the one that OpenClaw's own file names, are OpenClaw's: a gateway does not
/// start while it finds a database there that is none of its own. Ours lies beside it.
fn index_path(reader: &Reader<'_>, named: Option<&str>, openclaw: Option<&Path>) -> Result<PathBuf, Error> {
    let named = named.unwrap_or("memory/{agentId}.sqlite").replace("{agentId}", reader.agent.as_str());
    let mut path = reader.path(&named, "store.path")?;
    if is_beside(&reader.merged.origin("store.path"), openclaw) {
        path.set_extension("mindfile.sqlite");
    }
    Ok(path)
}

fn is_beside(origin: &Origin, openclaw: Option<&Path>) -> bool {
    match origin {
        Origin::Default => openclaw.is_some(),
        Origin::File { path, .. } => openclaw.is_some_and(|openclaw| openclaw == path),
        Origin::Env(_) | Origin::Flag(_) => false,
    }
}

/// Transcripts are searched where both keys ask for it.
fn sources(names: &[String], transcripts: bool) -> Vec<Source> {
    let found = names.iter().filter_map(|name| Source::parse(name));
    found.filter(|source| transcripts || *source == Source::Memory).collect()
}

/// An overlap as large as the chunk would never get to the end of a note.
fn chunking(reader: &Reader<'_>, tokens: u32, overlap: u32) -> Result<Chunking, Error> {
    if overlap < tokens {
        return Ok(Chunking { tokens, overlap });
    }
    if reader.is_written("chunking.overlap") {
        let allowed = format!("less than chunking.tokens ({tokens})");
        return Err(reader.merged.refused("chunking.overlap", overlap, allowed));
    }
    Err(reader.merged.refused("chunking.tokens", tokens, format!("more than chunking.overlap ({overlap})")))
}

type Note = (&'static str, String);

/// Scales both weights to sum 1; one of them says it all.
fn weights(reader: &Reader<'_>, hybrid: &mut Hybrid) -> Result<Vec<Note>, Error> {
    const VECTOR: &str = "query.hybrid.vectorWeight";
    const TEXT: &str = "query.hybrid.textWeight";
    let vector: f64 = reader.value(VECTOR)?;
    let text: f64 = reader.value(TEXT)?;
    let sum = vector + text;
    if sum <= 0.0 {
        return Err(reader.merged.refused(VECTOR, 0, format!("more than 0, because {TEXT} is 0 too")));
    }
    hybrid.vector_weight = (vector / sum) as f32;
    if (sum - 1.0).abs() <= 1e-9 {
        return Ok(Vec::new());
    }
    Ok([(VECTOR, vector), (TEXT, text)]
        .map(|(key, weight)| (key, format!("{:.3} of 1", weight / sum)))
        .into())
}

/// A pattern that cannot be used is named with its place in the list.
fn policy(reader: &Reader<'_>, rules: &Value, builtin: &Value) -> Result<Rules, Error> {
    const RULES: &str = "memory.policy.rules";
    Rules::read(rules, builtin).map_err(|(place, allowed)| {
        // `[2].pattern` as a JSON pointer.
        let pointer = place.replace('[', "/").replace(']', "").replace('.', "/");
        let value = rules.pointer(&pointer).map_or_else(String::new, Value::to_string);
        let origin = reader.merged.origin(RULES);
        Error::BadValue { key: format!("{}{place}", origin.key(RULES)), origin, value, allowed }
    })
}
