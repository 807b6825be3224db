//! Working out what goes: what was asked for, what rests on it, and what says the same elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use mindfile_fault::OutOfRange;
use mindfile_index::{FactQuery, Origin, single};
use mindfile_note::CitedLine;
use mindfile_note::alias;
use mindfile_note::chunk;
use mindfile_note::words::{PlainWord, plain};
use mindfile_note::{date, fact, text};
use mindfile_trust::origin::Judge;
use mindfile_trust::place::is_private;
use mindfile_trust::speaker::Door;
use mindfile_workspace::NOTE_LIMIT;
use mindfile_workspace::transcripts::path_of;
use mindfile_workspace::{self as workspace, NotePath, Workspace};

use super::Plan;
use super::{Forgotten, Line, Message, What, Why};
use super::{Item, Matcher, Redact};
use super::{fact_ids, has, headings, heart};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact::{find_entity, inspect};
use crate::view::Freshness;
use crate::wording;

/// What has fewer words is refused later only where nothing else is said.
const LEAST: usize = 3;
/// Of what goes in bulk, small talk should not be refused for ever.
const LEAST_IN_BULK: usize = 6;

/// Everything that goes.
pub(super) struct Choice {
    pub(super) lines: Vec<Line>,
    /// Notes that go as a whole; their lines are among `lines`.
    pub(super) notes: BTreeSet<String>,
    pub(super) messages: Vec<(Message, Redact)>,
    /// The facts that go.
    pub(super) ids: BTreeSet<String>,
    /// What is not to be stored again.
    pub(super) matcher: Matcher,
    pub(super) notices: Vec<String>,
}

/// A note as it is.
struct NoteText {
    path: String,
    text: String,
}

impl NoteText {
    fn read(workspace: &Workspace, path: &NotePath) -> Result<Self, Error> {
        let read = workspace.read(path, NOTE_LIMIT)?;
        let text = text::decode(&read.bytes).into_owned();
        Ok(Self { path: path.as_str().to_owned(), text })
    }
}

/// What was asked for, as lines are compared with it.
pub(super) struct ErasureTarget<'a> {
    what: &'a What,
    judge: Judge,
    words: Vec<PlainWord>,
    /// The lines of facts that are meant, by path.
    places: BTreeMap<String, BTreeSet<u32>>,
    /// Notes that are meant as a whole.
    notes: BTreeSet<String>,
    /// The heading of an entity in the core memory.
    heading: Option<String>,
}

impl Choice {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.notes.is_empty() && self.messages.is_empty()
    }

    /// What is told of it at a door: of private notes only their owner learns.
    pub(super) fn report(&self, door: Door) -> Forgotten {
        let seen = || self.lines.iter().filter(|line| sees(door, &line.path));
        Forgotten {
            facts: seen().filter(|line| fact::read(&line.text).is_some()).count(),
            lines: seen().filter(|line| !self.notes.contains(&line.path)).cloned().collect(),
            notes: self.notes.iter().cloned().collect(),
            messages: self.messages.iter().map(|(message, _)| message.clone()).collect(),
            notices: self.notices.clone(),
            ..Forgotten::default()
        }
    }

    pub(super) fn lines_of<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Line> {
        self.lines.iter().filter(move |line| line.path == path)
    }

    /// The notes that lose lines and stay.
    pub(super) fn noted(&self) -> BTreeSet<String> {
        let paths = self.lines.iter().map(|line| line.path.clone());
        paths.filter(|path| !self.notes.contains(path)).collect()
    }
}

pub(super) fn choose(corpus: &Corpus, what: &What) -> Result<Choice, Error> {
    let mut asked = asked(corpus, what)?;
    let mut notices = Vec::new();
    let notes = read_notes(corpus, &mut notices)?;
    if let What::Days { since, until } = what {
        observed(&notes, &mut asked, |day| within(day, *since, *until));
    }
    let mut lines = meant(&notes, &asked, corpus.door);
    let ids: BTreeSet<String> = ids(&notes, &lines);
    let transcripts = super::transcripts::read_transcripts(corpus, &mut notices)?;
    let mut texts: Vec<String> = lines.iter().filter_map(|line| heart(&line.text)).collect();
    texts.extend(lines.iter().filter_map(|line| own_text(&line.text)));
    let mut messages = transcripts.meant(&asked, &mut texts);
    let matcher = matcher_of(corpus, what, &texts)?;
    lines.extend(following(&notes, &lines, &ids, &matcher));
    messages.extend(transcripts.quoting(&messages, &matcher));
    clear_up(&notes, &mut lines, &mut asked.notes);
    lines.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    messages.sort_by(|a, b| (&a.0.session, a.0.line).cmp(&(&b.0.session, b.0.line)));
    Ok(Choice { lines, notes: asked.notes, messages, ids, matcher, notices })
}

