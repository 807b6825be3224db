use expect_test::expect;

use crate::home::{Home, pretty};

#[test]
fn a_key_is_set_in_our_file_and_read_back() {
    let home = Home::new();
    home.config("{\n  // mine\n  memorySearch: { query: { maxResults: 3 } },\n}\n");
    home.run(&["config", "set", "query.maxResults", "10"]).check(&expect![[r#"
        exit 0
        --- stdout
        memorySearch.query.maxResults = 10 in ~/state/mindfile.json
        --- stderr
    "#]]);
    let text = std::fs::read_to_string(home.path().join("state/mindfile.json")).unwrap();
    assert_eq!(text, "{\n  // mine\n  memorySearch: { query: { maxResults: 10 } },\n}\n");
    assert_eq!(home.out(&["config", "get", "query.maxResults"]), "10\n");
    assert_eq!(home.json(&["config", "get", "query.maxResults"]), 10);
}

#[test]
fn the_json_of_set_names_file_key_and_value() {
    let home = Home::new();
    let changed = home.json(&["config", "set", "query.minScore", "0.2"]);
    let text = pretty(&changed).replace(home.path().to_str().unwrap(), "~");
    expect![[r#"
        {
          "ok": true,
          "file": "~/state/mindfile.json",
          "key": "query.minScore",
          "at": "memorySearch.query.minScore",
          "value": 0.2
        }"#]]
    .assert_eq(&text);
}

#[test]
fn show_lists_every_key_in_columns() {
    let home = Home::new();
    home.config("{ memorySearch: { query: { maxResults: 3 } } }");
    let out = home.out(&["config", "show", "--origin"]);
    assert_eq!(out.lines().count(), mindfile::config::KEYS.len());
    let line = |key: &str| out.lines().find(|line| line.split(' ').next() == Some(key)).unwrap();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words(line("query.maxResults")), "query.maxResults 3 ~/state/mindfile.json");
    assert_eq!(words(line("query.maxSnippetChars")), "query.maxSnippetChars 700 default");
}

#[test]
fn what_is_not_a_key_is_refused_with_the_nearest() {
    let home = Home::new();
    home.run(&["config", "get", "query.maxResult"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: unknown key query.maxResult
        hint: did you mean query.maxResults?
    "#]]);
    home.run(&["config", "set", "query.maxResults", "many"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: query.maxResults cannot be "many"; it must be a whole number from 1 to 1000
    "#]]);
}

#[test]
fn path_says_which_files_are_used_and_why() {
    let home = Home::new();
    home.config("{}");
    home.run(&["config", "path"]).check(&expect![[r#"
        exit 0
        --- stdout
        state        ~/state                           $MINDFILE_STATE_DIR
        OpenClaw's   ~/state/openclaw.json             does not exist
        ours         ~/state/mindfile.json             read
        workspace    ~/state/workspace                 default
        workspace's  ~/state/workspace/.mindfile.json  does not exist
        index        ~/state/memory/main.sqlite        default
        --- stderr
    "#]]);
}
