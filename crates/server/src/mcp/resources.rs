//! The memory files as resources: `memory://notes/` and the path.

use mindfile::notes;
use mindfile_operations::Get;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use crate::desk::Desk;
use crate::failure::Failure;

const BASE: &str = "memory://notes/";
const MARKDOWN: &str = "text/markdown";
/// Notes of one page of the list.
const PAGE: usize = 500;
/// What a path cannot hold as it is.
const ENCODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A page of the list; the cursor is how many were listed before.
pub(super) fn list(desk: &Desk, cursor: Option<&str>) -> Result<ListResourcesResult, Failure> {
    if desk.memory.check_on().is_err() {
        return Ok(ListResourcesResult::with_all_items(Vec::new()));
    }
    let unknown = || Failure::usage("the cursor is not one of ours");
    let from = cursor.map_or(Ok(0), str::parse::<usize>).map_err(|_not_a_number| unknown())?;
    let all = notes::list(&desk.memory, desk.viewer(None))?;
    let page = all.iter().skip(from).take(PAGE);
    let resources = page.map(|note| {
        Resource::new(uri(&note.path), note.path.clone()).with_mime_type(MARKDOWN).with_size(note.bytes)
    });
    let mut listed = ListResourcesResult::with_all_items(resources.collect());
    listed.next_cursor = (from + PAGE < all.len()).then(|| (from + PAGE).to_string());
    Ok(listed)
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let note = ResourceTemplate::new(format!("{BASE}{{+path}}"), "note")
        .with_title("A memory file")
        .with_description("MEMORY.md, a daily note such as memory/2026-07-14.md, or any other memory file")
        .with_mime_type(MARKDOWN);
    vec![note]
}

pub(super) fn read(desk: &Desk, uri: &str) -> Result<ReadResourceResult, Failure> {
    let path = uri.strip_prefix(BASE).and_then(|path| percent_decode_str(path).decode_utf8().ok());
    let path =
        path.ok_or_else(|| Failure::usage(format!("{uri:?} is not a memory file: it begins with {BASE}")))?;
    desk.memory.check_on()?;
    let viewer = desk.viewer(None);
    let lines = notes::read(&desk.memory, viewer, &path, 1, None)?.lines;
    let text = String::from_utf8_lossy(&lines.bytes);
    let mut text = match lines.is_in_a_line() {
        true => notes::shown_part(&desk.memory, viewer, &path, 1, &text)?,
        false => desk.memory.shown(&path, &text)?,
    };
    text.extend(lines.next.map(Get::more));
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

fn uri(path: &str) -> String {
    format!("{BASE}{}", utf8_percent_encode(path, &ENCODED))
}
