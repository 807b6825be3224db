//! Recall from a workspace's facts as they are now.

use std::cell::RefCell;

use mindfile_ranking::recall::{
    self, FactPlan, FactRequest, Indexed, Recollection, Remembered, Space, Touch,
};
use mindfile_trust::place::is_private;

use super::{Ground, Question, ask};
use crate::clock;
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fact::asked_entity;
use crate::view::Freshness;
use crate::viewer::Viewer;

/// Facts that answer, and facts that hang together with those. What is returned is noted in the access journal.
pub fn recall(corpus: &Corpus, request: &FactRequest, touch: Touch) -> Result<Remembered, Error> {
    let query = corpus.policy.question(&request.query).into_owned();
    let told = ask(corpus, &Recall(FactRequest { query, ..request.clone() }), Freshness::Refresh)?;
    let mut notices = told.by.notices();
    if touch == Touch::Yes {
        notices.extend(note_use(&told.by, &told.answer));
    }
    let cites = corpus.cites(request.chat);
    let mut degraded = told.degraded;
    degraded.extend(told.by.space().store.instead().map(|outage| format!("index: {}", outage.words())));
    Ok(Remembered { plan: told.plan, answer: told.answer, degraded, stale: told.stale, notices, cites })
}

struct Recall(FactRequest);

impl Question for Recall {
    type Plan = FactPlan;
    type Answer = Recollection;

    fn viewer(&self, corpus: &Corpus) -> Viewer {
        Viewer { door: corpus.door, chat: self.0.chat, for_model: self.0.for_model }
    }

    fn plan(&self, corpus: &Corpus) -> Result<FactPlan, Error> {
        plan(corpus, &self.0)
    }

    fn text<'p>(&self, plan: &'p FactPlan) -> Option<&'p str> {
        plan.period.is_none().then_some(&plan.text)
    }

    /// A name that no fact has is ENOENTITY for the owner; an alias stands for the entity it means.
    fn complete(&self, corpus: &Corpus, completed: &mut FactPlan, _: &mut Vec<String>) -> Result<(), Error> {
        if self.0.entities.is_empty() {
            return Ok(());
        }
        let viewer = self.viewer(corpus);
        let view = corpus.view(viewer, Freshness::AsIndexed)?;
        let snapshot = view.snapshot()?;
        let named = self.0.entities.iter().map(|name| asked_entity(&*snapshot, viewer, name));
        let entities = named.collect::<Result<Vec<String>, Error>>()?;
        *completed = plan(corpus, &FactRequest { entities, ..self.0.clone() })?;
        Ok(())
    }

    fn by_words(&self, _: &Corpus, plan: FactPlan) -> Result<FactPlan, Error> {
        Ok(plan)
    }

    fn answer(
        &self,
        corpus: &Corpus,
        plan: &FactPlan,
        vector: Option<&[f32]>,
        seen: Ground<'_>,
    ) -> Result<Recollection, Error> {
        let uses = corpus.journal.uses()?;
        let mut shelves = corpus.space().warm.of(seen.view.index(), seen.snapshot.generation());
        let facts = Indexed {
            snapshot: seen.snapshot,
            uses: &uses,
            space: if corpus.is_embedded() { Space::Own } else { Space::Foreign },
            untrusted: plan.filter.untrusted,
            shelves: RefCell::new(&mut shelves),
        };
        let answer = recall::answer(&facts, plan, vector)?;
        shelves.trim();
        Ok(answer)
    }

    fn hand_out(&self, corpus: &Corpus, answer: &mut Recollection, _: &mut Vec<String>) -> Result<(), Error> {
        let Recollection { recalled, nearest, .. } = answer;
        corpus.audit_shown(recalled.iter().chain(&*nearest).map(|one| &one.fact));
        let all = recalled.iter_mut().chain(nearest);
        for one in all.filter(|one| !one.fact.origin.is_trusted()) {
            one.fact.text = corpus.enveloped(&one.fact.text)?;
        }
        Ok(())
    }
}

fn plan(corpus: &Corpus, request: &FactRequest) -> Result<FactPlan, Error> {
    Ok(recall::plan(request, corpus.clock.now(), clock::today(&*corpus.clock))?)
}

/// An answer is worth having even where its use cannot be noted, such as on a disk that is read-only. What nobody
/// trusts gains nothing by being recalled; the use of private facts is not noted, because a journal in clear would
/// tell of them.
fn note_use(corpus: &Corpus, answer: &Recollection) -> Option<String> {
    let facts = answer.recalled.iter().map(|one| &one.fact);
    let noted = facts.filter(|fact| fact.origin.is_trusted() && !is_private(&fact.path));
    let ids: Vec<String> = noted.map(|fact| fact.id.clone()).collect();
    let noted = if ids.is_empty() { Ok(()) } else { corpus.touch(&ids) };
    noted.err().map(|error| format!("the use of these facts was not noted: {error}"))
}
