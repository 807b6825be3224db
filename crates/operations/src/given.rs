//! What models were told, and what it cost.

use jiff::Timestamp;
use mindfile::access::Giving;

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::style::{FAINT, HEAD, PLACE};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShowGiven {
    /// Only in this session; in all if it is not said.
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// How many of the last times.
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "many")]
    pub limit: usize,
    /// How many of the last times to leave out.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(default)]
    pub offset: usize,
}

/// How many times a program gets that does not say it.
fn many() -> usize {
    50
}

impl Operation for ShowGiven {
    const ROW: Row =
        Row::new("given", "Show what models were given of the memory, with the tokens of each place")
            .typed(
                "given",
                "\
Examples:
  mindfile given --session claude-code-0b2c
  mindfile given --limit 5 --json",
            )
            .http(Http::get("/v1/given"));
    type Answer = GivenList;

    fn run(self, caller: &Caller<'_>) -> Result<GivenList, Failure> {
        let mut known = caller.memory.givings(caller.viewer, self.session.as_deref(), usize::MAX)?;
        let total = known.len();
        known.truncate(total.saturating_sub(self.offset));
        known.drain(..known.len().saturating_sub(self.limit));
        let uses = caller.memory.uses()?;
        let last_used = |id: &str| uses.get(id).and_then(|access| access.last_ms);
        let given: Vec<GivenOnce> =
            known.into_iter().map(|giving| GivenOnce::new(giving, last_used)).collect();
        Ok(GivenList { tokens: given.iter().map(|once| once.tokens).sum(), given, total })
    }
}

/// The oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GivenList {
    given: Vec<GivenOnce>,
    /// Of all that are listed; an estimate, four letters to a token.
    tokens: u64,
    /// How many times there are, listed or not.
    total: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GivenOnce {
    at: String,
    /// The event of a host, the tool or the operation by which.
    by: String,
    door: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    tokens: u64,
    places: Vec<PlaceGiven>,
    #[serde(skip)]
    time: Timestamp,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PlaceGiven {
    citation: String,
    tokens: u64,
    /// The id of the fact that stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    fact: Option<String>,
    /// Of a fact that was given unasked: whether it was recalled since.
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<bool>,
}

impl GivenOnce {
    fn new(giving: Giving, last_used: impl Fn(&str) -> Option<i64>) -> Self {
        let time = Timestamp::from_millisecond(giving.at).unwrap_or_default();
        let is_unasked = giving.is_unasked();
        let place = |place: GivenPlace| PlaceGiven {
            citation: place.citation,
            tokens: place.tokens,
            used: place.fact.as_deref().filter(|_| is_unasked).map(|id| last_used(id) >= Some(giving.at)),
            fact: place.fact,
        };
        Self {
            at: format!("{time:.3}"),
            by: giving.by,
            door: giving.door,
            session: giving.session,
            tokens: giving.given.iter().map(|place| place.tokens).sum(),
            places: giving.given.into_iter().map(place).collect(),
            time,
        }
    }

    fn shown(&self, page: &Page<'_>) -> String {
        let at = self.time.to_zoned(page.clock.zone()).strftime("%Y-%m-%d %H:%M:%S").to_string();
        let Self { by, door, tokens, .. } = self;
        let session = self.session.as_deref().map(|session| format!("  {session}")).unwrap_or_default();
        let head = clean::text(&format!("{by} ({door}){session}")).into_owned();
        let mut text = format!("{HEAD}{at}{HEAD:#}  {head} · {tokens} tokens\n");
        for place in &self.places {
            let fact = place.fact.as_deref().map(|id| format!("  {FAINT}^{}{FAINT:#}", clean::text(id)));
            let (tokens, citation) = (place.tokens, clean::text(&place.citation));
            let used = if place.used == Some(true) { "  used since" } else { "" };
            text.push_str(&format!(
                "{tokens:>6}  {PLACE}{citation}{PLACE:#}{}{used}\n",
                fact.unwrap_or_default()
            ));
        }
        text
    }
}

impl Answer for GivenList {
    fn shown(&self, page: &Page<'_>) -> Shown {
        if self.given.is_empty() {
            return Shown::text("Nothing was given.\n".to_owned());
        }
        let given: String = self.given.iter().map(|once| once.shown(page)).collect();
        Shown::text(format!("{given}{} tokens in all, an estimate\n", self.tokens))
    }
}
