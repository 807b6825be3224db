//! A memory whose provider fails and lies in every way that the server knows, one after the other: nothing wrong is ever
//! in the index, words always answer, and when all is well again the index is the one that would be made from nothing.

#[expect(dead_code, reason = "shared with the tests of other crates, which use the rest")]
#[path = "../../../../model/tests/it/server/mod.rs"]
mod server;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use mindfile::clock::Fixed;
use mindfile::config::Maker;
use mindfile::search::{Mode, Request};
use mindfile::{Error, Memory};
use mindfile_care::status;
use mindfile_index::{Embedding, Index, StoredChunk};
use mindfile_model::provider::{Pace, Secret, Service, catalog};
use mindfile_model::{Spending, Vector};

use super::sync;
use crate::world::{NOTES, World};
use server::{Fault, KEY, Server, UNWANTED};

/// Sleeping moves the time instead of taking it.
#[derive(Default)]
struct Still(Mutex<Duration>);

impl Pace for Still {
    fn now(&self) -> Instant {
        Instant::now() + *self.0.lock().unwrap()
    }

    fn sleep(&self, time: Duration) {
        *self.0.lock().unwrap() += time;
    }

    fn unix_seconds(&self) -> i64 {
        0
    }

    fn chance(&self) -> f64 {
        0.0
    }
}

fn service(server: &Server) -> Maker {
    let spec = catalog::provider("openai").unwrap();
    Maker::Service(Box::new(Service {
        base_url: format!("{}/v1", server.url()),
        key: Secret::new(KEY),
        dims: Some(16),
        request_tokens: 60,
        ..Service::of(spec)
    }))
}

fn memory_at(world: &World, time: &str) -> Memory {
    let clock = Arc::new(Fixed(time.parse().unwrap()));
    Memory::with_pace(world.settings.clone(), clock, Arc::new(Still::default()))
}

fn memory(world: &World) -> Memory {
    memory_at(world, "2050-07-14T12:00:00Z")
}

fn truth(chunk: &StoredChunk, salt: u64) -> Vec<f32> {
    let text = format!("{}\n{}", chunk.context, chunk.text);
    Vector::new(server::vector(&text, 16, salt)).unwrap().into_values()
}

/// Whatever vector is there is the right one.
fn check_vectors(world: &World, salt: u64) -> usize {
    let mut pending = 0;
    for chunk in world.chunks() {
        match &chunk.embedding {
            Embedding::Pending => pending += 1,
            Embedding::Blank => panic!("{} has no meaning", chunk.path),
            Embedding::Vector(vector) => assert_eq!(*vector, truth(&chunk, salt), "{}", chunk.path),
        }
    }
    pending
}

/// What does not depend on the order in which an index came to be.
fn content(world: &World) -> Vec<(String, u32, u32, String, Embedding)> {
    let mut all: Vec<_> =
        world.chunks().into_iter().map(|c| (c.path, c.start_line, c.end_line, c.text, c.embedding)).collect();
    all.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    all
}

#[expect(clippy::disallowed_methods, reason = "the number of cases is the runner's to choose")]
fn cases() -> u64 {
    std::env::var("MINDFILE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 as usize % below
    }
}

#[test]
fn g10_after_any_history_of_faults_the_index_is_the_one_made_from_nothing() {
    let honest = |fault: &Fault| !matches!(fault, Fault::Status(400 | 413, _));
    let faults: Vec<Fault> = Fault::every().into_iter().filter(honest).collect();
    for case in 0..cases() {
        let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let server = Server::start();
        let mut world = World::new(NOTES);
        world.settings.embedding.primary = service(&server);
        for _ in 0..4 {
            change(&world, &mut random);
            let length = random.below(10);
            server.next((0..length).map(|_| faults[random.below(faults.len())].clone()).collect::<Vec<_>>());
            step(&world, &mut random);
            check_vectors(&world, 0);
        }
        server.heal();
        sync(&memory(&world));
        assert_eq!(check_vectors(&world, 0), 0, "case {case}");
        let followed = content(&world);
        std::fs::remove_dir_all(world.at("memory")).unwrap();
        sync(&memory(&world));
        assert_eq!(content(&world), followed, "case {case}");
    }
}

