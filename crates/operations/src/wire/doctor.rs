//! `doctor --json`

use mindfile::fault::Spelling;
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
    pub fn new(ok: bool, findings: &[Finding], spelling: &dyn Spelling) -> Self {
        Self { ok, findings: findings.iter().map(|finding| One::new(finding, spelling)).collect() }
    }
}

impl One {
    fn new(finding: &Finding, spelling: &dyn Spelling) -> Self {
        let severity = match finding.severity {
            Severity::Problem => "problem",
            Severity::Warning => "warning",
            Severity::Good => "good",
        };
        Self {
            severity,
            what: finding.what.clone(),
            effect: finding.effect.clone(),
            fix: finding.fix.as_ref().map(|fix| Remedy::new(fix, spelling)),
        }
    }
}

impl Remedy {
    fn new(fix: &Fix, spelling: &dyn Spelling) -> Self {
        let done = fix.done.as_ref().map(|done| match done {
            Ok(message) => Done { ok: true, message: message.clone() },
            Err(message) => Done { ok: false, message: message.clone() },
        });
        Self { command: fix.command.spelled(spelling), safe: fix.safe, done }
    }
}
