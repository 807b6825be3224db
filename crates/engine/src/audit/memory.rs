//! What a memory logs of itself.

use jiff::civil::Date;
use mindfile_disk::secret_key::hex;
use mindfile_index::{FactQuery, Snapshot, single};
use mindfile_note::fact::Sensitivity;
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::policy::has_mask;
use mindfile_workspace::transcripts::id_of;

use super::{Act, Entry, Log, What};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::view::{Freshness, View};
use crate::viewer::Viewer;

/// Something that was done.
pub struct Record<'a> {
    pub act: Act,
    pub what: What,
    pub id: Option<&'a str>,
    /// Digested, never written.
    pub text: Option<&'a str>,
}

impl Corpus {
    pub fn audit_log(&self) -> Log {
        Log::new(&self.settings.state_dir, self.settings.agent.as_str())
    }

    /// Logs what was done. It is done already: what keeps it from being logged is said among the notices.
    pub fn audit(&self, record: &Record<'_>) {
        let digest = record.text.and_then(|text| self.policy.digest_of(text));
        let entry = Entry {
            seq: 0,
            at: self.clock.now().as_millisecond(),
            who: self.door().origin().as_str().to_owned(),
            door: self.door().as_str().to_owned(),
            act: record.act.as_str().to_owned(),
            what: record.what.as_str().to_owned(),
            id: record.id.map(str::to_owned),
            digest: digest.map(|digest| hex(&digest[..16])),
            prev: String::new(),
        };
        if let Err(error) = self.audit_log().append(entry) {
            self.space().store.note(format!("done, but not in the audit log: {error}"));
        }
    }

    /// Logs that a fact was shown, if it is sensitive.
    pub(crate) fn audit_shown<'a>(&self, facts: impl IntoIterator<Item = &'a FactRecord>) {
        for fact in facts {
            if fact.sensitivity == Some(Sensitivity::High) || has_mask(&fact.text) {
                self.audit(&Record {
                    act: Act::Read,
                    what: What::Fact,
                    id: Some(&fact.id),
                    text: Some(&fact.text),
                });
            }
        }
    }

    /// Logs that text of a note or a conversation was shown, if something in it is masked.
    pub(crate) fn audit_seen(&self, what: What, id: &str, text: &str) {
        if has_mask(text) {
            self.audit(&Record { act: Act::Read, what, id: Some(id), text: Some(text) });
        }
    }
}

/// The last entries, oldest first; with a day only those of it and after.
fn last(corpus: &Corpus, since: Option<Date>, limit: usize) -> Result<Vec<Entry>, Error> {
    let begin =
        since.and_then(|day| Some(day.to_zoned(corpus.clock.zone()).ok()?.timestamp().as_millisecond()));
    let mut entries = corpus.audit_log().entries()?;
    entries.retain(|entry| begin.is_none_or(|begin| entry.at >= begin));
    entries.drain(..entries.len().saturating_sub(limit));
    Ok(entries)
}

/// The last entries about what the viewer may see, oldest first.
pub fn entries(
    corpus: &Corpus,
    viewer: Viewer,
    since: Option<Date>,
    limit: usize,
) -> Result<Vec<Entry>, Error> {
    if viewer.sees_private_notes() {
        return last(corpus, since, limit);
    }
    let view = corpus.view(viewer, Freshness::AsIndexed)?;
    let snapshot = view.snapshot()?;
    let mut seen = Vec::new();
    for entry in last(corpus, since, usize::MAX)? {
        if is_seen(&entry, &view, &*snapshot)? {
            seen.push(entry);
        }
    }
    seen.drain(..seen.len().saturating_sub(limit));
    Ok(seen)
}

/// Whether an entry is about something that the viewer would be shown.
fn is_seen(entry: &Entry, view: &View, snapshot: &dyn Snapshot) -> Result<bool, Error> {
    let is_alone = view.viewer().chat.is_private();
    let Some(id) = &entry.id else { return Ok(is_alone) };
    let is = |what: What| entry.what == what.as_str();
    let place = id.split_once('#').map_or(id.as_str(), |(path, _)| path);
    if is(What::Session) {
        return Ok(view.audience().sees_session(id_of(place).unwrap_or(place)));
    }
    if is(What::Note) {
        return Ok(view.audience().sees(place));
    }
    Ok(is_alone || (is(What::Fact) && !single::list(snapshot, FactQuery::Ids(&[id]))?.is_empty()))
}
