//! English for counts and errors, the same in every message.

/// `1 note`, `3 notes`
pub fn count(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// `1 note is`, `3 notes are`
pub fn are(count: u64, thing: &str) -> String {
    format!("{} {}", self::count(count, thing), if count == 1 { "is" } else { "are" })
}

/// `1 index was`, `3 indexes were`
pub fn were(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one} was") } else { format!("{count} {many} were") }
}

/// `1 chunk has`, `3 chunks have`
pub fn have(count: u64, thing: &str) -> String {
    format!("{} {}", self::count(count, thing), if count == 1 { "has" } else { "have" })
}

/// An error and what led to it, in one line.
pub fn with_cause<E: std::error::Error>(error: &E) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !text.ends_with(&words) {
            text = format!("{text}: {words}");
        }
        cause = inner.source();
    }
    text
}
