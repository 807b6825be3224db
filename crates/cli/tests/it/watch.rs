use std::io::{BufRead, BufReader};
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
