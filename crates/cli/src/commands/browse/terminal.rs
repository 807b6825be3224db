//! The terminal while it is ours: another screen, keys as they are pressed. It is given back when this is dropped, and
//! also when the program panics or is ended by a signal.

use std::io::{self, IsTerminal, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};

pub(super) struct Terminal {
    out: io::Stderr,
}

impl Terminal {
    /// The list is drawn to stderr, so that what is chosen can be piped on.
    pub(super) fn is_there() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    pub(super) fn enter() -> io::Result<Self> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            leave();
            before(info);
        }));
        enable_raw_mode()?;
        let mut terminal = Self { out: io::stderr() };
        execute!(terminal.out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        Ok(terminal)
    }

    /// Draws the lines that `draw` makes for the size of the screen.
    pub(super) fn show(&mut self, draw: impl FnOnce(usize, usize) -> Vec<String>) -> io::Result<()> {
        let (width, height) = size()?;
        let lines = draw(usize::from(width), usize::from(height));
        for (line, row) in lines.iter().zip(0..height) {
            queue!(self.out, MoveTo(0, row), Clear(ClearType::CurrentLine))?;
            write!(self.out, "{line}")?;
        }
        self.out.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        leave();
    }
}

/// There is nothing more to do where even this fails.
fn leave() {
    match execute!(io::stderr(), Show, DisableBracketedPaste, LeaveAlternateScreen).and(disable_raw_mode()) {
        Ok(()) | Err(_) => {}
    }
}
