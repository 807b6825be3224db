//! Whom and what the facts are about.

use mindfile::fact::{self, EntityPage, Hub, Listed, Met};

use crate::fact::{Fact, place};
use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::{count, number};
use crate::text::table::{self, Side};
use crate::values::Chat;

/// How many a person is shown if nothing else is said.
const SHOWN: usize = 20;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListEntities {
    /// How many are shown at most.
    #[arg(long, value_name = "N", default_value_t = SHOWN)]
    #[serde(skip)]
    pub limit: usize,
}

impl Operation for ListEntities {
    const ROW: Row = Row::new("listEntities", "List the people and things that facts mention")
        .http(Http::get("/v1/entities"));
    type Answer = EntityList;

    fn run(self, caller: &Caller<'_>) -> Result<EntityList, Failure> {
        let all = fact::entities(caller.memory, caller.viewer(None))?;
        Ok(EntityList { all: all.iter().map(ListedEntity::new).collect(), limit: self.limit })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct EntityList {
    all: Vec<ListedEntity>,
    #[serde(skip)]
    limit: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ListedEntity {
    name: String,
    spelled: String,
    fact_count: u32,
    idf_weight: f64,
    hub: bool,
}

impl ListedEntity {
    fn new(entity: &Listed) -> Self {
        Self {
            name: entity.name.clone(),
            spelled: entity.spelled.clone(),
            fact_count: entity.facts,
            idf_weight: decimals(entity.weight),
            hub: entity.hub == Hub::Yes,
        }
    }
}

impl Answer for EntityList {
    fn shown(&self, page: &Page<'_>) -> Shown {
        if self.all.is_empty() {
            return Shown::text("No fact names anybody yet.\n");
        }
        let row = |entity: &ListedEntity| {
            [
                format!("@{}", clean::text(&entity.spelled)),
                count(entity.fact_count as usize, "fact"),
                format!("{:.2}", entity.idf_weight),
                if entity.hub { "hub" } else { "" }.to_owned(),
            ]
        };
        let rows: Vec<[String; 4]> = self.all.iter().take(self.limit).map(row).collect();
        let sides = [Side::Left, Side::Right, Side::Right, Side::Left];
        let text: String = table::lines(sides, &rows).iter().map(|line| format!("{line}\n")).collect();
        let (more, all) = (self.all.len().saturating_sub(self.limit), self.all.len());
        let remark = format!("{more} more: {} {all}", page.spelling.field("limit"));
        Shown { text, remarks: (more > 0).then_some(remark).into_iter().collect(), ..Shown::default() }
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadEntity {
    /// Any of its names.
    pub name: String,
    /// Who reads along; direct if it is not said.
    #[arg(long, value_name = "TYPE")]
    pub chat_type: Option<Chat>,
    /// How many facts and neighbours are shown at most.
    #[arg(long, value_name = "N", default_value_t = SHOWN)]
    #[serde(skip)]
    pub limit: usize,
}

impl Operation for ReadEntity {
    const ROW: Row = Row::new("readEntity", "Show one entity with its facts and neighbours")
        .http(Http::get("/v1/entities/{name}"));
    type Answer = OneEntity;

    fn run(self, caller: &Caller<'_>) -> Result<OneEntity, Failure> {
        let page = fact::entity(caller.memory, caller.viewer(self.chat_type), &self.name)?;
        Ok(OneEntity::new(page, self.limit))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OneEntity {
    #[serde(flatten)]
    entity: ListedEntity,
    aliases: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    facts: Vec<Fact>,
    neighbours: Vec<Neighbour>,
    #[serde(skip)]
    shown: EntityPage,
    #[serde(skip)]
    limit: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Neighbour {
    name: String,
    spelled: String,
    cooccur_count: u32,
    cooccur_weight: f64,
}

impl OneEntity {
    fn new(page: EntityPage, limit: usize) -> Self {
        let neighbour = |met: &Met| Neighbour {
            name: met.name.clone(),
            spelled: met.spelled.clone(),
            cooccur_count: met.together,
            cooccur_weight: decimals(met.weight),
        };
        Self {
            entity: ListedEntity::new(&page.entity),
            aliases: page.aliases.clone(),
            page: page.page.clone(),
            facts: page.facts.iter().map(Fact::new).collect(),
            neighbours: page.neighbours.iter().map(neighbour).collect(),
            shown: page,
            limit,
        }
    }
}

impl Answer for OneEntity {
    fn shown(&self, _: &Page<'_>) -> Shown {
        Shown::text(lines(&self.shown, self.limit))
    }
}

fn lines(page: &EntityPage, limit: usize) -> String {
    let Listed { spelled, facts, weight, .. } = &page.entity;
    let mut lines = vec![format!("@{spelled} · {} · weight {weight:.2}", count(*facts as usize, "fact"))];
    if !page.aliases.is_empty() {
        let names: Vec<String> = page.aliases.iter().map(|alias| format!("@{alias}")).collect();
        lines.push(format!("also {}", names.join(", ")));
    }
    lines.extend(page.page.iter().map(|path| format!("page {path}")));
    lines.push(String::new());
    let facts = page.facts.iter().take(limit);
    lines.extend(facts.map(|fact| format!("- {} ({} ^{})", fact.shown(), place(fact), fact.id)));
    if page.facts.len() > limit {
        lines.push(format!("  and {} more", number(page.facts.len() - limit)));
    }
    if !page.neighbours.is_empty() {
        lines.push(String::new());
        lines.push("named together with:".to_owned());
    }
    let met = page.neighbours.iter().take(limit);
    lines.extend(met.map(|met| {
        format!("  @{} · {} · weight {:.2}", met.spelled, count(met.together as usize, "fact"), met.weight)
    }));
    lines.iter().map(|line| format!("{}\n", clean::text(line))).collect()
}

fn decimals(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
