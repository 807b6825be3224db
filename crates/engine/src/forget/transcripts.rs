//! Covering what was said in conversations. An entry stays where it is, with its id, its role and its time; what it says
//! is replaced.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use mindfile_note::words::plain;
use mindfile_trust::speaker::Role;
use mindfile_workspace::transcripts::{TranscriptStore, read_entry};
use serde_json::Value;

use super::choose::{Choice, ErasureTarget};
use super::{COVER, Forgotten, Matcher, Message, Plan, Redact, Why, covered, each_string, with_words};
use crate::clock::day_of;
use crate::corpus::Corpus;
use crate::error::Error;

/// Characters of an entry that a report shows.
const SHOWN: usize = 120;

/// An entry as it is compared.
pub(super) struct EntryFrame<'a> {
    pub(super) session: &'a str,
    pub(super) role: Option<Role>,
    pub(super) day: Option<Date>,
}

/// Transcripts as they are: sessions with their lines.
pub(super) struct AllTranscripts(Vec<(String, Vec<Value>)>);

/// Those that can be changed. One in another program's database is named.
pub(super) fn read_transcripts(corpus: &Corpus, notices: &mut Vec<String>) -> Result<AllTranscripts, Error> {
    let sessions = corpus.sessions();
    let mut all = Vec::new();
    for found in sessions.list()? {
        match found.kept {
            TranscriptStore::File => {
                let bytes = sessions.bytes(&found.session)?;
                all.push((found.session, lines(&bytes)));
            }
            TranscriptStore::Database => notices.push(format!(
                "session {} is in OpenClaw's database, which is only read: what it says stays there",
                found.session
            )),
        }
    }
    Ok(AllTranscripts(all))
}

/// Covers what goes in every transcript and in what is kept beside them.
pub(super) fn erase_messages(corpus: &Corpus, choice: &Choice, done: &mut Forgotten) -> Result<(), Error> {
    let mut wanted: BTreeMap<&str, BTreeMap<u32, Redact>> = BTreeMap::new();
    for (message, how) in &choice.messages {
        wanted.entry(&message.session).or_default().insert(message.line, *how);
    }
    let sessions = corpus.sessions();
    for (session, entries) in &wanted {
        sessions.rewrite(session, &|number, line| redacted(number, line, entries, &choice.matcher))?;
    }
    for session in sessions.list()?.into_iter().filter(|found| found.kept == TranscriptStore::File) {
        let torn = sessions.path(&session.session).with_extension("jsonl.torn");
        let goes = wanted.contains_key(session.session.as_str());
        if torn.exists() && (goes || super::state::says(&torn, &choice.matcher)?) {
            super::state::remove(&torn)?;
            done.files.push(torn.display().to_string());
        }
    }
    Ok(())
}

/// A line that is no JSON is a text.
fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(bytes);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| Value::String(line.to_owned())))
        .collect()
}

impl AllTranscripts {
    fn entries(&self) -> impl Iterator<Item = (&str, u32, &Value)> {
        self.0.iter().flat_map(|(session, lines)| {
            (1..).zip(lines).map(move |(number, value)| (session.as_str(), number, value))
        })
    }

    /// The entries that were asked for. What they say is added to `texts`.
    pub(super) fn meant(&self, asked: &ErasureTarget<'_>, texts: &mut Vec<String>) -> Vec<(Message, Redact)> {
        let mut found = Vec::new();
        for (session, number, value) in self.entries() {
            let entry = read_entry(value);
            let role = entry.as_ref().and_then(|entry| Some(entry.message()?.role));
            let day = entry.and_then(|entry| entry.at).map(day_of);
            let strings = strings(value);
            if asked.means_entry(&EntryFrame { session, role, day }) && !strings.is_empty() {
                found.push((message(session, number, &strings, Why::Asked), Redact::All));
                texts.extend(strings);
                continue;
            }
            let sentences: Vec<String> =
                strings.iter().flat_map(|text| with_words(text, asked.words())).collect();
            if !sentences.is_empty() {
                found.push((message(session, number, &sentences, Why::Asked), Redact::Parts));
                texts.extend(sentences);
            }
        }
        found
    }

    /// The entries of a plan that still say something. Numbers of lines hold: a transcript only grows.
    pub(super) fn planned(&self, plan: &Plan) -> Vec<(Message, Redact)> {
        let mut found = Vec::new();
        for (session, number, value) in self.entries() {
            let how = |how: &Redact| plan.messages.contains(&(session.to_owned(), number, *how));
            let how = [Redact::All, Redact::Parts].into_iter().find(how);
            if let (Some(how), strings @ [_, ..]) = (how, &strings(value)[..]) {
                found.push((message(session, number, strings, Why::Asked), how));
            }
        }
        found
    }

    /// The other entries that say what goes.
    pub(super) fn quoting(&self, known: &[(Message, Redact)], matcher: &Matcher) -> Vec<(Message, Redact)> {
        let known: BTreeSet<(&str, u32)> =
            known.iter().map(|(message, _)| (message.session.as_str(), message.line)).collect();
        let mut found = Vec::new();
        for (session, number, value) in self.entries().filter(|(s, n, _)| !known.contains(&(*s, *n))) {
            let strings: Vec<String> =
                strings(value).into_iter().filter(|text| matcher.asked(text).is_some()).collect();
            if !strings.is_empty() {
                found.push((message(session, number, &strings, Why::Quotes), Redact::Parts));
            }
        }
        found
    }
}

fn message(session: &str, line: u32, strings: &[String], why: Why) -> Message {
    let text = strings.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.chars().take(SHOWN).collect();
    Message { session: session.to_owned(), line, text, why }
}

/// What an entry says: its strings but those of the frame.
fn strings(value: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut copy = value.clone();
    each_string(&mut copy, &mut |text| {
        if !plain(text).is_empty() && text != COVER {
            all.push(text.clone());
        }
    });
    all
}

/// A line of a transcript whose entry goes, covered; none for one that stays.
fn redacted(number: u32, line: &[u8], entries: &BTreeMap<u32, Redact>, matcher: &Matcher) -> Option<Vec<u8>> {
    entries.get(&number).map(|how| covered(&String::from_utf8_lossy(line), *how, matcher))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mindfile_disk::secret_key::Key;
    use mindfile_trust::forgotten::Item;

    #[test]
    fn an_entry_keeps_its_frame_and_loses_its_words() {
        let line = "{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\
                    [{\"type\":\"text\",\"text\":\"Hello. The blue door is open. Bye.\"}]}}\n";
        let key = Key::from_bytes([4; 32]);
        let item = Item::of(&key, "The blue door is open.", 3, 0).unwrap();
        let matcher = Matcher::new(key, vec![item]);
        let entries = BTreeMap::from([(2, Redact::Parts), (3, Redact::All)]);
        let text = |number| redacted(number, line.trim_end().as_bytes(), &entries, &matcher);
        let text = |number| text(number).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(text(1), None);
        assert_eq!(text(2).unwrap(), line.trim_end().replace("The blue door is open", COVER));
        assert_eq!(text(3).unwrap(), line.trim_end().replace("Hello. The blue door is open. Bye.", COVER));
    }
}
