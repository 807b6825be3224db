//! A passphrase, typed where nobody sees it.

use std::io::{self, IsTerminal};

use console::Term;
use mindfile::age::Passphrase;
use zeroize::Zeroizing;

/// Asks on the terminal; none where there is no person to ask, or nothing was typed.
pub(crate) fn ask(question: &str) -> io::Result<Option<Passphrase>> {
    let terminal = Term::stderr();
    if !io::stdin().is_terminal() || !terminal.is_term() {
        return Ok(None);
    }
    terminal.write_str(question)?;
    let line = Zeroizing::new(terminal.read_secure_line()?);
    Ok(Passphrase::new(&line))
}
