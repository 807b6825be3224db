//! Decides which of QMD's hits may be shown. Each is read again from its note, and every check of the built-in index
//! applies. A hit that is gone is dropped.

use std::collections::HashSet;

use jiff::Timestamp;
use mindfile_index::{Origin, Source};
use mindfile_note::{date, text};

use crate::export;
use crate::parse::RawHit;
use mindfile::Corpus;
use mindfile::Error;
use mindfile::Viewer;
use mindfile::clock::day_of;
use mindfile::collection::{Collection, Collections, Holds, PREFIX, is_below, outside};
use mindfile::origin::Judge;
use mindfile::private;
use mindfile::search::{Elsewhere, Plan};
use mindfile::session;
use mindfile::session::Utterance;
use mindfile::view::Audience;
use mindfile_note::date::day_number;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::Workspace;

/// What is left of an answer.
#[derive(Debug, Default)]
pub(crate) struct AdmittedHits {
    pub(crate) found: Vec<Elsewhere>,
    /// Hits whose note is gone or says something else by now.
    pub(crate) gone: usize,
}

pub(crate) struct Guard<'a> {
    memory: &'a Corpus,
    plan: &'a Plan,
    collections: &'a Collections,
    workspace: Workspace,
    judge: Judge,
    audience: Audience,
}

/// A note as it is now.
struct NoteNow {
    /// As it is cited.
    shown: String,
    /// Below the folder of its collection.
    below: String,
    text: String,
    day: Option<i32>,
    changed: i32,
}

impl<'a> Guard<'a> {
    pub(crate) fn new(
        memory: &'a Corpus,
        plan: &'a Plan,
        collections: &'a Collections,
        viewer: Viewer,
    ) -> Result<Self, Error> {
        let workspace = memory.workspace()?;
        let judge = memory.bound().judge()?;
        let audience = memory.audience(viewer)?;
        Ok(Self { memory, plan, collections, workspace, judge, audience })
    }

    /// The hits that may be shown, in their order, as many as are wanted.
    pub(crate) fn sift(&self, raw: &[RawHit]) -> Result<AdmittedHits, Error> {
        let mut sifted = AdmittedHits::default();
        let mut seen = HashSet::new();
        for raw in raw {
            let Some(collection) = self.collections.find(&raw.collection) else {
                sifted.gone += 1;
                continue;
            };
            let looked = match collection.holds {
                Holds::Notes => self.note(collection, raw),
                Holds::Sessions => self.session(collection, raw)?,
            };
            match looked {
                HitVerdict::Shown(found) if seen.insert((found.path.clone(), found.start_line)) => {
                    sifted.found.push(*found)
                }
                HitVerdict::Shown(_) | HitVerdict::Hidden => {}
                HitVerdict::Gone => sifted.gone += 1,
            }
        }
        sifted.found.truncate(self.plan.limit);
        Ok(sifted)
    }

    fn note(&self, collection: &Collection, raw: &RawHit) -> HitVerdict {
        let Some(note) = self.read(collection, &raw.path) else { return HitVerdict::Gone };
        let admitted = |path: &str| self.audience.sees(path) && !private::is_private(path);
        if !admitted(&note.shown)
            || !admitted(&note.below)
            || !self.is_of_time(note.day.unwrap_or(note.changed))
        {
            return HitVerdict::Hidden;
        }
        let lines: Vec<&str> = text::lines(&note.text).collect();
        let Some((start, end)) = located(raw, &lines) else { return HitVerdict::Gone };
        let lowest = |path: &str| self.judge.lines(path, &note.text).lowest(start, end);
        let origin = lowest(&note.shown).min(lowest(&note.below));
        let covered = self.memory.policy().cover(&note.text);
        let shown: Vec<&str> = text::lines(&covered).collect();
        let text = between(&shown, start, end).join("\n");
        self.judged(Elsewhere {
            path: note.shown,
            start_line: start,
            end_line: end,
            text,
            source: Source::Memory,
            day: note.day,
            spoken: Vec::new(),
            origin,
        })
    }

    /// A hit in a conversation that was written out: what is shown is what the conversation itself says.
    fn session(&self, collection: &Collection, raw: &RawHit) -> Result<HitVerdict, Error> {
        let Some(session) = raw.path.strip_suffix(".md").filter(|id| mindfile::session::check_id(id).is_ok())
        else {
            return Ok(HitVerdict::Gone);
        };
        if !self.audience.sees_session(session) {
            return Ok(HitVerdict::Hidden);
        }
        let transcript = match self.memory.sessions().read(session) {
            Err(session::Error::NoSession { .. } | session::Error::Disk(_)) => {
                return Ok(HitVerdict::Gone);
            }
            read => read?,
        };
        let day = transcript.last_at().map(|at| day_number(day_of(at)));
        if !day.is_none_or(|day| self.is_of_time(day)) {
            return Ok(HitVerdict::Hidden);
        }
        let all = export::exported_lines(self.memory, &transcript)?;
        let spoken = export::lines_between(&all, raw.start, raw.start + raw.lines - 1);
        if spoken.is_empty() {
            return Ok(HitVerdict::Gone);
        }
        let origin = Origin::lowest(spoken.iter().map(|spoken| self.judge.turn(session, spoken.role)));
        let first = export::line_of(&all, spoken);
        Ok(self.judged(Elsewhere {
            path: format!("{PREFIX}{}/{}", collection.name, raw.path),
            start_line: first,
            end_line: first + spoken.len() as u32 - 1,
            text: spoken.iter().map(Utterance::labelled).collect::<Vec<_>>().join("\n"),
            source: Source::Sessions,
            day,
            spoken: spoken.to_vec(),
            origin,
        }))
    }

