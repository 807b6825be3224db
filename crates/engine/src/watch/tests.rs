//! When a change is announced, and what is one, without a clock and without files.

use std::path::Path;

use notify::event::{AccessKind, CreateKind, DataChange, Flag, ModifyKind, RemoveKind, RenameMode};
use notify::{Event as Raw, EventKind};

use super::signal::classify;
use super::*;

fn second(start: Instant, seconds: f64) -> Instant {
    start + Duration::from_secs_f64(seconds)
}

fn due(start: Instant) -> Due {
    let late = second(start, 1e6);
    Due { scan: late, arm: late, settled: None }
}

#[test]
fn a_change_is_announced_when_it_has_been_quiet() {
    let start = Instant::now();
    let timing = Timing::default();
    let mut due = due(start);
    due.unrest(start, None);
    due.unrest(second(start, 1.0), Some(Rescan::Folders));
    due.unrest(second(start, 1.2), None);
    assert_eq!(due.take_settled(&timing, second(start, 2.6)), None);
    let settled = due.take_settled(&timing, second(start, 2.7)).unwrap();
    assert_eq!(settled.rescan, Some(Rescan::Folders));
    assert_eq!(due.take_settled(&timing, second(start, 99.0)), None);
}

#[test]
fn a_storm_of_saves_is_announced_although_it_is_never_quiet() {
    let start = Instant::now();
    let timing = Timing::default();
    let mut due = due(start);
    let mut announced = Vec::new();
    for step in 0..600 {
        let now = second(start, f64::from(step) * 0.05);
        due.unrest(now, None);
        announced.extend(due.take_settled(&timing, now).map(|_| step / 20));
    }
    assert_eq!(announced, [10, 20]);
}

#[test]
fn sleep_ends_when_something_is_due_and_never_lasts_long() {
    let start = Instant::now();
    let timing = Timing::default();
    let mut due = due(start);
    assert_eq!(due.wait(&timing, start), NAP);
    due.unrest(start, None);
    assert_eq!(due.wait(&timing, second(start, 1.4)), Duration::from_millis(100));
    assert_eq!(due.wait(&timing, second(start, 3.0)), Duration::ZERO);
}

fn check(kind: EventKind, paths: &[&str], expected: Option<Signal>) {
    let event = paths.iter().fold(Raw::new(kind), |event, path| event.add_path(path.into()));
    assert_eq!(classify(Path::new("/ws"), &event), expected, "{event:?}");
}

#[test]
fn only_what_may_concern_notes_is_a_signal() {
    let write = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    let rename = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
    let folder = EventKind::Create(CreateKind::Folder);
    check(write, &["/ws/memory/a.md"], Some(Signal::Change));
    check(write, &["/ws/MEMORY.md"], Some(Signal::Change));
    check(write, &["/elsewhere/.notes/a.md"], Some(Signal::Change));
    check(EventKind::Remove(RemoveKind::File), &["/ws/bank/world.md"], Some(Signal::Change));
    check(rename, &["/ws/memory/.a.md.swp", "/ws/memory/a.md"], Some(Signal::Change));
    check(rename, &["/ws/memory/folder", "/ws/memory/other"], Some(Signal::Folders));
    check(folder, &["/ws/memory/new"], Some(Signal::Folders));
    check(folder, &["/ws/memory"], Some(Signal::Folders));
    check(EventKind::Remove(RemoveKind::Folder), &["/ws"], Some(Signal::Folders));
    check(EventKind::Access(AccessKind::Any), &["/ws/memory/a.md"], None);
    check(write, &["/ws/README.md"], None);
    check(write, &["/ws/SOUL.md"], None);
    check(folder, &["/ws/target"], None);
    check(folder, &["/ws/memory/.git"], None);
    check(write, &["/ws/memory/.git/x.md"], None);
    check(write, &["/ws/memory/a.md~"], None);
    check(write, &["/ws/memory/a.md.swp"], None);
    check(EventKind::Create(CreateKind::File), &["/ws/memory/4913"], None);
    check(write, &["/ws/memory/.mindfile-part-1-1"], None);
}

#[test]
fn an_overflow_is_a_signal_without_a_path() {
    let event = Raw::new(EventKind::Other).set_flag(Flag::Rescan);
    assert_eq!(classify(Path::new("/ws"), &event), Some(Signal::Overflow));
}
