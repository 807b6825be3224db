//! Unknown keys and wrong values, and the words for them.

use super::*;

#[test]
fn an_unknown_key_in_our_file_is_an_error_with_the_nearest_one() {
    let texts = [
        "{memorySearch: {query: {maxResult: 3}}}",
        "{memory: {search: {query: {vectorWeight: 1}}}}",
        "{memory: {citation: 'on'}}",
        "{memorysearch: {}}",
        "{query: {maxResults: 3}}",
        "{maxResults: 3}",
        "{gateway: {port: 1}}",
        "{agents: {default: {}}}",
        "{agents: {defaults: {worksapce: 'x'}}}",
        "{agents: {list: [{id: 'other', memorySearch: {zzz: 1}}]}}",
        "{memorySearch: {'\\u0007\\n': 1}}",
    ];
    mindfile_errors(
        "{}",
        &texts,
        expect![[r#"
        ~/.mindfile/mindfile.json: unknown key memorySearch.query.maxResult
        hint: did you mean memorySearch.query.maxResults?
        ~/.mindfile/mindfile.json: unknown key memory.search.query.vectorWeight
        hint: did you mean memory.search.query.hybrid.vectorWeight?
        ~/.mindfile/mindfile.json: unknown key memory.citation
        hint: did you mean memory.citations?
        ~/.mindfile/mindfile.json: unknown key memorysearch
        hint: did you mean memorySearch?
        ~/.mindfile/mindfile.json: unknown key query
        hint: did you mean memorySearch.query?
        ~/.mindfile/mindfile.json: unknown key maxResults
        hint: did you mean memorySearch.query.maxResults?
        ~/.mindfile/mindfile.json: unknown key gateway
        hint: `mindfile config show` lists every key
        ~/.mindfile/mindfile.json: unknown key agents.default
        hint: did you mean agents.defaults?
        ~/.mindfile/mindfile.json: unknown key agents.defaults.worksapce
        hint: did you mean agents.defaults.workspace?
        ~/.mindfile/mindfile.json: unknown key agents.list[0].memorySearch.zzz
        hint: `mindfile config show` lists every key
        ~/.mindfile/mindfile.json: unknown key memorySearch.\u{7}\n
        hint: `mindfile config show` lists every key
    "#]],
    );
}

#[test]
fn a_value_that_is_not_allowed_is_an_error_and_nothing_is_clamped() {
    let texts = [
        "query: {maxResults: 0}",
        "query: {maxResults: 2.5}",
        "query: {maxResults: -1}",
        "query: {maxResults: 1e30}",
        "query: {maxResults: null}",
        "query: {minScore: 1.5}",
        "query: {minScore: NaN}",
        "query: {minScore: '0.3'}",
        "query: {hybrid: {fusion: 'sum'}}",
        "query: {hybrid: true}",
        "enabled: 'yes'",
        "sources: ['memory', 'web']",
        "extraPaths: [{path: 'a', glob: 'b'}]",
        "provider: ''",
    ];
    mindfile_errors(
        "{memorySearch: {{}}}",
        &texts,
        expect![[r#"
        ~/.mindfile/mindfile.json: memorySearch.query.maxResults is 0; it must be a whole number from 1 to 1000
        ~/.mindfile/mindfile.json: memorySearch.query.maxResults is 2.5; it must be a whole number from 1 to 1000
        ~/.mindfile/mindfile.json: memorySearch.query.maxResults is -1; it must be a whole number from 1 to 1000
        ~/.mindfile/mindfile.json: memorySearch.query.maxResults is 1e+30; it must be a whole number from 1 to 1000
        ~/.mindfile/mindfile.json: memorySearch.query.maxResults is null; it must be a whole number from 1 to 1000
        ~/.mindfile/mindfile.json: memorySearch.query.minScore is 1.5; it must be a number from 0 to 1
        ~/.mindfile/mindfile.json: memorySearch.query.minScore is "NaN"; it must be a number from 0 to 1
        ~/.mindfile/mindfile.json: memorySearch.query.minScore is "0.3"; it must be a number from 0 to 1
        ~/.mindfile/mindfile.json: memorySearch.query.hybrid.fusion is "sum"; it must be one of "weighted", "rrf"
        ~/.mindfile/mindfile.json: memorySearch.query.hybrid is a boolean; it must be an object
        ~/.mindfile/mindfile.json: memorySearch.enabled is "yes"; it must be true or false
        ~/.mindfile/mindfile.json: memorySearch.sources is ["memory","web"]; it must be a list with any of "memory", "sessions"
        ~/.mindfile/mindfile.json: memorySearch.extraPaths is [{"path":"a","glob":"b"}]; it must be a list of paths, each a string or { path, pattern }
        ~/.mindfile/mindfile.json: memorySearch.provider is ""; it must be a string that is not empty
    "#]],
    );
}

#[test]
fn a_section_of_the_wrong_shape_is_an_error() {
    let texts = [
        "{memory: {citations: true}}",
        "{memory: []}",
        "{agents: {list: {}}}",
        "{agents: {list: [{}]}}",
        "{agents: {list: [{id: 7}]}}",
        "{agents: {list: [{id: 'a', default: 1}]}}",
        "[1]",
    ];
    mindfile_errors(
        "{}",
        &texts,
        expect![[r#"
        ~/.mindfile/mindfile.json: memory.citations is true; it must be one of "auto", "on", "off"
        ~/.mindfile/mindfile.json: memory is a list; it must be an object
        ~/.mindfile/mindfile.json: agents.list is an object; it must be a list of objects
        ~/.mindfile/mindfile.json: agents.list[0] is without an id; it must be an object with an id
        ~/.mindfile/mindfile.json: agents.list[0].id is 7; it must be a string
        ~/.mindfile/mindfile.json: agents.list[0].default is 1; it must be true or false
        ~/.mindfile/mindfile.json: the whole file is a list; it must be an object
    "#]],
    );
}

#[test]
fn a_wrong_value_in_openclaw_json_is_an_error_too() {
    let home = Home::new().openclaw("{agents: {defaults: {memorySearch: {query: {maxResults: 'six'}}}}}");
    check(
        &home.error(),
        expect![[
            r#"~/.mindfile/openclaw.json: agents.defaults.memorySearch.query.maxResults is "six"; it must be a whole number from 1 to 1000"#
        ]],
    );
}

#[test]
fn an_overlap_must_be_smaller_than_the_chunk() {
    let texts = ["overlap: 400", "tokens: 50", "tokens: 100, overlap: 100"];
    mindfile_errors(
        "{memorySearch: {chunking: {{}}}}",
        &texts,
        expect![[r#"
        ~/.mindfile/mindfile.json: memorySearch.chunking.overlap is 400; it must be less than chunking.tokens (400)
        ~/.mindfile/mindfile.json: memorySearch.chunking.tokens is 50; it must be more than chunking.overlap (80)
        ~/.mindfile/mindfile.json: memorySearch.chunking.overlap is 100; it must be less than chunking.tokens (100)
    "#]],
    );
    let home = Home::new().mindfile("{memorySearch: {chunking: {tokens: 50, overlap: 0}}}");
    assert_eq!(home.loaded().settings.chunking.tokens, 50);
}

#[test]
fn the_two_weights_are_scaled_to_sum_one() {
    let home =
        Home::new().openclaw("{memory: {search: {query: {hybrid: {vectorWeight: 70, textWeight: 30}}}}}");
    let loaded = home.loaded();
    assert_eq!(loaded.settings.hybrid.vector_weight, 0.7);
    assert_eq!(setting(&loaded, "query.hybrid.textWeight").note.unwrap(), "0.300 of 1");
    assert_eq!(setting(&loaded, "query.hybrid.textWeight").value, json!(30));
    let texts = ["{memorySearch: {query: {hybrid: {vectorWeight: 0, textWeight: 0}}}}"];
    mindfile_errors(
        "{}",
        &texts,
        expect![[r#"
        ~/.mindfile/mindfile.json: memorySearch.query.hybrid.vectorWeight is 0; it must be more than 0, because query.hybrid.textWeight is 0 too
    "#]],
    );
}

#[test]
fn an_unknown_key_in_openclaw_json_is_a_warning_inside_our_sections_only() {
    let home = Home::new().openclaw(
        "{gateway: {port: 1}, memorySearch: 3, agents: {x: 1, defaults: {model: 'm', compaction: {mode: 7},
           memorySearch: {querry: {maxResults: 1}, query: {maxResults: 2}}},
           list: [{id: 'main', identity: {}, memorySearch: {enabld: true}}]},
          memory: {citation: 'on'}}",
    );
    check(
        &home.warnings(),
        expect![[r#"
            ~/.mindfile/openclaw.json: unknown key agents.defaults.memorySearch.querry is ignored; did you mean agents.defaults.memorySearch.query?
            ~/.mindfile/openclaw.json: unknown key memory.citation is ignored; did you mean memory.citations?
            ~/.mindfile/openclaw.json: unknown key agents.list[0].memorySearch.enabld is ignored; did you mean agents.list[0].memorySearch.enabled?
        "#]],
    );
    assert_eq!(home.loaded().settings.query.max_results, 2);
}

#[test]
fn an_include_in_openclaw_json_is_said_not_to_be_followed() {
    let home = Home::new()
        .openclaw("{'$include': './a', memory: {search: {'$include': './b'}}, agents: {'$include': 'c'}}");
    check(
        &home.warnings(),
        expect![[r#"
        ~/.mindfile/openclaw.json: $include is not followed: settings in the included file are not seen
        ~/.mindfile/openclaw.json: agents.$include is not followed: settings in the included file are not seen
        ~/.mindfile/openclaw.json: memory.search.$include is not followed: settings in the included file are not seen
    "#]],
    );
}

#[test]
fn words_become_types() {
    let settings = Home::new()
        .mindfile(
            "{memory: {citations: 'off', search: {provider: 'none', sync: {intervalMinutes: 5.0},
               query: {hybrid: {fusion: 'rrf'}}, store: {vector: {engine: 'sqlite-vec'}}}}}",
        )
        .loaded()
        .settings;
    assert_eq!(settings.citations, Citations::Off);
    assert_eq!(settings.embedding.primary, Maker::None);
    assert_eq!(settings.hybrid.fusion, Fusion::Rrf);
    assert_eq!(settings.vector.engine, Engine::SqliteVec);
    assert_eq!(settings.sync.interval.unwrap().as_secs(), 300);
}

#[test]
fn without_the_vector_table_vectors_are_scanned() {
    let home =
        Home::new().mindfile("{memorySearch: {store: {vector: {enabled: false, engine: 'sqlite-vec'}}}}");
    assert_eq!(home.loaded().settings.vector.engine, Engine::Scan);
}

/// An agent's own entry has such a section; what holds for all agents stands beside `agents`.
#[test]
fn a_section_in_the_wrong_place_of_our_file_is_an_error() {
    mindfile_errors(
        "{}",
        &["{agents: {defaults: {memory: {citations: 'on'}}}}"],
        expect![[r#"
        ~/.mindfile/mindfile.json: unknown key agents.defaults.memory
        hint: `mindfile config show` lists every key
    "#]],
    );
}