fn change(world: &World, random: &mut Random) {
    let path = format!("memory/note-{}.md", random.below(6));
    if random.below(4) == 0 {
        if world.note(&path).exists() {
            std::fs::remove_file(world.note(&path)).unwrap();
        }
    } else {
        let text = format!("# Note {}\n\nSomething about topic {}.\n", random.below(9), random.below(1_000));
        world.save(&path, text.as_bytes());
    }
}

/// A search always answers; a sync may fail, but only for the provider's sake.
fn step(world: &World, random: &mut Random) {
    let memory = memory(world);
    if random.below(2) == 0 {
        let response = memory.search(&Request::new("production database heron"), None).unwrap();
        assert_eq!(response.answer.hits.first().map(|hit| hit.path.as_str()), Some("MEMORY.md"));
        assert!(response.mode == Mode::Hybrid || !response.degraded.is_empty(), "{:?}", response.degraded);
    } else if let Err(error) = memory.sync(&mut |_| std::ops::ControlFlow::Continue(())) {
        assert!(matches!(error, Error::Model(_)), "{error}");
    }
}

#[test]
fn a_price_is_that_of_the_table_with_its_date_unless_it_is_set() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    let as_of = mindfile_model::provider::catalog::PRICES_AS_OF;
    assert!(as_of.parse::<jiff::civil::Date>().is_ok(), "{as_of}");
    assert_eq!(mindfile::price(&memory(&world)), Some((0.02, Some(as_of))));
    assert_eq!(mindfile::cost(&memory(&world), 3_000_000, false), Some(0.06));
    assert_eq!(mindfile::cost(&memory(&world), 3_000_000, true), Some(0.03));
    world.settings.embedding.price = Some(0.5);
    assert_eq!(mindfile::price(&memory(&world)), Some((0.5, None)));
    assert_eq!(mindfile::cost(&memory(&world), 3_000_000, false), Some(1.5));
}

#[test]
fn g5_another_model_under_the_same_name_makes_another_index() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    assert_eq!(check_vectors(&world, 0), 0);
    server.change(|ways| ways.salt = 7);
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    sync(&memory(&world));
    // The cache knows texts by the name of the model: what it has of the other one must not come back.
    assert_eq!(check_vectors(&world, 7), 0);
}

#[test]
fn g7_a_provider_that_comes_and_goes_never_mixes_two_spaces() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.fallback = Some(Maker::Embedded);
    for round in 0..4 {
        let time = format!("2050-07-14T12:0{round}:00Z");
        world.save("memory/round.md", format!("# Round\n\nThis is round {round}.\n").as_bytes());
        let down = round % 2 == 0;
        server.change(|ways| ways.always = if down { Fault::Status(503, None) } else { Fault::None });
        let response = memory_at(&world, &time).search(&Request::new("production database"), None).unwrap();
        assert_eq!(response.mode, Mode::Hybrid, "{:?}", response.degraded);
        let answered = if down { "embedded" } else { "openai" };
        assert_eq!(response.provider, answered, "round {round}");
        assert_eq!(response.fallback.is_some(), down);
        let pending = check_vectors(&world, 0);
        assert_eq!(pending > 0, down, "round {round}");
    }
    let beside = world.at("memory/main.fallback.sqlite");
    let beside = mindfile_index::SqliteIndex::open(&beside, mindfile_index::VectorEngine::Scan).unwrap();
    assert_eq!(beside.snapshot().unwrap().stats().unwrap().dims, Some(256));
}

#[test]
fn g6_a_refused_chunk_is_named_once_and_found_by_words() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    world.save("memory/odd.md", format!("# Odd\n\nThis one is {UNWANTED} today.\n").as_bytes());
    let report = sync(&memory(&world));
    let named: Vec<&str> = report.problems.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(named, ["memory/odd.md"]);
    server.take_seen();
    assert!(sync(&memory(&world)).problems.is_empty());
    assert!(server.take_seen().is_empty(), "what was refused is not asked for again");
    let status = status::of(&memory(&world), false).unwrap();
    assert_eq!(status.problems.len(), 1);
    assert!(status.problems[0].what.contains("the provider refused them"), "{}", status.problems[0].what);
    let found = memory(&world).search(&Request::new(UNWANTED), None).unwrap();
    assert_eq!(found.answer.hits[0].path, "memory/odd.md");
    world.save("memory/odd.md", b"# Odd\n\nThis one is fine today.\n");
    sync(&memory(&world));
    assert!(status::of(&memory(&world), false).unwrap().problems.is_empty());
}

