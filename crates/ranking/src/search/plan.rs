//! What a query asks for, worked out before anything is read. Pure, so that it can be printed and tested.

use jiff::civil::Date;
use mindfile_index::{Filter, Source};
use mindfile_note::words;

use super::language;
use crate::error::Error;
use crate::fact::AsOf;
use mindfile_fault::OutOfRange;
use mindfile_note::date::day_number;
use mindfile_settings::{Decay, Fusion, Mmr, Settings};
use mindfile_trust::speaker::ChatType;

/// A longer query is cut: nobody types it, and no model reads it whole.
const LONGEST_QUERY: usize = 8192;
/// How many of the best by words take part.
const WORD_POOL: usize = 300;
const LEAST_MEANING_POOL: usize = 100;
/// What is left of a chunk in which nothing answers but what does not hold, unless that is asked for.
const PAST: f32 = 0.5;
/// What is left of the weight of meaning where the table knows no word of the query.
const LEAST_KNOWN: f32 = 0.4;

/// Which signals are consulted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    #[default]
    Hybrid,
    Keyword,
    Vector,
}

impl Mode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Keyword => "keyword",
            Self::Vector => "vector",
        }
    }
}

#[expect(clippy::struct_excessive_bools, reason = "each is a wish of its own, which callers name")]
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub query: String,
    /// None: as configured. The same holds for the other options.
    pub max_results: Option<usize>,
    pub min_score: Option<f32>,
    pub mode: Option<Mode>,
    pub source: Option<Source>,
    pub since: Option<Date>,
    pub until: Option<Date>,
    /// The day on which facts are to hold; today without it.
    pub as_of: Option<Date>,
    /// What does not hold counts as much as what does.
    pub past: bool,
    /// Who reads along: long-term memory is for private conversations.
    pub chat: ChatType,
    /// Also what nobody trusts, wrapped and labelled.
    pub untrusted: bool,
    /// What a host calls the conversation, such as `agent:main:telegram:group:42`.
    pub session_key: Option<String>,
    /// Whether the answer goes to a model, and so to a provider: private notes stay out of it.
    pub for_model: bool,
    /// Whether nobody asked, such as for what goes with a message: then only what is sure is worth its room.
    pub unasked: bool,
    /// The characters of one snippet and of all together; as configured without it.
    pub room: Option<(usize, usize)>,
}

impl Request {
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            max_results: None,
            min_score: None,
            mode: None,
            source: None,
            since: None,
            until: None,
            as_of: None,
            past: false,
            chat: ChatType::Direct,
            untrusted: false,
            session_key: None,
            for_model: false,
            unasked: false,
            room: None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    pub words: f32,
    pub meaning: f32,
    pub interaction: f32,
    /// What is left of a chunk in which nothing answers but what does not hold.
    pub past: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub text: String,
    pub words: words::Query,
    pub mode: Mode,
    /// What was asked for, where `mode` is what could be had of it.
    pub asked: Mode,
    pub filter: Filter,
    pub chat: ChatType,
    pub limit: usize,
    pub min_score: f32,
    pub word_pool: usize,
    pub meaning_pool: usize,
    pub weights: Weights,
    /// Whether the vectors are those of the embedded table, which knows English alone.
    pub english_vectors: bool,
    pub fusion: Fusion,
    pub decay: Decay,
    pub mmr: Mmr,
    pub on: AsOf,
    pub snippet_chars: usize,
    pub injected_chars: usize,
}

/// `english_vectors` says whether the vectors are those of the embedded table.
pub fn plan(
    request: &Request,
    settings: &Settings,
    english_vectors: bool,
    today: Date,
) -> Result<Plan, Error> {
    let text = clean(&request.query);
    if text.is_empty() {
        return Err(Error::Empty);
    }
    let limit = results(request.max_results.unwrap_or(settings.query.max_results))?;
    let least = if request.unasked { settings.query.min_unasked } else { settings.query.min_score };
    let min_score = score(request.min_score.unwrap_or(least))?;
    let (snippet_chars, injected_chars) =
        request.room.unwrap_or((settings.query.max_snippet_chars, settings.query.max_injected_chars));
    let mode = request.mode.unwrap_or(if settings.hybrid.enabled { Mode::Hybrid } else { Mode::Vector });
    Ok(Plan {
        words: words::query(&text),
        mode,
        asked: mode,
        filter: Filter {
            source: request.source.or_else(|| only(&settings.sources)),
            since: request.since.map(day_number),
            until: request.until.map(day_number),
            trusted: !request.untrusted,
            ..Filter::default()
        },
        chat: request.chat,
        limit,
        min_score,
        word_pool: WORD_POOL,
        meaning_pool: (limit * settings.hybrid.candidate_multiplier).max(LEAST_MEANING_POOL),
        weights: weights(mode, settings, english_vectors, &text, request.past),
        english_vectors,
        fusion: settings.hybrid.fusion,
        decay: settings.hybrid.decay.clone(),
        mmr: settings.hybrid.mmr.clone(),
        on: AsOf { today, asked: request.as_of },
        snippet_chars,
        injected_chars,
        text,
    })
}

/// The one source that the settings leave, if they leave one out.
fn only(sources: &[Source]) -> Option<Source> {
    match (sources.contains(&Source::Memory), sources.contains(&Source::Sessions)) {
        (true, true) => None,
        (false, true) => Some(Source::Sessions),
        (true | false, false) => Some(Source::Memory),
    }
}

fn clean(query: &str) -> String {
    let printable: String = query.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut end = printable.len().min(LONGEST_QUERY);
    while !printable.is_char_boundary(end) {
        end -= 1;
    }
    printable[..end].trim().to_owned()
}

fn results(count: usize) -> Result<usize, Error> {
    if (1..=1000).contains(&count) {
        Ok(count)
    } else {
        let (value, allowed) = (count.to_string(), "between 1 and 1000");
        Err(OutOfRange { field: "max_results", value, allowed }.into())
    }
}

fn score(score: f32) -> Result<f32, Error> {
    if (0.0..=1.0).contains(&score) {
        Ok(score)
    } else {
        Err(OutOfRange { field: "min_score", value: score.to_string(), allowed: "between 0 and 1" }.into())
    }
}

fn weights(mode: Mode, settings: &Settings, english_vectors: bool, text: &str, past: bool) -> Weights {
    let past = if past { 1.0 } else { PAST };
    match mode {
        Mode::Keyword => Weights { words: 1.0, meaning: 0.0, interaction: 0.0, past },
        Mode::Vector => Weights { words: 0.0, meaning: 1.0, interaction: 0.0, past },
        Mode::Hybrid => {
            let known = known_share(text);
            let interaction = settings.hybrid.interaction * known;
            let understood = if english_vectors { known } else { 1.0 };
            let meaning = settings.hybrid.vector_weight * understood;
            Weights {
                words: (1.0 - interaction) * (1.0 - meaning),
                meaning: (1.0 - interaction) * meaning,
                interaction,
                past,
            }
        }
    }
}

/// How much of the weight of meaning is left. The embedded table knows English words; of other languages it knows
/// letters: there, words must weigh more.
fn known_share(text: &str) -> f32 {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters == 0 {
        return 1.0;
    }
    let known =
        if language::is_unknown(text) { 0 } else { text.chars().filter(char::is_ascii_alphabetic).count() };
    LEAST_KNOWN + (1.0 - LEAST_KNOWN) * known as f32 / letters as f32
}
