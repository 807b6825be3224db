//! Facts, filtered and in an order.

use mindfile::fact::{self, FactRecord, Page as FactPage, State as FactState, Wanted};

use crate::fact::Fact;
use crate::operation::prelude::*;
use crate::values::{Chat, Kind, Order, Origin, State, WhenForm};

const PAGE: usize = 100;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListFacts {
    /// Only facts of this sort.
    #[arg(long, value_name = "W|B|O|S", ignore_case = true)]
    pub kind: Option<Kind>,
    /// Only facts about it.
    #[arg(long, value_name = "NAME")]
    pub entity: Option<String>,
    /// Only facts in this state.
    #[arg(long, value_name = "STATE")]
    pub state: Option<State>,
    /// Only facts that are this one's word; all but untrusted ones if it is not said.
    #[arg(long, value_name = "ORIGIN")]
    pub origin: Option<Origin>,
    /// Only values of this key.
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Only facts whose text holds this.
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
    /// Only facts of this day and after: 2026-07-14, or 30d, 6w, 3mo before today.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub since: Option<String>,
    /// Only facts of this day and before.
    #[arg(long, value_name = "WHEN")]
    #[schemars(with = "Option<WhenForm>")]
    pub until: Option<String>,
    /// Only facts that matter at least so much, 0 to 1.
    #[arg(long, value_name = "X")]
    #[schemars(range(min = 0, max = 1))]
    pub min_salience: Option<f32>,
    /// What comes first; newest if it is not said.
    #[arg(long, value_name = "ORDER")]
    pub order: Option<Order>,
    /// How many to leave out at the beginning.
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[serde(default)]
    pub offset: usize,
    /// How many at most; 100 if it is not said.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[schemars(range(min = 1, max = 1000))]
    pub limit: Option<usize>,
    /// Who reads along; direct if it is not said.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
}

impl Operation for ListFacts {
    const ROW: Row =
        Row::new("listFacts", "List facts, filtered and in an order").http(Http::get("/v1/facts"));
    type Answer = FactList;

    fn run(self, caller: &Caller<'_>) -> Result<FactList, Failure> {
        let wanted = Wanted {
            kind: self.kind.map(Into::into),
            entity: self.entity,
            state: self.state.map(Into::into),
            origin: self.origin.map(Into::into),
            key: self.key,
            text: self.text,
            since: caller.day(self.since.as_deref())?,
            until: caller.day(self.until.as_deref())?,
            min_salience: self.min_salience,
            order: self.order.map(Into::into).unwrap_or_default(),
            offset: self.offset,
            limit: self.limit.unwrap_or(PAGE),
        };
        let page = fact::list(caller.memory, caller.viewer(self.chat_type), &wanted)?;
        Ok(FactList::new(&page, self.offset))
    }
}

/// One page of the facts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FactList {
    facts: Vec<ListedFact>,
    /// How many there are in all.
    total: usize,
    offset: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ListedFact {
    #[serde(flatten)]
    fact: Fact,
    state: &'static str,
    access_count: u32,
}

impl FactList {
    fn new(page: &FactPage, offset: usize) -> Self {
        let one = |(fact, state): &(FactRecord, FactState)| ListedFact {
            fact: Fact::new(fact),
            state: state.as_str(),
            access_count: fact.access.count,
        };
        Self { facts: page.facts.iter().map(one).collect(), total: page.total, offset }
    }
}

impl Answer for FactList {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(self.facts.iter().map(|one| one.fact.line()).collect::<String>())
    }
}
