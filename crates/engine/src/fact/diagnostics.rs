//! What is wrong with a memory of facts as a whole: six conditions, each found by a function of its own, each with what
//! to do about it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use mindfile_fault::Hint;
use mindfile_note::words;
use mindfile_settings::Decay;

use super::entities::Hub;
use super::{Code, FactRecord};
use crate::retain::duplicate::normalised;

/// From this many facts on it is worth saying anything about all of them.
const ENOUGH_FACTS: usize = 20;
/// Pairs of entities below which there is nothing to traverse.
const ENOUGH_PAIRS: usize = 10;
/// The share of facts without an entity that is worth a word.
const UNTAGGED_SHARE: f32 = 0.2;
/// What an old memory must keep of its score, and when it is old.
const KEPT: f32 = 0.8;
const OLD_DAYS: f32 = 90.0;
const SHOWN: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub what: String,
    pub hint: Hint,
}

/// Estimated tokens of MEMORY.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreTokens {
    /// What people wrote, which no reflection touches.
    pub written: usize,
    /// What the last reflection wrote.
    pub reflected: usize,
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Survey<'a> {
    pub facts: &'a [FactRecord],
    /// None where there is no MEMORY.md.
    pub core: Option<CoreTokens>,
    /// What core memory may have.
    pub core_budget: usize,
    /// With less a reflection has no room for a fact.
    pub least_core: usize,
    pub decay: &'a Decay,
    pub today: Date,
}

/// Every condition that holds, in the order of the codes.
pub fn survey(survey: &Survey<'_>) -> Vec<Diagnostic> {
    let current: Vec<&FactRecord> = survey.facts.iter().filter(|fact| fact.holds(survey.today)).collect();
    let found = [
        too_big(survey.core, survey.core_budget, survey.least_core),
        no_entity(&current),
        duplicates(&current),
        hubs(&current),
        cold_start(&current),
        decay_too_fast(survey.decay),
    ];
    found.into_iter().flatten().collect()
}

pub fn too_big(core: Option<CoreTokens>, budget: usize, least: usize) -> Option<Diagnostic> {
    let CoreTokens { written, reflected } = core.filter(|core| core.written + core.reflected > budget)?;
    let tokens = written + reflected;
    let what = format!("MEMORY.md has about {tokens} tokens; core memory may have {budget}");
    let room = budget.saturating_sub(written);
    let hint = if room >= least {
        let room = room.to_string();
        Hint::say("`").run("reflect", &[("max_tokens", &room)]).and("` makes what reflection wrote there fit")
    } else {
        Hint::say("move what is rarely needed into memory/: reflection leaves what you wrote as it is")
    };
    Some(Diagnostic { code: Code::TooBig, what, hint })
}

pub fn no_entity(facts: &[&FactRecord]) -> Option<Diagnostic> {
    let untagged = facts.iter().filter(|fact| fact.entities.is_empty()).count();
    let many = untagged as f32 >= UNTAGGED_SHARE * facts.len() as f32;
    (facts.len() >= ENOUGH_FACTS && many).then(|| Diagnostic {
        code: Code::NoEntity,
        what: format!("{untagged} of {} facts name no entity: connections do not reach them", facts.len()),
        hint: "tag them, as in `- W @name: …`, or name entities when you retain a fact".into(),
    })
}

pub fn duplicates(facts: &[&FactRecord]) -> Option<Diagnostic> {
    let groups = duplicate_groups(facts);
    let repeated: usize = groups.iter().map(|group| group.len() - 1).sum();
    let place = |fact: &FactRecord| format!("^{} in {}:{}", fact.id, fact.path, fact.line);
    let places: Vec<String> = groups.first()?.iter().take(2).map(|fact| place(fact)).collect();
    let say = if repeated == 1 { "fact says" } else { "facts say" };
    Some(Diagnostic {
        code: Code::DuplicateFacts,
        what: format!("{repeated} {say} what another says, such as {}", places.join(" and ")),
        hint: "keep one of such lines and take the others out of the notes, in an editor".into(),
    })
}

/// Facts of the same entities with the same words in any order, two or more a group.
pub fn duplicate_groups<'a>(facts: &[&'a FactRecord]) -> Vec<Vec<&'a FactRecord>> {
    let mut groups: BTreeMap<(BTreeSet<String>, BTreeSet<String>), Vec<&FactRecord>> = BTreeMap::new();
    for &fact in facts.iter().filter(|fact| fact.key.is_none()) {
        let said: BTreeSet<String> = normalised(&fact.text)
            .split(' ')
            .filter(|word| !words::is_stop(word))
            .map(str::to_owned)
            .collect();
        groups.entry((fact.entities.iter().cloned().collect(), said)).or_default().push(fact);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

pub fn hubs(facts: &[&FactRecord]) -> Option<Diagnostic> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for name in facts.iter().flat_map(|fact| &fact.entities) {
        *counts.entry(name).or_default() += 1;
    }
    let mut hubs: Vec<(&str, u32)> =
        counts.into_iter().filter(|(_, count)| Hub::of(*count, facts.len()) == Hub::Yes).collect();
    hubs.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named: Vec<String> =
        hubs.iter().take(SHOWN).map(|(name, count)| format!("@{name} ({count})")).collect();
    let more = hubs.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (facts.len() >= ENOUGH_FACTS && !hubs.is_empty()).then(|| Diagnostic {
        code: Code::HubNodes,
        what: format!("a tenth of all facts or more name {}{more}", named.join(", ")),
        hint: "they are damped in traversal; narrower tags on new facts say more".into(),
    })
}

