//! The encoding of posting blocks. A block holds the occurrences of one term among entries of one shelf, source and origin, in
//! ascending order. Each occurrence is three varints: the distance from the previous entry, the term's count and the entry's
//! length, so that ranking needs nothing else.

use mindfile_index::codec::{put_number, take_number};

/// One entry that has the term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Posting {
    pub(crate) doc: i64,
    pub(crate) count: u32,
    pub(crate) length: u32,
}

/// Some of a term's postings: one row of the table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) first: i64,
    pub(crate) rows: i32,
    pub(crate) bytes: Vec<u8>,
}

/// The size at which a block is full: a row stays within its page, and removing an entry rewrites no more than this.
pub(crate) const FULL: usize = 1_800;

/// Splits postings, which must be in ascending order, into blocks.
pub(crate) fn cut(postings: &[Posting]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut before = 0;
    for posting in postings {
        let block = match blocks.last_mut().filter(|block| block.bytes.len() < FULL) {
            Some(block) => block,
            None => {
                before = posting.doc;
                blocks.push(Block { first: posting.doc, rows: 0, bytes: Vec::new() });
                let Some(block) = blocks.last_mut() else { continue };
                block
            }
        };
        put_number(&mut block.bytes, (posting.doc - before).unsigned_abs());
        put_number(&mut block.bytes, posting.count.into());
        put_number(&mut block.bytes, posting.length.into());
        block.rows += 1;
        before = posting.doc;
    }
    blocks
}

/// Appends the postings of a block; `None` if its bytes do not encode exactly `rows` of them.
pub(crate) fn read(first: i64, rows: i32, mut bytes: &[u8], into: &mut Vec<Posting>) -> Option<()> {
    let mut doc = first;
    for row in 0..rows {
        let step = take_number(&mut bytes)?;
        let known = if row == 0 { step == 0 } else { step > 0 };
        doc = doc.checked_add(i64::try_from(step).ok().filter(|_| known)?)?;
        let count = u32::try_from(take_number(&mut bytes)?).ok()?;
        let length = u32::try_from(take_number(&mut bytes)?).ok()?;
        into.push(Posting { doc, count, length });
    }
    (bytes.is_empty() && rows > 0).then_some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn postings() -> impl Strategy<Value = Vec<Posting>> {
        let one = (1_i64..1_000_000, 1_u32.., any::<u32>());
        prop::collection::vec(one, 0..2_000).prop_map(|steps| {
            let mut doc = 1_000_000_000;
            let posting = |(step, count, length)| {
                doc += step;
                Posting { doc, count, length }
            };
            steps.into_iter().map(posting).collect()
        })
    }

    proptest! {
        #[test]
        fn what_was_cut_into_blocks_is_read_again(postings in postings()) {
            let mut read_again = Vec::new();
            for block in cut(&postings) {
                prop_assert!(block.bytes.len() < FULL + 3 * 10);
                let begun = read_again.len();
                prop_assert!(read(block.first, block.rows, &block.bytes, &mut read_again).is_some());
                prop_assert_eq!(read_again[begun].doc, block.first);
            }
            prop_assert_eq!(read_again, postings);
        }

        #[test]
        fn any_bytes_are_a_block_or_none(first: i64, rows in -2_i32..40, bytes: Vec<u8>) {
            let mut found = Vec::new();
            if read(first, rows, &bytes, &mut found).is_some() {
                let blocks = cut(&found);
                prop_assert_eq!(found.len(), usize::try_from(rows).unwrap());
                prop_assert_eq!(blocks[0].first, first);
            }
        }
    }
}
