//! The watcher on a real file system: what is done to the notes is announced within a bounded time.

use std::fs;
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use mindfile::config::SwitchedOff;
use mindfile::ingest::neighbour;
use mindfile::lookout::{Blind, Lookout};
use mindfile::watch::{self, Event, Rescan, Timing};
use mindfile::workspace::{Extra, Workspace};
use mindfile::{Memory, search};
use mindfile_index::{Batch, CENSUS, Change, Index};
use tempfile::TempDir;

use crate::world::World;

const QUICK: Timing = Timing {
    watches: true,
    debounce: Duration::from_millis(50),
    longest: Duration::from_millis(500),
    poll: Duration::from_millis(200),
    sweep: Duration::from_secs(3600),
};
/// Far beyond what an announcement takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs `act` beside a watcher of `home/ws` and of the folder `home/extra`.
fn beside(timing: &Timing, act: impl FnOnce(&Path, &Receiver<Event>)) {
    let home = TempDir::new().unwrap();
    fs::create_dir_all(home.path().join("ws/memory")).unwrap();
    let extras = [Extra { path: "../extra".into(), pattern: None }];
    let workspace = Workspace::open(&home.path().join("ws"), &extras).unwrap();
    let (stop, (sender, events)) = (AtomicBool::new(false), channel());
    std::thread::scope(|scope| {
        let _end = StopAtEnd(&stop);
        scope.spawn(|| {
            watch::run(&workspace, &Lookout::default(), timing, &stop, move |event| {
                sender.send(event).unwrap()
            })
        });
        assert_eq!(next(&events), Event::Rescan { reason: Rescan::Started });
        act(home.path(), &events);
    });
}

/// Ends the watcher when the test ends, also when it fails.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn drain(events: &Receiver<Event>) {
    while events.recv_timeout(Duration::from_millis(400)).is_ok() {}
}

fn put(path: &Path) {
    let mut file = fs::File::create(path).unwrap();
    std::io::Write::write_all(&mut file, b"x").unwrap();
}

fn next(events: &Receiver<Event>) -> Event {
    events.recv_timeout(PATIENCE).unwrap()
}

fn silent(events: &Receiver<Event>) -> bool {
    events.recv_timeout(Duration::from_millis(600)).is_err()
}

#[test]
fn a_new_changed_renamed_or_removed_note_is_announced_once() {
    beside(&QUICK, |home, events| {
        let (a, b) = (home.join("ws/memory/a.md"), home.join("ws/memory/b.md"));
        let steps: [&dyn Fn(); 5] = [
            &|| put(&a),
            &|| put(&a),
            &|| fs::rename(&a, &b).unwrap(),
            &|| fs::remove_file(&b).unwrap(),
            &|| put(&home.join("ws/MEMORY.md")),
        ];
        for step in steps {
            step();
            assert_eq!(next(events), Event::Look);
            assert!(silent(events));
        }
    });
}

#[test]
fn reading_hidden_files_and_files_of_other_kinds_are_not_announced() {
    beside(&QUICK, |home, events| {
        put(&home.join("ws/memory/first.md"));
        drain(events);
        fs::read(home.join("ws/memory/first.md")).unwrap();
        put(&home.join("ws/memory/.first.md.swp"));
        put(&home.join("ws/memory/4913"));
        put(&home.join("ws/memory/first.md~"));
        put(&home.join("ws/README.md"));
        Workspace::open(&home.join("ws"), &[]).unwrap().scan().unwrap();
        assert!(silent(events));
    });
}

#[test]
fn a_file_in_a_new_folder_is_announced_as_a_rescan() {
    beside(&QUICK, |home, events| {
        let deep = home.join("ws/memory/new/er");
        fs::create_dir_all(&deep).unwrap();
        put(&deep.join("a.md"));
        assert_eq!(next(events), Event::Rescan { reason: Rescan::Folders });
        drain(events);
        put(&deep.join("b.md"));
        assert_eq!(next(events), Event::Look);
    });
}

#[test]
fn folders_that_appear_later_are_watched() {
    beside(&QUICK, |home, events| {
        for folder in ["ws/bank", "extra"] {
            fs::create_dir(home.join(folder)).unwrap();
            assert_eq!(next(events), Event::Rescan { reason: Rescan::Folders });
            drain(events);
            put(&home.join(folder).join("a.md"));
            assert_eq!(next(events), Event::Look);
            drain(events);
        }
    });
}

