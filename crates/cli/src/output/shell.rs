//! Words of a command line that a person can paste.

use std::borrow::Cow;

/// The word as a shell reads it back.
pub(crate) fn word(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@%=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn words_survive_a_shell() {
        let shown = ["/home/me/notes", "my notes", "it's", "", "a\"b", "~x", "メモ"].map(word);
        assert_eq!(shown, ["/home/me/notes", "'my notes'", "'it'\\''s'", "''", "'a\"b'", "'~x'", "メモ"]);
    }
}