    fn judged(&self, found: Elsewhere) -> HitVerdict {
        let hidden = self.plan.filter.trusted && !found.origin.is_trusted();
        if hidden { HitVerdict::Hidden } else { HitVerdict::Shown(Box::new(found)) }
    }

    fn is_of_time(&self, day: i32) -> bool {
        let filter = &self.plan.filter;
        filter.since.is_none_or(|since| day >= since) && filter.until.is_none_or(|until| day <= until)
    }

    /// None where there is no such note that may be read.
    fn read(&self, collection: &Collection, below: &str) -> Option<NoteNow> {
        if !is_below(below) {
            return None;
        }
        let (workspace, path, shown) = match self.workspace.note_at(&collection.root.join(below)) {
            Some(note) => (self.workspace.clone(), note.clone(), note.to_string()),
            None => {
                let (workspace, note) = outside(collection, below)?;
                (workspace, note, format!("{PREFIX}{}/{below}", collection.name))
            }
        };
        if private::is_private(path.as_str()) {
            return None;
        }
        // Gone, a link, or not to be read: whatever it is, nothing can be cited from it.
        let read = workspace.read(&path, NOTE_LIMIT).ok()?;
        let day = date::of_path(&shown).map(day_number);
        let at = Timestamp::from_nanosecond(i128::from(read.stat.mtime_ns));
        let changed = at.map_or(0, |at| day_number(day_of(at)));
        let text = text::decode(&read.bytes).into_owned();
        Some(NoteNow { shown, below: below.to_owned(), text, day, changed })
    }
}

/// That private notes are not with QMD, to those who would see them otherwise.
pub(crate) fn private_elsewhere(corpus: &Corpus, viewer: Viewer) -> Result<Option<String>, Error> {
    let some = viewer.sees_private_notes() && !corpus.workspace()?.private_notes()?.is_empty();
    Ok(some.then(|| "private notes: QMD does not have them; the built-in index does".to_owned()))
}

enum HitVerdict {
    Shown(Box<Elsewhere>),
    /// It is there, and is not for whoever asks.
    Hidden,
    Gone,
}

/// Where the lines that QMD showed stand now, without empty ones around them.
fn located(raw: &RawHit, lines: &[&str]) -> Option<(u32, u32)> {
    let at = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let mut from = at(raw.start) - 1;
    let count = at(raw.lines);
    if let Some(shown) = &raw.shown {
        let shown = shown.trim_end_matches("...").trim();
        let says = |line: &&str| line.trim().starts_with(shown);
        if !lines.iter().skip(from).take(count).any(says) {
            from = lines.iter().position(says)?;
        }
    }
    let to = from.saturating_add(count).min(lines.len());
    let says = |line: &&str| !line.trim().is_empty();
    let first = from + lines.get(from..to)?.iter().position(says)?;
    let last = from + lines.get(from..to)?.iter().rposition(says)?;
    Some((u32::try_from(first + 1).ok()?, u32::try_from(last + 1).ok()?))
}

fn between<'a>(lines: &'a [&'a str], start: u32, end: u32) -> &'a [&'a str] {
    let at = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).min(lines.len());
    lines.get(at(start.saturating_sub(1))..at(end)).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(start: u32, lines: u32, shown: Option<&str>) -> RawHit {
        let collection = "c".to_owned();
        let path = "p.md".to_owned();
        RawHit { collection, path, start, lines, shown: shown.map(str::to_owned) }
    }

    #[test]
    fn lines_are_found_where_they_stand_now_or_not_at_all() {
        let lines = ["# Garden", "", "Tomatoes were planted.", "They need water.", "", "Spade at Bob's."];
        let place = |start, count, shown| located(&raw(start, count, shown), &lines);
        assert_eq!(place(2, 4, Some("Tomatoes were pl...")), Some((3, 4)));
        assert_eq!(place(1, 1, Some("Spade at Bob's.")), Some((6, 6)), "it moved down");
        assert_eq!(place(3, 2, Some("Potatoes")), None, "it says something else by now");
        assert_eq!(place(9, 4, None), None);
        assert_eq!(place(5, 1, None), None, "an empty line says nothing");
    }
}
