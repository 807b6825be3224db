//! Everything that an index can be asked, in a form that two of them can be compared in.

use std::collections::HashSet;

use mindfile_note::words;

use super::Allowances;
use super::notes::{WORDS, text, vector};
use crate::{
    Alias, Doc, Entity, EntityQuery, FactQuery, Filter, Form, LexicalHit, NoteQuery, Origin, QueryTerm,
    RowQuery, Shelf, Snapshot, Stats, StoredNote, associate,
};

/// Everything that an index can be asked, without the numbers that differ from one index to another.
#[derive(Debug, PartialEq)]
pub(super) struct Answers {
    notes: Vec<StoredNote>,
    chunks: Vec<(String, u32, u32, String, bool, Origin)>,
    words: Vec<Vec<(String, u32, u32)>>,
    begun: Vec<Vec<String>>,
    meaning: Vec<Vec<(String, u32, u32)>>,
    pending: usize,
    finished: Vec<usize>,
    stats: Stats,
    sizes: [u64; 2],
    associations: Associations,
}

/// What facts say of entities.
#[derive(Debug, PartialEq)]
pub struct Associations {
    facts: Vec<(String, u32, String, Vec<String>)>,
    keyed: Vec<(String, u32)>,
    entities: Vec<EntityAnswers>,
    alike: Vec<Vec<(String, u32)>>,
    declared: Vec<(String, Alias)>,
}

#[derive(Debug, PartialEq)]
struct EntityAnswers {
    entity: Entity,
    spelled: Option<String>,
    facts: Vec<(String, u32)>,
    trusted: Vec<(String, u32)>,
    neighbours: Vec<(Entity, u32)>,
}

/// The facts that a query finds, one list for each value.
pub fn found(snapshot: &dyn Snapshot, query: FactQuery<'_>) -> Vec<Vec<Doc>> {
    snapshot.find_facts(query, &Filter::default(), usize::MAX).unwrap()
}

/// What facts say of entities, as the snapshot tells it.
pub fn associations(snapshot: &dyn Snapshot) -> Associations {
    let place = |docs: &[Doc]| -> Vec<(String, u32)> {
        let facts = snapshot.facts(docs).unwrap();
        let mut places: Vec<_> =
            facts.iter().map(|fact| (fact.chunk.path.clone(), fact.chunk.start_line)).collect();
        places.sort();
        places
    };
    let facts = snapshot.facts(&found(snapshot, FactQuery::All).concat()).unwrap();
    many_are_as_one(snapshot);
    let every = Filter::default();
    let entity = |entity: Entity| {
        let name = entity.name.clone();
        let upper = snapshot.entities(EntityQuery::Named(&[&name.to_uppercase()]), &every).unwrap();
        assert_eq!(upper, std::slice::from_ref(&entity));
        let facts = found(snapshot, FactQuery::Naming(&[&name])).concat();
        assert!(facts.is_sorted_by(|a, b| a > b), "the last first");
        let trusted = snapshot.find_facts(FactQuery::Naming(&[&name]), &trusted(), usize::MAX).unwrap();
        let stored = snapshot.facts(&facts).unwrap();
        let lists = stored.iter().map(|fact| fact.names.as_slice());
        let neighbours = associate::neighbours(snapshot, &name, lists, &every).unwrap();
        let spelled = snapshot.spellings(&[&name], &every).unwrap().remove(0);
        EntityAnswers { entity, spelled, facts: place(&facts), trusted: place(&trusted.concat()), neighbours }
    };
    let sharing = |seed| found(snapshot, FactQuery::Sharing(&words::query(&text(seed)).terms)).concat();
    Associations {
        facts: facts
            .iter()
            .map(|f| (f.chunk.path.clone(), f.chunk.start_line, f.fields.id.clone(), f.names.clone()))
            .collect(),
        keyed: place(&found(snapshot, FactQuery::Keys(&["drink"])).concat()),
        entities: snapshot.entities(EntityQuery::All, &every).unwrap().into_iter().map(entity).collect(),
        alike: (0..6).map(|seed| place(&sharing(seed))).collect(),
        declared: snapshot.aliases().unwrap(),
    }
}

fn trusted() -> Filter {
    Filter { trusted: true, ..Filter::default() }
}

