//! Facts as a list: filtered, in an order, a page at a time.

use std::cmp::Reverse;
use std::collections::HashSet;

use jiff::ToSpan;
use jiff::civil::Date;
use mindfile_fault::OutOfRange;
use mindfile_index::{Doc, FactQuery, Filter, Snapshot, single};
use mindfile_note::Origin;
use mindfile_note::date::day_number;
use mindfile_ranking::fact::Uses;

use super::{FactRecord, Kind, State, asked_entity, load};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::view::Freshness;
use crate::viewer::Viewer;

/// The most facts of one page.
const MOST: usize = 1000;

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    #[default]
    Newest,
    Salience,
    /// The most recalled first.
    Use,
    Oldest,
    /// By the words of their text.
    Text,
}

/// Which facts are listed. None: all of them that are trusted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Wanted {
    pub kind: Option<Kind>,
    /// By any of its names.
    pub entity: Option<String>,
    pub state: Option<State>,
    pub origin: Option<Origin>,
    pub key: Option<String>,
    /// Words that stand in the text, in any case.
    pub text: Option<String>,
    pub since: Option<Date>,
    pub until: Option<Date>,
    pub min_salience: Option<f32>,
    pub order: Order,
    pub offset: usize,
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub facts: Vec<(FactRecord, State)>,
    /// How many there are in all.
    pub total: usize,
}

pub fn list(corpus: &Corpus, viewer: Viewer, wanted: &Wanted) -> Result<Page, Error> {
    if !(1..=MOST).contains(&wanted.limit) {
        let value = wanted.limit.to_string();
        return Err(OutOfRange { field: "limit", value, allowed: "from 1 to 1000" }.into());
    }
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let uses = corpus.journal.uses()?;
    let today = clock::today(&*corpus.clock);
    if wanted.is_everything()
        && let Some(page) = newest(&*snapshot, wanted, &uses, today)?
    {
        return Ok(page);
    }
    let docs = match &wanted.entity {
        Some(name) => {
            let name = asked_entity(&*snapshot, viewer, name)?;
            let mut docs = single::list(&*snapshot, FactQuery::Naming(&[&name]))?;
            docs.sort_unstable();
            docs
        }
        None => of_origin(&*snapshot, wanted.origin)?,
    };
    let text = wanted.text.as_ref().map(|text| text.to_lowercase());
    let mut facts = with_state(load::records(&*snapshot, &docs, &uses)?, today);
    facts.retain(|(fact, state)| wanted.admits(fact, *state, text.as_deref()));
    Ok(wanted.page(facts, None))
}

/// Of all facts those that may be an origin's: what nobody trusts is little, and is not looked for in all the rest.
fn of_origin(snapshot: &dyn Snapshot, origin: Option<Origin>) -> Result<Vec<Doc>, Error> {
    let mut docs = single::list(snapshot, FactQuery::All)?;
    if origin.is_some_and(|origin| !origin.is_trusted()) {
        let trusted = Filter { trusted: true, ..Filter::default() };
        let trusted = snapshot.find_facts(FactQuery::All, &trusted, usize::MAX)?.concat();
        let trusted: HashSet<Doc> = trusted.into_iter().collect();
        docs.retain(|doc| !trusted.contains(doc));
    }
    Ok(docs)
}

/// The last days whose notes are looked at before all are.
const LAST_DAYS: [i64; 2] = [7, 90];

/// A page of the first of all facts, the newest first, from the notes of the last days alone: a fact is never seen after the
/// day of its note. None where these are not enough.
fn newest(snapshot: &dyn Snapshot, wanted: &Wanted, uses: &Uses, today: Date) -> Result<Option<Page>, Error> {
    let enough = wanted.offset.saturating_add(wanted.limit);
    for days in LAST_DAYS {
        let first = today.saturating_sub(days.days());
        let filter = Filter { since: Some(day_number(first)), trusted: true, ..Filter::default() };
        let docs = snapshot.find_facts(FactQuery::All, &filter, usize::MAX)?.concat();
        if docs.len() < enough {
            continue;
        }
        let mut facts = with_state(load::records(snapshot, &docs, uses)?, today);
        facts.retain(|(fact, _)| fact.since() >= Some(first));
        if facts.len() >= enough {
            let trusted = Filter { trusted: true, ..Filter::default() };
            let total = snapshot.find_facts(FactQuery::All, &trusted, usize::MAX)?.concat().len();
            return Ok(Some(wanted.page(facts, Some(total))));
        }
    }
    Ok(None)
}

fn with_state(facts: Vec<FactRecord>, today: Date) -> Vec<(FactRecord, State)> {
    let one = |fact: FactRecord| {
        let state = fact.state(today);
        (fact, state)
    };
    facts.into_iter().map(one).collect()
}

impl Wanted {
    /// Whether nothing is left out, and the newest come first.
    fn is_everything(&self) -> bool {
        *self == Self { offset: self.offset, limit: self.limit, ..Self::default() }
    }

    /// `total` is known where these are not all.
    fn page(&self, mut facts: Vec<(FactRecord, State)>, total: Option<usize>) -> Page {
        sort(&mut facts, self.order);
        let total = total.unwrap_or(facts.len());
        Page { facts: facts.into_iter().skip(self.offset).take(self.limit).collect(), total }
    }

    /// `text` is what is wanted in lower case.
    fn admits(&self, fact: &FactRecord, state: State, text: Option<&str>) -> bool {
        self.origin.map_or(fact.origin.is_trusted(), |origin| fact.origin == origin)
            && self.kind.is_none_or(|kind| fact.kind == kind)
            && self.state.is_none_or(|wanted| state == wanted)
            && self.key.as_ref().is_none_or(|key| fact.key.as_ref() == Some(key))
            && text.is_none_or(|text| fact.text.to_lowercase().contains(text))
            && self.since.is_none_or(|since| fact.since().is_some_and(|day| day >= since))
            && self.until.is_none_or(|until| fact.since().is_some_and(|day| day <= until))
            && self.min_salience.is_none_or(|least| fact.salience >= least)
    }
}

fn sort(facts: &mut [(FactRecord, State)], order: Order) {
    let place = |fact: &FactRecord| (fact.since(), fact.path.clone(), fact.line);
    match order {
        Order::Newest => facts.sort_by_cached_key(|(fact, _)| Reverse(place(fact))),
        Order::Salience => facts.sort_by(|(a, _), (b, _)| {
            b.salience.total_cmp(&a.salience).then_with(|| place(b).cmp(&place(a)))
        }),
        Order::Oldest => facts.sort_by_cached_key(|(fact, _)| place(fact)),
        Order::Text => facts.sort_by_cached_key(|(fact, _)| (fact.text.to_lowercase(), place(fact))),
        Order::Use => facts.sort_by_cached_key(|(fact, _)| Reverse((fact.access.count, place(fact)))),
    }
}
