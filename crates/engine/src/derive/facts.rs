//! From the fact lines of a note to what the index keeps of them.

use std::sync::OnceLock;

use mindfile_index::{Embedding, FactFields, MOST_ENTITIES, NewChunk, NewFact};
use mindfile_note::chunk::{self, PlacedFact, Resume};
use mindfile_note::fact::{DEFAULT_SALIENCE, LONGEST, MOST, RETAIN};
use mindfile_note::hash::Digest;
use mindfile_note::text;
use mindfile_trust::origin::LineOrigins;

/// The facts of a decoded note. `title` is none for a daily note that has none of its own.
pub fn facts(text: &str, title: Option<&str>, origins: &LineOrigins) -> Vec<NewFact> {
    of_placed(&placed(text), title, origins)
}

/// The fact lines of a decoded note.
pub(crate) fn placed(text: &str) -> Vec<PlacedFact<'_>> {
    placed_on(text, None, 0)
}

/// The fact lines of what follows a place in a note with so many facts before it.
pub(crate) fn placed_on<'a>(text: &'a str, from: Option<&Resume>, before: usize) -> Vec<PlacedFact<'a>> {
    chunk::facts_on(text, from, MOST.saturating_sub(before))
}

pub(crate) fn of_placed(
    placed: &[PlacedFact<'_>],
    title: Option<&str>,
    origins: &LineOrigins,
) -> Vec<NewFact> {
    let short = placed.iter().filter(|fact| fact.text.len() <= LONGEST);
    short.map(|fact| derive(fact, title, origins)).collect()
}

/// What of a note's fact lines is not taken as it stands there, in words. `facts` are those that were.
pub fn left_out(text: &str, facts: &[NewFact]) -> Vec<String> {
    let mut all = Vec::new();
    if facts.len() >= MOST {
        all.push(format!("only its first {MOST} facts are taken as facts"));
    }
    let many = facts.iter().filter(|fact| fact.fields.entities.len() > MOST_ENTITIES);
    all.extend(many.map(|fact| {
        let (line, count) = (fact.chunk.start_line, fact.fields.entities.len());
        format!(
            "the fact in line {line} has {count} tags; only the first {MOST_ENTITIES} entities are linked"
        )
    }));
    if text::lines(text).any(|line| line.len() > LONGEST) {
        all.extend(placed(text).into_iter().filter(|fact| fact.text.len() > LONGEST).map(|fact| {
            let (line, bytes) = (fact.line, fact.text.len());
            format!(
                "the fact in line {line} is {bytes} bytes long; above {LONGEST} a line is taken for prose"
            )
        }));
    }
    all
}

/// Without tokens, words and vector.
fn derive(placed: &PlacedFact<'_>, title: Option<&str>, origins: &LineOrigins) -> NewFact {
    let fields = fields(placed);
    let context = context(&fields, &placed.heading, title);
    let text = placed.fact.text().to_owned();
    let (tokens, embedding) = (Vec::new(), Embedding::Pending);
    let hash = Digest::of(placed.text.as_bytes());
    let (start_line, end_line) = (placed.line, placed.line);
    let origin = origins.lowest(placed.line, placed.line);
    let terms = OnceLock::new();
    NewFact {
        chunk: NewChunk { start_line, end_line, context, text, hash, tokens, embedding, origin, terms },
        fields,
    }
}

fn fields(placed: &PlacedFact<'_>) -> FactFields {
    let fact = &placed.fact;
    FactFields {
        id: fact.id_or_derived().into_owned(),
        kind: fact.kind(),
        salience: fact.salience().map_or(DEFAULT_SALIENCE, |s| s as f32),
        confidence: fact.confidence().map(|c| c as f32),
        key: fact.key().map(std::borrow::Cow::into_owned),
        entities: fact.entities().map(str::to_owned).collect(),
        line: placed.text.to_owned(),
    }
}

/// What is searched and embedded with the text: where it stands, whom it is about, what it answers.
fn context(fields: &FactFields, heading: &[String], title: Option<&str>) -> String {
    let above = heading.iter().map(String::as_str).filter(|words| *words != RETAIN && Some(*words) != title);
    let place: Vec<&str> = title.into_iter().chain(above).collect();
    let parts = [place.join(" › "), fields.entities.join(" "), fields.key.clone().unwrap_or_default()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}
