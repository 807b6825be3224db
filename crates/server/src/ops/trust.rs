//! Who did what, and what may be stored.

use mindfile::{Error, audit};

use super::day;
use crate::ask;
use crate::desk::Desk;
use crate::failure::Failure;
use crate::wire;

const PAGE: usize = 100;

/// The last entries, oldest first.
pub(crate) fn audit(desk: &Desk, asked: &ask::Audit) -> Result<Vec<wire::Logged>, Failure> {
    let since = day(desk, asked.since.as_deref())?;
    let entries = audit::entries(&desk.memory, desk.viewer(None), since, asked.limit.unwrap_or(PAGE))?;
    Ok(entries.into_iter().map(wire::Logged::new).collect())
}

pub(crate) fn verify_audit(desk: &Desk, _: &ask::Nothing) -> Result<wire::Verified, Failure> {
    let log = desk.memory.audit_log();
    Ok(wire::Verified::new(&log.verify(None).map_err(Error::from)?, log.public_key().map_err(Error::from)?))
}

#[expect(clippy::unnecessary_wraps, reason = "every operation of the table may fail")]
pub(crate) fn policy(desk: &Desk, _: &ask::Nothing) -> Result<wire::Rules, Failure> {
    Ok(wire::Rules::new(desk.memory.policy()))
}

#[expect(clippy::unnecessary_wraps, reason = "every operation of the table may fail")]
pub(crate) fn check_policy(desk: &Desk, asked: &ask::PolicyCheck) -> Result<wire::Checked, Failure> {
    Ok(wire::Checked::new(&desk.memory.policy().explain(&asked.text)))
}
