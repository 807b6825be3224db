//! `mindfile rekey`

use std::process::ExitCode;

use mindfile::private::Protect;
use mindfile_operations::{self as operations, Caller, Operation};

use super::Run;
use crate::arguments::Rekey;
use crate::environment;
use crate::failure::Failure;

pub(super) fn rekey(asked: &Rekey, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let protect = match (asked.passphrase, asked.no_passphrase) {
        (true, _) => Protect::With(environment::new_passphrase()?),
        (false, true) => Protect::Without,
        (false, false) => Protect::Same,
    };
    let rekey = operations::Rekey { protect, ..asked.asked.clone() };
    run.print(&rekey.run(&Caller::person(&memory))?, &memory)
}
