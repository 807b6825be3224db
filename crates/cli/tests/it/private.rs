//! `encrypt`, `decrypt`, `rekey`, and what the other commands say of private notes.

use crate::home::Home;

fn medical() -> Home {
    let home = Home::new();
    home.note("memory/medical.md", "# Medical\n\nThe quartz syndrome is mild.\n");
    home
}

#[test]
fn a_note_becomes_private_and_comes_back() {
    let home = medical();
    let came = home.run(&["encrypt", "memory/medical.md"]);
    assert_eq!(
        (came.code, came.out.as_str()),
        (0, "✓ Encrypted: memory/medical.md → memory/private/medical.md\n")
    );
    assert!(came.err.contains("warning: a key was made: ~/state/private.key. Keep a copy"), "{}", came.err);
    assert_eq!(
        home.out(&["get", "memory/private/medical.md"]),
        "# Medical\n\nThe quartz syndrome is mild.\n"
    );
    let found = home.json(&["search", "quartz syndrome"]);
    assert_eq!(found["results"][0]["path"], "memory/private/medical.md");
    assert!(home.out(&["status"]).contains("\nPrivate: 1 encrypted · the key is at hand\n"));
    assert_eq!(home.out(&["encrypt", "--all"]), "");
    let back = home.json(&["decrypt", "memory/private/medical.md"]);
    assert_eq!(back["notes"][0]["to"], "memory/medical.md");
}

#[test]
fn a_lost_key_is_said_and_the_rest_works() {
    let home = medical();
    home.out(&["encrypt", "memory/medical.md"]);
    std::fs::rename(home.path().join("state/private.key"), home.path().join("away")).unwrap();
    let found = home.json(&["search", "rate limit"]);
    assert_eq!(found["results"][0]["path"], "memory/api.md");
    assert_eq!(
        found["degraded"][0].as_str().unwrap().replace(home.path().to_str().unwrap(), "~"),
        "private: 1 note stays closed: there is no key at ~/state/private.key"
    );
    let came = home.run(&["get", "memory/private/medical.md"]);
    assert_eq!(came.code, 1, "{came:?}");
    assert!(came.err.contains("there is no key at ~/state/private.key"), "{}", came.err);
    let came = home.run(&["doctor"]);
    assert!(came.code == 1 && came.out.contains("1 private note cannot be read or searched"), "{came:?}");
}

#[test]
fn a_passphrase_comes_from_the_environment() {
    let home = medical();
    home.out(&["encrypt", "memory/medical.md"]);
    let mut command = home.command(&["rekey", "--passphrase", "--json"]);
    let came = home.came(&command.env("MINDFILE_NEW_PASSPHRASE", "correct horse").output().unwrap());
    assert!(came.code == 0 && came.err.contains("Keep a copy of the key file elsewhere"), "{came:?}");
    let closed = home.run(&["get", "memory/private/medical.md"]);
    assert!(closed.err.contains("is locked with a passphrase") && closed.code == 1, "{closed:?}");
    let mut command = home.command(&["get", "memory/private/medical.md"]);
    let came = home.came(&command.env("MINDFILE_PASSPHRASE", "correct horse").output().unwrap());
    assert_eq!((came.code, came.out.as_str()), (0, "# Medical\n\nThe quartz syndrome is mild.\n"));
    let mut command = home.command(&["get", "memory/private/medical.md"]);
    let came = home.came(&command.env("MINDFILE_PASSPHRASE", "wrong").output().unwrap());
    assert!(came.code == 1 && came.err.contains("the passphrase is wrong"), "{came:?}");
    assert_eq!(home.run(&["rekey", "--passphrase"]).code, 2, "nobody to ask");
}

#[test]
fn a_program_in_the_workspaces_own_file_is_refused() {
    let home = medical();
    home.note(".mindfile.json", "{ memorySearch: { encryption: { keyCommand: ['touch', 'pwned'] } } }");
    let came = home.run(&["search", "rate limit"]);
    assert_eq!(came.code, 2);
    assert!(
        came.err.contains("memorySearch.encryption.keyCommand may not be set in a workspace's own file"),
        "{}",
        came.err
    );
    assert!(!home.path().join("pwned").exists());
}
