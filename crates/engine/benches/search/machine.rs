//! Where and when the figures were measured.

use std::process::Command;

use mindfile::clock::{self, System};
use mindfile_index::{scan_instructions, sqlite_version};

pub(crate) fn heading() -> String {
    format!(
        "- {}, mindfile {} ({}), {}, SQLite {}, scan with {}\n- {}, load average before {}\n",
        clock::today(&System),
        env!("CARGO_PKG_VERSION"),
        said("git", &["describe", "--always", "--dirty"]),
        said("rustc", &["--version"]),
        sqlite_version(),
        scan_instructions(),
        machine(),
        load(),
    )
}

fn machine() -> String {
    let cpu = line_of("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown CPU".to_owned());
    let memory = line_of("/proc/meminfo", "MemTotal").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{cpu}, {cores} cores, {memory} of memory, {}", said("uname", &["-sr"]))
}

pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_else(|_| "unknown".to_owned());
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

/// What this process holds in memory, in MB.
pub(crate) fn resident() -> f64 {
    let line = line_of("/proc/self/status", "VmRSS").unwrap_or_default();
    let kilobytes = line.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

fn line_of(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn said(command: &str, arguments: &[&str]) -> String {
    let output = Command::new(command).args(arguments).output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Ok(_) | Err(_) => format!("{command} unknown"),
    }
}
