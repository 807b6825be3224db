//! The machine stops at any moment of a run of commands, and its disk has lost what it may lose ([`crate::disk`]). After the
//! next run everything that was acknowledged is there once, at most the line that was being added is torn, nothing that was
//! forgotten is back, and what is private can be read.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use mindfile::config::{self, Flags, Overrides};
use mindfile::{Memory, config::Env};

use crate::cases::{self, Tally};
use crate::child;
use crate::disk::{self, Disk, Step};
use crate::random::Random;
use crate::shim;
use crate::tree;
use crate::world::{self, Ahead, World};

/// Images that are made of the trace of one run of commands.
const IMAGES: usize = 40;

/// What holds once a command was answered.
#[derive(Debug, Clone)]
enum Promise {
    /// A fact with this id stands in a note, and says this.
    Fact { id: String, says: String },
    /// No file has this word.
    Forgotten(String),
    /// A conversation has this turn.
    Turn(String),
    /// A private note says this.
    Private(String),
    /// Nothing but what held before.
    Same,
}

struct Command {
    words: Vec<String>,
    promise: Promise,
}

fn command(words: &[&str], promise: Promise) -> Command {
    Command { words: words.iter().map(|word| (*word).to_owned()).collect(), promise }
}

/// A run of every command that changes what is kept, with words of its own.
fn script(world: &World, random: &mut Random) -> Vec<Command> {
    let n = random.next() % 100_000;
    let says = |what: &str| format!("The {what} of number {n} is {what}{n}x");
    let fact = |id: &str, says: &str| Promise::Fact { id: id.to_owned(), says: says.to_owned() };
    let export = world.path("export.json");
    let imported = format!(
        "{{\"results\":[{{\"id\":\"m1\",\"memory\":\"{}\",\"created_at\":\"2026-11-01T10:00:00Z\"}}]}}",
        says("import")
    );
    tree::write(&export, imported);
    let retain = |id: &str| command(&["retain", &says(id), "--id", id, "--force"], fact(id, &says(id)));
    let turn = |what: &str| {
        let said = format!("We decided that {}", says(what));
        command(
            &["session", "append", "--session", "s1", "--role", "user", &said],
            Promise::Turn(said.clone()),
        )
    };
    let mut all = vec![retain("alpha"), retain("beta"), turn("harbour"), retain("gamma"), retain("delta")];
    let mut later = vec![
        command(&["edit", "alpha", "--text", &says("reworded")], fact("alpha", &says("reworded"))),
        command(
            &["retain", &says("dark"), "--key", "editor.theme", "--id", "key1"],
            fact("key1", &says("dark")),
        ),
        command(
            &["forget", "--query", &format!("beta{n}x"), "--yes"],
            Promise::Forgotten(format!("beta{n}x")),
        ),
        command(&["delete", "gamma", "--yes"], Promise::Forgotten(format!("gamma{n}x"))),
        turn("lighthouse"),
        command(&["session", "flush", "--session", "s1"], Promise::Same),
        command(&["session", "compact", "--session", "s1"], Promise::Same),
        command(&["import", "mem0", export.to_str().unwrap()], Promise::Same),
        command(
            &["retain", &says("vault"), "--sensitivity", "high", "--id", "safe"],
            Promise::Private(says("vault")),
        ),
        command(&["encrypt", "memory/medical.md"], Promise::Private("The canary sings of quartz".to_owned())),
        command(&["reflect"], Promise::Same),
        retain("epsilon"),
    ];
    while !later.is_empty() {
        all.push(later.swap_remove(random.below(later.len())));
    }
    all.push(command(&["rekey"], Promise::Same));
    all.push(retain("omega"));
    all
}

/// What a run of commands did to the disk, and what was promised when.
struct Story {
    world: World,
    start: Disk,
    steps: Vec<Step>,
    /// After how many steps a promise was made, and the first step of the command that made it.
    promised: Vec<(usize, usize, Promise)>,
    /// Every line that a note ever had.
    lines: BTreeSet<String>,
}

