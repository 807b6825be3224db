//! Parses QMD's answers: a place in a collection, and the lines it showed. Its scores are ignored: on few notes they are
//! all 0. Pure.

use std::borrow::Cow;

use serde::Deserialize;

/// One hit, in the order of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawHit {
    pub(crate) collection: String,
    /// Below the collection's folder.
    pub(crate) path: String,
    /// Counted from 1.
    pub(crate) start: u32,
    pub(crate) lines: u32,
    /// The first line of the snippet that says something, as far as QMD showed it.
    pub(crate) shown: Option<String>,
}

/// Who gave the answer: the command writes paths as they are, the server encodes them and numbers lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    Command,
    Server,
}

#[derive(Deserialize)]
struct Item {
    file: String,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    snippet: Option<String>,
    #[serde(default)]
    body: Option<String>,
}

#[derive(Deserialize)]
struct ServerAnswer {
    results: Vec<Item>,
}

/// Reads an answer. Noise before the JSON is passed over; what is no hit in a collection is left out.
pub(crate) fn hits(text: &str, by: AnswerSource) -> Result<Vec<RawHit>, String> {
    let items = match by {
        AnswerSource::Command => list(text)?,
        AnswerSource::Server => {
            serde_json::from_str::<ServerAnswer>(text).map_err(|error| error.to_string())?.results
        }
    };
    Ok(items.into_iter().filter_map(|item| raw(item, by)).collect())
}

/// The list that the output holds. It begins a line, so that a list inside of one that is cut off is not taken for it.
fn list(text: &str) -> Result<Vec<Item>, String> {
    let mut why = None;
    let begins_a_line = |at: usize| at == 0 || text[..at].ends_with('\n');
    for (at, _) in text.match_indices('[').filter(|(at, _)| begins_a_line(*at)) {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Vec<Item>>();
        match values.next() {
            Some(Ok(items)) => return Ok(items),
            Some(Err(error)) => why = why.or_else(|| Some(error.to_string())),
            None => {}
        }
    }
    if text.trim().is_empty() || text.contains("No results found") {
        return Ok(Vec::new());
    }
    Err(why.unwrap_or_else(|| "there is no list in it".to_owned()))
}

fn raw(item: Item, by: AnswerSource) -> Option<RawHit> {
    let file = item.file.strip_prefix("qmd://").unwrap_or(&item.file);
    let file = file.trim_start_matches('/');
    let file = file.split_once("?index=").map_or(file, |(file, _)| file);
    let file = match by {
        AnswerSource::Command => Cow::Borrowed(file),
        AnswerSource::Server => decoded(file)?,
    };
    let (collection, path) = file.split_once('/')?;
    let text = item.snippet.or(item.body).unwrap_or_default();
    let (start, lines, shown) = place(&text, by).unwrap_or((item.line.unwrap_or(1).max(1), 1, None));
    Some(RawHit { collection: collection.to_owned(), path: path.to_owned(), start, lines, shown })
}

/// `@@ -4,4 @@ (3 before, 6 after)`, then the lines.
fn place(snippet: &str, by: AnswerSource) -> Option<(u32, u32, Option<String>)> {
    let mut lines = snippet.split('\n').map(|line| match by {
        AnswerSource::Command => line,
        AnswerSource::Server => unnumbered(line),
    });
    let header = lines.next()?.strip_prefix("@@ -")?;
    let (range, _) = header.split_once(" @@")?;
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    let shown = lines.find(|line| line.contains(char::is_alphanumeric)).map(str::to_owned);
    Some((start.parse().ok().filter(|start| *start > 0)?, count.parse::<u32>().ok()?.max(1), shown))
}

/// `7: text` without the number.
fn unnumbered(line: &str) -> &str {
    match line.split_once(": ") {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        Some(_) | None => line,
    }
}

/// `%20` and the like; none if that gives no text.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = (byte == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        bytes.push(code.unwrap_or(byte));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, by: AnswerSource, expected: Expect) {
        let told = match hits(text, by) {
            Ok(hits) => hits
                .iter()
                .map(|hit| {
                    format!("{} {} {}+{} {:?}\n", hit.collection, hit.path, hit.start, hit.lines, hit.shown)
                })
                .collect(),
            Err(why) => why,
        };
        expected.assert_eq(&told);
    }

    #[test]
    fn the_commands_answer_is_read_with_its_lines() {
        let text = r#"[{"score":0,"file":"qmd://memory-dir-main/garden & #1 100%25.md","line":5,"title":"Garden",
            "snippet":"@@ -4,4 @@ (3 before, 6 after)\n\nTomatoes: planted.\nThey need water."}]"#;
        check(
            text,
            AnswerSource::Command,
            expect![[r#"
            memory-dir-main garden & #1 100%25.md 4+4 Some("Tomatoes: planted.")
        "#]],
        );
    }

    #[test]
    fn the_servers_answer_is_decoded_and_its_numbers_are_not_taken_for_text() {
        let text = r#"{"results":[{"file":"qmd://docs/a/garden%20%26%20%231.md","line":5,
            "snippet":"5: @@ -4,4 @@ (3 before, 6 after)\n6: \n7: Tomatoes: planted."}]}"#;
        check(
            text,
            AnswerSource::Server,
            expect![[r#"
            docs a/garden & #1.md 4+4 Some("Tomatoes: planted.")
        "#]],
        );
    }

    #[test]
    fn noise_before_the_list_is_passed_over() {
        check("[node-llama-cpp] no GPU\nWarning [x]: y\n[]\n", AnswerSource::Command, expect![""]);
        check(
            "progress [3/4]\n[{\"file\":\"qmd://c/p.md\",\"line\":7}] done",
            AnswerSource::Command,
            expect![[r#"
            c p.md 7+1 None
        "#]],
        );
        check("No results found.\n", AnswerSource::Command, expect![""]);
    }

    #[test]
    fn what_is_no_json_is_said() {
        check("Segmentation fault", AnswerSource::Command, expect!["there is no list in it"]);
        check("[{\"file\":", AnswerSource::Command, expect!["EOF while parsing a value at line 1 column 9"]);
        check(
            "[{\"file\":\"qmd://c/p.md\",\"tags\":[]",
            AnswerSource::Command,
            expect!["EOF while parsing an object at line 1 column 33"],
        );
        check("<html>", AnswerSource::Server, expect!["expected value at line 1 column 1"]);
    }

    #[test]
    fn what_is_no_place_in_a_collection_is_left_out() {
        check(
            r#"[{"file":"loose.md"},{"file":"qmd://c/ok.md","snippet":"@@ -x @@\nno header"}]"#,
            AnswerSource::Command,
            expect![[r#"
            c ok.md 1+1 None
        "#]],
        );
        check(r#"{"results":[{"file":"qmd://c/%ff%fe.md"}]}"#, AnswerSource::Server, expect![""]);
    }
}
