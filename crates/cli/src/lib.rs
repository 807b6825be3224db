//! The command line of mindfile: the only place that prints, reads the environment and exits. What a memory does is
//! in the library.
//!
//! A program that brings another engine hands it to [`mindfile::backend::provide`] and then calls [`run`].

mod arguments;
mod commands;
mod confirm;
#[cfg(feature = "postgres")]
mod engines;
mod environment;
mod failure;
mod interrupt;
mod output;
mod sample;
mod secret;

use std::ffi::OsString;
use std::process::ExitCode;

use commands::{help, tree};
use output::Screen;

/// Does what the command line says.
pub fn run() -> ExitCode {
    failure::report_panics();
    #[cfg(feature = "postgres")]
    engines::provide();
    mindfile_qmd::provide();
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if help::is_wanted(&words)
        && let Err(shown) = help::command().try_get_matches()
    {
        return failure::misread(&shown);
    }
    let (matches, globals) = match tree::parse() {
        Ok(parsed) => parsed,
        Err(error) => return failure::misread(&error),
    };
    let screen = Screen::new(&globals);
    match commands::run(&matches, &globals, &screen) {
        Ok(code) => code,
        Err(failure) => failure::report(&failure, &screen),
    }
}
