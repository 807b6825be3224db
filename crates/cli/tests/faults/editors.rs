//! People save the note of the day in six ways while facts are kept in it. A save that was over before the answer is seen by
//! the look that comes before the answer: what is acknowledged is in the note, once. A save that had read the note before, and
//! ends after the answer, is the person's: what it puts there is what the person's program wants there. Such are counted.
//!
//! `vim`, `sed -i` and `git pull` are the programs themselves where they are installed. Of VS Code, Obsidian and Syncthing
//! it is the sequence of calls by which they save: VS Code looks at time and size, truncates and writes in place; Obsidian
//! merges what changed since it read the note and writes in place; Syncthing writes a hidden file aside and renames it
//! over the note, or keeps the note as a conflict beside it where it had changed.

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::SignedDuration;
use mindfile::Memory;
use mindfile::retain::Request;

use crate::cases::{self, Tally};
use crate::random::Random;
use crate::tree;
use crate::world::{Ahead, World};

/// Facts that are kept in one case.
const FACTS: usize = 20;
const FILE: &str = "memory/day.md";
/// The line that people change.
const OWN: &str = "A line of my own: ";
const CONFLICT: &str = ".sync-conflict-";

#[derive(Debug, Clone, Copy, PartialEq)]
enum Editor {
    Vim,
    VsCode,
    Obsidian,
    Sed,
    GitPull,
    Syncthing,
}

const EDITORS: [Editor; 6] =
    [Editor::Vim, Editor::VsCode, Editor::Obsidian, Editor::Sed, Editor::GitPull, Editor::Syncthing];

#[test]
fn whoever_saves_the_note_while_a_fact_is_kept_loses_and_doubles_none() {
    let mut tally = Tally::new("editors");
    for seed in cases::seeds(12) {
        let editor = EDITORS[(seed % EDITORS.len() as u64) as usize];
        if !editor.is_here() {
            println!("SKIPPED: {editor:?} is not installed; its way of saving is NOT tested");
            continue;
        }
        let found = one(seed, editor);
        tally.case();
        tally.add("refused", FACTS - found.kept.len());
        tally.add(&format!("saves by {editor:?}"), found.saves.len());
        for fact in &found.kept {
            tally.add("acknowledged", 1);
            let (under_way, later) = (found.saves_during(fact), found.saves_after(fact));
            tally.add("of which saved over before the answer", usize::from(under_way && !later));
            let case = || format!("seed {seed}, {editor:?}: {} of {}", fact.id, found.note);
            match found.counted(&fact.id) {
                Counted::Lost => {
                    assert!(later, "lost, and every save was over: {}", case());
                    tally.add(&format!("taken away by a save of {editor:?} that ended later"), 1);
                }
                Counted::Twice => {
                    assert!(under_way, "twice, and nobody saved: {}", case());
                    tally.add(&format!("doubled by a save of {editor:?} under way"), 1);
                }
                Counted::Once => {}
            }
        }
    }
    tally.say();
    assert!(tally.count("acknowledged") > 0);
}

/// A fact that was acknowledged, and when.
struct Kept {
    id: String,
    asked: Instant,
    answered: Instant,
}

/// From reading the note to having written it.
struct Save {
    began: Instant,
    ended: Instant,
}

enum Counted {
    Lost,
    Once,
    Twice,
}

struct Found {
    kept: Vec<Kept>,
    saves: Vec<Save>,
    /// The note, and what a program kept beside it.
    files: Vec<String>,
    note: String,
}

impl Found {
    fn saves_during(&self, fact: &Kept) -> bool {
        self.saves.iter().any(|save| save.began < fact.answered && save.ended > fact.asked)
    }

    fn saves_after(&self, fact: &Kept) -> bool {
        self.saves.iter().any(|save| save.began < fact.answered && save.ended > fact.answered)
    }

