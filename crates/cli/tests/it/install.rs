//! `mindfile install`: into files that belong to others, and out again.

use std::path::PathBuf;

use expect_test::expect;
use serde_json::{Value, json};

use crate::home::{Came, Home, write};

/// Those whose files are JSON, and Codex.
const HOSTS: [&str; 9] =
    ["claude-code", "codex", "cursor", "openclaw", "vscode", "gemini-cli", "opencode", "windsurf", "zed"];

/// The files that are written for each host, the one with servers first.
fn files(host: &str) -> &'static [&'static str] {
    match host {
        "claude-code" => &[".claude.json", ".claude/settings.json"],
        "codex" => &[".codex/config.toml", ".codex/hooks.json"],
        "cursor" => &[".cursor/mcp.json", ".cursor/hooks.json"],
        "openclaw" => &[".openclaw/openclaw.json", ".openclaw/extensions/mindfile/openclaw.plugin.json"],
        "vscode" => &[".config/Code/User/mcp.json", ".copilot/hooks/mindfile.json"],
        "gemini-cli" => &[".gemini/settings.json"],
        "opencode" => &[".config/opencode/opencode.json", ".config/opencode/plugins/mindfile.js"],
        "windsurf" => &[".codeium/windsurf/mcp_config.json", ".codeium/windsurf/hooks.json"],
        "zed" => &[".config/zed/settings.json"],
        "goose" => &[
            ".config/goose/config.yaml",
            ".agents/plugins/mindfile/plugin.json",
            ".agents/plugins/mindfile/hooks/hooks.json",
            ".agents/plugins/mindfile/skills/remember/SKILL.md",
        ],
        "hermes" => &[".hermes/config.yaml"],
        _ => &[],
    }
}

fn install(home: &Home, words: &[&str]) -> Came {
    home.run(&[&["install"], words, &["--command", "mindfile"]].concat())
}

fn done(home: &Home, words: &[&str]) -> Came {
    let came = install(home, &[words, &["--yes"]].concat());
    assert_eq!(came.code, 0, "{came:?}");
    came
}

fn read(home: &Home, path: &str) -> Option<String> {
    std::fs::read(home.path().join(path)).ok().map(|bytes| String::from_utf8(bytes).unwrap())
}

/// What is in the home directory, apart from the state directory.
fn tree(home: &Home) -> Vec<(PathBuf, Vec<u8>)> {
    fn walk(dir: PathBuf, all: &mut Vec<(PathBuf, Vec<u8>)>) {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                all.push((path.clone(), Vec::new()));
                walk(path, all);
            } else {
                all.push((path.clone(), std::fs::read(&path).unwrap()));
            }
        }
    }
    let mut all = Vec::new();
    walk(home.path().to_owned(), &mut all);
    all.retain(|(path, _)| !path.starts_with(home.path().join("state")));
    all.sort();
    all
}

/// Installs and takes out again; everything is as it was, and in between the host finds what it needs.
fn check(host: &str, before: &[(&str, &str)]) {
    let home = Home::bare();
    for (path, text) in before {
        write(&home.path().join(path), text.as_bytes());
    }
    let was = tree(&home);
    done(&home, &[host]);
    for file in files(host) {
        let text = read(&home, file).unwrap();
        assert!(text.contains("mindfile"), "{host} {file}: {text}");
        if text.contains("\r\n") {
            assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
        }
    }
    for (path, text) in before {
        let now = read(&home, path).unwrap();
        assert_eq!(now.matches("keep").count(), text.matches("keep").count(), "{now}");
    }
    let again = done(&home, &[host]);
    assert!(!again.out.contains("+++"), "{again:?}");
    done(&home, &[host, "--uninstall"]);
    assert_eq!(tree(&home), was, "{host}");
}

#[test]
fn where_there_was_no_file_there_is_none_afterwards() {
    for host in HOSTS {
        check(host, &[]);
    }
}

#[test]
fn files_with_comments_come_back_byte_for_byte() {
    let text = "// keep: mine\n{\n  /* keep too */ \"theme\": \"dark\", // keep\n  \"list\": [1, 2,],\n}\n";
    for host in HOSTS.into_iter().filter(|host| *host != "codex") {
        check(host, &[(files(host)[0], text)]);
    }
    let toml = "# keep: mine\nmodel = \"x\" # keep\n\n[mcp_servers.other]\ncommand = \"keep\"\n\n[tui]\ntheme = \"keep\"\n";
    check("codex", &[(".codex/config.toml", toml)]);
    check("codex", &[(".codex/config.toml", "mcp_servers = { other = { command = \"keep\" } } # keep\n")]);
}

