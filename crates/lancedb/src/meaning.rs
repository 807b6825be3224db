//! Ranking by meaning: a scan over the 8-bit codes of all vectors, which are in memory; the best are scored again with the
//! vectors themselves, as in every engine, so that scores agree.

use mindfile_index::vector::{self, CodedQuery};
use mindfile_index::{Doc, Error, Filter, Shelf};

use crate::codec;
use crate::columns::Rows;
use crate::read::{Question, Reader};
use crate::tables::Table;
use crate::view::{Codes, Listing};

/// At most this fraction of all rows is read row by row; for more, the whole table is.
const FEW: usize = 8;

impl Reader {
    pub(crate) fn near(
        &self,
        shelf: Shelf,
        query: &[f32],
        filter: &Filter,
        limit: usize,
        also: &[Doc],
    ) -> Result<Vec<(Doc, f32)>, Error> {
        let asked = CodedQuery::of(query);
        let columns = &self.listed(shelf)?.columns;
        let mut scores = vec![vector::NO_VECTOR; columns.len()];
        vector::score_run(&asked, &self.codes(shelf, asked.entry())?.0, &mut scores);
        vector::ranked(&scores, columns, filter, limit, also, |docs| self.cosines(docs, query))
    }

    fn cosines(&self, docs: &[Doc], query: &[f32]) -> Result<Vec<f32>, Error> {
        let rows = self.known_rows(docs)?;
        let cosine = |doc: &Doc| Some(vector::cosine(rows.get(doc)?.chunk.embedding.vector()?, query));
        let unknown = |doc: &Doc| self.damaged(format!("row {doc} has a code and no vector"));
        docs.iter().map(|doc| cosine(doc).ok_or_else(|| unknown(doc))).collect()
    }

    /// The codes of a shelf. Those of rows that have not moved are copied from the generation before.
    fn codes(&self, shelf: Shelf, size: usize) -> Result<&Codes, Error> {
        let slot = self.view.codes(shelf);
        if let Some(codes) = slot.get() {
            return Ok(codes);
        }
        let listed = self.listed(shelf)?;
        let mut codes = Codes(vec![0; size * listed.columns.len()]);
        let missing = self.view.taken_over(shelf, listed, &mut codes, size);
        let found = if missing.len() > listed.columns.len() / FEW {
            self.all(&Question::all(Table::of(shelf), &["doc", "code"]), code)?
        } else {
            self.placed(shelf, &["doc", "code"], &missing, code)?
        };
        if filled(&mut codes, listed, size, found) < missing.len() {
            return Err(self.damaged("there are vectors without a code"));
        }
        self.view.let_go(shelf);
        Ok(slot.get_or_init(|| codes))
    }
}

/// Fills in codes and returns how many there were.
fn filled(codes: &mut Codes, listed: &Listing, size: usize, found: Vec<(Doc, Option<Vec<u8>>)>) -> usize {
    let mut count = 0;
    for (doc, code) in found {
        if let (Some(at), Some(code)) = (listed.columns.position(doc), code.filter(|code| code.len() == size))
        {
            codes.at_mut(at, size).copy_from_slice(&code);
            count += 1;
        }
    }
    count
}

fn code(rows: Rows<'_>, at: usize) -> Option<(Doc, Option<Vec<u8>>)> {
    Some((codec::to_doc(rows.long("doc", at)?), rows.bytes("code", at).map(<[u8]>::to_vec)))
}
