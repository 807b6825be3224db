//! The fact line: one Markdown list item that says what is known, about whom, and how surely.
//!
//! ```text
//! - O(key=editor.theme,c=0.91,ttl=180d) @user: dark ^k3f9a2 <!-- importance: 9 -->
//! ```
//!
//! Any line can be parsed: one that is not a fact is prose. A parsed line keeps its spelling span by span, so
//! writing it gives the same bytes, and an edit changes only the span it names.

mod attribute;
mod blend;
mod tail;
mod value;

use std::borrow::Cow;
use std::fmt;

pub use attribute::{Attribute, Name};
pub use blend::blend;
pub(crate) use blend::{chosen, id_of_line};
pub use value::{Provenance, Sensitivity, Ttl};

use attribute::Attributes;
use tail::Tail;

use crate::hash::Digest;

/// The heading under which facts are kept.
pub const RETAIN: &str = "Retain";
/// The longest fact line, in bytes: a longer one is prose.
pub const LONGEST: usize = 16 << 10;
/// The most facts of one note: further lines are prose.
pub const MOST: usize = 10_000;
/// What a fact without `s` is worth.
pub const DEFAULT_SALIENCE: f32 = 0.5;

/// What sort of thing a fact says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `W`: how the world is.
    World,
    /// `B`: what happened to someone (biography).
    Experience,
    /// `O`: an opinion or a preference.
    Opinion,
    /// `S`: a summary or an observation.
    Summary,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::World, Self::Experience, Self::Opinion, Self::Summary];

    pub const fn letter(self) -> char {
        match self {
            Self::World => 'W',
            Self::Experience => 'B',
            Self::Opinion => 'O',
            Self::Summary => 'S',
        }
    }

    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A fact line, borrowed from the note; [`write()`] gives its bytes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// Indent, bullet and space.
    lead: &'a str,
    kind: Kind,
    attributes: Attributes<'a>,
    /// From the kind or the attributes to the text: entities, colon, space.
    about: Cow<'a, str>,
    text: Cow<'a, str>,
    tail: Tail<'a>,
}

/// Parses one line, without its terminator; `None` if it is not a fact.
pub fn read(line: &str) -> Option<Line<'_>> {
    let (lead, rest) = split_lead(line)?;
    let mut chars = rest.chars();
    let kind = Kind::of_letter(chars.next()?)?;
    let (attributes, rest) = Attributes::read(chars.as_str())?;
    let (about, rest) = rest.split_at(about_len(rest)?);
    let (text, tail) = Tail::read(rest);
    let about = Cow::Borrowed(about);
    let text = Cow::Borrowed(text);
    (!text.is_empty()).then_some(Line { lead, kind, attributes, about, text, tail })
}

/// Writes a line. An unedited line gives exactly the bytes it was parsed from.
pub fn write(line: &Line<'_>) -> String {
    let Line { lead, kind, attributes, about, text, tail } = line;
    format!("{lead}{kind}{attributes}{about}{text}{tail}")
}

impl Line<'static> {
    /// A new fact; `None` if the text is empty once its white space is collapsed. Characters that an entity's
    /// name cannot hold become `-`; an id or a comment at the end of the text is taken as such.
    pub fn new<E: AsRef<str>>(kind: Kind, entities: impl IntoIterator<Item = E>, text: &str) -> Option<Self> {
        let mut about: String = entities.into_iter().filter_map(|entity| tag(entity.as_ref())).collect();
        about.push_str(": ");
        let text = one_line(text);
        let (said, tail) = Tail::read(&text);
        let text = said.to_owned();
        let tail = tail.into_owned();
        let attributes = Attributes::default();
        let lead = "- ";
        let about = about.into();
        (!text.is_empty()).then_some(Self { lead, kind, attributes, about, text: text.into(), tail })
    }
}

impl<'a> Line<'a> {
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The statement, without entities, id and comments.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The entities' names as spelled here, without `@`.
    pub fn entities(&self) -> impl Iterator<Item = &str> {
        self.about.split_whitespace().filter_map(|tag| tag.trim_end_matches(':').strip_prefix('@'))
    }

    /// The block id that the line carries, without `^`.
    pub fn id(&self) -> Option<&str> {
        self.tail.id()
    }

    /// The id of a line that states none, derived from kind, entities and text: it survives a change of
    /// attributes and a move.
    pub fn derived_id(&self) -> String {
        let mut said = String::from(self.kind.letter());
        for entity in self.entities() {
            said.push('\n');
            said.push_str(&entity.to_lowercase());
        }
        said.push('\n');
        said.push_str(&one_line(&self.text));
        base32(Digest::of(said.as_bytes()).as_bytes())
    }

