//! Verifies the whole index: derives ids, terms and checksums again from the stored texts and compares them.

use std::collections::HashMap;

use mindfile_index::plan::StoredRow;
use mindfile_index::{ChunkId, ChunkTerms, Doc, Embedding, Error, Shelf, vector};

use crate::codec::int;
use crate::read::{Question, Reader};
use crate::rows;
use crate::tables::{self, Table};

const PAGE: usize = 500;

/// Sums of postings, by shelf and word.
type Sums = HashMap<(Shelf, String), (u64, u64)>;

pub(crate) fn verify(reader: &Reader) -> Result<(), Error> {
    let mut sums = Sums::new();
    for shelf in Shelf::ALL {
        let listed = reader.listed(shelf)?;
        for rows in listed.columns.rows.chunks(PAGE) {
            check_page(reader, shelf, rows, &mut sums)?;
        }
        let unknown = listed
            .by_path
            .keys()
            .find(|path| !matches!(reader.known_notes(), Ok(notes) if notes.0.contains_key(*path)));
        if let Some(path) = unknown {
            return Err(reader.damaged(format!("there are rows of {path}, which is no note")));
        }
        if listed.columns.rows.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(reader.damaged("a row is there twice"));
        }
    }
    check_words(reader, &sums)
}

fn check_page(reader: &Reader, shelf: Shelf, rows: &[u32], sums: &mut Sums) -> Result<(), Error> {
    let mut names = reader.names_of(shelf);
    names.push("length");
    names.extend(reader.view.part.dims.map(|_| "code"));
    let read = |rows: crate::columns::Rows<'_>, at: usize| {
        let sum = rows::stored_sum(rows, at)?.to_owned();
        let row = rows::to_row(rows, at, shelf)?;
        let length = rows.whole("length", at)?;
        let same = rows.bytes("code", at) == row.chunk.embedding.vector().map(vector::entry).as_deref();
        same.then_some((row, sum, length))
    };
    let docs: Vec<Doc> = rows.iter().map(|row| Doc::new(shelf, *row)).collect();
    let page = reader.placed(shelf, &names, &docs, read)?;
    if page.len() != docs.len() {
        return Err(reader.damaged(format!("{} of {} rows can be read", page.len(), docs.len())));
    }
    for (row, sum, length) in &page {
        let words = ChunkTerms::of(&row.chunk.text, &row.chunk.context);
        if int(*length) != int(words.length) {
            return Err(reader.damaged(format!("row {}: its length is not that of its text", row.chunk.doc)));
        }
        check_row(reader, row, sum)?;
        for (term, count) in words.counts() {
            add(sums, shelf, term.to_owned(), row.chunk.doc, count);
        }
    }
    Ok(())
}

fn add(sums: &mut Sums, shelf: Shelf, term: String, doc: Doc, count: u32) {
    let entry = sums.entry((shelf, term)).or_default();
    let mixed = (u64::from(doc.row) << 32 | u64::from(count)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    *entry = (entry.0 + 1, entry.1.wrapping_add(mixed ^ mixed >> 29));
}

fn check_row(reader: &Reader, row: &StoredRow, sum: &str) -> Result<(), Error> {
    let chunk = &row.chunk;
    let odd = |what: &str| Err(reader.damaged(format!("row {}: {what}", codec::doc(chunk.doc))));
    if ChunkId::of_stored(chunk) != chunk.id {
        return odd("its place is not what it goes by");
    }
    if rows::sum(row) != sum {
        return odd("it does not match its checksum");
    }
    match &chunk.embedding {
        Embedding::Vector(vector) if Some(vector.len()) != reader.view.part.dims => {
            odd("its vector has another length")
        }
        Embedding::Vector(vector) if vector.iter().any(|value| !value.is_finite()) => {
            odd("its vector is no number")
        }
        Embedding::Vector(_) | Embedding::Blank | Embedding::Pending => Ok(()),
    }
}

/// Checks that the stored words of existing rows are those of their texts.
fn check_words(reader: &Reader, expected: &Sums) -> Result<(), Error> {
    let columns = ["shelf", "term", "docs", "counts"];
    let question = Question::all(Table::Terms, &columns);
    let mut found = Sums::new();
    for row in reader.all(&question, tables::to_word)? {
        let listed = &reader.listed(row.shelf)?.columns;
        for (number, count) in row.docs.iter().zip(&row.counts) {
            let doc = Doc::new(row.shelf, *number);
            if listed.position(doc).is_some() {
                add(&mut found, row.shelf, row.term.clone(), doc, *count);
            }
        }
    }
    if found == *expected { Ok(()) } else { Err(reader.damaged("its words are not those of the texts")) }
}
