//! Who speaks. A note can be a conversation: its lines begin with the name of who says them.

use std::collections::HashMap;

/// A longer prefix, in bytes, is not a name.
const LONGEST_NAME: usize = 60;
const MOST_WORDS: usize = 3;
/// The first byte of `：`.
const WIDE_COLON: u8 = 0xEF;

/// The speaker who begins in each line. `None` if the text is not a conversation: most lines begin without a name, there is
/// only one name, or each name occurs only once, as in a list of properties.
pub fn speakers(text: &str) -> Option<Vec<Option<&str>>> {
    let speakers: Vec<Option<&str>> = text.split('\n').map(speaker).collect();
    let mut turns: HashMap<&str, usize> = HashMap::new();
    for name in speakers.iter().flatten() {
        *turns.entry(name).or_default() += 1;
    }
    let spoken: usize = turns.values().sum();
    if turns.len() < 2 || spoken == turns.len() {
        return None;
    }
    let lines = text.split('\n').filter(|line| !line.trim().is_empty() && !line.starts_with('#')).count();
    (2 * spoken >= lines).then_some(speakers)
}

/// The name before the colon.
fn speaker(line: &str) -> Option<&str> {
    // Most lines have no colon, and there are many lines.
    let first = &line.as_bytes()[..line.len().min(LONGEST_NAME)];
    if line.starts_with('#') || !first.iter().any(|&byte| matches!(byte, b':' | WIDE_COLON)) {
        return None;
    }
    let line = line.trim_start_matches(|c: char| !c.is_alphabetic());
    let end = line.find([':', '：']).filter(|end| *end <= LONGEST_NAME)?;
    let name = line[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_name = !name.starts_with(char::is_lowercase) && name.split_whitespace().count() <= MOST_WORDS;
    (is_name && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conversation_has_a_name_before_each_turn() {
        let text =
            "# 2026-07-04\n\nMara: Did the heron come?\nTomasz: Twice,\nat dawn and at noon.\nMara: Good.";
        let mara = Some("Mara");
        let tomasz = Some("Tomasz");
        assert_eq!(speakers(text), Some(vec![None, None, mara, tomasz, None, mara]));
    }

    #[test]
    fn names_may_be_marked_and_have_a_time() {
        let written = [
            ("- **Mara:** hello", Some("Mara")),
            ("**Mara**: hello", Some("Mara")),
            ("> [2026-07-04 10:32] Mara Lind: hello", Some("Mara Lind")),
            ("04.07.26, 10:32 - Mara: hello", Some("Mara")),
            ("田中：こんにちは", Some("田中")),
            ("see https://example.com", None),
            ("We agreed on four things that day: none of them", None),
            ("no colon", None),
            ("10:32", None),
            ("", None),
        ];
        for (line, name) in written {
            assert_eq!(speaker(line), name, "{line}");
        }
    }

    #[test]
    fn a_list_of_properties_is_no_conversation() {
        assert_eq!(speakers("Name: Heron\nOwner: Mara\nPlace: quay"), None, "each is there but once");
        assert_eq!(speakers("Mara: one\nMara: two"), None, "nobody to speak with");
        assert_eq!(speakers("one\ntwo\nthree\nfour\nMara: five\nTomasz: six\nfive\nseven"), None);
        assert_eq!(speakers(""), None);
    }
}