impl Story {
    fn of(seed: u64, library: &Path) -> Self {
        let (world, mut random) = (World::new(), Random::new(seed));
        let (home, trace) = (world.path("home"), world.path("trace"));
        let medical = "# Medical\n\nThe canary sings of quartz\n";
        tree::write(&home.join("workspace/memory/medical.md"), medical);
        tree::write(&home.join("workspace/MEMORY.md"), "# Mine\n\nA line of my own\n");
        let script = script(&world, &mut random);
        let start = Disk::of(&home);
        let (mut promised, mut lines) = (Vec::new(), lines_of(&home.join("workspace")));
        let mut before = 0;
        for Command { words, promise } in script {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut command = std::process::Command::new(world.program("state", &[]).get_program());
            command.env_clear().env("HOME", &home).env("TZ", "UTC").args(&words);
            command.arg("--workspace").arg(home.join("workspace")).arg("--state-dir").arg(home.join("state"));
            shim::trace(&mut command, library, &home, &trace);
            let outcome = child::run(&mut command);
            assert!(outcome.is_ok(), "seed {seed}: {words:?}: {outcome:?}");
            let after = disk::steps(&std::fs::read(&trace).unwrap()).len();
            promised.push((after, before, promise));
            before = after;
            lines.extend(lines_of(&home.join("workspace")));
        }
        let steps = disk::steps(&std::fs::read(&trace).unwrap());
        Self { world, start, steps, promised, lines }
    }

    /// The disk as it may be found after so many steps.
    fn crash(&self, at: usize, random: &mut Random) -> PathBuf {
        let mut disk = self.start.clone();
        self.steps[..at].iter().for_each(|step| disk.apply(step));
        let image = self.world.path("image");
        world::remove(&image);
        disk.crash(random, &image);
        image
    }

    /// What is wrong with an image after the next run.
    fn check(&self, at: usize, image: &Path) -> Result<(), String> {
        let memory = memory(image);
        memory.sync(&mut |_| ControlFlow::Continue(())).map_err(|error| format!("the next run: {error}"))?;
        let kept =
            mindfile::retain::Request { force: true, ..mindfile::retain::Request::new("The morning after") };
        memory.retain(&kept).map_err(|error| format!("the next fact: {error}"))?;
        let notes = lines_in_order(&image.join("workspace"));
        let held = self.promised.iter().enumerate().filter(|(_, (made, _, _))| *made <= at);
        let said_later = |number: usize, wanted: &str| {
            let later = self.promised[number + 1..].iter().filter(|(_, began, _)| *began < at);
            later
                .filter(|(_, _, promise)| matches!(promise, Promise::Fact { id, .. } if id == wanted))
                .count()
                > 0
        };
        let gone: Vec<&String> = self.gone(at).collect();
        for (number, (_, _, promise)) in held {
            match promise {
                Promise::Fact { id, says } => {
                    let found: Vec<&String> =
                        notes.iter().filter(|line| line.ends_with(&format!("^{id}"))).collect();
                    let is_gone = gone.iter().any(|word| says.contains(*word));
                    match found[..] {
                        [] if is_gone => {}
                        [line] if line.contains(says) || said_later(number, id) => {}
                        _ => return Err(format!("{id} ({says}) stands as {found:?}")),
                    }
                }
                Promise::Forgotten(word) => no_byte_of(image, word)?,
                Promise::Turn(said) => {
                    let all = std::fs::read_to_string(image.join("state/agents/main/sessions/s1.jsonl"));
                    let times = all.map_err(|error| error.to_string())?.matches(said.as_str()).count();
                    if times == 0 {
                        return Err(format!("the turn {said:?} is lost"));
                    }
                }
                Promise::Private(says) => self.is_readable(&memory, says)?,
                Promise::Same => {}
            }
        }
        let is_own =
            |line: &str| line.is_empty() || line.starts_with('#') || line.contains("The morning after");
        let strange: Vec<&String> =
            notes.iter().filter(|line| !self.lines.contains(*line) && !is_own(line)).collect();
        let is_part = |line: &&String| self.lines.iter().any(|whole| whole.contains(line.trim_matches('\0')));
        // Of a line that was being added, the disk may have some sectors; of a note that was being encrypted, zeros.
        let (parts, others): (Vec<&String>, Vec<&String>) = strange.into_iter().partition(is_part);
        match (&parts[..], &others[..]) {
            ([] | [_], []) => Ok(()),
            (_, [line, ..]) => Err(format!("nobody wrote {line:?}")),
            (several, []) => Err(format!("more than one line is torn: {several:?}")),
        }
    }