/// Asked for many at once, the answer is that of asking for one after the other; asked with a filter, it is that of all facts
/// without those that the filter leaves out.
fn many_are_as_one(snapshot: &dyn Snapshot) {
    let every = Filter::default();
    let all = snapshot.entities(EntityQuery::All, &every).unwrap();
    let mut names: Vec<String> = all.into_iter().map(|entity| entity.name.to_uppercase()).collect();
    names.extend(snapshot.aliases().unwrap().into_iter().map(|(_, alias)| alias.alias));
    names.extend(["nobody".to_owned(), String::new()]);
    names.extend(names.first().cloned());
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let keys = ["drink", "none", "drink"];
    let each = |query: &dyn Fn(&[&str]) -> Vec<Vec<Doc>>, values: &[&str]| {
        assert_eq!(query(values), values.iter().flat_map(|value| query(&[value])).collect::<Vec<_>>());
    };
    each(&|keys| found(snapshot, FactQuery::Keys(keys)), &keys);
    each(&|ids| found(snapshot, FactQuery::Ids(ids)), &["f20", "f30", "none", "f20"]);
    let facts = found(snapshot, FactQuery::All).concat();
    let is_trusted = |doc: &Doc| snapshot.chunks(&[*doc]).unwrap()[0].origin.is_trusted();
    let admitted: HashSet<Doc> = facts.iter().copied().filter(is_trusted).collect();
    let admits = |filter: &Filter, doc: &Doc| !filter.trusted || admitted.contains(doc);
    for filter in [every, trusted()] {
        let one = |name: &&str| snapshot.entities(EntityQuery::Named(&[name]), &filter).unwrap().remove(0);
        let alone: Vec<Entity> = names.iter().map(one).collect();
        assert_eq!(snapshot.entities(EntityQuery::Named(&names), &filter).unwrap(), alone);
        let one = |name: &&str| snapshot.spellings(&[name], &filter).unwrap().remove(0);
        let spelled: Vec<Option<String>> = names.iter().map(one).collect();
        assert_eq!(snapshot.spellings(&names, &filter).unwrap(), spelled);
        let of = |name: &&str| {
            let mut all = found(snapshot, FactQuery::Naming(&[name])).concat();
            all.retain(|doc| admits(&filter, doc));
            all
        };
        let lists: Vec<Vec<Doc>> = names.iter().map(of).collect();
        let counts: Vec<u32> = alone.iter().map(|entity| entity.facts).collect();
        assert_eq!(counts, lists.iter().map(|docs| docs.len() as u32).collect::<Vec<_>>());
        assert_eq!(
            alone.iter().map(|e| e.facts > 0).collect::<Vec<_>>(),
            spelled.iter().map(Option::is_some).collect::<Vec<_>>()
        );
        let listed = snapshot.entities(EntityQuery::All, &filter).unwrap();
        assert!(listed.iter().all(|entity| entity.facts > 0), "nobody is listed whom no fact names");
        for limit in [2, 1000] {
            let last: Vec<Vec<Doc>> =
                lists.iter().map(|docs| docs.iter().take(limit).copied().collect()).collect();
            assert_eq!(snapshot.find_facts(FactQuery::Naming(&names), &filter, limit).unwrap(), last);
        }
        let mut left = facts.clone();
        left.retain(|doc| admits(&filter, doc));
        assert_eq!(snapshot.find_facts(FactQuery::All, &filter, usize::MAX).unwrap(), [left]);
    }
}

/// Each term with the next two for forms of it, and one that no text has.
fn as_forms(all: &[QueryTerm]) -> Vec<QueryTerm> {
    let form = |(at, sought): (usize, &QueryTerm)| Form {
        term: sought.term.clone(),
        similarity: [0.5, 0.75][at % 2],
    };
    let forms = |at: usize| all.iter().enumerate().skip(at).take(2).map(form).collect();
    let unheard = QueryTerm { term: "unheard".to_owned(), forms: forms(0) };
    let asked = all.iter().zip(1..).map(|(sought, at)| QueryTerm { forms: forms(at), ..sought.clone() });
    asked.chain([unheard]).collect()
}

/// The terms with some beginnings that are still said.
fn begun(snapshot: &dyn Snapshot, shelf: Shelf) -> Vec<String> {
    let ways = ["d", "dead", "dog", "по", "поиск", "数", "z"].map(str::to_owned);
    let said = |term: &String| {
        let sought = QueryTerm::as_asked(std::slice::from_ref(term));
        snapshot.lexical(shelf, &sought, &Filter::default(), 1).unwrap().terms[0].chunks > 0
    };
    snapshot.terms_beginning(shelf, &ways).unwrap().into_iter().filter(said).collect()
}

