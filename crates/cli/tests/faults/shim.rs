//! `faultio.c`, compiled once, and what it logs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What happens at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Eio,
    EioStays,
    Enospc,
    EnospcStays,
    Short,
    Torn,
    Kill,
    KillAfter,
}

impl Kind {
    pub(crate) const ALL: [Self; 8] = [
        Self::Eio,
        Self::EioStays,
        Self::Enospc,
        Self::EnospcStays,
        Self::Short,
        Self::Torn,
        Self::Kill,
        Self::KillAfter,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Eio => "eio",
            Self::EioStays => "eio-stays",
            Self::Enospc => "enospc",
            Self::EnospcStays => "enospc-stays",
            Self::Short => "short",
            Self::Torn => "torn",
            Self::Kill => "kill",
            Self::KillAfter => "kill-after",
        }
    }

    /// Whether it can happen at this call: only a write can be short.
    pub(crate) fn applies_to(self, call: &Call) -> bool {
        match self {
            Self::Short | Self::Torn => call.name.contains("write"),
            Self::Eio | Self::EioStays | Self::Enospc | Self::EnospcStays | Self::Kill | Self::KillAfter => {
                true
            }
        }
    }
}

/// One durable call that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) struck: bool,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// The compiled shim; none, with a loud word, where there is no C compiler or no leave to filter system calls.
pub(crate) fn library() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT.get_or_init(|| build().filter(|library| works(library))).as_deref()
}

fn build() -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faultio.c");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (part, whole) = (folder.join(format!("faultio-{}", std::process::id())), folder.join("faultio.so"));
    let built = Command::new("cc").args(["-O1", "-shared", "-fPIC", "-o"]).arg(&part).arg(&source).output();
    match built {
        Ok(output) if output.status.success() => {
            fs::rename(&part, &whole).unwrap();
            Some(whole)
        }
        Ok(output) => panic!("cc {}: {}", source.display(), String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            println!("SKIPPED: no C compiler (cc: {error}); faults at single calls are NOT tested");
            None
        }
    }
}

fn works(library: &Path) -> bool {
    let tried = Command::new("true").env("LD_PRELOAD", library).env("FAULTIO_PREFIX", "/nowhere").status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        println!("SKIPPED: seccomp filters are not allowed here; faults at single calls are NOT tested");
    }
    works
}

/// Arms the command: at the `at`-th durable call beneath `prefix`, `kind` happens. 0 only counts.
pub(crate) fn arm(command: &mut Command, library: &Path, prefix: &Path, log: &Path, at: usize, kind: Kind) {
    command
        .env("LD_PRELOAD", library)
        .env("FAULTIO_PREFIX", prefix)
        .env("FAULTIO_AT", at.to_string())
        .env("FAULTIO_KIND", kind.as_str())
        .env("FAULTIO_LOG", log);
}

/// The command does what it does, and adds to `trace` what each durable call beneath `prefix` did.
pub(crate) fn trace(command: &mut Command, library: &Path, prefix: &Path, trace: &Path) {
    command.env("LD_PRELOAD", library).env("FAULTIO_PREFIX", prefix).env("FAULTIO_TRACE", trace);
}

/// The calls that the last run made, and forgets them.
pub(crate) fn take_log(log: &Path) -> Vec<Call> {
    let text = fs::read_to_string(log)
        .unwrap_or_else(|error| panic!("the shim wrote no {}: {error}", log.display()));
    fs::remove_file(log).unwrap();
    text.lines().map(call).collect()
}

fn call(line: &str) -> Call {
    let parts: Vec<&str> = line.splitn(4, ' ').collect();
    let [_, mark, name, path] = parts[..] else { panic!("not a line of the shim: {line}") };
    Call { struck: mark == "!", name: name.to_owned(), path: PathBuf::from(path) }
}
