use mindfile::policy::{Class, Policy, Rules, has_mask};
use mindfile::{Memory, config};
use proptest::prelude::*;

use super::{ACCOUNT, built_in, token};
use crate::world::{World, memory, put};

fn configured(json: &str) -> Result<(World, Memory), config::Error> {
    let mut world = World::new(&[]);
    put(&world.at("mindfile.json"), json.as_bytes());
    let flags = config::Flags { state_dir: Some(world.dir.path().to_owned()), ..Default::default() };
    let overrides = config::Overrides {
        flags,
        env: config::Env::default(),
        home: None,
        cwd: world.dir.path().to_owned(),
    };
    world.settings = config::load(&overrides)?.settings;
    let memory = memory(world.settings.clone());
    Ok((world, memory))
}

fn cover(json: &str, text: &str) -> String {
    let (_world, memory) = configured(json).unwrap();
    memory.policy().cover(text).into_owned()
}

#[test]
fn a_persons_own_rules_find_patterns_entities_and_keys() {
    let rules = "{memory: {policy: {rules: [
        {name: 'project', class: 'never-store', pattern: '(?i)heron-\\\\d+'},
        {name: 'health', class: 'never-store', key: 'health.*'},
        {name: 'ana', class: 'never-store', entity: 'Ana'},
    ]}}}";
    assert_eq!(cover(rules, "We call it Heron-42 here\n"), "We call it [removed: project] here\n");
    assert_eq!(
        cover(rules, "- O(key=health.sleep,c=0.9) @user: six hours ^k3f9a2\n- O(key=food) @user: plums\n"),
        "- O(key=health.sleep,c=0.9) @user: [removed: health] ^k3f9a2\n- O(key=food) @user: plums\n"
    );
    assert_eq!(
        cover(rules, "- W @ana @porto: moved there ^a1\n- W @porto: rains\nasked @Ana. again\nanalysis\n"),
        "- W @ana @porto: [removed: ana] ^a1\n- W @porto: rains\n[removed: ana]\nanalysis\n"
    );
}

#[test]
fn classes_of_detectors_can_be_changed_and_exceptions_be_made() {
    let mail = "write to ana@porto.example today";
    assert_eq!(cover("{}", mail), mail);
    let strict = "{memory: {policy: {builtin: {email: 'never-store'}}}}";
    assert_eq!(cover(strict, mail), "write to [removed: email] today");
    let own = "{memory: {policy: {rules: [{name: 'mail', class: 'never-store', detector: 'email'}]}}}";
    assert_eq!(cover(own, mail), "write to [removed: mail] today");
    let except = "{memory: {policy: {builtin: {email: 'never-store'},
        rules: [{name: 'ours', class: 'allowed', pattern: '\\\\w+@porto\\\\.example'}]}}}";
    assert_eq!(cover(except, &format!("{mail}, x@y.example")), format!("{mail}, [removed: email]"));
}

#[test]
fn wrong_rules_are_named_with_their_place() {
    let fails = |json: &str| configured(json).map(|_| ()).unwrap_err().to_string();
    let pattern = fails("{memory: {policy: {rules: [{name: 'a', class: 'masked', pattern: '(x'}]}}}");
    assert!(
        pattern.contains("memory.policy.rules[0].pattern is \"(x\"; it must be a regular expression"),
        "{pattern}"
    );
    let big = format!(
        "{{memory: {{policy: {{rules: [{{name: 'a', class: 'masked', pattern: '{}'}}]}}}}}}",
        "(a{1000}){1000}"
    );
    assert!(fails(&big).contains("memory.policy.rules[0].pattern"));
    for wrong in [
        "{name: 'A B', class: 'masked', key: 'x'}",
        "{name: 'a', class: 'secret', key: 'x'}",
        "{name: 'a', class: 'masked'}",
        "{name: 'a', class: 'masked', key: 'x', entity: 'y'}",
    ] {
        let said = fails(&format!("{{memory: {{policy: {{rules: [{wrong}]}}}}}}"));
        assert!(said.contains("it must be a list of rules"), "{said}");
    }
    assert!(fails("{memory: {policy: {builtin: {emial: 'masked'}}}}").contains("detectors"));
}