/// What is left of a plan, and what says something of what is forgotten already: left by a forgetting that was
/// interrupted.
pub(super) fn choose_again(corpus: &Corpus, matcher: Matcher, plan: &Plan) -> Result<Choice, Error> {
    let (key, mut notices) = (corpus.key.key()?, Vec::new());
    let notes = read_notes(corpus, &mut notices)?;
    let mut lines =
        all_lines(&notes, |path, _, text| plan.notes.contains(path) || plan.means(key, path, text));
    let mut ids = ids(&notes, &lines);
    ids.extend(plan.ids.iter().cloned());
    lines.extend(following(&notes, &lines, &ids, &matcher));
    lines.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    let transcripts = super::transcripts::read_transcripts(corpus, &mut notices)?;
    let mut messages = transcripts.planned(plan);
    messages.extend(transcripts.quoting(&messages, &matcher));
    let there: BTreeSet<&str> = notes.iter().map(|note| note.path.as_str()).collect();
    let notes = plan.notes.iter().filter(|note| there.contains(note.as_str())).cloned().collect();
    Ok(Choice { lines, notes, messages, ids, matcher, notices })
}

fn matcher_of(corpus: &Corpus, what: &What, texts: &[String]) -> Result<Matcher, Error> {
    let least = match what {
        What::Days { .. } | What::Session(_) => LEAST_IN_BULK,
        What::Fact(_) | What::Entity(_) | What::Query(_) | What::Origin(_) => LEAST,
    };
    let (key, now) = (corpus.key.key()?, corpus.clock.now().as_millisecond());
    let once: BTreeSet<&String> = texts.iter().collect();
    let items = once.into_iter().filter_map(|text| Item::of(key, text, least, now));
    Ok(Matcher::new(key.clone(), items.collect()))
}

fn asked<'a>(corpus: &Corpus, what: &'a What) -> Result<ErasureTarget<'a>, Error> {
    let mut asked = ErasureTarget {
        what,
        judge: corpus.judge()?,
        words: Vec::new(),
        places: BTreeMap::new(),
        notes: BTreeSet::new(),
        heading: None,
    };
    match what {
        What::Fact(name) => asked.places = fact_places(corpus, name)?,
        What::Days { since, until } => ask_days(corpus, &mut asked, *since, *until)?,
        What::Entity(name) => ask_entity(corpus, &mut asked, name)?,
        What::Query(query) => {
            asked.words = plain(query);
            if asked.words.is_empty() {
                return Err(mindfile_ranking::Error::Empty.into());
            }
        }
        What::Session(session) => drop(corpus.sessions().read(session)?),
        What::Origin(origin) if *origin >= Origin::Owner => {
            let (value, allowed) = (origin.as_str().to_owned(), "untrusted or agent");
            return Err(OutOfRange { field: "origin", value, allowed }.into());
        }
        What::Origin(_) => {}
    }
    Ok(asked)
}

/// Facts that say themselves since when they hold, in notes of other days.
fn observed(notes: &[NoteText], asked: &mut ErasureTarget<'_>, is_meant: impl Fn(Date) -> bool) {
    for note in notes.iter().filter(|note| !asked.notes.contains(&note.path)) {
        let facts = chunk::facts_on(&note.text, None, usize::MAX).into_iter();
        let meant =
            facts.filter(|placed| placed.fact.seen().is_some_and(&is_meant)).map(|placed| placed.line);
        asked.places.entry(note.path.clone()).or_default().extend(meant);
    }
}

