//! QMD fails: the built-in index answers alone, says why, and gives way when QMD is back.

use expect_test::{Expect, expect};
use jiff::{Timestamp, ToSpan};
use mindfile::config::QmdMode;
use mindfile::search::Mode;
use mindfile_care::doctor::{self, Severity};

use super::*;

const GARDEN: (&str, u32, u32, &str) =
    ("memory-dir-main/garden.md", 3, 2, "Tomatoes were planted behind the shed.");

/// The reason that the built-in index gives for answering.
fn check(stand: &Stand, expected: Expect) {
    let response = stand.ask("tomatoes");
    let paths: Vec<&str> = response.answer.hits.iter().map(|hit| hit.path.as_str()).collect();
    assert_eq!((response.backend, paths), ("builtin", vec!["memory/garden.md"]));
    let fallback = response.fallback.unwrap();
    assert_eq!((fallback.from.as_str(), fallback.to.as_deref()), ("qmd", Some("builtin")));
    expected.assert_eq(&stand.world.tidy(&fallback.reason));
}

fn failing(script: &str) -> Stand {
    let mut stand = Stand::new(NOTES);
    quick(stand.settings());
    stand.does(script);
    stand
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.command = stand.world.at("bin/none");
    check(&stand, expect!["~/bin/none was not found"]);
}

#[test]
fn an_exit_code_is_told_with_what_was_said() {
    check(
        &failing("echo 'database is locked' >&2; exit 3"),
        expect!["`qmd search` exit status: 3: database is locked"],
    );
}

#[test]
fn a_program_that_hangs_is_not_waited_for() {
    check(&failing("sleep 60"), expect!["`qmd search` took longer than 400 ms"]);
}

#[test]
fn garbage_and_cut_off_answers_are_no_answers() {
    check(
        &failing("echo 'Segmentation fault'"),
        expect!["`qmd search` did not answer with JSON: there is no list in it"],
    );
    check(
        &failing("printf '[{\"file\":\"qmd://memory-dir'"),
        expect!["`qmd search` did not answer with JSON: EOF while parsing a string at line 1 column 26"],
    );
    check(&failing("yes | head -c 5000000"), expect!["`qmd search` answered with more than 4194304 bytes"]);
}

#[test]
fn noise_around_the_answer_is_none_of_it() {
    let stand = Stand::new(NOTES);
    stand.answers(&hits(&[GARDEN]));
    stand.does("echo '[gpu] none'; echo warning >&2; cat \"$here/answer.json\"");
    assert_eq!(stand.ask("tomatoes").backend, "qmd");
}

#[test]
fn an_update_that_fails_is_a_failure() {
    let stand = failing("echo '[]'");
    stand.updates("echo 'disk full' >&2; exit 1");
    check(&stand, expect!["`qmd update` exit status: 1: disk full"]);
}

#[test]
fn a_search_by_meaning_without_models_says_so() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.mode = QmdMode::Vsearch;
    check(
        &stand,
        expect![[
            r#"searchMode "vsearch" needs QMD's models, and ~/agents/main/qmd/xdg-cache/qmd/models has 0 of 2"#
        ]],
    );
    assert!(
        !stand.calls().contains(&"vsearch".to_owned()),
        "it would answer with nothing, as if there were nothing"
    );
}

#[test]
fn a_query_without_models_asks_by_words_and_for_each_of_them() {
    let mut stand = Stand::new(NOTES);
    stand.settings().qmd.mode = QmdMode::Query;
    stand.does("printf '%s|' \"$@\" > \"$here/asked\"; echo '[]'");
    assert_eq!(stand.ask("where are the tomatoes").mode, Mode::Keyword);
    let asked = fs::read_to_string(stand.world.at("asked")).unwrap();
    assert_eq!(
        asked,
        "query|lex: where are the tomatoes\nlex: tomatoes|--json|-n|18|--no-rerank|-c|memory-root-main|-c|memory-dir-main|"
    );
}

#[test]
fn a_question_that_no_note_has_in_full_is_asked_word_by_word() {
    let stand = Stand::new(NOTES);
    stand.answers(&hits(&[GARDEN]));
    stand.does("if [ \"$1\" = search ]; then echo '[]'; else cat \"$here/answer.json\"; fi");
    assert_eq!(stand.ask("where did we plant the tomatoes").answer.hits.len(), 1);
    assert_eq!(stand.calls(), ["--version", "update", "search", "query"]);
    // A single word that says something is asked for without those around it.
    assert_eq!(stand.ask("where is the spade").answer.hits.len(), 1);
    assert_eq!(stand.ask("spade").answer.hits.len(), 0);
    assert_eq!(stand.calls(), ["search", "query", "search"]);
}

