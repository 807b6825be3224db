//! Who speaks, who can read along, and how far each way into a memory is trusted.

use jiff::Timestamp;
use mindfile_note::Origin;

/// Where a text comes in. Whoever opens a memory says it once; a request has no field for it.
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

/// Whose turn a text of a conversation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    User,
    Assistant,
    /// The result of a tool.
    Tool,
    System,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::System => "system",
        }
    }

    /// As a transcript spells it.
    pub fn written(self) -> &'static str {
        match self {
            Self::Tool => "toolResult",
            Self::User | Self::Assistant | Self::System => self.as_str(),
        }
    }

    /// As a reader sees it.
    pub fn label(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Assistant => "Assistant",
            Self::Tool => "Tool",
            Self::System => "System",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "user" | "human" => Some(Self::User),
            "assistant" => Some(Self::Assistant),
            "tool" | "toolResult" | "tool_result" | "bashExecution" => Some(Self::Tool),
            "system" | "developer" => Some(Self::System),
            _ => None,
        }
    }
}

/// What somebody says in a conversation, as it is searched and cited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utterance {
    /// Of the transcript.
    pub line: u32,
    pub role: Role,
    pub speaker: Option<String>,
    pub at: Option<Timestamp>,
    /// One line.
    pub text: String,
}

impl Utterance {
    /// `User: …`, or with the name of who spoke.
    pub fn labelled(&self) -> String {
        let who = self.speaker.as_deref().unwrap_or_else(|| self.role.label());
        format!("{who}: {}", self.text)
    }
}

/// Who can read along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ChatType {
    #[default]
    Direct,
    Group,
    Channel,
    Room,
}

impl ChatType {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Group => "group",
            Self::Channel => "channel",
            Self::Room => "room",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "direct" | "dm" | "private" => Some(Self::Direct),
            "group" => Some(Self::Group),
            "channel" => Some(Self::Channel),
            "room" => Some(Self::Room),
            _ => None,
        }
    }

    /// What a host's key of a conversation says, such as `agent:main:telegram:group:42`.
    pub fn of_key(key: &str) -> Self {
        let has = |chat: &Self| key.split(':').any(|part| part.eq_ignore_ascii_case(chat.as_str()));
        [Self::Group, Self::Channel, Self::Room].into_iter().find(has).unwrap_or_default()
    }

    /// The other one where that is not private.
    #[must_use]
    pub fn or_wider(self, other: Self) -> Self {
        if self.is_private() { other } else { self }
    }

    pub fn is_private(self) -> bool {
        self == Self::Direct
    }

    /// Whether such a conversation may be shown this file: long-term memory is for private ones.
    pub fn admits(self, path: &str) -> bool {
        self.is_private() || !path.trim_start_matches("./").eq_ignore_ascii_case("MEMORY.md")
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
    fn every_kind_of_conversation_is_read_as_it_is_written_and_from_a_hosts_key() {
        for chat in [ChatType::Direct, ChatType::Group, ChatType::Channel, ChatType::Room] {
            assert_eq!(ChatType::parse(chat.as_str()), Some(chat));
            assert_eq!(ChatType::of_key(&format!("agent:main:x:{}:7", chat.as_str())), chat);
            assert_eq!(chat.is_private(), chat == ChatType::Direct);
        }
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
