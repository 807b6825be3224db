//! Runs of text within a block: what is strong, struck, code or a link.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::read::OPTIONS;
use super::{Look, Span};

/// The spans of one block while its events come.
#[derive(Debug, Default)]
pub(super) struct Inline {
    spans: Vec<Span>,
    strong: u32,
    emphasis: u32,
    struck: u32,
    pictures: u32,
    targets: Vec<String>,
}

impl Inline {
    /// Takes an event of a text; false for one that is none.
    pub(super) fn take(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Text(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => {
                self.add(text, false);
            }
            Event::Code(text) => self.add(text, true),
            Event::FootnoteReference(name) => self.add(&format!("[{name}]"), false),
            Event::SoftBreak => self.add(" ", false),
            Event::HardBreak => self.add("\n", false),
            Event::Start(tag) => return self.open(tag),
            Event::End(tag) => return self.close(*tag),
            Event::Html(_) | Event::Rule | Event::TaskListMarker(_) => return false,
        }
        true
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// What came since the last time.
    pub(super) fn done(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.spans)
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the tags of the parser are many, and others are no looks"
    )]
    fn open(&mut self, tag: &Tag<'_>) -> bool {
        let count = match tag {
            Tag::Strong => &mut self.strong,
            Tag::Emphasis => &mut self.emphasis,
            Tag::Strikethrough => &mut self.struck,
            Tag::Image { .. } => &mut self.pictures,
            Tag::Link { dest_url, .. } => {
                self.targets.push(dest_url.to_string());
                return true;
            }
            _ => return false,
        };
        *count += 1;
        true
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the tags of the parser are many, and others are no looks"
    )]
    fn close(&mut self, tag: TagEnd) -> bool {
        let count = match tag {
            TagEnd::Strong => &mut self.strong,
            TagEnd::Emphasis => &mut self.emphasis,
            TagEnd::Strikethrough => &mut self.struck,
            TagEnd::Image => &mut self.pictures,
            TagEnd::Link => {
                self.targets.pop();
                return true;
            }
            _ => return false,
        };
        *count = count.saturating_sub(1);
        true
    }

    fn add(&mut self, text: &str, code: bool) {
        let look = Look {
            strong: self.strong > 0,
            emphasis: self.emphasis > 0,
            struck: self.struck > 0,
            picture: self.pictures > 0,
            code,
        };
        let target = self.targets.last().cloned();
        match self.spans.last_mut() {
            Some(last) if last.look == look && last.target == target => last.text.push_str(text),
            Some(_) | None => self.spans.push(Span { text: text.to_owned(), look, target }),
        }
    }
}

/// The spans of a text that stands in one line.
pub(super) fn line(text: &str) -> Vec<Span> {
    let mut inline = Inline::default();
    for event in Parser::new_ext(text, OPTIONS) {
        inline.take(&event);
    }
    // A text that begins like a list or a rule loses that: it is shown as it stands.
    let spans = inline.done();
    let shown: usize = spans.iter().map(|span| span.text.len()).sum();
    if shown == 0 { vec![Span { text: text.to_owned(), ..Span::default() }] } else { spans }
}
