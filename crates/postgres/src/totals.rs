//! What rows count for in the numbers that are kept of them, so that nobody has to count.

use mindfile_index::StoredChunk;

use crate::codec;

/// Rows of one shelf, source and origin.
pub(crate) type Kin = (i16, i16, i16);

pub(crate) fn kin(chunk: &StoredChunk) -> Kin {
    (codec::shelf(chunk.doc.shelf), codec::source(chunk.source), codec::origin(chunk.origin))
}
