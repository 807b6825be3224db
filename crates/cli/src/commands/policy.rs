//! `mindfile policy check`

use std::io::Read;
use std::path::Path;
use std::process::ExitCode;

use mindfile_operations::{Caller, CheckPolicy, Operation};

use super::Run;
use crate::failure::Failure;

/// What is read of a file at most.
const LARGEST: u64 = 64 << 20;

pub(super) fn check(asked: &CheckPolicy, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let asked = CheckPolicy { text: vec![given(&asked.text)?] };
    run.print(&asked.run(&Caller::person(&memory))?, &memory)
}

/// One word that names a file is that file; anything else is the text itself.
fn given(words: &[String]) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    match words {
        [dash] if dash == "-" => {
            let io = |source: std::io::Error| Failure::file("standard input", &source);
            std::io::stdin().take(LARGEST).read_to_end(&mut bytes).map_err(io)?;
        }
        [path] if Path::new(path).is_file() => {
            let io = |source: std::io::Error| Failure::file(&path, &source);
            let file = std::fs::File::open(path).map_err(io)?;
            file.take(LARGEST).read_to_end(&mut bytes).map_err(io)?;
        }
        _ => return Ok(words.join(" ")),
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
