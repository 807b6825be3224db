//! Files that nobody would call notes. The program ends, in bounded memory, says by name what it left out, and finds
//! the ordinary notes beside them.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mindfile::reconcile::NOTE_LIMIT;
use serde_json::Value;

use crate::cases::{self, Tally};
use crate::child::{self, Outcome};
use crate::hand::Hand;
use crate::tree;
use crate::world::World;

/// Resident memory at its highest, in KiB.
const MOST_MEMORY: u64 = 256 << 10;
const PATIENCE: Duration = Duration::from_secs(300);
const MIB: usize = 1 << 20;

#[test]
fn hostile_files() {
    let world = World::new();
    Hand::new(&world.workspace(), 3).fill(5);
    let memory = world.workspace().join("memory");
    tree::write(&memory.join("ordinary.md"), "# Ordinary\n\nThe quagga sleeps beside the pond.\n");
    // At full length the big ones have 1 GiB and the line 100 MiB.
    let full = cases::variable("MINDFILE_CASES").is_some();
    let expected = make(&memory, full);
    let outcome = index(&world, &[]);
    let report = outcome.json();
    for (path, why) in &expected {
        assert!(says(&report, path, why), "{path} is not reported as {why:?}: {report:#}");
    }
    check(&world, "index", &outcome);
    check(&world, "index again", &index(&world, &[]));
    check(&world, "index --force", &index(&world, &["--force"]));
    odd_texts_are_found(&world);
}

#[test]
fn one_hostile_file_at_a_time() {
    let mut tally = Tally::new("one_hostile_file_at_a_time");
    let full = cases::variable("MINDFILE_CASES").is_some();
    for (name, write) in big_ones(full) {
        let world = World::new();
        let memory = world.workspace().join("memory");
        tree::write(&memory.join("ordinary.md"), "# Ordinary\n\nThe quagga sleeps beside the pond.\n");
        write(&memory.join(name));
        check(&world, name, &index(&world, &[]));
        tally.case();
    }
    tally.say();
}

#[test]
fn a_file_that_may_not_be_read_is_named() {
    let world = World::new();
    let memory = world.workspace().join("memory");
    tree::write(&memory.join("ordinary.md"), "# Ordinary\n\nThe quagga sleeps beside the pond.\n");
    tree::write(&memory.join("secret.md"), "Nobody reads this.\n");
    fs::set_permissions(memory.join("secret.md"), Permissions::from_mode(0o000)).unwrap();
    let outcome = child::run(&mut world.program_of_nobody("state", &["index", "--json"]));
    assert!(outcome.is_ok(), "{outcome:?}");
    assert!(says(&outcome.json(), "memory/secret.md", "ermission denied"), "{outcome:?}");
    let found = child::run(&mut world.program_of_nobody("state", &["search", "--json", "quagga"]));
    assert_eq!(found.json()["results"][0]["path"], "memory/ordinary.md", "{found:?}");
}

fn index(world: &World, more: &[&str]) -> Outcome {
    let arguments = [&["index", "--json"], more].concat();
    child::run_patiently(&mut world.program("state", &arguments), PATIENCE)
}

fn check(world: &World, name: &str, outcome: &Outcome) {
    assert!(outcome.is_ok() && !outcome.hung, "{name}: {outcome:?}");
    println!(
        "hostile_files: {name}: {} MiB at most, {:.1} s",
        outcome.peak_kib >> 10,
        outcome.took.as_secs_f64()
    );
    assert!(outcome.peak_kib < MOST_MEMORY, "{name}: {} MiB", outcome.peak_kib >> 10);
    let found = child::run(&mut world.program("state", &["search", "--json", "where does the quagga sleep"]));
    assert!(found.is_ok() && found.json()["results"][0]["path"] == "memory/ordinary.md", "{name}: {found:?}");
    println!(
        "hostile_files: {name}: search {} MiB at most, {:.2} s",
        found.peak_kib >> 10,
        found.took.as_secs_f64()
    );
    assert!(found.peak_kib < MOST_MEMORY, "{name}: search: {} MiB", found.peak_kib >> 10);
}

fn says(report: &Value, path: &str, why: &str) -> bool {
    let left = ["skipped", "problems"].iter().filter_map(|list| report[list].as_array()).flatten();
    left.filter(|left| left["path"].as_str().is_some_and(|found| found == path))
        .any(|left| left["reason"].as_str().is_some_and(|reason| reason.contains(why)))
}

