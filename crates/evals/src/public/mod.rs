//! Public data sets, read as notes with questions and the places of their evidence.

mod beir;
mod cases;
mod locomo;
mod longmemeval;

use std::path::Path;

use mindfile_care::eval::{COLUMNS, Dataset, Report};

use crate::error::Error;
use crate::table;

/// A data set's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Locomo,
    Longmemeval,
    Beir,
    Cases,
}

pub fn load(format: Format, path: &Path) -> Result<Dataset, Error> {
    match format {
        Format::Locomo => locomo::load(path),
        Format::Longmemeval => longmemeval::load(path),
        Format::Beir => beir::load(path),
        Format::Cases => cases::load(path),
    }
}

fn text(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), source })
}

fn wrong(path: &Path, what: impl std::fmt::Display) -> Error {
    Error::Dataset { path: path.to_owned(), what: what.to_string() }
}

/// The means of each mode, category by category; then each question's rank, where the report has them.
pub fn table(report: &Report) -> String {
    let mut text = String::new();
    for mode in &report.modes {
        let mut rows = vec![COLUMNS.map(str::to_owned)];
        rows.extend(
            mode.rows.iter().chain([&mode.all]).map(|means| means.cells(table::number(means.questions))),
        );
        text.push_str(&format!("{}, {}\n{}", report.dataset, mode.mode, table::text(&rows)));
        let questions = mode.questions.iter().flatten();
        text.extend(questions.map(|one| {
            let rank = one.rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string());
            format!("  {}  {}  {rank}\n", one.id, one.category)
        }));
        text.push('\n');
    }
    text
}