    fn counted(&self, id: &str) -> Counted {
        match self.files.iter().map(|text| count(text, id)).max() {
            None | Some(0) => Counted::Lost,
            Some(1) => Counted::Once,
            Some(_) => Counted::Twice,
        }
    }
}

fn one(seed: u64, editor: Editor) -> Found {
    let world = World::new();
    let note = world.workspace().join(FILE);
    tree::write(&note, format!("# Day\n\n{OWN}0\n\n## Retain\n\n- W: The first fact of all ^first\n"));
    let desk = Desk::new(&world, editor, note);
    let memory = world.memory_at("state", Ahead(SignedDuration::ZERO));
    let done = AtomicBool::new(false);
    let (kept, saves) = std::thread::scope(|scope| {
        let saving = scope.spawn(|| desk.save_again_and_again(&mut Random::new(seed), &done));
        let kept = keep(&memory, &mut Random::new(!seed), seed);
        done.store(true, Ordering::Relaxed);
        (kept, saving.join().unwrap())
    });
    Found { kept, saves, files: desk.files(), note: fs::read_to_string(&desk.note).unwrap() }
}

fn count(text: &str, id: &str) -> usize {
    text.lines().filter(|line| line.ends_with(&format!("^{id}"))).count()
}

fn keep(memory: &Memory, random: &mut Random, seed: u64) -> Vec<Kept> {
    let mut kept = Vec::new();
    for n in 0..FACTS {
        let id = format!("f{seed}-{n}");
        let text = format!("Word{} number {n} of {seed} is {}", random.next(), random.next());
        let request =
            Request { file: Some(FILE.to_owned()), id: Some(id.clone()), force: true, ..Request::new(&text) };
        let asked = Instant::now();
        match memory.retain(&request) {
            Ok(_) => kept.push(Kept { id, asked, answered: Instant::now() }),
            Err(error) => {
                let told = error.to_string();
                assert!(told.contains("at the same moment") || told.contains("by someone else"), "{told}");
            }
        }
        std::thread::sleep(Duration::from_micros(random.below(3_000) as u64));
    }
    kept
}

impl Editor {
    fn is_here(self) -> bool {
        let program = match self {
            Self::Vim => "vim",
            Self::Sed => "sed",
            Self::GitPull => "git",
            Self::VsCode | Self::Obsidian | Self::Syncthing => return true,
        };
        let asked =
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    }
}

/// Somebody who has the note open.
struct Desk {
    editor: Editor,
    note: PathBuf,
    folder: PathBuf,
    /// Another clone of the notes.
    elsewhere: PathBuf,
}

impl Desk {
    fn new(world: &World, editor: Editor, note: PathBuf) -> Self {
        let desk = Self { editor, note, folder: world.workspace(), elsewhere: world.path("elsewhere") };
        if editor == Editor::GitPull {
            desk.git(&desk.folder, &["init", "--quiet", "--initial-branch=main"]);
            desk.commit(&desk.folder);
            let (from, to) = (desk.folder.to_str().unwrap(), desk.elsewhere.to_str().unwrap());
            desk.git(&desk.folder, &["clone", "--quiet", from, to]);
            desk.git(&desk.folder, &["remote", "add", "origin", to]);
        }
        desk
    }

    fn save_again_and_again(&self, random: &mut Random, done: &AtomicBool) -> Vec<Save> {
        let mut saves = Vec::new();
        while !done.load(Ordering::Relaxed) {
            let (began, number) = (Instant::now(), saves.len() + 1);
            let thinks = Duration::from_micros(random.below(2_000) as u64);
            match self.editor {
                Editor::Vim => self.vim(number),
                Editor::Sed => self.sed(number),
                Editor::GitPull => self.git_pull(number),
                Editor::VsCode => self.in_place(number, thinks, false),
                Editor::Obsidian => self.in_place(number, thinks, true),
                Editor::Syncthing => self.syncthing(number, thinks),
            }
            saves.push(Save { began, ended: Instant::now() });
            // Facts are kept beside some saves, and between others.
            let pause = 4_000 + began.elapsed().as_micros() as usize;
            std::thread::sleep(Duration::from_micros(random.below(pause) as u64));
        }
        saves
    }

