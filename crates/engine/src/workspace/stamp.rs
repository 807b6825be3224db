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

/// Odd numbers with as many ones as zeros.
const KEY: u64 = 0xe703_7ed1_a0b4_28db;
const LOW: u64 = 0xa076_1d64_78bd_642f;
const HIGH: u64 = 0x8ebc_6af0_9c88_c6e3;

impl Stamp {
    pub fn as_u128(self) -> u128 {
        self.0
    }

    pub fn from_u128(value: u128) -> Self {
        Self(value)
    }

    /// A folder's times tell whether its list of names changed; its size and inode say nothing more.
    pub(super) fn add_folder(&mut self, path: &str, stat: &Stat) {
        self.add(Place::of(path), "/", stat);
    }

    pub(super) fn add(&mut self, place: Place, name: &str, stat: &Stat) {
        let times = [stat.mtime_ns.cast_unsigned(), stat.ctime_ns.cast_unsigned()];
        let states = [times[0], times[1], stat.size, stat.inode];
        let state = states.into_iter().fold(digest(place.0, name), |state, word| fold(state ^ word, KEY));
        let halves = u128::from(fold(state, HIGH)) << 64 | u128::from(fold(state, LOW));
        self.0 = self.0.wrapping_add(halves);
    }
}

/// The folder of a file: the same for all that stand in it, and reckoned once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u64);

impl Place {
    pub(super) fn of(folder: &str) -> Self {
        Self(digest(LOW, folder.trim_end_matches('/')))
    }

    /// Of a path, and the name in it.
    pub(super) fn split(path: &str) -> (Self, &str) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        (Self::of(folder), name)
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

fn digest(seed: u64, text: &str) -> u64 {
    let mut words = text.as_bytes().chunks_exact(8);
    let state = words.by_ref().fold(seed ^ text.len() as u64, |state, word| fold(state ^ word_of(word), KEY));
    fold(state ^ word_of(words.remainder()), KEY)
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
