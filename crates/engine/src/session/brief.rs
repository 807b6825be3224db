//! A note as a model is given it: what it says, in as few tokens as hold that. What stands there for people and programs
//! (attributes, ids, sources, headings over nothing) is left out, and so is what no longer holds.

use std::collections::HashSet;

use jiff::civil::Date;
use mindfile_index::Access;
use mindfile_note::fact::RETAIN;
use mindfile_note::{CitedLine, chunk, date, text, words};
use mindfile_ranking::fact::FactRecord;
use mindfile_ranking::fact::load::{self, LineRef};
use mindfile_ranking::search::Hit;
use mindfile_trust::forgotten::heart;

use crate::access::{GivenPlace, Idle};

/// How long a text is, in tokens.
pub(super) type Count = fn(&str) -> usize;

/// Bytes beyond which a line is not looked at, for each token that it may have.
const LONGEST_TOKEN: usize = 32;

/// A line of a note, as it is given.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BriefLine {
    number: u32,
    text: String,
    /// The fact that it is, with how much that matters.
    fact: Option<(String, f32)>,
    /// What it says and what it rests on, by which a repetition is known.
    says: Vec<String>,
}

/// Which end of a file stays when it is too long: of a day's note the newest lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileEnd {
    Head,
    Tail,
}

/// What a text may take.
pub(super) struct Room<'a> {
    pub(super) tokens: usize,
    pub(super) count: Count,
    pub(super) keep: FileEnd,
    /// How often each fact was given and not used since.
    pub(super) idle: &'a Idle,
}

/// What is left of a note.
pub(super) struct Fitted {
    pub(super) text: String,
    pub(super) left_out: usize,
    pub(super) places: Vec<GivenPlace>,
}

/// The lines of a note that say something today, and that no other one said before.
pub(super) fn lines(name: &str, content: &str, today: Date, said: &mut HashSet<String>) -> Vec<BriefLine> {
    let facts = chunk::facts(content);
    let mut facts = facts.iter().peekable();
    let mut brief = Brief { name, above: Vec::new(), lines: Vec::new() };
    let mut fence = false;
    for (number, line) in (1_u32..).zip(text::lines(content)) {
        let fact = facts.next_if(|placed| placed.line == number);
        let is_fence = ["```", "~~~"].iter().any(|mark| line.trim_start().starts_with(mark));
        if let Some(placed) = fact {
            let place = LineRef { path: name, line: number };
            let record = load::of_line(&placed.fact, place, Vec::new(), Access::default());
            if record.holds(today) {
                brief.fact(&record);
            }
        } else if fence || is_fence {
            brief.prose(number, line);
        } else if let Some(level) = level(line) {
            brief.heading(number, line, level);
        } else if !line.trim().is_empty() && !line.trim_start().starts_with("<!-- mindfile:") {
            brief.item(number, line);
        }
        fence ^= is_fence;
    }
    brief.lines.retain(|line| line.says.is_empty() || !line.says.iter().any(|one| said.contains(one)));
    said.extend(brief.lines.iter().flat_map(|line| line.says.iter().cloned()));
    brief.lines
}

struct Brief<'n> {
    name: &'n str,
    /// Headings under which nothing stood so far.
    above: Vec<(usize, BriefLine)>,
    lines: Vec<BriefLine>,
}

impl Brief<'_> {
    fn push(&mut self, line: BriefLine) {
        self.lines.extend(self.above.drain(..).map(|(_, heading)| heading));
        self.lines.push(line);
    }

    fn prose(&mut self, number: u32, line: &str) {
        self.push(BriefLine { number, text: line.trim_end().to_owned(), fact: None, says: Vec::new() });
    }

    fn heading(&mut self, number: u32, line: &str, level: usize) {
        self.above.retain(|(above, _)| *above < level);
        let words = line.trim_matches(['#', ' ']);
        let is_title = date::of_path(self.name).is_some() && date::parse(words).is_some();
        if words != RETAIN && !words.starts_with("Session ") && !is_title {
            let text = line.trim_end().to_owned();
            self.above.push((level, BriefLine { number, text, fact: None, says: Vec::new() }));
        }
    }

    fn fact(&mut self, fact: &FactRecord) {
        let text = format!("- {}", stated(fact));
        let known = Some((fact.id.clone(), fact.salience));
        self.push(BriefLine { number: fact.line, text, fact: known, says: says(fact) });
    }

    /// Prose, a summary without the facts it rests on, or a sentence that nobody confirmed.
    fn item(&mut self, number: u32, line: &str) {
        let cited = CitedLine::read(line);
        let is_candidate = line.starts_with("- candidate (");
        let Some(said) = heart(line).filter(|_| is_candidate || cited.is_some()) else {
            return self.prose(number, line);
        };
        let mut says = vec![words::plainly(&said)];
        says.extend(cited.into_iter().flat_map(|cited| cited.cites).map(|id| format!("^{id}")));
        let text = if is_candidate { format!("- said: {said}") } else { format!("- {said}") };
        self.push(BriefLine { number, text, fact: None, says });
    }
}

