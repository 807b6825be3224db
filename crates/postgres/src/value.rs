//! Parameters with their PostgreSQL types, so that a statement that runs once needs no preparation and takes a single round
//! trip.

use std::borrow::Cow;
use std::error::Error;

use postgres::types::{FromSql, ToSql, Type};

pub(crate) trait Value: ToSql + Sync {
    fn kind(&self) -> Type;
}

/// A value that can also be an array's element.
pub(crate) trait Element: ToSql + Sync {
    const ONE: Type;
    const MANY: Type;
}

macro_rules! elements {
    ($($rust:ty => $one:ident, $many:ident;)*) => {$(
        impl Element for $rust {
            const ONE: Type = Type::$one;
            const MANY: Type = Type::$many;
        }
        impl Value for $rust {
            fn kind(&self) -> Type {
                Type::$one
            }
        }
    )*};
}

elements! {
    bool => BOOL, BOOL_ARRAY;
    i16 => INT2, INT2_ARRAY;
    i32 => INT4, INT4_ARRAY;
    i64 => INT8, INT8_ARRAY;
    f32 => FLOAT4, FLOAT4_ARRAY;
    String => TEXT, TEXT_ARRAY;
    &str => TEXT, TEXT_ARRAY;
    Cow<'_, str> => TEXT, TEXT_ARRAY;
}

impl Element for Vec<u8> {
    const ONE: Type = Type::BYTEA;
    const MANY: Type = Type::BYTEA_ARRAY;
}

impl<E: Element> Element for Option<E> {
    const ONE: Type = E::ONE;
    const MANY: Type = E::MANY;
}

impl<E: Element> Value for Option<E> {
    fn kind(&self) -> Type {
        E::ONE
    }
}

impl<E: Element> Value for Vec<E> {
    fn kind(&self) -> Type {
        E::MANY
    }
}

impl<E: Element> Value for &[E] {
    fn kind(&self) -> Type {
        E::MANY
    }
}

/// Quotes a text for a statement without parameters.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Quotes an identifier.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A vector, read from pgvector's binary form or from an array.
pub(crate) struct Floats(pub(crate) Vec<f32>);

impl<'a> FromSql<'a> for Floats {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        if *kind != Type::BYTEA {
            return Vec::from_sql(kind, raw).map(Self);
        }
        // A count and two unused bytes come first.
        let (values, rest) = raw.get(4..).unwrap_or_default().as_chunks::<4>();
        let dims = raw.first_chunk::<2>().map(|dims| usize::from(u16::from_be_bytes(*dims)));
        if dims != Some(values.len()) || !rest.is_empty() {
            return Err("a vector is cut off".into());
        }
        Ok(Self(values.iter().map(|value| f32::from_be_bytes(*value)).collect()))
    }

    fn accepts(kind: &Type) -> bool {
        *kind == Type::BYTEA || *kind == Type::FLOAT4_ARRAY
    }
}

/// How the tables store vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vectors {
    /// As arrays that nothing compares: there is no pgvector.
    Kept,
    /// As arrays: pgvector was installed after the tables were created.
    Arrays,
    /// As pgvector's own type.
    Native,
}

impl Vectors {
    /// The expression for the vector of a row `v` that [`Floats`] can read.
    pub(crate) fn column(self) -> &'static str {
        match self {
            Self::Kept | Self::Arrays => "v.embedding::real[]",
            Self::Native => "vector_send(v.embedding)",
        }
    }
}
