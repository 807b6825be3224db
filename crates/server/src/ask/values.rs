//! Words that stand for the library's own values.

use std::fmt;

use mindfile::session::ChatType;
use mindfile::{fact, recall, search, session};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

/// A closed set of words, each with the library's value that it means.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident means $theirs:ty { $($word:literal = $variant:ident => $value:expr),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant),+
        }

        impl From<$name> for $theirs {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => $value),+
                }
            }
        }
    };
}

words!(
    /// By words and meaning, by words alone, or by meaning alone.
    Mode means search::Mode {
        "hybrid" = Hybrid => Self::Hybrid,
        "keyword" = Keyword => Self::Keyword,
        "vector" = Vector => Self::Vector,
    }
);

words!(
    /// Notes, or transcripts of conversations.
    Source means mindfile::Source {
        "memory" = Memory => Self::Memory,
        "sessions" = Sessions => Self::Sessions,
    }
);

words!(
    /// W world fact, B experience, O opinion or preference, S summary.
    Kind means fact::Kind {
        "W" = World => Self::World,
        "B" = Experience => Self::Experience,
        "O" = Opinion => Self::Opinion,
        "S" = Summary => Self::Summary,
    }
);

words!(
    Sensitivity means fact::Sensitivity {
        "low" = Low => Self::Low,
        "medium" = Medium => Self::Medium,
        "high" = High => Self::High,
    }
);

words!(
    /// Whether a fact holds today.
    State means fact::State {
        "current" = Current => Self::Current,
        "later" = Later => Self::Later,
        "expired" = Expired => Self::Expired,
        "superseded" = Superseded => Self::Superseded,
        "proposed" = Proposed => Self::Proposed,
    }
);

words!(
    /// What comes first.
    Order means fact::Order {
        "newest" = Newest => Self::Newest,
        "salience" = Salience => Self::Salience,
        "use" = Use => Self::Use,
    }
);

words!(
    /// How facts are put in order: by match with a bounded bonus, or by a fixed sum.
    Scorer means recall::Scorer {
        "gated" = Gated => Self::Gated,
        "additive" = Additive => Self::Additive,
    }
);

words!(
    /// Who said it.
    Role means session::Role {
        "user" = User => Self::User,
        "assistant" = Assistant => Self::Assistant,
        "tool" = Tool => Self::Tool,
        "system" = System => Self::System,
    }
);

words!(
    /// Who reads along. In a group or a channel MEMORY.md is never given.
    Chat means ChatType {
        "direct" = Direct => Self::Direct,
        "group" = Group => Self::Group,
        "channel" = Channel => Self::Channel,
    }
);

words!(
    /// Whose word, of those below the owner's.
    Below means mindfile::origin::Origin {
        "untrusted" = Untrusted => Self::Untrusted,
        "agent" = Agent => Self::Agent,
    }
);

/// Names: a list, or in a query string one text with commas between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Names(pub Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of names")
    }

    fn visit_str<E>(self, text: &str) -> Result<Names, E> {
        Ok(Names(text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()))
    }

    fn visit_unit<E>(self) -> Result<Names, E> {
        Ok(Names::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Names, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = items.next_element()? {
            names.push(name);
        }
        Ok(Names(names))
    }
}

impl JsonSchema for Names {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Names".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "array", "items": {"type": "string"}})
    }
}