    /// What a forgetting that has begun may have taken already.
    fn gone(&self, at: usize) -> impl Iterator<Item = &String> {
        let begun = self.promised.iter().filter(move |(_, began, _)| *began < at);
        begun.filter_map(|(_, _, promise)| match promise {
            Promise::Forgotten(word) => Some(word),
            Promise::Fact { .. } | Promise::Turn(_) | Promise::Private(_) | Promise::Same => None,
        })
    }

    fn is_readable(&self, memory: &Memory, says: &str) -> Result<(), String> {
        let workspace = memory.workspace().map_err(|error| error.to_string())?;
        let private = workspace.private_notes().map_err(|error| error.to_string())?;
        let texts: Result<Vec<_>, _> =
            private.iter().map(|note| workspace.read(&note.path, 1 << 20)).collect();
        let texts = texts.map_err(|error| format!("{error} of {:?}", self.world.path("image")))?;
        let found = texts.iter().any(|read| String::from_utf8_lossy(&read.bytes).contains(says));
        if found { Ok(()) } else { Err(format!("{says:?} is in no private note")) }
    }
}

/// By the owner's own door.
fn memory(image: &Path) -> Memory {
    let flags = Flags {
        state_dir: Some(image.join("state")),
        workspace: Some(image.join("workspace")),
        ..Flags::default()
    };
    let overrides =
        Overrides { flags, env: Env::default(), home: Some(image.to_owned()), cwd: image.to_owned() };
    let settings = config::load(&overrides).unwrap().settings;
    Memory::new(settings, Box::new(Ahead(SignedDuration::ZERO))).through(mindfile::origin::Door::Terminal)
}

fn lines_of(workspace: &Path) -> BTreeSet<String> {
    lines_in_order(workspace).into_iter().collect()
}

/// The lines of every note in clear.
fn lines_in_order(workspace: &Path) -> Vec<String> {
    let notes =
        tree::of(workspace).into_iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "md"));
    let visible = notes.filter(|(path, _)| !path.file_name().unwrap().to_string_lossy().starts_with('.'));
    let texts = visible.filter_map(|(_, bytes)| Some(String::from_utf8_lossy(&bytes?).into_owned()));
    texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn no_byte_of(image: &Path, word: &str) -> Result<(), String> {
    let found = tree::of(image).into_iter().find(|(_, bytes)| {
        let bytes = bytes.as_deref().unwrap_or_default();
        bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
    });
    found.map_or(Ok(()), |(path, _)| Err(format!("{word} was forgotten and is in {}", path.display())))
}

#[test]
fn whenever_the_machine_stops_what_was_acknowledged_is_there_once() {
    let Some(library) = shim::library() else { return };
    let mut tally = Tally::new("crash_images");
    for seed in cases::seeds(1) {
        let story = Story::of(seed, library);
        let mut random = Random::new(!seed);
        for image in 0..IMAGES {
            let at = random.below(story.steps.len() + 1);
            let place = story.crash(at, &mut random);
            if let Err(wrong) = story.check(at, &place) {
                panic!("seed {seed}, image {image}, after step {at} of {}: {wrong}", story.steps.len());
            }
            tally.add("images", 1);
        }
        tally.add("durable calls", story.steps.len());
        tally.case();
    }
    tally.say();
    assert!(tally.count("durable calls") > 100);
}
