//! Which place of which layer wins, and for which agent.

use super::*;

#[test]
fn every_place_for_search_settings_is_read() {
    let agent = "agents: {list: [{id: 'main', memorySearch: {query: {maxResults: 9}}}]}";
    let entry = "agents: {entries: {main: {memory: {search: {query: {maxResults: 9}}}}}}";
    for text in [
        "agents: {defaults: {memorySearch: {query: {maxResults: 9}}}}",
        "memory: {search: {query: {maxResults: 9}}}",
        agent,
        entry,
    ] {
        assert_eq!(
            Home::new().openclaw(&format!("{{{text}}}")).loaded().settings.query.max_results,
            9,
            "{text}"
        );
        assert_eq!(
            Home::new().mindfile(&format!("{{{text}}}")).loaded().settings.query.max_results,
            9,
            "{text}"
        );
    }
    let short = "{memorySearch: {query: {maxResults: 9}}}";
    assert_eq!(Home::new().mindfile(short).loaded().settings.query.max_results, 9);
    assert_eq!(Home::new().openclaw(short).loaded().settings.query.max_results, 6);
}

#[test]
fn each_layer_wins_over_the_one_before() {
    let mut home = Home::new();
    check(&home.origin("query.maxResults"), expect!["default"]);
    let layers = [
        (1, ".mindfile/openclaw.json", "{agents: {defaults: {memorySearch: {query: {maxResults: 1}}}}}"),
        (
            2,
            ".mindfile/openclaw.json",
            "{agents: {list: [{id: 'main', memorySearch: {query: {maxResults: 2}}}]}}",
        ),
        (3, ".mindfile/mindfile.json", "{memorySearch: {query: {maxResults: 3}}}"),
        (
            4,
            ".mindfile/mindfile.json",
            "{memorySearch: {query: {maxResults: 3}},
              agents: {entries: {main: {memory: {search: {query: {maxResults: 4}}}}}}}",
        ),
        (5, ".mindfile/workspace/.mindfile.json", "{memory: {search: {query: {maxResults: 5}}}}"),
    ];
    let mut origins = String::new();
    for (expected, file, text) in layers {
        home = home.with(file, text);
        assert_eq!(home.loaded().settings.query.max_results, expected, "{text}");
        origins += &format!("{}\n", home.origin("query.maxResults"));
    }
    check(
        &origins,
        expect![[r#"
        agents.defaults.memorySearch.query.maxResults in ~/.mindfile/openclaw.json
        agents.list[0].memorySearch.query.maxResults in ~/.mindfile/openclaw.json
        memorySearch.query.maxResults in ~/.mindfile/mindfile.json
        agents.entries.main.memory.search.query.maxResults in ~/.mindfile/mindfile.json
        memory.search.query.maxResults in ~/.mindfile/workspace/.mindfile.json
    "#]],
    );
    let found: Vec<String> = home.loaded().files.iter().map(|f| home.tidy(f.to_str().unwrap())).collect();
    check(
        &found.join("\n"),
        expect![[r#"
        ~/.mindfile/openclaw.json
        ~/.mindfile/mindfile.json
        ~/.mindfile/workspace/.mindfile.json"#]],
    );
}

#[test]
fn an_agents_settings_merge_key_by_key() {
    let home = Home::new().openclaw(
        "{agents: {defaults: {memorySearch: {query: {maxResults: 3, minScore: 0.1}, enabled: false}},
           list: [{id: 'main'}, {id: 'work', memorySearch: {query: {maxResults: 8}, enabled: true}}]}}",
    );
    let main = home.loaded().settings;
    assert_eq!((main.query.max_results, main.query.min_score, main.off.is_none()), (3, 0.1, false));
    let work = home.agent("work").loaded().settings;
    assert_eq!((work.query.max_results, work.query.min_score, work.off.is_none()), (8, 0.1, true));
}

#[test]
fn two_places_in_one_file_that_differ_bring_a_warning() {
    let home = Home::new().mindfile(
        "{memorySearch: {query: {maxResults: 3}}, memory: {search: {query: {maxResults: 4, minScore: 0}}}}",
    );
    check(
        &home.warnings(),
        expect![[r#"
        ~/.mindfile/mindfile.json: memory.search.query.maxResults has no effect because memorySearch.query.maxResults is set too
    "#]],
    );
    assert_eq!(home.loaded().settings.query.max_results, 3);
}

#[test]
fn the_default_agent_is_the_marked_one_then_the_first_then_main() {
    let default = |openclaw: &str, mindfile: &str| {
        Home::new().openclaw(openclaw).mindfile(mindfile).loaded().settings.agent.to_string()
    };
    assert_eq!(default("{}", "{}"), "main");
    assert_eq!(default("{agents: {list: [{id: 'One'}, {id: 'two'}]}}", "{}"), "one");
    assert_eq!(default("{agents: {list: [{id: 'one'}, {id: 'two', default: true}]}}", "{}"), "two");
    assert_eq!(default("{agents: {entries: {one: {}, two: {default: true}}}}", "{}"), "two");
    assert_eq!(default("{agents: {list: [{id: 'one'}]}}", "{agents: {list: [{id: 'two'}]}}"), "one");
    assert_eq!(
        default("{agents: {list: [{id: 'one'}]}}", "{agents: {list: [{id: 'two', default: true}]}}"),
        "two"
    );
}

#[test]
fn another_agent_has_its_own_workspace_and_index() {
    let home = Home::new()
        .openclaw("{agents: {defaults: {workspace: '~/notes'}, list: [{id: 'main'}, {id: 'work'}]}}");
    assert_eq!(home.loaded().settings.workspace, home.path("notes"));
    let home = home.agent("work");
    let settings = home.loaded().settings;
    assert_eq!(settings.workspace, home.path(".mindfile/workspace-work"));
    assert_eq!(settings.index_path, home.path(".mindfile/memory/work.mindfile.sqlite"));
    assert_eq!(home.loaded().default_agent, AgentId::default());
}

#[test]
fn an_agent_that_nobody_configured_is_refused_where_others_are() {
    let home = Home::new().openclaw("{agents: {list: [{id: 'main'}, {id: 'work'}]}}").agent("wrok");
    check(
        &home.error(),
        expect![[r#"
        no agent "wrok" is configured; there are main, work
        hint: add it to agents.list in mindfile.json, or name another"#]],
    );
    assert_eq!(Home::new().agent("wrok").loaded().settings.agent.as_str(), "wrok");
    check(
        &Home::new().agent("../x").error(),
        expect![[r#"
        --agent: "../x" is not an agent id
        hint: an agent id has up to 64 letters, digits, - and _, and starts with a letter or digit"#]],
    );
    let mut home = Home::new();
    home.overrides.env.mindfile_agent = Some("a b".to_owned());
    check(
        &home.error(),
        expect![[r#"
        $MINDFILE_AGENT: "a b" is not an agent id
        hint: an agent id has up to 64 letters, digits, - and _, and starts with a letter or digit"#]],
    );
}

#[test]
fn a_bad_agent_id_is_left_out_of_openclaw_json_and_refused_in_ours() {
    let text = "{agents: {list: [{id: 'a/b', memorySearch: {enabled: false}}]}}";
    let home = Home::new().openclaw(text);
    check(
        &home.warnings(),
        expect![[r#"
        ~/.mindfile/openclaw.json: agents.list[0]: "a/b" is not an agent id; this agent is left out
    "#]],
    );
    assert_eq!(home.loaded().settings.agent, AgentId::default());
    mindfile_errors(
        "{}",
        &[text],
        expect![[r#"
            agents.list[0] in ~/.mindfile/mindfile.json: "a/b" is not an agent id
            hint: an agent id has up to 64 letters, digits, - and _, and starts with a letter or digit
        "#]],
    );
}

#[test]
fn a_workspace_file_is_no_link_and_its_values_are_not_repeated() {
    let home = Home::new().with("secret.json", "{memorySearch: {query: {maxResults: 'hunter2secret'}}}");
    let home = home.with(".mindfile/workspace/MEMORY.md", "");
    std::os::unix::fs::symlink(home.path("secret.json"), home.path(".mindfile/workspace/.mindfile.json"))
        .unwrap();
    check(
        &home.error(),
        expect![[r#"
            ~/.mindfile/workspace/.mindfile.json is a link
            hint: put the settings themselves there: what comes with notes reads no other file"#]],
    );
    check(
        &Home::new().workspace("{memorySearch: {query: {maxResults: 'hunter2secret'}}}").error(),
        expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: memorySearch.query.maxResults is a string; it must be a whole number from 1 to 1000"#]],
    );
}

#[test]
fn a_workspace_file_may_tune_queries_and_chunks_only() {
    let home = Home::new().workspace("{memorySearch: {chunking: {tokens: 200}}, memory: {citations: 'on'}}");
    assert_eq!(home.loaded().settings.chunking.tokens, 200);
    for (text, expected) in [
        (
            "{memorySearch: {extraPaths: ['x']}}",
            expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: memorySearch.extraPaths may not be set in a workspace's own file
            hint: set it in mindfile.json in the state directory"#]],
        ),
        (
            "{memory: {search: {remote: {baseUrl: 'http://x'}}}}",
            expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: memory.search.remote.baseUrl may not be set in a workspace's own file
            hint: set it in mindfile.json in the state directory"#]],
        ),
        (
            "{memory: {qmd: {command: 'rm'}}}",
            expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: memory.qmd.command may not be set in a workspace's own file
            hint: set it in mindfile.json in the state directory"#]],
        ),
        (
            "{memorySearch: {store: {path: '/x'}}}",
            expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: memorySearch.store.path may not be set in a workspace's own file
            hint: set it in mindfile.json in the state directory"#]],
        ),
        (
            "{agents: {}}",
            expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: agents may not be set in a workspace's own file
            hint: set it in mindfile.json in the state directory"#]],
        ),
        (
            "{memorySearch: {query: {maxresults: 1}}}",
            expect![[r#"
            ~/.mindfile/workspace/.mindfile.json: unknown key memorySearch.query.maxresults
            hint: did you mean memorySearch.query.maxResults?"#]],
        ),
    ] {
        check(&Home::new().workspace(text).error(), expected);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "one home, shown as a whole")]
fn a_home_with_every_layer_shows_where_each_value_comes_from() {
    let mut home = Home::new()
        .with(
            ".openclaw/openclaw.json",
            r#"{
                agents: {
                    defaults: {
                        workspace: "~/notes",
                        memorySearch: {
                            provider: "openai",
                            remote: {baseUrl: "http://localhost:9/v1", apiKey: "sk-a", headers: {"X-A": "1"}},
                            query: {maxResults: 9, hybrid: {vectorWeight: 3, textWeight: 1}},
                            extraPaths: ["~/more"],
                            store: {path: "~/x/{agentId}.sqlite"},
                            sources: ["memory", "sessions"],
                            experimental: {sessionMemory: true},
                        },
                        compaction: {reserveTokensFloor: 1000, memoryFlush: {enabled: false}},
                        contextPruning: {mode: "cache-ttl", ttl: "1h"},
                    },
                    list: [{id: "Work", default: true, workspace: "~/work", memorySearch: {extraPaths: ["~/mine"]}}],
                },
                memory: {
                    backend: "qmd",
                    citations: "on",
                    qmd: {paths: [{path: "~/q", name: "qq"}], mcporter: {enabled: true}},
                    search: {chunking: {tokens: 300}},
                },
                models: {providers: {openai: {baseUrl: "http://127.0.0.1:1/v1", apiKey: {source: "env", id: "K"}}}},
            }"#,
        )
        .with(
            ".openclaw/mindfile.json",
            r#"{
                memorySearch: {query: {maxSnippetChars: 900}, fallback: "nobody"},
                memory: {server: {port: 8080}, postgres: {url: {env: "PGU"}}, policy: {builtin: {email: "masked"}}},
                agents: {
                    entries: {work: {memorySearch: {cache: {enabled: false}}, chat: {model: "m", apiKey: "z"}}},
                    defaults: {chat: {provider: "anthropic"}},
                },
            }"#,
        )
        .with("work/.mindfile.json", "{memorySearch: {query: {deadlineMs: 1234}}, memory: {citations: 'off'}}");
    home.overrides.flags.backend = Some("postgres".to_owned());
    let loaded = home.loaded();
    let rows = loaded.origins.iter().filter(|row| row.origin != Origin::Default || row.note.is_some());
    let row = |row: &Setting| {
        let note = row.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
        format!("{} = {}{note}: {}\n", row.key, row.value, row.origin.place())
    };
    check(
        &home.tidy(&(rows.map(row).collect::<String>() + &home.warnings())),
        expect![[r#"
        provider = "openai": agents.defaults.memorySearch.provider in ~/.openclaw/openclaw.json
        fallback = "nobody" (no other provider than the first; none is used): memorySearch.fallback in ~/.openclaw/mindfile.json
        sources = ["memory","sessions"]: agents.defaults.memorySearch.sources in ~/.openclaw/openclaw.json
        extraPaths = ["~/more","~/mine"]: agents.list[0].memorySearch.extraPaths in ~/.openclaw/openclaw.json
        experimental.sessionMemory = true: agents.defaults.memorySearch.experimental.sessionMemory in ~/.openclaw/openclaw.json
        rememberAcrossConversations = false (not in this version): default
        remote.baseUrl = "http://localhost:9/v1": agents.defaults.memorySearch.remote.baseUrl in ~/.openclaw/openclaw.json
        remote.apiKey = "(set)": agents.defaults.memorySearch.remote.apiKey in ~/.openclaw/openclaw.json
        remote.headers = "(set)": agents.defaults.memorySearch.remote.headers in ~/.openclaw/openclaw.json
        multimodal.enabled = false (not in this version): default
        multimodal.modalities = null (not in this version): default
        multimodal.maxFileBytes = 10485760 (not in this version): default
        store.driver = "sqlite" (not in this version): default
        store.path = "~/x/work.mindfile.sqlite": agents.defaults.memorySearch.store.path in ~/.openclaw/openclaw.json
        store.vector.extensionPath = null (not in this version): default
        store.fts.tokenizer = "unicode61" (not in this version): default
        chunking.tokens = 300: memory.search.chunking.tokens in ~/.openclaw/openclaw.json
        query.maxResults = 9: agents.defaults.memorySearch.query.maxResults in ~/.openclaw/openclaw.json
        query.maxSnippetChars = 900: memorySearch.query.maxSnippetChars in ~/.openclaw/mindfile.json
        query.deadlineMs = 1234: memorySearch.query.deadlineMs in ~/work/.mindfile.json
        query.hybrid.vectorWeight = 3 (0.750 of 1): agents.defaults.memorySearch.query.hybrid.vectorWeight in ~/.openclaw/openclaw.json
        query.hybrid.textWeight = 1 (0.250 of 1): agents.defaults.memorySearch.query.hybrid.textWeight in ~/.openclaw/openclaw.json
        cache.enabled = false: agents.entries.work.memorySearch.cache.enabled in ~/.openclaw/mindfile.json
        memory.server.port = 8080: memory.server.port in ~/.openclaw/mindfile.json
        memory.citations = "off": memory.citations in ~/work/.mindfile.json
        memory.policy.builtin = {"email":"masked"}: memory.policy.builtin in ~/.openclaw/mindfile.json
        memory.backend = "postgres": --backend
        memory.postgres.url = "(set)": memory.postgres.url in ~/.openclaw/mindfile.json
        memory.qmd.paths = [{"path":"~/q","name":"qq"}]: memory.qmd.paths in ~/.openclaw/openclaw.json
        memory.qmd.searchTool = null (not in this version): default
        memory.qmd.mcporter = {"enabled":true} (not in this version): memory.qmd.mcporter in ~/.openclaw/openclaw.json
        workspace = "~/work": agents.list[0].workspace in ~/.openclaw/openclaw.json
        compaction.reserveTokensFloor = 1000: agents.defaults.compaction.reserveTokensFloor in ~/.openclaw/openclaw.json
        compaction.memoryFlush.enabled = false: agents.defaults.compaction.memoryFlush.enabled in ~/.openclaw/openclaw.json
        contextPruning.mode = "cache-ttl": agents.defaults.contextPruning.mode in ~/.openclaw/openclaw.json
        contextPruning.ttl = "1h": agents.defaults.contextPruning.ttl in ~/.openclaw/openclaw.json
        chat.provider = "anthropic": agents.defaults.chat.provider in ~/.openclaw/mindfile.json
        chat.model = "m": agents.entries.work.chat.model in ~/.openclaw/mindfile.json
        chat.apiKey = "(set)": agents.entries.work.chat.apiKey in ~/.openclaw/mindfile.json
        ~/.openclaw/mindfile.json: fallback "nobody" is not available in this version; there is no fallback
        ~/.openclaw/openclaw.json: memory.qmd.mcporter {"enabled":true} is not available in this version; QMD is asked by its own server or command
    "#]],
    );
}
