//! Everything that an index can be asked, in a form that two of them can be compared in.

use mindfile_note::words;

use super::Allowances;
use super::notes::{WORDS, text, vector};
use crate::{
    Alias, Doc, Entity, Filter, Form, LexicalHit, Origin, QueryTerm, Shelf, Snapshot, Stats, StoredNote,
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

/// What facts say of entities, as the snapshot tells it.
pub fn associations(snapshot: &dyn Snapshot) -> Associations {
    let place = |docs: &[Doc]| -> Vec<(String, u32)> {
        let facts = snapshot.facts(docs).unwrap();
        let mut places: Vec<_> =
            facts.iter().map(|fact| (fact.chunk.path.clone(), fact.chunk.start_line)).collect();
        places.sort();
        places
    };
    let facts = snapshot.facts(&snapshot.all_facts().unwrap()).unwrap();
    many_are_as_one(snapshot);
    let entity = |entity: Entity| {
        let name = entity.name.clone();
        assert_eq!(snapshot.entity(&name.to_uppercase()).unwrap().as_ref(), Some(&entity));
        let facts = snapshot.facts_of(&name).unwrap();
        let filter = Filter { trusted: true, ..Filter::default() };
        let trusted = place(&snapshot.admitted(Shelf::Facts, &facts, &filter).unwrap());
        let neighbours = snapshot.neighbours(&name).unwrap().to_vec();
        let spelled = snapshot.spelling(&name).unwrap();
        EntityAnswers { entity, spelled, facts: place(&facts), trusted, neighbours }
    };
    Associations {
        facts: facts
            .iter()
            .map(|f| (f.chunk.path.clone(), f.chunk.start_line, f.fields.id.clone(), f.names.clone()))
            .collect(),
        keyed: place(&snapshot.facts_with_key("drink").unwrap()),
        entities: snapshot.entities().unwrap().into_iter().map(entity).collect(),
        alike: (0..6)
            .map(|seed| place(&snapshot.facts_like(&words::query(&text(seed)).terms, 1000).unwrap()))
            .collect(),
        declared: snapshot.declared().unwrap(),
    }
}

/// Asked for many at once, the answer is that of asking for one after the other.
fn many_are_as_one(snapshot: &dyn Snapshot) {
    let mut names: Vec<String> =
        snapshot.entities().unwrap().into_iter().map(|entity| entity.name.to_uppercase()).collect();
    names.extend(snapshot.declared().unwrap().into_iter().map(|(_, alias)| alias.alias));
    names.extend(["nobody".to_owned(), String::new()]);
    names.extend(names.first().cloned());
    let one: Vec<Option<Entity>> = names.iter().map(|name| snapshot.entity(name).unwrap()).collect();
    assert_eq!(snapshot.entities_named(&names).unwrap(), one);
    let keys = ["drink", "none", "drink"].map(str::to_owned);
    let one: Vec<Vec<Doc>> = keys.iter().map(|key| snapshot.facts_with_key(key).unwrap()).collect();
    assert_eq!(snapshot.facts_with_keys(&keys).unwrap(), one);
    let trusted = Filter { trusted: true, ..Filter::default() };
    for (filter, limit) in [(Filter::default(), 2), (trusted.clone(), 2), (trusted, 1000)] {
        let last = |name: &String| {
            let all = snapshot.facts_of(name).unwrap();
            let admitted = snapshot.admitted(Shelf::Facts, &all, &filter).unwrap();
            admitted.into_iter().rev().take(limit).collect::<Vec<Doc>>()
        };
        let one: Vec<Vec<Doc>> = names.iter().map(last).collect();
        assert_eq!(snapshot.last_facts_of(&names, &filter, limit).unwrap(), one);
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
    let notes = snapshot.notes().unwrap();
    let asked = || Shelf::ALL.into_iter().flat_map(|shelf| filters.iter().map(move |filter| (shelf, filter)));
    Answers {
        chunks: all_chunks(snapshot, &notes),
        words: asked().flat_map(ask_words).collect(),
        begun: Shelf::ALL.map(|shelf| begun(snapshot, shelf)).into(),
        meaning: asked().flat_map(ask_meaning).collect(),
        pending: snapshot.unembedded(1000).unwrap().len(),
        finished: notes.iter().map(|note| snapshot.finished(&note.path).unwrap().len()).collect(),
        stats: snapshot.stats().unwrap(),
        sizes: Shelf::ALL.map(|shelf| snapshot.size(shelf).unwrap()),
        associations: associations(snapshot),
        notes,
    }
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
            let docs = snapshot.locate(&note.path, line).unwrap();
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
