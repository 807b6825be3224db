//! What the page asks for, by real sockets.

use serde_json::{Value, json};

use crate::home::Home;
use crate::served::Served;

fn said(block: &Value) -> String {
    let spans = block["said"].as_array().into_iter().flatten();
    spans.filter_map(|span| span["text"].as_str()).collect()
}

#[test]
fn a_note_is_read_as_blocks_with_links_that_lead_to_notes() {
    let home = Home::new();
    let text = "---\ntags: a\n---\n# Pixel\n\nSee [the trip](trip.md), [[api]] and [nothing](gone.md).\n\n\
                - W(s=0.9) @Pixel: Eats **fish** ^pix1\n- [ ] call the vet\n";
    home.note("memory/pixel.md", text);
    let served = Served::new(&home);
    let read = served.get("/v1/blocks/memory/pixel.md");
    assert_eq!(
        (&read["title"], &read["fields"]),
        (&json!("Pixel"), &json!([{"line": 2, "name": "tags", "value": "a"}]))
    );
    let blocks = read["blocks"].as_array().unwrap();
    let sorts: Vec<&str> = blocks.iter().map(|block| block["sort"].as_str().unwrap()).collect();
    assert_eq!(sorts, ["heading", "paragraph", "fact", "item"]);
    let links = blocks[1]["said"].as_array().unwrap().iter().filter(|span| span["target"].is_string());
    let links: Vec<&Value> = links.map(|span| &span["note"]).collect();
    assert_eq!(links, [&json!("memory/trip.md"), &json!("memory/api.md"), &Value::Null]);
    assert_eq!(
        (&blocks[2]["id"], &blocks[2]["kind"], said(&blocks[2])),
        (&json!("pix1"), &json!("W"), "Eats fish".into())
    );
    assert_eq!((&blocks[3]["done"], &blocks[3]["line"]), (&json!(false), &json!(9)));
    let known = served.get("/v1/blame/memory/pixel.md");
    assert_eq!((&known["facts"][0]["line"], &known["facts"][0]["accessCount"]), (&json!(8), &json!(0)));
    assert_eq!(served.ask("GET", "/v1/blocks/memory/gone.md", "").status, 404);
}

#[test]
fn a_long_note_is_read_in_parts_that_together_are_the_note() {
    let home = Home::new();
    let text: String = (0..4000).map(|n| format!("Paragraph number {n} about timber.\n\n")).collect();
    home.note("memory/long.md", &text);
    let served = Served::new(&home);
    let (mut from, mut seen) = (1, Vec::new());
    loop {
        let answer = served.ask("GET", &format!("/v1/blocks/memory/long.md?from={from}"), "");
        assert!(answer.body.len() <= 200_000, "{}", answer.body.len());
        let part = answer.json();
        seen.extend(part["blocks"].as_array().unwrap().iter().map(said));
        match part["next"].as_u64() {
            Some(next) => from = next,
            None => break,
        }
    }
    assert_eq!(seen.len(), 4000);
    assert_eq!(seen[3999], "Paragraph number 3999 about timber.");
}

#[test]
fn what_nobody_trusts_is_marked_block_by_block_and_listed_on_request() {
    let home = Home::new();
    home.note("memory/untrusted/web.md", "# Web\n\n- W @Pixel: Pixel eats chocolate ^web1\n");
    let served = Served::new(&home);
    let blocks = served.get("/v1/blocks/memory/untrusted/web.md")["blocks"].clone();
    assert_eq!(blocks[1]["untrusted"], json!(true));
    assert_eq!(served.get("/v1/facts")["total"], json!(0));
    let listed = served.get("/v1/facts?origin=untrusted");
    assert_eq!((&listed["total"], &listed["facts"][0]["id"]), (&json!(1), &json!("web1")));
}

#[test]
fn a_text_is_previewed_and_kept_nowhere() {
    let home = Home::new();
    let served = Served::new(&home);
    let key = ["gh", "p_"].concat() + &"Ab3dE5".repeat(6);
    let seen = served.post("/v1/blocks", &json!({"text": format!("## Plan\n\n1. go\n\n{key}\n")}));
    let sorts: Vec<&str> =
        seen["blocks"].as_array().unwrap().iter().map(|b| b["sort"].as_str().unwrap()).collect();
    assert_eq!(sorts, ["heading", "item", "paragraph"]);
    assert!(!seen.to_string().contains(&key));
    assert_eq!(served.get("/v1/outline")["total"], json!(3));
}

