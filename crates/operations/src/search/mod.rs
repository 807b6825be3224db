//! Passages of notes and conversations, by words and by meaning.

pub mod hits;
mod plan;
mod why_not;

use mindfile::Response;
use mindfile::clock::today;
use mindfile::fault::Spelling;
use mindfile::notes;
use mindfile::search::{self, Hit, Place, QueryTerm, Sure};

use crate::explain::{self, Piece, pieces, rounded};
use crate::index::ProviderFallback;
use serde_json::Value;

use crate::operation::prelude::*;
use crate::text::quantity::count;
use crate::values::{Chat, Mode, PlaceForm, SaidForm, Source, WhenForm, one_text};
use plan::Explained;
use why_not::Why;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the request")]
pub struct Search {
    /// What to look for, in your own words. "Quoted words" must stand together; -word must not stand there.
    #[arg(value_name = "QUERY")]
    #[serde(deserialize_with = "one_text")]
    #[schemars(with = "SaidForm")]
    pub query: Vec<String>,
    /// How many hits at most; 6 if nothing else is configured.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[schemars(range(min = 1, max = 1000))]
    pub max_results: Option<usize>,
    /// The lowest score, 0 to 1; 0 if nothing else is configured. What is weak comes last, and says so.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    #[schemars(range(min = 0, max = 1))]
    pub min_score: Option<f32>,
    /// By words and meaning, by words alone, or by meaning alone.
    #[arg(long, value_name = "MODE")]
    pub mode: Option<Mode>,
    /// Only notes, or only transcripts of conversations.
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<Source>,
    /// Only notes of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// Only notes of this day and before.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub until: Option<String>,
    /// What held on that day, instead of today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub as_of: Option<String>,
    /// Rank what expired or was superseded as if it held.
    #[arg(long)]
    #[serde(default)]
    pub past: bool,
    /// Also what nobody trusts, wrapped and labelled.
    #[arg(long)]
    #[serde(default)]
    pub include_untrusted: bool,
    /// Say how each score came about.
    #[arg(long)]
    #[serde(default)]
    pub explain: bool,
    /// Say where each snippet matches, and what the note and the heading above it are called.
    #[arg(skip)]
    #[serde(default)]
    pub marks: bool,
    /// Say why this line is not among the results: PATH#L40.
    #[arg(long, value_name = "PATH#L40")]
    #[schemars(with = "Option<PlaceForm>")]
    pub why_not: Option<String>,
    /// Who reads along; direct if it is not said. In a group MEMORY.md is never given.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
    /// What the host calls the conversation, such as agent:main:telegram:group:42; rules about chats go by it.
    #[arg(long, value_name = "KEY")]
    pub session_key: Option<String>,
}

impl Search {
    pub fn request(&self, caller: &Caller<'_>) -> Result<search::Request, Failure> {
        let viewer = caller.viewer(self.chat_type);
        Ok(search::Request {
            max_results: self.max_results,
            min_score: self.min_score,
            mode: self.mode.map(Into::into),
            source: self.source.map(Into::into),
            since: caller.day(self.since.as_deref())?,
            until: caller.day(self.until.as_deref())?,
            as_of: caller.day(self.as_of.as_deref())?,
            past: self.past,
            chat: viewer.chat,
            untrusted: self.include_untrusted,
            session_key: self.session_key.clone(),
            for_model: viewer.for_model,
            ..search::Request::new(self.query.join(" "))
        })
    }
}

impl Operation for Search {
    const ROW: Row = Row::new("search", "Find passages of notes by words and by meaning")
        .typed("search", EXAMPLES)
        .http(Http::get("/v1/search"));
    type Answer = Found;

    fn run(self, caller: &Caller<'_>) -> Result<Found, Failure> {
        let request = self.request(caller)?;
        let place = self.why_not.as_deref().map(str::parse::<Place>).transpose();
        let place = place.map_err(mindfile::Error::from)?;
        caller.catch_up()?;
        let mut found = Found::new(caller.memory.search(&request, place.as_ref())?, &self);
        if self.marks {
            found.name(caller, self.chat_type);
        }
        Ok(found)
    }
}

const EXAMPLES: &str = "\
Examples:
  mindfile search \"why did the deploy fail\"
  mindfile search SP-504-LATE --mode keyword --json
  mindfile search rate limits --since 30d --explain
  mindfile search --interactive                  search as you type
  mindfile search \"the landlord\" --why-not memory/2026-07-14.md#L40

A query in quotes must be there as typed; a word after - must not: mindfile search -- '\"rate limit\" -staging'";

impl ToolOperation for Search {
    const TOOL: Tool = Tool {
        name: "memory_passages",
        title: "Search passages",
        about: "Find passages in the notes by words and meaning, without facts. Returns snippets with citations; read \
                more of one with memory_get.",
        deed: Deed::Reads,
        fields: &["query", "maxResults", "minScore", "source", "since", "until", "chatType", "sessionKey"],
        usual: false,
    };

