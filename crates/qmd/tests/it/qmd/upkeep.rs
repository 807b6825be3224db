//! QMD's index follows the notes, no more often than it must, and forgets with them.

use std::os::unix::process::CommandExt;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::{Timestamp, ToSpan};
use mindfile::forget::{self, What};
use mindfile::session::{About, Message, Role};
use mindfile_care::status;

use super::*;

fn start() -> Timestamp {
    "2050-07-14T12:00:00Z".parse().unwrap()
}

#[test]
fn it_is_updated_once_then_after_changes_and_by_time() {
    let stand = Stand::new(NOTES);
    let ask = |at: Timestamp| stand.world.memory_at(at).search(&Request::new("x1"), None).unwrap();
    ask(start());
    assert_eq!(stand.calls(), ["--version", "update", "search"]);
    ask(start() + 60.seconds());
    assert_eq!(stand.calls(), ["search"], "nothing changed");
    stand.world.save("memory/new.md", b"A new note.\n");
    let soon = ask(start() + 10.seconds());
    assert_eq!(stand.calls(), ["search"]);
    assert_eq!(soon.stale.as_deref(), Some("notes changed since QMD's index was brought up to date"));
    let later = ask(start() + 15.seconds());
    assert_eq!(
        (stand.calls(), later.stale),
        (vec!["--version".to_owned(), "update".to_owned(), "search".to_owned()], None)
    );
    ask(start() + 14.seconds() + 5.minutes());
    assert_eq!(stand.calls(), ["search"]);
    ask(start() + 15.seconds() + 5.minutes());
    assert_eq!(stand.calls(), ["--version", "update", "search"], "by time");
}

#[test]
fn other_settings_are_written_and_the_index_made_anew() {
    let mut stand = Stand::new(NOTES);
    stand.ask("x1");
    stand.calls();
    stand.folder("docs", &[("a.md", "Text.\n")]);
    stand.ask("x1");
    assert_eq!(stand.calls(), ["--version", "update", "search"]);
    let settings = fs::read_to_string(stand.world.at("agents/main/qmd/xdg-config/qmd/index.yml")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    let names: Vec<&String> = settings["collections"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["memory-root-main", "memory-dir-main", "docs"]);
}

#[test]
fn the_home_of_another_program_is_left_alone() {
    let stand = Stand::new(NOTES);
    let theirs = stand.world.at("agents/main/qmd/xdg-config/qmd/index.yml");
    put(&theirs, b"collections: {}\n");
    assert_eq!(stand.ask("x1").backend, "qmd");
    assert_eq!(fs::read(&theirs).unwrap(), b"collections: {}\n");
    assert!(exists(&stand.world.at("agents/main/qmd.mindfile/xdg-config/qmd/index.yml")));
}

#[test]
fn old_conversations_are_left_out_and_files_of_others_are_not_deleted() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.sessions.enabled = true;
    let turn = |text: &str| [Message::new(Role::User, text).entry()];
    stand.memory().say("old", &turn("Long ago."), &About::default()).unwrap();
    let folder = stand.world.at("agents/main/qmd/sessions");
    put(&folder.join("mine.md"), b"A note of my own.\n");
    stand.ask("x1");
    assert!(exists(&folder.join("old.md")) && exists(&folder.join("mine.md")));
    // The clock of these tests is far ahead of every file's time.
    stand.settings().qmd.sessions.retention_days = Some(30);
    mindfile_qmd::update(&stand.memory()).unwrap();
    assert!(!exists(&folder.join("old.md")) && exists(&folder.join("mine.md")));
}

#[test]
fn what_is_forgotten_leaves_what_was_written_out_and_the_index() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.sessions.enabled = true;
    let turn = [Message::new(Role::User, "The quartz vault opens with seven turns.").entry()];
    stand.memory().say("s1", &turn, &About::default()).unwrap();
    stand.updates(&format!(
        "{UPDATE}; cat \"$here/../agents/main/qmd/sessions/s1.md\" >> \"$XDG_CACHE_HOME/qmd/index.sqlite\""
    ));
    stand.ask("quartz");
    let index = stand.world.at("agents/main/qmd/xdg-cache/qmd/index.sqlite");
    assert!(fs::read_to_string(&index).unwrap().contains("quartz"));
    let what = What::Query("quartz vault".to_owned());
    let gone = stand.memory().forget(&forget::Erasure { what, dry_run: false }).unwrap();
    assert_eq!((gone.messages.len(), gone.pending), (1, Vec::<String>::new()));
    assert!(!exists(&index) && !exists(&stand.world.at("agents/main/qmd/sessions/s1.md")));
    stand.ask("quartz");
    let export = fs::read_to_string(stand.world.at("agents/main/qmd/sessions/s1.md")).unwrap();
    assert!(
        !export.contains("quartz") && !fs::read_to_string(&index).unwrap().contains("quartz"),
        "{export}"
    );
}