pub fn cold_start(facts: &[&FactRecord]) -> Option<Diagnostic> {
    let mut pairs: BTreeSet<(&str, &str)> = BTreeSet::new();
    for fact in facts {
        for (at, a) in fact.entities.iter().enumerate() {
            pairs.extend(fact.entities[at + 1..].iter().map(|b| (a.min(b).as_str(), a.max(b).as_str())));
        }
    }
    let cold = !facts.is_empty() && (facts.len() < ENOUGH_FACTS || pairs.len() < ENOUGH_PAIRS);
    cold.then(|| Diagnostic {
        code: Code::ColdStart,
        what: format!(
            "{} facts and {} pairs of entities: too few to find connections in",
            facts.len(),
            pairs.len()
        ),
        hint: "nothing to do: direct matches work, connections come with use".into(),
    })
}

pub fn decay_too_fast(decay: &Decay) -> Option<Diagnostic> {
    let kept = decay.floor + (1.0 - decay.floor) * 0.5_f32.powf(OLD_DAYS / decay.half_life_days);
    (decay.enabled && kept < KEPT).then(|| Diagnostic {
        code: Code::DecayTooFast,
        what: format!(
            "a note of {OLD_DAYS} days keeps {:.0} % of its score: what is asked for is buried",
            kept * 100.0
        ),
        hint: "raise query.hybrid.temporalDecay.floor (0.95 by default) or halfLifeDays".into(),
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use mindfile_fault::Part;
    use mindfile_note::fact;

    use super::super::Access;
    use super::super::load::{LineRef, of_line};
    use super::*;

    fn facts(lines: impl IntoIterator<Item = String>) -> Vec<FactRecord> {
        let record = |(at, line): (usize, String)| {
            let read = fact::read(&line).unwrap();
            let names = read.entities().map(str::to_lowercase).collect();
            of_line(&read, LineRef { path: "memory/a.md", line: at as u32 + 1 }, names, Access::default())
        };
        lines.into_iter().enumerate().map(record).collect()
    }

    fn decay(enabled: bool, floor: f32) -> Decay {
        Decay { enabled, half_life_days: 30.0, floor }
    }

    fn codes(facts: &[FactRecord], core_tokens: usize, decay: &Decay) -> Vec<&'static str> {
        let today = date(2026, 1, 2);
        let core = Some(CoreTokens { written: core_tokens, reflected: 0 });
        let asked = Survey { facts, core, core_budget: 2048, least_core: 64, decay, today };
        survey(&asked).iter().map(|diagnostic| diagnostic.code.as_str()).collect()
    }

    fn line(n: usize, tags: &str) -> String {
        format!("- W {tags}: fact number {n} of things")
    }

    #[test]
    fn a_healthy_memory_has_nothing_to_say() {
        let lines = (0..60).map(|n| line(n, &format!("@a{} @b{}", n % 15, n % 14)));
        assert_eq!(codes(&facts(lines), 2000, &decay(true, 0.95)), [""; 0]);
        assert_eq!(codes(&[], 0, &decay(false, 0.0)), [""; 0]);
    }

    #[test]
    fn each_condition_is_found() {
        let healthy = || (0..60).map(|n| line(n, &format!("@a{} @b{}", n % 15, n % 14)));
        let off = decay(false, 0.95);
        assert_eq!(codes(&facts(healthy()), 2049, &off), ["E2BIG"]);
        let untagged = healthy().chain((0..20).map(|n| format!("- W: loose {n}")));
        assert_eq!(codes(&facts(untagged), 0, &off), ["ENOENTITY"]);
        let twice = healthy().chain(["- W @a1 @b1: Number 1 of the things, fact".to_owned()]);
        assert_eq!(codes(&facts(twice), 0, &off), ["EDUPFACTS"]);
        let hub = healthy().chain((0..12).map(|n| line(100 + n, &format!("@peter @c{n}"))));
        assert_eq!(codes(&facts(hub), 0, &off), ["EHUBNODES"]);
        assert_eq!(codes(&facts([line(1, "@a @b")]), 0, &off), ["ECOLDSTART"]);
        assert_eq!(codes(&facts(healthy()), 0, &decay(true, 0.0)), ["EDECAYTOOFAST"]);
    }

    /// Reflection writes its own part of MEMORY.md and folds nothing in notes: no hint says more.
    #[test]
    fn a_hint_says_what_helps() {
        let hint = |core, budget| too_big(Some(core), budget, 64).unwrap().hint;
        let reflect = hint(CoreTokens { written: 500, reflected: 1_700 }, 2_048);
        let run = Part::Run { operation: "reflect", fields: vec![("max_tokens", "1548".to_owned())] };
        assert_eq!(reflect.parts()[1], run);
        let by_hand = hint(CoreTokens { written: 2_000, reflected: 500 }, 2_048);
        let [Part::Say(words)] = by_hand.parts() else { panic!("{by_hand:?}") };
        assert!(words.contains("reflection leaves what you wrote as it is"), "{words}");
        let twice = facts(["- W @a: same words ^one".to_owned(), "- W @a: Same words. ^two".to_owned()]);
        let found = duplicates(&twice.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!(
            found.what,
            "1 fact says what another says, such as ^one in memory/a.md:1 and ^two in memory/a.md:2"
        );
        assert!(found.hint.parts().iter().all(|part| matches!(part, Part::Say(_))), "{:?}", found.hint);
    }

    #[test]
    fn what_does_not_hold_is_not_counted() {
        let old = facts(["- W(until=2026-01-01,by=x) @a: same".to_owned(), "- W @a: same".to_owned()]);
        assert_eq!(
            duplicate_groups(&old.iter().filter(|f| f.holds(date(2026, 1, 2))).collect::<Vec<_>>()).len(),
            0
        );
    }
}
