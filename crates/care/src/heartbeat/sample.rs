//! Facts for tests, from their lines.

use jiff::civil::date;
use mindfile_note::fact as note;

use mindfile::fact::load::{self, LineRef};
use mindfile::fact::{Access, FactRecord};

/// A fact that stands in the note of a day of February 2026.
pub(super) fn fact(line: &str, day: i8) -> FactRecord {
    let read = note::read(line).unwrap();
    let path = format!("memory/{}.md", date(2026, 2, day));
    let names = read.entities().map(str::to_lowercase).collect();
    load::of_line(&read, LineRef { path: &path, line: 1 }, names, Access::default())
}
