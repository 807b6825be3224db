//! Values as people and programs write them: closed sets of words, and texts that a command line has as several words.

use std::borrow::Cow;
use std::str::FromStr;

use clap::ValueEnum;
use mindfile::{fact, origin, recall, search, session};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// A closed set of words, each with the library's value that it means.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident means $theirs:ty { $($word:literal $(($($more:tt)+))? = $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, ValueEnum)]
        pub enum $name {
            $(#[serde(rename = $word)] #[value(name = $word $(, $($more)+)?)] $variant),+
        }

        impl From<$name> for $theirs {
            fn from(word: $name) -> Self {
                match word {
                    $($name::$variant => Self::$variant),+
                }
            }
        }
    };
}

words!(
    /// By words and meaning, by words alone, or by meaning alone.
    Mode means search::Mode { "hybrid" = Hybrid, "keyword" = Keyword, "vector" = Vector }
);

words!(
    /// Notes, or transcripts of conversations.
    Source means mindfile::Source { "memory" = Memory, "sessions" = Sessions }
);

words!(
    /// W world fact, B experience, O opinion or preference, S summary.
    Kind means fact::Kind {
        "W" (alias = "world") = World,
        "B" (alias = "experience") = Experience,
        "O" (alias = "opinion") = Opinion,
        "S" (alias = "summary") = Summary,
    }
);

words!(Sensitivity means fact::Sensitivity { "low" = Low, "medium" = Medium, "high" = High });

words!(
    /// Whether a fact holds today.
    State means fact::State {
        "current" = Current,
        "later" = Later,
        "expired" = Expired,
        "superseded" = Superseded,
        "proposed" = Proposed,
    }
);

words!(
    /// What comes first.
    Order means fact::Order {
        "newest" = Newest,
        "oldest" = Oldest,
        "salience" = Salience,
        "use" = Use,
        "text" = Text,
    }
);

words!(
    /// How facts are put in order: by match with a bounded bonus, or by a fixed sum.
    Scorer means recall::Scorer {
        "gated" (help = "What matches, times a bounded bonus for salience and use") = Gated,
        "additive" (help = "0.4 match + 0.35 salience + 0.25 use") = Additive,
    }
);

words!(
    /// Who said it.
    Role means session::Role { "user" = User, "assistant" = Assistant, "tool" = Tool, "system" = System }
);

words!(
    /// Who reads along. In a group, a channel or a room MEMORY.md is never given.
    Chat means session::ChatType { "direct" = Direct, "group" = Group, "channel" = Channel, "room" = Room }
);

words!(
    /// Whose word it is.
    Origin means origin::Origin { "owner" = Owner, "agent" = Agent, "untrusted" = Untrusted }
);

words!(
    /// Whose word, of those below the owner's.
    Below means origin::Origin { "untrusted" = Untrusted, "agent" = Agent }
);

/// Texts of a form that a schema can tell.
macro_rules! forms {
    ($($(#[$meta:meta])* $name:ident = $pattern:expr;)+) => {
        $(
            $(#[$meta])*
            pub(crate) struct $name;

            impl JsonSchema for $name {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!({"type": "string", "pattern": $pattern})
                }
            }
        )+
    };
}

/// Every day of the calendar, as YYYY-MM-DD.
macro_rules! a_day {
    () => {
        concat!(
            "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|[0-9]{4}-(0[13-9]|1[0-2])-(29|30)",
            "|[0-9]{4}-(0[13578]|1[02])-31",
            "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29",
        )
    };
}

forms!(
    /// A day, or a time before today.
    WhenForm = concat!("^(", a_day!(), "|[0-9]{1,3}(h|d|w|mo|y))$");
    /// The same twice, with two dots between them.
    SpanForm = concat!("^(", a_day!(), "|[0-9]{1,3}(h|d|w|mo|y))(\\.\\.(", a_day!(), "|[0-9]{1,3}(h|d|w|mo|y))?)?$");
    DayForm = concat!("^(", a_day!(), ")$");
    /// How long something holds, or its last day.
    LifetimeForm = concat!("^(", a_day!(), "|[1-9][0-9]{0,2}(h|d|w|mo|y))$");
    SaidForm = "[^\\s\\x00-\\x1f\\x7f-\\x9f]";
    /// A letter or a digit, so that there is a word.
    WordForm = "[^\\W_]";
    SessionForm = "^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$";
    FactIdForm = "^[A-Za-z0-9-]{1,64}$";
    /// At most 200 bytes, of up to four in a character.
    KeyForm = "^[!-~]{1,200}$|^[^\\s\\x00-\\x1f\\x7f-\\x9f]{1,50}$";
    SourceForm = "^[^\\s\\x00-\\x1f\\x7f-\\x9f:]+:[^\\s\\x00-\\x1f\\x7f-\\x9f]+$";
    PlaceForm = "^.+#L[1-9][0-9]{0,5}$";
    NoteForm = "\\.md$";
    HeadForm = "^[0-9]{1,18}:[0-9a-f]{64}$";
);

/// A text that a person types as several words, and a program gives as one.
pub(crate) fn one_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(vec![String::deserialize(deserializer)?])
}

/// How much a fact matters. A person may leave it to the program in so many words: auto.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(from = "f32")]
pub struct Salience(pub Option<f32>);

impl From<f32> for Salience {
    fn from(value: f32) -> Self {
        Self(Some(value))
    }
}

impl FromStr for Salience {
    type Err = std::num::ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(if text == "auto" { None } else { Some(text.parse()?) }))
    }
}