    /// What answers or is related, with its snippet; of what is weak a few lines.
    fn told(found: &Found) -> String {
        let mut parts: Vec<String> =
            found.results.iter().filter(|hit| !hit.is_weak()).map(FoundHit::told).collect();
        let nearest: Vec<String> = found.nearest().map(FoundHit::line).collect();
        let nearest = nearest.join("; ");
        match (parts.is_empty(), nearest.is_empty()) {
            (true, true) => parts.push("Nothing relevant in the notes.".to_owned()),
            (true, false) => parts.push(format!("{NOTHING_ANSWERS}.\nNearest: {nearest}")),
            (false, true) => {}
            (false, false) => parts.push(format!("Weak: {nearest}")),
        }
        parts.extend(found.degraded.iter().map(|what| format!("Not everything was consulted: {what}")));
        parts.join("\n\n")
    }

    fn lean(found: &Found) -> Value {
        says(Self::told(found))
    }

    fn given(found: &Found) -> Vec<GivenPlace> {
        let whole = |hit: &FoundHit| GivenPlace::lines(&hit.path, hit.start_line, hit.end_line, &hit.snippet);
        let line = |hit: &FoundHit| {
            let AnswerLine { line, text } = &hit.answer;
            GivenPlace::lines(&hit.path, *line, *line, text)
        };
        let given = found.results.iter().filter(|hit| !hit.is_weak()).map(whole);
        given.chain(found.nearest().map(line)).collect()
    }
}

/// What is said before what is weak.
pub const NOTHING_ANSWERS: &str = "Nothing in the notes answers this";
/// Of what is weak, so many lines are told, each with so many characters.
const NEAREST: usize = 3;
const NEAREST_CHARS: usize = 160;

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    results: Vec<FoundHit>,
    /// Where there are no results: how many candidates were too weak. A `minScore` of 0 shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    weak: Option<usize>,
    /// How many hits were left out because nobody trusts them. `includeUntrusted` shows them.
    #[serde(skip_serializing_if = "Option::is_none")]
    untrusted: Option<usize>,
    /// The engine that answered.
    backend: &'static str,
    provider: String,
    model: String,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<ProviderFallback>,
    degraded: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    phrases_relaxed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(flatten)]
    explained: Option<Explained>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<Why>,
    #[serde(skip)]
    response: Response,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FoundHit {
    path: String,
    /// What the note calls itself, and the heading over the line that answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
    start_line: u32,
    end_line: u32,
    score: f64,
    /// How sure it is that the answer is here: answers, related or weak.
    sure: &'static str,
    /// How likely that is, 0 to 1, where scores are explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    answer: AnswerLine,
    snippet: String,
    /// Where the snippet matches: first and one past the last character of each match.
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<Vec<[usize; 2]>>,
    source: &'static str,
    origin: &'static str,
    /// Where what answers best does not hold: what is said of it, such as "superseded 2026-07-14".
    #[serde(skip_serializing_if = "Option::is_none")]
    past: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    citation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<Piece>>,
    /// Of a conversation: who said what is cited, and when.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Spoken>,
    #[serde(skip)]
    is_trusted: bool,
}

/// The line that answers best.
#[derive(Debug, Serialize, JsonSchema)]
struct AnswerLine {
    line: u32,
    text: String,
}

impl FoundHit {
    fn is_weak(&self) -> bool {
        self.sure == Sure::Weak.as_str()
    }

    /// The snippet, then where it is from and which line answers.
    fn told(&self) -> String {
        let Self { snippet, citation, sure, answer, .. } = self;
        let source =
            citation.as_ref().map(|citation| format!("\nSource: {citation} ({sure}, L{})", answer.line));
        format!("{}{}", snippet.trim_end(), source.unwrap_or_default())
    }

