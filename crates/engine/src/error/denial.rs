//! Why something may not be stored, changed or shown, whatever is right about the request.

use mindfile_fault::Hint;
use mindfile_trust::speaker::ChatType;
use mindfile_trust::speaker::Door;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    #[error("what this fact says was forgotten on request ({what}) and is not stored again")]
    Forgotten { what: String },
    #[error("{what} is not stored: the policy's rule \"{rule}\" forbids it")]
    NeverStore { what: String, rule: String },
    #[error("what comes through the door \"{door}\" is not trusted and cannot be written to {path}")]
    NotTrusted { door: Door, path: String, folder: &'static str },
    #[error("only the owner can {what}, at the terminal; this is the door \"{door}\"")]
    NotTheOwner { door: Door, what: &'static str },
    #[error("{id} is the owner's word, and the door \"{door}\" cannot put another in its place")]
    NotItsWord { door: Door, id: String },
    #[error("line {line} of {path} changes a line with a masked value, which would be lost")]
    Masked { path: String, line: u32 },
    #[error("{path} is for private conversations, and this is a {} one", chat.as_str())]
    Private { path: String, chat: ChatType },
}

impl Denial {
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Self::Forgotten { .. } => {
                Some(Hint::say("to let it be stored again: ").run("forget", &[("allow", "TEXT")]))
            }
            Self::NeverStore { .. } => Some(
                Hint::say("leave the value out; `")
                    .run("policy check", &[("text", "TEXT")])
                    .and("` shows what was found"),
            ),
            Self::NotTrusted { folder, .. } => Some(format!("without a file it goes to {folder}").into()),
            Self::Masked { .. } => {
                Some("leave the line as it is shown, or change it in the file itself".into())
            }
            Self::NotTheOwner { .. } | Self::NotItsWord { .. } | Self::Private { .. } => None,
        }
    }
}
