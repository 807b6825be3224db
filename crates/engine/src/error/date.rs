//! Why a text is no day.

use mindfile_fault::Hint;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a date or a duration")]
pub struct NotADate {
    pub text: String,
}

impl NotADate {
    pub fn hint(&self) -> Hint {
        "write 2026-07-14, or a duration such as 30d, 6w or 12h".into()
    }
}