/// A fact with its copies, or every value of a key.
fn fact_places(corpus: &Corpus, name: &str) -> Result<BTreeMap<String, BTreeSet<u32>>, Error> {
    let found = inspect(corpus, corpus.viewer(), name, None)?;
    let values = found.values.iter().map(|(value, _)| value);
    let by_key = found.fact.key.as_deref() == Some(name.trim());
    let all = values.filter(|_| by_key).chain([&found.fact]).chain(&found.copies);
    let mut places: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for fact in all {
        places.entry(fact.path.clone()).or_default().insert(fact.line);
    }
    Ok(places)
}

fn ask_days(
    corpus: &Corpus,
    asked: &mut ErasureTarget<'_>,
    since: Option<Date>,
    until: Option<Date>,
) -> Result<(), Error> {
    let workspace = corpus.workspace()?;
    let private = workspace.private_notes()?.into_iter().map(|note| note.path);
    let seen = private.filter(|path| sees(corpus.door, path.as_str()));
    for path in workspace.scan()?.files.into_iter().map(|found| found.path).chain(seen) {
        let path = path.as_str();
        if date::of_path(path).is_some_and(|day| within(day, since, until)) {
            asked.notes.insert(path.to_owned());
        }
    }
    Ok(())
}

fn ask_entity(corpus: &Corpus, asked: &mut ErasureTarget<'_>, name: &str) -> Result<(), Error> {
    let view = corpus.view(corpus.viewer(), Freshness::AsIndexed)?;
    let snapshot = view.snapshot()?;
    let entity = find_entity(&*snapshot, corpus.viewer(), name)?;
    let docs = single::list(&*snapshot, FactQuery::Naming(&[&entity.name]))?;
    for fact in snapshot.facts(&docs)? {
        asked.places.entry(fact.chunk.path.clone()).or_default().insert(fact.chunk.start_line);
    }
    let page = alias::page(&entity.name);
    if single::note(&*snapshot, &page)?.is_some() {
        asked.notes.insert(page);
    }
    asked.heading = Some(format!("@{}", entity.name));
    Ok(())
}

/// Every note, private ones as well: what says the same goes from them, too. Those that stay closed are said.
fn read_notes(corpus: &Corpus, notices: &mut Vec<String>) -> Result<Vec<NoteText>, Error> {
    let workspace = corpus.workspace()?;
    let mut notes = Vec::new();
    for found in workspace.scan()?.files {
        notes.push(NoteText::read(&workspace, &found.path)?);
    }
    for found in workspace.private_notes()? {
        match NoteText::read(&workspace, &found.path) {
            Err(Error::Workspace(closed @ workspace::Error::Key { .. })) => {
                notices.push(wording::with_cause(&closed));
            }
            read => notes.push(read?),
        }
    }
    Ok(notes)
}

fn within(day: Date, since: Option<Date>, until: Option<Date>) -> bool {
    since.is_none_or(|since| day >= since) && until.is_none_or(|until| day <= until)
}

/// What a fact says without its key, if that is enough to know it by.
fn own_text(line: &str) -> Option<String> {
    let fact = fact::read(line)?;
    (fact.key().is_some() && plain(fact.text()).len() >= LEAST).then(|| fact.text().to_owned())
}

/// Whether whoever comes through the door may know of the note.
fn sees(door: Door, path: &str) -> bool {
    door.is_owner() || !is_private(path)
}

fn meant(notes: &[NoteText], asked: &ErasureTarget<'_>, door: Door) -> Vec<Line> {
    all_lines(notes, |path, number, text| sees(door, path) && asked.means(path, number, text))
}

/// The lines that are meant, by path, number and text.
fn all_lines(notes: &[NoteText], means: impl Fn(&str, u32, &str) -> bool) -> Vec<Line> {
    let mut lines = Vec::new();
    for note in notes {
        for (number, text) in (1..).zip(text::lines(&note.text)) {
            if means(&note.path, number, text) {
                lines.push(line(note, number, text, Why::Asked));
            }
        }
    }
    lines
}

fn line(note: &NoteText, number: u32, text: &str, why: Why) -> Line {
    Line { path: note.path.clone(), line: number, text: text.to_owned(), why }
}