#[test]
fn it_is_left_alone_for_a_while_asked_again_and_comes_back_by_itself() {
    let mut stand = Stand::new(NOTES);
    quick(stand.settings());
    let ask = |at: Timestamp| stand.world.memory_at(at).search(&Request::new("tomatoes"), None).unwrap();
    let start: Timestamp = "2050-07-14T12:00:00Z".parse().unwrap();
    stand.does("exit 7");
    assert_eq!(ask(start).backend, "builtin");
    stand.calls();
    let again = ask(start + 900.milliseconds());
    assert_eq!(
        (again.backend, again.fallback.unwrap().reason),
        ("builtin", "`qmd search` exit status: 7".to_owned())
    );
    assert_eq!(stand.calls(), Vec::<String>::new(), "its turn has not come");
    let later = start + 1.seconds();
    assert_eq!(ask(later).backend, "builtin");
    assert_eq!(stand.calls(), ["search"]);
    assert_eq!(ask(later + 1_900.milliseconds()).backend, "builtin");
    assert_eq!(stand.calls(), Vec::<String>::new(), "it waits twice as long");
    stand.answers(&hits(&[GARDEN]));
    let back = ask(later + 2.seconds());
    assert_eq!((back.backend, back.fallback), ("qmd", None));
    let words: Vec<String> =
        stand.world.status().search.outages.iter().map(mindfile::backend::Outage::words).collect();
    let expected = "qmd answers again since 2050-07-14T12:00:03Z; it had failed since 2050-07-14T12:00:00Z: `qmd search` exit status: 7";
    assert_eq!(words, [expected]);
}

#[test]
fn a_workspace_that_is_not_there_is_named_and_no_failure_of_qmd() {
    let stand = Stand::new(NOTES);
    stand.answers(&hits(&[GARDEN]));
    stand.memory().sync(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
    assert_eq!(stand.ask("tomatoes").backend, "qmd");
    let here = stand.world.settings.workspace.clone();
    let away = stand.world.at("away");
    fs::rename(&here, &away).unwrap();
    stand.calls();
    check(&stand, expect!["the workspace ~/workspace does not exist"]);
    assert!(mindfile_qmd::update(&stand.memory()).is_err());
    assert_eq!((stand.calls(), stand.world.status().search.outages), (Vec::new(), Vec::new()));
    fs::rename(&away, &here).unwrap();
    assert_eq!(stand.ask("tomatoes").backend, "qmd", "it is asked at once");
}

#[test]
fn status_and_doctor_name_the_engine_and_what_is_wrong_with_it() {
    let mut stand = Stand::new(NOTES);
    stand.answers(&hits(&[GARDEN]));
    stand.ask("tomatoes");
    let lost = stand.world.at("lost");
    stand.settings().qmd.paths.push(QmdPath { path: lost, name: Some("lost".to_owned()), pattern: None });
    let state = stand.world.status().search.qmd.unwrap();
    assert_eq!(state.version.as_deref(), Some("qmd 2.8.3 (stand-in)"));
    assert_eq!(stand.world.tidy(&state.problems.join("\n")), "collection lost: ~/lost does not exist");
    let findings = |stand: &Stand, severity| {
        let found = doctor::examine(&stand.memory(), false, &[]).unwrap();
        let found = found.iter().filter(|finding| {
            finding.severity == severity && finding.what.contains("QMD") || finding.what.contains("qmd")
        });
        stand.world.tidy(&found.map(|finding| finding.what.clone()).collect::<Vec<_>>().join("\n"))
    };
    expect![[r#"
        QMD leaves something out: collection lost: ~/lost does not exist
        qmd 2.8.3 (stand-in) searches 2 collections, in ~/agents/main/qmd"#]]
    .assert_eq(&findings(&stand, Severity::Warning));
    stand.settings().qmd.command = stand.world.at("bin/none");
    expect!["QMD cannot be asked: ~/bin/none was not found"].assert_eq(&findings(&stand, Severity::Problem));
}
