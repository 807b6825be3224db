//! From the events of the Markdown parser to blocks.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::inline::{self, Inline};
use super::{Content, Marker, NoteBlock, ReadFact, Span};
use crate::cited::CitedLine;
use crate::{chunk, fact, text};

pub(super) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_WIKILINKS);

/// A name of front matter is at the margin; what is indented goes on with the value above it.
fn fields(front: &str) -> Vec<NoteBlock> {
    let mut blocks: Vec<NoteBlock> = Vec::new();
    for (line, number) in text::lines(front).zip(1..) {
        let named = line.split_once(':').filter(|(name, _)| is_name(name));
        let content = match named {
            Some((name, value)) => Content::Field { name: name.to_owned(), value: plain(value).to_owned() },
            None => {
                if let Some(NoteBlock { last, content: Content::Field { value, .. }, .. }) = blocks.last_mut()
                    && !matches!(line.trim_end(), "---" | "..." | "")
                {
                    let more = line.trim().trim_start_matches("- ");
                    *value = [value.as_str(), more]
                        .iter()
                        .filter(|part| !part.is_empty())
                        .copied()
                        .collect::<Vec<_>>()
                        .join(", ");
                    *last = number;
                }
                continue;
            }
        };
        blocks.push(NoteBlock { line: number, last: number, quotes: 0, depth: 0, content });
    }
    blocks
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn plain(value: &str) -> &str {
    let value = value.trim();
    let quoted = |mark: char| value.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    quoted('"').or_else(|| quoted('\'')).unwrap_or(value)
}

/// The blocks of a decoded text, in the order of its lines.
pub fn read(all: &str) -> Vec<NoteBlock> {
    let lines: Vec<&str> = text::lines(all).collect();
    let front = chunk::front_matter(all);
    let mut starts = Vec::with_capacity(lines.len() + 1);
    starts.extend(lines.iter().map(|line| line.as_ptr().addr() - all.as_ptr().addr()));
    let begin = starts.get(front).copied().unwrap_or(all.len());
    let mut reader = Reader { lines: &lines, starts: &starts, ..Reader::default() };
    reader.blocks = fields(&all[..begin]);
    for (event, range) in Parser::new_ext(&all[begin..], OPTIONS).into_offset_iter() {
        reader.take(&event, range.start + begin..range.end + begin);
    }
    reader.flush();
    reader.blocks
}

#[derive(Default)]
struct Reader<'a> {
    lines: &'a [&'a str],
    /// Where each line begins.
    starts: &'a [usize],
    blocks: Vec<NoteBlock>,
    /// The next number of each list that is open; none where it has bullets.
    lists: Vec<Option<u64>>,
    quotes: u32,
    items: u32,
    /// The item of which nothing is written yet.
    marker: Option<Marker>,
    level: Option<u8>,
    inline: Inline,
    /// The bytes that the block which is open takes.
    open: Option<Range<usize>>,
    code: Option<(String, String)>,
    rows: Vec<Vec<Vec<Span>>>,
}

