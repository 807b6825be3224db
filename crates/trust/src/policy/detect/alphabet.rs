//! The characters that keys are made of, and a measure of their randomness.

/// Which bytes may follow a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    Alnum,
    /// Letters and digits, `_` and `-`.
    Word,
    /// Those and `.`.
    Dotted,
    Hex,
    /// Capital letters and digits.
    Upper,
    /// Letters, digits, `+`, `/`, `=`, `_` and `-`.
    Base64,
    /// Those, `=` and `.`.
    DottedPadded,
    /// Letters, digits, `+`, `/`, `=`, `.`, `_` and `-`.
    Base64Path,
    /// Letters, digits and `-`.
    Dashed,
    /// Letters, digits, `.`, `_`, `-` and `~`.
    Tilde,
    /// Letters, digits, `@`, `/` and `-`.
    Webhook,
    /// Letters, digits, `%`, `_` and `-`.
    Escaped,
}

impl Alphabet {
    pub(super) fn has(self, byte: u8) -> bool {
        let also: &[u8] = match self {
            Self::Hex => return byte.is_ascii_hexdigit(),
            Self::Upper => return byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Alnum => b"",
            Self::Word => b"_-",
            Self::Dotted => b"_-.",
            Self::Base64 => b"+/=_-",
            Self::DottedPadded => b"_-.=",
            Self::Base64Path => b"+/=._-",
            Self::Dashed => b"-",
            Self::Tilde => b"_-.~",
            Self::Webhook => b"@/-",
            Self::Escaped => b"%_-",
        };
        byte.is_ascii_alphanumeric() || also.contains(&byte)
    }

    /// Where the run of such bytes that begins at `from` ends; no further than `most` bytes.
    pub(super) fn end(self, bytes: &[u8], from: usize, most: usize) -> usize {
        let rest = &bytes[from.min(bytes.len())..];
        from + rest.iter().take(most).take_while(|byte| self.has(**byte)).count()
    }

    /// Where the run of such bytes that ends before `to` begins; no further than `most` bytes.
    pub(super) fn start(self, bytes: &[u8], to: usize, most: usize) -> usize {
        to - bytes[..to].iter().rev().take(most).take_while(|byte| self.has(**byte)).count()
    }
}

/// Bits a byte, by how often each byte occurs in the text itself.
pub(super) fn entropy(bytes: &[u8]) -> f32 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let all = bytes.len() as f32;
    let part = |count: u32| {
        let share = count as f32 / all;
        -share * share.log2()
    };
    counts.into_iter().filter(|count| *count > 0).map(part).sum()
}

/// Whether a text stands where a key would, and is none: `xxxx`, `<your-key>`, `EXAMPLE`.
pub(super) fn is_placeholder(value: &str) -> bool {
    const MARKS: [&str; 15] = [
        "example", "placeholder", "your-", "your_", "changeme", "change-me", "change_me", "xxxxx", "****",
        ".....", "redacted", "process.env", "environ", "getenv", "secrets.",
    ];
    const STARTS: [&str; 6] = ["your", "dummy", "todo", "masked", "hidden", "insert"];
    let lower = value.to_ascii_lowercase();
    lower.starts_with(['<', '[', '{', '$', '%', '*'])
        || STARTS.iter().any(|start| lower.starts_with(start))
        || MARKS.iter().any(|mark| lower.contains(mark))
}

/// Whether a byte may not stand before something that begins a word.
pub(super) fn joins(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
