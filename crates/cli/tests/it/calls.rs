use std::io::Read;
use std::process::Stdio;

use expect_test::{Expect, expect};

use crate::home::Home;

fn check(words: &[&str], expected: &Expect) {
    Home::new().run(words).check(expected);
}

#[test]
fn an_empty_query_is_refused() {
    let home = Home::new();
    let came = home.run(&["search"]);
    came.check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: the query is empty
        hint: say what to look for: mindfile search "what did we decide about X"
    "#]]);
    assert_eq!(home.run(&["search", ""]), came);
    assert_eq!(home.run(&["search", " \t "]), came);
}

#[test]
fn failures_are_json_when_json_is_asked_for() {
    check(
        &["search", "", "--json"],
        &expect![[r#"
        exit 2
        --- stdout
        {
          "ok": false,
          "error": {
            "type": "usage",
            "message": "the query is empty",
            "hint": "say what to look for: mindfile search \"what did we decide about X\""
          }
        }
        --- stderr
    "#]],
    );
}

#[test]
fn an_unknown_command_is_the_callers_mistake() {
    check(
        &["searchh", "x"],
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: unrecognized subcommand 'searchh'

          tip: a similar subcommand exists: 'search'

        Usage: mindfile [OPTIONS] <COMMAND>

        For more information, try '--help'.
    "#]],
    );
    check(
        &["searchh", "x", "--json"],
        &expect![[r#"
        exit 2
        --- stdout
        {
          "ok": false,
          "error": {
            "type": "usage",
            "message": "unrecognized subcommand 'searchh'",
            "hint": "a similar subcommand exists: 'search'"
          }
        }
        --- stderr
    "#]],
    );
}

#[test]
fn an_unknown_flag_is_the_callers_mistake() {
    let came = Home::new().run(&["search", "x", "--colour"]);
    assert_eq!((came.code, came.out.as_str()), (2, ""));
    assert!(came.err.starts_with("error: unexpected argument '--colour' found"), "{came:?}");
}

#[test]
fn values_out_of_range_are_refused_by_name() {
    check(
        &["search", "x", "--max-results", "0"],
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: --max-results is 0; it must be between 1 and 1000
    "#]],
    );
    check(
        &["search", "x", "--min-score", "-1"],
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: --min-score is -1; it must be between 0 and 1
    "#]],
    );
    check(
        &["search", "x", "--since", "yesterday"],
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: "yesterday" is not a date or a duration
        hint: write 2026-07-14, or a duration such as 30d, 6w or 12h
    "#]],
    );
    check(
        &["search", "x", "--why-not", "memory/api.md"],
        &expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: "memory/api.md" is not a place in a note
        hint: write it as PATH#L40, for example memory/2026-07-14.md#L40
    "#]],
    );
}

#[test]
fn a_missing_workspace_is_named() {
    Home::bare().run(&["search", "x"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: the workspace ~/state/workspace does not exist
        hint: if it is on a disk of its own, mount it; to make one: mindfile init ~/state/workspace
    "#]]);
}

#[test]
fn a_bad_setting_is_named_with_its_file() {
    let home = Home::new();
    home.config("{ memorySearch: { query: { maxResults: 0 } } }");
    home.run(&["search", "x"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: ~/state/mindfile.json: memorySearch.query.maxResults is 0; it must be a whole number from 1 to 1000
    "#]]);
}

#[test]
fn an_unknown_agent_is_refused_once_agents_are_named() {
    let home = Home::new();
    home.config("{ agents: { list: [{ id: \"main\" }] } }");
    home.run(&["search", "x", "--agent", "other"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: no agent "other" is configured; there are main
        hint: add it to agents.list in mindfile.json, or name another
    "#]]);
}

#[test]
fn a_state_directory_that_cannot_be_written_is_the_environments_fault() {
    let home = Home::new();
    crate::home::write(&home.path().join("file"), b"not a directory");
    let came = home.run(&["index", "--state-dir", "file/state", "--workspace", "state/workspace"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(came.err.starts_with("error: "), "{came:?}");
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_program_quietly() {
    let home = Home::new();
    home.note("memory/long.md", &"zeppelin and more words\n".repeat(20_000));
    let mut child = home
        .command(&["get", "memory/long.md"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 8];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((&first, output.status.code(), output.stderr.as_slice()), (b"zeppelin", Some(0), &b""[..]));
}

#[test]
fn a_full_disk_behind_stdout_is_said() {
    let home = Home::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = home.command(&["search", "rate limit"]).stdout(full).output().unwrap();
    home.came(&output).check(&expect![[r#"
        exit 1
        --- stdout
        --- stderr
        error: the output cannot be written: No space left on device (os error 28)
    "#]]);
}

/// The names under `Commands:` of a help text.
fn below(help: &str) -> Vec<String> {
    let section = help.split("\nCommands:\n").nth(1).unwrap_or("");
    let listed = section.lines().take_while(|line| line.starts_with("  "));
    let names =
        listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// Every command below `words`, with its help.
fn walk(home: &Home, words: &[&str], all: &mut Vec<(String, String)>) {
    let help = if words.is_empty() {
        home.out(&["help", "--all"])
    } else {
        home.out(&[words, &["--help"]].concat())
    };
    let names = below(&help);
    for name in &names {
        walk(home, &[words, &[name]].concat(), all);
    }
    all.push((words.join(" "), help));
}

#[test]
fn every_command_explains_itself_with_examples() {
    let mut all = Vec::new();
    walk(&Home::bare(), &[], &mut all);
    assert!(all.len() > 30, "{}", all.len());
    for (command, help) in all.iter().filter(|(command, _)| !command.is_empty()) {
        let examples = help.split("Examples:").nth(1).unwrap_or_else(|| panic!("{command} has no examples"));
        assert!(examples.contains(&format!("mindfile {command}")), "{command}: {help}");
    }
}

#[test]
fn the_first_help_fits_one_screen_and_leads_to_the_rest() {
    let home = Home::bare();
    let first = home.out(&["--help"]);
    assert!(first.lines().count() <= 24 && first.lines().all(|line| line.len() <= 80), "{first}");
    assert_eq!(home.out(&["help"]), first);
    assert_eq!(home.run(&[]).err, first);
    assert_eq!(home.out(&["help", "session", "flush"]), home.out(&["session", "flush", "--help"]));
    let listed = below(&home.out(&["help", "--all"]));
    let named: Vec<&str> = first.lines().filter_map(|line| line.get(11..19)).map(str::trim).collect();
    let named: Vec<&&str> = named.iter().filter(|name| listed.iter().any(|one| one == **name)).collect();
    assert_eq!(named.len(), 13, "{first}");
}

#[test]
fn no_colours_leave_a_pipe_and_quiet_leaves_results_only() {
    let home = Home::new();
    home.note("memory/link-target.txt", "x");
    std::os::unix::fs::symlink("link-target.txt", home.workspace().join("memory/link.md")).unwrap();
    let loud = home.run(&["index"]);
    assert_eq!(loud.err, "warning: skipped memory/link.md: links are not followed\n");
    assert!(!format!("{}{}", loud.out, loud.err).contains('\u{1b}'));
    assert_eq!(home.run(&["index", "--quiet"]).err, "");
    let styled = home.command(&["search", "rate limit"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(String::from_utf8_lossy(&styled.stdout).contains("\u{1b}[1mrate\u{1b}[0m"));
    let plain = home
        .command(&["search", "rate limit"])
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!plain.stdout.contains(&0x1b));
}
