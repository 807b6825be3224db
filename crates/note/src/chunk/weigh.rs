//! How many tokens a text will be, without a tokenizer: quarters of a token, by script.

/// The weight of a line, its end included: a quarter of a token a unit.
///
/// Letters of alphabets weigh 1 (four to a token). Ideographs, kana and hangul are about a token each and
/// weigh 4, as do emoji; an ideograph of a supplementary plane, which tokenizers spell in bytes, weighs 6.
/// Indic and South-East Asian letters, and the scripts that tokenizers know little of, weigh 2.
pub fn weight(line: &str) -> usize {
    let characters = if line.is_ascii() { line.len() } else { line.chars().map(char_weight).sum() };
    characters + LINE_END
}

/// What the end of a line adds to the weight of its characters.
pub(super) const LINE_END: usize = 1;

pub(super) fn of_tokens(tokens: u32) -> usize {
    usize::try_from(tokens).unwrap_or(usize::MAX).saturating_mul(4)
}

pub(super) fn char_weight(c: char) -> usize {
    match u32::from(c) {
        0..=0x08FF => 1,
        0x0900..=0x10FF => 2,
        0x1100..=0x11FF => 4,
        0x1200..=0x1DFF => 2,
        0x1E00..=0x25FF => 1,
        0x2600..=0x27BF => 2,
        0x27C0..=0x2E7F => 1,
        0x2E80..=0xA4CF => 4,
        0xA4D0..=0xABFF => 2,
        0xAC00..=0xFAFF => 4,
        0xFB00..=0xFE2F => 1,
        0xFE30..=0x1FFFF => 4,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_weighs_its_characters_by_script_and_its_end() {
        for (line, expected) in
            [("", 1), ("abc", 4), ("één", 4), ("день", 5), ("中文", 9), ("かな", 9), ("한국", 9)]
        {
            assert_eq!(weight(line), expected, "{line}");
        }
        for (line, expected) in [("ไทย", 7), ("नमस्ते", 13), ("😀", 5), ("𠀀", 7), ("Ａ", 5), ("שלום", 5)]
        {
            assert_eq!(weight(line), expected, "{line}");
        }
    }
}
