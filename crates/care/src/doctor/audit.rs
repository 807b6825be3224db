//! Whether what is done can be written down.

use super::Patient;
use super::finding::{Diagnosis, problem, quoted_paths};

pub(super) fn check(patient: &Patient<'_>, found: &mut Vec<Diagnosis>) {
    if let Some(mindfile_disk::Error { path, source }) = patient.memory.audit_log().obstacle() {
        let what = format!("the audit log cannot be written: {}: {source}", path.display());
        let effect = "who does what is not written down; every command that should says so";
        found.push(problem(what, effect).by(format!("ls -ld {}", quoted_paths(&[path]))));
    }
}
