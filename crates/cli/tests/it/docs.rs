//! The commands in the pages about hosts and about moving are run as they stand, one page after the other in a home of
//! its own.
#![expect(clippy::disallowed_methods, reason = "a test is told where a server or packages are")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::home::{Home, write};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("docs")
}

/// The blocks of a page that are marked as shell.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in page.lines() {
        match (&mut open, line) {
            (None, "```sh") => open = Some(String::new()),
            (Some(_), "```") => blocks.extend(open.take()),
            (Some(block), line) => block.push_str(&format!("{line}\n")),
            (None, _) => {}
        }
    }
    blocks
}

/// A home in which people have talked to agents before.
fn used(home: &Home) {
    let claude =
        "{\"type\":\"user\",\"uuid\":\"u1\",\"message\":{\"role\":\"user\",\"content\":\"Hello\"}}\n";
    write(&home.path().join(".claude/projects/app/s1.jsonl"), claude.as_bytes());
    let codex = "{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"Hello\"}}\n";
    write(&home.path().join(".codex/sessions/2026/01/02/rollout.jsonl"), codex.as_bytes());
}

/// Runs every block of a page; the first command that fails ends it.
fn check(page: &Path) -> usize {
    check_with(page, &[])
}

/// The same where more is in the environment.
fn check_with(page: &Path, environment: &[(&str, &str)]) -> usize {
    let home = Home::bare();
    let bin = home.path().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_mindfile"), bin.join("mindfile")).unwrap();
    used(&home);
    if let Some((_, modules)) = environment.iter().find(|(name, _)| *name == "NODE_MODULES") {
        std::os::unix::fs::symlink(modules, home.path().join("node_modules")).unwrap();
    }
    let text = std::fs::read_to_string(page).unwrap();
    let blocks = blocks(&text);
    for block in &blocks {
        let output = Command::new("sh")
            .args(["-eu", "-c", block])
            .current_dir(home.path())
            .env_clear()
            .env("HOME", home.path())
            .env("MINDFILE_HOOK_TIME_LIMIT", "60000")
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:\n{block}\n{told}", page.display());
    }
    blocks.len()
}

/// A new page is run without being named here.
#[test]
fn every_command_of_a_hosts_page_works_as_it_stands() {
    let pages = std::fs::read_dir(docs().join("hosts")).unwrap().map(|entry| entry.unwrap().path());
    for page in pages.filter(|page| page.file_stem().unwrap() != "README") {
        assert!(check(&page) >= 3, "{}", page.display());
        assert_eq!(unrun(&std::fs::read_to_string(&page).unwrap()), Vec::<&str>::new(), "{}", page.display());
    }
}

#[test]
fn every_command_about_moving_works_as_it_stands() {
    assert!(check(&docs().join("moving.md")) >= 3);
}

#[test]
fn every_command_of_the_pages_to_start_with_works_as_it_stands() {
    assert!(check(&docs().join("start/obsidian.md")) >= 3);
}

#[test]
fn every_command_of_the_page_for_python_works_as_it_stands() {
    if !Path::new("/usr/bin/python3").exists() {
        eprintln!("SKIPPED: there is no /usr/bin/python3");
        return;
    }
    let clients = docs().with_file_name("clients/python");
    let environment = [("PYTHONPATH", clients.to_str().unwrap()), ("PYTHONDONTWRITEBYTECODE", "1")];
    assert!(check_with(&docs().join("start/python.md"), &environment) >= 4);
}

/// The page for TypeScript needs what it installs: `integrations/clients/test` leaves that in its folder.
#[test]
fn every_command_of_the_page_for_typescript_works_as_it_stands() {
    let page = docs().join("start/typescript.md");
    match std::env::var("MINDFILE_TEST_NODE_MODULES") {
        Ok(modules) => {
            assert!(check_with(&page, &[("NODE_MODULES", &modules), ("npm_config_offline", "true")]) >= 3)
        }
        Err(_) => {
            eprintln!("SKIPPED: MINDFILE_TEST_NODE_MODULES names no folder with the client and typescript")
        }
    }
}

#[cfg(feature = "postgres")]
#[test]
fn every_command_of_the_operators_page_works_as_it_stands() {
    match std::env::var("MINDFILE_TEST_POSTGRES") {
        Ok(url) => {
            assert!(check_with(&docs().join("start/postgresql.md"), &[("MINDFILE_POSTGRES_URL", &url)]) >= 2)
        }
        Err(_) => eprintln!("SKIPPED: no PostgreSQL server; run crates/postgres/tests/server cargo test …"),
    }
}

#[test]
fn every_command_of_the_shells_page_works_as_it_stands() {
    assert!(check(&docs().join("shell.md")) >= 2);
}

/// Commands that stand in a block that is not run: one of another language, or one that is only indented.
fn unrun(page: &str) -> Vec<&str> {
    let mut language: Option<&str> = None;
    let mut found = Vec::new();
    for line in page.lines() {
        match (language, line.strip_prefix("```")) {
            (None, Some(begun)) => language = Some(begun),
            (Some(_), Some(_)) => language = None,
            (Some("sh"), None) => {}
            (Some(_), None) if line.starts_with("mindfile ") => found.push(line),
            (None, None) if line.starts_with("    mindfile ") => found.push(line),
            (Some(_) | None, None) => {}
        }
    }
    found
}
