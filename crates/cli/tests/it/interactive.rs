//! `mindfile search --interactive`, in a terminal of its own.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use crate::home::Home;

/// A terminal with the program in it.
struct Screen {
    keys: File,
    slave: OwnedFd,
    shown: Receiver<Vec<u8>>,
    seen: String,
    child: Child,
    before: Termios,
}

impl Screen {
    fn new(home: &Home, words: &[&str], env: &[(&str, &str)]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
        tcsetwinsize(&slave, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
        let before = tcgetattr(&slave).unwrap();
        let end = || Stdio::from(slave.try_clone().unwrap());
        let mut command = home.command(words);
        command.envs(env.iter().copied()).stdin(end()).stdout(end()).stderr(end());
        let child = command.spawn().unwrap();
        drop(command);
        let keys = File::from(master);
        let mut reader = keys.try_clone().unwrap();
        let (tell, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read) = reader.read(&mut bytes) {
                if read == 0 || tell.send(bytes[..read].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { keys, slave, shown, seen: String::new(), child, before }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen has shown something.
    fn until(&mut self, wanted: &str) {
        let began = Instant::now();
        while !self.seen.contains(wanted) {
            assert!(began.elapsed() < Duration::from_secs(60), "{wanted:?} was not shown: {:?}", self.seen);
            if let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(200)) {
                self.seen.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
    }

    /// Waits for the end: the terminal is as it was.
    fn end(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        self.until("\u{1b}[?1049l");
        while let Ok(bytes) = self.shown.recv_timeout(Duration::from_millis(200)) {
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
        let after = tcgetattr(&self.slave).unwrap();
        assert_eq!(after.local_modes, self.before.local_modes, "the terminal is left as it was");
        assert_eq!(after.input_modes, self.before.input_modes);
        let last = self.seen.rsplit("\u{1b}[?1049l").next().unwrap().to_owned();
        (status.code(), last)
    }
}

#[test]
fn typing_searches_and_enter_prints_the_citation() {
    let home = Home::new();
    let mut screen = Screen::new(&home, &["search", "--interactive"], &[("TERM", "xterm")]);
    screen.until("type to search");
    screen.press("rate limit");
    screen.until("memory/api.md#L");
    screen.until("100 requests per minute");
    screen.press("\r");
    let (code, last) = screen.end();
    assert_eq!(code, Some(0));
    assert!(last.contains("memory/api.md#L"), "{last:?}");
}

#[test]
fn enter_opens_the_note_at_its_line_in_the_editor() {
    let home = Home::new();
    let editor = home.path().join("editor");
    crate::home::write(&editor, b"#!/bin/sh\necho \"edited $1 $2\"\n");
    std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    let env = [("TERM", "xterm"), ("EDITOR", editor.to_str().unwrap())];
    let mut screen = Screen::new(&home, &["search", "-i", "train tickets"], &env);
    screen.until("blue folder");
    screen.press("\r");
    let (code, last) = screen.end();
    assert_eq!(code, Some(0));
    assert!(last.contains("edited +") && last.contains("memory/trip.md"), "{last:?}");
}

#[test]
fn escape_control_c_and_a_signal_leave_the_terminal_as_it_was() {
    let home = Home::new();
    for keys in ["\u{1b}", "\u{3}"] {
        let mut screen = Screen::new(&home, &["search", "-i"], &[("TERM", "xterm")]);
        screen.until("type to search");
        screen.press(keys);
        assert_eq!(screen.end().0, Some(0));
    }
    let mut screen = Screen::new(&home, &["search", "-i"], &[("TERM", "xterm")]);
    screen.until("type to search");
    let pid = Pid::from_child(&screen.child);
    kill_process(pid, Signal::TERM).unwrap();
    screen.end();
}

#[test]
fn without_a_terminal_it_is_the_callers_mistake() {
    let came = Home::new().run(&["search", "--interactive"]);
    assert_eq!(came.code, 2);
    assert!(came.err.starts_with("error: --interactive needs a terminal"), "{came:?}");
}
