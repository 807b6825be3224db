//! A keyed memory is found by its key: by the words of it, and by the key as it is.

use jiff::civil::{Date, date};
use mindfile_ranking::fact::Uses;
use mindfile_ranking::recall::Request;

use crate::world::World;

const TODAY: Date = date(2050, 5, 20);

const SETTINGS: &str = "- O(key=editor.theme,c=0.91) @user: dark ^theme\n\
    - O(key=editor.font-size) @user: 14 ^size\n\
    - O(key=units.system) @user: metric ^units\n\
    - O(key=deploy_branch) @ci: release ^branch\n\
    - W(key=maxUploadSize) @api: 20 MB ^upload\n\
    - O(key=sprache) @user: Deutsch ^sprache\n\
    - O(key=updates) @user: weekly ^updates\n\
    - W @user: Prefers walking to meetings ^walks\n\
    - W @api: Rate limiting is 100 requests per minute ^rate\n";

fn ids(notes: &[(&str, &str)], request: &Request) -> Vec<String> {
    let found = World::new(notes).recall(request, TODAY, &Uses::new()).unwrap();
    found.recalled.into_iter().map(|one| one.fact.id).collect()
}

fn check(query: &str, expected: &[&str]) {
    let request = Request { depth: Some(0), ..Request::new(query) };
    assert_eq!(ids(&[("memory/2050-05-01.md", SETTINGS)], &request), expected, "{query}");
}

#[test]
fn the_words_of_a_key_are_words_of_its_fact() {
    check("editor theme", &["theme"]);
    check("what is the user's editor theme?", &["theme"]);
    check("which theme should the editor have", &["theme"]);
    check("which units system", &["units"]);
    check("font size of the editor", &["size"]);
    check("deploy branch", &["branch"]);
    check("what is the max upload size", &["upload"]);
    check("Welche Sprache?", &["sprache"]);
}

#[test]
fn what_no_key_says_stays_unknown() {
    check("keyboard layout", &[]);
    check("capital of Mongolia", &[]);
}

#[test]
fn a_key_that_is_typed_as_it_is_gives_its_value() {
    for (key, id) in [
        ("editor.theme", "theme"),
        ("editor.font-size", "size"),
        ("units.system", "units"),
        ("deploy_branch", "branch"),
        ("maxUploadSize", "upload"),
        ("sprache", "sprache"),
        ("updates", "updates"),
    ] {
        check(key, &[id]);
    }
}

#[test]
fn the_value_in_force_comes_before_those_it_superseded() {
    let room = "- W(s=0.9,key=team.room,until=2050-05-02,by=b) @team: Aspen ^a\n\
        - W(s=0.1,key=team.room,v=2) @team: Birch ^b\n- W(s=1) @team: The team has a room with plants ^c\n";
    let notes = [("memory/2050-05-01.md", room)];
    assert_eq!(ids(&notes, &Request::new("team.room")), ["b"]);
    assert_eq!(ids(&notes, &Request { past: true, ..Request::new("team.room") }), ["b", "a"]);
}
