//! How a setting is declared: one field, with its documentation, its default and its key.
//!
//! ```text
//! /// The most results that a search returns.
//! max_results: usize = 6, "query.maxResults", 1..=1_000;
//! ```
//!
//! The type says what values are allowed where the row does not. `as f` reads a field by a function, `=> f` takes it from
//! the surroundings, and a field with nothing but a type is a group of settings.

use std::path::PathBuf;
use std::time::Duration;

use mindfile_model::provider::Secret;
use mindfile_model::provider::chat::ChatProtocol;
use serde_json::Value;

use crate::error::Error;
use crate::key::Key;
use crate::kind::{Kind, span};
use crate::reader::SettingReader;

/// Declares groups of settings.
macro_rules! settings {
    ($(
        $(#[doc = $about:literal])*
        $vis:vis struct $name:ident {
            $( $(#[doc = $doc:literal])* $field:ident: $ty:ty $(as $make:ident)? $(=> $fact:ident)?
                $(= $default:tt, $path:literal $(, $kind:expr)? $(=> $effect:expr)?)?; )*
        }
    )*) => { $(
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name { $(
            $(#[doc = $doc])*
            #[cfg_attr(feature = "readers", deprecated)]
            $vis $field: $ty,
        )* }

        impl $crate::declare::Group for $name {
            fn declare(keys: &mut Vec<$crate::key::Key>) {
                $( $crate::declare::row!(declare keys, $ty, (concat!(stringify!($name), "::", stringify!($field)), concat!($($doc),*)),
                    [$($make)? $($fact)?] [$($path, $default $(, $kind)? $(=> $effect)?)?]); )*
            }

            fn read(reader: &$crate::reader::SettingReader<'_>) -> Result<Self, $crate::error::Error> {
                Ok(Self { $( $field: $crate::declare::row!(read reader, $ty, [$($make)?] [$($path)?] $($fact)?), )* })
            }
        }
    )* };
}

/// One field of a group.
macro_rules! row {
    (declare $keys:ident, $ty:ty, $words:expr, [] []) => { <$ty as $crate::declare::Group>::declare($keys) };
    (declare $keys:ident, $ty:ty, $words:expr, [$make:ident] []) => {};
    (declare $keys:ident, $ty:ty, $words:expr, $make:tt [$path:literal, $default:tt $(=> $effect:expr)?]) => {
        $crate::declare::row!(declare $keys, $ty, $words, $make
            [$path, $default, <$ty as $crate::declare::Field>::KIND $(=> $effect)?])
    };
    (declare $keys:ident, $ty:ty, $words:expr, $make:tt [$path:literal, $default:tt, $kind:expr]) => {
        $crate::declare::row!(declare $keys, $ty, $words, $make
            [$path, $default, $kind => $crate::key::Effect::Used])
    };
    (declare $keys:ident, $ty:ty, $words:expr, $make:tt [$path:literal, $default:tt, $kind:expr => $effect:expr]) => {
        $keys.push($crate::key::Key::new($path, $words.0, $kind.into(), serde_json::json!($default), $words.1, $effect))
    };
    (read $reader:ident, $ty:ty, [] [] $fact:ident) => { $fact($reader) };
    (read $reader:ident, $ty:ty, [] []) => { <$ty as $crate::declare::Group>::read($reader)? };
    (read $reader:ident, $ty:ty, [$make:ident] []) => { $make($reader, "")? };
    (read $reader:ident, $ty:ty, [$make:ident] [$path:literal]) => { $make($reader, $path)? };
    (read $reader:ident, $ty:ty, [] [$path:literal]) => {
        <$ty as $crate::declare::Field>::read($reader, $path)?
    };
}

pub(crate) use {row, settings};

/// Settings that stand together.
pub(crate) trait Group: Sized {
    fn declare(keys: &mut Vec<Key>);
    fn read(reader: &SettingReader<'_>) -> Result<Self, Error>;
}

/// What a setting can be.
pub(crate) trait Field: Sized {
    /// What is allowed where the declaration says nothing else.
    const KIND: Kind;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error>;
}

macro_rules! plain {
    ($($ty:ty: $kind:expr),+ $(,)?) => { $(
        impl Field for $ty {
            const KIND: Kind = $kind;
            fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
                reader.value(key)
            }
        }
    )+ };
}

const WHOLE: Kind = Kind::Whole { min: 0, max: u64::MAX };
const NUMBER: Kind = Kind::Number { min: f64::MIN, max: f64::MAX };

plain! {
    bool: Kind::FLAG, u16: WHOLE, u32: WHOLE, u64: WHOLE, usize: WHOLE, f32: NUMBER, f64: NUMBER,
    Option<u32>: WHOLE, Option<usize>: WHOLE, Option<f64>: NUMBER,
    String: Kind::TEXT, Option<String>: Kind::TEXT, Vec<String>: Kind::TEXTS, Option<Vec<String>>: Kind::COMMAND,
    Value: Kind::OBJECT,
}

/// Read elsewhere, or not at all.
impl Field for () {
    const KIND: Kind = Kind::FLAG;
    fn read(_: &SettingReader<'_>, _: &str) -> Result<Self, Error> {
        Ok(())
    }
}

impl Field for PathBuf {
    const KIND: Kind = Kind::PATH;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        reader.path(&reader.value::<String>(key)?, key)
    }
}

impl Field for Option<PathBuf> {
    const KIND: Kind = Kind::PATH;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        reader.value::<Option<String>>(key)?.map(|text| reader.path(&text, key)).transpose()
    }
}

/// The end of the key says the unit of a number; a text has it in itself.
impl Field for Duration {
    const KIND: Kind = Kind::SPAN;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        let bug = || Error::Table { reason: format!("{key} is no time") };
        let value: Value = reader.value(key)?;
        let time = match value.as_u64() {
            None => value.as_str().and_then(span),
            Some(time) if key.ends_with("Ms") => Some(Self::from_millis(time)),
            Some(time) if key.ends_with("Seconds") => Some(Self::from_secs(time)),
            Some(time) if key.ends_with("Minutes") => Some(Self::from_secs(time * 60)),
            Some(_) => None,
        };
        time.ok_or_else(bug)
    }
}

/// No time at all means never.
impl Field for Option<Duration> {
    const KIND: Kind = Kind::SPAN;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        Ok(Some(Duration::read(reader, key)?).filter(|time| !time.is_zero()))
    }
}

impl Field for Option<Secret> {
    const KIND: Kind = Kind::SECRET;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        reader.secret(key)
    }
}

impl Field for Vec<(String, Secret)> {
    const KIND: Kind = Kind::SECRETS;
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        reader.secrets(key)
    }
}

impl Field for ChatProtocol {
    const KIND: Kind = Kind::OneOf(&["openai", "anthropic"]);
    fn read(reader: &SettingReader<'_>, key: &str) -> Result<Self, Error> {
        let name: String = reader.value(key)?;
        Self::parse(&name).ok_or_else(|| Error::Table { reason: format!("{key} is {name}") })
    }
}
