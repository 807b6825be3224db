//! `policy --json` and `audit --json`

use mindfile::audit;
use mindfile::policy::{Applied, Detector, PlacedFinding, Policy, RuleTarget, Stored};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Rules {
    rules: Vec<OwnRule>,
    builtin: Vec<Builtin>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OwnRule {
    name: String,
    class: &'static str,
    by: &'static str,
    value: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Builtin {
    name: &'static str,
    class: &'static str,
    #[serde(rename = "default")]
    preset: &'static str,
    about: &'static str,
}

impl Rules {
    pub fn new(policy: &Policy) -> Self {
        let own = policy.rules().own.iter().map(|rule| {
            let (by, value) = match &rule.by {
                RuleTarget::Pattern(pattern) => ("pattern", pattern.as_str().to_owned()),
                RuleTarget::Detector(detector) => ("detector", detector.name().to_owned()),
                RuleTarget::Entity(name) => ("entity", name.clone()),
                RuleTarget::Key(key) => ("key", key.clone()),
            };
            OwnRule { name: rule.name.clone(), class: rule.class.as_str(), by, value }
        });
        let builtin = Detector::all().map(|detector| Builtin {
            name: detector.name(),
            class: policy.class_of(detector).as_str(),
            preset: detector.spec().class.as_str(),
            about: detector.spec().about,
        });
        Self { rules: own.collect(), builtin: builtin.collect() }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Checked {
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Finding {
    rule: String,
    class: &'static str,
    line: u32,
    column: u32,
    preview: String,
    then: &'static str,
}

impl Checked {
    pub fn new(found: &[PlacedFinding]) -> Self {
        let finding = |explained: &PlacedFinding| Finding {
            rule: explained.finding.rule.clone(),
            class: explained.finding.class.as_str(),
            line: explained.line,
            column: explained.column,
            preview: explained.preview.clone(),
            then: explained.then(),
        };
        Self { findings: found.iter().map(finding).collect() }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedPolicy<'a> {
    ok: bool,
    dry_run: bool,
    found: Vec<StoredValue<'a>>,
    changed: &'a [String],
    left: &'a [String],
}

#[derive(Debug, Serialize)]
struct StoredValue<'a> {
    path: &'a str,
    line: u32,
    rule: &'a str,
    class: &'static str,
    preview: &'a str,
}

impl<'a> AppliedPolicy<'a> {
    pub fn new(applied: &'a Applied, dry_run: bool) -> Self {
        let stored = |one: &'a Stored| StoredValue {
            path: &one.path,
            line: one.line,
            rule: &one.rule,
            class: one.class.as_str(),
            preview: &one.preview,
        };
        let found = applied.found.iter().map(stored).collect();
        Self { ok: applied.left.is_empty(), dry_run, found, changed: &applied.changed, left: &applied.left }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verified {
    ok: bool,
    entries: u64,
    head: String,
    torn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<Broken>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Broken {
    entry: u64,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    why: String,
}

impl Verified {
    pub fn new(verified: &audit::LogCheck, public_key: Option<String>) -> Self {
        let broken = verified.broken.as_ref().map(|broken| Broken {
            entry: broken.entry,
            file: broken.file.clone(),
            line: broken.line,
            why: broken.why.clone(),
        });
        let head = format!("{}:{}", verified.entries, verified.head);
        Self {
            ok: broken.is_none(),
            entries: verified.entries,
            head,
            torn: verified.torn,
            public_key,
            broken,
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Logged {
    entry: u64,
    at: String,
    who: String,
    door: String,
    act: String,
    what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

impl Logged {
    pub fn new(entry: audit::Entry) -> Self {
        let at = jiff::Timestamp::from_millisecond(entry.at).unwrap_or_default();
        Self {
            entry: entry.seq,
            at: format!("{at:.3}"),
            who: entry.who,
            door: entry.door,
            act: entry.act,
            what: entry.what,
            id: entry.id,
            digest: entry.digest,
        }
    }
}
