//! Failures, as a person and as a program reads them, and the exit codes that follow from whose fault they are.

use std::panic::PanicHookInfo;
use std::process::ExitCode;

use clap::error::ErrorKind;
use mindfile_operations::Failed;

pub(crate) use mindfile_operations::{Class, Failure};

use crate::arguments::Globals;
use crate::output::Screen;
use crate::output::spelling::Terminal;

/// What a shell gives a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;
const BUG: u8 = 70;

/// Prints it, and gives the code to exit with.
pub(crate) fn report(failure: &Failure, screen: &Screen) -> ExitCode {
    let code = match failure.class {
        // The reader of our output has seen enough: `mindfile search … | head -1`.
        Class::Unread => return ExitCode::SUCCESS,
        Class::Usage | Class::Absent | Class::Conflict | Class::Forbidden | Class::Away => 2,
        Class::Environment => 1,
        Class::Interrupted => INTERRUPTED,
        Class::Bug => BUG,
    };
    if failure.class == Class::Interrupted && !screen.json {
        screen.say(&failure.message(&Terminal));
    } else {
        screen.fail(&failure.failed(&Terminal));
    }
    ExitCode::from(code)
}

/// What was typed cannot be understood, or was a call for help.
pub(crate) fn misread(error: &clap::Error) -> ExitCode {
    let is_help = !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !is_help && wants_json() {
        let (message, hint) = split(&error.to_string());
        screen().fail(&Failed::new("usage", &message, hint));
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
        screen().fail(&Failed::new("bug", &message, Some(hint)));
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
