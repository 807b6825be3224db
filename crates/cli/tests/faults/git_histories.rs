//! Three clones of a repository of notes write at once, pull from each other and push, with real git and the merge driver that
//! `mindfile install git` sets up: in the end all have the same notes, with every value that nobody replaced or deleted, once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use mindfile_note::chunk;
use mindfile_note::fact::{self, Name};

use crate::cases::{self, Tally};
use crate::random::Random;
use crate::world::World;

const BRIEFLY: usize = 4;
const CLONES: [&str; 3] = ["a", "b", "c"];
/// Nothing runs beside a history, and no disk is waited for.
const SETTINGS: [(&str, &str); 3] = [("gc.auto", "0"), ("maintenance.auto", "false"), ("core.fsync", "none")];
const DAILY: &str = "memory/2026-11-14.md";
const CORE: &str = "MEMORY.md";

struct History {
    world: World,
    random: Random,
    words: usize,
    /// Every value that was written, with whether somebody replaced or deleted it.
    values: BTreeMap<String, bool>,
    /// Lines of prose that were only ever added.
    lines: BTreeSet<String>,
}

/// `MINDFILE_CASES=1000` for a thousand histories.
#[test]
fn three_clones_merge_their_facts_by_id_and_lose_and_double_none() {
    let mut tally = Tally::new("git_histories");
    for seed in cases::seeds(BRIEFLY) {
        let mut history = History::begin(seed);
        for _ in 0..history.random.within(2..5) {
            history.round(&mut tally);
        }
        history.agree(&mut tally);
        history.check(seed, &mut tally);
        tally.case();
    }
    tally.say();
    assert!(tally.count("merges") > 0 && tally.count("values") > 0);
}

impl History {
    fn begin(seed: u64) -> Self {
        let world = World::new();
        let mut history = Self {
            world,
            random: Random::new(seed),
            words: 0,
            values: BTreeMap::new(),
            lines: BTreeSet::new(),
        };
        history.git("", &["init", "-q", "--bare", "-b", "main", "origin"]);
        for (at, clone) in CLONES.into_iter().enumerate() {
            history.git("", &["clone", "-q", "origin", clone]);
            for (key, value) in SETTINGS {
                history.git(clone, &["config", key, value]);
            }
            for (key, value) in
                [("user.name", clone), ("user.email", "a@example.org"), ("merge.renames", "false")]
            {
                history.git(clone, &["config", key, value]);
            }
            if at == 0 {
                let facts: Vec<String> = (0..3).map(|_| history.fact("W")).collect();
                let text =
                    format!("# Memory\n\n## Retain\n\n{}\n\n## About\n\nSome prose.\n", facts.join("\n"));
                history.write(clone, CORE, &text);
            }
            history.install(clone);
            if at == 0 {
                history.commit(clone);
                history.git(clone, &["push", "-q", "-u", "origin", "HEAD:main"]);
            }
        }
        history
    }

    fn install(&self, clone: &str) {
        let folder = self.path(clone);
        let words = ["install", "git", "--yes", "--project", folder.to_str().unwrap()];
        let done = self.world.program("state", &words).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    }

    /// Each clone writes, and some of them merge what others have.
    fn round(&mut self, tally: &mut Tally) {
        for clone in CLONES {
            for _ in 0..self.random.within(1..5) {
                self.change(clone);
            }
            self.commit(clone);
        }
        for _ in 0..self.random.within(1..4) {
            let clone = *self.random.pick(&CLONES);
            if self.random.one_in(3) {
                let other = *self.random.pick(&CLONES);
                self.merge(clone, &format!("../{other}"), tally);
            } else {
                self.merge(clone, "origin", tally);
                self.git(clone, &["push", "-q", "origin", "HEAD:main"]);
            }
        }
    }

    /// Until all clones have everything.
    fn agree(&mut self, tally: &mut Tally) {
        for clone in CLONES.into_iter().chain(CLONES) {
            self.merge(clone, "origin", tally);
            self.git(clone, &["push", "-q", "origin", "HEAD:main"]);
        }
        for clone in CLONES {
            self.merge(clone, "origin", tally);
        }
    }

    fn change(&mut self, clone: &str) {
        let note = if self.random.one_in(3) { CORE } else { DAILY };
        let mut lines: Vec<String> = self.read(clone, note).lines().map(str::to_owned).collect();
        let facts: Vec<usize> = (0..lines.len()).filter(|at| fact::read(&lines[*at]).is_some()).collect();
        if lines.is_empty() {
            lines = ["# 2026-11-14", "", "## Retain", ""].map(str::to_owned).to_vec();
        }
        let kind = self.random.below(10);
        match (kind, facts.is_empty()) {
            (5, false) => {
                let at = *self.random.pick(&facts);
                self.edit(&mut lines, at);
            }
            (6, false) => {
                let salience = format!("0.{}", self.random.within(1..10));
                set(&mut lines[*self.random.pick(&facts)], Name::Salience, &salience);
            }
            (7, false) => {
                let new = self.fact("W");
                let id = fact::read(&new).and_then(|line| line.id().map(str::to_owned)).unwrap();
                let old = &mut lines[*self.random.pick(&facts)];
                set(old, Name::Until, "2026-11-14");
                set(old, Name::By, &id);
                lines.push(new);
            }
            (8, false) => {
                let gone = lines.remove(*self.random.pick(&facts));
                self.values.insert(fact::read(&gone).unwrap().text().to_owned(), true);
            }
            (9, false) => {
                let moved = lines.remove(*self.random.pick(&facts));
                let to = *self.random.pick(&facts).min(&lines.len());
                lines.insert(to, moved);
            }
            (4, _) if note == DAILY => {
                let line = self.word("Prose");
                self.lines.insert(line.clone());
                lines.push(line);
            }
            (3, _) if note == CORE => {
                let is_about = |line: &String| line.starts_with("About ") || line == "Some prose.";
                let about = lines.iter().position(is_about).unwrap();
                lines[about] = self.word("About");
            }
            (2, false) => {
                let new = self.fact("O(key=theme,v=1)");
                lines.insert(*self.random.pick(&facts), new);
            }
            _ => {
                let new = self.fact("B");
                let at = facts.last().map_or(lines.len(), |last| last + 1);
                lines.insert(at, new);
            }
        }
        self.write(clone, note, &(lines.join("\n") + "\n"));
    }

