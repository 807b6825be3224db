//! The few styles there are.

use clap::builder::styling::{AnsiColor, Style};

pub const ERROR: Style = AnsiColor::Red.on_default().bold();
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub const HINT: Style = AnsiColor::Cyan.on_default().bold();
pub const PLACE: Style = AnsiColor::Cyan.on_default();
pub const SCORE: Style = AnsiColor::Green.on_default();
pub const MARK: Style = Style::new().bold();
pub const HEAD: Style = Style::new().bold();
pub const FAINT: Style = Style::new().dimmed();
