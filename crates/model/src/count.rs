//! How many tokens a text has. No program knows every model's tokenizer: the count is that of `o200k_base`, which is the
//! one of OpenAI's current models and close to those of others; the estimate is for texts on which it would be slow.

mod table;

use std::sync::LazyLock;

use regex::Regex;

/// A longer text is estimated, and so is a longer piece of one: merging takes the square of its length.
const LONGEST_TEXT: usize = 4 << 20;
const LONGEST_PIECE: usize = 1_000;

/// The tokens of a text.
pub fn tokens(text: &str) -> usize {
    if text.len() > LONGEST_TEXT {
        return estimate(text);
    }
    pieces(text)
        .map(|piece| if piece.len() > LONGEST_PIECE { estimate(piece) } else { merged(piece.as_bytes()) })
        .sum()
}

/// Where `o200k_base` cuts a text before anything is merged: words with what is joined to them, up to three digits, signs,
/// line ends, blanks.
static PIECE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const UPPER: &str = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]";
    const LOWER: &str = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]";
    let word = |letters: String| format!(r"[^\r\n\p{{L}}\p{{N}}]?{letters}(?i:'s|'t|'re|'ve|'m|'ll|'d)?");
    let words = [word(format!("{UPPER}*{LOWER}+")), word(format!("{UPPER}+{LOWER}*"))];
    let rest = r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+";
    Regex::new(&format!("{}|{rest}", words.join("|"))).ok()
});

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let found = PIECE.as_ref().and_then(|piece| piece.find(rest)).map_or(rest.len(), |found| found.end());
        let (piece, after) = rest.split_at(blanks_but_the_last(rest, found));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// The last of several blanks belongs to the word that follows.
fn blanks_but_the_last(text: &str, end: usize) -> usize {
    let mut blanks = text[..end].chars().rev();
    match blanks.next() {
        Some(last)
            if end < text.len()
                && last.is_whitespace()
                && !matches!(last, '\r' | '\n')
                && end > last.len_utf8()
                && blanks.all(char::is_whitespace) =>
        {
            end - last.len_utf8()
        }
        Some(_) | None => end,
    }
}

/// How many tokens are left of a piece when neighbours have been merged, the lowest rank first.
fn merged(piece: &[u8]) -> usize {
    if table::rank(piece).is_some() {
        return 1;
    }
    // Where each part begins, with the rank of that part and the next as one.
    let mut parts: Vec<(usize, u32)> = (0..=piece.len()).map(|start| (start, u32::MAX)).collect();
    let pair = |parts: &[(usize, u32)], at: usize| match parts.get(at + 2) {
        Some(&(end, _)) => table::rank(&piece[parts[at].0..end]).unwrap_or(u32::MAX),
        None => u32::MAX,
    };
    for at in 0..parts.len() {
        parts[at].1 = pair(&parts, at);
    }
    while let Some((at, _)) = parts
        .iter()
        .map(|part| part.1)
        .enumerate()
        .min_by_key(|&(at, rank)| (rank, at))
        .filter(|&(_, rank)| rank < u32::MAX)
    {
        parts.remove(at + 1);
        parts[at].1 = pair(&parts, at);
        if at > 0 {
            parts[at - 1].1 = pair(&parts, at - 1);
        }
    }
    parts.len() - 1
}

/// Four letters are one token, as in English; a character of a script that has no spaces is one by itself.
pub fn estimate(text: &str) -> usize {
    text.chars().map(quarters).sum::<usize>().div_ceil(4)
}

fn quarters(c: char) -> usize {
    match c {
        '\0'..='\u{7f}' => 1,
        '\u{80}'..='\u{10ff}' => 2,
        '\u{1100}'..='\u{ffff}' => 4,
        '\u{10000}'.. => 8,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CHINESE: &str = "我们昨天讨论了数据库的方案，最后决定使用关系型数据库，因为它支持事务，而且团队已经很熟悉。\
                           下个星期开始迁移，预计需要三个星期，由王芳负责，费用大约是一万两千元。";
    const JAPANESE: &str = "昨日の会議でデータベースの方針について話し合い、来週から移行を始めることに決めました。担当は田中さんです。";
    const KOREAN: &str =
        "어제 회의에서 데이터베이스 방침에 대해 논의했고 다음 주부터 이전을 시작하기로 결정했습니다.";

    #[test]
    fn tokens_are_those_of_the_encoding() {
        assert_eq!(tokens("hello world"), 2);
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("<|endoftext|>"), 7);
    }

    /// Words, forms with apostrophes, digits, signs, blanks and line ends of several scripts.
    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            "[a-zA-Z]{1,12}",
            "[ \\t\\u{a0}\\u{3000}]{1,4}",
            "[\\r\\n ]{1,4}",
            "[0-9]{1,7}",
            "'(s|T|re|VE|m|ll|d|x)",
            "[-/.,:;!?(){}#*_`~^=+|\\\\<>]{1,5}",
            r"[\\p{L}\\p{M}\\p{N}\\p{S}]{1,6}",
            any::<char>().prop_map(String::from),
        ];
        proptest::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn any_text_has_the_tokens_of_the_encoding(text in text()) {
            prop_assert_eq!(tokens(&text), tiktoken_rs::o200k_base_singleton().encode_ordinary(&text).len());
        }
    }

    #[test]
    fn the_estimate_does_not_undercount_scripts_without_spaces() {
        for text in [CHINESE, JAPANESE, KOREAN] {
            let counted = tokens(text);
            let estimated = estimate(text);
            assert!(estimated * 10 >= counted * 8, "{estimated} of {counted}: {text}");
        }
    }

    #[test]
    fn the_estimate_is_four_letters_a_token() {
        assert_eq!(estimate("abcdefgh"), 2);
        assert_eq!(estimate("数据库"), 3);
    }

    #[test]
    fn a_word_without_end_is_estimated() {
        for letter in ["a", "-", " "] {
            assert_eq!(tokens(&letter.repeat(2 << 20)), (2 << 20) / 4, "{letter:?}");
        }
    }
}
