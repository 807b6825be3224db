//! Applies the rules to a text.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Class, Detector, Finding, Policy, RuleTarget, detect, mask, own};

/// Findings of at least a class, in the order of the text, none inside another.
pub(super) fn findings(policy: &Policy, text: &str, least: Class) -> Vec<Finding> {
    let mut found = built_in(policy, text, least);
    let mut exempt = Vec::new();
    for rule in &policy.rules.own {
        let spans = match &rule.by {
            RuleTarget::Detector(_) => continue,
            RuleTarget::Pattern(pattern) => own::matches(pattern, text),
            RuleTarget::Entity(name) => own::about_entity(name, text),
            RuleTarget::Key(key) => own::with_key(key, text),
        };
        if rule.class == Class::Allowed {
            exempt.extend(spans.iter().cloned());
        }
        if rule.class >= least {
            let finding = |span| Finding { rule: rule.name.clone(), class: rule.class, span };
            found.extend(spans.into_iter().map(finding));
        }
    }
    if found.is_empty() {
        return found;
    }
    let exempt = joined(exempt);
    found.retain(|finding| finding.class == Class::Allowed || !mask::holds(&exempt, &finding.span));
    let masks = mask::spans(text);
    found.retain(|finding| !mask::holds(&masks, &finding.span));
    settled(found)
}

/// Keys are long and rare, so only they are looked for in all of the rest; anything else is near what is new.
pub(super) fn is_clear_beyond(policy: &Policy, rest: &str, old: usize) -> bool {
    let near = match policy.reach() {
        Some(_) => detect::near(rest, old),
        None => 0,
    };
    let wanted = |detector: Detector| policy.class_of(detector) >= Class::Masked;
    let may_be = !findings(policy, &rest[near..], Class::Masked).is_empty() || detect::has_key(rest, &wanted);
    !may_be || findings(policy, rest, Class::Masked).is_empty()
}

fn built_in(policy: &Policy, text: &str, least: Class) -> Vec<Finding> {
    let wanted = |detector: Detector| policy.class_of(detector) >= least;
    let found = detect::find(text, &wanted).into_iter();
    found
        .map(|found| Finding {
            rule: policy.rules.name_of(found.detector).to_owned(),
            class: policy.class_of(found.detector),
            span: found.span,
        })
        .collect()
}

/// Spans in order, those that overlap made one.
fn joined(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.sort_by_key(|span| span.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for span in spans {
        match joined.last_mut().filter(|last| span.start < last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => joined.push(span),
        }
    }
    joined
}

/// Of findings that overlap one stays, over all that they cover: that of the strictest class, of the longest span.
fn settled(mut found: Vec<Finding>) -> Vec<Finding> {
    found.retain(|finding| !finding.span.is_empty());
    found.sort_by_key(|finding| (finding.span.start, Reverse(finding.span.end)));
    let mut settled: Vec<Finding> = Vec::new();
    for next in found {
        match settled.last_mut().filter(|last| next.span.start < last.span.end) {
            Some(last) => {
                let end = last.span.end.max(next.span.end);
                let stricter = (next.class, next.span.len()) > (last.class, last.span.len());
                let start = last.span.start;
                if stricter {
                    *last = next;
                }
                last.span = start..end;
            }
            None => settled.push(next),
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Rules;
    use super::*;

    /// Whatever begins before an addition and ends in it is found by judging the end alone, as far back as is promised.
    #[test]
    fn what_an_addition_completes_is_found_from_the_end_of_a_text() {
        let policy = Policy::new(&Rules::default(), Path::new(""));
        let reach = policy.reach().unwrap();
        let value = ["h7Kx", "92pQ", "zT4m"].concat();
        let lines = format!("{}\n", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj".repeat(2));
        let key = |count: usize| {
            let armour = ["-----BEGIN RSA PRIV", "ATE KEY-----\n"].concat();
            (format!("{armour}{}", "\n".repeat(count)), format!("{lines}-----END RSA PRIVATE KEY-----\n"))
        };
        let table = format!("| name | token |\n|---|---|\n{}", "| one | - |\n".repeat(900));
        for (before, added) in [
            key(0),
            key(40_000),
            ("the password:\n\n".to_owned(), format!("- {value}\n")),
            ("Recovery codes:\n\n".to_owned(), "- 1a2b-3c4d\n".to_owned()),
            (table, format!("| two | {value} |\n")),
            ("Seed phrase:\n".to_owned(), format!("{}\n", ["abandon"; 12].join(" "))),
        ] {
            let prose = "- W @ana: likes tea and the sea\n".repeat(4_000);
            let old = format!("{prose}{before}");
            let whole = format!("{old}{added}");
            assert!(policy.judge(&old).is_empty(), "{before}");
            assert!(!policy.judge(&whole).is_empty(), "{added}");
            let from = whole[..old.len() - reach].rfind('\n').map_or(0, |at| at + 1);
            assert!(!policy.is_clear_beyond(&whole[from..], old.len() - from), "{added}");
            assert!(policy.is_clear_beyond(&format!("{}- W: more\n", &old[from..]), old.len() - from));
        }
    }
}
