//! Rules of the house that no compiler knows: which crate may know which, that a setting does something, and that every
//! file is compiled.

mod shape;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use mindfile::config::{Effect, KEYS};
use serde_json::Value;

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

/// Which crates of ours each may name.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("fault", &[]),
    ("note", &[]),
    ("index", &["mindfile-note"]),
    ("postgres", &["mindfile-index", "mindfile-note"]),
    ("lancedb", &["mindfile", "mindfile-cli", "mindfile-index", "mindfile-note"]),
    ("model", &["mindfile-fault"]),
    ("settings", &["mindfile-disk", "mindfile-fault", "mindfile-model", "mindfile-note", "mindfile-trust"]),
    (
        "ranking",
        &[
            "mindfile-fault", "mindfile-index", "mindfile-model", "mindfile-note", "mindfile-settings",
            "mindfile-trust",
        ],
    ),
    ("disk", &[]),
    ("trust", &["mindfile-disk", "mindfile-note"]),
    ("workspace", &["mindfile-disk", "mindfile-fault", "mindfile-note", "mindfile-trust"]),
    (
        "engine",
        &[
            "mindfile-disk", "mindfile-fault", "mindfile-index", "mindfile-model", "mindfile-note",
            "mindfile-ranking", "mindfile-settings", "mindfile-trust", "mindfile-workspace",
        ],
    ),
    (
        "hosts",
        &[
            "mindfile", "mindfile-disk", "mindfile-fault", "mindfile-index", "mindfile-note",
            "mindfile-settings", "mindfile-workspace",
        ],
    ),
    (
        "care",
        &[
            "mindfile", "mindfile-disk", "mindfile-fault", "mindfile-index", "mindfile-model",
            "mindfile-note", "mindfile-settings", "mindfile-workspace", "mindfile-qmd", "mindfile-ranking",
        ],
    ),
    (
        "qmd",
        &[
            "mindfile", "mindfile-disk", "mindfile-index", "mindfile-note", "mindfile-settings",
            "mindfile-workspace",
        ],
    ),
    ("operations", &["mindfile", "mindfile-care", "mindfile-hosts", "mindfile-qmd"]),
    ("server", &["mindfile", "mindfile-care", "mindfile-operations", "mindfile-qmd"]),
    (
        "cli",
        &[
            "mindfile", "mindfile-care", "mindfile-hosts", "mindfile-operations", "mindfile-postgres",
            "mindfile-server", "mindfile-qmd",
        ],
    ),
    (
        "evals",
        &[
            "mindfile", "mindfile-care", "mindfile-index", "mindfile-model", "mindfile-note",
            "mindfile-ranking",
        ],
    ),
];

