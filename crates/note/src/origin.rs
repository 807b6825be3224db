//! Whose word a text is. The door it came through decides, when it is written; nothing in the text can change it.

/// From the least trusted to the most: what is made of several texts has the lowest of their origins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A web page, a tool's result, an imported text: kept, and found by whoever asks for it.
    Untrusted,
    /// The model that works for the owner.
    Agent,
    /// The person whose memory it is.
    Owner,
    /// This program's own words: headings and markers. Nothing comes through a door as this.
    System,
}

impl Origin {
    pub const ALL: [Self; 4] = [Self::Untrusted, Self::Agent, Self::Owner, Self::System];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Untrusted => "untrusted",
            Self::Agent => "agent",
            Self::Owner => "owner",
            Self::System => "system",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == text)
    }

    /// Whether it may be used without asking for it explicitly.
    pub fn is_trusted(self) -> bool {
        self > Self::Untrusted
    }

    /// The origin of a text made of others: the lowest; the program's own for a text made of nothing.
    pub fn lowest(origins: impl IntoIterator<Item = Self>) -> Self {
        origins.into_iter().min().unwrap_or(Self::System)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_origin_wins() {
        use Origin::{Agent, Owner, System, Untrusted};
        assert_eq!(Origin::lowest([Owner, Untrusted, System]), Untrusted);
        assert_eq!(Origin::lowest([Owner, Agent]), Agent);
        assert_eq!(Origin::lowest([System, Owner]), Owner);
        assert_eq!(Origin::lowest([]), System);
        assert!(!Untrusted.is_trusted() && Agent.is_trusted());
    }

    #[test]
    fn an_origin_is_read_as_it_is_written() {
        for origin in Origin::ALL {
            assert_eq!(Origin::parse(origin.as_str()), Some(origin));
        }
        assert_eq!(Origin::ALL.map(Origin::as_str), ["untrusted", "agent", "owner", "system"]);
        assert_eq!([Origin::parse("Owner"), Origin::parse("")], [None, None]);
    }
}
