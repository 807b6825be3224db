//! Rules of the house that no compiler knows: which crate may know which, that a setting does something, and that every
//! file is compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mindfile::config::{Effect, KEYS};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// Names under `[dependencies]` of each crate; what only tests use is not counted.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let section =
            manifest.split("\n[").find_map(|section| section.strip_prefix("dependencies]")).unwrap_or("");
        let names = section
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|name| !name.is_empty());
        all.insert(
            folder.file_name().unwrap().to_str().unwrap().to_owned(),
            names.map(str::to_owned).collect(),
        );
    }
    all
}

#[test]
fn crates_know_only_what_is_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("note", &[][..]),
        ("index", &["mindfile-note"]),
        ("postgres", &["mindfile-index", "mindfile-note"]),
        ("lancedb", &["mindfile", "mindfile-cli", "mindfile-index", "mindfile-note"]),
        ("model", &[]),
        ("settings", &["mindfile-model", "mindfile-note", "mindfile-trust"]),
        ("disk", &[]),
        ("trust", &["mindfile-disk", "mindfile-note"]),
        ("workspace", &["mindfile-disk", "mindfile-note", "mindfile-settings", "mindfile-trust"]),
        (
            "engine",
            &[
                "mindfile-disk",
                "mindfile-index",
                "mindfile-model",
                "mindfile-note",
                "mindfile-settings",
                "mindfile-trust",
                "mindfile-workspace",
            ],
        ),
        ("operations", &["mindfile"]),
        ("server", &["mindfile", "mindfile-operations"]),
        ("cli", &["mindfile", "mindfile-operations", "mindfile-postgres", "mindfile-server"]),
        ("evals", &["mindfile", "mindfile-index", "mindfile-model", "mindfile-note"]),
    ]);
    for (name, dependencies) in dependencies() {
        let allowed =
            allowed.get(name.as_str()).unwrap_or_else(|| panic!("crate {name} is not in ARCHITECTURE.md"));
        for own in dependencies.iter().filter(|dependency| dependency.starts_with("mindfile")) {
            assert!(allowed.contains(&own.as_str()), "{name} may not depend on {own}");
        }
    }
}

#[test]
fn libraries_that_touch_the_world_stay_where_they_belong() {
    let homes: &[(&[&str], &[&str])] = &[
        (&["tokio", "tokio-rustls"], &["lancedb", "postgres", "server"]),
        (&["axum", "rmcp"], &["server"]),
        (&["schemars"], &["operations", "server"]),
        (&["tokio-postgres"], &["postgres"]),
        (
            &[
                "anstream",
                "clap_complete",
                "clap_mangen",
                "console",
                "crossterm",
                "indicatif",
                "ctrlc",
                "terminal_size",
            ],
            &["cli"],
        ),
        (&["clap"], &["cli", "evals", "operations"]),
        (&["rusqlite"], &["index", "workspace"]),
        (&["sqlite-vec"], &["index"]),
        (&["rustix"], &["disk", "engine", "workspace"]),
        (&["globset"], &["workspace"]),
        (&["notify", "tar", "toml_edit"], &["engine"]),
        (&["json5"], &["settings"]),
        (&["jsonc-parser"], &["engine", "settings"]),
        (&["jiff"], &["note", "trust", "workspace", "engine", "operations", "server", "cli", "evals"]),
    ];
    let all = dependencies();
    for &(libraries, crates) in homes {
        for (name, dependencies) in all.iter().filter(|(name, _)| !crates.contains(&name.as_str())) {
            for library in libraries {
                assert!(!dependencies.iter().any(|d| d == library), "{name} may not depend on {library}");
            }
        }
    }
}

