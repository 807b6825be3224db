//! The program `mindfile`.

use std::process::ExitCode;

fn main() -> ExitCode {
    mindfile_cli::run()
}
