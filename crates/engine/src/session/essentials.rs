//! What a summary must not lose: names, numbers and identifiers of what it stands for. A summary is compared with them,
//! and what it left out is listed under it.

use std::collections::HashSet;

/// The most that are looked for; the last said count.
const MOST: usize = 400;
const LONGEST: usize = 80;

/// Names, numbers and identifiers of texts, each once, in the order in which they were said.
pub fn find<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = HashSet::new();
    let mut found: Vec<String> = Vec::new();
    for text in texts {
        for essential in of(text) {
            if seen.insert(essential.to_lowercase()) {
                found.push(essential.to_owned());
            }
        }
    }
    found.split_off(found.len().saturating_sub(MOST))
}

/// Those that a summary does not have.
pub fn missing(summary: &str, essentials: &[String]) -> Vec<String> {
    let lower = summary.to_lowercase();
    essentials.iter().filter(|essential| !lower.contains(&essential.to_lowercase())).cloned().collect()
}

fn of(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begins = true;
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && !"#@/_~".contains(c));
        if !bare.is_empty() && bare.len() <= LONGEST && (is_identifier(bare) || (!begins && is_name(bare))) {
            found.push(bare);
        }
        begins = word.ends_with(['.', '!', '?', ':']) || word == "-";
    }
    found
}

/// A number of at least two digits, or a word that no dictionary has: with digits, signs or capitals inside.
fn is_identifier(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let signs = word.char_indices().skip(1).any(|(_, c)| "_/@:#.".contains(c));
    let inner_capital =
        word.chars().zip(word.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let letters = word.chars().any(char::is_alphabetic);
    digits >= 2 || (digits >= 1 && letters) || (signs && letters) || inner_capital
}

fn is_name(word: &str) -> bool {
    let first = word.chars().next();
    first.is_some_and(char::is_uppercase) && word.chars().count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_identifiers_are_found() {
        let text = "Today Ana moved SP-504-LATE to /srv/data. The port is 8081, said Bob. It costs 12,000 euros a828e60";
        let found = find([text].into_iter());
        assert_eq!(found, ["Ana", "SP-504-LATE", "/srv/data", "8081", "Bob", "12,000", "a828e60"]);
        assert_eq!(
            missing("ana and bob use port 8081", &found),
            ["SP-504-LATE", "/srv/data", "12,000", "a828e60"]
        );
    }
}
