//! The byte sequences of `o200k_base` with their ranks, laid out by `assets/make_tokens.py` and read where they lie.

/// Bytes of the longest sequence.
const LONGEST: usize = 128;
const RANK: usize = 3;

static FILE: &[u8] = include_bytes!("../../assets/o200k-base.bin");
static STARTS: [Start; LONGEST + 1] = starts();

/// Where the sequences of one length begin: their number in the order of the file, and the byte.
#[derive(Clone, Copy)]
struct Start {
    number: usize,
    byte: usize,
}

const fn starts() -> [Start; LONGEST + 1] {
    let mut starts = [Start { number: 0, byte: LONGEST * 4 }; LONGEST + 1];
    let mut length = 1;
    while length <= LONGEST {
        let at = (length - 1) * 4;
        let count = u32::from_le_bytes([FILE[at], FILE[at + 1], FILE[at + 2], FILE[at + 3]]) as usize;
        let before = starts[length - 1];
        starts[length] = Start { number: before.number + count, byte: before.byte + count * length };
        length += 1;
    }
    let end = starts[LONGEST];
    assert!(FILE.len() == end.byte + end.number * RANK, "the table has another layout");
    starts
}

/// The rank of a sequence, which is merged the sooner the lower it is.
pub(super) fn rank(sequence: &[u8]) -> Option<u32> {
    let length = sequence.len();
    let (first, next) = (STARTS.get(length.checked_sub(1)?)?, STARTS.get(length)?);
    let (mut low, mut high) = (0, next.number - first.number);
    while low < high {
        let middle = low.midpoint(high);
        let at = first.byte + middle * length;
        match FILE[at..at + length].cmp(sequence) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let at = STARTS[LONGEST].byte + (first.number + middle) * RANK;
                return Some(u32::from_le_bytes([FILE[at], FILE[at + 1], FILE[at + 2], 0]));
            }
        }
    }
    None
}
