use std::ops::RangeInclusive;
use std::str::FromStr;

/// The seeds of made-up worlds, such as 101..120, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seeds {
    pub first: u64,
    pub last: u64,
}

/// More would take days.
const MOST: u64 = 10_000;

impl Seeds {
    pub fn numbers(self) -> RangeInclusive<u64> {
        self.first..=self.last
    }
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number =
            |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last && last - first < MOST => Ok(Self { first, last }),
            _ => Err("write one number, or two such as 101..120".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seeds;

    #[test]
    fn seeds_are_a_number_or_a_rising_range() {
        let read = |text: &str| text.parse::<Seeds>().ok().map(|seeds| (seeds.first, seeds.last));
        assert_eq!(["7", "101..120"].map(read), [Some((7, 7)), Some((101, 120))]);
        assert_eq!(["9..1", "+1..2", "", "1..", "1..10001"].map(read), [None; 5]);
    }
}