#[test]
fn a_workspace_that_goes_and_comes_back_is_watched_again() {
    beside(&QUICK, |home, events| {
        fs::rename(home.join("ws"), home.join("away")).unwrap();
        assert_eq!(next(events), Event::Rescan { reason: Rescan::Folders });
        drain(events);
        fs::create_dir_all(home.join("ws/memory")).unwrap();
        assert_eq!(next(events), Event::Rescan { reason: Rescan::Folders });
        drain(events);
        put(&home.join("ws/memory/a.md"));
        assert_eq!(next(events), Event::Look);
    });
}

#[test]
fn what_no_event_told_is_found_by_the_sweep() {
    let timing = Timing { debounce: Duration::from_secs(3600), longest: Duration::from_secs(3600), ..QUICK };
    let timing = Timing { sweep: Duration::from_millis(300), ..timing };
    beside(&timing, |home, events| {
        put(&home.join("ws/memory/a.md"));
        assert_eq!(next(events), Event::Look);
        assert!(silent(events));
    });
}

#[test]
fn where_nothing_is_to_be_watched_changes_are_found_by_the_sweep_alone() {
    beside(&Timing { watches: false, ..QUICK }, |home, events| {
        put(&home.join("ws/memory/a.md"));
        assert!(silent(events));
    });
    beside(&Timing { watches: false, sweep: Duration::from_millis(100), ..QUICK }, |home, events| {
        put(&home.join("ws/memory/a.md"));
        assert_eq!(next(events), Event::Look);
    });
}

#[test]
fn the_settings_say_whether_and_how_notes_are_watched() {
    let mut world = World::new(&[]);
    let mut told = |watch: bool, minutes: u64, off: bool| {
        world.settings.sync.watch = watch;
        world.settings.sync.interval = Some(Duration::from_secs(60 * minutes)).filter(|time| !time.is_zero());
        world.settings.off = off.then(|| SwitchedOff { on: ("enabled", "true"), why: String::new() });
        watch::timing(&world.settings).map(|timing| (timing.watches, timing.sweep.as_secs() / 60))
    };
    assert_eq!(told(true, 0, false), Some((true, 1)));
    assert_eq!(told(true, 5, false), Some((true, 5)));
    assert_eq!(told(false, 5, false), Some((false, 5)));
    assert_eq!(told(false, 0, false), None);
    assert_eq!(told(true, 5, true), None, "a memory that is off watches nothing");
}

#[test]
fn without_watches_changes_are_found_by_scanning_and_that_is_said() {
    let home = TempDir::new().unwrap();
    fs::create_dir(home.path().join("memory")).unwrap();
    let exe = std::env::current_exe().unwrap();
    let mut child = std::process::Command::new(exe);
    child
        .args(["watch::watch_with_few_descriptors", "--exact", "--ignored", "--quiet"])
        .current_dir(home.path());
    assert!(child.stdout(std::process::Stdio::null()).status().unwrap().success());
    assert!(home.path().join("memory/a.md").exists());
}

#[test]
#[ignore = "runs in a process that `without_watches_changes_are_found_by_scanning_and_that_is_said` starts"]
fn watch_with_few_descriptors() {
    if !Path::new("memory").exists() {
        return;
    }
    let workspace = Workspace::open(".".as_ref(), &[]).unwrap();
    let (stop, (sender, events)) = (AtomicBool::new(false), channel());
    // Enough to scan, too few to watch: two descriptors more.
    let is_free = |number: &u64| !Path::new("/proc/self/fd").join(number.to_string()).exists();
    let limit = (0..).filter(is_free).nth(2);
    let limit = rustix::process::Rlimit { current: limit, maximum: limit };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
    std::thread::scope(|scope| {
        let _end = StopAtEnd(&stop);
        scope.spawn(|| {
            watch::run(&workspace, &Lookout::default(), &QUICK, &stop, move |event| {
                sender.send(event).unwrap()
            })
        });
        let Event::Degraded { reason } = next(&events) else { panic!("it is not said") };
        let says =
            "files cannot be watched (Too many open files (os error 24)); they are scanned every few seconds";
        assert_eq!(reason.to_string(), says);
        assert_eq!(next(&events), Event::Rescan { reason: Rescan::Started });
        put(Path::new("memory/a.md"));
        assert_eq!(next(&events), Event::Look);
    });
}

#[test]
fn a_storm_of_saves_is_announced_a_few_times_only() {
    beside(&QUICK, |home, events| {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(2) {
            put(&home.join("ws/memory/a.md"));
        }
        drain(events);
        let mut announced = 0;
        put(&home.join("ws/memory/a.md"));
        while events.recv_timeout(Duration::from_secs(1)).is_ok() {
            announced += 1;
        }
        assert_eq!(announced, 1);
    });
}

