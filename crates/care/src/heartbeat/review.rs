//! What a person should review: reminders that are due, and important memories that were not confirmed for long.

use jiff::civil::Date;

use mindfile::fact::{FactRecord, Sensitivity};

/// From this salience on a memory steers what an agent does.
const WEIGHTY: f32 = 0.8;
/// How long such a memory is taken for granted.
pub const REVIEW_DAYS: i32 = 180;

/// Reminders whose day has come, the longest overdue first.
pub(super) fn overdue(facts: &[FactRecord], today: Date) -> Vec<FactRecord> {
    let due = |fact: &&FactRecord| fact.due.is_some_and(|due| due <= today) && fact.holds(today);
    let mut found: Vec<FactRecord> = facts.iter().filter(due).cloned().collect();
    found.sort_by(|a, b| (a.due, &a.path, a.line).cmp(&(b.due, &b.path, b.line)));
    found
}

/// High-impact memories that nobody has confirmed for half a year, the oldest first. One without any date is not listed:
/// nothing says how old it is.
pub(super) fn unconfirmed(facts: &[FactRecord], today: Date) -> Vec<FactRecord> {
    let old = |fact: &FactRecord| last_seen(fact).is_some_and(|day| (today - day).get_days() >= REVIEW_DAYS);
    let weighty = |fact: &FactRecord| fact.salience >= WEIGHTY || fact.sensitivity == Some(Sensitivity::High);
    let mut found: Vec<FactRecord> =
        facts.iter().filter(|fact| fact.holds(today) && weighty(fact) && old(fact)).cloned().collect();
    found.sort_by(|a, b| (last_seen(a), &a.path, a.line).cmp(&(last_seen(b), &b.path, b.line)));
    found
}

/// The last day on which somebody said so.
pub(super) fn last_seen(fact: &FactRecord) -> Option<Date> {
    fact.confirmed.max(fact.since())
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::heartbeat::sample::fact;

    fn ids(facts: Vec<FactRecord>) -> Vec<String> {
        facts.into_iter().map(|fact| fact.id).collect()
    }

    #[test]
    fn reminders_come_due_and_stop_when_the_fact_no_longer_holds() {
        let facts = [
            fact("- W(due=2026-03-02) @tax: file it ^a", 1),
            fact("- W(due=2026-03-01) @tax: pay it ^b", 1),
            fact("- W(due=2026-03-03) @tax: not yet ^c", 1),
            fact("- W(due=2026-03-01,until=2026-03-02) @tax: done ^d", 1),
            fact("- W(due=2026-03-01,ttl=2026-03-01) @tax: over ^e", 1),
        ];
        assert_eq!(ids(overdue(&facts, date(2026, 3, 2))), ["b", "a"]);
    }

    #[test]
    fn what_matters_is_listed_when_nobody_confirmed_it_for_half_a_year() {
        let facts = [
            fact("- W(s=0.8) @a: weighty ^a", 2),
            fact("- W(s=0.7) @a: light ^b", 1),
            fact("- W(sens=high) @a: delicate ^c", 1),
            fact("- W(s=0.9,conf=2026-05-01) @a: confirmed ^d", 1),
        ];
        assert_eq!(ids(unconfirmed(&facts, date(2026, 8, 1))), ["c", "a"]);
        assert_eq!(ids(unconfirmed(&facts, date(2026, 7, 1))), Vec::<String>::new());
    }
}
