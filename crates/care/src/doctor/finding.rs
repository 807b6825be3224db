//! A finding, and wording that all checks share.

use std::path::{Path, PathBuf};

use mindfile_fault::Hint;
use mindfile_workspace::Leftover;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    /// What is so.
    pub what: String,
    /// What that means for the user; empty where nothing is wrong.
    pub effect: String,
    pub fix: Option<Fix>,
}

/// The worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something does not work, or private text is open to others.
    Problem,
    /// Something works otherwise than one may expect.
    Warning,
    Good,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// A line for a shell, or an operation of ours.
    pub command: Hint,
    /// Whether the doctor does it when asked to fix; what it does not do needs a person's decision.
    pub safe: bool,
    /// What came of it; none if it was not tried.
    pub done: Option<Result<String, String>>,
}

/// A finding with what the doctor itself can do about it.
pub(super) struct Diagnosis {
    pub(super) finding: Finding,
    pub(super) remedy: Option<Remedy>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Closes files and folders to everyone but their owner.
    Close(Vec<PathBuf>),
    Settle(Vec<Leftover>),
    Sync,
    Rebuild,
    /// Deletes databases that nothing uses: those beside this index.
    Delete {
        index: PathBuf,
        databases: Vec<PathBuf>,
    },
}

pub(super) fn problem(what: impl Into<String>, effect: impl Into<String>) -> Diagnosis {
    Diagnosis::new(Severity::Problem, what.into(), effect.into())
}

pub(super) fn warning(what: impl Into<String>, effect: impl Into<String>) -> Diagnosis {
    Diagnosis::new(Severity::Warning, what.into(), effect.into())
}

pub(super) fn good(what: impl Into<String>) -> Diagnosis {
    Diagnosis::new(Severity::Good, what.into(), String::new())
}

impl Diagnosis {
    fn new(severity: Severity, what: String, effect: String) -> Self {
        Self { finding: Finding { severity, what, effect, fix: None }, remedy: None }
    }

    /// The command by which a person mends it.
    pub(super) fn by(mut self, command: impl Into<Hint>) -> Self {
        self.finding.fix = Some(Fix { command: command.into(), safe: false, done: None });
        self
    }

    /// As `by`, and what the doctor does to the same end.
    pub(super) fn or(mut self, command: impl Into<Hint>, remedy: Remedy) -> Self {
        self.finding.fix = Some(Fix { command: command.into(), safe: true, done: None });
        self.remedy = Some(remedy);
        self
    }
}

/// The first few, and how many more.
pub(super) fn names<T: AsRef<str>>(paths: &[T]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = paths.iter().take(SHOWN).map(|path| printable(path.as_ref())).collect();
    match paths.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A file's name may hold anything, even what moves a terminal's cursor.
fn printable(name: &str) -> String {
    name.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}

/// One word of a shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

pub(super) fn quoted_path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

pub(super) fn quoted_paths<T: AsRef<Path>>(paths: &[T]) -> String {
    paths.iter().map(|path| quoted_path(path.as_ref())).collect::<Vec<_>>().join(" ")
}

/// `3.1 MB`
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if bytes < 1000 {
        return format!("{bytes} bytes");
    }
    let mut amount = bytes as f64 / 1000.0;
    let mut unit = 0;
    while amount >= 999.95 && unit + 1 < UNITS.len() {
        amount /= 1000.0;
        unit += 1;
    }
    format!("{amount:.1} {}", UNITS[unit])
}

#[cfg(test)]
pub(super) mod tests {
    use mindfile_fault::Spelling;

    use super::*;

    /// Operations and settings as they are typed.
    pub(in super::super) struct Shell;

    impl Spelling for Shell {
        fn field(&self, field: &str) -> String {
            format!("--{field}")
        }

        fn run(&self, operation: &str, _: &[(&str, String)]) -> String {
            format!("mindfile {operation}")
        }

        fn set(&self, key: &str, value: &str) -> String {
            format!("mindfile config set {key} {value}")
        }
    }

    #[test]
    fn a_word_of_a_shell_is_quoted_where_it_must_be() {
        assert_eq!(quoted("/home/ann/memory/2026-07-14.md"), "/home/ann/memory/2026-07-14.md");
        assert_eq!(quoted("Ann's notes; rm -rf ~"), r"'Ann'\''s notes; rm -rf ~'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn long_lists_are_cut_and_names_cannot_move_the_cursor() {
        let many: Vec<String> = (1..=7).map(|n| format!("{n}.md")).collect();
        assert_eq!(names(&many), "1.md, 2.md, 3.md, 4.md, 5.md and 2 more");
        assert_eq!(names(&["a\u{1b}[2J.md"]), "a\\u{1b}[2J.md");
    }

    #[test]
    fn sizes_are_told_in_three_digits_or_so() {
        let told: Vec<String> = [0, 999, 1_000, 999_949, 999_950, 3_141_592, 2_000_000_000].map(size).into();
        assert_eq!(told, ["0 bytes", "999 bytes", "1.0 kB", "999.9 kB", "1.0 MB", "3.1 MB", "2.0 GB"]);
    }
}
