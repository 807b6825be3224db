//! What is wrong with the facts as a whole, as the status tells it.

use mindfile::fact::Code;

use super::Patient;
use super::finding::{Diagnosis, warning};

/// Few facts are no disorder: there is nothing to do about them.
pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) {
    let wrong = patient.diagnostics.iter().filter(|one| one.code != Code::ColdStart);
    found.extend(wrong.map(|one| {
        let what = format!("{}: {}", one.code.as_str(), one.what);
        warning(what, effect(one.code)).by(one.hint.clone())
    }));
}

fn effect(code: Code) -> &'static str {
    match code {
        Code::TooBig => "every session begins with more than core memory may have",
        Code::NoEntity => "recall finds them by their words alone",
        Code::DuplicateFacts => "recall gives the same fact more than once",
        Code::HubNodes => "connections over them say little",
        Code::ColdStart => "recall finds what matches, and nothing that is connected with it",
        Code::DecayTooFast => "searches bury what is old, however well it answers",
    }
}
