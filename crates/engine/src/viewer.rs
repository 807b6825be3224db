//! Who reads: through which door, in what kind of conversation, and whether for a model.
//!
//! Nothing of the index and no line of a transcript is read for somebody but through a [`View`](crate::view::View), and
//! nobody makes a view without a viewer.

use mindfile_trust::speaker::ChatType;
use mindfile_trust::speaker::Door;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewer {
    pub door: Door,
    /// Who reads along.
    pub chat: ChatType,
    /// Whether the answer goes to a model, and so to a provider.
    pub for_model: bool,
}

impl Viewer {
    /// The owner alone at a terminal.
    pub const OWNER: Self = Self { door: Door::Terminal, chat: ChatType::Direct, for_model: false };

    /// A person who comes through a door, with nobody reading along.
    pub fn through(door: Door) -> Self {
        Self { door, chat: ChatType::Direct, for_model: false }
    }

    #[must_use]
    pub fn in_chat(self, chat: ChatType) -> Self {
        Self { chat, ..self }
    }

    #[must_use]
    pub fn for_model(self) -> Self {
        Self { for_model: true, ..self }
    }

    /// Whether the owner reads it, who knows every name in the memory; a program may work for one of several people.
    pub fn is_owner(self) -> bool {
        self.door.is_owner() && !self.for_model
    }

    /// Private notes are for their owner alone: no group reads them, and no provider.
    pub fn sees_private_notes(self) -> bool {
        self.is_owner() && self.chat.is_private()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_notes_are_for_their_owner_alone() {
        assert!(Viewer::OWNER.sees_private_notes());
        assert!(!Viewer::OWNER.in_chat(ChatType::Group).sees_private_notes());
        assert!(!Viewer::OWNER.for_model().sees_private_notes());
        for door in Door::ALL.into_iter().filter(|door| *door != Door::Terminal) {
            assert!(!Viewer::through(door).sees_private_notes(), "{door}");
        }
    }
}