/// What reads each key that has an effect, as it stands in the source.
const READERS: &[(&str, &str)] = &[
    ("enabled", "settings.enabled"),
    ("provider", "embedding.primary"),
    ("model", "service.model"),
    ("fallback", "embedding.fallback"),
    ("remote.baseUrl", "service.base_url"),
    ("remote.apiKey", "service.key"),
    ("remote.headers", "service.all_headers"),
    ("remote.caFile", "service.ca_file"),
    ("remote.requestTokens", "service.request_tokens"),
    ("remote.concurrency", "service.concurrency"),
    ("remote.pricePerMillionTokens", "embedding.price"),
    ("remote.batch.enabled", "jobs.enabled"),
    ("remote.batch.wait", "jobs.wait"),
    ("remote.batch.concurrency", "jobs.concurrency"),
    ("remote.batch.pollIntervalMs", "jobs.poll_interval"),
    ("remote.batch.timeoutMinutes", "jobs.timeout"),
    ("local.modelPath", "self.model"),
    ("local.modelCacheDir", "self.cache"),
    ("local.endpoint", "local.endpoint"),
    ("inputType", "service.query_input_type"),
    ("queryInputType", "service.query_input_type"),
    ("documentInputType", "service.document_input_type"),
    ("outputDimensionality", "service.dims"),
    ("query.embedDeadlineMs", "query.embed_deadline"),
    ("sources", "settings.sources"),
    ("extraPaths", ".extra_paths"),
    ("store.path", "settings.index_path"),
    ("encryption.keyFile", "settings.key_file"),
    ("encryption.keyCommand", "settings.key_command"),
    ("store.vector.enabled", "settings().vector,"),
    ("store.vector.engine", ".vector.engine"),
    ("chunking.tokens", ".chunking"),
    ("chunking.overlap", ".chunking"),
    ("sync.onSearch", "sync.on_search"),
    ("sync.watch", "sync.watch"),
    ("sync.watchDebounceMs", "sync.debounce"),
    ("sync.intervalMinutes", "sync.interval"),
    ("query.maxResults", "query.max_results"),
    ("query.minScore", "query.min_score"),
    ("query.maxSnippetChars", "query.max_snippet_chars"),
    ("query.maxInjectedChars", "query.max_injected_chars"),
    ("query.deadlineMs", "settings.query.deadline"),
    ("query.hybrid.enabled", "hybrid.enabled"),
    ("query.hybrid.fusion", "hybrid.fusion"),
    ("query.hybrid.vectorWeight", "hybrid.vector_weight"),
    ("query.hybrid.textWeight", "hybrid.vector_weight"),
    ("query.hybrid.candidateMultiplier", "hybrid.candidate_multiplier"),
    ("query.hybrid.interactionWeight", "hybrid.interaction"),
    ("query.hybrid.mmr.enabled", "mmr.enabled"),
    ("query.hybrid.mmr.lambda", "mmr.lambda"),
    ("query.hybrid.temporalDecay.enabled", "decay.enabled"),
    ("query.hybrid.temporalDecay.halfLifeDays", "decay.half_life_days"),
    ("query.hybrid.temporalDecay.floor", "decay.floor"),
    ("cache.enabled", "cache.enabled"),
    ("cache.maxEntries", "cache.max_entries"),
    ("memory.citations", "settings.citations"),
    ("experimental.sessionMemory", "settings.sessions.enabled"),
    ("sync.sessions.deltaBytes", "how.delta_bytes"),
    ("sync.sessions.deltaMessages", "how.delta_messages"),
    ("sync.sessions.debounceMs", "how.debounce"),
    ("sync.sessions.toolOutput", "sessions.tool_output"),
    ("sync.sessions.hidden", "sessions.hidden"),
    ("compaction.reserveTokensFloor", "compaction.reserve_tokens_floor"),
    ("compaction.reserveTokens", "compaction.reserve_tokens"),
    ("compaction.keepRecentTokens", "compaction.keep_recent_tokens"),
    ("compaction.memoryFlush.enabled", "compaction.flush.enabled"),
    ("compaction.memoryFlush.softThresholdTokens", "flush.soft_threshold_tokens"),
    ("compaction.memoryFlush.prompt", "flush.prompt"),
    ("compaction.memoryFlush.systemPrompt", "flush.system_prompt"),
    ("contextPruning.mode", "how.mode"),
    ("contextPruning.ttl", "how.ttl"),
    ("contextPruning.keepLastAssistants", "how.keep_last_assistants"),
    ("contextPruning.softTrimRatio", "how.soft_trim_ratio"),
    ("contextPruning.hardClearRatio", "how.hard_clear_ratio"),
    ("contextPruning.minPrunableToolChars", "how.min_prunable_chars"),
    ("contextPruning.softTrim.maxChars", "how.trim_above"),
    ("contextPruning.softTrim.headChars", "how.trim_head"),
    ("contextPruning.softTrim.tailChars", "how.trim_tail"),
    ("contextPruning.hardClear.enabled", "how.hard_clear"),
    ("contextPruning.hardClear.placeholder", "how.placeholder"),
    ("chat.provider", "known.protocol"),
    ("chat.model", "known.model"),
    ("chat.baseUrl", "known.base_url"),
    ("chat.apiKey", "known.key"),
    ("chat.headers", "known.headers"),
    ("chat.caFile", "known.ca_file"),
    ("chat.contextWindow", "known.window"),
    ("chat.timeoutSeconds", "known.timeout"),
    ("bootstrapMaxChars", "bootstrap.max_chars"),
    ("bootstrapTotalMaxChars", "bootstrap.total_max_chars"),
    ("memory.server.host", "settings.host"),
    ("memory.server.port", "settings.port"),
    ("memory.server.allowedHosts", "settings.allowed_hosts"),
    ("memory.server.allowedOrigins", "settings.allowed_origins"),
    ("memory.server.tls.cert", "settings.tls.cert"),
    ("memory.server.tls.key", "settings.tls.key"),
    ("memory.server.maxBodyBytes", "server.max_body"),
    ("memory.server.requestsPerSecond", "settings.requests_per_second"),
    ("memory.server.concurrency", "server.concurrency"),
    ("memory.backend", "settings.backend"),
    ("qmd.extraCollections", "settings.qmd.paths"),
    ("memory.qmd.command", "settings.command"),
    ("memory.qmd.searchMode", "settings.mode"),
    ("memory.qmd.rerank", "settings.rerank"),
    ("memory.qmd.server", "qmd.server"),
    ("memory.qmd.includeDefaultMemory", "qmd.include_default_memory"),
    ("memory.qmd.paths", "settings.qmd.paths"),
    ("memory.qmd.sessions.enabled", "qmd.sessions.enabled"),
    ("memory.qmd.sessions.exportDir", "qmd.sessions.folder"),
    ("memory.qmd.sessions.retentionDays", "wanted.retention_days"),
    ("memory.qmd.update.interval", "update.interval"),
    ("memory.qmd.update.debounceMs", "update.debounce"),
    ("memory.qmd.update.onBoot", "update.on_boot"),
    ("memory.qmd.update.waitForBootSync", "update.wait_for_boot"),
    ("memory.qmd.update.embedInterval", "update.embed_interval"),
    ("memory.qmd.update.commandTimeoutMs", "update.command_timeout"),
    ("memory.qmd.update.updateTimeoutMs", "update.update_timeout"),
    ("memory.qmd.update.embedTimeoutMs", "update.embed_timeout"),
    ("memory.qmd.limits.maxResults", "limits.max_results"),
    ("memory.qmd.limits.maxSnippetChars", "limits.max_snippet_chars"),
    ("memory.qmd.limits.maxInjectedChars", "limits.max_injected_chars"),
    ("memory.qmd.limits.timeoutMs", "limits.timeout"),
    ("memory.qmd.scope.default", "self.allow"),
    ("memory.qmd.scope.rules", "self.rules"),
    ("memory.postgres.url", "postgres.url"),
    ("memory.postgres.schema", "postgres.schema"),
    ("memory.postgres.poolSize", "postgres.pool_size"),
    ("memory.postgres.timeoutMs", "postgres.timeout"),
    ("memory.postgres.caFile", "postgres.ca_file"),
    ("memory.lancedb.uri", "lancedb.uri"),
    ("memory.lancedb.storageOptions", "lancedb.storage_options"),
    ("memory.lancedb.timeoutMs", "lancedb.timeout"),
    ("memory.policy.rules", "policy.rules.own"),
    ("memory.policy.builtin", "settings.policy"),
    ("workspace", "settings.workspace"),
];

