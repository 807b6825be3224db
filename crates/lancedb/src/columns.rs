//! Converts values to and from Arrow's columns.

use std::sync::Arc;

use arrow_array::types::Float32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, FixedSizeListArray, Float32Array, Int32Array, Int64Array, RecordBatch,
    StringArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};

/// The named columns of a batch being built.
#[derive(Default)]
pub(crate) struct Columns(Vec<(Field, ArrayRef)>);

impl Columns {
    fn put(mut self, name: &str, kind: DataType, nullable: bool, values: ArrayRef) -> Self {
        self.0.push((Field::new(name, kind, nullable), values));
        self
    }

    pub(crate) fn long(self, name: &str, values: impl Iterator<Item = i64>) -> Self {
        self.put(name, DataType::Int64, false, Arc::new(Int64Array::from_iter_values(values)))
    }

    pub(crate) fn maybe_long(self, name: &str, values: impl Iterator<Item = Option<i64>>) -> Self {
        self.put(name, DataType::Int64, true, Arc::new(values.collect::<Int64Array>()))
    }

    pub(crate) fn int(self, name: &str, values: impl Iterator<Item: Into<i32>>) -> Self {
        self.put(name, DataType::Int32, false, Arc::new(Int32Array::from_iter_values(values.map(Into::into))))
    }

    pub(crate) fn maybe_int(self, name: &str, values: impl Iterator<Item = Option<i32>>) -> Self {
        self.put(name, DataType::Int32, true, Arc::new(values.collect::<Int32Array>()))
    }

    pub(crate) fn maybe_real(self, name: &str, values: impl Iterator<Item = Option<f32>>) -> Self {
        self.put(name, DataType::Float32, true, Arc::new(values.collect::<Float32Array>()))
    }

    pub(crate) fn text<S: AsRef<str>>(self, name: &str, values: impl Iterator<Item = S>) -> Self {
        self.put(name, DataType::Utf8, false, Arc::new(StringArray::from_iter_values(values)))
    }

    pub(crate) fn maybe_text<S: AsRef<str>>(
        self,
        name: &str,
        values: impl Iterator<Item = Option<S>>,
    ) -> Self {
        self.put(name, DataType::Utf8, true, Arc::new(values.collect::<StringArray>()))
    }

    pub(crate) fn bytes(self, name: &str, values: impl Iterator<Item = Vec<u8>>) -> Self {
        self.put(name, DataType::Binary, false, Arc::new(BinaryArray::from_iter_values(values)))
    }

    pub(crate) fn maybe_bytes(self, name: &str, values: impl Iterator<Item = Option<Vec<u8>>>) -> Self {
        self.put(name, DataType::Binary, true, Arc::new(values.collect::<BinaryArray>()))
    }

    /// Vectors of one length; null where there is none.
    pub(crate) fn vectors<'a>(
        self,
        name: &str,
        dims: usize,
        values: impl Iterator<Item = Option<&'a [f32]>>,
    ) -> Self {
        let whole = |vector: &'a [f32]| vector.iter().map(|value| Some(*value)).collect::<Vec<_>>();
        let dims = i32::try_from(dims).unwrap_or(i32::MAX);
        let all: Vec<Option<Vec<Option<f32>>>> = values.map(|vector| vector.map(whole)).collect();
        let made = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(all, dims);
        self.put(name, vector_type(dims), true, Arc::new(made))
    }

    pub(crate) fn batch(self) -> lancedb::Result<RecordBatch> {
        let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = self.0.into_iter().unzip();
        Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?)
    }
}

fn vector_type(dims: i32) -> DataType {
    DataType::FixedSizeList(Arc::new(Field::new("item", DataType::Float32, true)), dims)
}

/// The schema of the columns for vectors and their codes, to be added to a table.
pub(crate) fn vector_schema(dims: usize) -> Arc<Schema> {
    let kind = vector_type(i32::try_from(dims).unwrap_or(i32::MAX));
    Arc::new(Schema::new(vec![Field::new("vector", kind, true), Field::new("code", DataType::Binary, true)]))
}

/// Reads values of rows. A missing value is `None`; a caller that needs it reports damage.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a>(pub(crate) &'a RecordBatch);

impl<'a> Rows<'a> {
    pub(crate) fn len(self) -> usize {
        self.0.num_rows()
    }

    fn column<A: Array + 'static>(self, name: &str, row: usize) -> Option<&'a A> {
        let column = self.0.column_by_name(name)?.as_any().downcast_ref::<A>()?;
        (row < column.len() && !column.is_null(row)).then_some(column)
    }

    pub(crate) fn long(self, name: &str, row: usize) -> Option<i64> {
        Some(self.column::<Int64Array>(name, row)?.value(row))
    }

    /// The row's place in the table, LanceDB's row id.
    pub(crate) fn place(self, row: usize) -> Option<i64> {
        i64::try_from(self.column::<UInt64Array>("_rowid", row)?.value(row)).ok()
    }

    pub(crate) fn int(self, name: &str, row: usize) -> Option<i32> {
        Some(self.column::<Int32Array>(name, row)?.value(row))
    }

    pub(crate) fn small(self, name: &str, row: usize) -> Option<i16> {
        i16::try_from(self.int(name, row)?).ok()
    }

    pub(crate) fn whole(self, name: &str, row: usize) -> Option<u32> {
        self.int(name, row).map(i32::unsigned_abs)
    }

    pub(crate) fn real(self, name: &str, row: usize) -> Option<f32> {
        Some(self.column::<Float32Array>(name, row)?.value(row))
    }

    pub(crate) fn text(self, name: &str, row: usize) -> Option<&'a str> {
        Some(self.column::<StringArray>(name, row)?.value(row))
    }

    pub(crate) fn bytes(self, name: &str, row: usize) -> Option<&'a [u8]> {
        Some(self.column::<BinaryArray>(name, row)?.value(row))
    }

    pub(crate) fn vector(self, name: &str, row: usize) -> Option<Vec<f32>> {
        let values = self.column::<FixedSizeListArray>(name, row)?.value(row);
        Some(values.as_any().downcast_ref::<Float32Array>()?.values().to_vec())
    }
}
