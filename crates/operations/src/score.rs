//! The score of a fact from its parts, for programs that rank facts of their own by the additive scorer.

use jiff::Timestamp;
use mindfile::recall::{Composite, CompositeParts};

use crate::operation::prelude::*;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Score {
    /// How much it matters, from 0 to 1; 0.5 if it is not said.
    #[arg(long, value_name = "N")]
    #[schemars(range(min = 0, max = 1))]
    pub salience: Option<f64>,
    /// When it was last recalled: 2026-07-14T09:30:00Z; never, if it is not said.
    #[arg(long, value_name = "TIME")]
    pub last_accessed_at: Option<String>,
    /// How often it was recalled.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(default)]
    pub access_count: u32,
    /// What the question names; may be given several times.
    #[arg(long = "query-entity", value_name = "NAME")]
    #[serde(default)]
    pub query_entities: Vec<String>,
    /// What the fact names; may be given several times.
    #[arg(long = "entity", value_name = "NAME")]
    #[serde(default)]
    pub entities: Vec<String>,
    /// How well it matches, from 0 to 1; if it is not said, the share of the question's names that the fact has.
    #[arg(long = "match", value_name = "N")]
    #[schemars(range(min = 0, max = 1))]
    pub r#match: Option<f64>,
    /// The time of the question; now, if it is not said.
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
}

impl Operation for Score {
    const ROW: Row = Row::new("score", "Work out the additive score of a fact from its parts").typed(
        "score",
        "\
Examples:
  mindfile score --salience 0.95 --last-accessed-at 2026-07-12T08:00:00Z --access-count 5
  mindfile score --match 1 --salience 0.2 --json
  mindfile score --entity Sarah --entity api --query-entity sarah",
    );
    type Answer = ScoredParts;

    fn run(self, caller: &Caller<'_>) -> Result<ScoredParts, Failure> {
        let composite = Composite {
            matched: self.r#match,
            asked: &self.query_entities,
            named: &self.entities,
            salience: self.salience,
            last_ms: moment(self.last_accessed_at.as_deref())?.map(Timestamp::as_millisecond),
            count: self.access_count,
        };
        let now = moment(self.now.as_deref())?.unwrap_or_else(|| caller.memory.clock().now());
        let parts = composite.parts(now).map_err(mindfile::Error::from)?;
        Ok(ScoredParts::new(parts))
    }
}

fn moment(text: Option<&str>) -> Result<Option<Timestamp>, Failure> {
    let wrong =
        |text: &str| Failure::usage(format!("{text:?} is no time")).hint("write 2026-07-14T09:30:00Z");
    text.map(|text| text.parse().map_err(|_other: jiff::Error| wrong(text))).transpose()
}

/// The score, and what each part adds to it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ScoredParts {
    score: f64,
    r#match: f64,
    salience: f64,
    access: f64,
}

impl ScoredParts {
    fn new(parts: CompositeParts) -> Self {
        let CompositeParts { matched, salience, access } = parts;
        Self { score: parts.sum(), r#match: matched, salience, access }
    }
}

impl Answer for ScoredParts {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Self { score, r#match, salience, access } = self;
        Shown::text(format!("{score:.3} = {match:.3} match + {salience:.3} salience + {access:.3} access\n"))
    }
}