#[test]
fn notes_are_counted_by_folder_and_month_and_listed_with_their_titles() {
    let home = Home::new();
    for day in ["2026-07-14", "2026-07-15", "2026-08-01"] {
        home.note(&format!("memory/{day}.md"), &format!("# Day {day}\n\nNothing.\n"));
    }
    let served = Served::new(&home);
    let outline = served.get("/v1/outline");
    let named = |list: &Value| -> Vec<(String, u64)> {
        let one = |of: &Value| (of["name"].as_str().unwrap().to_owned(), of["notes"].as_u64().unwrap());
        list.as_array().unwrap().iter().map(one).collect()
    };
    assert_eq!(named(&outline["folders"]), [(".".to_owned(), 1), ("memory".to_owned(), 2)]);
    assert_eq!(named(&outline["months"]), [("2026-07".to_owned(), 2), ("2026-08".to_owned(), 1)]);
    let titles = |query: &str| -> Vec<String> {
        let notes = served.get(&format!("/v1/notes?titles=true&{query}"))["notes"].clone();
        notes.as_array().unwrap().iter().map(|note| note["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(titles("folder=memory"), ["API", "Trip to Osaka"]);
    assert_eq!(titles("folder=."), ["Memory"]);
    assert_eq!(titles("since=2026-07-15"), ["Day 2026-07-15", "Day 2026-08-01"]);
    assert_eq!(titles("text=TRIP"), ["Trip to Osaka"]);
    let hit = served.get("/v1/search?query=tickets&marks=true")["results"][0].clone();
    assert_eq!(hit["title"], json!("Trip to Osaka"));
}

#[test]
fn the_graph_has_clusters_and_shows_what_held_on_a_day() {
    let home = Home::new();
    let fact = |names: &str, n: usize| format!("- W @{names}: Something of number {n} is so ^g{n}\n");
    let old: String = (0..3).map(|n| fact("Ada @Bea", n)).collect();
    home.note("memory/2026-01-05.md", &old);
    let new: String = (3..6).map(|n| fact("Carl @Dora", n)).collect();
    home.note("memory/2026-03-05.md", &new);
    let served = Served::new(&home);
    let names = |graph: &Value| -> Vec<String> {
        graph["entities"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["spelled"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = served.get("/v1/graph");
    assert_eq!(names(&all), ["Ada", "Bea", "Carl", "Dora"]);
    assert_eq!(
        (&all["from"], &all["to"], &all["pairs"].as_array().unwrap().len()),
        (&json!("2026-01-05"), &json!("2026-03-05"), &2)
    );
    let clusters: Vec<&Value> =
        all["entities"].as_array().unwrap().iter().map(|one| &one["cluster"]).collect();
    assert_eq!(clusters, [0, 0, 2, 2]);
    assert_eq!(names(&served.get("/v1/graph?asOf=2026-02-01")), ["Ada", "Bea"]);
    assert_eq!((&served.get("/v1/graph?limit=1")["total"], 4), (&json!(4), 4));
}

#[test]
fn a_conversation_is_read_from_its_end_a_part_at_a_time() {
    let home = Home::new();
    let served = Served::new(&home);
    let messages: Vec<Value> =
        (0..10).map(|n| json!({"role": "user", "text": format!("{n} {}", "word ".repeat(200))})).collect();
    served.post("/v1/sessions/s1/messages", &json!({ "messages": messages }));
    let first =
        |part: &Value| part["entries"][0]["text"].as_str().unwrap().split(' ').next().unwrap().to_owned();
    let last = served.get("/v1/sessions/s1?bytes=2500");
    assert_eq!((first(&last), last["entries"].as_array().unwrap().len()), ("7".to_owned(), 3));
    let line = last["entries"][0]["line"].as_u64().unwrap();
    let before = served.get(&format!("/v1/sessions/s1?bytes=2500&before={line}"));
    assert_eq!((first(&before), before["earlier"].as_u64()), ("4".to_owned(), Some(4)));
}
