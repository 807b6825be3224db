//! What is wrong, what that means, and what would help.

use mindfile_care::doctor::{self, Finding, Fix, Severity};

use crate::operation::prelude::*;
use crate::text::clean;
use crate::text::quantity::count;
use crate::text::style::{ERROR, SCORE, WARNING};

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Doctor {
    /// Do what can be done without asking.
    #[arg(long)]
    #[serde(skip)]
    pub fix: bool,
}

impl Operation for Doctor {
    const ROW: Row = Row::new("doctor", "Check notes, index, settings and disk")
        .typed(
            "doctor",
            "\
Examples:
  mindfile doctor                what is wrong, and what would help
  mindfile doctor --fix          do it",
        )
        .http(Http::get("/v1/doctor"));
    type Answer = Examination;

    fn run(self, caller: &Caller<'_>) -> Result<Examination, Failure> {
        let findings = doctor::examine(caller.memory, self.fix, caller.warnings)?;
        let findings: Vec<Examined> = findings.iter().map(|finding| Examined::new(finding, caller)).collect();
        let ok = !findings.iter().any(|one| one.severity == PROBLEM && !one.is_fixed());
        Ok(Examination { ok, findings })
    }
}

const PROBLEM: &str = "problem";
const WORRY: &str = "warning";

#[derive(Debug, Serialize, JsonSchema)]
pub struct Examination {
    ok: bool,
    findings: Vec<Examined>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Examined {
    severity: &'static str,
    what: String,
    effect: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<Cure>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Cure {
    command: String,
    /// Whether the doctor does it when asked to fix.
    safe: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<Attempt>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Attempt {
    ok: bool,
    message: String,
}

impl Examined {
    fn new(finding: &Finding, caller: &Caller<'_>) -> Self {
        let severity = match finding.severity {
            Severity::Problem => PROBLEM,
            Severity::Warning => WORRY,
            Severity::Good => "good",
        };
        Self {
            severity,
            what: finding.what.clone(),
            effect: finding.effect.clone(),
            fix: finding.fix.as_ref().map(|fix| Cure::new(fix, caller)),
        }
    }

    fn is_fixed(&self) -> bool {
        self.fix.as_ref().and_then(|cure| cure.done.as_ref()).is_some_and(|attempt| attempt.ok)
    }

    fn text(&self, page: &Page<'_>) -> String {
        let style = match self.severity {
            PROBLEM => ERROR,
            WORRY => WARNING,
            _ => SCORE,
        };
        let mut text = format!("{style}{:7}{style:#}  {}\n", self.severity, clean::text(&self.what));
        if !self.effect.is_empty() {
            text.push_str(&format!("         effect: {}\n", clean::text(&self.effect)));
        }
        text.extend(self.fix.as_ref().map(|cure| format!("         {}\n", clean::text(&cure.text(page)))));
        text
    }
}

impl Cure {
    fn new(fix: &Fix, caller: &Caller<'_>) -> Self {
        let done = fix.done.as_ref().map(|done| Attempt {
            ok: done.is_ok(),
            message: done.as_ref().unwrap_or_else(|why| why).clone(),
        });
        Self { command: fix.command.spelled(caller.spelling), safe: fix.safe, done }
    }

    fn text(&self, page: &Page<'_>) -> String {
        let command = &self.command;
        match &self.done {
            Some(Attempt { ok: true, message }) => format!("fixed:  {message}"),
            Some(Attempt { ok: false, message }) => format!("fix:    {command} (tried: {message})"),
            None if self.safe => {
                let doctor = page.spelling.run("doctor", &[("fix", String::new())]);
                format!("fix:    {command} ({doctor} does it)")
            }
            None => format!("fix:    {command}"),
        }
    }
}

impl Answer for Examination {
    fn shown(&self, page: &Page<'_>) -> Shown {
        let open = |severity| {
            let open = self.findings.iter().filter(|one| one.severity == severity && !one.is_fixed());
            count(open.count(), severity)
        };
        let mut parts = vec![open(PROBLEM), open(WORRY)];
        let fixed = self.findings.iter().filter(|one| one.is_fixed()).count();
        if fixed > 0 {
            parts.push(format!("{fixed} fixed"));
        }
        Shown {
            text: self.findings.iter().map(|one| one.text(page)).collect(),
            remarks: vec![parts.join(", ")],
            is_incomplete: !self.ok,
            ..Shown::default()
        }
    }
}
