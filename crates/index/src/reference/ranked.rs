//! What ranking needs of a shelf, put together when it is first asked for: a question costs what it finds, not what there is.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use super::Contents;
use crate::alias::Aliases;
use crate::associate::{FactNames, NamedFact};
use crate::bm25::Postings;
use crate::columns::{Column, Columns};
use crate::query_term::QueryTerm;
use crate::record::{Shelf, StoredNote};

#[derive(Debug)]
pub(super) struct RankedShelf {
    pub(super) columns: Columns,
    terms: BTreeMap<String, Arc<Postings>>,
}

impl RankedShelf {
    fn of(contents: &Contents, shelf: Shelf) -> Self {
        let mut columns = Columns::of(shelf, contents.part);
        let mut terms: HashMap<&str, Postings> = HashMap::new();
        for (position, chunk) in contents.on(shelf).enumerate() {
            let Some(words) = contents.terms.get(&chunk.doc) else { continue };
            let changed = contents.notes.get(&chunk.path).map_or(0, StoredNote::changed_day);
            let source = chunk.source;
            let origin = chunk.origin;
            let day = chunk.day.unwrap_or(changed);
            columns.push(chunk.doc, Column { source, origin, day, length: words.length });
            for (term, count) in words.counts() {
                terms.entry(term).or_default().push(position, count);
            }
        }
        let terms = terms.into_iter().map(|(term, postings)| (term.to_owned(), Arc::new(postings))).collect();
        Self { columns, terms }
    }

    /// Where each of the terms stands.
    pub(super) fn postings(&self, terms: &[QueryTerm]) -> Vec<Arc<Postings>> {
        let postings = |term: &String| self.terms.get(term).cloned().unwrap_or_default();
        QueryTerm::spellings(terms).iter().map(postings).collect()
    }

    pub(super) fn terms_beginning(&self, ways: &[String]) -> BTreeSet<String> {
        let begun = |way: &String| {
            let way = way.clone();
            let terms = self.terms.range(way.clone()..).map(|(term, _)| term);
            terms.take_while(move |term| term.starts_with(&way)).cloned()
        };
        ways.iter().flat_map(begun).collect()
    }
}

/// That of both shelves, of one generation.
#[derive(Debug, Clone, Default)]
pub(super) struct Ranks {
    shelves: [OnceLock<Arc<RankedShelf>>; 2],
    names: OnceLock<Arc<FactNames>>,
}

impl Contents {
    pub(super) fn ranked(&self, shelf: Shelf) -> &RankedShelf {
        self.ranks.shelves[shelf as usize].get_or_init(|| Arc::new(RankedShelf::of(self, shelf)))
    }

    /// What facts are found by.
    pub(super) fn names(&self) -> &FactNames {
        self.ranks.names.get_or_init(|| {
            let facts = self.rows.values().filter_map(|row| Some((&row.chunk, row.fields.as_ref()?)));
            let mut facts: Vec<_> = facts.collect();
            facts.sort_by(|(a, _), (b, _)| {
                (&a.path, a.start_line, a.doc).cmp(&(&b.path, b.start_line, b.doc))
            });
            let facts = facts.into_iter().map(|(chunk, fields)| NamedFact {
                doc: chunk.doc,
                id: fields.id.clone(),
                key: fields.key.clone(),
                entities: fields.entities.clone(),
            });
            let facts = facts.collect();
            Arc::new(FactNames::of(Aliases::of(self.declared.values().flatten()), facts))
        })
    }
}