pub(super) fn answers(snapshot: &dyn Snapshot, allowed: Allowances) -> Answers {
    let open = Filter::default;
    let filters = [open(), Filter { since: Some(20_001), ..open() }, Filter { trusted: true, ..open() }];
    let ask_words = |(shelf, filter): (Shelf, &Filter)| {
        let all = QueryTerm::as_asked(&words::terms(&WORDS.join(" ")));
        let singles = all.iter().map(|sought| vec![sought.clone()]).chain([all.clone()]);
        singles
            .chain([as_forms(&all)])
            .map(|terms| {
                let hits = snapshot.lexical(shelf, &terms, filter, 1000).unwrap().hits;
                let score = |hit: &LexicalHit| if allowed.word_scores { 0.0 } else { hit.score };
                places(snapshot, &hits.iter().map(|hit| (hit.doc, score(hit))).collect::<Vec<_>>())
            })
            .collect::<Vec<_>>()
    };
    let ask_meaning = |(shelf, filter): (Shelf, &Filter)| {
        (0..4)
            .map(|seed| {
                let found = snapshot.nearest(shelf, &vector(&text(seed)), filter, 20, &[]);
                places(snapshot, &found.unwrap_or_default())
            })
            .collect::<Vec<_>>()
    };
    let notes = snapshot.notes(NoteQuery::All).unwrap();
    let asked = || Shelf::ALL.into_iter().flat_map(|shelf| filters.iter().map(move |filter| (shelf, filter)));
    Answers {
        chunks: all_chunks(snapshot, &notes),
        words: asked().flat_map(ask_words).collect(),
        begun: Shelf::ALL.map(|shelf| begun(snapshot, shelf)).into(),
        meaning: asked().flat_map(ask_meaning).collect(),
        pending: snapshot.unembedded(1000).unwrap().len(),
        finished: notes.iter().map(|note| finished(snapshot, note)).collect(),
        stats: snapshot.stats().unwrap(),
        sizes: Shelf::ALL.map(|shelf| snapshot.size(shelf).unwrap()),
        associations: associations(snapshot),
        notes,
    }
}

/// How many rows of a note need nothing more from an embedder.
fn finished(snapshot: &dyn Snapshot, note: &StoredNote) -> usize {
    let rows = snapshot.rows_of(&note.path, RowQuery::All).unwrap();
    let docs: Vec<Doc> = rows.iter().map(|row| row.doc).collect();
    for (row, chunk) in rows.iter().zip(snapshot.chunks(&docs).unwrap()) {
        assert_eq!((&row.id, row.is_pending), (&chunk.id, chunk.embedding.is_pending()));
        assert_eq!((row.start_line, row.end_line), (chunk.start_line, chunk.end_line));
    }
    assert!(rows.is_sorted_by_key(|row| (row.doc.shelf, row.start_line)));
    rows.iter().filter(|row| !row.is_pending).count()
}

/// The chunks that hold a line of a note.
pub fn located(snapshot: &dyn Snapshot, path: &str, line: u32) -> Vec<Doc> {
    let rows = snapshot.rows_of(path, RowQuery::ChunksAt(line)).unwrap();
    rows.into_iter().map(|row| row.doc).collect()
}

/// Places with their score in thousandths, in an order that does not depend on `Doc`.
pub fn places(snapshot: &dyn Snapshot, hits: &[(Doc, f32)]) -> Vec<(String, u32, u32)> {
    let docs: Vec<Doc> = hits.iter().map(|(doc, _)| *doc).collect();
    let chunks = snapshot.chunks(&docs).unwrap();
    let mut places: Vec<_> = chunks
        .iter()
        .zip(hits)
        .map(|(chunk, (_, score))| {
            (chunk.path.clone(), chunk.start_line, (score.abs() * 1000.0).round() as u32)
        })
        .collect();
    places.sort();
    places
}

fn all_chunks(
    snapshot: &dyn Snapshot,
    notes: &[StoredNote],
) -> Vec<(String, u32, u32, String, bool, Origin)> {
    let mut all = Vec::new();
    for note in notes {
        for line in 1..20 {
            let docs = located(snapshot, &note.path, line);
            for chunk in snapshot.chunks(&docs).unwrap() {
                let embedded = chunk.embedding.vector().is_some();
                all.push((
                    chunk.id.as_str().to_owned(),
                    chunk.start_line,
                    chunk.end_line,
                    chunk.text.clone(),
                    embedded,
                    chunk.origin,
                ));
            }
        }
    }
    all.sort();
    all
}