#[test]
fn every_key_with_an_effect_has_a_reader() {
    let sources = sources();
    let used = KEYS.iter().filter(|key| key.effect == Effect::Used);
    let unread: Vec<&str> = used
        .map(|key| key.path)
        .filter(|path| {
            let reader = READERS.iter().find(|(key, _)| key == path);
            !reader.is_some_and(|(_, reader)| sources.contains(reader))
        })
        .collect();
    assert_eq!(unread, Vec::<&str>::new(), "keys that nothing reads");
}

/// Everything but the configuration itself and the tests in the sources.
fn sources() -> String {
    let is_read = |path: &PathBuf| {
        !path.ends_with("tests.rs") && !path.ancestors().any(|folder| folder.ends_with("settings/src"))
    };
    let text = |path: PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        text.split("#[cfg(test)]").next().unwrap().to_owned()
    };
    rust_files("src").into_iter().filter(is_read).map(text).collect()
}

/// The files below a folder of each crate that has one.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path().join(folder);
        if folder.is_dir() {
            collect(&folder, &mut found);
        }
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_is_a_module_of_another() {
    let files = [rust_files("src"), rust_files("tests")].concat();
    let forgotten: Vec<&PathBuf> = files.iter().filter(|path| !is_root(path) && !is_named(path)).collect();
    assert_eq!(forgotten, Vec::<&PathBuf>::new(), "files that no module names are not compiled");
}

/// What cargo starts from: `src/lib.rs`, `src/main.rs`, `tests/NAME/main.rs`.
fn is_root(path: &Path) -> bool {
    ["src/lib.rs", "src/main.rs"].iter().any(|root| path.ends_with(root))
        || (path.ends_with("main.rs") && path.iter().rev().nth(2).is_some_and(|folder| folder == "tests"))
}

/// `a/b.rs` and `a/b/mod.rs` are `mod b;` of `a/mod.rs`, `a.rs` or the root that stands in `a`.
fn is_named(path: &Path) -> bool {
    let module = if path.ends_with("mod.rs") { path.parent().unwrap() } else { path };
    let (name, folder) = (module.file_stem().unwrap().to_str().unwrap(), module.parent().unwrap());
    let parents = ["mod.rs", "lib.rs", "main.rs"].map(|file| folder.join(file));
    let named = format!("mod {name};");
    parents.into_iter().chain([folder.with_extension("rs")]).any(|parent| {
        std::fs::read_to_string(parent).is_ok_and(|text| text.lines().any(|line| line.ends_with(&named)))
    })
}
