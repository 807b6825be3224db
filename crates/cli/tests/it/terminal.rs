//! What notes hold cannot steer a terminal, whichever command prints it. The program runs on a terminal of its own here:
//! elsewhere styles are left out anyway.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::process::Stdio;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::home::Home;

/// Titles, clearing, colours that are none of ours, 8-bit controls, overrides of the writing direction.
const EVIL: &str = "\u{1b}]0;PWNED\u{7} \u{1b}[2J \u{1b}[35;7mPWNED \u{9b}2J \u{9d}0;x\u{9c} \u{202e}dlrow \u{2066}x\u{2069} \r\u{8}PWNED";
/// What of it must not come out.
const RAW: [&str; 11] = [
    "\u{1b}]", "\u{1b}[2J", "\u{1b}[35;7m", "\u{7}", "\u{9b}", "\u{9d}", "\u{9c}", "\u{202e}", "\u{2066}",
    "\u{2069}", "\u{8}",
];

/// What a person at a terminal sees of a command.
fn seen(home: &Home, words: &[&str]) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let open =
        || -> OwnedFd { rustix::fs::open(&*name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap() };
    let mut command = home.command(words);
    command.env("TERM", "xterm-256color").stdin(Stdio::null()).stdout(open()).stderr(open());
    let mut child = command.spawn().unwrap();
    drop(command);
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    let mut terminal = File::from(master);
    // The system answers with an error when the last writer has gone.
    while let Ok(read @ 1..) = terminal.read(&mut block) {
        bytes.extend_from_slice(&block[..read]);
    }
    child.wait().unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hostile() -> Home {
    let home = Home::new();
    home.note(
        "memory/2026-01-02.md",
        &format!(
            "# Title {EVIL}\n\nA zeppelin {EVIL} over the lake.\n\n- O(key=a{EVIL},src=x:{EVIL},due=2026-01-03,c=0.9,s=0.9) @zep: zeppelin {EVIL} ^z1\n\
             - W(s=0.9) @zep @lake: the zeppelin {EVIL} lands ^z2\n- W @zep @lake: zeppelin {EVIL} lands ^z3\n- W @lake: not zeppelin {EVIL} lands ^z4\n"
        ),
    );
    home.note(&format!("memory/evil {}.md", EVIL.replace('/', "")), &format!("zeppelin {EVIL}\n"));
    home
}

#[test]
fn no_command_prints_a_control_sequence_of_a_note() {
    let home = hostile();
    let session = |words: &[&str]| seen(&home, &[&["session"], words].concat());
    let key = format!("a{EVIL}");
    let commands: Vec<Vec<&str>> = vec![
        vec!["index"],
        vec!["search", "zeppelin"],
        vec!["search", "zeppelin", "--explain"],
        vec!["search", "zeppelin", "--why-not", "memory/2026-01-02.md#L3"],
        vec!["get", "memory/2026-01-02.md"],
        vec!["recall", "zeppelin"],
        vec!["recall", "zeppelin", "--debug", "--explain"],
        vec!["inspect", "z1"],
        vec!["inspect", key.as_str()],
        vec!["inspect", EVIL],
        vec!["entities"],
        vec!["entities", "zep"],
        vec!["entities", EVIL],
        vec!["retain", "zeppelin", EVIL, "--entity", "zep"],
        vec!["retain", "light", "--key", "a.b", "--entity", "zep"],
        vec!["retain", EVIL, "--key", "a.b", "--confirm"],
        vec!["retain", "x", "--key", "a.b", "--confirm"],
        vec!["reflect", "--dry-run", "--debug"],
        vec!["reflect"],
        vec!["heartbeat", "--dry-run"],
        vec!["heartbeat"],
        vec!["status", "--deep"],
        vec!["doctor"],
        vec!["config", "show"],
        vec!["config", "get", EVIL],
        vec!["search", EVIL],
        vec!["get", EVIL],
    ];
    for words in commands.iter().chain(&controls()) {
        check(&seen(&home, words), words);
    }
    let said =
        ["append", "--session", "s1", "--role", "user", "--speaker", EVIL, "I prefer", EVIL, "zeppelins"];
    check(&session(&said), &["session append"]);
    for words in [
        vec!["list"],
        vec!["show", "--session", "s1", "--full"],
        vec!["context", "--session", "s1"],
        vec!["candidates", "--session", "s1"],
        vec!["flush", "--session", "s1"],
        vec!["compact", "--session", "s1"],
    ] {
        check(&session(&words), &words);
    }
    check(&seen(&home, &["search", "zeppelin", "--source", "sessions"]), &["search sessions"]);
}

/// A person's controls, and what is written for other programs.
fn controls() -> Vec<Vec<&'static str>> {
    vec![
        vec!["search", "zeppelin", "--json"],
        vec!["get", "memory/2026-01-02.md", "--json"],
        vec!["export", "--jsonl"],
        vec!["export", "--markdown"],
        vec!["edit", "z2", "--text", EVIL],
        vec!["trust", "z2"],
        vec!["forget", "--query", "zeppelin", "--dry-run"],
        vec!["forget", "--query", EVIL, "--dry-run"],
        vec!["delete", "z3", "--dry-run"],
        vec!["delete", "z3"],
        vec!["policy", "show"],
        vec!["policy", "check", EVIL],
        vec!["policy", "apply", "--dry-run"],
        vec!["audit", "show"],
        vec!["audit", "verify"],
        vec!["encrypt", "--all"],
        vec!["encrypt", "memory/api.md"],
        vec!["encrypt", EVIL],
        vec!["decrypt", EVIL],
        vec!["decrypt", "memory/private/api.md"],
        vec!["rekey"],
    ]
}

fn check(out: &str, words: &[&str]) {
    for raw in RAW {
        assert!(!out.contains(raw), "{words:?} prints {raw:?}: {out:?}");
    }
    assert!(!out.is_empty(), "{words:?} printed nothing");
}
