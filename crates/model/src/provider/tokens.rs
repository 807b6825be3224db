//! How many tokens a text has, roughly, and where to cut one that has too many. Every model counts otherwise; what a
//! provider says afterwards is what counts for the bill.

/// In quarters of a token, by what tokenizers of today make of a character.
fn quarters(c: char) -> usize {
    match c {
        'a'..='z' | 'A'..='Z' | ' ' => 1,
        '\0'..='\u{7f}' => 2,
        '\u{80}'..='\u{24f}' => 2,
        '\u{250}'..='\u{10ff}' => 3,
        '\u{1100}'..='\u{ffff}' => 4,
        '\u{10000}'.. => 8,
    }
}

/// An estimate, rather too high than too low.
pub fn estimate(text: &str) -> usize {
    text.chars().map(quarters).sum::<usize>().div_ceil(4).max(1)
}

/// As much of the beginning of a text as has at most so many tokens.
pub(super) fn beginning(text: &str, tokens: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += quarters(c);
        if used > tokens.saturating_mul(4) {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_estimated_by_script() {
        let counts: Vec<usize> =
            ["", "abcd", "The dog is called Pixel.", "数据库", "Привет", "😀"].map(estimate).to_vec();
        assert_eq!(counts, [1, 1, 7, 3, 5, 2]);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(beginning("数据库方案", 3), "数据库");
        assert_eq!(beginning("short", 100), "short");
        assert_eq!(beginning("abcdefgh", 1), "abcd");
    }
}
