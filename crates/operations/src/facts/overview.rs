//! The whole memory as a picture.

use mindfile::fact::{self, Hub, Overview, Shown as ShownEntity};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::values::{Chat, WhenForm};

/// How many entities a program gets that does not say it.
fn most() -> usize {
    80
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadGraph {
    /// What held on that day, instead of today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub as_of: Option<String>,
    /// How many entities at most, the most frequent first.
    #[arg(long, value_name = "N", default_value_t = most())]
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: usize,
    /// Who reads along; direct if it is not said.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for ReadGraph {
    const ROW: Row = Row::new("readGraph", "Show the strongest entities and what connects them")
        .http(Http::get("/v1/graph"));
    type Answer = GraphPicture;

    fn run(self, caller: &Caller<'_>) -> Result<GraphPicture, Failure> {
        let day = caller.day(self.as_of.as_deref())?;
        let found = fact::overview(caller.memory, caller.viewer(self.chat_type), day, self.limit)?;
        Ok(GraphPicture::new(found))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct GraphPicture {
    /// The most frequent first.
    entities: Vec<GraphEntity>,
    /// Two places in `entities`; the heaviest first.
    pairs: Vec<GraphPair>,
    /// How many entities there are in all.
    total: usize,
    /// The first and the last day on which a fact was seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GraphEntity {
    name: String,
    spelled: String,
    fact_count: u32,
    hub: bool,
    /// The place of the strongest entity of its cluster.
    cluster: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct GraphPair {
    a: usize,
    b: usize,
    /// Facts that name both.
    together: u32,
    weight: f64,
}

impl GraphPicture {
    fn new(found: Overview) -> Self {
        let entity = |entity: ShownEntity| GraphEntity {
            name: entity.name,
            spelled: entity.spelled,
            fact_count: entity.facts,
            hub: entity.hub == Hub::Yes,
            cluster: entity.cluster,
        };
        let pair = |pair: &fact::Pair| GraphPair {
            a: pair.a,
            b: pair.b,
            together: pair.together,
            weight: (pair.weight * 1e4).round() / 1e4,
        };
        Self {
            pairs: found.pairs.iter().map(pair).collect(),
            total: found.total,
            from: found.days.map(|(first, _)| first.to_string()),
            to: found.days.map(|(_, last)| last.to_string()),
            entities: found.entities.into_iter().map(entity).collect(),
        }
    }
}

impl Answer for GraphPicture {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let one = |entity: &GraphEntity| {
            let facts = count(entity.fact_count as usize, "fact");
            format!("@{} · {facts}\n", clean::text(&entity.spelled))
        };
        Shown::text(self.entities.iter().map(one).collect::<String>())
    }
}
