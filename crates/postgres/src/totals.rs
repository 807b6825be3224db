//! The kinds of rows that are counted as they come and go.

use mindfile_index::StoredChunk;

use crate::codec;

/// Shelf, source and origin.
pub(crate) type Kin = (i16, i16, i16);

pub(crate) fn kin(chunk: &StoredChunk) -> Kin {
    (codec::shelf(chunk.doc.shelf), codec::source(chunk.source), codec::origin(chunk.origin))
}