/// The ids of the facts among these lines.
fn ids(notes: &[NoteText], lines: &[Line]) -> BTreeSet<String> {
    let mut gone: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for line in lines {
        gone.entry(&line.path).or_default().insert(line.line);
    }
    let of_note = |note: &NoteText| {
        let lines = gone.get(note.path.as_str())?;
        Some(fact_ids(&note.text).into_iter().filter(|(line, _)| lines.contains(line)).map(|(_, id)| id))
    };
    notes.iter().filter_map(of_note).flatten().collect()
}

/// Lines elsewhere that rest on what goes, or say the same.
fn following(notes: &[NoteText], gone: &[Line], ids: &BTreeSet<String>, matcher: &Matcher) -> Vec<Line> {
    let known: BTreeSet<(&str, u32)> = gone.iter().map(|line| (line.path.as_str(), line.line)).collect();
    let mut lines = Vec::new();
    for note in notes {
        for (number, text) in (1..).zip(text::lines(&note.text)) {
            if known.contains(&(note.path.as_str(), number)) || text.trim().is_empty() {
                continue;
            }
            let cites = CitedLine::read(text.trim_start_matches("> "));
            let rests = cites.is_some_and(|cited| cited.cites.iter().any(|id| ids.contains(id)));
            if rests {
                lines.push(line(note, number, text, Why::Cites));
            } else if heart(text).is_some_and(|said| matcher.asked(&said).is_some()) {
                lines.push(line(note, number, text, Why::Quotes));
            }
        }
    }
    lines
}

/// What reflection wrote around lines that go: their headings, and pages that have nothing else.
fn clear_up(notes: &[NoteText], lines: &mut Vec<Line>, whole: &mut BTreeSet<String>) {
    for note in notes {
        let own = lines.iter().filter(|line| line.path == note.path);
        let mut gone: BTreeSet<u32> = own.map(|line| line.line).collect();
        if gone.is_empty() || whole.contains(&note.path) {
            continue;
        }
        let mut more = headings::emptied(&note.text, &gone);
        gone.extend(&more);
        let numbered = || (1..).zip(text::lines(&note.text));
        if headings::is_left_empty(&note.path, &note.text, &gone) {
            whole.insert(note.path.clone());
            more.extend(numbered().map(|(number, _)| number).filter(|number| !gone.contains(number)));
        }
        let more = numbered().filter(|(number, _)| more.contains(number));
        lines.extend(more.map(|(number, text)| line(note, number, text, Why::Cites)));
    }
}

impl ErasureTarget<'_> {
    fn means(&self, path: &str, number: u32, line: &str) -> bool {
        if self.notes.contains(path) || self.places.get(path).is_some_and(|lines| lines.contains(&number)) {
            return true;
        }
        match self.what {
            What::Fact(_) | What::Days { .. } => false,
            What::Entity(_) => {
                let heading = line.trim_start_matches('#').trim().to_lowercase();
                line.starts_with("###") && self.heading.as_ref() == Some(&heading)
            }
            What::Query(_) => has(line, &self.words),
            What::Session(session) => is_of_session(line, session),
            What::Origin(origin) => !line.trim().is_empty() && self.judge.line(path, line) == *origin,
        }
    }

    /// Whether all that an entry of a transcript says goes.
    pub(super) fn means_entry(&self, entry: &super::transcripts::EntryFrame<'_>) -> bool {
        match self.what {
            What::Fact(_) | What::Entity(_) | What::Query(_) => false,
            What::Days { since, until } => entry.day.is_some_and(|day| within(day, *since, *until)),
            What::Session(session) => entry.session == session,
            What::Origin(origin) => {
                entry.role.is_some_and(|role| self.judge.turn(entry.session, role) == *origin)
            }
        }
    }

    /// The words that a sentence of a transcript must have to go.
    pub(super) fn words(&self) -> &[PlainWord] {
        &self.words
    }
}

/// Facts and candidates that name a conversation as their source, and its heading.
fn is_of_session(line: &str, session: &str) -> bool {
    let source = fact::read(line).and_then(|fact| fact.source());
    let is_from = |place: &str| place.split_once("#L").map_or(place, |(session, _)| session) == session;
    source.is_some_and(|source| is_from(&source.reference))
        || line.contains(&format!("[{}#L", path_of(session)))
        || line.trim() == format!("## Session {session}")
}
