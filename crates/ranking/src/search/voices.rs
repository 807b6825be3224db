//! Whose words they are. In a conversation, what someone says is about themselves, and what they ask, or say to "you",
//! is about who answers. So a question about a person is answered by what is said about that person; the same words
//! about another are no answer.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use mindfile_index::{StoredChunk, TermStat, stored_tokens};
use mindfile_model::EmbeddedTable;
use mindfile_note::conversation::speakers;
use mindfile_note::segment::segments;
use mindfile_note::words;

use super::interaction::Tokens;
use super::names;

/// Those whom a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct People(Vec<String>);

impl People {
    /// Words with a capital letter, but for such as `What`. Whether they are people is for the notes to say.
    pub(super) fn of(query: &str, terms: &[TermStat]) -> Self {
        let is_term =
            |word: &&str| words::terms(word).iter().any(|term| terms.iter().any(|stat| stat.term == *term));
        let named = query.split_whitespace().filter(|word| names::is_capital(word)).filter(is_term);
        Self(named.flat_map(parts).map(str::to_lowercase).collect())
    }

    fn include(&self, name: &str) -> bool {
        parts(name).any(|part| self.0.contains(&part.to_lowercase()))
    }

    /// Of each line, whether someone else says it. None where the text is no conversation of theirs.
    pub(super) fn others(&self, text: &str) -> Option<Vec<bool>> {
        if self.0.is_empty() {
            return None;
        }
        let speakers = speakers(text)?;
        let mut is_other = false;
        let others = |speaker: &Option<&str>| {
            is_other = speaker.map_or(is_other, |name| !self.include(name));
            is_other
        };
        let is_theirs = speakers.iter().flatten().any(|name| self.include(name));
        is_theirs.then(|| speakers.iter().map(others).collect())
    }

    /// Those of them who speak in a conversation.
    fn who_speak<'t>(mut self, texts: impl Iterator<Item = &'t str>) -> Self {
        let all: HashSet<&str> = texts.filter_map(speakers).flatten().flatten().collect();
        let speaking: HashSet<String> = all.into_iter().flat_map(parts).map(str::to_lowercase).collect();
        self.0.retain(|name| speaking.contains(name));
        self
    }
}

/// Without what belongs to the sentence: `Mara's` is `Mara`.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| part.len() > 1)
}

/// What a question asks of the people it names, and what is said about them and others in the conversations at hand.
pub(super) struct Voices<'a> {
    people: People,
    /// The tokens of each of their names.
    names: Vec<Vec<u16>>,
    /// The question but for the names, and its share of the whole.
    rest: Tokens,
    share: f32,
    of_them: NearnessByPart<'a>,
    of_others: HashMap<&'a str, NearnessByPart<'a>>,
}

/// How near what is said about someone comes to the question: by note, line and part of the turn.
type NearnessByPart<'a> = HashMap<(&'a str, u32, About), f32>;

/// Whom a part of a turn is about; or what stands in a note that is no conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum About {
    WhoSpeaks,
    WhoAnswers,
    WhomItNames,
    Written,
}

impl<'a> Voices<'a> {
    /// None where the question names nobody who speaks, or asks for nothing else. `told` is how much all of it tells.
    pub(super) fn new(
        query: &str,
        terms: &[TermStat],
        told: f32,
        chunks: impl Iterator<Item = &'a StoredChunk>,
    ) -> Option<Self> {
        let people = People::of(query, terms);
        if people.0.is_empty() {
            return None;
        }
        let people = people.who_speak(chunks.map(|chunk| chunk.text.as_str()));
        if people.0.is_empty() {
            return None;
        }
        let rest: Vec<&str> = parts(query).filter(|word| !people.include(word)).collect();
        let rest = Tokens::new(&rest.join(" "), terms);
        let names = people.0.iter().map(|name| tokens(name)).collect();
        let share = rest.told() / told;
        let (of_them, of_others) = (NearnessByPart::new(), HashMap::new());
        (rest.told() > 0.0).then_some(Self { people, names, rest, share, of_them, of_others })
    }

    /// How near what a chunk says about the people named comes to the question, as a whole and in its best turn; the
    /// names are theirs. None where it is no conversation about them.
    pub(super) fn hear(&mut self, chunk: &'a StoredChunk) -> Option<f32> {
        let are_named = |speaker: &str, sentence: &[u16]| self.are_named(speaker, sentence);
        let Some(turns) = turns(&chunk.text, &chunk.tokens, are_named) else {
            // Nobody says it, so it may be about them.
            let near = self.rest.nearness(chunk);
            self.of_them.insert((&chunk.path, chunk.start_line, About::Written), near);
            return None;
        };
        let mut whole = stored_tokens::of_context(&chunk.tokens).to_vec();
        let mut best: Option<f32> = None;
        for (at, turn) in turns.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &turns[before]);
            // An answer is understood from its question.
            let asked = before.map_or(&[][..], |before| &before.of_who_answers);
            let of_who_speaks = [asked, &turn.of_who_speaks].concat();
            let answers = turns.get(at + 1).or(before).map(|turn| turn.speaker);
            let said = [
                (About::WhoSpeaks, Some(turn.speaker), &of_who_speaks),
                (About::WhoAnswers, answers, &turn.of_who_answers),
                (About::WhomItNames, None, &turn.of_whom_it_names),
            ];
            for (part, person, tokens) in said.into_iter().filter(|(_, _, tokens)| !tokens.is_empty()) {
                let near = self.rest.nearness_of(tokens);
                let other = person.filter(|person| !self.people.include(person));
                let said = match other {
                    Some(other) => self.of_others.entry(other).or_default(),
                    None => &mut self.of_them,
                };
                let known = said.entry((&chunk.path, chunk.start_line + turn.line, part)).or_insert(near);
                *known = known.max(near);
                if other.is_none() {
                    whole.extend(tokens);
                    best = Some(best.map_or(near, |best| best.max(near)));
                }
            }
        }
        let near = 0.5 * best? + 0.5 * self.rest.nearness_of(&whole);
        Some(1.0 - self.share * (1.0 - near))
    }

    /// Whether someone else names one of them.
    fn are_named(&self, speaker: &str, sentence: &[u16]) -> bool {
        let has = |name: &Vec<u16>| sentence.windows(name.len()).any(|part| part == name);
        !self.people.include(speaker) && self.names.iter().any(has)
    }

    /// How much nearer to the question comes what is said about someone else. None where nothing is said about the
    /// people named, or about others.
    pub(super) fn others_lead(&self) -> Option<f32> {
        let near = |said: &NearnessByPart<'_>| weight(said.values().copied().collect());
        let others = self.of_others.values().map(near).reduce(f32::max)?;
        (!self.of_them.is_empty()).then(|| others - near(&self.of_them))
    }
}

