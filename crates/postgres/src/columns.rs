//! Many rows as values of one statement: an array for each column.

use crate::value::Value;

/// The columns of a table, one array for each: values of a statement in their order.
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