    fn run(&self, command: &mut Command) {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A program that finds the note changed under its hands may refuse.
        let _status = quiet.current_dir(&self.folder).env("HOME", &self.folder).status().unwrap();
    }

    fn vim(&self, saves: usize) {
        let change = format!("+silent! %s/^{OWN}.*/{OWN}{saves}/");
        self.run(
            Command::new("vim")
                .args(["-es", "-u", "NONE", "-N", &change, "+silent! wq", "+q!"])
                .arg(&self.note),
        );
    }

    fn sed(&self, saves: usize) {
        self.run(Command::new("sed").args(["-i", &format!("s/^{OWN}.*/{OWN}{saves}/")]).arg(&self.note));
    }

    fn git(&self, folder: &Path, words: &[&str]) {
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(["-c", "user.name=a", "-c", "user.email=a@b.c"]).args(words);
        self.run(&mut command);
    }

    fn commit(&self, folder: &Path) {
        self.git(folder, &["add", "--all"]);
        self.git(folder, &["commit", "--quiet", "--message", "notes"]);
    }

    /// Somebody changes a line elsewhere; here what stands is committed, and the change is pulled.
    fn git_pull(&self, saves: usize) {
        self.git(&self.elsewhere, &["pull", "--quiet", "--no-edit", "origin", "main"]);
        let there = self.elsewhere.join(FILE);
        let text = fs::read_to_string(&there).unwrap();
        tree::write(&there, changed(&text, saves));
        self.commit(&self.elsewhere);
        self.commit(&self.folder);
        self.git(&self.folder, &["pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main"]);
    }

    /// VS Code does not save over what changed since it read; Obsidian takes it over first.
    fn in_place(&self, saves: usize, thinks: Duration, merges: bool) {
        loop {
            let Some((text, read)) = self.opened() else { return };
            std::thread::sleep(thinks);
            if self.state() == Some(read) {
                let mut file = fs::File::create(&self.note).unwrap();
                file.write_all(changed(&text, saves).as_bytes()).unwrap();
                return;
            }
            if !merges {
                return;
            }
        }
    }

    fn syncthing(&self, saves: usize, thinks: Duration) {
        let Some((text, read)) = self.opened() else { return };
        let aside = self.note.with_file_name(".syncthing.day.md.tmp");
        tree::write(&aside, changed(&text, saves));
        std::thread::sleep(thinks);
        if self.state() != Some(read) {
            let kept = self.note.with_file_name(format!("day{CONFLICT}{saves}.md"));
            fs::rename(&self.note, kept).unwrap();
        }
        fs::rename(&aside, &self.note).unwrap();
    }

    /// The note as it is opened, with the time and size that it has then.
    fn opened(&self) -> Option<(String, (i64, i64, u64))> {
        let read = self.state()?;
        Some((fs::read_to_string(&self.note).ok()?, read))
    }

    fn state(&self) -> Option<(i64, i64, u64)> {
        fs::metadata(&self.note).ok().map(|known| (known.mtime(), known.mtime_nsec(), known.size()))
    }

    /// The note, and what a program kept beside it.
    fn files(&self) -> Vec<String> {
        let folder = fs::read_dir(self.note.parent().unwrap()).unwrap();
        let paths = folder.map(|entry| entry.unwrap().path());
        let notes = paths.filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            *path == self.note || name.contains(CONFLICT)
        });
        notes.map(|path| fs::read_to_string(path).unwrap()).collect()
    }
}

fn changed(text: &str, saves: usize) -> String {
    let line = |line: &str| match line.strip_prefix(OWN) {
        Some(_) => format!("{OWN}{saves}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
