//! What a span of days did to the facts: which came, which changed, which ended. It is told by what the notes say of their
//! facts and by the audit log; nothing needs a history of files.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;
use mindfile_index::{FactQuery, single};

use super::{FactRecord, State, load};
use crate::audit::{self, Act, Entry, What};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::view::Freshness;
use crate::viewer::Viewer;

/// Days, both ends among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: Date,
    pub to: Date,
}

impl Span {
    fn has(self, day: Date) -> bool {
        (self.from..=self.to).contains(&day)
    }
}

/// What happened, each list by day.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diff {
    pub came: Vec<(Date, FactRecord, State)>,
    pub changed: Vec<NewWording>,
    pub ended: Vec<(Date, FactRecord, State)>,
    /// Facts that were taken out of the notes.
    pub removed: Vec<(Date, Entry)>,
}

/// A fact that says something else than before.
#[derive(Debug, Clone, PartialEq)]
pub struct NewWording {
    pub day: Date,
    /// What it said; none where it was edited in its place, of which no copy is kept.
    pub before: Option<FactRecord>,
    pub after: FactRecord,
}

/// What happened to facts that are trusted, as far as the viewer may see it.
pub fn diff(corpus: &Corpus, viewer: Viewer, span: Span) -> Result<Diff, Error> {
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let docs = single::list(&*snapshot, FactQuery::All)?;
    let mut facts = load::records(&*snapshot, &docs, &*corpus.journal.uses()?)?;
    facts.retain(|fact| fact.origin.is_trusted());
    let entries = entries(corpus, viewer, span)?;
    let diff = Ledger { span, today: clock::today(&*corpus.clock), facts: &facts, entries }.diff();
    let before = diff.changed.iter().filter_map(|change| change.before.as_ref());
    let came = diff.came.iter().chain(&diff.ended).map(|(_, fact, _)| fact);
    corpus.audit_shown(came.chain(before).chain(diff.changed.iter().map(|change| &change.after)));
    Ok(diff)
}

/// What the audit log has of facts in those days.
fn entries(corpus: &Corpus, viewer: Viewer, span: Span) -> Result<Vec<(Date, Entry)>, Error> {
    let day = |entry: &Entry| {
        let at = Timestamp::from_millisecond(entry.at).ok()?;
        Some(at.to_zoned(corpus.clock.zone()).date()).filter(|day| span.has(*day))
    };
    let all = audit::entries(corpus, viewer, Some(span.from), usize::MAX)?;
    let of_facts = all.into_iter().filter(|entry| entry.what == What::Fact.as_str());
    Ok(of_facts.filter_map(|entry| Some((day(&entry)?, entry))).collect())
}

struct Ledger<'a> {
    span: Span,
    today: Date,
    facts: &'a [FactRecord],
    entries: Vec<(Date, Entry)>,
}

impl Ledger<'_> {
    fn diff(self) -> Diff {
        let by_id: BTreeMap<&str, &FactRecord> =
            self.facts.iter().map(|fact| (fact.id.as_str(), fact)).collect();
        let mut diff = Diff::default();
        let mut followers = BTreeSet::new();
        for fact in self.facts {
            let Some((day, state)) = self.end(fact) else { continue };
            match fact.by.as_deref().and_then(|by| by_id.get(by)) {
                Some(after) => {
                    followers.insert(after.id.as_str());
                    let change = NewWording { day, before: Some(fact.clone()), after: (*after).clone() };
                    diff.changed.push(change);
                }
                None => diff.ended.push((day, fact.clone(), state)),
            }
        }
        let mut known = followers;
        for fact in self.facts {
            let Some(day) = fact.since().filter(|day| self.span.has(*day)) else { continue };
            if known.insert(fact.id.as_str()) {
                diff.came.push((day, fact.clone(), fact.state(self.today)));
            }
        }
        for (day, entry) in &self.entries {
            let id = entry.id.as_deref().unwrap_or_default();
            let is = |act: Act| entry.act == act.as_str();
            match by_id.get(id) {
                Some(fact) if is(Act::Edit) && known.insert(fact.id.as_str()) => {
                    diff.changed.push(NewWording { day: *day, before: None, after: (*fact).clone() });
                }
                None if is(Act::Delete) || is(Act::Forget) => diff.removed.push((*day, entry.clone())),
                Some(_) | None => {}
            }
        }
        diff.came.sort_by_key(|(day, ..)| *day);
        diff.changed.sort_by_key(|change| change.day);
        diff.ended.sort_by_key(|(day, ..)| *day);
        diff
    }

    /// The day of the span on which a fact no longer held, and why.
    fn end(&self, fact: &FactRecord) -> Option<(Date, State)> {
        let superseded = fact.until.map(|day| (day, State::Superseded));
        let expired = fact.valid_until.and_then(|last| Some((last.tomorrow().ok()?, State::Expired)));
        let ends = [superseded, expired].into_iter().flatten();
        ends.min_by_key(|(day, _)| *day).filter(|(day, _)| self.span.has(*day) && *day <= self.today)
    }
}
