//! Notes that are encrypted, and their key.

use clap::Args;
use mindfile::private::{self, Moved, OldKeys, Protect, Rekeyed};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::caller::Caller;
use crate::failure::Failure;
use crate::operation::{Answer, Operation, Page, Row, Shown};
use crate::text::clean;
use crate::text::quantity::count;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Encrypt {
    /// Notes to make private; each moves to memory/private/.
    #[arg(value_name = "PATH", required_unless_present = "all", conflicts_with = "all")]
    #[serde(default)]
    pub paths: Vec<String>,
    /// Every note in memory/private/ that stands there in clear.
    #[arg(long)]
    #[serde(default)]
    pub all: bool,
}

impl Operation for Encrypt {
    const ROW: Row = Row::new("encrypt", "Encrypt notes and move them to memory/private/").typed(
        "encrypt",
        "\
Examples:
  mindfile encrypt memory/medical.md
  mindfile encrypt --all

The files are age files: age -d -i ~/.mindfile/private.key memory/private/medical.md.age",
    );
    type Answer = MovedNotes;

    fn run(self, caller: &Caller<'_>) -> Result<MovedNotes, Failure> {
        let paths = if self.all { private::clear_private_notes(caller.memory)? } else { self.paths };
        Ok(MovedNotes::new(caller.memory.encrypt_notes(&paths)?, "Encrypted"))
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decrypt {
    /// A note in memory/private/.
    pub path: String,
    /// Where to; without it, the same name in memory/.
    #[arg(long, value_name = "PATH")]
    pub to: Option<String>,
}

impl Operation for Decrypt {
    const ROW: Row = Row::new("decrypt", "Decrypt a private note").typed(
        "decrypt",
        "\
Examples:
  mindfile decrypt memory/private/medical.md
  mindfile decrypt memory/private/medical.md --to bank/medical.md

To read a private note without changing it: mindfile get memory/private/medical.md",
    );
    type Answer = MovedNotes;

    fn run(self, caller: &Caller<'_>) -> Result<MovedNotes, Failure> {
        Ok(MovedNotes::new(caller.memory.decrypt_note(&self.path, self.to.as_deref())?, "Decrypted"))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct MovedNotes {
    ok: bool,
    notes: Vec<MovedNote>,
    notices: Vec<String>,
    /// What was done to them.
    #[serde(skip)]
    verb: &'static str,
}

#[derive(Debug, Serialize, JsonSchema)]
struct MovedNote {
    from: String,
    to: String,
}

impl MovedNotes {
    fn new(moved: Moved, verb: &'static str) -> Self {
        let notes = moved.notes.into_iter().map(|(from, to)| MovedNote { from, to });
        Self { ok: true, notes: notes.collect(), notices: moved.notices, verb }
    }
}

impl Answer for MovedNotes {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let line = |MovedNote { from, to }: &MovedNote| {
            let to = if from == to { String::new() } else { format!(" → {to}") };
            format!("✓ {}: {}\n", self.verb, clean::text(&format!("{from}{to}")))
        };
        let nothing = self.notes.is_empty();
        let remark = nothing.then(|| "Nothing to do: every note in memory/private/ is encrypted".to_owned());
        Shown {
            text: self.notes.iter().map(line).collect(),
            notices: self.notices.clone(),
            remarks: remark.into_iter().collect(),
            ..Shown::default()
        }
    }
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rekey {
    /// Leave the old keys out of the key file: notes of other workspaces and of backups that need them are lost.
    #[arg(long)]
    #[serde(default)]
    pub drop_old: bool,
    /// How the new key file is kept.
    #[arg(skip = Protect::Same)]
    #[serde(skip, default = "same")]
    pub protect: Protect,
}

fn same() -> Protect {
    Protect::Same
}

impl Operation for Rekey {
    const ROW: Row = Row::new("rekey", "Re-encrypt private notes with a new key").typed(
        "rekey",
        "\
Examples:
  mindfile rekey                 another key, kept as the present one
  mindfile rekey --passphrase    another key, locked with a passphrase
  mindfile rekey --drop-old      and nothing is left of the keys before it",
    );
    type Answer = NewKey;

    fn run(self, caller: &Caller<'_>) -> Result<NewKey, Failure> {
        let old_keys = if self.drop_old { OldKeys::Drop } else { OldKeys::Keep };
        Ok(NewKey::new(caller.memory.rekey(self.protect, old_keys)?))
    }
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewKey {
    ok: bool,
    notes: usize,
    recipient: String,
    old_keys: usize,
    left: Vec<ClosedNote>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ClosedNote {
    path: String,
    why: String,
}

impl NewKey {
    fn new(rekeyed: Rekeyed) -> Self {
        let Rekeyed { notes, recipient, old_keys, left } = rekeyed;
        let left: Vec<ClosedNote> = left.into_iter().map(|(path, why)| ClosedNote { path, why }).collect();
        Self { ok: left.is_empty(), notes, recipient, old_keys, left }
    }
}

impl Answer for NewKey {
    fn shown(&self, _: &Page<'_>) -> Shown {
        let Self { ok, notes, recipient, old_keys, left } = self;
        let kept = count(*old_keys, "old key");
        let kept = format!("The key file keeps {kept} for notes of other workspaces and of backups");
        // Whoever reads the JSON would lose the notes with the key file, too.
        let copy = "Keep a copy of the key file elsewhere: copies of the one before do not open these notes";
        let closed = left.iter().map(|ClosedNote { path, why }| format!("{path} was left as it is: {why}"));
        Shown {
            text: format!("✓ {} encrypted for the new key {recipient}\n", count(*notes, "note")),
            notices: closed.chain([copy.to_owned()]).collect(),
            remarks: (*old_keys > 0).then_some(kept).into_iter().collect(),
            is_incomplete: !ok,
            ..Shown::default()
        }
    }
}
