//! `mindfile doctor`

use std::process::ExitCode;

use mindfile::Memory;
use mindfile::clock::System;
use mindfile::config;
use mindfile::origin::Door;
use mindfile_care::doctor::{self, Finding, Fix, Severity};

use super::Run;
use crate::arguments::Doctor;
use crate::environment;
use crate::failure::Failure;
use crate::output::json::Examined;
use crate::output::quantity::count;
use crate::output::spelling::Terminal;
use crate::output::style::{ERROR, SCORE, WARNING};
use crate::output::{self, clean};

pub(super) fn run(asked: &Doctor, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let loaded = config::load(&environment::overrides(run.globals)?)?;
    let memory = Memory::new(loaded.settings, Box::new(System)).through(Door::Terminal);
    let findings = doctor::examine(&memory, asked.fix, &loaded.warnings)?;
    let is_well = !findings.iter().any(remains);
    if run.screen.json {
        output::json(&Examined::new(is_well, &findings, &Terminal))?;
    } else {
        let shown: String = findings.iter().map(finding).collect();
        output::text(&shown)?;
        run.screen.say(&verdict(&findings));
    }
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A problem that was not solved just now.
fn remains(finding: &Finding) -> bool {
    finding.severity == Severity::Problem && !is_fixed(finding)
}

fn is_fixed(finding: &Finding) -> bool {
    finding.fix.as_ref().is_some_and(|fix| matches!(fix.done, Some(Ok(_))))
}

fn finding(finding: &Finding) -> String {
    let (style, word) = match finding.severity {
        Severity::Problem => (ERROR, "problem"),
        Severity::Warning => (WARNING, "warning"),
        Severity::Good => (SCORE, "good   "),
    };
    let mut text = format!("{style}{word}{style:#}  {}\n", clean::text(&finding.what));
    if !finding.effect.is_empty() {
        text.push_str(&format!("         effect: {}\n", clean::text(&finding.effect)));
    }
    text.extend(finding.fix.as_ref().map(fix));
    text
}

fn fix(fix: &Fix) -> String {
    let command = fix.command.spelled(&Terminal);
    let text = match &fix.done {
        Some(Ok(done)) => format!("fixed:  {done}"),
        Some(Err(why)) => format!("fix:    {command} (tried: {why})"),
        None if fix.safe => format!("fix:    {command} (mindfile doctor --fix does it)"),
        None => format!("fix:    {command}"),
    };
    format!("         {}\n", clean::text(&text))
}

fn verdict(findings: &[Finding]) -> String {
    let open = |severity| findings.iter().filter(|f| f.severity == severity && !is_fixed(f)).count();
    let fixed = findings.iter().filter(|finding| is_fixed(finding)).count();
    let mut parts =
        vec![count(open(Severity::Problem), "problem"), count(open(Severity::Warning), "warning")];
    if fixed > 0 {
        parts.push(format!("{fixed} fixed"));
    }
    parts.join(", ")
}