#[test]
fn yaml_comes_back_byte_for_byte() {
    let shapes = [
        "# keep: mine\nextensions: # keep\n  keep:\n    cmd: x\n\nmcp_servers:\n  keep: {command: x}\nmodel: y\n",
        "a: 1\r\nextensions:\r\n    keep:\r\n        cmd: x\r\n",
        "a: keep",
        "",
    ];
    for host in ["goose", "hermes"] {
        check(host, &[]);
        for shape in shapes {
            check(host, &[(files(host)[0], shape)]);
        }
    }
}

#[test]
fn each_host_is_told_to_start_the_server_in_its_own_form() {
    let home = Home::bare();
    let json = |file: &str| serde_json::from_str::<Value>(&read(&home, file).unwrap()).unwrap();
    for host in ["opencode", "windsurf", "zed", "goose", "hermes"] {
        done(&home, &[host]);
    }
    let opencode = json(".config/opencode/opencode.json");
    assert_eq!(
        opencode["mcp"]["mindfile"],
        json!({"type": "local", "command": ["mindfile", "mcp"], "enabled": true})
    );
    let plain = json!({"command": "mindfile", "args": ["mcp"]});
    assert_eq!(json(".codeium/windsurf/mcp_config.json")["mcpServers"]["mindfile"], plain);
    assert_eq!(json(".config/zed/settings.json")["context_servers"]["mindfile"], plain);
    assert_eq!(
        json(".codeium/windsurf/hooks.json")["hooks"]["pre_user_prompt"],
        json!([{"command": "mindfile hook prompt-submit --host windsurf", "show_output": false}])
    );
    let entry = |file: &str| {
        let text = read(&home, file).unwrap();
        serde_json::from_str::<Value>(text.split_once("\n  mindfile: ").unwrap().1.trim()).unwrap()
    };
    assert_eq!(entry(".hermes/config.yaml"), plain);
    let goose = entry(".config/goose/config.yaml");
    assert_eq!((&goose["cmd"], &goose["args"]), (&json!("mindfile"), &json!(["mcp"])));
    let hooks = json(".agents/plugins/mindfile/hooks/hooks.json");
    assert_eq!(hooks["hooks"]["Stop"][0]["hooks"][0]["command"], json!("mindfile hook stop --host goose"));
}

#[test]
fn line_endings_marks_tabs_and_missing_ends_stay() {
    let shapes = [
        "{\r\n\t\"a\": 1, // keep\r\n\t\"b\": {\r\n\t}\r\n}\r\n",
        "\u{feff}{\"a\":1}",
        "{}",
        "",
        "{\n    \"mcpServers\": {\n        \"keep\": { \"command\": \"x\" }\n    }\n}",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"keep-me\"}]}]}}\n",
    ];
    for host in HOSTS.into_iter().filter(|host| *host != "codex") {
        for shape in shapes {
            check(host, &[(files(host)[0], shape)]);
        }
    }
    for toml in ["a = 1\r\n[b]\r\nc = \"keep\"\r\n", "a = 1", "", "\n"] {
        check("codex", &[(".codex/config.toml", toml)]);
    }
}

