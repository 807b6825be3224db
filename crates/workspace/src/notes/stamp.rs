//! A digest over the names and states of notes that changes when any of them does.

use std::fmt;

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

/// A digest over names and states in one order; the same on every run and machine of one word order. It detects change, it
/// does not resist someone who seeks a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stamp {
    low: u64,
    high: u64,
}

/// Odd numbers with as many ones as zeros.
const KEY: u64 = 0xe703_7ed1_a0b4_28db;
const LOW: u64 = 0xa076_1d64_78bd_642f;
const HIGH: u64 = 0x8ebc_6af0_9c88_c6e3;

impl Stamp {
    pub(super) fn add_name(&mut self, name: &str) {
        let mut words = name.as_bytes().chunks_exact(8);
        words.by_ref().for_each(|word| self.add(word_of(word), KEY));
        self.add(word_of(words.remainder()), name.len() as u64);
    }

    pub(super) fn add_state(&mut self, stat: &Stat) {
        let times = fold(stat.mtime_ns.cast_unsigned() ^ KEY, stat.ctime_ns.cast_unsigned() ^ LOW);
        self.add(times, fold(stat.size ^ HIGH, stat.inode ^ KEY));
    }

    /// The halves do not wait for each other.
    fn add(&mut self, one: u64, other: u64) {
        self.low = fold(self.low ^ one, LOW).wrapping_add(other);
        self.high = fold(self.high ^ other, HIGH).wrapping_add(one);
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.high, self.low)
    }
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