/// Each counts half of the one before it, the best first.
fn weight(mut near: Vec<f32>) -> f32 {
    near.sort_by(f32::total_cmp);
    near.iter().fold(0.0, |sum, near| (sum + near) / 2.0)
}

/// What one says until another begins.
struct Turn<'a> {
    line: u32,
    speaker: &'a str,
    of_who_speaks: Vec<u16>,
    of_who_answers: Vec<u16>,
    of_whom_it_names: Vec<u16>,
}

/// Sentence by sentence. `is_named` says whether what someone says is about another whom it names.
fn turns<'a>(
    text: &'a str,
    tokens: &[u16],
    is_named: impl Fn(&str, &[u16]) -> bool,
) -> Option<Vec<Turn<'a>>> {
    let speakers = speakers(text)?;
    let mut turns: Vec<Turn<'a>> = Vec::new();
    let mut before = None;
    for (segment, said) in segments(text).iter().zip(stored_tokens::of_segments(tokens)) {
        let begins = before.replace(segment.line) != Some(segment.line);
        if let Some(speaker) = speakers[segment.line as usize].filter(|_| begins) {
            let [of_who_speaks, of_who_answers, of_whom_it_names] = Default::default();
            turns.push(Turn { line: segment.line, speaker, of_who_speaks, of_who_answers, of_whom_it_names });
        }
        let Some(turn) = turns.last_mut() else { continue };
        for sentence in said.split_inclusive(|token| ENGLISH.ends.contains(token)) {
            let part = if ENGLISH.is_to_you(sentence) {
                &mut turn.of_who_answers
            } else if is_named(turn.speaker, sentence) {
                &mut turn.of_whom_it_names
            } else {
                &mut turn.of_who_speaks
            };
            part.extend(sentence);
        }
    }
    Some(turns)
}

fn tokens(text: &str) -> Vec<u16> {
    EmbeddedTable::open().tokens(text).iter().map(|token| token.get()).collect()
}

/// The tokens by which a sentence shows whom it is about.
struct Grammar {
    ends: Vec<u16>,
    asks: Vec<u16>,
    you: Vec<u16>,
    me: Vec<u16>,
}

static ENGLISH: LazyLock<Grammar> = LazyLock::new(|| Grammar {
    ends: tokens(". ! ?"),
    asks: tokens("?"),
    you: tokens("you your yours yourself"),
    me: tokens("i me my mine myself we us our ours"),
});

impl Grammar {
    fn is_to_you(&self, sentence: &[u16]) -> bool {
        let has = |words: &[u16]| sentence.iter().any(|token| words.contains(token));
        has(&self.asks) || (has(&self.you) && !has(&self.me))
    }
}

#[cfg(test)]
mod tests {
    use mindfile_model::TokenId;

    use super::*;

    #[test]
    fn a_turn_is_about_who_speaks_and_about_who_answers() {
        let text = "Nadia: I sold honey. How did your race go?\nPiet: Third! I wish you had seen my sail.\nNadia: You are fast.";
        let segments: Vec<Vec<u16>> =
            segments(text).into_iter().map(|segment| tokens(&text[segment.range])).collect();
        let tokens = stored_tokens::joined(&tokens("2026-07-04"), segments.iter().map(Vec::as_slice));
        let spelled = |tokens: &[u16]| {
            let words =
                tokens.iter().filter_map(|&id| TokenId::new(id)).map(|id| EmbeddedTable::open().spelling(id));
            words.collect::<Vec<_>>().join(" ")
        };
        let found = turns(text, &tokens, |_, _| false).unwrap();
        let parts =
            found.iter().map(|turn| [&turn.of_who_speaks, &turn.of_who_answers].map(|part| spelled(part)));
        assert_eq!(
            parts.collect::<Vec<_>>(),
            [
                ["nadia : i sold honey .", "how did your race go ?"],
                ["pie t : third ! i wish you had seen my sail .", ""],
                ["", "nadia : you are fast ."],
            ]
        );
    }

    #[test]
    fn the_best_count_most_and_all_of_them() {
        assert_eq!(weight(vec![0.5, 1.0]), 0.625);
        assert_eq!(weight(vec![1.0]), 0.5);
        assert_eq!(weight(Vec::new()), 0.0);
    }
}
