//! Everything that is printed. Results go to stdout, everything else to stderr; colour only where a person reads.

pub(crate) mod progress;
pub(crate) mod shell;
pub(crate) mod spelling;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use mindfile_operations::Failed;
pub(crate) use mindfile_operations::hits;
pub(crate) use mindfile_operations::text::{clean, quantity, style, table};
use serde::Serialize;

use crate::arguments::Globals;
use style::{ERROR, HINT, WARNING};

/// How this run prints.
#[derive(Debug, Clone)]
pub(crate) struct Screen {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    /// Columns of the terminal that stdout is; none when it is none.
    pub(crate) width: Option<usize>,
    /// What was warned of.
    warned: Arc<Mutex<BTreeSet<String>>>,
}

impl Screen {
    pub(crate) fn new(globals: &Globals) -> Self {
        let width = io::stdout().is_terminal().then(terminal_width);
        Self { json: globals.json, quiet: globals.quiet, width, warned: Arc::default() }
    }

    /// For whom nothing is printed beside the result.
    pub(crate) fn silent() -> Self {
        Self { json: true, quiet: true, width: None, warned: Arc::default() }
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.width.is_some()
    }

    /// Something beside the result.
    pub(crate) fn say(&self, text: &str) {
        if !self.quiet {
            tell(text);
        }
    }

    /// Something that the result lacks, or that a person should know.
    pub(crate) fn warn(&self, text: &str) {
        self.warned.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
        self.say(&format!("{WARNING}warning:{WARNING:#} {}", clean::text(text)));
    }

    /// The same, unless it was said before.
    pub(crate) fn warn_once(&self, text: &str) {
        let is_said = self.warned.lock().unwrap_or_else(PoisonError::into_inner).contains(text);
        if !is_said {
            self.warn(text);
        }
    }

    /// A failure. Where JSON is asked for but stdout is gone, at least stderr says it.
    pub(crate) fn fail(&self, failed: &Failed) {
        if self.json && json(failed).is_ok() {
            return;
        }
        tell(&format!("{ERROR}error:{ERROR:#} {}", clean::text(&failed.error.message)));
        if let Some(hint) = &failed.error.hint {
            tell(&format!("{HINT}hint:{HINT:#} {}", clean::text(hint)));
        }
    }
}

/// A result as JSON.
pub(crate) fn json<T: Serialize>(value: &T) -> io::Result<()> {
    pretty(serde_json::to_string_pretty(value)?)
}

/// A result that is JSON already.
pub(crate) fn pretty(mut text: String) -> io::Result<()> {
    text.push('\n');
    exact(clean::json(&text).as_bytes())
}

/// One of several results, each on a line of its own.
pub(crate) fn json_line<T: Serialize>(value: &T) -> io::Result<()> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    exact(clean::json(&text).as_bytes())
}

/// A result as text; styles are taken out where nobody sees them.
pub(crate) fn text(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(clean::styled(text).as_bytes())?;
    out.flush()
}

/// A result, byte by byte.
pub(crate) fn exact(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// A question, with the cursor behind it.
pub(crate) fn prompt(text: &str) {
    let mut err = anstream::stderr().lock();
    match write!(err, "{}", clean::styled(text)).and_then(|()| err.flush()) {
        Ok(()) | Err(_) => {}
    }
}

/// There is nobody left to tell when stderr is closed.
fn tell(text: &str) {
    match writeln!(anstream::stderr().lock(), "{}", clean::styled(text)) {
        Ok(()) | Err(_) => {}
    }
}

fn terminal_width() -> usize {
    const USUAL: usize = 80;
    terminal_size::terminal_size().map_or(USUAL, |(width, _)| usize::from(width.0)).max(20)
}
