//! Files that are broken, huge, deep, or simply odd.

use super::*;

#[test]
fn broken_json5_is_an_error_with_line_and_column() {
    let texts = [
        "{\n  memorySearch: {\n    enabled: tru\n  }\n}",
        "{ memory: 'é', ü: }",
        "{",
        "// only a comment",
        "{a: 1} {b: 2}",
    ];
    mindfile_errors(
        "{}",
        &texts,
        expect![[r#"
        ~/.mindfile/mindfile.json:3:17: not valid JSON5: expected bool
        ~/.mindfile/mindfile.json:1:19: not valid JSON5: expected value
        ~/.mindfile/mindfile.json:1:1: not valid JSON5: EOF parsing object
        ~/.mindfile/mindfile.json:1:18: not valid JSON5: EOF parsing value
        ~/.mindfile/mindfile.json:1:8: not valid JSON5: trailing characters
    "#]],
    );
}

#[test]
fn json5_is_read_with_comments_bom_and_loose_words() {
    let text = "\u{feff}// notes\n{memorySearch: {query: {minScore: .5, maxResults: 0x10,},},}";
    let settings = Home::new().mindfile(text).loaded().settings;
    assert_eq!((settings.query.min_score, settings.query.max_results), (0.5, 16));
    assert_eq!(Home::new().mindfile(" \n").loaded().settings.query.max_results, 6);
}

#[test]
fn a_key_written_twice_is_an_error_in_our_file_and_a_warning_in_openclaw_json() {
    let text = "{memory: {search: {query: {maxResults: 3, maxResults: 4}}}, x: {y: 1, y: 2}}";
    mindfile_errors(
        "{}",
        &[text],
        expect![[r#"
            ~/.mindfile/mindfile.json: memory.search.query.maxResults is written twice
            hint: keep one of the two
        "#]],
    );
    let home = Home::new().openclaw(text);
    check(
        &home.warnings(),
        expect![[r#"
        ~/.mindfile/openclaw.json: memory.search.query.maxResults is written twice; the last one counts
    "#]],
    );
    assert_eq!(home.loaded().settings.query.max_results, 4);
}

#[test]
fn a_file_nested_too_deeply_is_refused_before_it_is_parsed() {
    let lists = "[".repeat(1_000_000);
    let after_comment = format!("// x\u{2028}{}", "{a:".repeat(1_000_000));
    let after_block = format!("/* [ */ {lists}");
    mindfile_errors(
        "{}",
        &[&lists, &after_comment, &after_block],
        expect![[r#"
        ~/.mindfile/mindfile.json:1:65: nested deeper than 64 levels
        ~/.mindfile/mindfile.json:2:193: nested deeper than 64 levels
        ~/.mindfile/mindfile.json:1:73: nested deeper than 64 levels
    "#]],
    );
    let brackets = "[".repeat(1_000);
    let home =
        Home::new().openclaw(&format!("{{x: '\\'{brackets}', /* {brackets} **/ y: 1 // {brackets}\n}}"));
    assert_eq!(home.warnings(), "");
}

#[test]
fn a_file_that_is_too_large_not_text_or_no_file_is_refused() {
    let large = format!("{{}}{}", " ".repeat(4 << 20));
    mindfile_errors(
        "{}",
        &[&large],
        expect![[r#"
        ~/.mindfile/mindfile.json is larger than 4194304 bytes
    "#]],
    );
    let home = Home::new().with_bytes(".mindfile/mindfile.json", b"{x: '\xff'}");
    check(
        &home.error(),
        expect!["~/.mindfile/mindfile.json is not UTF-8 text: byte 6 is not part of a character"],
    );
    let home = Home::new();
    fs::create_dir_all(home.path(".mindfile/openclaw.json")).unwrap();
    check(&home.error(), expect!["~/.mindfile/openclaw.json is not a regular file"]);
    assert_eq!(home.load().unwrap_err().fault(), Fault::Environment);
}

const SEED: &str = r#"// comment
{
  agents: {
    defaults: { workspace: "~/notes", memorySearch: { provider: "openai", query: { maxResults: 6, minScore: .35 } } },
    list: [{ id: "main", default: true, memorySearch: { extraPaths: ["../a", { path: "b", pattern: "*.md" }] } }],
    entries: { work: { memory: { search: { sync: { watch: false, intervalMinutes: 0x10 } } } } },
  },
  memory: { citations: "auto", search: { query: { hybrid: { vectorWeight: 0.7, textWeight: 3e-1 } },
    store: { path: "~/{agentId}.sqlite", vector: { enabled: true } }, remote: { apiKey: 'k', headers: { a: "b" } } } },
}
"#;

const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "'",
    "\\",
    "\\u12",
    "//",
    "/*",
    "*/",
    "\u{2028}",
    "\0",
    "é",
    "𝄞",
    "NaN",
    "-Infinity",
    "null",
    "1e999",
    "99999999999999999999999999999999999999999999",
    "-0",
    "0x",
    "memory",
    "search",
    "id",
    "$include",
    "~",
    "${X}",
];

/// A replacement of some characters of the seed.
#[derive(Debug, Clone)]
struct Mutation {
    at: prop::sample::Index,
    remove: usize,
    insert: String,
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let piece = prop_oneof![
        prop::sample::select(PIECES).prop_map(str::to_owned),
        any::<char>().prop_map(String::from)
    ];
    let insert = prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat());
    (any::<prop::sample::Index>(), 0..30_usize, insert).prop_map(|(at, remove, insert)| Mutation {
        at,
        remove,
        insert,
    })
}

fn mutated(mutations: &[Mutation]) -> String {
    let mut chars: Vec<char> = SEED.chars().collect();
    for mutation in mutations {
        let start = mutation.at.index(chars.len() + 1);
        let end = (start + mutation.remove).min(chars.len());
        chars.splice(start..end, mutation.insert.chars());
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_file_makes_loading_or_editing_panic_or_blame_the_program(mutations in prop::collection::vec(mutation(), 1..6)) {
        let text = mutated(&mutations);
        let home = Home::new().openclaw(&text);
        if let Err(error) = home.load() {
            prop_assert_ne!(error.fault(), Fault::Bug, "{}", error);
        }
        let home = Home::new().mindfile(&text).workspace(&text);
        if let Err(error) = home.load() {
            prop_assert_ne!(error.fault(), Fault::Bug, "{}", error);
        }
        for (key, value) in [("query.maxResults", "7"), ("workspace", "x"), ("memory.citations", "on")] {
            match config::edit(Path::new("mindfile.json"), Some(&text), key, value) {
                Ok(change) => prop_assert!(change.text.contains(value)),
                Err(error) => prop_assert_eq!(error.fault(), Fault::Caller, "{}", error),
            }
        }
    }
}