    /// Other words for a fact, one version up.
    fn edit(&mut self, lines: &mut [String], at: usize) {
        let text = self.word("value");
        let mut line = fact::read(&lines[at]).unwrap();
        self.values.insert(line.text().to_owned(), true);
        self.values.insert(text.clone(), false);
        let version = line.version().unwrap_or(0) + 1;
        line.set_text(&text);
        line.set(Name::Version, Some(&version.to_string()));
        lines[at] = fact::write(&line);
    }

    fn fact(&mut self, head: &str) -> String {
        let text = self.word("value");
        self.values.insert(text.clone(), false);
        format!("- {head} @user: {text} ^i{}", self.words)
    }

    fn word(&mut self, what: &str) -> String {
        self.words += 1;
        format!("{what} {}", self.words)
    }

    /// A person takes both sides of what they have to choose between.
    fn merge(&mut self, clone: &str, from: &str, tally: &mut Tally) {
        let output = self.run(clone, &["pull", "-q", "--no-rebase", "--no-edit", from, "main"]);
        tally.add("merges", 1);
        if output.status.success() {
            return;
        }
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains("CONFLICT (content)"), "{output:?}");
        let text = self.read(clone, CORE);
        let inside = text.split("<<<<<<< ").skip(1).filter_map(|part| part.split(">>>>>>> ").next());
        for part in inside {
            assert!(!part.lines().any(|line| fact::read(line).is_some()), "a fact between marks:\n{text}");
        }
        let is_mark =
            |line: &&str| ["<<<<<<< ", "=======", ">>>>>>> "].iter().any(|mark| line.starts_with(mark));
        let settled: String =
            text.lines().filter(|line| !is_mark(line)).map(|line| format!("{line}\n")).collect();
        assert!(settled.len() < text.len(), "{said}: no mark in\n{text}");
        self.write(clone, CORE, &settled);
        self.commit(clone);
        tally.add("conflicts of prose", 1);
    }

    fn check(&self, seed: u64, tally: &mut Tally) {
        let notes = |clone: &str| [CORE, DAILY].map(|note| self.read(clone, note));
        for clone in CLONES {
            assert_eq!(notes(clone), notes("a"), "seed {seed}, clone {clone}");
        }
        let text = notes("a");
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for placed in text.iter().flat_map(|text| chunk::facts(text)) {
            *found.entry(placed.fact.text().to_owned()).or_default() += 1;
            *ids.entry(placed.fact.id_or_derived().into_owned()).or_default() += 1;
        }
        let alive = self.values.iter().filter(|(_, is_gone)| !**is_gone);
        let expected: BTreeMap<String, usize> = alive.map(|(value, _)| (value.clone(), 1)).collect();
        let shown = || format!("seed {seed}\n{}", text.join("\n----\n"));
        assert_eq!(found, expected, "{}", shown());
        assert!(ids.values().all(|count| *count == 1), "{}", shown());
        let prose = text[1].lines().filter(|line| line.starts_with("Prose ")).map(str::to_owned);
        let mut prose: Vec<String> = prose.collect();
        prose.sort();
        assert_eq!(prose, self.lines.iter().cloned().collect::<Vec<_>>(), "{}", shown());
        tally.add("values", expected.len());
        tally.add("second values", ids.keys().filter(|id| !id.starts_with('i')).count());
    }

    fn path(&self, clone: &str) -> PathBuf {
        self.world.path(clone)
    }

    fn read(&self, clone: &str, note: &str) -> String {
        fs::read_to_string(self.path(clone).join(note)).unwrap_or_default()
    }

    fn write(&self, clone: &str, note: &str, text: &str) {
        let path = self.path(clone).join(note);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        mindfile::durable::replace(&path, text.as_bytes()).unwrap();
    }

    fn commit(&self, clone: &str) {
        self.git(clone, &["add", "-A"]);
        self.git(clone, &["commit", "-q", "--allow-empty", "-m", "notes"]);
    }

    fn git(&self, clone: &str, words: &[&str]) {
        let output = self.run(clone, words);
        assert!(output.status.success(), "{words:?} in {clone}: {output:?}");
    }

    /// Git as on a new machine: no settings but those of the repository.
    fn run(&self, clone: &str, words: &[&str]) -> Output {
        let mut git = Command::new("git");
        let home = self.world.path("");
        git.args(words).current_dir(if clone.is_empty() { home.clone() } else { self.path(clone) });
        git.env("HOME", &home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", Path::new("/dev/null"));
        git.env("LC_ALL", "C").output().unwrap()
    }
}

fn set(line: &mut String, name: Name, value: &str) {
    let mut fact = fact::read(line).unwrap();
    fact.set(name, Some(value));
    *line = fact::write(&fact);
}
