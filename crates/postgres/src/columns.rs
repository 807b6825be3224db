//! Many rows as parameters of one statement, an array for each column.

use crate::value::Value;

/// Arrays of column values, in the order of the statement's parameters.
#[derive(Default)]
pub(crate) struct Columns(Vec<Box<dyn Value>>);

impl Columns {
    pub(crate) fn with<V: Value + 'static>(mut self, column: V) -> Self {
        self.0.push(Box::new(column));
        self
    }

    pub(crate) fn values(&self) -> Vec<&dyn Value> {
        self.0.iter().map(|column| &**column).collect()
    }
}