/// Runs `act` beside a watch that indexes nothing by itself.
fn watched(world: &World, act: impl FnOnce(&Memory)) {
    let memory = world.memory();
    let workspace = memory.workspace().unwrap();
    let (stop, (sender, events)) = (AtomicBool::new(false), channel());
    std::thread::scope(|scope| {
        let _end = StopAtEnd(&stop);
        let on = move |event| drop(sender.send(event));
        scope.spawn(|| watch::run(&workspace, &memory.lookout, &QUICK, &stop, on));
        assert_eq!(next(&events), Event::Rescan { reason: Rescan::Started });
        act(&memory);
    });
}

fn places(memory: &Memory, words: &str) -> Vec<String> {
    let found = memory.search(&search::Request::new(words), None).unwrap().answer.hits;
    found.into_iter().map(|hit| hit.path).collect()
}

/// A walk of all notes writes it anew.
fn spoil_census(world: &World) {
    let census = Change::Meta { key: CENSUS.to_owned(), value: "spoilt".to_owned() };
    world.open_index().apply(&Batch { changes: vec![census], ..Batch::default() }).unwrap();
}

fn is_spoilt(world: &World) -> bool {
    world.open_index().meta(CENSUS).unwrap().as_deref() == Some("spoilt")
}

#[test]
fn while_notes_are_watched_a_question_walks_none_and_finds_what_was_saved_a_moment_ago() {
    let world = World::new(&[("memory/a.md", "# Tea\n\nGreen tea at noon.\n")]);
    watched(&world, |memory| {
        assert_eq!(places(memory, "tea"), ["memory/a.md"]);
        assert_eq!(memory.lookout.blind(), None);
        spoil_census(&world);
        assert_eq!(places(memory, "tea"), ["memory/a.md"]);
        assert!(is_spoilt(&world), "all notes were walked");
        world.save("memory/b.md", b"# Coffee\n\nBlack coffee at nine.\n");
        assert_eq!(places(memory, "coffee")[0], "memory/b.md");
        world.save("memory/b.md", b"# Milk\n\nOat milk at ten.\n");
        assert_eq!(places(memory, "oat milk")[0], "memory/b.md");
        fs::remove_file(world.note("memory/b.md")).unwrap();
        assert!(!places(memory, "oat milk").contains(&"memory/b.md".to_owned()));
    });
}

#[test]
fn without_a_watch_every_question_walks_the_notes() {
    let world = World::new(&[("memory/a.md", "# Tea\n\nGreen tea at noon.\n")]);
    let memory = world.memory();
    assert_eq!(places(&memory, "tea"), ["memory/a.md"]);
    spoil_census(&world);
    assert_eq!(places(&memory, "tea"), ["memory/a.md"]);
    assert!(!is_spoilt(&world));
    assert_eq!(memory.lookout.blind(), Some(Blind::Unwatched));
}

#[test]
fn an_index_that_somebody_made_again_is_compared_with_the_notes() {
    let world = World::new(&[("memory/a.md", "# Tea\n\nGreen tea at noon.\n")]);
    watched(&world, |memory| {
        assert_eq!(places(memory, "tea"), ["memory/a.md"]);
        world.memory().rebuild(&mut |_| ControlFlow::Continue(())).unwrap();
        spoil_census(&world);
        assert_eq!(places(memory, "tea"), ["memory/a.md"]);
        assert!(!is_spoilt(&world), "nothing was compared");
    });
}

#[test]
fn a_process_that_watches_tells_another_that_the_index_agrees() {
    let world = World::new(&[("memory/a.md", "# Tea\n\nGreen tea at noon.\n")]);
    watched(&world, |memory| {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let _end = StopAtEnd(&stop);
            scope.spawn(|| neighbour::tell(memory, &stop).unwrap());
            let socket = world.at("memory/main.watch.sock");
            let began = Instant::now();
            while !socket.exists() && began.elapsed() < PATIENCE {
                std::thread::yield_now();
            }
            assert_eq!(places(memory, "tea"), ["memory/a.md"]);
            spoil_census(&world);
            assert_eq!(places(&world.memory(), "tea"), ["memory/a.md"]);
            assert!(is_spoilt(&world), "the other process walked the notes");
            world.save("memory/b.md", b"# Coffee\n\nBlack coffee at nine.\n");
            assert_eq!(places(&world.memory(), "coffee")[0], "memory/b.md");
            assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o600);
        });
    });
    assert!(!world.at("memory/main.watch.sock").exists());
}