#[test]
fn switching_away_and_back_costs_nothing() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    let texts = |seen: Vec<server::Seen>| seen.iter().map(|seen| seen.texts).sum::<usize>();
    assert_eq!(texts(server.take_seen()), 1 + 3);
    world.settings.embedding.primary = Maker::Embedded;
    sync(&memory(&world));
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    // The text by which the model is known, and nothing else.
    assert_eq!(texts(server.take_seen()), 1);
    assert_eq!(check_vectors(&world, 0), 0);
    let cache = status::of(&memory(&world), false).unwrap().search.cache;
    assert_eq!((cache.entries, cache.hits, cache.asked), (3, 3, 3));
}

#[test]
fn a_damaged_index_costs_no_vector() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    server.take_seen();
    world.patch(|bytes| {
        let at = bytes.windows(5).position(|window| window == b"heron").unwrap();
        bytes[at] = b'H';
    });
    let found = memory(&world).search(&Request::new("production database"), None).unwrap();
    assert!(!found.notices.is_empty(), "the damage was noticed");
    let asked: usize = server.take_seen().iter().map(|seen| seen.texts).sum();
    // The text by which the model is known, and the question.
    assert_eq!((asked, check_vectors(&world, 0)), (2, 0));
}

#[test]
fn a_search_does_not_wait_for_another_process_that_rebuilds() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    world.settings.chunking.tokens = 99;
    let lock = std::fs::File::create(world.at("memory/main.sqlite.lock")).unwrap();
    lock.lock().unwrap();
    let found = memory(&world).search(&Request::new("heron"), None).unwrap();
    assert_eq!(found.answer.hits[0].path, "MEMORY.md");
    assert_eq!(
        found.degraded,
        ["meaning: the index is not made for this model yet: mindfile index makes it"]
    );
}

#[test]
fn a_search_does_not_pay_again_for_what_is_in_a_job() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.jobs.enabled = true;
    world.settings.embedding.jobs.wait = false;
    sync(&memory(&world));
    server.take_seen();
    memory(&world).search(&Request::new("parcel"), None).unwrap();
    let asked: usize = server.take_seen().iter().map(|seen| seen.texts).sum();
    assert_eq!(asked, 2, "the text by which the model is known, and the question");
}

#[test]
fn a_search_of_settled_notes_asks_for_its_question_alone() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    server.take_seen();
    memory(&world).search(&Request::new("heron"), None).unwrap();
    let seen = server.take_seen();
    assert_eq!((seen.len(), seen[0].texts), (1, 1));
    status::of(&memory(&world), false).unwrap();
    assert!(server.take_seen().is_empty(), "a status asks nobody");
}

#[test]
fn a_provider_that_is_down_is_left_alone_for_a_while() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    server.change(|ways| ways.always = Fault::Status(503, None));
    server.take_seen();
    let first = memory(&world).search(&Request::new("heron"), None).unwrap();
    assert_eq!((first.mode, first.degraded.len()), (Mode::Keyword, 1));
    assert_eq!(server.take_seen().len(), 3);
    let second = memory_at(&world, "2050-07-14T12:00:20Z").search(&Request::new("heron"), None).unwrap();
    assert_eq!((second.mode, &second.degraded), (Mode::Keyword, &first.degraded));
    assert!(server.take_seen().is_empty());
    server.heal();
    let later = memory_at(&world, "2050-07-14T12:00:40Z").search(&Request::new("heron"), None).unwrap();
    assert_eq!((later.mode, later.degraded.len()), (Mode::Hybrid, 0));
}

#[test]
fn an_estimate_asks_nobody_and_is_what_a_sync_then_takes() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    let before = mindfile::estimate(&memory(&world)).unwrap();
    assert!(server.take_seen().is_empty() && !world.index().exists());
    assert_eq!((before.notes, before.chunks, before.cached), (3, 3, 0));
    let report = sync(&memory(&world));
    assert_eq!((report.made.embedded, report.made.spent.requests), (3, before.spent.requests));
    let after = mindfile::estimate(&memory(&world)).unwrap();
    assert_eq!((after.chunks, after.spent.requests, after.cost), (0, 0, Some(0.0)));
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    assert_eq!(mindfile::estimate(&memory(&world)).unwrap().chunks, 1);
}

