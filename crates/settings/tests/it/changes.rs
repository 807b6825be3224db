//! Changing one key of our own file.

use super::*;

#[test]
fn a_change_keeps_comments_and_everything_else() {
    let home = Home::new().mindfile(
        "// mine\n{\n  // how many\n  memory: {\n    search: {\n      query: { maxResults: 6 }, // six\n    },\n  },\n}\n",
    );
    check(
        &home.set("query.maxResults", "8").unwrap().text,
        expect![[r#"
        // mine
        {
          // how many
          memory: {
            search: {
              query: { maxResults: 8 }, // six
            },
          },
        }
    "#]],
    );
    check(
        &home.set("query.hybrid.fusion", "rrf").unwrap().text,
        expect![[r#"
        // mine
        {
          // how many
          memory: {
            search: {
              query: {
                maxResults: 6,
                "hybrid": {
                  "fusion": "rrf"
                }
              }, // six
            },
          },
        }
    "#]],
    );
    check(
        &home.set("memory.citations", "off").unwrap().text,
        expect![[r#"
        // mine
        {
          // how many
          memory: {
            search: {
              query: { maxResults: 6 }, // six
            },
            "citations": "off",
          },
        }
    "#]],
    );
    check(
        &home.set("workspace", "~/notes").unwrap().text,
        expect![[r#"
        // mine
        {
          // how many
          memory: {
            search: {
              query: { maxResults: 6 }, // six
            },
          },
          "agents": {
            "defaults": {
              "workspace": "~/notes"
            }
          },
        }
    "#]],
    );
}

#[test]
fn a_change_makes_the_file_if_there_is_none() {
    let home = Home::new();
    let change = home.set("query.minScore", ".2").unwrap();
    assert_eq!(
        (change.file, change.at.as_str()),
        (home.path(".mindfile/mindfile.json"), "memorySearch.query.minScore")
    );
    check(
        &change.text,
        expect![[r#"
        {
          "memorySearch": {
            "query": {
              "minScore": 0.2
            }
          }
        }
    "#]],
    );
    assert!(!home.path(".mindfile").exists(), "nothing is written");
}

#[test]
fn a_change_keeps_a_byte_order_mark_and_reads_bare_words_as_strings() {
    let file = Path::new("mindfile.json");
    let text = |old: Option<&str>, key: &str, value: &str| config::edit(file, old, key, value).unwrap().text;
    assert!(text(Some("\u{feff}{}"), "enabled", "false").starts_with('\u{feff}'));
    check(
        &text(Some("{}"), "model", "123"),
        expect![[r#"
        {
          "memorySearch": {
            "model": "123"
          }
        }"#]],
    );
    check(
        &text(Some("{}"), "memory.citations", "'on'"),
        expect![[r#"
        {
          "memory": {
            "citations": "on"
          }
        }"#]],
    );
    check(
        &text(Some("{}"), "extraPaths", "['../a', {path: '~/b', pattern: '*.md'}]"),
        expect![[r#"
        {
          "memorySearch": {
            "extraPaths": [
              "../a",
              {
                "path": "~/b",
                "pattern": "*.md"
              }
            ]
          }
        }"#]],
    );
    check(
        &text(Some(""), "provider", "none"),
        expect![[r#"
        {
          "memorySearch": {
            "provider": "none"
          }
        }
    "#]],
    );
}

#[test]
fn a_change_can_repair_a_file_that_is_not_valid() {
    let home = Home::new().mindfile("{memorySearch: {query: {maxResults: 0, minScore: 7}}}");
    let home_text = home.set("query.maxResults", "5").unwrap().text;
    check(&home_text, expect!["{memorySearch: {query: {maxResults: 5, minScore: 7}}}"]);
}

#[test]
fn a_change_that_another_place_overrules_says_so() {
    let home = Home::new().workspace("{memorySearch: {query: {maxResults: 2}}}");
    let change = home.set("query.maxResults", "9").unwrap();
    let Some(Origin::File { at, path }) = change.overruled_by else { panic!("not overruled") };
    check(
        &home.tidy(&format!("{at} in {}", path.display())),
        expect!["memorySearch.query.maxResults in ~/.mindfile/workspace/.mindfile.json"],
    );
    assert_eq!(Home::new().set("query.maxResults", "9").unwrap().overruled_by, None);
}

#[test]
fn a_change_that_is_not_allowed_is_refused() {
    let wrong = [
        ("{}", "query.maxResults", "many"),
        ("{}", "query.hybrid.enabled", "on"),
        ("{}", "memory.citations", "yes"),
        ("{}", "maxResults", "3"),
        ("{}", "query.hybrid", "{}"),
        ("{}", "chunking.tokens", "50"),
        ("{a: }", "enabled", "true"),
        ("{memorySearch: 3}", "enabled", "true"),
    ];
    let refusals = wrong.map(|(text, key, value)| Home::new().mindfile(text).refusal(key, value));
    check(
        &refusals.join("\n"),
        expect![[r#"
        query.maxResults cannot be "many"; it must be a whole number from 1 to 1000
        query.hybrid.enabled cannot be "on"; it must be true or false
        memory.citations cannot be "yes"; it must be one of "auto", "on", "off"
        unknown key maxResults
        hint: did you mean query.maxResults?
        unknown key query.hybrid
        hint: did you mean query.hybrid.enabled?
        ~/.mindfile/mindfile.json: memorySearch.chunking.tokens is 50; it must be more than chunking.overlap (80)
        ~/.mindfile/mindfile.json:1:5: not valid JSON5: expected value
        ~/.mindfile/mindfile.json cannot be changed: what holds memorySearch.enabled is not an object
        hint: edit the file by hand"#]],
    );
}