type Maker = (&'static str, Box<dyn Fn(&Path)>);

/// Big files of every shape.
fn big_ones(full: bool) -> Vec<Maker> {
    let (big, line) = if full { (1024 * MIB, 100 * MIB) } else { (17 * MIB, 2 * MIB) };
    let repeat = |piece: &'static [u8], size: usize| move |path: &Path| fill(path, piece, size);
    vec![
        ("sparse.md", Box::new(move |path: &Path| sparse(path, big))),
        (
            "text.md",
            Box::new(repeat(
                b"The rate limit of the api is a hundred requests a minute, says Tomasz.\n",
                big,
            )),
        ),
        ("line.md", Box::new(repeat(b"one line without an end ", line))),
        ("word.md", Box::new(repeat(b"x", line))),
        ("headings.md", Box::new(repeat(b"# h\n", line))),
        ("lists.md", Box::new(repeat(b"- W @a: b\n", line))),
        ("breaks.md", Box::new(repeat(b"\n", line))),
        ("quotes.md", Box::new(repeat(b">", line))),
        ("fences.md", Box::new(repeat(b"```\n", line))),
        ("distinct.md", Box::new(move |path: &Path| distinct(path, line))),
        ("invalid.md", Box::new(repeat(b"\xff\xfe\x80", line))),
        ("nul.md", Box::new(repeat(b"\0a", line))),
        ("han.md", Box::new(repeat("検索と記憶".as_bytes(), line))),
    ]
}

/// Makes everything in the folder, and says which path must be reported, and with which word.
fn make(memory: &Path, full: bool) -> Vec<(String, &'static str)> {
    let mut expected = Vec::new();
    for (name, write) in big_ones(full).into_iter().take(3) {
        let path = memory.join(name);
        write(&path);
        if fs::metadata(&path).unwrap().len() > NOTE_LIMIT {
            expected.push((format!("memory/{name}"), "bytes"));
        }
    }
    texts(memory);
    expected.extend(specials(memory));
    expected.extend(names(memory));
    expected
}

/// Odd, but text: all of it is indexed.
fn texts(memory: &Path) {
    tree::write(&memory.join("crlf.md"), "# Windows\r\n\r\nThe okapi left.\r\n");
    tree::write(&memory.join("bom.md"), "\u{feff}# Mark\n\nThe tapir stayed.\n");
    tree::write(&memory.join("nul-inside.md"), b"The dugong\0swims.\n");
    tree::write(&memory.join("broken.md"), b"The \xff\xfe numbat \xc3\x28 digs.\n");
    let wide: Vec<u8> =
        "\u{feff}# Wide\n\nThe axolotl grows.\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    tree::write(&memory.join("utf16.md"), wide);
    tree::write(&memory.join("empty.md"), "");
}

fn odd_texts_are_found(world: &World) {
    for (word, name) in [
        ("okapi", "memory/crlf.md"),
        ("tapir", "memory/bom.md"),
        ("dugong", "memory/nul-inside.md"),
        ("numbat", "memory/broken.md"),
        ("axolotl", "memory/utf16.md"),
    ] {
        let found = child::run(&mut world.program("state", &["search", "--json", "--mode", "keyword", word]));
        assert_eq!(found.json()["results"][0]["path"], name, "{word}: {found:?}");
    }
}

fn specials(memory: &Path) -> Vec<(String, &'static str)> {
    assert!(Command::new("mkfifo").arg(memory.join("fifo.md")).status().unwrap().success());
    drop(UnixListener::bind(memory.join("socket.md")).unwrap());
    fs::create_dir(memory.join("folder.md")).unwrap();
    symlink(memory, memory.join("loop")).unwrap();
    symlink("self.md", memory.join("self.md")).unwrap();
    symlink("nowhere.md", memory.join("dangling.md")).unwrap();
    symlink("/etc/passwd", memory.join("outside.md")).unwrap();
    let mut expected: Vec<(String, &'static str)> = ["loop", "self.md", "dangling.md", "outside.md"]
        .map(|name| (format!("memory/{name}"), "link"))
        .into();
    expected.push(("memory/fifo.md".to_owned(), "FIFO"));
    expected.push(("memory/socket.md".to_owned(), "socket"));
    expected
}

/// Names and depths that are hard to say.
fn names(memory: &Path) -> Vec<(String, &'static str)> {
    tree::write(&memory.join("new\nline.md"), "The kakapo booms.\n");
    tree::write(&memory.join(OsStr::from_bytes(b"not-\xff-utf8.md")), "hidden\n");
    let deep: PathBuf = std::iter::repeat_n("d", 200).collect();
    tree::write(&memory.join(deep).join("deepest.md"), "hidden\n");
    let at_limit: PathBuf = std::iter::repeat_n("d", 63).collect();
    vec![
        ("memory/not-\u{fffd}-utf8.md".to_owned(), "UTF-8"),
        (format!("memory/{}/d", at_limit.display()), "deep"),
    ]
}

fn sparse(path: &Path, size: usize) {
    File::create(path).unwrap().set_len(size as u64).unwrap();
}

fn fill(path: &Path, piece: &[u8], size: usize) {
    let block = piece.repeat(MIB / piece.len() + 1);
    let mut file = File::create(path).unwrap();
    let mut left = size;
    while left > 0 {
        let part = left.min(block.len());
        file.write_all(&block[..part]).unwrap();
        left -= part;
    }
}

/// Every word another one: the worst for a table of terms.
fn distinct(path: &Path, size: usize) {
    let mut file = std::io::BufWriter::new(File::create(path).unwrap());
    for number in 0..size / 12 {
        write!(file, "w{number:09}{}", if number % 10 == 9 { "\n" } else { " " }).unwrap();
    }
}