fn many() -> World {
    let world = World::new(&[]);
    for n in 0..150 {
        world.save(
            &format!("memory/n{n}.md"),
            format!("# Note {n}\n\nParcel {n} is at place {}.\n", n * 3).as_bytes(),
        );
    }
    world
}

#[test]
fn batch_jobs_embed_what_is_pending() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.jobs.enabled = true;
    let report = sync(&memory(&world));
    assert_eq!(report.made.embedded, 150);
    let job = Spending { requests: 1, texts: 150, tokens: 450 };
    assert_eq!((report.made.spent, report.made.by_jobs), (job, job), "as the answers say it");
    assert_eq!(check_vectors(&world, 0), 0);
    let paths: Vec<String> = server.take_seen().into_iter().map(|seen| seen.path).collect();
    assert_eq!(paths[..3], ["/v1/embeddings", "/v1/files", "/v1/batches"]);
    assert_eq!(paths.iter().filter(|path| *path == "/v1/embeddings").count(), 1, "{paths:?}");
}

#[test]
fn a_job_that_is_not_waited_for_is_collected_by_the_next_run() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.jobs.enabled = true;
    world.settings.embedding.jobs.wait = false;
    let report = sync(&memory(&world));
    assert_eq!((report.made.embedded, report.made.waiting_jobs), (0, 1));
    assert_eq!(check_vectors(&world, 0), 150);
    server.change(|ways| ways.job_looks = 0);
    let report = sync(&memory(&world));
    assert_eq!((report.made.embedded, report.made.waiting_jobs), (150, 0));
    let jobs = server.take_seen().iter().filter(|seen| seen.path == "/v1/batches").count();
    assert_eq!((check_vectors(&world, 0), jobs), (0, 1));
}

#[test]
fn after_two_failed_jobs_the_rest_goes_the_ordinary_way() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.jobs.enabled = true;
    server.change(|ways| ways.job_fails = true);
    let report = sync(&memory(&world));
    assert_eq!(check_vectors(&world, 0), 0);
    let seen = server.take_seen();
    assert_eq!(seen.iter().filter(|seen| seen.path == "/v1/batches").count(), 2);
    let named = report.problems.iter().filter(|problem| problem.path == "batch job").count();
    assert_eq!(named, 2, "{:?}", report.problems);
}

/// Every fault, those included that only cost time.
fn all_faults() -> Vec<Fault> {
    let mut all = Fault::every();
    all.extend([Fault::Hang(Duration::from_secs(20)), Fault::Drip]);
    all
}

#[test]
fn a_question_about_a_changed_note_is_answered_in_its_time_whatever_the_provider_does() {
    const DEADLINE: Duration = Duration::from_millis(400);
    for fault in all_faults() {
        let server = Server::start();
        let mut world = World::new(NOTES);
        world.settings.embedding.primary = service(&server);
        world.settings.query.embed_deadline = DEADLINE;
        sync(&memory(&world));
        server.change(|ways| ways.always = fault.clone());
        world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
        server.take_seen();
        let words = Request { mode: Some(Mode::Keyword), ..Request::new("ferry") };
        let begun = Instant::now();
        let found = memory(&world).search(&words, None).unwrap();
        assert_eq!((found.answer.hits[0].path.as_str(), found.degraded), ("memory/ferry.md", vec![]));
        assert!(server.take_seen().is_empty(), "{fault:?}: a question by words asks nobody");
        world.save("memory/ferry.md", b"The ferry runs on Mondays.\n");
        let found = memory(&world).search(&Request::new("ferry mondays"), None).unwrap();
        assert_eq!(found.answer.hits[0].path, "memory/ferry.md", "{fault:?}");
        let took = begun.elapsed();
        assert!(took < DEADLINE * 2 + Duration::from_millis(600), "{fault:?}: {took:?}");
        check_vectors(&world, 0);
        server.heal();
        let later = memory_at(&world, "2050-07-14T12:00:40Z").search(&Request::new("ferry"), None).unwrap();
        assert_eq!(later.answer.hits[0].path, "memory/ferry.md", "{fault:?}");
        // A text that was refused for good is not asked for again; everything else has followed.
        let refused = matches!(fault, Fault::Status(400 | 413, _));
        assert!(refused || check_vectors(&world, 0) == 0, "{fault:?}");
    }
}

