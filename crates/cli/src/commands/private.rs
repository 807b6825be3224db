//! `mindfile encrypt`, `decrypt` and `rekey`

use std::process::ExitCode;

use mindfile::private::{self, Moved, OldKeys, Protect};

use super::Run;
use crate::arguments::{Decrypt, Encrypt, Rekey};
use crate::environment;
use crate::failure::Failure;
use crate::output::quantity::count;
use crate::output::{self, clean, json};

pub(super) fn encrypt(asked: &Encrypt, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let paths = if asked.all { private::clear_private_notes(&memory)? } else { asked.paths.clone() };
    let moved = memory.encrypt_notes(&paths)?;
    tell(&moved, "Encrypted", run)
}

pub(super) fn decrypt(asked: &Decrypt, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let moved = memory.decrypt_note(&asked.path, asked.to.as_deref())?;
    tell(&moved, "Decrypted", run)
}

fn tell(moved: &Moved, what: &str, run: &Run<'_>) -> Result<ExitCode, Failure> {
    for notice in &moved.notices {
        run.screen.warn(notice);
    }
    if run.screen.json {
        output::json(&json::MovedNotes::new(moved))?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = |(from, to): &(String, String)| {
        let to = if from == to { String::new() } else { format!(" → {to}") };
        format!("✓ {what}: {}\n", clean::text(&format!("{from}{to}")))
    };
    output::text(&moved.notes.iter().map(line).collect::<String>())?;
    if moved.notes.is_empty() {
        run.screen.say("Nothing to do: every note in memory/private/ is encrypted");
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn rekey(asked: &Rekey, run: &Run<'_>) -> Result<ExitCode, Failure> {
    let memory = run.memory()?;
    let protect = match (asked.passphrase, asked.no_passphrase) {
        (true, _) => Protect::With(environment::new_passphrase()?),
        (false, true) => Protect::Without,
        (false, false) => Protect::Same,
    };
    let old_keys = if asked.drop_old { OldKeys::Drop } else { OldKeys::Keep };
    let rekeyed = memory.rekey(protect, old_keys)?;
    if run.screen.json {
        output::json(&json::NewKey::new(&rekeyed))?;
    } else {
        output::text(&format!(
            "✓ {} encrypted for the new key {}\n",
            count(rekeyed.notes, "note"),
            rekeyed.recipient
        ))?;
    }
    for (path, why) in &rekeyed.left {
        run.screen.warn(&format!("{path} was left as it is: {why}"));
    }
    if rekeyed.old_keys > 0 {
        let kept = count(rekeyed.old_keys, "old key");
        run.screen.say(&format!("The key file keeps {kept} for notes of other workspaces and of backups"));
    }
    run.screen.say("Keep a copy of the key file elsewhere: copies of the one before do not open these notes");
    Ok(if rekeyed.left.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
