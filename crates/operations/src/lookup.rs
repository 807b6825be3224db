//! What a model asks: facts and passages in one answer, with where each stands and no word more than it needs.

use mindfile::Response;
use mindfile::recall::{self, Recalled, Remembered, Touch};
use mindfile::search::{self, Hit, Sure};
use serde_json::Value;

use crate::operation::prelude::*;
use crate::text::clean;
use crate::values::{Chat, SaidForm, WhenForm};

/// Passages if nothing else is said, and facts at most.
const PASSAGES: usize = 6;
const FACTS: usize = 6;
/// The characters of all passages together, and of one: with the places about 600 tokens. The best have most of it, because
/// one whole passage shows more of an answer than several beginnings.
const TOGETHER: usize = 2_000;
const ONE: usize = 850;
/// Of what is weak, so many lines are told, each with so many characters.
const NEAREST: usize = 3;
const NEAREST_CHARS: usize = 160;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Lookup {
    /// What to look for, in your own words.
    #[arg(long)]
    #[schemars(with = "SaidForm")]
    pub query: String,
    /// How many passages at most; 6 if it is not said.
    #[arg(long)]
    #[schemars(range(min = 1, max = 50))]
    pub max_results: Option<usize>,
    /// Only of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    #[arg(long)]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// Only passages of this day and before.
    #[arg(long)]
    #[schemars(with = "Option<WhenForm>")]
    pub until: Option<String>,
    /// group, where others read along.
    #[arg(long)]
    pub chat_type: Option<Chat>,
}

impl Operation for Lookup {
    const ROW: Row = Row::new("lookup", "Find facts and passages in one short answer, for a model")
        .http(Http::get("/v1/lookup"));
    type Answer = Known;

    fn run(self, caller: &Caller<'_>) -> Result<Known, Failure> {
        let viewer = caller.viewer(self.chat_type);
        let (since, until) = (caller.day(self.since.as_deref())?, caller.day(self.until.as_deref())?);
        caller.catch_up()?;
        let found = caller.memory.search(
            &search::Request {
                max_results: Some(self.max_results.unwrap_or(PASSAGES)),
                since,
                until,
                room: Some((ONE, TOGETHER)),
                chat: viewer.chat,
                for_model: viewer.for_model,
                ..search::Request::new(self.query.as_str())
            },
            None,
        )?;
        let asked = recall::Request {
            query: self.query,
            k: Some(FACTS),
            since,
            chat: viewer.chat,
            for_model: viewer.for_model,
            ..recall::Request::default()
        };
        let facts = caller.memory.recall(&asked, Touch::Yes)?;
        Ok(Known::new(&found, &facts))
    }
}

impl ToolOperation for Lookup {
    const TOOL: Tool = Tool {
        name: "memory_search",
        title: "Search memory",
        about: "Find what is known: facts, then passages of notes, each with its place. Use it before answering anything \
                about earlier work, decisions, people, dates or preferences. Read more of a place with memory_get.",
        deed: Deed::Reads,
        fields: &["query", "maxResults", "since", "until", "chatType"],
        usual: true,
    };

    fn told(known: &Known) -> String {
        known.text()
    }

    fn lean(known: &Known) -> Value {
        serde_json::json!(known)
    }

