//! Rules, findings and the audit log as text.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use mindfile::audit::{Entry, LogCheck};
use mindfile::policy::{Applied, Class, Detector, PlacedFinding, Policy, RuleTarget, Stored};

use super::clean;
use super::quantity::number;
use super::style::HEAD;
use super::table::{self, Side};

/// The person's own rules first, in their order.
pub(crate) fn rules(policy: &Policy, detectors: impl Iterator<Item = Detector>) -> String {
    let mut text = String::new();
    if !policy.rules().own.is_empty() {
        let own = policy.rules().own.iter();
        let rows: Vec<[String; 3]> =
            own.map(|rule| [rule.name.clone(), rule.class.as_str().to_owned(), sought(&rule.by)]).collect();
        text.push_str(&format!("{HEAD}your rules{HEAD:#}\n{}\n", lines(&rows)));
    }
    let row = |detector: Detector| {
        let class = policy.class_of(detector).as_str().to_owned();
        [detector.name().to_owned(), class, detector.spec().about.to_owned()]
    };
    let rows: Vec<[String; 3]> = detectors.map(row).collect();
    format!("{text}{HEAD}built in{HEAD:#}\n{}", lines(&rows))
}

fn sought(by: &RuleTarget) -> String {
    match by {
        RuleTarget::Pattern(pattern) => format!("pattern {}", pattern.as_str()),
        RuleTarget::Detector(detector) => format!("detector {}", detector.name()),
        RuleTarget::Entity(name) => format!("facts about @{name}, and lines that tag it"),
        RuleTarget::Key(key) => format!("facts with the key {key}"),
    }
}

fn lines(rows: &[[String; 3]]) -> String {
    let lines = table::lines([Side::Left; 3], rows);
    lines.iter().map(|line| format!("  {}\n", clean::text(line))).collect()
}

pub(crate) fn findings(found: &[PlacedFinding]) -> String {
    let one = |explained: &PlacedFinding| {
        let finding = &explained.finding;
        let (line, column) = (explained.line, explained.column);
        let words = format!(
            "{line}:{column}  {}  {}  {}\n    {}",
            finding.rule,
            finding.class.as_str(),
            explained.preview,
            explained.then()
        );
        format!("{}\n", clean::text(&words))
    };
    found.iter().map(one).collect()
}

pub(crate) fn applied(applied: &Applied) -> String {
    let then = |class: Class| match class {
        Class::Allowed => "stays",
        Class::Masked => "stays in the file, masked elsewhere",
        Class::NeverStore => "goes",
    };
    let row = |one: &Stored| {
        let place = format!("{}#L{}", one.path, one.line);
        [place, one.rule.clone(), one.preview.clone(), then(one.class).to_owned()]
    };
    let rows: Vec<[String; 4]> = applied.found.iter().map(row).collect();
    let found = table::lines([Side::Left; 4], &rows).into_iter();
    let changed = applied.changed.iter().map(|path| format!("changed {path}"));
    found.chain(changed).map(|line| format!("{}\n", clean::text(&line))).collect()
}

pub(crate) fn verified(verified: &LogCheck) -> String {
    let mut text = match &verified.broken {
        None => format!("{} entries, each as it was written\n", number(count(verified.entries))),
        Some(broken) => {
            let place = broken.line.map_or_else(String::new, |line| format!(" ({}:{line})", broken.file));
            format!(
                "entry {} is broken{place}: {}\n{} entries before it are as they were written\n",
                broken.entry,
                broken.why,
                number(count(verified.entries))
            )
        }
    };
    if verified.torn {
        text.push_str("the last line is a write that was cut off; nobody was told that it was done\n");
    }
    text.push_str(&format!("head {}:{}\n", verified.entries, verified.head));
    clean::text(&text).into_owned()
}

fn count(entries: u64) -> usize {
    usize::try_from(entries).unwrap_or(usize::MAX)
}

pub(crate) fn entries(entries: &[Entry], zone: &TimeZone) -> String {
    let row = |entry: &Entry| {
        let at = Timestamp::from_millisecond(entry.at).unwrap_or_default().to_zoned(zone.clone());
        [
            entry.seq.to_string(),
            at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
            entry.who.clone(),
            entry.door.clone(),
            entry.act.clone(),
            entry.what.clone(),
            entry.id.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<[String; 7]> = entries.iter().map(row).collect();
    let mut sides = [Side::Left; 7];
    sides[0] = Side::Right;
    table::lines(sides, &rows).iter().map(|line| format!("{}\n", clean::text(line))).collect()
}
