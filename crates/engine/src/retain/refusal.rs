//! Values that may not be stored again. Every way into the memory asks here before it writes.

use crate::error::Error;
use crate::memory::Memory;

impl Memory {
    /// An error if a text of another program was forgotten on request, or if the policy forbids to store it.
    pub(crate) fn ask_import(&self, what: &str, text: &str) -> Result<(), Error> {
        self.ask_refusal(text)?;
        self.policy.admit(what, text)
    }

    /// An error if what the text says was forgotten on request. There is no list of such requests yet, so that nothing
    /// is refused.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the list of requests belongs to the memory"
    )]
    pub(crate) fn ask_refusal(&self, _text: &str) -> Result<(), Error> {
        Ok(())
    }
}
