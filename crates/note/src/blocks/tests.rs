use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn spans(said: &[Span]) -> String {
    let one = |span: &Span| {
        let Look { strong, emphasis, struck, code, picture } = span.look;
        let marks = [(strong, '*'), (emphasis, '/'), (struck, '~'), (code, '`'), (picture, '!')];
        let marks: String = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect();
        let target = span.target.as_ref().map(|target| format!("→{target}")).unwrap_or_default();
        if marks.is_empty() && target.is_empty() {
            return span.text.clone();
        }
        format!("{{{marks}{}{target}}}", span.text)
    };
    said.iter().map(one).collect()
}

fn content(content: &Content) -> String {
    match content {
        Content::Field { name, value } => format!("field {name} = {value}"),
        Content::Heading { level, said } => format!("h{level} {}", spans(said)),
        Content::Paragraph(said) => format!("p {}", spans(said)),
        Content::Item { marker, said } => format!("item {marker:?} {}", spans(said)),
        Content::Cited { said, cites } => format!("cited {} by {cites:?}", spans(said)),
        Content::Fact(ReadFact { id, kind, entities, said }) => {
            format!("fact {id} {kind} {entities:?} {}", spans(said))
        }
        Content::Code { language, text } => format!("code {language} {text:?}"),
        Content::Table(rows) => {
            let rows: Vec<Vec<String>> =
                rows.iter().map(|row| row.iter().map(|cell| spans(cell)).collect()).collect();
            format!("table {rows:?}")
        }
        Content::Markup(text) => format!("markup {text:?}"),
        Content::Rule => "rule".to_owned(),
    }
}

fn check(text: &str, expected: Expect) {
    let one = |block: &NoteBlock| {
        let NoteBlock { line, last, quotes, depth, .. } = block;
        format!("{line}-{last} q{quotes} d{depth} {}\n", content(&block.content))
    };
    expected.assert_eq(&read(text).iter().map(one).collect::<String>());
}

#[test]
fn a_note_is_read_as_blocks_with_their_lines() {
    check(
        "---\ntitle: \"Trip\"\ntags:\n  - a\n  - b\n---\n# Trip\n\nTwo **strong** [words](other.md),\nand `code`.\n\n\
         - one\n  - two\n- [x] done\n\n3. three\n\n> said\n\n```rust\nfn a() {}\n```\n\n| a | b |\n|---|---|\n| 1 | *2* |\n\n---\n",
        expect![[r#"
            2-2 q0 d0 field title = Trip
            3-5 q0 d0 field tags = a, b
            7-7 q0 d0 h1 Trip
            9-10 q0 d0 p Two {*strong} {words→other.md}, and {`code}.
            12-12 q0 d1 item Bullet one
            13-13 q0 d2 item Bullet two
            14-14 q0 d1 item Task { is_done: true } done
            16-16 q0 d1 item Number(3) three
            18-18 q1 d0 p said
            20-22 q0 d0 code rust "fn a() {}\n"
            24-26 q0 d0 table [["a", "b"], ["1", "{/2}"]]
            28-28 q0 d0 rule
        "#]],
    );
}

#[test]
fn facts_lose_what_only_programs_read() {
    check(
        "- W(s=0.9) @Pixel: Chicken gives **hives** ^x7c2pn <!-- importance: 9 -->\n- Sarah leaves (^k3f9a2, ^a1)\n- O @a:\n  goes on\n",
        expect![[r#"
            1-1 q0 d1 fact x7c2pn W ["Pixel"] Chicken gives {*hives}
            2-2 q0 d1 cited Sarah leaves by ["k3f9a2", "a1"]
            3-4 q0 d1 item Bullet O @a: goes on
        "#]],
    );
}

#[test]
fn links_keep_their_target_and_pictures_their_words() {
    check(
        "See [[Pixel]], [[people/sarah|Sarah]], <https://a.example/> and ![a cat](cat.png).\n",
        expect![[r#"
        1-1 q0 d0 p See {Pixel→Pixel}, {Sarah→people/sarah}, {https://a.example/→https://a.example/} and {!a cat}.
    "#]],
    );
}

#[test]
fn markup_is_text() {
    check(
        "<div onclick=a()>\n<b>x</b>\n</div>\n\nA <i>b</i> c\n",
        expect![[r#"
        1-3 q0 d0 markup "<div onclick=a()>\n<b>x</b>\n</div>\n"
        5-5 q0 d0 p A <i>b</i> c
    "#]],
    );
}

#[test]
fn lines_that_end_otherwise_are_counted_as_everywhere() {
    check(
        "a\r\n\r\n# b\r\n- c\r\n",
        expect![[r#"
        1-1 q0 d0 p a
        3-3 q0 d0 h1 b
        4-4 q0 d1 item Bullet c
    "#]],
    );
}

#[test]
fn the_heading_in_force_is_no_title() {
    let blocks = read("# T\n\na\n\n## Health\n\n- b\n");
    assert_eq!((heading(&blocks, 3), heading(&blocks, 7).as_deref()), (None, Some("Health")));
}

#[test]
fn a_deep_nesting_is_a_number_and_no_call() {
    let deep = format!("{}x\n", "> ".repeat(20_000));
    assert_eq!(read(&deep).len(), 1);
    assert!(!read(&"- ".repeat(5_000)).is_empty());
}

proptest! {
    #[test]
    fn any_text_has_blocks_in_the_order_of_its_lines(text in "[-#>`|*\\[\\]()_~: a\n\r\t]{0,200}") {
        let count = crate::text::lines(&text).count() as u32;
        let blocks = read(&text);
        prop_assert!(blocks.iter().all(|block| block.line >= 1 && block.line <= block.last && block.last <= count.max(1)));
    }
}