#[test]
fn crates_know_only_what_is_below_them() {
    let allowed: BTreeMap<&str, &[&str]> = MAY_KNOW.iter().copied().collect();
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
        (&["postgres"], &["postgres"]),
        (
            &[
                "anstream", "clap_complete", "clap_mangen", "console", "crossterm", "indicatif", "ctrlc",
                "terminal_size",
            ],
            &["cli"],
        ),
        (&["clap"], &["cli", "evals", "operations"]),
        (&["rusqlite"], &["index", "workspace"]),
        (&["sqlite-vec"], &["index"]),
        (&["rustix"], &["care", "disk", "engine", "qmd", "server", "workspace"]),
        (&["globset"], &["workspace"]),
        (&["notify", "tar"], &["engine"]),
        (&["similar"], &["hosts", "note"]),
        (&["toml_edit"], &["hosts"]),
        (&["json5"], &["settings"]),
        (&["jsonc-parser"], &["settings"]),
        (
            &["jiff"],
            &[
                "note", "ranking", "trust", "workspace", "engine", "care", "hosts", "operations", "qmd",
                "server", "cli", "evals",
            ],
        ),
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

/// rustc names every use of a deprecated field, and with the feature `readers` each setting is one.
#[test]
fn every_setting_with_an_effect_has_a_reader() {
    let mut check = Command::new(env!("CARGO"));
    check.args(["check", "--quiet", "--workspace"]);
    check.args(["--features", "mindfile-settings/readers,mindfile-cli/postgres"]);
    let output = check.arg("--message-format=json").current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let messages = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let read: BTreeSet<String> = messages.filter_map(|message| field_read(&message["message"])).collect();
    // LanceDB's crate is a workspace of its own.
    let is_here = |field: &str| !field.contains("::_") && !field.starts_with("LanceDb::");
    let used = KEYS.iter().filter(|key| key.effect == Effect::Used && is_here(key.field));
    let unread: Vec<&str> = used.map(|key| key.field).filter(|field| !read.contains(*field)).collect();
    assert_eq!(unread, Vec::<&str>::new(), "settings that nothing reads");
}

/// `Query::max_results`, if a message of rustc says that it is read anywhere but where it is declared or shown.
fn field_read(message: &Value) -> Option<String> {
    let (_, path) = message["message"].as_str()?.split_once("use of deprecated field `")?;
    let mut names = path.trim_end_matches('`').rsplit("::");
    let field = names.next()?;
    let group = names.next()?;
    let file = message["spans"][0]["file_name"].as_str()?;
    let own = ["settings.rs", "declare.rs", "load.rs"];
    let is_own = own.iter().any(|own| file.ends_with(&format!("settings/src/{own}")));
    (!is_own).then(|| format!("{group}::{field}"))
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
    let is_compiled = |path: &PathBuf| is_root(path) || is_named(path) || has_path_attribute(path);
    let forgotten: Vec<&PathBuf> = files.iter().filter(|path| !is_compiled(path)).collect();
    assert_eq!(forgotten, Vec::<&PathBuf>::new(), "files that no module names are not compiled");
}

/// Whoever had a writer of notes in another place would have to remember every refusal.
#[test]
fn notes_are_written_through_drafts_alone() {
    let draft = root().join("crates/engine/src/draft");
    let others = rust_files("src").into_iter().filter(|path| !path.starts_with(&draft));
    let makes = |path: &PathBuf| std::fs::read_to_string(path).unwrap().contains(".writer(");
    let found: Vec<PathBuf> = others.filter(makes).collect();
    assert_eq!(found, Vec::<PathBuf>::new(), "write it as a draft: crates/engine/src/draft");
}

/// A page that names what is gone sends its reader nowhere.
#[test]
fn the_architecture_names_files_and_tests_that_are_there() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let sources = sources();
    let names = page.split('`').skip(1).step_by(2);
    let is_path = |name: &str| name.contains("/src/");
    let is_test = |name: &str| name.matches('_').count() > 2 && !name.contains([':', '.', ' ']);
    let is_gone = |name: &&str| {
        (is_path(name) && !root().join("crates").join(name).exists())
            || (is_test(name) && !sources.contains(&format!("fn {name}(")))
    };
    assert_eq!(names.filter(is_gone).collect::<Vec<_>>(), Vec::<&str>::new());
}

/// A statement that no test shows is only said.
#[test]
fn the_page_of_compatibility_names_tests_that_are_there() {
    let page = std::fs::read_to_string(root().join("docs/compatibility.md")).unwrap();
    let sources = sources();
    let is_row = |line: &&str| line.starts_with("| ") && !line.starts_with("| statement |");
    let mut wrong = Vec::new();
    for row in page.lines().filter(is_row) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [_, how, tests] = cells[..] else {
            wrong.push(row);
            continue;
        };
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        let is_there = |name: &&str| sources.contains(&format!("fn {name}("));
        if how.trim().is_empty() || names.is_empty() || !names.iter().all(is_there) {
            wrong.push(row);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
    assert!(page.lines().filter(is_row).count() > 80);
}

/// The code of every crate and of its tests.
fn sources() -> String {
    [rust_files("src"), rust_files("tests")].concat().iter().map(read).collect()
}

fn read(path: &PathBuf) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// What cargo starts from: `src/lib.rs`, `src/main.rs`, `tests/NAME/main.rs`.
fn is_root(path: &Path) -> bool {
    ["src/lib.rs", "src/main.rs"].iter().any(|root| path.ends_with(root))
        || (path.ends_with("main.rs") && path.iter().rev().nth(2).is_some_and(|folder| folder == "tests"))
}

/// The crate's root names it with `#[path = "../tests/…"]`.
fn has_path_attribute(path: &Path) -> bool {
    path.ancestors().any(|folder| {
        let attribute = format!("#[path = \"../{}\"]", path.strip_prefix(folder).unwrap().display());
        std::fs::read_to_string(folder.join("src/lib.rs")).is_ok_and(|text| text.contains(&attribute))
    })
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
