//! The ways into a memory, and what each makes of a text.

use mindfile_index::Origin;

use crate::session::Role;

/// Where a text comes in. Whoever opens a memory says it once, with [`Memory::through`](crate::Memory::through);
/// a request has no field for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Door {
    /// A program that uses the library and did not say more.
    #[default]
    Library,
    /// The owner's command line.
    Terminal,
    /// The owner's own files, seen to have changed.
    Watcher,
    /// An agent by the Model Context Protocol.
    Mcp,
    /// A program with a token.
    Http,
    /// A host's hook.
    Hook,
    /// The model of `mindfile chat`, by its tools.
    Chat,
    /// A turn of a conversation.
    Session(Role),
    /// The result of a tool.
    Tool,
    /// Texts of another program.
    Import,
}

impl Door {
    pub const ALL: [Self; 13] = [
        Self::Library,
        Self::Terminal,
        Self::Watcher,
        Self::Mcp,
        Self::Http,
        Self::Hook,
        Self::Chat,
        Self::Session(Role::User),
        Self::Session(Role::Assistant),
        Self::Session(Role::Tool),
        Self::Session(Role::System),
        Self::Tool,
        Self::Import,
    ];

    /// What comes through it can be trusted so far and no further.
    pub fn origin(self) -> Origin {
        match self {
            Self::Terminal | Self::Watcher | Self::Session(Role::User) => Origin::Owner,
            Self::Library | Self::Mcp | Self::Http | Self::Hook | Self::Chat => Origin::Agent,
            // A host's prompt may quote anything; it is no more than the agent's own word.
            Self::Session(Role::Assistant | Role::System) => Origin::Agent,
            Self::Session(Role::Tool) | Self::Tool | Self::Import => Origin::Untrusted,
        }
    }

    /// Whether the owner acts through it, so that trust may be given.
    pub fn is_owner(self) -> bool {
        self == Self::Terminal
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::Terminal => "terminal",
            Self::Watcher => "watcher",
            Self::Mcp => "mcp",
            Self::Http => "http",
            Self::Hook => "hook",
            Self::Chat => "chat",
            Self::Session(Role::User) => "session:user",
            Self::Session(Role::Assistant) => "session:assistant",
            Self::Session(Role::Tool) => "session:tool",
            Self::Session(Role::System) => "session:system",
            Self::Tool => "tool",
            Self::Import => "import",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|door| door.as_str() == text)
    }
}

impl std::fmt::Display for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_door_is_read_as_it_is_written() {
        for door in Door::ALL {
            assert_eq!(Door::parse(door.as_str()), Some(door));
        }
        assert_eq!(Door::parse("owner"), None);
    }

    #[test]
    fn only_the_owners_doors_make_the_owners_word() {
        let owners = Door::ALL.into_iter().filter(|door| door.origin() == Origin::Owner);
        let expected = [Door::Terminal, Door::Watcher, Door::Session(Role::User)];
        assert_eq!(owners.collect::<Vec<_>>(), expected);
        assert!(Door::ALL.into_iter().all(|door| door.origin() < Origin::System));
        assert_eq!(Door::default().origin(), Origin::Agent);
    }
}
