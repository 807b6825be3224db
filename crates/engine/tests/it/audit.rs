//! The log of who wrote and saw what.

use std::fs;

use mindfile::audit::Entry;
use mindfile::origin::Door;
use mindfile::private::{OldKeys, Protect};
use mindfile::retain::Request;
use mindfile::session::About;
use mindfile::{Memory, recall, search};
use mindfile_care::doctor::{self, Severity};

use crate::world::{NOTES, World};

fn acts(memory: &Memory) -> Vec<String> {
    let said = |entry: Entry| format!("{} {} {} {}", entry.who, entry.door, entry.act, entry.what);
    memory.audit_log().entries().unwrap().into_iter().map(said).collect()
}

#[test]
fn what_is_done_to_private_notes_is_logged() {
    let world = World::new(&[("memory/medical.md", "# Medical\n\nThe quartz syndrome is mild.\n")]);
    let memory = world.memory().through(Door::Terminal);
    memory.encrypt_notes(&["memory/medical.md".to_owned()]).unwrap();
    let rekeyed = memory.rekey(Protect::Same, OldKeys::Keep).unwrap();
    memory.decrypt_note("memory/private/medical.md", None).unwrap();
    let said = |entry: Entry| format!("{} {} {}", entry.act, entry.what, entry.id.unwrap_or_default());
    let entries: Vec<String> = memory.audit_log().entries().unwrap().into_iter().map(said).collect();
    let rekey = format!("rekey key {}", rekeyed.recipient);
    assert_eq!(entries, ["encrypt note memory/private/medical.md", &rekey, "decrypt note memory/medical.md"]);
    assert_eq!(memory.audit_log().verify(None).unwrap().broken, None);
}

#[test]
fn an_act_that_cannot_be_logged_is_done_and_said() {
    let world = World::new(NOTES);
    let memory = world.memory().through(Door::Mcp);
    fs::create_dir_all(world.at("memory/main.audit.jsonl")).unwrap();
    let retained = memory.retain(&Request::new("Sarah keeps the zeppelin logbook")).unwrap();
    let unlogged = "done, but not in the audit log: ~/memory/main.audit.jsonl: Is a directory (os error 21)";
    assert_eq!(world.tidy(&retained.notices.join("; ")), unlogged);
    let edited = memory.edit(&retained.fact.id, "Sarah sold the zeppelin logbook").unwrap();
    assert_eq!(world.tidy(&edited.notices.join("; ")), unlogged);
    let said = memory.say("s1", &[], &About::default()).unwrap();
    assert_eq!(world.tidy(&said.notices.join("; ")), unlogged);
    let findings = doctor::examine(&memory, false, &[]).unwrap();
    let found = findings.iter().find(|finding| finding.severity == Severity::Problem).unwrap();
    let what = "the audit log cannot be written: ~/memory/main.audit.jsonl: Is a directory (os error 21)";
    assert_eq!(world.tidy(&found.what), what);
}

#[test]
fn writes_and_sensitive_reads_are_logged_without_content() {
    let mut world = World::new(&[(
        "memory/bank.md",
        "# Bank\n\nThe rent goes to GB82 WEST 1234 5698 7654 32 monthly.\n",
    )]);
    world.settings.query.min_score = 0.35;
    let memory = world.memory().through(Door::Mcp);
    memory.retain(&Request::new("Sarah keeps the zeppelin logbook")).unwrap();
    assert_eq!(acts(&memory), ["agent mcp retain fact"]);
    memory.search(&search::Request::new("zeppelin logbook"), None).unwrap();
    assert_eq!(acts(&memory).len(), 1);
    memory.search(&search::Request::new("rent monthly"), None).unwrap();
    memory.get("memory/bank.md", 1, None).unwrap();
    assert_eq!(acts(&memory)[1..], ["agent mcp read note", "agent mcp read note"]);
    let request = Request {
        sensitivity: Some(mindfile::fact::Sensitivity::High),
        ..Request::new("Peter takes a zeppelin to the clinic")
    };
    memory.retain(&request).unwrap();
    let owner = world.memory().through(Door::Terminal);
    owner.recall(&recall::Request::new("zeppelin clinic".to_owned()), recall::Touch::No).unwrap();
    assert!(acts(&memory).contains(&"owner terminal read fact".to_owned()), "{:?}", acts(&memory));
    assert_eq!(memory.audit_log().verify(None).unwrap().broken, None);
    let log = fs::read_to_string(world.at("memory/main.audit.jsonl")).unwrap();
    for word in ["zeppelin", "clinic", "WEST", "rent"] {
        assert!(!log.contains(word), "{log}");
    }
}
