//! Keeping what a person asks to be remembered, in words of their own: it becomes a fact, from the turn that says it and no
//! more trusted than that turn. What the rules only guess stays a candidate.

use mindfile_note::fact::Kind;
use mindfile_note::hash::Digest;
use mindfile_ranking::fact::FactRecord;
use mindfile_trust::speaker::{Door, Role};

use super::candidate::{Candidate, Rule};
use super::sandbox;
use super::{Transcript, Wish, is_said_by};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::retain::{self, Retained};
use crate::viewer::Viewer;

/// Whose facts these are.
const USER: &str = "user";
/// How a fact names a conversation as its source.
pub(crate) const SOURCE: &str = "chat";

/// What became of the wishes in a span of a conversation.
#[derive(Default)]
pub(super) struct Remembered {
    /// What is a fact now, or was one before.
    pub(super) kept: Vec<Candidate>,
    pub(super) facts: Vec<FactRecord>,
    /// Why others are none.
    pub(super) notices: Vec<String>,
}

/// Keeps each wish once, however often it is asked for.
pub(super) fn remember(corpus: &Corpus, transcript: &Transcript, found: &[Candidate]) -> Remembered {
    let mut remembered = Remembered::default();
    for candidate in found {
        let Some(wish) = &candidate.wish else { continue };
        match keep(corpus, transcript, candidate, wish) {
            Ok(Some(retained)) => {
                remembered.kept.push(candidate.clone());
                remembered.facts.push(retained.fact);
            }
            Err(Error::Retain(retain::Error::Duplicate { .. })) => remembered.kept.push(candidate.clone()),
            Ok(None) => {}
            Err(error) => remembered.notices.push(format!("asked to be remembered, but no fact: {error}")),
        }
    }
    remembered
}

/// None if it is not the person's own word.
fn keep(
    corpus: &Corpus,
    transcript: &Transcript,
    candidate: &Candidate,
    wish: &Wish,
) -> Result<Option<Retained>, Error> {
    let session = &transcript.session;
    let record = corpus.sessions().record(session)?;
    if record.is_some_and(|record| !record.chat.is_private())
        || is_said_by(transcript, Role::Tool, &wish.text)
    {
        return Ok(None);
    }
    sandbox::check(corpus, session)?;
    let judge = corpus.judge()?;
    let is_known_untrusted = judge.anywhere(&wish.text).is_some_and(|binding| !binding.origin.is_trusted());
    let doors = [Some(Door::Session(Role::User)), Some(corpus.door), judge.session_door(session)];
    let door = doors.into_iter().flatten().min_by_key(|door| door.origin()).unwrap_or_default();
    if is_known_untrusted || !door.origin().is_trusted() {
        return Ok(None);
    }
    let place = format!("{session}#L{}", candidate.line);
    let mut id = Digest::of(format!("{place} {}", wish.text).as_bytes()).to_string();
    id.truncate(12);
    let request = retain::Request {
        kind: Some(kind(wish.rule)),
        entities: vec![USER.to_owned()],
        source: Some(format!("{SOURCE}:{place}")),
        id: Some(id),
        ..retain::Request::new(&wish.text)
    };
    let corpus = corpus.clone().through(door);
    retain::retain_for(&corpus, Viewer::through(door), &request, None).map(Some)
}

fn kind(rule: Option<Rule>) -> Kind {
    match rule {
        Some(Rule::Preference) => Kind::Opinion,
        Some(Rule::Decision) => Kind::Experience,
        Some(Rule::Remember | Rule::Correction | Rule::Name | Rule::Date) | None => Kind::World,
    }
}
