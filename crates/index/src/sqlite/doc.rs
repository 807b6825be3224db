//! Row numbers as SQL values.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};

use crate::codec;
use crate::record::Doc;

impl FromSql for Doc {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        i64::column_result(value).map(codec::to_doc)
    }
}

impl ToSql for Doc {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(codec::doc(*self).into())
    }
}