impl Reader<'_> {
    fn take(&mut self, event: &Event<'_>, range: Range<usize>) {
        if self.code.is_some() && self.took_code(event, &range) {
            return;
        }
        if self.inline.take(event) {
            return self.cover(range);
        }
        match event {
            Event::Start(tag) => self.begin(tag, range),
            Event::End(tag) => self.end(*tag, range),
            Event::TaskListMarker(is_done) => self.marker = Some(Marker::Task { is_done: *is_done }),
            Event::Rule => self.put(range, Content::Rule),
            Event::Html(text) => self.markup(text, range),
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak => {}
        }
    }

    fn took_code(&mut self, event: &Event<'_>, range: &Range<usize>) -> bool {
        match (event, &mut self.code) {
            (Event::Text(text), Some((_, code))) => code.push_str(text),
            (Event::End(TagEnd::CodeBlock), code) => {
                let (language, text) = code.take().unwrap_or_default();
                self.put(range.clone(), Content::Code { language, text });
            }
            _ => return false,
        }
        true
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the tags of the parser are many, and others change nothing"
    )]
    fn begin(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {}
            Tag::Heading { level, .. } => {
                self.flush();
                self.level = Some(*level as u8);
                self.open = Some(range);
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.quotes += 1;
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::List(first) => {
                self.flush();
                self.lists.push(*first);
            }
            Tag::Item => self.item(range.start),
            Tag::Table(_) => {
                self.flush();
                self.rows = Vec::new();
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn item(&mut self, start: usize) {
        self.flush();
        self.items += 1;
        let number = self.lists.last_mut().and_then(Option::as_mut);
        self.marker = Some(number.map_or(Marker::Bullet, |next| {
            *next += 1;
            Marker::Number(*next - 1)
        }));
        self.open = Some(start..start);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the tags of the parser are many, and others change nothing"
    )]
    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => self.flush(),
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::Item => {
                self.flush();
                self.items = self.items.saturating_sub(1);
            }
            TagEnd::TableCell => {
                let cell = self.inline.done();
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Table => {
                self.open = None;
                let rows = std::mem::take(&mut self.rows);
                self.put(range, Content::Table(rows));
            }
            _ => {}
        }
    }

    /// Lines of markup that follow each other are one block.
    fn markup(&mut self, text: &str, range: Range<usize>) {
        let (line, last) = self.lines_of(&range);
        if let Some(NoteBlock { last: end, content: Content::Markup(held), .. }) = self.blocks.last_mut()
            && *end + 1 == line
        {
            held.push_str(text);
            *end = last;
            return;
        }
        self.put(range, Content::Markup(text.to_owned()));
    }

    /// The block that is open reaches at least so far.
    fn cover(&mut self, range: Range<usize>) {
        self.open = Some(match self.open.take() {
            Some(open) => open.start.min(range.start)..open.end.max(range.end),
            None => range,
        });
    }

    /// Writes the block whose text has come.
    fn flush(&mut self) {
        let (level, marker) = (self.level.take(), self.marker.take());
        let open = self.open.take();
        if self.inline.is_empty() && marker.is_none() && level.is_none() {
            return;
        }
        let said = self.inline.done();
        let range = open.unwrap_or_default();
        let content = match (level, marker) {
            (Some(level), _) => Content::Heading { level, said },
            (None, Some(marker)) => return self.listed(marker, said, &range),
            (None, None) => Content::Paragraph(said),
        };
        self.add(&range, content);
    }

    /// An item: prose, a fact, or a line of consolidated memory.
    fn listed(&mut self, marker: Marker, said: Vec<Span>, range: &Range<usize>) {
        let (line, last) = self.lines_of(range);
        let source = self.lines.get(line as usize - 1).copied().unwrap_or_default();
        let source = source.trim_start_matches(['>', ' ', '\t']);
        let one = if line == last { Some(source) } else { None };
        let content = match (one.and_then(fact::read), one.and_then(CitedLine::read)) {
            (Some(fact), _) => Content::Fact(ReadFact {
                id: fact.id_or_derived().into_owned(),
                kind: fact.kind(),
                entities: fact.entities().map(str::to_owned).collect(),
                said: inline::line(fact.text()),
            }),
            (None, Some(cited)) => Content::Cited { said: inline::line(&cited.text), cites: cited.cites },
            (None, None) => Content::Item { marker, said },
        };
        self.add(range, content);
    }

    fn put(&mut self, range: Range<usize>, content: Content) {
        self.flush();
        self.add(&range, content);
    }

    fn add(&mut self, range: &Range<usize>, content: Content) {
        let (line, last) = self.lines_of(range);
        self.blocks.push(NoteBlock { line, last, quotes: self.quotes, depth: self.items, content });
    }

    fn lines_of(&self, range: &Range<usize>) -> (u32, u32) {
        let at = |byte: usize| self.starts.partition_point(|start| *start <= byte).max(1);
        let (first, last) = (at(range.start), at(range.end.saturating_sub(1).max(range.start)));
        let number = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
        (number(first), number(last))
    }
}