    fn given(known: &Known) -> Vec<GivenPlace> {
        known.given.clone()
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Known {
    /// Facts, then passages.
    hits: Vec<KnownHit>,
    /// What was not consulted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<String>,
    #[serde(skip)]
    given: Vec<GivenPlace>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct KnownHit {
    /// `PATH#L5-L9`, where places are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    says: String,
    /// Of a passage, how sure it is: answers, related or weak. Of what is weak only the nearest line is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    sure: Option<&'static str>,
}

impl Known {
    /// A fact that a passage shows is no hit of its own.
    fn new(found: &Response, facts: &Remembered) -> Self {
        let hits = &found.answer.hits;
        let (weak, sure): (Vec<&Hit>, Vec<&Hit>) = hits.iter().partition(|hit| hit.sure == Sure::Weak);
        let recalled = facts.answer.recalled.iter().filter(|one| !sure.iter().any(|hit| shows(hit, one)));
        let (direct, connected): (Vec<&Recalled>, Vec<&Recalled>) = recalled.partition(|one| one.hop == 0);
        let fact = |one: &&Recalled| KnownHit { at: facts.citation(&one.fact), says: said(one), sure: None };
        let weak: Vec<&Hit> = weak.into_iter().filter(|hit| hit.origin.is_trusted()).take(NEAREST).collect();
        let given = |one: &&Recalled| GivenPlace::fact(&one.fact, &one.fact.text);
        let mut places: Vec<GivenPlace> = direct.iter().chain(&connected).map(given).collect();
        let whole = |hit: &&Hit| GivenPlace::lines(&hit.path, hit.start_line, hit.end_line, &hit.snippet);
        let line = |hit: &&Hit| GivenPlace::lines(&hit.path, hit.answer.line, hit.answer.line, &nearest(hit));
        places.extend(sure.iter().map(whole).chain(weak.iter().map(line)));
        let mut degraded = found.degraded.clone();
        degraded.extend(facts.degraded.iter().filter(|why| !found.degraded.contains(why)).cloned());
        let passages = sure.iter().chain(&weak).map(|hit| passage(found, hit));
        Self {
            hits: direct.iter().map(fact).chain(connected.iter().map(fact)).chain(passages).collect(),
            degraded,
            given: places,
        }
    }

    fn text(&self) -> String {
        let hit = |hit: &KnownHit| {
            let at = hit.at.as_ref().map(|at| format!("\n({at})")).unwrap_or_default();
            format!("{}{at}", hit.says)
        };
        let mut parts: Vec<String> = self.hits.iter().map(hit).collect();
        let first_weak = self.hits.iter().position(|hit| hit.sure == Some(Sure::Weak.as_str()));
        match first_weak {
            Some(0) => parts.insert(0, "Nothing in memory answers this. Nearest:".to_owned()),
            Some(at) => parts.insert(at, "Hardly about it:".to_owned()),
            None if parts.is_empty() => parts.push("Nothing in memory answers this.".to_owned()),
            None => {}
        }
        parts.extend(self.degraded.iter().map(|what| format!("Not everything was consulted: {what}")));
        parts.join("\n\n")
    }
}

/// A passage with its place; of one that is weak the line that comes nearest.
fn passage(found: &Response, hit: &Hit) -> KnownHit {
    let sure = Some(hit.sure.as_str());
    if hit.sure == Sure::Weak {
        let at = found.citation(hit).map(|_| format!("{}#L{}", hit.path, hit.answer.line));
        return KnownHit { at, says: nearest(hit), sure };
    }
    KnownHit { at: found.citation(hit), says: hit.snippet.trim_end().to_owned(), sure }
}

fn nearest(hit: &Hit) -> String {
    let said = hit.answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
    said.chars().take(NEAREST_CHARS).collect()
}

/// Whether a passage holds the line of a fact, and its snippet shows it.
fn shows(hit: &Hit, one: &Recalled) -> bool {
    let fact = &one.fact;
    hit.path == fact.path
        && (hit.start_line..=hit.end_line).contains(&fact.line)
        && hit.snippet.contains(&fact.text)
}

/// A fact, and through whom it hangs together with the question.
fn said(one: &Recalled) -> String {
    let via: Vec<String> = one.via.iter().map(|name| format!("@{name}")).collect();
    let via = if via.is_empty() { String::new() } else { format!(" (via {})", via.join(" → ")) };
    format!("- {}{via}", one.fact.shown())
}

impl Answer for Known {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(format!("{}\n", clean::text(&self.text())))
    }
}
