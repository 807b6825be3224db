//! Asking a person before something is written.

use std::io::{self, BufRead, IsTerminal};

use crate::failure::Failure;
use crate::output::{self, Screen};

/// Whether to go on. Where nobody can be asked, `--yes` must say so.
pub(crate) fn ask(question: &str, yes: bool, screen: &Screen) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if screen.json || !io::stdin().is_terminal() {
        return Err(Failure::usage("nobody is there to be asked, and nothing was changed")
            .hint("--yes does it without asking, --dry-run only shows it"));
    }
    output::prompt(&format!("{question} [y/N] "));
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
