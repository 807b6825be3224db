//! How many tokens a text has. No program knows every model's tokenizer: the count is that of `o200k_base`, which is the
//! one of OpenAI's current models and close to those of others; the estimate is for texts on which it would be slow.

/// A longer text is estimated, and so is one that has so long a word: encoding takes the square of a word's length.
const LONGEST_TEXT: usize = 4 << 20;
const LONGEST_WORD: usize = 1_000;

/// The tokens of a text.
pub fn tokens(text: &str) -> usize {
    if text.len() > LONGEST_TEXT || has_long_word(text) {
        return estimate(text);
    }
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
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

fn has_long_word(text: &str) -> bool {
    let mut length = 0;
    text.chars().any(|c| {
        length = if c.is_alphanumeric() { length + 1 } else { 0 };
        length > LONGEST_WORD
    })
}

#[cfg(test)]
mod tests {
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
        assert_eq!(tokens(&"a".repeat(2 << 20)), (2 << 20) / 4);
    }
}
