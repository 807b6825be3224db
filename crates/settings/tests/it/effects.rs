//! Keys that this version cannot act on, and secrets.

use super::*;

#[test]
fn settings_without_effect_are_named_in_one_warning_for_each_outcome() {
    let home = Home::new().openclaw(
        "{memory: {backend: 'qmd', qmd: {command: 'qmd'}, search: {
            provider: 'bedrock', model: 'titan', fallback: 'copilot',
            remote: {apiKey: 'sk-1', headers: {a: 'sk-2'}, batch: {enabled: true}},
            sources: ['memory', 'sessions'], experimental: {sessionMemory: true},
            store: {driver: 'sqlite', fts: {tokenizer: 'trigram'}}}}}",
    );
    check(
        &home.warnings(),
        expect![[r#"
            ~/.mindfile/openclaw.json: provider "bedrock" is not available in this version; the embedded model is used
            ~/.mindfile/openclaw.json: fallback "copilot" is not available in this version; there is no fallback
            ~/.mindfile/openclaw.json: store.fts.tokenizer "trigram" is not available in this version; one tokenizer serves all scripts
        "#]],
    );
    let settings = home.loaded().settings;
    assert_eq!(
        (settings.embedding.primary, settings.requested_provider.as_str()),
        (Maker::Embedded, "bedrock")
    );
    assert_eq!(settings.sources.len(), 2);
}

#[test]
fn one_setting_without_effect_is_said_in_the_singular() {
    let home = Home::new().mindfile("{memorySearch: {provider: 'bedrock'}}");
    check(
        &home.warnings(),
        expect![[r#"
        ~/.mindfile/mindfile.json: provider "bedrock" is not available in this version; the embedded model is used
    "#]],
    );
    let note = setting(&home.loaded(), "provider").note;
    check(&format!("{note:?}"), expect![[r#"Some("not in this version; the embedded model is used")"#]]);
}

#[test]
fn choosing_the_embedded_model_by_name_silences_the_warning() {
    let home = Home::new()
        .openclaw("{memory: {search: {provider: 'bedrock', model: 'x', remote: {apiKey: 'k'}}}}")
        .mindfile("{memorySearch: {provider: 'embedded'}}");
    assert_eq!(home.warnings(), "");
    assert_eq!(home.loaded().settings.embedding.primary, Maker::Embedded);
}

#[test]
fn flush_settings_of_openclaw_are_used_and_those_that_are_its_own_are_passed_over() {
    let text =
        "{agents: {defaults: {compaction: {memoryFlush: {enabled: false, model: 'x'}, mode: 'safeguard'}}}}";
    let home = Home::new().openclaw(text);
    assert_eq!(home.warnings(), "");
    assert!(!home.loaded().settings.compaction.flush.enabled);
    let text = "{agents: {defaults: {compaction: {memoryFlush: {softThresholdTokens: 10}}, contextPruning: {ttl: '1h'}}}}";
    let settings = Home::new().mindfile(text).loaded().settings;
    assert_eq!(settings.compaction.flush.soft_threshold_tokens, 10);
    assert_eq!(settings.pruning.ttl.as_secs(), 3_600);
}

#[test]
fn a_key_that_neither_program_knows_is_named_in_the_groups_that_both_use() {
    let home = Home::new().openclaw(
        "{agents: {defaults: {
            imageModel: 'x',
            compaction: {mode: 'safeguard', reserveTokenFloor: 1, qualityGuard: {enabled: true}, memoryFlush: {soft: 1}},
            contextPruning: {tools: {allow: ['exec']}, softTrim: {maxChar: 1}},
            chat: {modle: 'x'}}}}",
    );
    check(
        &home.warnings(),
        expect![[r#"
            ~/.mindfile/openclaw.json: unknown key agents.defaults.compaction.reserveTokenFloor is ignored; did you mean agents.defaults.compaction.reserveTokensFloor?
            ~/.mindfile/openclaw.json: unknown key agents.defaults.compaction.memoryFlush.soft is ignored; did you mean agents.defaults.compaction.memoryFlush.prompt?
            ~/.mindfile/openclaw.json: unknown key agents.defaults.contextPruning.softTrim.maxChar is ignored; did you mean agents.defaults.contextPruning.softTrim.maxChars?
            ~/.mindfile/openclaw.json: unknown key agents.defaults.chat.modle is ignored; did you mean agents.defaults.chat.model?
        "#]],
    );
}

/// Ours are `chat`, `compaction` and `contextPruning`; whatever else stands in an agent's entry is OpenClaw's.
#[test]
fn a_typing_error_in_an_agents_own_entry_is_named_too() {
    let home = Home::new().openclaw(
        "{agents: {list: [{id: 'main', compaction: {keepRecentToken: 1}, identity: {name: 'x'}}],
          entries: {side: {contextPruning: {tll: '1h'}, chat: {apikey: 'x'}, tools: {deny: []}}}}}",
    );
    check(
        &home.warnings(),
        expect![[r#"
            ~/.mindfile/openclaw.json: unknown key agents.list[0].compaction.keepRecentToken is ignored; did you mean agents.list[0].compaction.keepRecentTokens?
            ~/.mindfile/openclaw.json: unknown key agents.entries.side.contextPruning.tll is ignored; did you mean agents.entries.side.contextPruning.ttl?
            ~/.mindfile/openclaw.json: unknown key agents.entries.side.chat.apikey is ignored; did you mean agents.entries.side.chat.apiKey?
        "#]],
    );
}

#[test]
fn memory_is_off_by_its_own_setting_or_by_openclaws_slot_and_says_which() {
    let off = |home: Home| {
        let off = home.loaded().settings.off;
        off.map_or("on".to_owned(), |off| format!("{} = {}: {}", off.on.0, off.on.1, home.tidy(&off.why)))
    };
    assert_eq!(off(Home::new()), "on");
    assert_eq!(
        off(Home::new().openclaw("{plugins: {slots: {memory: 'memory-core', other: 1}, allow: []}}")),
        "on"
    );
    check(
        &off(Home::new().openclaw("{plugins: {slots: {memory: 'none'}}}")),
        expect![[
            r#"plugins.slots.memory = mindfile: plugins.slots.memory in ~/.mindfile/openclaw.json is "none""#
        ]],
    );
    check(
        &off(Home::new().mindfile("{plugins: {slots: {memory: 'none'}}}")),
        expect![[
            r#"plugins.slots.memory = mindfile: plugins.slots.memory in ~/.mindfile/mindfile.json is "none""#
        ]],
    );
    check(
        &off(Home::new().openclaw("{agents: {defaults: {memorySearch: {enabled: false}}}}")),
        expect!["enabled = true: agents.defaults.memorySearch.enabled in ~/.mindfile/openclaw.json is false"],
    );
    let both = Home::new().openclaw("{plugins: {slots: {memory: 'none'}}}");
    assert_eq!(both.set("plugins.slots.memory", "mindfile").unwrap().at, "plugins.slots.memory");
    assert_eq!(off(both.mindfile("{plugins: {slots: {memory: 'mindfile'}}}")), "on");
    let error = Home::new().mindfile("{plugins: {slots: {memry: 'none'}}}").error();
    assert!(error.contains("did you mean plugins.slots.memory"), "{error}");
    assert_eq!(
        Home::new().openclaw("{plugins: {slots: {memory: 'none'}, load: {paths: []}}}").warnings(),
        ""
    );
}

/// OpenClaw: a sandbox is off unless it is switched on, and has no access to the workspace unless it is given some.
#[test]
fn a_sandbox_that_may_not_write_closes_the_workspace_to_its_conversations() {
    let closed = |sandbox: &str| {
        let home = Home::new().openclaw(&format!("{{agents: {{defaults: {{sandbox: {sandbox}}}}}}}"));
        assert_eq!(home.warnings(), "");
        home.tidy(&format!("{:?}", home.loaded().settings.closed_to))
    };
    for open in
        ["{}", "{mode: 'off', workspaceAccess: 'ro'}", "{mode: 'all', workspaceAccess: 'rw'}", "{docker: {}}"]
    {
        assert_eq!(closed(open), "None", "{open}");
    }
    check(
        &[
            "{workspaceAccess: 'ro'}",
            "{workspaceAccess: 'none', mode: 'all'}",
            "{mode: 'all'}",
            "{mode: 'non-main'}",
        ]
        .map(|sandbox| closed(sandbox) + "\n")
        .concat(),
        expect![[r#"
            All { why: "agents.defaults.sandbox.workspaceAccess in ~/.mindfile/openclaw.json is \"ro\"" }
            All { why: "agents.defaults.sandbox.workspaceAccess in ~/.mindfile/openclaw.json is \"none\"" }
            All { why: "agents.defaults.sandbox.mode in ~/.mindfile/openclaw.json is \"all\"" }
            NotMain { why: "agents.defaults.sandbox.mode in ~/.mindfile/openclaw.json is \"non-main\"" }
        "#]],
    );
    let own = "{agents: {defaults: {sandbox: {mode: 'all'}}, list: [{id: 'main', sandbox: {workspaceAccess: 'rw'}}]}}";
    assert_eq!(Home::new().openclaw(own).loaded().settings.closed_to, ClosedTo::None);
}

#[test]
fn compaction_and_the_look_at_the_start_of_a_session_can_be_switched_off() {
    let settings = Home::new().loaded().settings;
    assert_eq!((settings.compaction.enabled, settings.sync.on_session_start), (true, true));
    let home = Home::new().openclaw(
        "{agents: {defaults: {compaction: {enabled: false}, memorySearch: {sync: {onSessionStart: false}}}}}",
    );
    assert_eq!(home.warnings(), "");
    let settings = home.loaded().settings;
    assert_eq!((settings.compaction.enabled, settings.sync.on_session_start), (false, false));
}

#[test]
fn transcripts_are_searched_where_both_keys_ask_for_it() {
    for (text, expected) in [
        ("{memorySearch: {sources: ['memory', 'sessions']}}", 1),
        ("{memorySearch: {experimental: {sessionMemory: true}}}", 1),
        ("{memorySearch: {sources: ['memory', 'sessions'], experimental: {sessionMemory: true}}}", 2),
    ] {
        assert_eq!(Home::new().mindfile(text).loaded().settings.sources.len(), expected, "{text}");
    }
}

#[test]
fn a_time_that_is_none_is_refused() {
    let error = Home::new().mindfile("{agents: {defaults: {contextPruning: {ttl: 'soon'}}}}").error();
    assert!(error.contains("a time such as 5m, 300s or 1h"), "{error}");
}

#[test]
fn a_secret_is_never_kept_or_shown() {
    let home = Home::new().openclaw(
        "{memory: {search: {remote: {apiKey: 'sk-secret', headers: {Authorization: 'sk-secret'}}}},
          agents: {defaults: {memorySearch: {remote: {apiKey: {source: 'env', id: 'sk-secret'}}}}}}",
    );
    let loaded = home.loaded();
    assert_eq!(config::get(&loaded, "remote.apiKey").unwrap(), json!("(set)"));
    assert_eq!(config::get(&loaded, "remote.headers").unwrap(), json!("(set)"));
    assert!(!format!("{loaded:?}").contains("sk-secret"));
}

#[test]
fn an_error_about_a_secret_does_not_show_it() {
    for text in [
        "{memorySearch: {remote: {apiKey: ['sk-secret']}}}",
        "{memorySearch: {remote: 'sk-secret'}}",
        "{memorySearch: {remote: {apikey: 'sk-secret'}}}",
        "{memorySearch: {remote: {headers: 'sk-secret'}}}",
        "{memorySearch: {remote: {apiKey: 'sk-secret'}, }",
    ] {
        let home = Home::new().mindfile(text);
        let error = home.load().unwrap_err();
        assert!(!format!("{error:?}{}", home.error()).contains("sk-secret"), "{text}");
    }
    let change = Home::new().set("remote.apiKey", "sk-secret").unwrap();
    assert_eq!(change.value, json!("(set)"));
    assert!(change.text.contains("sk-secret"));
    assert!(!Home::new().refusal("remote.headers", "sk-secret").contains("sk-secret"));
}
