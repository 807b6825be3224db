//! The reference of keys in docs/configuration.md is made from the declarations.

use super::*;
use config::{Key, Section};
use expect_test::expect_file;

/// When it fails, `UPDATE_EXPECT=1 cargo test -p mindfile-settings docs` writes the part between the two marks anew.
#[test]
fn the_reference_of_keys_is_what_the_declarations_say() {
    const BEGIN: &str = "<!-- keys: made by UPDATE_EXPECT=1 cargo test -p mindfile-settings docs -->\n";
    const END: &str = "<!-- end of keys -->\n";
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md")).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let page = format!("{before}{BEGIN}{}{END}{after}", reference());
    expect_file!["../../../../docs/configuration.md"].assert_eq(&page);
}

fn reference() -> String {
    let rows = |section: Section| -> String {
        KEYS.iter().filter(|key| key.section == section && key.effect == Effect::Used).map(row).collect()
    };
    let unused: String = KEYS.iter().filter_map(without_effect).collect();
    let head = "| key | default | values | |\n|---|---|---|---|\n";
    format!(
        "\n### Search: `memorySearch`\n\n{head}{}\n### Memory: `memory`\n\n{head}{}\n### Agents: `agents.defaults`, or an \
         agent's own entry\n\n{head}{}\n### Plugins: `plugins.slots`\n\n{head}{}\n### Keys of OpenClaw without effect here\n\nThey are read and checked; a value \
         that asks for something brings one warning.\n\n{unused}\n",
        rows(Section::Search),
        rows(Section::Memory),
        rows(Section::Agent),
        rows(Section::Slots),
    )
}

fn row(key: &Key) -> String {
    let mark = if key.in_workspace { " *w*" } else { "" };
    let default = if key.default.is_null() { String::new() } else { format!("`{}`", key.default) };
    format!(
        "| `{}`{mark} | {default} | {} | {} |\n",
        key.path,
        values(key).replace('|', "\\|"),
        key.doc.replace('|', "\\|")
    )
}

/// What the default and the documentation do not tell anyway.
fn values(key: &Key) -> String {
    let code =
        |words: &[&str]| words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
    match key.kind {
        Kind::Whole { min, max } => format!("{} to {}", grouped(min), grouped(max)),
        Kind::Number { min, max } => format!("{min} to {max}"),
        Kind::OneOf(words) => code(words),
        Kind::SomeOf(words) => format!("any of {}", code(words)),
        Kind::Form(form) if key.default.is_boolean() || form.allowed.starts_with("a string") => String::new(),
        Kind::Form(form) => form.allowed.split([',', ';']).next().unwrap().to_owned(),
    }
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let place = |(at, digit): (usize, char)| {
        let comma = at > 0 && (digits.len() - at).is_multiple_of(3);
        format!("{}{digit}", if comma { "," } else { "" })
    };
    digits.chars().enumerate().map(place).collect()
}

fn without_effect(key: &Key) -> Option<String> {
    match key.effect {
        Effect::Used => None,
        Effect::NotInThisVersion { instead } => Some(format!("- `{}`: {instead}\n", key.path)),
        Effect::DetailOf(other) => Some(format!("- `{}`: see `{other}`\n", key.path)),
    }
}
