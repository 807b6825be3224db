//! Filters as SQL conditions. They contain numbers only, so nothing needs quoting.

use mindfile_index::{Filter, Origin, Shelf};

use crate::codec;

/// The condition on a row `e` of `entries` and its note `n`.
pub(crate) fn condition(filter: &Filter) -> String {
    own_condition(filter) + &hidden(filter) + &days(filter)
}

/// The join that [`condition`] needs beside a row `e`.
pub(crate) fn with_note(filter: &Filter) -> &'static str {
    match filter.is_empty() {
        true => "",
        false => "JOIN notes n ON n.agent = e.agent AND n.part = e.part AND n.path = e.path",
    }
}

/// The part of the condition that does not depend on days: neither does how rare a word is.
pub(crate) fn own_condition(filter: &Filter) -> String {
    let source = filter.source.map(|source| format!(" AND e.source = {}", codec::source(source)));
    let trusted = filter.trusted.then(|| format!(" AND e.origin <> {}", codec::origin(Origin::Untrusted)));
    source.unwrap_or_default() + &trusted.unwrap_or_default()
}

fn hidden(filter: &Filter) -> String {
    if filter.hidden.is_empty() {
        return String::new();
    }
    let numbers = |shelf| filter.hidden.on(shelf).map(|doc| codec::doc(doc).to_string());
    let numbers: Vec<String> = Shelf::ALL.into_iter().flat_map(numbers).collect();
    format!(" AND e.doc <> ALL ('{{{}}}'::int8[])", numbers.join(","))
}

/// An entry without a day has the day on which its note last changed.
fn days(filter: &Filter) -> String {
    let since = filter.since.map(|day| format!(" AND coalesce(e.day, n.changed) >= {day}"));
    let until = filter.until.map(|day| format!(" AND coalesce(e.day, n.changed) <= {day}"));
    since.unwrap_or_default() + &until.unwrap_or_default()
}
