//! Whom a fact is about: the names that are given, the tags in its text, and known names that it mentions.

use std::collections::HashMap;

use mindfile_index::{Entity, EntityQuery, Filter, Snapshot, single};
use mindfile_note::alias::spelled;
use mindfile_note::fact::is_entity_char;
use mindfile_note::words;

use crate::error::Error;

const LONGEST: usize = 100;
/// Shorter words are too often something else.
const SHORTEST_KNOWN: usize = 3;
const MOST_WORDS: usize = 400;
const LONGEST_NAME_WORDS: usize = 3;

pub(crate) fn check(entity: &str) -> Result<(), Error> {
    let wrong = |why| Err(super::Error::NotAnEntity { entity: entity.to_owned(), why }.into());
    if entity.contains(char::is_control) {
        return wrong("it has a line end or another control character");
    }
    if !entity.chars().any(char::is_alphanumeric) {
        return wrong("it has no letter and no digit");
    }
    if entity.chars().count() > LONGEST {
        return wrong("it is longer than 100 characters");
    }
    Ok(())
}

/// The entities of a fact as they are written, each once: given ones first.
pub(super) fn collect(given: &[String], text: &str, snapshot: &dyn Snapshot) -> Result<Vec<String>, Error> {
    let (mut found, words): (Vec<String>, _) = (Vec::new(), words_of(text));
    let told: Vec<String> = given.iter().map(|name| spelled(name)).chain(tags(text)).collect();
    let known = entities(&told, &words, snapshot)?;
    for name in told.into_iter().chain(mentioned(&words, &known, snapshot)?) {
        let lower = name.to_lowercase();
        let resolved = match known.get(&lower) {
            Some(entity) => Some(entity.name.clone()),
            None => single::entity(snapshot, &lower)?.map(|entity| entity.name),
        };
        let same = |other: &String| {
            let other = other.to_lowercase();
            other == lower || resolved.as_deref() == Some(&*other)
        };
        if !found.iter().any(same) {
            found.push(name);
        }
    }
    Ok(found)
}

/// `@tags` in running text. What an address has before its `@` makes it none.
fn tags(text: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if c == '@' && !before.is_alphanumeric() {
            let name: String = text[at + 1..].chars().take_while(|c| is_entity_char(*c)).collect();
            let name = name.trim_end_matches(['.', '-', '/', '_']);
            if name.chars().any(char::is_alphanumeric) && name.chars().count() <= LONGEST {
                tags.push(name.to_owned());
            }
        }
        before = c;
    }
    tags
}

fn words_of(text: &str) -> Vec<&str> {
    text.split(|c: char| !is_entity_char(c))
        .map(|word| word.trim_matches(['.', '-', '/', '_']))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect()
}

/// The entities among these names and those that the words could be, by the names that they were asked for by.
fn entities(
    told: &[String],
    words: &[&str],
    snapshot: &dyn Snapshot,
) -> Result<HashMap<String, Entity>, Error> {
    let at = |at: usize| spellings_at(&words[at..]).map(|(spelled, _)| spelled.to_lowercase());
    let told = told.iter().map(|name| name.to_lowercase());
    let mut names: Vec<String> = told.chain((0..words.len()).flat_map(at)).collect();
    names.sort();
    names.dedup();
    let asked: Vec<&str> = names.iter().map(String::as_str).collect();
    let entities = snapshot.entities(EntityQuery::Named(&asked), &Filter::default())?;
    let known = names.iter().zip(entities).filter_map(|(name, entity)| Some((name.clone(), entity.known()?)));
    Ok(known.collect())
}

/// Known entities that the words mention, spelled as they do; an alias as its entity. `slow endpoint` mentions
/// `slow-endpoint`.
fn mentioned(
    words: &[&str],
    known: &HashMap<String, Entity>,
    snapshot: &dyn Snapshot,
) -> Result<Vec<String>, Error> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let first = spellings_at(&words[at..])
            .find_map(|(spelled, length)| Some((known.get(&spelled.to_lowercase())?, spelled, length)));
        let Some((entity, spelled, length)) = first else {
            at += 1;
            continue;
        };
        found.push(match entity.name == spelled.to_lowercase() {
            true => spelled,
            false => single::spelled(snapshot, &entity.name)?,
        });
        at += length;
    }
    Ok(found)
}

/// How the first words would spell an entity, the longest name first, each with how many words it takes.
fn spellings_at(words: &[&str]) -> impl Iterator<Item = (String, usize)> {
    (1..=LONGEST_NAME_WORDS.min(words.len())).rev().flat_map(|length| {
        let spellings = match &words[..length] {
            [word] if word.chars().count() < SHORTEST_KNOWN || words::is_stop(&word.to_lowercase()) => {
                Vec::new()
            }
            [word] => vec![(*word).to_owned()],
            several => vec![several.join("-"), several.join("_")],
        };
        spellings.into_iter().map(move |spelled| (spelled, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_from_text_and_addresses_are_not() {
        let text = "Met @Alice, (@Bob's) and @db/main. Write to carol@example.org or @ or @--- @Zoë";
        assert_eq!(tags(text), ["Alice", "Bob", "db/main", "Zoë"]);
    }
}
