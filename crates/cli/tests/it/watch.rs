use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::home::Home;

#[test]
fn each_change_is_a_line_until_ctrl_c() {
    let home = Home::new();
    home.config("{ memorySearch: { sync: { watchDebounceMs: 20 } } }");
    let mut child = home.command(&["watch"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    let first = lines.next().unwrap();
    assert!(first.contains("  3 notes new, 3 chunks, "), "{first}");
    home.note("memory/new.md", "A zeppelin.\n");
    let second = lines.next().unwrap();
    assert!(second.contains("  1 note new, 1 chunk, "), "{second}");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with(&format!("Watching {} (Ctrl-C ends it)\n", home.workspace().display())),
        "{said}"
    );
}

/// The system keeps some 16,000 events for a program that does not read them; a program that is stopped does not.
#[test]
fn more_events_than_the_system_keeps_are_said_and_nothing_is_missed() {
    let home = Home::new();
    home.config("{ memorySearch: { sync: { watchDebounceMs: 20 } } }");
    let mut child = home.command(&["watch"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
    assert!(lines.next().unwrap().contains("  3 notes new"));
    kill_process(Pid::from_child(&child), Signal::STOP).unwrap();
    // Two files in turn: equal events that follow each other would be one.
    let mut notes = ["memory/left.md", "memory/right.md"].map(|name| {
        home.note(name, "A zeppelin.\n");
        File::options().append(true).open(home.workspace().join(name)).unwrap()
    });
    for _ in 0..9000 {
        notes.iter_mut().for_each(|note| note.write_all(b".").unwrap());
    }
    kill_process(Pid::from_child(&child), Signal::CONT).unwrap();
    let line = lines.next().unwrap();
    assert!(line.contains("  2 notes new"), "{line}");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(
        said.contains("more changed at once than the system could tell; all notes are scanned"),
        "{said}"
    );
}
