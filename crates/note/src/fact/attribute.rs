//! Attributes: `(s=0.95,key=editor.theme)` after the kind.

use std::borrow::Cow;
use std::fmt;

/// The known attributes; any other is kept as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Name {
    Salience,
    Confidence,
    Key,
    Ttl,
    Sensitivity,
    Source,
    Seen,
    Confirmed,
    Version,
    Until,
    By,
    Beside,
    Proposed,
    Due,
    Faded,
}

impl Name {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Salience => "s",
            Self::Confidence => "c",
            Self::Key => "key",
            Self::Ttl => "ttl",
            Self::Sensitivity => "sens",
            Self::Source => "src",
            Self::Seen => "seen",
            Self::Confirmed => "conf",
            Self::Version => "v",
            Self::Until => "until",
            Self::By => "by",
            Self::Beside => "with",
            Self::Proposed => "proposed",
            Self::Due => "due",
            Self::Faded => "faded",
        }
    }
}

/// One attribute as spelled; a word without `=` is a name with an empty value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute<'a> {
    spelled: Cow<'a, str>,
}

impl Attribute<'_> {
    pub fn name(&self) -> &str {
        self.spelled.split_once('=').map_or(&*self.spelled, |(name, _value)| name).trim()
    }

    /// The value, with `%2C` and the like decoded.
    pub fn value(&self) -> Cow<'_, str> {
        decoded(self.spelled.split_once('=').map_or("", |(_name, value)| value).trim())
    }
}

/// The attributes of a line in their order; `None` where the line has no parentheses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attributes<'a>(Option<Vec<Attribute<'a>>>);

impl<'a> Attributes<'a> {
    /// Parses the parentheses at the start of `rest`, if any, and returns what follows. A line with unclosed
    /// parentheses is not a fact.
    pub(super) fn read(rest: &'a str) -> Option<(Self, &'a str)> {
        let Some(inner) = rest.strip_prefix('(') else {
            return Some((Self(None), rest));
        };
        let (inner, rest) = inner.split_once(')')?;
        let attribute = |spelled| Attribute { spelled: Cow::Borrowed(spelled) };
        Some((Self(Some(inner.split(',').map(attribute).collect())), rest))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Attribute<'a>> {
        self.0.iter().flatten()
    }

    pub(super) fn get(&self, name: &str) -> Option<Cow<'_, str>> {
        self.iter().find(|attribute| attribute.name() == name).map(Attribute::value)
    }

    /// Sets, adds or (with `None`) removes an attribute; the others keep their place and spelling.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) {
        let mut attributes = self.0.take().unwrap_or_default();
        let place = attributes.iter().position(|attribute| attribute.name() == name);
        attributes.retain(|attribute| attribute.name() != name && !attribute.spelled.trim().is_empty());
        if let Some(value) = value {
            let place = place.unwrap_or(attributes.len()).min(attributes.len());
            attributes.insert(place, Attribute { spelled: Cow::Owned(format!("{name}={}", encoded(value))) });
        }
        self.0 = (!attributes.is_empty()).then_some(attributes);
    }
}

impl fmt::Display for Attributes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(attributes) = &self.0 else {
            return Ok(());
        };
        for (at, attribute) in attributes.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { '(' } else { ',' }, attribute.spelled)?;
        }
        f.write_str(")")
    }
}

/// Encodes the characters that would end a value as `%XX`.
fn encoded(value: &str) -> String {
    let mut spelled = String::new();
    for c in value.trim().chars() {
        if matches!(c, ',' | '(' | ')' | '%') || c.is_ascii_control() {
            spelled.push_str(&format!("%{:02X}", u32::from(c)));
        } else {
            spelled.push(if c.is_control() || c.is_whitespace() { ' ' } else { c });
        }
    }
    spelled
}

fn decoded(spelled: &str) -> Cow<'_, str> {
    if !spelled.contains('%') {
        return Cow::Borrowed(spelled);
    }
    let mut value = String::new();
    let mut rest = spelled;
    while let Some((before, after)) = rest.split_once('%') {
        let byte = after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let ascii = byte.filter(|byte| byte.is_ascii() && !after.starts_with('+'));
        value.push_str(before);
        value.push(ascii.map_or('%', char::from));
        rest = if ascii.is_some() { &after[2..] } else { after };
    }
    value.push_str(rest);
    Cow::Owned(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_value_is_spelled_by_number() {
        let check = |value: &str, spelled: &str| {
            assert_eq!(encoded(value), spelled);
            assert_eq!(decoded(spelled), value);
        };
        check("a,b(c)d%e", "a%2Cb%28c%29d%25e");
        check("tab\there\u{1}", "tab%09here%01");
        check("é = \"x\" \u{7f}", "é = \"x\" %7F");
        check("", "");
    }

    #[test]
    fn controls_and_spaces_beyond_ascii_become_spaces() {
        assert_eq!(encoded("a\u{85}b\u{a0}c\u{2003}d"), "a b c d");
        assert_eq!(encoded("  a b \n"), "a b");
    }

    #[test]
    fn only_two_digits_of_an_ascii_character_are_decoded() {
        for (spelled, value) in [
            ("%41%2c%2C", "A,,"),
            ("%", "%"),
            ("%4", "%4"),
            ("%ZZ", "%ZZ"),
            ("%+1", "%+1"),
            ("%C3%A9", "%C3%A9"),
            ("%7f%80", "\u{7f}%80"),
            ("%é1", "%é1"),
            ("%%41", "%A"),
        ] {
            assert_eq!(decoded(spelled), value, "{spelled}");
        }
    }

    #[test]
    fn an_attribute_is_set_in_its_place() {
        let shown = |name: &str, value: Option<&str>| {
            let (mut attributes, rest) = Attributes::read("(s=1, c=2 ,,odd) rest").unwrap();
            assert_eq!(rest, " rest");
            attributes.set(name, value);
            attributes.to_string()
        };
        assert_eq!(shown("c", Some("3")), "(s=1,c=3,odd)");
        assert_eq!(shown("new", Some("x")), "(s=1, c=2 ,odd,new=x)");
        assert_eq!(shown("s", None), "( c=2 ,odd)");
        assert_eq!(shown("odd", Some("y")), "(s=1, c=2 ,odd=y)");
        let (mut none, _) = Attributes::read(" rest").unwrap();
        none.set("s", None);
        assert_eq!(none.to_string(), "");
        assert_eq!(Attributes::read("(s=1 rest"), None);
    }

    #[test]
    fn the_first_of_a_name_counts_and_a_word_alone_is_a_name() {
        let (attributes, _) = Attributes::read("( a = 1 ,a=2,flag)").unwrap();
        assert_eq!(attributes.get("a").as_deref(), Some("1"));
        assert_eq!(attributes.get("flag").as_deref(), Some(""));
        assert_eq!(attributes.get("b"), None);
    }
}