#[test]
fn a_broken_file_is_named_and_nothing_is_changed() {
    let home = Home::bare();
    write(&home.path().join(".claude/settings.json"), b"{\"hooks\": {");
    let was = tree(&home);
    install(&home, &["claude-code", "--yes"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: ~/.claude/settings.json cannot be read as JSON: Unterminated object on line 1 column 11
        hint: mend the file first; nothing was changed
    "#]]);
    assert_eq!(tree(&home), was);
    write(&home.path().join(".codex/config.toml"), b"a = \n");
    assert_eq!(install(&home, &["codex", "--yes"]).code, 2);
    write(&home.path().join(".cursor/hooks.json"), b"[1]");
    assert_eq!(install(&home, &["cursor", "--yes"]).code, 2);
    assert_eq!(read(&home, ".cursor/mcp.json"), None);
    write(&home.path().join(".gemini/settings.json"), b"{\"hooks\": {\"Stop\": 1, \"SessionStart\": \"x\"}}");
    assert_eq!(install(&home, &["gemini-cli", "--yes"]).code, 2);
}

#[test]
fn what_others_wrote_since_stays_when_it_is_taken_out() {
    let home = Home::bare();
    write(&home.path().join(".claude/settings.json"), b"{\n  // keep\n  \"model\": \"a\"\n}\n");
    done(&home, &["claude-code"]);
    let text = read(&home, ".claude/settings.json").unwrap().replace("\"a\"", "\"b\"");
    write(&home.path().join(".claude/settings.json"), text.as_bytes());
    done(&home, &["claude-code", "--uninstall"]);
    assert_eq!(read(&home, ".claude/settings.json").unwrap(), "{\n  // keep\n  \"model\": \"b\"\n}\n");
    assert_eq!(read(&home, ".claude.json"), None);
}

#[test]
fn a_newer_version_takes_the_place_of_an_older_one() {
    let home = Home::bare();
    write(&home.path().join(".claude/settings.json"), b"{}\n");
    done(&home, &["claude-code", "--workspace", "notes"]);
    done(&home, &["claude-code"]);
    let text = read(&home, ".claude/settings.json").unwrap();
    assert_eq!(text.matches("mindfile hook").count(), 7, "{text}");
    assert!(!text.contains("--workspace"));
    done(&home, &["claude-code", "--uninstall"]);
    assert_eq!(read(&home, ".claude/settings.json").unwrap(), "{}\n");
}

#[test]
fn a_dry_run_shows_and_writes_nothing() {
    let home = Home::bare();
    let was = tree(&home);
    install(&home, &["vscode", "--dry-run"]).check(&expect![[r#"
        exit 0
        --- stdout
        --- ~/.config/Code/User/mcp.json
        +++ ~/.config/Code/User/mcp.json
        @@
        +{
        +  "servers": {
        +    "mindfile": {
        +      "type": "stdio",
        +      "command": "mindfile",
        +      "args": [
        +        "mcp"
        +      ]
        +    }
        +  }
        +}
        --- ~/.copilot/hooks/mindfile.json
        +++ ~/.copilot/hooks/mindfile.json
        @@
        +{
        +  "hooks": {
        +    "SessionStart": [
        +      {
        +        "type": "command",
        +        "command": "mindfile hook session-start --host vscode",
        +        "timeout": 10
        +      }
        +    ],
        +    "UserPromptSubmit": [
        +      {
        +        "type": "command",
        +        "command": "mindfile hook prompt-submit --host vscode",
        +        "timeout": 10
        +      }
        +    ],
        +    "PreCompact": [
        +      {
        +        "type": "command",
        +        "command": "mindfile hook pre-compact --host vscode",
        +        "timeout": 10
        +      }
        +    ],
        +    "Stop": [
        +      {
        +        "type": "command",
        +        "command": "mindfile hook stop --host vscode",
        +        "timeout": 10
        +      }
        +    ]
        +  }
        +}
        --- stderr
    "#]]);
    assert_eq!(tree(&home), was);
    let came = install(&home, &["vscode"]);
    assert_eq!((came.code, tree(&home)), (2, was), "nobody can be asked: {came:?}");
}

#[test]
fn an_existing_file_gets_entries_in_its_own_shape() {
    let home = Home::bare();
    write(
        &home.path().join(".cursor/mcp.json"),
        b"{\n    // servers\n    \"mcpServers\": {\n        \"other\": { \"command\": \"x\" }\n    }\n}\n",
    );
    done(&home, &["cursor", "--agent", "my-agent"]);
    expect![[r#"
        {
            // servers
            "mcpServers": {
                "other": { "command": "x" },
                "mindfile": {
                    "command": "mindfile",
                    "args": ["mcp", "--agent", "my-agent"]
                }
            }
        }
    "#]]
    .assert_eq(&read(&home, ".cursor/mcp.json").unwrap());
    let hooks: Value = serde_json::from_str(&read(&home, ".cursor/hooks.json").unwrap()).unwrap();
    assert_eq!(hooks["version"], json!(1));
    let stop = json!([{"command": "mindfile hook stop --host cursor --agent my-agent", "timeout": 10}]);
    assert_eq!(hooks["hooks"]["afterAgentResponse"], stop);
}

#[test]
fn a_project_has_files_of_its_own() {
    let home = Home::bare();
    std::fs::create_dir(home.path().join("app")).unwrap();
    let was = tree(&home);
    for (host, files) in [
        ("claude-code", ["app/.mcp.json", "app/.claude/settings.json"]),
        ("codex", ["app/.codex/config.toml", "app/.codex/hooks.json"]),
        ("cursor", ["app/.cursor/mcp.json", "app/.cursor/hooks.json"]),
        ("vscode", ["app/.vscode/mcp.json", "app/.github/hooks/mindfile.json"]),
        ("gemini-cli", ["app/.gemini/settings.json", "app/.gemini/settings.json"]),
    ] {
        done(&home, &[host, "--project", "app"]);
        for file in files {
            assert!(read(&home, file).is_some_and(|text| text.contains("mindfile")), "{host} {file}");
        }
        done(&home, &[host, "--project", "app", "--uninstall"]);
        assert_eq!(tree(&home), was, "{host}");
    }
    install(&home, &["openclaw", "--project", "app", "--yes"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: OpenClaw has no settings of a project
        hint: install it without --project
    "#]]);
}

#[test]
fn json_tells_what_was_done() {
    let home = Home::bare();
    write(&home.path().join(".openclaw/openclaw.json"), b"{ agents: {}, }\n");
    let told: Value = serde_json::from_str(&install(&home, &["openclaw", "--yes", "--json"]).out).unwrap();
    assert_eq!(
        (&told["ok"], &told["host"], &told["act"]),
        (&json!(true), &json!("openclaw"), &json!("install"))
    );
    assert_eq!(told["files"][0]["change"], json!("changed"));
    let copy = told["copies"][0].as_str().unwrap().replace('~', home.path().to_str().unwrap());
    assert_eq!(std::fs::read(copy).unwrap(), b"{ agents: {}, }\n");
    let text = read(&home, ".openclaw/openclaw.json").unwrap();
    assert!(text.contains("agents: {},"), "{text}");
}

#[test]
fn the_status_tells_which_hosts_are_connected() {
    let home = Home::bare();
    let connected = || {
        let status = home.json(&["status"]);
        let hosts = status[0]["mindfile"]["hosts"].as_array().unwrap().clone();
        assert!(hosts.len() > 10 && hosts.iter().all(|host| host["name"] != "git"), "{hosts:?}");
        let is = |host: &&Value| host["connected"] == true;
        hosts.iter().filter(is).map(|host| host["title"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(connected(), [""; 0]);
    done(&home, &["cursor"]);
    done(&home, &["codex", "--project", "."]);
    assert_eq!(connected(), ["Codex", "Cursor"]);
    done(&home, &["cursor", "--uninstall"]);
    assert_eq!(connected(), ["Codex"]);
}

#[test]
fn without_a_name_in_the_path_the_program_is_named_by_its_place() {
    let home = Home::bare();
    home.out(&["install", "gemini-cli", "--yes"]);
    let settings: Value = serde_json::from_str(&read(&home, ".gemini/settings.json").unwrap()).unwrap();
    let own = env!("CARGO_BIN_EXE_mindfile");
    assert_eq!(settings["mcpServers"]["mindfile"], json!({"command": own, "args": ["mcp"]}));
}

#[test]
fn openclaw_gets_a_plugin_in_its_memory_slot() {
    let home = Home::bare();
    let was =
        "{\n  // mine\n  plugins: { allow: [\"telegram\"], slots: { memory: \"memory-lancedb\" } },\n}\n";
    write(&home.path().join(".openclaw/openclaw.json"), was.as_bytes());
    done(&home, &["openclaw"]);
    expect![[r#"
        {
          // mine
          plugins: {
            allow: ["telegram", "mindfile"],
            slots: { memory: "mindfile" },
            "entries": {
              "mindfile": {
                "enabled": true,
                "config": {
                  "command": "mindfile"
                }
              },
              "memory-core": {
                "enabled": false
              }
            }
          },
        }
    "#]]
    .assert_eq(&read(&home, ".openclaw/openclaw.json").unwrap());
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/openclaw");
    for name in ["index.js", "package.json", "src/tools.js"] {
        let installed = std::fs::read(home.path().join(".openclaw/extensions/mindfile").join(name)).unwrap();
        assert_eq!(installed, std::fs::read(source.join(name)).unwrap(), "{name}");
    }
    done(&home, &["openclaw", "--uninstall"]);
    assert_eq!(read(&home, ".openclaw/openclaw.json").unwrap(), was);
    assert!(!home.path().join(".openclaw/extensions").exists());
}

#[test]
fn what_had_the_slot_has_it_again_though_the_file_was_changed_since() {
    let home = Home::bare();
    let path = home.path().join(".openclaw/openclaw.json");
    write(&path, b"{\"plugins\": {\"slots\": {\"memory\": \"memory-lancedb\"}, \"allow\": [\"x\"]}}\n");
    done(&home, &["openclaw"]);
    let now: Value = serde_json::from_str(&read(&home, ".openclaw/openclaw.json").unwrap()).unwrap();
    let mut changed = now;
    changed["gateway"] = json!({"port": 1});
    changed["plugins"]["entries"]["mindfile"]["config"]["sessions"] = json!(true);
    write(&path, format!("{changed:#}").as_bytes());
    done(&home, &["openclaw", "--uninstall"]);
    let left: Value = serde_json::from_str(&read(&home, ".openclaw/openclaw.json").unwrap()).unwrap();
    let plugins = json!({"slots": {"memory": "memory-lancedb"}, "allow": ["x"]});
    assert_eq!(left, json!({"plugins": plugins, "gateway": {"port": 1}}));
}

#[test]
fn a_slot_that_was_given_to_another_since_is_left() {
    let home = Home::bare();
    done(&home, &["openclaw"]);
    let text = read(&home, ".openclaw/openclaw.json").unwrap();
    let text = text.replace("\"memory\": \"mindfile\"", "\"memory\": \"other\"");
    write(&home.path().join(".openclaw/openclaw.json"), text.as_bytes());
    done(&home, &["openclaw", "--uninstall"]);
    let left: Value = serde_json::from_str(&read(&home, ".openclaw/openclaw.json").unwrap()).unwrap();
    assert_eq!(left, json!({"plugins": {"slots": {"memory": "other"}}}));
}

#[test]
fn settings_that_a_person_gave_the_plugin_stay_when_it_is_installed_again() {
    let home = Home::bare();
    done(&home, &["openclaw"]);
    let text = read(&home, ".openclaw/openclaw.json").unwrap();
    let text = text.replace("\"command\": \"mindfile\"", "\"command\": \"old\", \"sessions\": true");
    write(&home.path().join(".openclaw/openclaw.json"), text.as_bytes());
    done(&home, &["openclaw"]);
    let now: Value = serde_json::from_str(&read(&home, ".openclaw/openclaw.json").unwrap()).unwrap();
    let config = json!({"command": "mindfile", "sessions": true});
    assert_eq!(now["plugins"]["entries"]["mindfile"]["config"], config);
}

#[test]
fn openclaw_has_the_plugin_or_the_server_and_not_both() {
    let home = Home::bare();
    write(&home.path().join(".openclaw/openclaw.json"), b"{ agents: {}, }\n");
    let was = tree(&home);
    let json = |home: &Home| read(home, ".openclaw/openclaw.json").unwrap();
    done(&home, &["openclaw", "--mcp"]);
    assert!(json(&home).contains("servers") && !json(&home).contains("slots"), "{}", json(&home));
    assert!(!home.path().join(".openclaw/extensions").exists());
    done(&home, &["openclaw"]);
    assert!(!json(&home).contains("servers") && json(&home).contains("slots"), "{}", json(&home));
    done(&home, &["openclaw", "--mcp"]);
    assert!(json(&home).contains("servers") && !json(&home).contains("slots"), "{}", json(&home));
    assert!(!home.path().join(".openclaw/extensions").exists());
    done(&home, &["openclaw", "--uninstall"]);
    assert_eq!(tree(&home), was);
}

fn git(folder: &std::path::Path, words: &[&str]) -> std::process::Output {
    let mut git = std::process::Command::new("git");
    git.args(words).current_dir(folder).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.output().unwrap()
}

#[test]
fn git_merges_the_notes_of_the_workspace_and_is_as_it_was_afterwards() {
    let home = Home::new();
    let notes = home.workspace();
    assert!(git(&notes, &["init", "-q"]).status.success());
    write(&notes.join(".gitattributes"), b"*.png binary");
    let was = [".git/config", ".gitattributes"].map(|file| std::fs::read(notes.join(file)).unwrap());
    done(&home, &["git"]);
    let told = |words: &[&str]| String::from_utf8(git(&notes, words).stdout).unwrap();
    let driver = told(&["config", "merge.mindfile.driver"]);
    assert_eq!(driver, "mindfile merge-driver %O %A %B %P %L\n");
    let paths = ["MEMORY.md", "memory/a/b.md", "bank/world.md", "docs/README.md", "memory/private/x.md.age"];
    expect![[r#"
        MEMORY.md: merge: mindfile
        memory/a/b.md: merge: mindfile
        bank/world.md: merge: mindfile
        docs/README.md: merge: unspecified
        memory/private/x.md.age: merge: unspecified
    "#]]
    .assert_eq(&told(&[&["check-attr", "merge", "--"], &paths[..]].concat()));
    let again = done(&home, &["git"]);
    assert!(!again.out.contains("+++"), "{again:?}");
    done(&home, &["git", "--uninstall"]);
    let now = [".git/config", ".gitattributes"].map(|file| std::fs::read(notes.join(file)).unwrap());
    assert_eq!(now, was);
}

#[test]
fn a_worktree_has_the_settings_of_its_repository_and_a_plain_folder_has_none() {
    let home = Home::bare();
    let main = home.path().join("main");
    std::fs::create_dir(&main).unwrap();
    assert!(git(&main, &["init", "-q"]).status.success());
    let commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"];
    assert!(git(&main, &commit).status.success());
    assert!(git(&main, &["worktree", "add", "-q", "../tree"]).status.success());
    done(&home, &["git", "--project", "tree"]);
    let told = git(&main, &["config", "merge.mindfile.name"]);
    assert_eq!(String::from_utf8(told.stdout).unwrap(), "facts by their ids, other lines as lines\n");
    assert!(read(&home, "tree/.gitattributes").is_some() && read(&home, "main/.gitattributes").is_none());
    std::fs::create_dir(home.path().join("plain")).unwrap();
    install(&home, &["git", "--project", "plain", "--yes"]).check(&expect![[r#"
        exit 2
        --- stdout
        --- stderr
        error: ~/plain is in no git repository
        hint: `git init` makes it one
    "#]]);
}

#[test]
fn a_driver_that_git_calls_merges_facts_and_leaves_lines_to_a_person() {
    let home = Home::bare();
    let call = |note: &str, [base, ours, theirs]: [&[u8]; 3]| {
        for (name, bytes) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            write(&home.path().join(name), bytes);
        }
        let came = home.run(&["merge-driver", "base", "ours", "theirs", note, "9"]);
        (came.code, std::fs::read(home.path().join("ours")).unwrap(), came.err)
    };
    let (base, ours, theirs) =
        (&b"- W: a ^a\n"[..], &b"- W: a ^a\n- W: b ^b\n"[..], &b"- W: a ^a\n- W: c ^c\n"[..]);
    let merged = b"- W: a ^a\n- W: b ^b\n- W: c ^c\n".to_vec();
    assert_eq!(call("MEMORY.md", [base, ours, theirs]), (0, merged, String::new()));
    let (code, text, told) = call("MEMORY.md", [b"a\n", b"b\n", b"c\n"]);
    assert_eq!((code, text), (1, b"<<<<<<<<< ours\nb\n=========\nc\n>>>>>>>>> theirs\n".to_vec()));
    assert_eq!(told, "MEMORY.md has lines that both sides changed; its facts are merged\n");
    let latin = call("MEMORY.md", [b"\xe4\nx\ny\n", b"\xe4\nx\nz\n", b"\xf6\nx\ny\n"]);
    assert_eq!(latin, (0, b"\xf6\nx\nz\n".to_vec(), String::new()));
    let (code, text, _) = call("MEMORY.md", [b"\0a", b"\0b", b"\0c"]);
    assert_eq!((code, text), (2, b"\0b".to_vec()));
}