/// A fact with the names that its words do not have.
fn stated(fact: &FactRecord) -> String {
    let text = fact.text.to_lowercase();
    let unnamed = fact.spelled.iter().filter(|tag| !text.contains(&tag.to_lowercase()));
    let about: Vec<String> = unnamed.map(|tag| format!("@{tag}")).chain(fact.key.clone()).collect();
    let about = if about.is_empty() { String::new() } else { format!("{}: ", about.join(" ")) };
    let due = fact.due.map(|due| format!(" (due {due})")).unwrap_or_default();
    format!("{about}{}{due}", fact.text)
}

fn says(fact: &FactRecord) -> Vec<String> {
    let keyed = fact.key.as_deref().unwrap_or_default();
    vec![words::plainly(&format!("{keyed} {}", fact.text)), format!("^{}", fact.id)]
}

/// A line that a model is told, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct ToldLine {
    pub text: String,
    pub place: GivenPlace,
}

/// What was found for a message: facts, then what notes say beside them.
pub fn told(facts: &[&FactRecord], hits: &[Hit], today: Date) -> Vec<ToldLine> {
    let mut said: HashSet<String> = facts.iter().flat_map(|fact| says(fact)).collect();
    let fact = |fact: &&FactRecord| {
        let text = stated(fact);
        ToldLine { place: GivenPlace::fact(fact, &text), text }
    };
    let mut told: Vec<ToldLine> = facts.iter().map(fact).collect();
    for hit in hits {
        let rest = lines(&hit.path, &hit.snippet, today, &mut said);
        let texts: Vec<&str> = rest.iter().map(|line| line.text.trim_start_matches("- ")).collect();
        if !texts.is_empty() {
            let text = texts.join(" ");
            let place = GivenPlace::lines(&hit.path, hit.start_line, hit.end_line, &text);
            told.push(ToldLine { text, place });
        }
    }
    told
}

fn level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    (level > 0 && line[level..].starts_with(' ')).then_some(level)
}

/// As much of a note as there is room for. Facts that were given and never used lose their place first; then the lines at
/// the far end, and of a line that would waste half of the room its beginning stays.
pub(super) fn fitted(name: &str, mut lines: Vec<BriefLine>, room: &Room<'_>) -> Fitted {
    let whole = size(&lines, room.count);
    let mut used = whole;
    if used > room.tokens {
        used -= drop_idle(&mut lines, used - room.tokens, room);
    }
    if used > room.tokens {
        cut(&mut lines, room);
        used = size(&lines, room.count);
    }
    let left_out = whole.saturating_sub(used);
    let said = match left_out {
        0 => String::new(),
        left_out => format!("[{left_out} tokens of {name} are left out here; memory_get reads them]\n"),
    };
    let body: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
    let text = match room.keep {
        FileEnd::Head => format!("{body}{said}"),
        FileEnd::Tail => format!("{said}{body}"),
    };
    Fitted { text, left_out, places: places(name, &lines) }
}

fn size(lines: &[BriefLine], count: Count) -> usize {
    lines.iter().map(|line| count(&line.text) + 1).sum()
}

/// Takes facts away that are given in vain, the worst first, until so many tokens are free. Returns how many are.
fn drop_idle(lines: &mut Vec<BriefLine>, wanted: usize, room: &Room<'_>) -> usize {
    let idle = |line: &BriefLine| {
        let (id, salience) = line.fact.as_ref()?;
        Some((*room.idle.get(id)?, *salience)).filter(|(times, _)| *times > 0)
    };
    let mut worst: Vec<(u32, f32, u32)> = lines
        .iter()
        .filter_map(|line| idle(line).map(|(times, salience)| (times, salience, line.number)))
        .collect();
    worst.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)));
    let mut freed = 0;
    for (_, _, number) in worst {
        if freed >= wanted {
            break;
        }
        if let Some(at) = lines.iter().position(|line| line.number == number) {
            freed += (room.count)(&lines[at].text) + 1;
            lines.remove(at);
        }
    }
    freed
}

/// Keeps the lines at one end.
fn cut(lines: &mut Vec<BriefLine>, room: &Room<'_>) {
    if room.keep == FileEnd::Tail {
        lines.reverse();
    }
    let mut left = room.tokens;
    let mut kept = 0;
    while let Some(line) = lines.get_mut(kept) {
        let tokens = (room.count)(&line.text) + 1;
        if tokens > left {
            if tokens * 2 > room.tokens && left > 1 {
                line.text = beginning(&line.text, left - 1, room.count);
                kept += 1;
            }
            break;
        }
        left -= tokens;
        kept += 1;
    }
    lines.truncate(kept);
    if room.keep == FileEnd::Tail {
        lines.reverse();
    }
}

/// The longest beginning of a text that has so many tokens, up to a character.
fn beginning(text: &str, tokens: usize, count: Count) -> String {
    let text = &text[..text.floor_char_boundary(tokens.saturating_mul(LONGEST_TOKEN))];
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let fits = |end: &usize| count(&format!("{}…", &text[..*end])) <= tokens;
    let end = ends.partition_point(fits).saturating_sub(1);
    ends.get(end).map_or_else(String::new, |end| format!("{}…", &text[..*end]))
}

