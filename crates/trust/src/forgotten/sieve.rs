//! Removes what was forgotten from the files of a backup, by the rules of the memory itself. A file is identified by its
//! name in the archive.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mindfile_disk::secret_key::{Key, SecretKey};
use mindfile_disk::{Error, tree};
use mindfile_note::text;

use super::cover::{Redact, WITHOUT_TEXT, covered, covered_text};
use super::heart::heart;
use super::ledger::Ledger;
use super::lines::without;
use super::matcher::Matcher;
use super::plan::Plan;

/// How a file's name ends that holds what was forgotten.
pub const LEDGER: &str = ".forgotten";

/// What becomes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SieveOutcome {
    Same,
    /// Other bytes, and how many lines were taken out or covered.
    Other(Vec<u8>, usize),
    /// It is left out, with so many lines.
    Gone(usize),
}

/// What becomes of a line, by its number; none if it stays.
type OnLine<'a> = dyn Fn(u32, &str, &Matcher) -> Option<Vec<u8>> + 'a;

#[derive(Default)]
pub struct Sieve {
    matchers: Vec<Arc<Matcher>>,
    /// What is just being forgotten.
    plan: Option<(Key, Plan)>,
}

impl Sieve {
    /// By every ledger of a state directory.
    pub fn of_state(state: &Path) -> Result<Self, Error> {
        let key = SecretKey::of(state);
        let mut matchers = Vec::new();
        for path in ledgers(state)? {
            matchers.push(Ledger::new(&path).matcher(&key)?);
        }
        matchers.retain(|matcher| !matcher.items().is_empty());
        Ok(Self { matchers, plan: None })
    }

    pub fn of_plan(key: Key, matcher: Matcher, plan: Plan) -> Self {
        Self { matchers: vec![Arc::new(matcher)], plan: Some((key, plan)) }
    }

    pub fn is_empty(&self) -> bool {
        self.matchers.is_empty() && self.plan.is_none()
    }

    /// Both.
    pub fn and(mut self, other: Self) -> Self {
        self.matchers.extend(other.matchers);
        self
    }

    pub fn sift(&self, name: &str, bytes: &[u8]) -> SieveOutcome {
        if self.is_empty() {
            return SieveOutcome::Same;
        }
        let file = name.rsplit('/').next().unwrap_or(name);
        match name.split_once('/') {
            Some(("workspace", path)) if has_end(file, ".md") => self.note(path, bytes),
            Some(("state", path)) if path.contains("/sessions/") => self.transcript(file, bytes),
            Some(("state", path)) if path.contains(".reflect/") => self.undo(bytes),
            Some(("state", path)) if path.starts_with("memory/") => self.beside(file, bytes),
            Some(_) | None => SieveOutcome::Same,
        }
    }

    fn asked(&self, said: &str) -> bool {
        self.matchers.iter().any(|matcher| matcher.asked(said).is_some())
    }

    fn note(&self, path: &str, bytes: &[u8]) -> SieveOutcome {
        let decoded = text::decode(bytes);
        let lines: Vec<&str> = text::lines(&decoded).collect();
        let planned = |line: &str| self.plan.as_ref().is_some_and(|(key, plan)| plan.means(key, path, line));
        let goes = |line: &str| planned(line) || heart(line).is_some_and(|said| self.asked(&said));
        let gone: BTreeSet<u32> = (1..)
            .zip(&lines)
            .filter(|(_, line)| !line.trim().is_empty() && goes(line))
            .map(|(n, _)| n)
            .collect();
        // A heading is not in the ledger; without what stood below it, it says what was forgotten.
        let left = (1..).zip(&lines).any(|(n, line)| !gone.contains(&n) && is_more_than_a_heading(line));
        match &self.plan {
            _ if gone.is_empty() => SieveOutcome::Same,
            Some((_, plan)) if plan.notes.contains(path) => SieveOutcome::Gone(gone.len()),
            None if !left => SieveOutcome::Gone(gone.len()),
            Some(_) | None => SieveOutcome::Other(without(bytes, &gone), gone.len()),
        }
    }

    fn transcript(&self, file: &str, bytes: &[u8]) -> SieveOutcome {
        let session = file.split(".jsonl").next().unwrap_or(file);
        let all = |number: u32| {
            let place = (session.to_owned(), number, Redact::All);
            self.plan.as_ref().is_some_and(|(_, plan)| plan.messages.contains(&place))
        };
        self.lines(bytes, &|number, line, matcher| {
            if all(number) { Some(covered(line, Redact::All, matcher)) } else { covered_line(line, matcher) }
        })
    }

    /// Candidates and logs.
    fn beside(&self, file: &str, bytes: &[u8]) -> SieveOutcome {
        let rest = file.split_once('.').map_or(file, |(_, rest)| rest);
        if rest.starts_with("candidates.jsonl") {
            let said = |line: &str| {
                serde_json::from_str::<serde_json::Value>(line).ok()?["text"].as_str().map(str::to_owned)
            };
            let goes = |line: &str| self.asked(&said(line).unwrap_or_else(|| line.to_owned()));
            return self.lines(bytes, &|_, line, _| goes(line).then(Vec::new));
        }
        if WITHOUT_TEXT.iter().any(|own| rest.starts_with(own)) {
            return SieveOutcome::Same;
        }
        self.lines(bytes, &|_, line, matcher| covered_line(line, matcher))
    }

    /// What stood there before a reflection can be brought back only as a whole.
    fn undo(&self, bytes: &[u8]) -> SieveOutcome {
        SieveOutcome::Gone(usize::from(self.asked(&String::from_utf8_lossy(bytes))))
    }

    /// Puts what `change` makes of lines, given without their ends, in their place; an empty one goes with its end.
    fn lines(&self, bytes: &[u8], change: &OnLine<'_>) -> SieveOutcome {
        let mut kept = Vec::with_capacity(bytes.len());
        let mut changed = 0;
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let end = line.len() - usize::from(line.ends_with(b"\n"));
            let mut body = String::from_utf8_lossy(&line[..end]).into_owned();
            let mut other = false;
            for matcher in &self.matchers {
                if let Some(new) = change(number, &body, matcher) {
                    body = String::from_utf8_lossy(&new).into_owned();
                    other = true;
                }
            }
            changed += usize::from(other);
            match other {
                true if body.is_empty() => {}
                true => kept.extend_from_slice(&[body.as_bytes(), &line[end..]].concat()),
                false => kept.extend_from_slice(line),
            }
        }
        if changed == 0 { SieveOutcome::Same } else { SieveOutcome::Other(kept, changed) }
    }
}

/// The ledgers of a state directory, one for each agent.
pub fn ledgers(state: &Path) -> Result<Vec<PathBuf>, Error> {
    let folder = state.join("memory");
    let is_ledger = |path: &Path| path.to_string_lossy().ends_with(LEDGER);
    if folder.is_dir() { tree::files(&folder, &|_| false, &is_ledger) } else { Ok(Vec::new()) }
}

/// A line of JSON or of text with what was forgotten covered; none if there is nothing of it.
fn covered_line(line: &str, matcher: &Matcher) -> Option<Vec<u8>> {
    let new = covered_text(line, matcher);
    (new != line).then(|| new.into_bytes())
}

fn has_end(file: &str, end: &str) -> bool {
    file.len() >= end.len() && file.as_bytes()[file.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes())
}

fn is_more_than_a_heading(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#') && !line.starts_with("<!--")
}
