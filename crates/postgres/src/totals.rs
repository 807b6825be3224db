//! What rows count for in the numbers that are kept of them, so that nobody has to count.

/// Rows of one shelf, source and origin.
pub(crate) type Kin = (i16, i16, i16);

/// What a row counts for in the totals, with its length and whether it has a vector.
pub(crate) struct Counted {
    pub(crate) of: Kin,
    pub(crate) length: i32,
    pub(crate) vector: bool,
}
