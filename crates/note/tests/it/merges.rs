//! What two versions of a note come to, whatever was done to them.

use std::collections::BTreeMap;

use mindfile_note::chunk;
use mindfile_note::merge::{Merged, Rules, Sides, merge};
use proptest::prelude::*;

use crate::config;

/// A line of a note. Facts have ids of a small alphabet, so that versions have some in common.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => ("[a-f]", "[xyz]{1,2}", "[1-9]").prop_map(|(id, text, s)| format!("- W(s=0.{s}) @a: {text} ^{id}")),
        2 => ("[a-d]{1,2}").prop_map(|text| format!("- O @b: {text}")),
        2 => "[p-t]",
        2 => Just(String::new()),
        1 => "  [p-t]",
        1 => "#{1,2} [A-C]",
        1 => prop_oneof![Just("```"), Just("---"), Just("<!-- mindfile:reflect:begin -->"), Just("<!-- mindfile:reflect:end -->")].prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let end = prop_oneof![8 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r")];
    let lines = proptest::collection::vec((line(), end), 0..14);
    (lines, any::<bool>(), "\u{feff}{0,1}").prop_map(|(lines, is_whole, mark)| {
        let text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).collect();
        let text = if is_whole { text } else { text.trim_end_matches(['\r', '\n']).to_owned() };
        format!("{mark}{text}")
    })
}

/// A text, and another that was made of it by a few edits of lines.
fn edits() -> impl Strategy<Value = Vec<(usize, usize, Option<String>)>> {
    proptest::collection::vec((0..20_usize, 0..2_usize, proptest::option::of(line())), 0..5)
}

fn edited(text: &str, edits: &[(usize, usize, Option<String>)]) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for (at, gone, new) in edits {
        let at = (*at).min(lines.len());
        let gone = (*gone).min(lines.len() - at);
        lines.splice(at..at + gone, new.iter().map(|line| format!("{line}\n")));
    }
    lines.concat()
}

/// What the facts say, as ids that are derived of it.
fn words(text: &str) -> BTreeMap<String, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let facts = chunk::facts(text).into_iter();
    facts.map(|placed| (placed.fact.id_or_derived().into_owned(), placed.fact.derived_id())).collect()
}

/// How often each id occurs.
fn ids(text: &str) -> BTreeMap<String, usize> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut counts = BTreeMap::new();
    for placed in chunk::facts(text) {
        *counts.entry(placed.fact.id_or_derived().into_owned()).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_change_of_one_side_is_taken_byte_for_byte(base in text(), other in text(), append_only: bool) {
        let rules = Rules { append_only, marker: 7 };
        let expected = Merged { text: other.clone(), conflicts: 0 };
        prop_assert_eq!(&merge(Sides { base: &base, ours: &base, theirs: &other }, rules), &expected);
        prop_assert_eq!(&merge(Sides { base: &base, ours: &other, theirs: &base }, rules), &expected);
        prop_assert_eq!(&merge(Sides { base: &base, ours: &other, theirs: &other }, rules), &expected);
    }

    /// Twice only what a side has twice, and what two sides say in two ways. What one side says under a new id, and the base
    /// under another, is the fact of the base.
    #[test]
    fn no_fact_is_lost_and_none_is_there_twice(base in text(), one in edits(), other in edits(), append_only: bool) {
        let (ours, theirs) = (edited(&base, &one), edited(&base, &other));
        let merged = merge(Sides { base: &base, ours: &ours, theirs: &theirs }, Rules { append_only, marker: 7 });
        let (was, mine, others, now) = (ids(&base), ids(&ours), ids(&theirs), ids(&merged.text));
        let count = |all: &BTreeMap<String, usize>, id: &String| all.get(id).copied().unwrap_or(0);
        if merged.conflicts == 0 {
            for id in mine.keys().chain(others.keys()) {
                let (was, mine, others) = (count(&was, id), count(&mine, id), count(&others, id));
                let is_moved = was == 0 && [&ours, &theirs].iter().any(|side| {
                    words(side).get(id).is_some_and(|said| words(&base).values().any(|known| known == said))
                });
                // Of lines with one id nobody can say which one went.
                let is_one = was.max(mine).max(others) == 1;
                if is_one && was <= mine.min(others) && !is_moved {
                    prop_assert!(count(&now, id) >= mine.max(others), "{id} is lost\n{ours}\n--\n{theirs}\n--\n{}", merged.text);
                }
                prop_assert!(count(&now, id) <= mine.max(others), "{id} is doubled");
            }
        }
    }
}