#[test]
fn a_first_question_has_words_although_no_provider_answers() {
    let server = Server::start();
    server.change(|ways| ways.always = Fault::Hang(Duration::from_secs(20)));
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    world.settings.query.embed_deadline = Duration::from_millis(300);
    let begun = Instant::now();
    let found = memory(&world).search(&Request::new("heron"), None).unwrap();
    assert_eq!((found.answer.hits[0].path.as_str(), found.mode), ("MEMORY.md", Mode::Keyword));
    let request = mindfile::retain::Request::new("The boat is blue");
    memory(&world).retain(&request).unwrap();
    let request = mindfile::recall::Request::new("boat");
    let found = memory(&world).recall(&request, mindfile::recall::Touch::No).unwrap();
    assert_eq!(found.answer.recalled.len(), 1);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[test]
fn what_is_new_is_said_to_have_no_vector_and_has_one_for_the_next_question() {
    let server = Server::start();
    let mut world = World::new(NOTES);
    world.settings.embedding.primary = service(&server);
    sync(&memory(&world));
    world.save("memory/ferry.md", b"The ferry runs on Sundays.\n");
    let first = memory(&world).search(&Request::new("ferry"), None).unwrap();
    assert_eq!(first.answer.hits[0].path, "memory/ferry.md");
    assert_eq!(
        first.degraded,
        ["meaning: 1 chunk has no vector yet, which words find: mindfile index makes the rest"]
    );
    let next = memory(&world).search(&Request::new("ferry"), None).unwrap();
    assert_eq!((next.degraded, check_vectors(&world, 0)), (vec![], 0));
}

#[test]
fn a_cache_holds_no_more_than_it_may_over_rebuilds() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.cache.max_entries = 10;
    for _ in 0..3 {
        memory(&world).rebuild(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        assert_eq!(status::of(&memory(&world), false).unwrap().search.cache.entries, 10);
    }
}

fn posts(server: &Server, end: &str) -> usize {
    server.take_seen().iter().filter(|seen| seen.path.ends_with(end)).count()
}

#[test]
fn a_job_that_takes_too_long_is_cancelled_and_not_bought_again() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.jobs.enabled = true;
    world.settings.embedding.jobs.timeout = Duration::from_secs(600);
    world.settings.embedding.jobs.wait = false;
    server.change(|ways| ways.job_looks = 1_000);
    sync(&memory(&world));
    server.change(|ways| ways.job_stays = true);
    server.take_seen();
    let report = sync(&memory_at(&world, "2050-07-14T12:11:00Z"));
    assert_eq!((report.made.waiting_jobs, report.made.embedded), (1, 0), "it may still be done");
    assert!(report.problems[0].what.contains("could not be cancelled"), "{:?}", report.problems);
    assert_eq!(posts(&server, "/embeddings"), 1, "the text by which the model is known");
    server.change(|ways| ways.job_stays = false);
    let report = sync(&memory_at(&world, "2050-07-14T12:12:00Z"));
    assert_eq!((report.made.waiting_jobs, report.made.embedded), (0, 150));
    assert!(
        report.problems[0].what.ends_with("it took too long, and it was cancelled"),
        "{:?}",
        report.problems
    );
    let seen = server.take_seen();
    let of = |end: &str| seen.iter().filter(|seen| seen.path.ends_with(end)).count();
    assert_eq!((of("/cancel"), of("/batches")), (1, 0));
    assert_eq!((check_vectors(&world, 0), report.made.by_jobs), (0, Spending::default()));
}

#[test]
fn jobs_of_a_provider_that_is_away_are_waited_for_and_not_bought_again() {
    let server = Server::start();
    let mut world = many();
    world.settings.embedding.primary = service(&server);
    world.settings.embedding.jobs.enabled = true;
    world.settings.embedding.jobs.wait = false;
    sync(&memory(&world));
    server.take_seen();
    server.change(|ways| ways.jobs_away = true);
    let report = sync(&memory(&world));
    assert_eq!((report.made.waiting_jobs, report.made.embedded), (1, 0));
    server.change(|ways| (ways.jobs_away, ways.job_looks) = (false, 0));
    let report = sync(&memory(&world));
    assert_eq!((report.made.embedded, report.made.by_jobs.tokens), (150, 450));
    assert_eq!(posts(&server, "/batches"), 0);
}
