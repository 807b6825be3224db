//! `doctor --json`

use mindfile_care::doctor::{Finding, Fix, Severity};
use schemars::JsonSchema;
use serde::Serialize;

#[derive(Debug, Serialize, JsonSchema)]
pub struct Examined {
    ok: bool,
    findings: Vec<One>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct One {
    severity: &'static str,
    what: String,
    effect: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Remedy>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Remedy {
    command: String,
    /// Whether `doctor --fix` does it.
    safe: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<Done>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Done {
    ok: bool,
    message: String,
}

impl Examined {
    pub fn new(ok: bool, findings: &[Finding]) -> Self {
        Self { ok, findings: findings.iter().map(One::new).collect() }
    }
}

impl One {
    fn new(finding: &Finding) -> Self {
        let severity = match finding.severity {
            Severity::Problem => "problem",
            Severity::Warning => "warning",
            Severity::Good => "good",
        };
        Self {
            severity,
            what: finding.what.clone(),
            effect: finding.effect.clone(),
            fix: finding.fix.as_ref().map(Remedy::new),
        }
    }
}

impl Remedy {
    fn new(fix: &Fix) -> Self {
        let done = fix.done.as_ref().map(|done| match done {
            Ok(message) => Done { ok: true, message: message.clone() },
            Err(message) => Done { ok: false, message: message.clone() },
        });
        Self { command: fix.command.clone(), safe: fix.safe, done }
    }
}
