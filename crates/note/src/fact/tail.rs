//! What follows a fact's text: its block id and trailing comments, in any order.

use std::borrow::Cow;
use std::fmt;

/// The end of a line, as spelled, from the end of the text on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tail<'a> {
    spelled: Cow<'a, str>,
}

impl<'a> Tail<'a> {
    /// Splits the text of a fact from its tail.
    pub(super) fn read(rest: &'a str) -> (&'a str, Self) {
        let mut text = rest.trim_end();
        let mut has_id = false;
        while let Some(before) = strip_comment(text).or_else(|| strip_id(text).filter(|_| !has_id)) {
            has_id |= strip_comment(text).is_none();
            text = before.trim_end();
        }
        (text, Self { spelled: Cow::Borrowed(&rest[text.len()..]) })
    }

    pub(super) fn into_owned(self) -> Tail<'static> {
        Tail { spelled: Cow::Owned(self.spelled.into_owned()) }
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.parts().find_map(|part| part.strip_prefix('^'))
    }

    pub(super) fn comment(&self, name: &str) -> Option<&str> {
        self.parts().find_map(|part| {
            let inner = part.strip_prefix("<!--")?.strip_suffix("-->")?;
            let (spelled, value) = inner.split_once(':')?;
            spelled.trim().eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(super) fn set_id(&mut self, id: Option<&str>) {
        let mut comments: Vec<&str> = self.parts().filter(|part| !part.starts_with('^')).collect();
        comments.reverse();
        let id: String = id.unwrap_or_default().chars().filter(|c| is_id_char(*c)).collect();
        let mut spelled = if id.is_empty() { String::new() } else { format!(" ^{id}") };
        for comment in comments {
            spelled.push(' ');
            spelled.push_str(comment);
        }
        self.spelled = Cow::Owned(spelled);
    }

    /// The id with its `^` and the comments with their marks, last first.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let mut rest = self.spelled.trim_end();
        std::iter::from_fn(move || {
            let before = strip_comment(rest).or_else(|| strip_id(rest))?;
            let part = &rest[before.len()..];
            rest = before.trim_end();
            Some(part.trim_start())
        })
    }
}

impl fmt::Display for Tail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled)
    }
}

/// What stands before a comment that ends the text.
fn strip_comment(text: &str) -> Option<&str> {
    let inner = text.strip_suffix("-->")?;
    let (before, comment) = inner.rsplit_once("<!--")?;
    (!comment.contains("-->")).then_some(before)
}

/// What stands before a block id that ends the text; an id follows white space.
fn strip_id(text: &str) -> Option<&str> {
    let before = text.trim_end_matches(is_id_char);
    let before = before.strip_suffix('^').filter(|_| before.len() < text.len())?;
    (before.is_empty() || before.ends_with([' ', '\t'])).then_some(before)
}

fn is_id_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}
