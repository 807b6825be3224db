//! Facts that people write and change by hand are picked up like any change.

use std::ops::ControlFlow;

use mindfile::fact::FactRecord;
use mindfile_index::{Embedding, FactQuery, Filter, Index, QueryTerm, Shelf, single};

use crate::world::World;

fn facts(world: &World) -> Vec<FactRecord> {
    world.sync();
    world.memory().facts().unwrap().into_iter().map(|(_, fact)| fact).collect()
}

#[test]
fn facts_are_read_from_every_encoding_and_line_end() {
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("- W @ä: grüße\r\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let world = World::new(&[("memory/crlf.md", "# T\r\n- W @a: one\r\n- W @b: two")]);
    world.save("memory/utf16.md", &utf16);
    world.save("memory/latin.md", b"- W @c: caf\xe9\n```\n- W @c: code\n```\n> - W @c: quote\n");
    let found: Vec<_> = facts(&world).into_iter().map(|fact| (fact.path, fact.line, fact.text)).collect();
    let expected = [
        ("memory/crlf.md", 2, "one"),
        ("memory/crlf.md", 3, "two"),
        ("memory/latin.md", 1, "caf\u{fffd}"),
        ("memory/utf16.md", 1, "grüße"),
    ];
    assert_eq!(found, expected.map(|(path, line, text)| (path.to_owned(), line, text.to_owned())));
}

#[test]
fn salience_that_is_changed_by_hand_counts() {
    let world = World::new(&[("memory/a.md", "- W(s=0.2) @a: one ^x\n")]);
    assert_eq!(facts(&world)[0].salience, 0.2);
    world.save("memory/a.md", b"- W(s=0.9) @a: one ^x\n");
    assert_eq!(facts(&world)[0].salience, 0.9);
    world.save("memory/a.md", b"- W @a: one ^x <!-- importance: 7 -->\n");
    assert_eq!(facts(&world)[0].salience, 0.7);
}

#[test]
fn facts_are_found_by_words_by_meaning_and_by_whom_they_name() {
    let world = World::new(&[(
        "memory/2050-07-01.md",
        "## Retain\n\n- W @billing: Invoices go out on Fridays ^i1\n- W @pets: The dog is afraid of thunder ^i2\n",
    )]);
    world.sync();
    let index = world.open_index();
    let snapshot = index.snapshot().unwrap();
    let ids = |docs: Vec<mindfile_index::Doc>| -> Vec<String> {
        snapshot.facts(&docs).unwrap().iter().map(|fact| fact.fields.id.clone()).collect()
    };
    let words = |term: &str| {
        let hits = snapshot
            .lexical(Shelf::Facts, &QueryTerm::as_asked(&[term.to_owned()]), &Filter::default(), 5)
            .unwrap()
            .hits;
        ids(hits.iter().map(|hit| hit.doc).collect())
    };
    assert_eq!(
        (words("invoic"), words("pet"), words("retain")),
        (vec!["i1".into()], vec!["i2".into()], vec![])
    );
    let query = mindfile_model::EmbeddedModel::new();
    let query = mindfile_model::Embedder::embed(
        &query,
        mindfile_model::Role::Query,
        &["puppy scared of storms"],
        None,
    );
    let query = query.unwrap().into_iter().flatten().next().unwrap().into_values();
    let nearest = snapshot.nearest(Shelf::Facts, &query, &Filter::default(), 1, &[]).unwrap();
    assert_eq!(ids(nearest.into_iter().map(|(doc, _)| doc).collect()), ["i2"]);
}

#[test]
fn facts_of_a_provider_are_embedded_like_chunks() {
    let world = World::new(&[("memory/a.md", "- W @a: one\n")]);
    let memory = world.memory_of(crate::world::Provider::default());
    memory.sync(&mut |_| ControlFlow::Continue(())).unwrap();
    let index = world.open_index();
    let snapshot = index.snapshot().unwrap();
    assert!(snapshot.unembedded(9).unwrap().is_empty());
    let facts = snapshot.facts(&single::list(&*snapshot, FactQuery::All).unwrap()).unwrap();
    assert!(matches!(facts[0].chunk.embedding, Embedding::Vector(_)));
}
