//! Settings that are one word of a list.

use serde::Deserialize;

use crate::declare::Field;
use crate::error::Error;
use crate::kind::Kind;
use crate::reader::SettingReader;

/// A closed set of words, which is the same for the check and for the parser.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal),+ $(,)? })+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
        pub enum $name {
            $($(#[$note])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl Field for $name {
            const KIND: Kind = Kind::OneOf(&[$($word),+]);
            fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
                reader.value(key)
            }
        }
    )+ };
}

words! {
    /// How two ranked lists become one.
    Fusion {
        Weighted = "weighted",
        /// Reciprocal ranks.
        Rrf = "rrf",
    }

    /// What compares vectors.
    Engine {
        Scan = "scan",
        SqliteVec = "sqlite-vec",
    }

    /// What keeps the index.
    BackendName {
        Builtin = "builtin",
        /// The same, by its own name.
        Sqlite = "sqlite",
        Postgres = "postgres",
        LanceDb = "lancedb",
        Qmd = "qmd",
    }

    /// How QMD searches.
    QmdMode {
        /// By words.
        Search = "search",
        /// By meaning.
        Vsearch = "vsearch",
        /// By both, compared once more by a model.
        Query = "query",
    }

    /// Whether a snippet ends with its source.
    Citations {
        /// In direct chats only.
        Auto = "auto",
        On = "on",
        Off = "off",
    }

    /// When old results of tools are shortened.
    Pruning {
        Off = "off",
        /// When the provider's cache of the conversation has expired, so that nothing is lost by changing it.
        CacheTtl = "cache-ttl",
        Always = "always",
    }
}

impl BackendName {
    /// Whether the index is a file of the built-in engine. QMD only searches; everything else about the notes is in that
    /// file.
    pub fn is_file(self) -> bool {
        match self {
            Self::Builtin | Self::Sqlite | Self::Qmd => true,
            Self::Postgres | Self::LanceDb => false,
        }
    }
}
