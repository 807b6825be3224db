//! `mindfile audit`

use std::process::ExitCode;

use mindfile::{Error, Memory, when};

use super::Run;
use crate::arguments::{Anchor, Audit, AuditCommand};
use crate::failure::Failure;
use crate::output::{self, json, trust};

pub(super) fn run(asked: &Audit, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    match &asked.command {
        AuditCommand::Verify { anchor } => verify(anchor.as_ref(), &memory, run),
        AuditCommand::Show { since, limit } => show(since.as_deref(), *limit, &memory, run),
    }
}

fn verify(anchor: Option<&Anchor>, memory: &Memory, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let log = memory.audit_log();
    let verified =
        log.verify(anchor.map(|anchor| (anchor.entry, anchor.digest.as_str()))).map_err(Error::from)?;
    if run.screen.json {
        output::json(&json::Verified::new(&verified, log.public_key().map_err(Error::from)?))?;
    } else {
        output::text(&trust::verified(&verified))?;
    }
    Ok(if verified.broken.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn show(since: Option<&str>, limit: usize, memory: &Memory, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let since = since.map(|text| when::day(memory.clock(), text)).transpose()?;
    let entries = memory.audited(since, limit)?;
    if run.screen.json {
        output::json(&entries.into_iter().map(json::Logged::new).collect::<Vec<_>>())?;
    } else {
        output::text(&trust::entries(&entries, &memory.clock().zone()))?;
    }
    Ok(ExitCode::SUCCESS)
}
