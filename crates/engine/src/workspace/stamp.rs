//! One value that says whether anything changed: a digest over the names and states of all notes.

use std::fmt;
use std::str::FromStr;

/// The state of a file by which a change is suspected. `ctime` and the inode catch what a set-back `mtime` hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub size: u64,
    pub inode: u64,
}

impl Stat {
    pub(super) fn of(stat: &rustix::fs::Stat) -> Self {
        Self {
            mtime_ns: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
            ctime_ns: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
            size: wide(stat.st_size),
            inode: stat.st_ino,
        }
    }

    pub(super) fn newest_ns(&self) -> i64 {
        self.mtime_ns.max(self.ctime_ns)
    }
}

fn nanoseconds(seconds: impl TryInto<i64>, rest: impl TryInto<i64>) -> i64 {
    let seconds = seconds.try_into().unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(rest.try_into().unwrap_or(0))
}

/// A number of `stat`, whose width and sign differ between platforms.
pub(super) fn wide(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(0)
}

/// Order-independent digest over `(path, mtime, ctime, size, inode)` of all files; the same on every run and machine
/// of one word order. It detects change, it does not resist someone who seeks a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp(u128);

impl Stamp {
    pub fn as_u128(self) -> u128 {
        self.0
    }

    pub fn from_u128(value: u128) -> Self {
        Self(value)
    }

    /// A folder's times tell whether its list of names changed; its size and inode say nothing more.
    pub(super) fn add_folder(&mut self, path: &str, stat: &Stat) {
        self.add(&format!("{path}/"), stat);
    }

    pub(super) fn add(&mut self, path: &str, stat: &Stat) {
        let low = lane(path, stat, 0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db);
        let high = lane(path, stat, 0x8ebc_6af0_9c88_c6e3, 0x5899_65cc_7537_4cc3);
        self.0 = self.0.wrapping_add(u128::from(high) << 64 | u128::from(low));
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Stamp {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(text, 16).map(Self)
    }
}

fn lane(path: &str, stat: &Stat, seed: u64, key: u64) -> u64 {
    let mut state = seed ^ path.len() as u64;
    let mut words = path.as_bytes().chunks_exact(8);
    for word in &mut words {
        state = fold(state ^ word_of(word), key);
    }
    let times = [stat.mtime_ns.cast_unsigned(), stat.ctime_ns.cast_unsigned()];
    for word in [word_of(words.remainder()), times[0], times[1], stat.size, stat.inode] {
        state = fold(state ^ word, key).wrapping_add(seed);
    }
    fold(state, seed)
}

fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// The 128-bit product, halves combined: each input bit reaches each output bit.
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}