    /// The line that comes nearest. What is in an envelope is not taken out of it.
    fn line(&self) -> String {
        let AnswerLine { line, text } = &self.answer;
        let mut said: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = said.char_indices().nth(NEAREST_CHARS) {
            said.truncate(end);
            said.push('…');
        }
        let place = self.citation.as_ref().map(|_| format!("[{}#L{line}]", self.path));
        let said = Some(said).filter(|_| self.is_trusted);
        said.into_iter().chain(place).collect::<Vec<_>>().join(" ")
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct Spoken {
    line: u32,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

impl Found {
    fn new(response: Response, asked: &Search) -> Self {
        let answer = &response.answer;
        let one = |hit: &Hit| FoundHit {
            path: hit.path.clone(),
            title: None,
            heading: None,
            start_line: hit.start_line,
            end_line: hit.end_line,
            score: rounded(hit.score),
            sure: hit.sure.as_str(),
            chance: hit.chance.filter(|_| asked.explain).map(rounded),
            answer: AnswerLine { line: hit.answer.line, text: hit.answer.text.clone() },
            snippet: hit.snippet.clone(),
            marks: asked.marks.then(|| marks(hit, &answer.sought)),
            source: hit.source.as_str(),
            origin: hit.origin.as_str(),
            past: hit.past.clone(),
            citation: response.citation(hit),
            parts: asked.explain.then(|| pieces(&hit.parts)),
            messages: hit.spoken.iter().map(Spoken::new).collect(),
            is_trusted: hit.origin.is_trusted(),
        };
        Self {
            results: answer.hits.iter().map(one).collect(),
            weak: Some(answer.below_minimum).filter(|weak| *weak > 0 && answer.hits.is_empty()),
            untrusted: Some(answer.untrusted).filter(|untrusted| *untrusted > 0),
            backend: response.backend,
            provider: response.provider.clone(),
            model: response.model.clone(),
            mode: response.mode.as_str(),
            fallback: response.fallback.as_ref().map(ProviderFallback::new),
            degraded: response.degraded.clone(),
            phrases_relaxed: answer.phrases_relaxed,
            stale: response.stale.clone(),
            notices: response.notices.clone(),
            explained: asked.explain.then(|| Explained::new(&response, &response.plan)),
            why_not: answer.why_not.as_ref().map(Why::new),
            response,
        }
    }
}

impl Found {
    /// Says what the notes of the hits are called. A note that went while it was found keeps its path alone.
    fn name(&mut self, caller: &Caller<'_>, chat: Option<Chat>) {
        for hit in self.results.iter_mut().filter(|hit| hit.source == mindfile::Source::Memory.as_str()) {
            let named =
                notes::titled(caller.memory, caller.viewer(chat), &hit.path, Some(hit.answer.line)).ok();
            (hit.title, hit.heading) = named.map(|named| (named.title, named.heading)).unwrap_or_default();
        }
    }
}

/// Byte ranges as positions of characters.
fn marks(hit: &Hit, sought: &[QueryTerm]) -> Vec<[usize; 2]> {
    let position = |byte: usize| hit.snippet.get(..byte).map_or(0, |before| before.chars().count());
    hit.marks(sought).iter().map(|range| [position(range.start), position(range.end)]).collect()
}

impl Spoken {
    fn new(spoken: &mindfile::session::Utterance) -> Self {
        Self {
            line: spoken.line,
            role: spoken.role.as_str(),
            speaker: spoken.speaker.clone(),
            date: spoken.at.map(|at| format!("{at:.0}")),
        }
    }
}

impl Answer for Found {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let answer = &self.response.answer;
        let today = today(page.clock);
        let mut text = String::new();
        if self.explained.is_some() {
            text = plan::lines(&self.response.plan, answer) + "\n";
        }
        if !answer.hits.is_empty() && !answer.is_sure() {
            text.push_str(&format!("{NOTHING_ANSWERS}; nearest are:\n\n"));
        }
        for hit in &answer.hits {
            let place = self.response.citation(hit);
            text.push_str(&hits::hit(hit, place.as_deref(), &answer.sought, (today, page.width)));
            if self.explained.is_some() {
                text.push_str(&explain::table(&hit.parts));
            }
            text.push('\n');
        }
        if answer.hits.is_empty() {
            text.push_str(&nothing(answer.below_minimum, page.spelling));
        }
        text.extend(answer.why_not.as_ref().map(|why| why_not::lines(why, page.spelling)));
        let relaxed = "No note has the quoted words as typed; they were looked for one by one.";
        let untrusted = self.untrusted.map(|untrusted| left_out(untrusted, page.spelling));
        let remarks = self.phrases_relaxed.then(|| relaxed.to_owned()).into_iter().chain(untrusted).collect();
        Shown { text, caveats: self.caveats(), remarks, ..Shown::default() }
    }
}

impl Found {
    /// The best of what is weak.
    fn nearest(&self) -> impl Iterator<Item = &FoundHit> {
        self.results.iter().filter(|hit| hit.is_weak()).take(NEAREST)
    }

    /// What a reader of the answer should know about it.
    fn caveats(&self) -> Vec<String> {
        let mut caveats = self.notices.clone();
        caveats
            .extend(self.response.fallback.iter().map(|fallback| format!("fallback: {}", fallback.words())));
        caveats.extend(self.degraded.iter().map(|what| format!("not everything was consulted: {what}")));
        caveats.extend(self.stale.iter().map(|stale| format!("the answer may be old: {stale}")));
        caveats
    }
}

fn left_out(untrusted: usize, spelling: &dyn Spelling) -> String {
    let (hits, field) = (count(untrusted, "untrusted hit"), spelling.field("include_untrusted"));
    let shows = if untrusted == 1 { "shows it" } else { "shows them" };
    format!("{hits} left out; {field} {shows}")
}

fn nothing(below_minimum: usize, spelling: &dyn Spelling) -> String {
    if below_minimum == 0 {
        return "Nothing relevant in the notes.\n".to_owned();
    }
    let weak = count(below_minimum, "weak candidate");
    let field = spelling.field("min_score");
    format!("Nothing relevant in the notes. ({weak} left out; {field} 0 shows what there is)\n")
}
