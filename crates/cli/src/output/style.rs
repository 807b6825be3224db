//! The few styles there are.

use clap::builder::styling::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub(crate) const PLACE: Style = AnsiColor::Cyan.on_default();
pub(crate) const SCORE: Style = AnsiColor::Green.on_default();
pub(crate) const MARK: Style = Style::new().bold();
pub(crate) const HEAD: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
