//! What comes back of what QMD found.

use std::os::unix::fs::symlink;

use expect_test::expect;
use mindfile::config::Citations;
use mindfile::origin::Origin;
use mindfile::retain;
use mindfile::session::{About, ChatType, Message, Role};

use super::*;

const GARDEN: (&str, u32, u32, &str) =
    ("memory-dir-main/garden.md", 2, 3, "\nTomatoes were planted behind the shed.\nThey need water.");
const FALCON: (&str, u32, u32, &str) =
    ("memory-root-main/MEMORY.md", 1, 3, "# Long-term\n\nAnn leads the Falcon project.");

#[test]
fn what_qmd_found_is_cited_by_the_same_rule() {
    let mut stand = Stand::new(NOTES);
    stand.answers(&hits(&[FALCON]));
    for (citations, cites) in [(Citations::On, true), (Citations::Auto, true), (Citations::Off, false)] {
        stand.settings().citations = citations;
        let response = stand.ask("who leads the falcon project");
        let told = response.answer.hits.iter().filter(|hit| response.citation(hit).is_some()).count();
        assert_eq!((response.backend, told), ("qmd", usize::from(cites)), "{citations:?}");
    }
}

#[test]
fn a_hit_is_cited_with_its_lines_and_with_the_words_of_the_note() {
    let stand = Stand::new(NOTES);
    stand.answers(&hits(&[("memory-dir-main/garden.md", 2, 3, "\nTomatoes were pl..."), FALCON]));
    let response = stand.ask("tomatoes");
    expect![[r##"
        qmd
        memory/garden.md#L3-L4 "Tomatoes were planted behind the shed.\nThey need water."
        MEMORY.md#L1-L3 "# Long-term\n\nAnn leads the Falcon project."
    "##]]
    .assert_eq(&told(&response));
    let scores: Vec<f32> = response.answer.hits.iter().map(|hit| hit.score).collect();
    assert_eq!(scores, [1.0, 11.0 / 12.0], "the order counts, whatever QMD's score is");
    assert!(response.answer.hits.iter().all(|hit| hit.score == hit.parts.value()));
    assert_eq!((response.fallback, response.degraded, response.stale), (None, vec![], None));
}

#[test]
fn what_moved_is_cited_where_it_is_and_what_is_gone_is_not_shown() {
    let stand = Stand::new(NOTES);
    stand.answers(&hits(&[
        ("memory-dir-main/garden.md", 9, 1, "They need water."),
        ("memory-dir-main/garden.md", 3, 1, "Potatoes were planted."),
        ("memory-dir-main/lost.md", 1, 1, "Anything"),
        ("another-collection/garden.md", 1, 1, "# Garden"),
    ]));
    let response = stand.ask("water");
    assert_eq!(told(&response), "qmd\nmemory/garden.md#L4 \"They need water.\"\n");
    assert_eq!(response.stale.as_deref(), Some("3 of what QMD found is not there any more"));
}

#[test]
fn what_the_policy_masks_is_masked_although_qmd_shows_it() {
    let secret = token();
    let stand = Stand::new(&[("memory/keys.md", &format!("The deploy key is {secret} for now.\n"))]);
    stand.answers(&hits(&[(
        "memory-dir-main/keys.md",
        1,
        1,
        &format!("The deploy key is {secret} for now."),
    )]));
    let response = stand.ask("deploy key");
    assert_eq!(response.answer.hits.len(), 1);
    assert!(!format!("{response:?}").contains(&secret), "{response:?}");
}

#[test]
fn what_nobody_trusts_is_left_out_unless_it_is_asked_for_and_then_wrapped() {
    let mut stand = Stand::new(NOTES);
    let from_outside = stand.world.memory().through(Door::Tool);
    let planted = from_outside.retain(&retain::Request::new("The zebra depot opens at nine")).unwrap().fact;
    let file = planted.path.strip_prefix("memory/").unwrap().to_owned();
    let copied = ("notes.md", "The zebra depot opens at nine\n");
    stand.folder("docs", &[copied, ("untrusted/mail.md", "The zebra depot moved\n")]);
    let line = planted.line;
    stand.answers(&hits(&[
        (&format!("memory-dir-main/{file}"), line, 1, ""),
        ("docs/notes.md", 1, 1, "The zebra depot opens at nine"),
        ("docs/untrusted/mail.md", 1, 1, "The zebra depot moved"),
    ]));
    assert_eq!(
        told(&stand.ask("zebra depot")),
        "qmd\n",
        "neither in its note, nor copied, nor in a folder of that name"
    );
    let all = stand.asks(&Request { untrusted: true, ..Request::new("zebra depot") });
    assert_eq!(all.answer.hits.len(), 3);
    for hit in &all.answer.hits {
        assert!(hit.origin == Origin::Untrusted && hit.snippet.starts_with("[untrusted "), "{hit:?}");
    }
    let memory = stand.memory();
    for path in [format!("qmd/memory-dir-main/{file}"), "qmd/docs/untrusted/mail.md".to_owned()] {
        let lines = memory.get(&path, 1, None).unwrap();
        let shown = memory.shown(&path, &String::from_utf8(lines.bytes).unwrap()).unwrap();
        assert!(shown.contains("[untrusted "), "{path} is another name, not another origin: {shown}");
    }
}

#[test]
fn private_notes_do_not_come_back_through_another_engine() {
    let mut stand = Stand::new(&[("memory/private/diary.md", "The quartz vault.\n"), NOTES[1]]);
    let path = stand.world.note("memory/private");
    let name = Some("mine".to_owned());
    let pattern = None;
    stand.settings().qmd.paths = vec![QmdPath { path, name, pattern }];
    stand.answers(&hits(&[
        ("memory-dir-main/private/diary.md", 1, 1, "The quartz vault."),
        ("mine/diary.md", 1, 1, "The quartz vault."),
    ]));
    let response = stand.ask("quartz vault");
    assert_eq!(told(&response), "qmd\n");
    assert_eq!(
        response.degraded[0],
        format!("qmd: collection mine: {} is private", stand.world.note("memory/private").display())
    );
    assert_eq!(response.degraded[1], "private notes: QMD does not have them; the built-in index does");
    let settings = fs::read_to_string(stand.world.at("agents/main/qmd/xdg-config/qmd/index.yml")).unwrap();
    assert!(settings.contains(r#""ignore":["private/**"]"#) && !settings.contains("mine"), "{settings}");
}

#[test]
fn a_group_is_answered_where_the_scope_lets_it_and_never_from_long_term_memory() {
    let mut stand = Stand::new(NOTES);
    stand.answers(&hits(&[FALCON, GARDEN]));
    let group = Request { chat: ChatType::Group, ..Request::new("falcon") };
    let denied = stand.asks(&group);
    assert_eq!(told(&denied), "qmd\n");
    assert_eq!(denied.degraded, ["memory.qmd.scope lets QMD answer nothing in this group chat"]);
    let key = Some("agent:main:telegram:group:42".to_owned());
    let by_key = stand.asks(&Request { session_key: key.clone(), ..Request::new("falcon") });
    assert_eq!(told(&by_key), "qmd\n", "the key says that it is a group");
    assert!(stand.calls().is_empty(), "QMD is not even asked");
    stand.settings().qmd.scope.allow = true;
    for request in [group, Request { session_key: key, ..Request::new("falcon") }] {
        let paths: Vec<String> = stand.asks(&request).answer.hits.into_iter().map(|hit| hit.path).collect();
        assert_eq!(paths, ["memory/garden.md"]);
    }
}

#[test]
fn no_path_of_an_answer_leads_out_of_its_collection() {
    let mut stand = Stand::new(NOTES);
    stand.folder("docs", &[("guide.md", "The guide says hello.\n")]);
    put(&stand.world.at("outside.md"), b"Not for anybody.\n");
    symlink(stand.world.at("outside.md"), stand.world.at("docs/link.md")).unwrap();
    let away = [
        "docs/../outside.md",
        "docs//outside.md",
        "docs/link.md",
        "docs/%2e%2e/outside.md",
        "memory-dir-main/../../outside.md",
        "docs/../workspace/MEMORY.md",
    ];
    let said = |file: &str| if file.ends_with("MEMORY.md") { "# Long-term" } else { "Not for anybody." };
    stand.answers(&hits(&away.map(|file| (file, 1, 1, said(file)))));
    let response = stand.ask("anybody");
    assert_eq!((told(&response).as_str(), response.answer.hits.len()), ("qmd\n", 0));
    let memory = stand.memory();
    assert_eq!(memory.get("qmd/docs/guide.md", 1, None).unwrap().bytes, b"The guide says hello.\n");
    for path in [
        "qmd/docs/../outside.md",
        "qmd/docs/../workspace/MEMORY.md",
        "qmd/memory-root-main/./MEMORY.md",
        "qmd/docs/link.md",
        "qmd/none/guide.md",
        "qmd/docs",
        "qmd/docs/lost.md",
    ] {
        assert!(memory.get(path, 1, None).is_err(), "{path}");
    }
    let group = mindfile::notes::read(
        &memory,
        memory.viewer().in_chat(ChatType::Group),
        "qmd/docs/guide.md",
        1,
        None,
    )
    .unwrap_err();
    assert_eq!(group.to_string(), "qmd/docs/guide.md is for private conversations, and this is a group one");
}

#[test]
fn a_folder_outside_the_workspace_is_searched_and_read_by_its_collection() {
    let mut stand = Stand::new(NOTES);
    stand.folder("docs", &[("a/guide & more.md", "One.\nThe guide says hello.\n")]);
    stand.answers(&hits(&[("docs/a/guide & more.md", 2, 1, "The guide says hello.")]));
    assert_eq!(told(&stand.ask("guide")), "qmd\nqmd/docs/a/guide & more.md#L2 \"The guide says hello.\"\n");
    assert_eq!(
        stand.memory().get("qmd/docs/a/guide & more.md", 2, Some(1)).unwrap().bytes,
        b"The guide says hello.\n"
    );
}

#[test]
fn a_conversation_is_written_out_found_and_read() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.sessions.enabled = true;
    let secret = token();
    let say = |role, text: &str| Message::new(role, text).entry();
    let turns = [
        say(Role::User, "Where did we put the spade?"),
        say(Role::Tool, "a tool said something"),
        say(Role::Assistant, &format!("At Bob's; the key is {secret}.")),
    ];
    stand.memory().say("s1", &turns, &About::default()).unwrap();
    stand.answers(&hits(&[("sessions-main/s1.md", 4, 2, "User: Where did we put the spade?")]));
    let response = stand.ask("spade");
    let hit = &response.answer.hits[0];
    assert_eq!((hit.path.as_str(), hit.start_line, hit.end_line), ("qmd/sessions-main/s1.md", 4, 5));
    assert!(
        hit.snippet.starts_with("User: Where did we put the spade?\nAssistant: At Bob's; the key is "),
        "{hit:?}"
    );
    assert_eq!(hit.spoken.iter().map(|spoken| spoken.line).collect::<Vec<_>>(), [2, 4]);
    let read = stand.memory().get("qmd/sessions-main/s1.md", 4, None).unwrap();
    let read = String::from_utf8(read.bytes).unwrap();
    assert!(read.starts_with("User: Where did we put the spade?\nAssistant: At Bob's"), "{read}");
    let export = fs::read_to_string(stand.world.at("agents/main/qmd/sessions/s1.md")).unwrap();
    assert!(
        !export.contains(&secret) && !export.contains("a tool said") && !hit.snippet.contains(&secret),
        "{export}"
    );
}
