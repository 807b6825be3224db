//! What may be stored.

use mindfile::policy::{Applied, Class, Detector, PlacedFinding, Policy, RuleTarget, Stored};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::style::HEAD;
use crate::text::table::{self, Side};
use crate::values::one_text;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowPolicy {}

impl Operation for ShowPolicy {
    const ROW: Row = Row::new("policy", "Show every rule of what may be stored, with its class")
        .typed(
            "policy show",
            "\
Examples:
  mindfile policy show
  mindfile policy show --json",
        )
        .http(Http::get("/v1/policy"));
    type Answer = PolicyRules;

    fn run(self, caller: &Caller<'_>) -> Result<PolicyRules, Failure> {
        Ok(PolicyRules::new(caller.memory.policy()))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PolicyRules {
    rules: Vec<OwnRule>,
    builtin: Vec<BuiltinRule>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OwnRule {
    name: String,
    class: &'static str,
    by: &'static str,
    value: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct BuiltinRule {
    name: &'static str,
    class: &'static str,
    #[serde(rename = "default")]
    preset: &'static str,
    about: &'static str,
}

impl PolicyRules {
    fn new(policy: &Policy) -> Self {
        let own = policy.rules().own.iter().map(|rule| {
            let (by, value) = match &rule.by {
                RuleTarget::Pattern(pattern) => ("pattern", pattern.as_str().to_owned()),
                RuleTarget::Detector(detector) => ("detector", detector.name().to_owned()),
                RuleTarget::Entity(name) => ("entity", name.clone()),
                RuleTarget::Key(key) => ("key", key.clone()),
            };
            OwnRule { name: rule.name.clone(), class: rule.class.as_str(), by, value }
        });
        let builtin = Detector::all().map(|detector| BuiltinRule {
            name: detector.name(),
            class: policy.class_of(detector).as_str(),
            preset: detector.spec().class.as_str(),
            about: detector.spec().about,
        });
        Self { rules: own.collect(), builtin: builtin.collect() }
    }
}

impl OwnRule {
    /// What it looks for.
    fn target(&self) -> String {
        let Self { by, value, .. } = self;
        match *by {
            "entity" => format!("facts about @{value}, and lines that tag it"),
            "key" => format!("facts with the key {value}"),
            by => format!("{by} {value}"),
        }
    }
}

impl Answer for PolicyRules {
    /// The person's own rules first, in their order.
    fn shown(&self, _: &Page<'_>) -> Shown {
        let mut text = String::new();
        if !self.rules.is_empty() {
            let own = self.rules.iter().map(|rule| [rule.name.clone(), rule.class.to_owned(), rule.target()]);
            text.push_str(&format!("{HEAD}your rules{HEAD:#}\n{}\n", indented(&own.collect::<Vec<_>>())));
        }
        let builtin = self.builtin.iter().map(|rule| [rule.name, rule.class, rule.about].map(str::to_owned));
        let builtin = indented(&builtin.collect::<Vec<_>>());
        Shown::text(format!("{text}{HEAD}built in{HEAD:#}\n{builtin}"))
    }
}

fn indented(rows: &[[String; 3]]) -> String {
    let lines = table::lines([Side::Left; 3], rows);
    lines.iter().map(|line| format!("  {}\n", clean::text(line))).collect()
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckPolicy {
    /// The text to judge; it is kept nowhere.
    #[arg(value_name = "FILE|TEXT", required = true, help = "A file, a text, or - for standard input")]
    #[serde(deserialize_with = "one_text")]
    #[schemars(with = "String")]
    pub text: Vec<String>,
}

impl Operation for CheckPolicy {
    const ROW: Row = Row::new(
        "checkPolicy",
        "Say what the policy finds in a text, and what would happen to it; a value is never printed",
    )
    .typed(
        "policy check",
        "\
Examples:
  mindfile policy check notes.md
  mindfile policy check \"the account is GB82 WEST 1234 5698 7654 32\"
  pbpaste | mindfile policy check - --json",
    )
    .http(Http::post("/v1/policy/check"));
    type Answer = PolicyFindings;

    fn run(self, caller: &Caller<'_>) -> Result<PolicyFindings, Failure> {
        let found = caller.memory.policy().explain(&self.text.join(" "));
        Ok(PolicyFindings { findings: found.into_iter().map(PolicyFinding::new).collect() })
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct PolicyFindings {
    findings: Vec<PolicyFinding>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PolicyFinding {
    rule: String,
    class: &'static str,
    line: u32,
    column: u32,
    preview: String,
    then: &'static str,
}

impl PolicyFinding {
    fn new(placed: PlacedFinding) -> Self {
        Self {
            class: placed.finding.class.as_str(),
            line: placed.line,
            column: placed.column,
            then: placed.then(),
            preview: placed.preview,
            rule: placed.finding.rule,
        }
    }
}

impl Answer for PolicyFindings {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let one = |finding: &PolicyFinding| {
            let PolicyFinding { rule, class, line, column, preview, then } = finding;
            let words = format!("{line}:{column}  {rule}  {class}  {preview}\n    {then}");
            format!("{}\n", clean::text(&words))
        };
        let nothing = self.findings.is_empty().then(|| "nothing is found".to_owned());
        Shown {
            text: self.findings.iter().map(one).collect(),
            remarks: nothing.into_iter().collect(),
            ..Shown::default()
        }
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApplyPolicy {
    /// Only list what would go.
    #[arg(long, conflicts_with = "yes")]
    #[serde(default)]
    pub dry_run: bool,
    /// Do it; without this, the list is printed and nothing is changed.
    #[arg(long)]
    #[serde(default)]
    pub yes: bool,
}

impl Operation for ApplyPolicy {
    const ROW: Row = Row::new("applyPolicy", "Find what is already stored against the rules, and take it out of notes, conversations and the index").typed("policy apply", "\
Examples:
  mindfile policy apply --dry-run
  mindfile policy apply --yes");
    type Answer = AppliedPolicy;

    fn run(self, caller: &Caller<'_>) -> Result<AppliedPolicy, Failure> {
        let dry_run = !self.yes || self.dry_run;
        Ok(AppliedPolicy::new(caller.memory.apply_policy(dry_run)?, dry_run))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedPolicy {
    ok: bool,
    dry_run: bool,
    found: Vec<StoredValue>,
    changed: Vec<String>,
    left: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct StoredValue {
    path: String,
    line: u32,
    rule: String,
    class: &'static str,
    preview: String,
    #[serde(skip)]
    then: &'static str,
}

impl AppliedPolicy {
    fn new(applied: Applied, dry_run: bool) -> Self {
        let Applied { found, changed, left } = applied;
        let found = found.into_iter().map(StoredValue::new).collect();
        Self { ok: left.is_empty(), dry_run, found, changed, left }
    }
}

impl StoredValue {
    fn new(stored: Stored) -> Self {
        let then = match stored.class {
            Class::Allowed => "stays",
            Class::Masked => "stays in the file, masked elsewhere",
            Class::NeverStore => "goes",
        };
        let Stored { path, line, rule, class, preview } = stored;
        Self { path, line, rule, class: class.as_str(), preview, then }
    }
}

impl Answer for AppliedPolicy {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let row = |one: &StoredValue| {
            [
                format!("{}#L{}", one.path, one.line),
                one.rule.clone(),
                one.preview.clone(),
                one.then.to_owned(),
            ]
        };
        let rows: Vec<[String; 4]> = self.found.iter().map(row).collect();
        let mut text = table::text([Side::Left; 4], &rows);
        text.extend(self.changed.iter().map(|path| format!("changed {}\n", clean::text(path))));
        let how = || page.spelling.run("policy apply", &[("yes", String::new())]);
        let remark = self.dry_run.then(|| format!("nothing was changed; {} does it", how()));
        Shown {
            text,
            notices: self.left.clone(),
            remarks: remark.into_iter().collect(),
            is_incomplete: !self.ok,
            ..Shown::default()
        }
    }
}
