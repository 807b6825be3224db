//! The key: lost, locked, from a program, changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use mindfile::age::Passphrase;
use mindfile::private::{self, OldKeys, Protect};
use mindfile_care::doctor;
use mindfile_care::status;

use super::{TODAY, found, high, owner};
use crate::world::{World, put};

fn phrase(text: &str) -> Passphrase {
    Passphrase::new(text).unwrap()
}

fn closed(world: &World) -> String {
    let memory = owner(world);
    let request =
        mindfile::search::Request { min_score: Some(0.35), ..mindfile::search::Request::new("tomatoes") };
    let response = memory.search(&request, None).unwrap();
    assert_eq!(response.answer.hits.len(), 1, "everything else works");
    world.tidy(&response.degraded.join("; "))
}

fn garden() -> World {
    let world = World::new(&[("memory/garden.md", "Tomatoes need water twice a day.\n")]);
    owner(&world).retain(&high("The quartz vault opens with seven turns")).unwrap();
    world
}

#[test]
fn a_lost_key_closes_private_notes_and_nothing_else() {
    let world = garden();
    let key = fs::read(world.at("private.key")).unwrap();
    fs::remove_file(world.at("private.key")).unwrap();
    assert_eq!(closed(&world), "private: 1 note stays closed: there is no key at ~/private.key");
    let error = owner(&world).retain(&high("another secret")).unwrap_err();
    assert_eq!(world.tidy(&error.to_string()), "there is no key at ~/private.key", "no other key is made");
    assert!(!world.at("private.key").exists());
    let findings = doctor::examine(&owner(&world), false, &[]).unwrap();
    let problem = findings.iter().find(|finding| finding.what.contains("private.key")).unwrap();
    assert!(problem.effect.starts_with("1 private note cannot be read or searched"), "{problem:?}");
    let status = status::of(&owner(&world), false).unwrap().workspace.private.unwrap();
    assert_eq!((status.encrypted, status.clear), (1, 0));
    assert!(status.closed.unwrap().contains("there is no key"));
    put(&world.at("private.key"), &key);
    let mode = |mode| fs::set_permissions(world.at("private.key"), fs::Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    let exposed = "private: 1 note stays closed: the key ~/private.key can be read by others (mode 644)";
    assert_eq!(closed(&world), exposed);
    mode(0o600);
    assert_eq!(found(&owner(&world), "quartz vault"), [format!("{TODAY}#L1-L5")]);
}

#[test]
fn another_key_and_a_damaged_note_are_told_apart() {
    let world = garden();
    let note = world.note(&format!("{TODAY}.age"));
    let bytes = fs::read(&note).unwrap();
    let mut damaged = bytes.clone();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    put(&note, &damaged);
    assert!(closed(&world).ends_with("it is damaged: its text was changed or cut off"), "{}", closed(&world));
    put(&note, &bytes);
    fs::remove_file(world.at("private.key")).unwrap();
    fs::rename(&note, world.at("away")).unwrap();
    owner(&world).retain(&high("a second secret")).unwrap();
    fs::rename(world.at("away"), world.note("memory/private/old.md.age")).unwrap();
    assert!(closed(&world).ends_with("it is encrypted for another key"), "{}", closed(&world));
    assert_eq!(found(&owner(&world), "second secret").len(), 1);
}

#[test]
fn the_key_is_changed_and_the_old_one_opens_nothing_any_more() {
    let world = garden();
    let old = fs::read(world.at("private.key")).unwrap();
    for (old_keys, kept) in [(OldKeys::Keep, 1), (OldKeys::Keep, 2), (OldKeys::Drop, 0)] {
        let rekeyed = owner(&world).rekey(Protect::Same, old_keys).unwrap();
        assert_eq!((rekeyed.notes, rekeyed.old_keys, rekeyed.left.len()), (1, kept, 0));
        let key = fs::read_to_string(world.at("private.key")).unwrap();
        assert_eq!(key.matches("AGE-SECRET").count(), kept + 1);
        assert!(key.contains(&rekeyed.recipient));
    }
    assert_eq!(found(&owner(&world), "quartz vault").len(), 1);
    put(&world.at("private.key"), &old);
    assert!(closed(&world).ends_with("it is encrypted for another key"));
}

#[test]
fn another_key_closes_no_note_of_another_workspace_or_of_a_backup() {
    let mut world = garden();
    let sealed = world.note(&format!("{TODAY}.age"));
    let backup = fs::read(&sealed).unwrap();
    let (first, other) = (world.settings.workspace.clone(), world.at("other"));
    fs::create_dir_all(other.join("memory")).unwrap();
    world.settings.workspace = other;
    owner(&world).retain(&high("The heron sleeps in the boathouse")).unwrap();
    owner(&world).rekey(Protect::Same, OldKeys::Keep).unwrap();
    assert_eq!(found(&owner(&world), "heron boathouse").len(), 1);
    world.settings.workspace = first;
    assert_eq!(found(&owner(&world), "quartz vault").len(), 1);
    owner(&world).rekey(Protect::Same, OldKeys::Keep).unwrap();
    put(&sealed, &backup);
    assert_eq!(found(&owner(&world), "quartz vault").len(), 1);
}

#[test]
fn who_read_the_key_before_another_changed_it_loses_no_note() {
    let world = garden();
    let slow = owner(&world);
    assert_eq!(found(&slow, "quartz vault").len(), 1);
    owner(&world).rekey(Protect::Same, OldKeys::Drop).unwrap();
    slow.retain(&high("The heron sleeps in the boathouse")).unwrap();
    assert_eq!(found(&slow, "heron boathouse").len(), 1);
    assert_eq!(found(&owner(&world), "heron boathouse").len(), 1);
    let rekeyed = slow.rekey(Protect::Same, OldKeys::Keep).unwrap();
    assert_eq!((rekeyed.notes, rekeyed.left), (1, Vec::new()));
    assert_eq!(found(&owner(&world), "quartz vault").len(), 1);
}

#[test]
fn a_passphrase_locks_the_key() {
    let world = garden();
    owner(&world).rekey(Protect::With(phrase("correct horse")), OldKeys::Keep).unwrap();
    assert!(!fs::read_to_string(world.at("private.key")).unwrap_or_default().contains("AGE-SECRET"));
    assert_eq!(
        closed(&world),
        "private: 1 note stays closed: the key ~/private.key is locked with a passphrase"
    );
    let memory = owner(&world);
    assert!(private::needs_passphrase(&memory));
    memory.unlock(phrase("correct horse"));
    assert_eq!(found(&memory, "quartz vault").len(), 1);
    memory.unlock(phrase("battery"));
    assert_eq!(found(&memory, "quartz vault"), Vec::<String>::new());
}

#[test]
fn a_program_of_the_owners_choice_gives_the_key() {
    let mut world = garden();
    fs::rename(world.at("private.key"), world.at("elsewhere")).unwrap();
    let path = world.at("elsewhere").display().to_string();
    world.settings.encryption.key_command = Some(vec!["cat".into(), path]);
    assert_eq!(found(&owner(&world), "quartz vault").len(), 1);
    let error = owner(&world).rekey(Protect::Same, OldKeys::Keep).unwrap_err();
    assert_eq!(error.to_string(), "the key comes from cat and cannot be changed here");
    world.settings.encryption.key_command = Some(vec!["false".into()]);
    assert!(closed(&world).starts_with("private: 1 note stays closed: false gave no key: "));
}

/// Both ways, where the program is installed.
#[test]
fn age_itself_opens_what_we_wrote_and_we_open_what_it_wrote() {
    let world = garden();
    let key = world.at("private.key");
    let sealed = world.note(&format!("{TODAY}.age"));
    let Ok(opened) = Command::new("age").arg("-d").arg("-i").arg(&key).arg(&sealed).output() else {
        eprintln!("SKIPPED: the program age is not installed, so nothing was compared with it");
        return;
    };
    let text = String::from_utf8(opened.stdout).unwrap();
    assert!(opened.status.success() && text.contains("The quartz vault opens with seven turns ^"), "{text}");
    let keys = fs::read_to_string(&key).unwrap();
    let recipient = keys.lines().find_map(|line| line.strip_prefix("# public key: ")).unwrap();
    put(&world.at("plain"), b"# Wine\n\nThe cellar holds amarone.\n");
    let mut made = Command::new("age");
    made.args(["-r", recipient, "-o"]).arg(world.note("memory/private/wine.md.age")).arg(world.at("plain"));
    assert!(made.status().unwrap().success());
    assert_eq!(found(&owner(&world), "amarone cellar")[0], "memory/private/wine.md#L1-L3");
}
