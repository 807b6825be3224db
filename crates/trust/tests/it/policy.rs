//! What rules find, and what stands in its place.

use mindfile_trust::policy::{Class, Policy, Rules, has_mask};
use proptest::prelude::*;
use tempfile::TempDir;

/// A policy of built-in rules, with a key of its own.
fn built_in() -> (Policy, TempDir) {
    let dir = TempDir::new().unwrap();
    (Policy::new(&Rules::default(), dir.path()), dir)
}

/// Something that must not be stored; put together, so that no scanner takes it for a real one.
fn token() -> String {
    ["gh", "p_", "q7Rt2Lw9Xc4Vb8Nm1Kj5Hg3Fd6Sa0PoIuYtR"].concat()
}

/// The number of a bank account from the standard's own example: masked by default.
const ACCOUNT: &str = "GB82 WEST 1234 5698 7654 32";

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
        "eyJ", "-----BEGIN ", "PRIVATE KEY-----", "@", "a@", "://a:", "1 ", "1.", "4", "password",
        "password=", "sk-", ".aaaaaa.", "GB82", "[removed: ", "PuTTY-User-Key-File-", "+1",
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
