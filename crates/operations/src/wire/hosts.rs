//! What the commands about other programs print.

use std::path::PathBuf;

use mindfile_hosts::host::install::{Act, Plan};
use serde::Serialize;

/// What `man` wrote.
#[derive(Debug, Serialize)]
pub struct Pages {
    pub ok: bool,
    pub folder: String,
    pub pages: Vec<String>,
}

/// What `install` did, or would do.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Installed {
    ok: bool,
    host: &'static str,
    act: &'static str,
    dry_run: bool,
    files: Vec<InstalledFile>,
    /// Copies of what was there.
    copies: Vec<String>,
}

#[derive(Debug, Serialize)]
struct InstalledFile {
    path: String,
    change: &'static str,
    diff: String,
}

impl Installed {
    pub fn new(plan: &Plan, copies: &[PathBuf], dry_run: bool) -> Self {
        let files = plan.changes.iter().map(|change| InstalledFile {
            path: change.path.display().to_string(),
            change: change.kind().as_str(),
            diff: change.diff(),
        });
        let act = match plan.act {
            Act::Install => "install",
            Act::Uninstall => "uninstall",
        };
        let copies = copies.iter().map(|copy| copy.display().to_string()).collect();
        Self { ok: true, host: plan.host.name, act, dry_run, files: files.collect(), copies }
    }
}
