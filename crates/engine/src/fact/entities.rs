//! Entities: whom and what the facts are about, how often, and together with whom.

use mindfile_index::{Aliases, Entity, EntityQuery, FactQuery, Filter, Shelf, Snapshot, associate, single};

use super::{FactRecord, alias, load};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact::graph::Graph;
use crate::view::Freshness;
use crate::viewer::Viewer;

/// From this share of all facts on, an entity says little about any of them.
const HUB_SHARE: f32 = 0.1;
const HUB_FACTS: u32 = 10;
/// How alike a name must be to be offered instead.
const NEAR: f64 = 0.75;

/// Whether an entity is named so often that naming it says little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hub {
    Yes,
    No,
}

impl Hub {
    pub fn of(facts: u32, all: usize) -> Self {
        let often = facts >= HUB_FACTS && facts as f32 >= HUB_SHARE * all as f32;
        if often { Self::Yes } else { Self::No }
    }
}

/// An entity in the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// As it is compared: lower case.
    pub name: String,
    /// As the first fact writes it.
    pub spelled: String,
    pub facts: u32,
    /// 1 / ln(facts + 1).
    pub weight: f64,
    pub hub: Hub,
}

/// An entity that facts name together with another.
#[derive(Debug, Clone, PartialEq)]
pub struct Met {
    pub name: String,
    pub spelled: String,
    /// Facts that name both.
    pub together: u32,
    /// `together` times the weights of both.
    pub weight: f64,
}

/// All that is known of one entity.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityPage {
    pub entity: Listed,
    pub aliases: Vec<String>,
    /// Its page in the bank, if there is one.
    pub page: Option<String>,
    /// The most salient first, without those that nobody trusts.
    pub facts: Vec<FactRecord>,
    /// The heaviest first.
    pub neighbours: Vec<Met>,
}

/// Every entity, the most frequent first.
pub fn entities(corpus: &Corpus, viewer: Viewer) -> Result<Vec<Listed>, Error> {
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let all = snapshot.size(Shelf::Facts)?;
    let entities = snapshot.entities(EntityQuery::All, &Filter::default())?;
    let names: Vec<&str> = entities.iter().map(|entity| entity.name.as_str()).collect();
    let spelled = snapshot.spellings(&names, &Filter::default())?;
    let mut listed: Vec<Listed> =
        entities.into_iter().zip(spelled).map(|(entity, spelled)| listed(entity, spelled, all)).collect();
    listed.sort_by(|a, b| b.facts.cmp(&a.facts).then_with(|| a.name.cmp(&b.name)));
    Ok(listed)
}

/// One entity by any of its names.
pub fn entity(corpus: &Corpus, viewer: Viewer, name: &str) -> Result<EntityPage, Error> {
    let view = corpus.view(viewer, Freshness::Refresh)?;
    let snapshot = view.snapshot()?;
    let entity = find(&*snapshot, viewer, name)?;
    let name = entity.name.clone();
    let docs = single::list(&*snapshot, FactQuery::Naming(&[&name]))?;
    let mut facts = load::records(&*snapshot, &docs, &*corpus.journal.uses()?)?;
    let neighbours = neighbours(&*snapshot, &entity, &facts)?;
    facts.retain(|fact| fact.origin.is_trusted());
    facts.sort_by(|a, b| {
        let place = |fact: &FactRecord| (fact.path.clone(), fact.line);
        b.salience.total_cmp(&a.salience).then_with(|| place(b).cmp(&place(a)))
    });
    corpus.audit_shown(&facts);
    let page = alias::page(&name);
    let page = single::note(&*snapshot, &page)?.map(|note| note.path);
    let aliases = aliases(&*snapshot, &name)?;
    let all = snapshot.size(Shelf::Facts)?;
    let spelled = single::spelled(&*snapshot, &name)?;
    Ok(EntityPage { entity: listed(entity, Some(spelled), all), aliases, page, facts, neighbours })
}

/// The whole graph, for a picture of a part of it.
pub fn entity_graph(corpus: &Corpus, viewer: Viewer) -> Result<Graph, Error> {
    let view = corpus.view(viewer, Freshness::AsIndexed)?;
    let snapshot = view.snapshot()?;
    let docs = single::list(&*snapshot, FactQuery::All)?;
    let facts = snapshot.facts(&docs)?;
    Ok(Graph::of(facts.iter().map(|fact| (fact.chunk.doc, fact.names.as_slice()))))
}

/// The entity of that name, or ENOENTITY; the owner is told the nearest one that there is.
pub(crate) fn find(snapshot: &dyn Snapshot, viewer: Viewer, name: &str) -> Result<Entity, Error> {
    let wanted = alias::canonical(name).unwrap_or_default();
    if let Some(entity) = single::entity(snapshot, &wanted)? {
        return Ok(entity);
    }
    if !viewer.is_owner() {
        return Err(super::Error::NoEntity { name: name.to_owned(), near: None }.into());
    }
    let all = snapshot.entities(EntityQuery::All, &Filter::default())?;
    let scored = all.iter().map(|entity| (strsim::jaro_winkler(&wanted, &entity.name), &entity.name));
    let near = scored.filter(|(score, _)| *score >= NEAR).max_by(|a, b| a.0.total_cmp(&b.0));
    Err(super::Error::NoEntity { name: name.to_owned(), near: near.map(|(_, name)| name.clone()) }.into())
}

/// What facts are asked by: the entity of that name. For a program one that nobody names has no facts; the owner may have
/// mistyped it, and is told.
pub(crate) fn asked(snapshot: &dyn Snapshot, viewer: Viewer, name: &str) -> Result<String, Error> {
    match find(snapshot, viewer, name) {
        Err(Error::Fact(super::Error::NoEntity { .. })) if !viewer.is_owner() => Ok(name.to_lowercase()),
        found => Ok(found?.name),
    }
}

fn listed(entity: Entity, spelled: Option<String>, all: u64) -> Listed {
    let spelled = spelled.unwrap_or_else(|| entity.name.clone());
    let hub = Hub::of(entity.facts, usize::try_from(all).unwrap_or(usize::MAX));
    Listed { spelled, facts: entity.facts, weight: entity.weight(), hub, name: entity.name }
}

/// Whom the facts of an entity name together with it.
fn neighbours(snapshot: &dyn Snapshot, entity: &Entity, facts: &[FactRecord]) -> Result<Vec<Met>, Error> {
    let lists = facts.iter().map(|fact| fact.entities.as_slice());
    let others = associate::neighbours(snapshot, &entity.name, lists, &Filter::default())?;
    let names: Vec<&str> = others.iter().map(|(other, _)| other.name.as_str()).collect();
    let spelled = snapshot.spellings(&names, &Filter::default())?;
    let one = |((other, together), spelled): ((Entity, u32), Option<String>)| {
        let weight = f64::from(together) * entity.weight() * other.weight();
        let spelled = spelled.unwrap_or_else(|| other.name.clone());
        Met { name: other.name, spelled, together, weight }
    };
    let mut met: Vec<Met> = others.into_iter().zip(spelled).map(one).collect();
    met.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.name.cmp(&b.name)));
    Ok(met)
}

fn aliases(snapshot: &dyn Snapshot, name: &str) -> Result<Vec<String>, Error> {
    let mut aliases = Vec::new();
    let declared = snapshot.aliases()?;
    let known = Aliases::of(declared.iter().map(|(_, alias)| alias));
    for (_, declared) in declared {
        let means = known.in_force(&declared.alias) == name;
        if means && declared.alias != name && !aliases.contains(&declared.alias) {
            aliases.push(declared.alias);
        }
    }
    Ok(aliases)
}