#[test]
fn a_workspaces_own_file_cannot_make_rules() {
    let world = World::new(&[]);
    world.save(".mindfile.json", b"{memory: {policy: {builtin: {email: 'allowed'}}}}");
    let flags = config::Flags { state_dir: Some(world.dir.path().to_owned()), ..Default::default() };
    let overrides = config::Overrides {
        flags,
        env: config::Env::default(),
        home: None,
        cwd: world.dir.path().to_owned(),
    };
    let said = config::load(&overrides).unwrap_err().to_string();
    assert!(said.contains("memory.policy.builtin may not be set in a workspace's own file"), "{said}");
}

#[test]
fn a_mask_is_the_same_for_the_same_value_and_tells_nothing_of_it() {
    let (policy, _dir) = built_in();
    let (spaced, plain) =
        (policy.cover(ACCOUNT).into_owned(), policy.cover("gb82west12345698765432").into_owned());
    assert!(spaced.starts_with("[masked: iban ") && has_mask(&spaced), "{spaced}");
    assert_eq!(spaced, plain);
    let (other, _dir) = built_in();
    assert_ne!(other.cover(ACCOUNT), spaced);
}

#[test]
fn a_block_of_lines_keeps_its_lines() {
    let (policy, _dir) = built_in();
    let dashes = "-----";
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ".repeat(2);
    let text = format!(
        "before\r\n{dashes}BEGIN PRIVATE KEY{dashes}\r\n{body}\r\n{body}\r\n{dashes}END PRIVATE KEY{dashes}\r\nafter\n"
    );
    let gone = "[removed: private-key]";
    assert_eq!(policy.cover(&text), format!("before\r\n{gone}\r\n{gone}\r\n{gone}\r\n{gone}\r\nafter\n"));
    let escaped = text.replace("\r\n", "\\n");
    assert!(!policy.cover(&escaped).contains("MIIE"), "{}", policy.cover(&escaped));
}

#[test]
fn what_looks_like_a_mask_hides_nothing() {
    let (policy, _dir) = built_in();
    let token = token();
    for text in
        [format!("[removed: {token}]"), format!("[masked: iban {token}]"), format!("[removed: x] {token}")]
    {
        assert!(!policy.cover(&text).contains(&token), "{text}");
    }
}

#[test]
fn what_a_mask_leaves_is_judged_again() {
    let (policy, _dir) = built_in();
    let text = format!("{0}:a{0} {0}{0}", token());
    let covered = policy.cover(&text).into_owned();
    assert_eq!(policy.cover(&covered), covered.as_str());
    assert!(covered.starts_with("[removed: github-token]:a"), "{covered}");
}

#[test]
fn hostile_texts_take_no_longer_than_their_length() {
    let (policy, _dir) = built_in();
    let pieces = [
        "eyJ",
        "-----BEGIN ",
        "PRIVATE KEY-----",
        "@",
        "a@",
        "://a:",
        "1 ",
        "1.",
        "4",
        "password",
        "password=",
        "sk-",
        ".aaaaaa.",
        "GB82",
        "[removed: ",
        "PuTTY-User-Key-File-",
        "+1",
    ];
    for piece in pieces {
        policy.judge_all(&piece.repeat(100_000 / piece.len()));
    }
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(token()),
        Just(ACCOUNT.to_owned()),
        Just("password: Xk29!fjA0qLm".to_owned()),
        Just("\n".to_owned()),
        Just("- W(key=a.b) @ana: ".to_owned()),
        "[ -~]{0,12}",
        "\\PC{0,6}",
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn covering_is_final_and_keeps_every_line(text in texts()) {
        let (policy, _dir) = built_in();
        let covered = policy.cover(&text).into_owned();
        prop_assert_eq!(policy.cover(&covered), covered.as_str());
        prop_assert_eq!(covered.matches('\n').count(), text.matches('\n').count());
        prop_assert!(policy.judge(&covered).iter().all(|finding| finding.class == Class::Allowed));
    }
}

#[test]
fn a_policy_without_rules_of_ones_own_is_the_table() {
    let (policy, _dir) = built_in();
    let other = Policy::new(&Rules::default(), std::path::Path::new("/nowhere"));
    let text = format!("{} and {ACCOUNT}", token());
    assert_eq!(policy.judge(&text), other.judge(&text));
    assert!(!other.cover(&text).contains("WEST"));
}