/// Each fact, and each run of other lines.
fn places(name: &str, lines: &[BriefLine]) -> Vec<GivenPlace> {
    let runs = lines.chunk_by(|line, next| line.fact.is_none() && next.fact.is_none());
    let place = |run: &[BriefLine]| {
        let (first, last) = (run.first()?, run.last()?);
        let texts: Vec<&str> = run.iter().map(|line| line.text.as_str()).collect();
        let lines = GivenPlace::lines(name, first.number, last.number, &texts.join("\n"));
        Some(GivenPlace { fact: first.fact.as_ref().map(|(id, _)| id.clone()), ..lines })
    };
    runs.filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use mindfile_model::count;

    use super::*;

    const DAY: &str = "\
# 2026-07-14

## Retain

- O(s=0.6,src=chat:s1#L2) @user: I prefer tabs over spaces ^k3f9a2
- O(key=editor.theme,until=2026-07-10) @user: light ^old
- O(key=editor.theme) @user: dark ^new

## Session claude-code-1

- candidate (decision, user): We decided to paint the boat. [sessions/claude-code-1.jsonl#L7]

## Plans

## Notes

The harbour opens in May.

```
code

```
";

    fn brief(name: &str, content: &str) -> Vec<BriefLine> {
        lines(name, content, date::parse("2026-07-14").unwrap(), &mut HashSet::new())
    }

    fn check(content: &str, room: &Room<'_>, expected: Expect) {
        expected.assert_eq(&fitted("MEMORY.md", brief("MEMORY.md", content), room).text);
    }

    fn room(tokens: usize, keep: FileEnd, idle: &Idle) -> Room<'_> {
        Room { tokens, count: count::estimate, keep, idle }
    }

    #[test]
    fn a_note_is_given_as_what_it_says() {
        let idle = Idle::new();
        let given = fitted(
            "memory/2026-07-14.md",
            brief("memory/2026-07-14.md", DAY),
            &room(500, FileEnd::Tail, &idle),
        );
        expect![[r#"
            - @user: I prefer tabs over spaces
            - @user editor.theme: dark
            - said: We decided to paint the boat.
            ## Notes
            The harbour opens in May.
            ```
            code

            ```
        "#]]
        .assert_eq(&given.text);
        let places: Vec<String> = given.places.into_iter().map(|place| place.citation).collect();
        let expected = ["memory/2026-07-14.md#L5", "memory/2026-07-14.md#L7", "memory/2026-07-14.md#L11-L22"];
        assert_eq!((given.left_out, places), (0, expected.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_was_said_is_not_said_again() {
        let mut said = HashSet::new();
        let today = date::parse("2026-07-14").unwrap();
        let core = lines(
            "MEMORY.md",
            "# Core\n\n- Tabs are preferred (^k3f9a2)\n- W: The boat is green\n",
            today,
            &mut said,
        );
        assert_eq!(core.len(), 3);
        let day = lines("memory/2026-07-14.md", DAY, today, &mut said);
        assert!(day.iter().all(|line| !line.text.contains("tabs")), "{day:?}");
        assert_eq!(lines("memory/2026-07-13.md", "- B @x: the BOAT is green.\n", today, &mut said), []);
    }

    #[test]
    fn facts_that_are_given_and_never_used_lose_their_place_first() {
        let idle = Idle::from([("a".to_owned(), 1), ("b".to_owned(), 3), ("d".to_owned(), 0)]);
        let content = "- W: The boat is green ^a\n- W: The mast is red ^b\n- W: The dog is old ^c\n- W: The cat is new ^d\n";
        check(
            content,
            &room(40, FileEnd::Head, &idle),
            expect![[r#"
            - The boat is green
            - The mast is red
            - The dog is old
            - The cat is new
        "#]],
        );
        check(
            content,
            &room(20, FileEnd::Head, &idle),
            expect![[r#"
            - The boat is green
            - The dog is old
            - The cat is new
            [6 tokens of MEMORY.md are left out here; memory_get reads them]
        "#]],
        );
        check(
            content,
            &room(11, FileEnd::Tail, &idle),
            expect![[r#"
                [12 tokens of MEMORY.md are left out here; memory_get reads them]
                - The dog is old
                - The cat is new
            "#]],
        );
    }

    #[test]
    fn a_line_that_is_longer_than_the_room_gives_its_beginning() {
        let idle = Idle::new();
        let content = format!("# M\n{}end\nlast\n", "one more word ".repeat(2_000));
        check(
            &content,
            &room(12, FileEnd::Head, &idle),
            expect![[r#"
                # M
                one more word one more word one …
                [6994 tokens of MEMORY.md are left out here; memory_get reads them]
            "#]],
        );
        check(
            &content,
            &room(12, FileEnd::Tail, &idle),
            expect![[r#"
                [6994 tokens of MEMORY.md are left out here; memory_get reads them]
                one more word one more word one …
                last
            "#]],
        );
    }
}