    /// [`Self::id`], else [`Self::derived_id`].
    pub fn id_or_derived(&self) -> Cow<'_, str> {
        self.id().map_or_else(|| Cow::Owned(self.derived_id()), Cow::Borrowed)
    }

    /// The value in a trailing comment such as `<!-- importance: 9 -->`.
    pub fn comment(&self, name: &str) -> Option<&str> {
        self.tail.comment(name)
    }

    pub fn set_kind(&mut self, kind: Kind) {
        self.kind = kind;
    }

    /// Renames the entities for which `renamed` returns a name; everything else stays.
    pub fn rename_entities(&mut self, renamed: impl Fn(&str) -> Option<String>) {
        let mut about = String::new();
        for piece in self.about.split_inclusive(|c: char| c.is_whitespace() || c == ':') {
            let name = piece.trim_end_matches(|c: char| c.is_whitespace() || c == ':');
            let new = name.strip_prefix('@').and_then(&renamed).and_then(|new| tag(&new));
            about.push_str(new.as_deref().map_or(name, str::trim_start));
            about.push_str(&piece[name.len()..]);
        }
        self.about = Cow::Owned(about);
    }

    /// Replaces the text: collapses white space and drops an id or a comment at its end. An empty text changes
    /// nothing.
    pub fn set_text(&mut self, text: &str) {
        let text = one_line(text);
        let (said, _tail) = Tail::read(&text);
        if !said.is_empty() {
            self.text = Cow::Owned(said.to_owned());
        }
    }

    /// Sets or removes the id. Characters that an id cannot hold are dropped.
    pub fn set_id(&mut self, id: Option<&str>) {
        self.tail.set_id(id);
    }
}

fn split_lead(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start_matches([' ', '\t']).strip_prefix(['-', '*', '+'])?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start_matches([' ', '\t']);
    Some(line.split_at(line.len() - rest.len()))
}

/// The length of `@entities: ` and the space after it: any number of entities, then a colon.
fn about_len(rest: &str) -> Option<usize> {
    let mut at = rest;
    loop {
        let spaced = at.trim_start_matches([' ', '\t']);
        if let Some(text) = spaced.strip_prefix(':') {
            let text = text.trim_start_matches([' ', '\t']);
            return Some(rest.len() - text.len());
        }
        let name = spaced.strip_prefix('@').filter(|_| spaced.len() < at.len())?;
        at = name.trim_start_matches(is_entity_char);
        if at.len() == name.len() {
            return None;
        }
    }
}

/// Whether a character may stand in an entity's name.
pub fn is_entity_char(c: char) -> bool {
    let letter = c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c);
    letter || matches!(c, '-' | '_' | '.' | '/' | '\u{200C}' | '\u{200D}')
}

fn tag(entity: &str) -> Option<String> {
    let name: String = entity
        .trim()
        .trim_start_matches('@')
        .chars()
        .map(|c| if is_entity_char(c) { c } else { '-' })
        .collect();
    (!name.is_empty()).then(|| format!(" @{name}"))
}

fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Ten characters, 50 bits: enough that two facts of one person do not collide.
fn base32(bytes: &[u8; 32]) -> String {
    const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let bits = bytes.iter().take(7).fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    (0..10).map(|place| char::from(DIGITS[(bits >> (5 * place) & 31) as usize])).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(line: &str, expected: Expect) {
        let shown = read(line).map_or_else(
            || "prose\n".to_owned(),
            |fact| {
                assert_eq!(write(&fact), line);
                let attributes: Vec<_> =
                    fact.attributes().map(|a| format!("{}={}", a.name(), a.value())).collect();
                let entities: Vec<_> = fact.entities().collect();
                let kind = fact.kind();
                let id = fact.id();
                format!("{kind:?} {attributes:?} {entities:?} {:?} {id:?}\n", fact.text())
            },
        );
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_fact_is_read_into_its_parts() {
        check(
            "- B(s=0.95) @Sarah @project: Sarah is leaving next month ^k3f9a2",
            expect![[r#"
            Experience ["s=0.95"] ["Sarah", "project"] "Sarah is leaving next month" Some("k3f9a2")
        "#]],
        );
        check(
            "- W @api: Rate limiting is 100 requests per minute",
            expect![[r#"
            World [] ["api"] "Rate limiting is 100 requests per minute" None
        "#]],
        );
        check(
            "- O(key=editor.theme,c=0.91,ttl=180d,sens=low,src=chat:msg_9981) @user: dark",
            expect![[r#"
            Opinion ["key=editor.theme", "c=0.91", "ttl=180d", "sens=low", "src=chat:msg_9981"] ["user"] "dark" None
        "#]],
        );
        check(
            "\t*  S( s = 1 ,,odd):ends ^a-1  <!-- importance: 9 --> <!-- trigger: a, b -->  ",
            expect![[r#"
                Summary ["s=1", "=", "odd="] [] "ends" Some("a-1")
            "#]],
        );
        check(
            "- B @Zoë/Ann-Marie_2.0 @नमस्ते : 10:30 is *fine* ^",
            expect![[r#"
            Experience [] ["Zoë/Ann-Marie_2.0", "नमस\u{94d}त\u{947}"] "10:30 is *fine* ^" None
        "#]],
        );
    }

    #[test]
    fn what_is_not_a_fact_is_prose() {
        for line in [
            "",
            "-",
            "- ",
            "W @a: b",
            "- X @a: b",
            "- w @a: b",
            "- W",
            "- W @a",
            "- W @a:",
            "- W @a: ^id",
            "- W(s=1 @a: b",
            "- Work: done",
            "- W@a: b",
            "- W @: b",
            "- W @a@b: c",
            "- W a: b",
            "-W @a: b",
            "- W @a: <!-- importance: 3 -->",
            "- W @a b: c",
            "1. W @a: b",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn an_edit_changes_only_what_it_names() {
        let mut fact =
            read("* O( c=0.8 ,mood=calm) @user:  Likes tea <!-- importance: 9 --> <!-- trigger: tea -->")
                .unwrap();
        fact.set(Name::Confidence, Some("0.9"));
        fact.set(Name::Source, Some("web:a,b(c)"));
        fact.set_id(Some("x^1"));
        let written = write(&fact);
        expect!["* O(c=0.9,mood=calm,src=web:a%2Cb%28c%29) @user:  Likes tea ^x1 <!-- importance: 9 --> <!-- trigger: tea -->"]
            .assert_eq(&written);
        assert_eq!(read(&written).unwrap().source().unwrap().reference, "a,b(c)");
        fact.set_id(None);
        fact.set(Name::Confidence, None);
        fact.set(Name::Source, None);
        fact.set_text("Likes\ncoffee ^id");
        expect!["* O(mood=calm) @user:  Likes coffee <!-- importance: 9 --> <!-- trigger: tea -->"]
            .assert_eq(&write(&fact));
    }

    #[test]
    fn a_new_fact_is_one_line() {
        let mut fact =
            Line::new(Kind::Experience, ["Sarah", "@big project", "", "a:b"], " Left\n the\tfirm ").unwrap();
        fact.set(Name::Salience, Some("0.95"));
        fact.set_id(Some("k3f9a2"));
        expect!["- B(s=0.95) @Sarah @big-project @a-b: Left the firm ^k3f9a2"].assert_eq(&write(&fact));
        assert_eq!(Line::new(Kind::World, ["a"], " \n"), None);
        assert_eq!(write(&Line::new(Kind::World, [""], "x").unwrap()), "- W: x");
    }

    #[test]
    fn values_have_types() {
        let fact = read("- O(s=0.5,c=2,key=a.b,ttl=6mo,sens=HIGH,src=chat:m1,seen=2024-02-30,conf=2024-02-29,v=3,until=2025-01-01,by=q1,due=2026-01-05,faded=0.9) @u: t").unwrap();
        let dates = (fact.seen(), fact.confirmed(), fact.until());
        let shown = format!(
            "{:?}\n",
            (
                fact.salience(),
                fact.confidence(),
                fact.key(),
                fact.ttl(),
                fact.sensitivity(),
                fact.source(),
                dates,
                fact.version(),
                fact.by(),
                fact.due(),
                fact.faded()
            )
        );
        expect![[r#"
            (Some(0.5), None, Some("a.b"), Some(For(6mo)), Some(High), Some(Provenance { kind: "chat", reference: "m1" }), (None, Some(2024-02-29), Some(2025-01-01)), Some(3), Some("q1"), Some(2026-01-05), Some(0.9))
        "#]].assert_eq(&shown);
        assert!(matches!(Ttl::parse("2026-01-31"), Some(Ttl::Until(_))));
        assert!(Ttl::parse("-3d").is_none() && Ttl::parse("soon").is_none());
    }

    #[test]
    fn importance_stands_in_for_salience() {
        assert_eq!(read("- W @a: b <!-- importance: 9 -->").unwrap().salience(), Some(0.9));
        assert_eq!(read("- W(s=0.2) @a: b <!-- importance: 9 -->").unwrap().salience(), Some(0.2));
        assert_eq!(read("- W @a: b <!-- importance: 99 -->").unwrap().salience(), None);
        assert_eq!(
            read("- W @a: b <!-- Project: host/o/r -->").unwrap().comment("project"),
            Some("host/o/r")
        );
    }

    #[test]
    fn entities_are_renamed_where_they_stand() {
        let mut fact = read("-  W(s=1)  @Bob\t@bobby @x :  @Bob left ^a").unwrap();
        fact.rename_entities(|name| name.eq_ignore_ascii_case("bob").then(|| "Robert J".to_owned()));
        expect!["-  W(s=1)  @Robert-J\t@bobby @x :  @Bob left ^a"].assert_eq(&write(&fact));
    }

    #[test]
    fn a_derived_id_is_of_what_is_said() {
        let id = |line: &str| read(line).unwrap().id_or_derived().into_owned();
        expect!["jqc85fd8w1"].assert_eq(&id("- W @a: b c"));
        assert_eq!(id("- W @a: b c"), id("  * W(s=0.1) @A:  b  c"));
        assert_ne!(id("- W @a: b c"), id("- B @a: b c"));
        assert_ne!(id("- W @a: b c"), id("- W @a: b d"));
        assert_eq!(id("- W @a: b c ^own"), "own");
    }
}
