//! The kinds of text that can be searched.

/// A note, or a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    Memory,
    Sessions,
}

impl Source {
    pub const ALL: [Self; 2] = [Self::Memory, Self::Sessions];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Sessions => "sessions",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.as_str() == text)
    }
}
