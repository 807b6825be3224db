//! The file with weights and vocabulary, laid out by `assets/make_table.py`, as typed sections.
//!
//! The layout is checked while the program is compiled; a file that does not fit does not build.

use super::TokenId;

pub(super) const DIMS: usize = 256;
pub(super) const TOKENS: usize = number(16);
/// Bytes of the longest spelling.
pub(super) const LONGEST: usize = number(24);

const SLOTS: usize = number(20);
const EMPTY: u32 = u32::MAX;
const CONTINUES: u32 = 1 << 31;

/// Rows start on cache lines.
#[repr(C, align(64))]
struct AlignedBytes<Bytes: ?Sized>(Bytes);

static FILE: &AlignedBytes<[u8]> = &AlignedBytes(*include_bytes!("../../assets/potion-base-8M.bin"));

pub(super) static TABLE: Table = Table::parse();

/// The sections of the file. Numbers are little-endian bytes, which are read in place on any machine.
pub(super) struct Table {
    pub(super) fingerprint: &'static str,
    rows: &'static [[u8; DIMS]],
    measures: &'static [[u8; 8]],
    ends: &'static [[u8; 4]],
    spellings: &'static [u8],
    slots: &'static [[u8; 4]],
    pages: &'static [u8],
    characters: &'static [[u8; 2]],
    replacements: &'static [u8],
}

impl Table {
    const fn parse() -> Self {
        assert!(number(8) == 1 && number(12) == DIMS, "the table has another version or size");
        let table = Self {
            fingerprint: text(bytes(28, 16)),
            rows: chunks(section(0)),
            measures: chunks(section(1)),
            ends: chunks(section(2)),
            spellings: section(3),
            slots: chunks(section(4)),
            pages: section(5),
            characters: chunks(section(6)),
            replacements: section(7),
        };
        assert!(table.rows.len() == TOKENS && table.measures.len() == TOKENS && table.ends.len() == TOKENS);
        assert!(table.slots.len() == SLOTS && SLOTS == 1 << 16 && TOKENS <= u16::MAX as usize);
        table
    }

    /// The weights of a token before scaling, as the bytes of `i8`.
    pub(super) fn row(&self, token: TokenId) -> &'static [u8; DIMS] {
        &self.rows[token.index()]
    }

    /// Scale and inverse norm of a row.
    pub(super) fn measures(&self, token: TokenId) -> (f32, f32) {
        let [a, b, c, d, e, f, g, h] = self.measures[token.index()];
        (f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h]))
    }

    /// The token with this spelling. `hash` must be the hash of both arguments.
    pub(super) fn find(&self, hash: u64, spelling: &[u8], continues: bool) -> Option<TokenId> {
        let tag = (hash >> 32) as u16;
        let mut slot = (hash >> 48) as usize;
        loop {
            let entry = u32::from_le_bytes(self.slots[slot]);
            if entry == EMPTY {
                return None;
            }
            let token = TokenId(entry as u16);
            if (entry >> 16) as u16 == tag && self.spelling(token) == (spelling, continues) {
                return Some(token);
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// How a token is written, and whether it continues a word.
    pub(super) fn spelling(&self, token: TokenId) -> (&'static [u8], bool) {
        let index = token.index();
        let start = if index == 0 { 0 } else { self.end(index - 1) & !CONTINUES };
        let end = self.end(index);
        (&self.spellings[start as usize..(end & !CONTINUES) as usize], end & CONTINUES != 0)
    }

    fn end(&self, index: usize) -> u32 {
        u32::from_le_bytes(self.ends[index])
    }

    /// What the normaliser does with a character; see `characters`.
    pub(super) fn character(&self, character: char) -> u16 {
        let point = character as usize;
        let page = usize::from(self.pages[point / 256]);
        u16::from_le_bytes(self.characters[page * 256 + point % 256])
    }

    /// The text that stands at an offset of the replacements, after its length.
    pub(super) fn replacement(&self, offset: u16) -> &'static str {
        let (length, rest) = self.replacements[usize::from(offset)..].split_at(1);
        text(&rest[..usize::from(length[0])])
    }
}

const fn section(index: usize) -> &'static [u8] {
    bytes(number(44 + 8 * index), number(48 + 8 * index))
}

const fn bytes(offset: usize, length: usize) -> &'static [u8] {
    FILE.0.split_at(offset).1.split_at(length).0
}

const fn number(offset: usize) -> usize {
    u32::from_le_bytes(chunks(bytes(offset, 4))[0]) as usize
}

const fn chunks<const N: usize>(bytes: &'static [u8]) -> &'static [[u8; N]] {
    let (chunks, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "a section is cut off");
    chunks
}

pub(super) const fn text(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the table has text that is not UTF-8"),
    }
}
