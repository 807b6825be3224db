//! The table of keys, and asking for their values.

use super::*;

#[test]
fn every_key_is_named_once_documented_and_allows_its_default() {
    for (i, key) in KEYS.iter().enumerate() {
        assert!(KEYS[..i].iter().all(|other| other.path != key.path), "{} stands twice", key.path);
        assert!(key.doc.ends_with('.'), "{} has no sentence", key.path);
        if let Effect::DetailOf(other) = key.effect {
            assert!(config::find(other).is_some(), "{} is a detail of {other}, which is no key", key.path);
        }
        if !key.default.is_null() {
            let home = Home::new();
            let text = key.default.to_string();
            let change = config::edit(&home.path("mindfile.json"), None, key.path, &text).unwrap();
            assert_eq!(change.value, key.default);
        }
    }
}

#[test]
fn no_group_of_keys_is_also_a_key() {
    for key in KEYS.iter() {
        let group = format!("{}.", key.path);
        assert!(KEYS.iter().all(|other| !other.path.starts_with(&group)), "{} has keys below it", key.path);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one value, compared as a whole")]
fn without_any_file_the_defaults_hold() {
    let home = Home::new();
    check(
        &home.tidy(&format!("{:#?}", home.loaded().settings)),
        expect![[r#"
            Settings {
                agent: AgentId(
                    "main",
                ),
                state_dir: "~/.mindfile",
                workspace: "~/.mindfile/workspace",
                off: None,
                _memory_slot: (),
                requested_provider: "auto",
                _model: (),
                _fallback: (),
                sources: [
                    Memory,
                ],
                extra_paths: [],
                _experimental_session_memory: (),
                _remember_across_conversations: (),
                embedding: Embedding {
                    primary: Embedded,
                    fallback: None,
                    _base_url: (),
                    _api_key: (),
                    _headers: (),
                    _ca_file: (),
                    _request_tokens: (),
                    _concurrency: (),
                    price: None,
                    jobs: BatchJobs {
                        enabled: false,
                        wait: true,
                        concurrency: 2,
                        poll_interval: 2s,
                        timeout: 3600s,
                    },
                    _model_path: (),
                    _model_cache_dir: (),
                    _endpoint: (),
                },
                _input_type: (),
                _query_input_type: (),
                _document_input_type: (),
                _output_dimensionality: (),
                _multimodal_enabled: (),
                _multimodal_modalities: (),
                _multimodal_max_file_bytes: (),
                _store_driver: (),
                index_path: "~/.mindfile/memory/main.sqlite",
                encryption: Encryption {
                    key_file: "~/.mindfile/private.key",
                    key_command: None,
                    passphrase: None,
                },
                vector: VectorStore {
                    enabled: true,
                    engine: Scan,
                },
                _store_vector_extension_path: (),
                _store_fts_tokenizer: (),
                _chunking_tokens: (),
                _chunking_overlap: (),
                chunking: Chunking {
                    tokens: 400,
                    overlap: 80,
                },
                sync: Sync {
                    on_session_start: true,
                    on_search: true,
                    watch: true,
                    debounce: 1.5s,
                    interval: None,
                },
                sessions: Transcripts {
                    enabled: false,
                    delta_bytes: 100000,
                    delta_messages: 50,
                    debounce: 5s,
                    tool_output: false,
                    hidden: false,
                },
                query: Query {
                    max_results: 6,
                    min_score: 0.0,
                    min_unasked: 0.35,
                    max_snippet_chars: 700,
                    max_injected_chars: 4000,
                    deadline: 2s,
                    embed_deadline: 5s,
                },
                hybrid: Hybrid {
                    enabled: true,
                    fusion: Weighted,
                    vector_weight: 0.6,
                    _text_weight: (),
                    candidate_multiplier: 4,
                    interaction: 0.4,
                    mmr: Mmr {
                        enabled: false,
                        lambda: 0.7,
                    },
                    decay: Decay {
                        enabled: true,
                        half_life_days: 30.0,
                        floor: 0.95,
                    },
                },
                cache: Cache {
                    enabled: true,
                    max_entries: 50000,
                },
                _qmd_extra_collections: (),
                server: Server {
                    host: "127.0.0.1",
                    port: 7377,
                    allowed_hosts: [],
                    allowed_origins: [],
                    tls: Tls {
                        cert: None,
                        key: None,
                    },
                    max_body: 1048576,
                    requests_per_second: 2000,
                    concurrency: 8,
                },
                citations: Auto,
                policy: Rules {
                    own: [],
                    builtin: {},
                },
                _policy_builtin: (),
                backend: Builtin,
                postgres: Postgres {
                    url: None,
                    password: None,
                    schema: "mindfile",
                    pool_size: 8,
                    timeout: 5s,
                    ca_file: None,
                },
                lancedb: LanceDb {
                    uri: "~/.mindfile/memory/lancedb",
                    storage_options: [],
                    timeout: 10s,
                },
                qmd: Qmd {
                    command: "qmd",
                    mode: Search,
                    rerank: true,
                    server: true,
                    include_default_memory: true,
                    paths: [],
                    sessions: QmdSessions {
                        enabled: false,
                        folder: "~/.mindfile/agents/main/qmd/sessions",
                        retention_days: None,
                    },
                    update: QmdUpdate {
                        interval: Some(
                            300s,
                        ),
                        debounce: 15s,
                        on_boot: true,
                        wait_for_boot: false,
                        embed_interval: Some(
                            3600s,
                        ),
                        command_timeout: 30s,
                        update_timeout: 120s,
                        embed_timeout: 120s,
                    },
                    limits: QmdLimits {
                        max_results: 6,
                        max_snippet_chars: 700,
                        max_injected_chars: 4000,
                        timeout: 4s,
                    },
                    scope: Scope {
                        allow: false,
                        rules: [
                            ScopeRule {
                                action: Allow,
                                chats: Chats {
                                    chat_type: Some(
                                        ChatWord(
                                            Direct,
                                        ),
                                    ),
                                    channel: None,
                                    key_prefix: None,
                                    raw_key_prefix: None,
                                },
                            },
                        ],
                    },
                    home: "~/.mindfile/agents/main/qmd",
                    models: Some(
                        "~/.cache/qmd/models",
                    ),
                },
                _search_tool: (),
                _mcporter: (),
                _workspace: (),
                compaction: Compaction {
                    enabled: true,
                    reserve_tokens_floor: 20000,
                    reserve_tokens: 16384,
                    keep_recent_tokens: 20000,
                    flush: Flush {
                        enabled: true,
                        soft_threshold_tokens: 4000,
                        prompt: None,
                        system_prompt: None,
                    },
                },
                pruning: ContextPruning {
                    mode: Off,
                    ttl: 300s,
                    keep_last_assistants: 3,
                    soft_trim_ratio: 0.3,
                    hard_clear_ratio: 0.5,
                    min_prunable_chars: 50000,
                    trim_above: 4000,
                    trim_head: 1500,
                    trim_tail: 1500,
                    hard_clear: true,
                    placeholder: "[Old tool result content cleared]",
                },
                closed_to: None,
                _sandbox_mode: (),
                chat: Chat {
                    protocol: OpenAi,
                    model: None,
                    base_url: None,
                    key: None,
                    headers: [],
                    ca_file: None,
                    window: 128000,
                    timeout: 600s,
                },
                bootstrap: Bootstrap {
                    max_chars: 20000,
                    total_max_chars: 60000,
                },
            }"#]],
    );
    assert_eq!(home.warnings(), "");
}

#[test]
fn every_key_can_be_set_in_mindfile_json_and_is_listed_with_its_origin() {
    for key in KEYS.iter() {
        let home = Home::new();
        let value = sample(key.path);
        let change = home.set(key.path, &value.to_string()).unwrap();
        let home = home.mindfile(&change.text);
        assert_eq!(
            home.origin(key.path),
            format!("{} in ~/.mindfile/mindfile.json", change.at),
            "{}",
            key.path
        );
    }
}

fn sample(path: &str) -> Value {
    let key = config::find(path).unwrap();
    if ["provider", "fallback"].contains(&path) {
        return json!("none");
    }
    match key.kind {
        Kind::Whole { max, .. } if path == "chunking.tokens" => json!(max),
        Kind::Whole { min, .. } => json!(min),
        Kind::Number { max, .. } => json!(max),
        Kind::OneOf(words) => json!(words.last()),
        Kind::SomeOf(words) => json!(words),
        // The first of these that the key allows.
        Kind::Form(_) => {
            let samples = [
                json!(true),
                json!("10m"),
                json!("some"),
                json!(["some"]),
                json!([{"name": "some", "class": "masked", "pattern": "x+"}]),
                json!([{"action": "deny", "match": {"chatType": "group"}}]),
                json!({"email": "masked"}),
            ];
            let fits = |value: &Value| config::edit(Path::new("x"), None, path, &value.to_string()).is_ok();
            samples.into_iter().find(fits).unwrap()
        }
    }
}

#[test]
fn a_value_is_found_by_any_name_of_its_key_and_by_the_name_of_its_group() {
    let home = Home::new().mindfile("{memorySearch: {query: {hybrid: {mmr: {enabled: true}}}}}");
    for name in
        ["query.maxResults", "memorySearch.query.maxResults", "agents.defaults.memorySearch.query.maxResults"]
    {
        assert_eq!(home.value(name), json!(6));
    }
    assert_eq!(home.value("query.hybrid.mmr"), json!({"enabled": true, "lambda": 0.7}));
    assert_eq!(home.value("agents.defaults.workspace"), home.value("workspace"));
    let unknown = config::get(&home.loaded(), "query.maxResult").unwrap_err();
    check(
        &home.failure(&unknown),
        expect![[r#"
        unknown key query.maxResult
        hint: did you mean query.maxResults?"#]],
    );
    let unknown = config::get(&home.loaded(), "").unwrap_err();
    check(
        &home.failure(&unknown),
        expect![[r#"
            unknown key ""
            hint: `mindfile config show` lists every key"#]],
    );
}

/// Whoever hands over a folder of notes chooses numbers and switches, and nothing that reaches out of it.
#[test]
fn no_key_that_a_workspace_may_set_names_a_program_a_place_or_a_model() {
    for key in KEYS.iter().filter(|key| key.in_workspace) {
        let is_harmless = match key.kind {
            Kind::Whole { .. } | Kind::Number { .. } | Kind::OneOf(_) => true,
            Kind::Form(_) => key.default.is_boolean(),
            Kind::SomeOf(_) => false,
        };
        assert!(is_harmless, "{} can be set by a workspace's own file", key.path);
    }
    assert!(KEYS.iter().any(|key| key.in_workspace));
}

/// Whoever has no field is read by its name, together with other keys.
#[test]
fn a_key_without_a_field_is_read_by_its_name() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let readers: String = files
        .filter(|file| !file.ends_with("settings.rs"))
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let used = KEYS.iter().filter(|key| key.effect == Effect::Used && key.field.contains("::_"));
    let unread: Vec<&str> =
        used.map(|key| key.path).filter(|path| !readers.contains(&format!("\"{path}\""))).collect();
    assert_eq!(unread, Vec::<&str>::new());
}