#[test]
fn what_the_policy_takes_out_of_a_note_does_not_come_back_through_qmd() {
    let value = token();
    let note = format!("# Keys\n\nThe crane opens with {value} at noon.\n");
    let stand = Stand::new(&[("memory/keys.md", &note)]);
    stand.updates(&format!(
        "{UPDATE}; cat \"$here/../workspace/memory/keys.md\" >> \"$XDG_CACHE_HOME/qmd/index.sqlite\""
    ));
    let answers = |said: &str| stand.answers(&hits(&[("memory-dir-main/keys.md", 3, 1, said)]));
    answers(&format!("The crane opens with {value} at noon."));
    let index = stand.world.at("agents/main/qmd/xdg-cache/qmd/index.sqlite");
    assert!(!told(&stand.ask("crane")).contains(&value), "it is covered");
    assert!(fs::read_to_string(&index).unwrap().contains(&value));
    assert_eq!(stand.memory().apply_policy(false).unwrap().left, Vec::<String>::new());
    assert!(!exists(&index));
    assert_eq!(told(&stand.ask("crane")), "qmd\n", "a line that is not there any more is no answer");
    let now = "The crane opens with [removed: github-token] at noon.";
    answers(now);
    assert_eq!(told(&stand.ask("crane")), format!("qmd\nmemory/keys.md#L3 {now:?}\n"));
    assert!(!fs::read_to_string(&index).unwrap().contains(&value));
}

#[test]
fn what_is_made_private_leaves_the_index() {
    let stand = Stand::new(NOTES);
    stand.ask("x1");
    let index = stand.world.at("agents/main/qmd/xdg-cache/qmd/index.sqlite");
    assert!(exists(&index));
    stand.memory().encrypt_notes(&["memory/garden.md".to_owned()]).unwrap();
    assert!(!exists(&index));
}

#[test]
fn who_keeps_it_updates_it_unasked_and_a_server_that_does_not_answer_is_ended_and_told() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.update.command_timeout = Duration::from_secs(2);
    stand.does("[ \"$1\" = mcp ] && { echo $$ > \"$here/server\"; exec sleep 60; }; echo '[]'");
    let memory = stand.world.memory();
    let stop = AtomicBool::new(false);
    let outages = || status::of(&memory, false).unwrap().search.outages;
    std::thread::scope(|scope| {
        scope.spawn(|| mindfile_qmd::keep(&memory, true, &stop));
        let told = (0..1_000).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            !outages().is_empty()
        });
        stop.store(true, Ordering::Relaxed);
        assert!(told, "it took longer than 20 s");
    });
    let told: Vec<(String, String)> =
        outages().into_iter().map(|outage| (outage.engine, outage.reason)).collect();
    assert_eq!(told, [("qmd server".to_owned(), "QMD's server: it does not answer".to_owned())]);
    assert!(stand.calls().contains(&"update".to_owned()));
    let server = fs::read_to_string(stand.world.at("server")).unwrap();
    assert!(!exists(Path::new(&format!("/proc/{}", server.trim()))), "it lives on");
    assert_eq!(stand.ask("x1").backend, "qmd", "a process answers");
}

#[test]
fn a_question_about_the_index_does_not_wait_for_another_program() {
    let stand = Stand::new(NOTES);
    let place = "memory/garden.md#L3".parse().unwrap();
    let asked = stand.memory().search(&Request::new("tomatoes"), Some(&place)).unwrap();
    assert_eq!((asked.backend, asked.fallback), ("builtin", None));
    assert!(asked.answer.why_not.is_some());
    assert_eq!(stand.calls(), Vec::<String>::new());
}

#[test]
#[cfg(target_os = "linux")]
fn the_server_of_a_process_that_was_killed_does_not_keep_what_is_forgotten_open() {
    let stand = Stand::new(NOTES);
    stand.ask("x1");
    let home = stand.world.at("agents/main/qmd");
    let mut server = Command::new("sleep");
    server.arg("60").process_group(0);
    server.env("XDG_CONFIG_HOME", home.join("xdg-config")).env("XDG_CACHE_HOME", home.join("xdg-cache"));
    let mut server = server.env("QMD_CONFIG_DIR", home.join("xdg-config/qmd")).spawn().unwrap();
    let mut stranger = Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
    for (process, ends) in [(&mut stranger, false), (&mut server, true)] {
        let record = format!(r#"{{"port":1,"group":{},"database":1,"config":""}}"#, process.id());
        put(&home.join("server.json"), record.as_bytes());
        stand.world.save("memory/kite.md", b"The kite is in the attic.\n");
        let what = What::Query("kite is in the attic".to_owned());
        stand.memory().forget(&forget::Erasure { what, dry_run: false }).unwrap();
        let ended = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(if ends { 20 } else { 1 }));
            process.try_wait().unwrap().is_some()
        });
        assert_eq!(ended, ends, "a number alone says nothing");
    }
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}
