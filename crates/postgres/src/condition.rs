//! What a filter asks of rows. Numbers alone are in it.

use mindfile_index::{Filter, Origin};

use crate::codec;

/// Of a row `e` of `entries` and its note `n`.
pub(crate) fn condition(filter: &Filter) -> String {
    own_condition(filter) + &days(filter, "e")
}

/// The same whatever the day: how rare a word is does not depend on it.
pub(crate) fn own_condition(filter: &Filter) -> String {
    let source = filter.source.map(|source| format!(" AND e.source = {}", codec::source(source)));
    let trusted = filter.trusted.then(|| format!(" AND e.origin <> {}", codec::origin(Origin::Untrusted)));
    source.unwrap_or_default() + &trusted.unwrap_or_default()
}

/// Of the day alone, for a row `e` of another table: what has to be joined for it.
pub(crate) fn day_condition(filter: &Filter) -> String {
    let days = days(filter, "r");
    if days.is_empty() {
        return days;
    }
    format!(
        "JOIN entries r ON r.agent = e.agent AND r.part = e.part AND r.doc = e.doc
         JOIN notes n ON n.agent = r.agent AND n.part = r.part AND n.path = r.path{days}"
    )
}

/// An entry without a day has that of its note's last change.
fn days(filter: &Filter, row: &str) -> String {
    let since = filter.since.map(|day| format!(" AND coalesce({row}.day, n.changed) >= {day}"));
    let until = filter.until.map(|day| format!(" AND coalesce({row}.day, n.changed) <= {day}"));
    since.unwrap_or_default() + &until.unwrap_or_default()
}
