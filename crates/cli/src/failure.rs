//! Failures, as a person and as a program reads them, and the exit codes that follow from whose fault they are.

use std::io;
use std::panic::PanicHookInfo;
use std::process::ExitCode;

use clap::error::ErrorKind;
use mindfile::Error;
use mindfile::fault::{Explain, Fault};

use crate::arguments::Globals;
use crate::output::spelling::Terminal;
use crate::output::{Screen, json};

/// What a shell gives a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;
const BUG: u8 = 70;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Memory(#[from] Error),
    #[error(transparent)]
    Hosts(#[from] mindfile_hosts::Error),
    #[error(transparent)]
    Care(#[from] mindfile_care::Error),
    #[error(transparent)]
    Server(#[from] mindfile_server::Error),
    #[error("{message}")]
    Usage { message: String, hint: String },
    #[error("{path}")]
    File { path: String, source: io::Error },
    #[error("the current directory cannot be read")]
    CurrentDir { source: io::Error },
    #[error("signals cannot be listened to")]
    Signals { source: ctrlc::Error },
    #[error("stopped; what is indexed stays, run the same command again to go on")]
    Stopped,
    #[error("the output cannot be written")]
    Output(#[from] io::Error),
}

impl From<mindfile::config::Error> for Failure {
    fn from(error: mindfile::config::Error) -> Self {
        Self::Memory(error.into())
    }
}

impl From<mindfile::workspace::Error> for Failure {
    fn from(error: mindfile::workspace::Error) -> Self {
        Self::Memory(error.into())
    }
}

impl From<mindfile::session::Error> for Failure {
    fn from(error: mindfile::session::Error) -> Self {
        Self::Memory(error.into())
    }
}

impl Failure {
    /// Prints it, and gives the code to exit with.
    pub(crate) fn report(&self, screen: &Screen) -> ExitCode {
        if self.is_closed_pipe() {
            return ExitCode::SUCCESS;
        }
        let (code, kind) = self.class();
        if self.is_interrupt() && !screen.json {
            screen.say(&self.words());
        } else {
            let code = self.explained().and_then(Explain::code).unwrap_or(kind);
            screen.fail(&json::Failed::new(code, self.words(), self.hint()));
        }
        ExitCode::from(code)
    }

    /// The exit code, and its name.
    fn class(&self) -> (u8, &'static str) {
        match self.fault() {
            Fault::Environment if self.is_interrupt() => (INTERRUPTED, "interrupted"),
            Fault::Environment => (1, "environment"),
            Fault::Caller => (2, "usage"),
            Fault::Bug => (BUG, "bug"),
        }
    }

    /// The failure of a library, which knows all about itself.
    fn explained(&self) -> Option<&dyn Explain> {
        match self {
            Self::Memory(error) => Some(error),
            Self::Hosts(error) => Some(error),
            Self::Care(error) => Some(error),
            Self::Server(error) => Some(error),
            Self::Usage { .. }
            | Self::File { .. }
            | Self::CurrentDir { .. }
            | Self::Signals { .. }
            | Self::Stopped
            | Self::Output(_) => None,
        }
    }

    fn fault(&self) -> Fault {
        match self.explained() {
            Some(error) => error.fault(),
            None if matches!(self, Self::Usage { .. }) => Fault::Caller,
            None => Fault::Environment,
        }
    }

    /// The message with its causes, each said once.
    pub(crate) fn words(&self) -> String {
        match self.explained() {
            Some(error) => json::with_causes(error.spelled(&Terminal), error),
            None => json::words(self),
        }
    }

    fn hint(&self) -> Option<String> {
        if let Self::Usage { hint, .. } = self {
            return Some(hint.clone());
        }
        Some(self.explained()?.hint()?.spelled(&Terminal))
    }

    fn is_interrupt(&self) -> bool {
        matches!(
            self,
            Self::Stopped
                | Self::Memory(Error::Interrupted)
                | Self::Hosts(mindfile_hosts::Error::Memory(Error::Interrupted))
                | Self::Care(mindfile_care::Error::Memory(Error::Interrupted))
        )
    }

    /// The reader of our output has seen enough: `mindfile search … | head -1`.
    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What was typed cannot be understood, or was a call for help.
pub(crate) fn misread(error: &clap::Error) -> ExitCode {
    let is_help = !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !is_help && wants_json() {
        let (message, hint) = split(&error.to_string());
        screen().fail(&json::Failed::new("usage", message, hint));
        return ExitCode::from(2);
    }
    let code = u8::try_from(error.exit_code()).unwrap_or(2);
    // To a host, 2 from a hook means that the person's message is to be thrown away.
    let code = if is_hook() && code == 2 { 1 } else { code };
    match error.print() {
        Ok(()) | Err(_) => ExitCode::from(code),
    }
}

/// The first paragraph of clap's message, and its tip.
fn split(text: &str) -> (String, Option<String>) {
    let text = text.trim_start_matches("error: ");
    let message = text.split("\n\n").next().unwrap_or(text);
    let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let tip = text.lines().find_map(|line| line.trim().strip_prefix("tip: "));
    (message, Some(tip.unwrap_or("mindfile --help").to_owned()))
}

/// A panic, in any thread, is a bug: said shortly, and nothing goes on after it.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        let message = format!("a bug in mindfile: {}", panic_words(info));
        let hint = "please report it with the command that led here".to_owned();
        screen().fail(&json::Failed::new("bug", message, Some(hint)));
        leave();
    }));
}

fn panic_words(info: &PanicHookInfo<'_>) -> String {
    let what = info.payload_as_str().unwrap_or("no message");
    info.location()
        .map_or_else(|| what.to_owned(), |place| format!("{what} ({}:{})", place.file(), place.line()))
}

#[expect(clippy::exit, reason = "after a bug no state can be trusted")]
fn leave() {
    std::process::exit(i32::from(BUG))
}

/// How to print before, or without, knowing the arguments.
fn screen() -> Screen {
    Screen::new(&Globals { json: wants_json(), ..Globals::default() })
}

fn is_hook() -> bool {
    std::env::args_os().skip(1).any(|word| word == "hook")
}

fn wants_json() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}
