//! Runs QMD's program in its own process group, kills the whole group after a timeout, and bounds how much output is
//! kept.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::home::Home;
use crate::trouble::Trouble;

/// More than any answer of QMD that is meant.
const LONGEST: usize = 4 << 20;
/// What is kept of its complaints: the last of them.
const COMPLAINT: usize = 300;
const NAP: Duration = Duration::from_millis(5);
/// Where no folder `.qmd` is found on the way up: such a one would take QMD's settings from there.
const NOWHERE: &str = "/";

/// What QMD wrote to its output. `what` is the command in short, for messages.
pub(crate) fn output(
    program: &Path,
    arguments: &[&str],
    home: &Home,
    within: Duration,
) -> Result<String, Trouble> {
    let what = || arguments.first().map_or_else(String::new, |first| (*first).to_owned());
    let mut child = start(program, arguments, home, [Stdio::piped(), Stdio::piped()])?;
    let out = child.stdout.take().map(|pipe| kept(pipe, KeptEnd::First));
    let err = child.stderr.take().map(|pipe| kept(pipe, KeptEnd::Last));
    let ended = wait(&mut child, Instant::now() + within);
    end(&mut child);
    let out = joined(out);
    let err = joined(err);
    let status = match ended {
        Ok(Some(status)) => status,
        Ok(None) => return Err(Trouble::TimedOut { what: what(), after: within }),
        Err(source) => return Err(Trouble::NotStarted { command: program.to_owned(), source }),
    };
    if !status.success() {
        return Err(Trouble::Ended { what: what(), ended: status.to_string(), said: last_words(&err) });
    }
    if out.len() > LONGEST {
        return Err(Trouble::TooMuch { what: what(), limit: LONGEST });
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Starts the program in a group of its own.
pub(crate) fn start(
    program: &Path,
    arguments: &[&str],
    home: &Home,
    [output, complaints]: [Stdio; 2],
) -> Result<Child, Trouble> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(NOWHERE).process_group(0).stdin(Stdio::null());
    command.stdout(output).stderr(complaints);
    command.envs(home.variables()).env("NO_COLOR", "1").env_remove("INDEX_PATH");
    command.spawn().map_err(|source| {
        let command = program.to_owned();
        if source.kind() == io::ErrorKind::NotFound {
            Trouble::Missing { command }
        } else {
            Trouble::NotStarted { command, source }
        }
    })
}

/// None if it is not over by then.
fn wait(child: &mut Child, until: Instant) -> io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        std::thread::sleep(NAP);
    }
}

/// Kills whatever is left of the group, and waits for its first process.
pub(crate) fn end(child: &mut Child) {
    kill_group(Pid::from_child(child));
    // A process that was waited for already is not there any more.
    match child.wait() {
        Ok(_) | Err(_) => {}
    }
}

pub(crate) fn kill_group(group: Pid) {
    // A group that has ended by itself cannot be killed.
    match kill_process_group(group, Signal::KILL) {
        Ok(()) | Err(_) => {}
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum KeptEnd {
    First,
    Last,
}

/// Reads a pipe to its end, so that its writer is never held up, and keeps a part of it.
fn kept(mut pipe: impl Read + Send + 'static, keep: KeptEnd) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        let mut block = vec![0; 64 << 10];
        while let Ok(read @ 1..) = pipe.read(&mut block) {
            match keep {
                KeptEnd::First if kept.len() > LONGEST => {}
                KeptEnd::First => kept.extend_from_slice(&block[..read]),
                KeptEnd::Last => {
                    kept.extend_from_slice(&block[..read]);
                    kept.drain(..kept.len().saturating_sub(4 * COMPLAINT));
                }
            }
        }
        kept
    })
}

fn joined(reader: Option<JoinHandle<Vec<u8>>>) -> Vec<u8> {
    reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
}

/// The last of what was complained about, in one line.
fn last_words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    let line = words.join(" ");
    let from = line.char_indices().rev().nth(COMPLAINT).map_or(0, |(at, _)| at);
    line[from..].trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Stand {
        dir: tempfile::TempDir,
    }

    impl Stand {
        /// A program that stands in for QMD and does what `script` says.
        fn new(script: &str) -> Self {
            let dir = tempfile::tempdir().unwrap();
            let text = dir.path().join("text");
            let program = dir.path().join("qmd");
            mindfile_disk::durable::replace(&text, format!("#!/bin/sh\n{script}\n").as_bytes()).unwrap();
            // A program that another thread's child has open for writing cannot be started.
            let made = Command::new("install").args(["-m", "700"]).args([&text, &program]).status();
            assert!(made.unwrap().success());
            Self { dir }
        }

        fn output(&self, within: Duration) -> Result<String, String> {
            let home = Home::at(self.dir.path());
            let came = output(&self.dir.path().join("qmd"), &["search", "x"], &home, within);
            came.map_err(|trouble| trouble.to_string())
        }
    }

    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn only_its_output_counts_and_not_its_complaints() {
        let said = Stand::new("echo noise >&2; echo '[]'").output(LONG);
        assert_eq!(said, Ok("[]\n".to_owned()));
    }

    #[test]
    fn an_exit_code_is_told_with_its_last_words() {
        let said = Stand::new("echo 'Collection not found: x' >&2; exit 3").output(LONG);
        assert_eq!(said, Err("`qmd search` exit status: 3: Collection not found: x".to_owned()));
    }

    #[test]
    fn what_hangs_is_killed_with_everything_it_started() {
        let stand = Stand::new("sleep 60 & echo $! > \"$XDG_CACHE_HOME/child\"; echo '['; wait");
        std::fs::create_dir_all(stand.dir.path().join("xdg-cache")).unwrap();
        let said = stand.output(Duration::from_millis(500));
        assert_eq!(said, Err("`qmd search` took longer than 500 ms".to_owned()));
        let child = std::fs::read_to_string(stand.dir.path().join("xdg-cache/child")).unwrap();
        let child = Pid::from_raw(child.trim().parse().unwrap()).unwrap();
        let gone = || rustix::process::test_kill_process(child).is_err() || is_zombie(child);
        assert!(
            (0..200).any(|_| gone() || {
                std::thread::sleep(NAP);
                false
            }),
            "the child lives on"
        );
    }

    fn is_zombie(process: Pid) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero()));
        stat.is_ok_and(|stat| stat.contains(") Z "))
    }

    #[test]
    fn a_child_that_keeps_the_pipe_open_does_not_hold_up_the_answer() {
        let said = Stand::new("sleep 60 & echo '[]'").output(LONG);
        assert_eq!(said, Ok("[]\n".to_owned()));
    }

    #[test]
    fn an_answer_without_end_is_refused() {
        let said = Stand::new("yes | head -c 6000000").output(LONG);
        assert_eq!(said, Err(format!("`qmd search` answered with more than {LONGEST} bytes")));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let home = Home::at(Path::new("/nowhere"));
        let said = output(Path::new("/nowhere/qmd"), &["--version"], &home, LONG).map_err(|t| t.to_string());
        assert_eq!(said, Err("/nowhere/qmd was not found".to_owned()));
    }
}
