//! What LanceDB itself reads of the tables, version by version: its files are compressed, so that a search of their bytes
//! alone would prove little.

use std::collections::HashMap;

use arrow_array::{
    Array, BinaryArray, FixedSizeListArray, Float32Array, Int64Array, RecordBatch, StringArray,
};
use futures_util::TryStreamExt;
use lancedb::query::ExecutableQuery;

/// Everything that can still be read.
#[derive(Default)]
pub(crate) struct Decoded {
    /// Texts and bytes of all columns.
    values: Vec<Vec<u8>>,
    numbers: Vec<i64>,
    pub(crate) vectors: Vec<Vec<f32>>,
    /// Versions of each table that are there.
    pub(crate) versions: Vec<usize>,
    /// Files with rows that the last version of each table has.
    pub(crate) files: usize,
    pub(crate) indices: usize,
}

impl Decoded {
    /// Whether a text is there, or the number that stands for it.
    pub(crate) fn has(&self, needle: &str) -> bool {
        let bytes = needle.as_bytes();
        self.values.iter().any(|value| crate::forget::memory(value, bytes))
            || self.numbers.contains(&number(needle))
    }

    fn take(&mut self, batch: &RecordBatch) {
        for column in batch.columns() {
            let any = column.as_any();
            if let Some(texts) = any.downcast_ref::<StringArray>() {
                self.values.extend(texts.iter().flatten().map(|text| text.as_bytes().to_vec()));
            } else if let Some(bytes) = any.downcast_ref::<BinaryArray>() {
                self.values.extend(bytes.iter().flatten().map(<[u8]>::to_vec));
            } else if let Some(numbers) = any.downcast_ref::<Int64Array>() {
                self.numbers.extend(numbers.iter().flatten());
            } else if let Some(lists) = any.downcast_ref::<FixedSizeListArray>() {
                self.vectors.extend(lists.iter().flatten().map(|list| floats(&list)));
            }
        }
    }
}

fn floats(list: &dyn Array) -> Vec<f32> {
    list.as_any().downcast_ref::<Float32Array>().unwrap().values().to_vec()
}

/// As FORMAT.md says.
fn number(text: &str) -> i64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    (text.bytes().fold(0xcbf2_9ce4_8422_2325, mix) >> 2).cast_signed()
}

/// Every row of every version of every table of a part.
pub(crate) fn decoded(part: &str, options: &HashMap<String, String>) -> Decoded {
    let mut options = options.clone();
    options.insert("allow_http".to_owned(), "true".to_owned());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let part = part.to_owned();
    runtime.block_on(async move {
        let mut found = Decoded::default();
        let tables = lancedb::connect(&part).storage_options(options).execute().await.unwrap();
        for name in tables.table_names().execute().await.unwrap() {
            let table = tables.open_table(&name).execute().await.unwrap();
            let stats = table.stats().await.unwrap();
            found.files += stats.fragment_stats.num_fragments;
            found.indices += table.list_indices().await.unwrap().len();
            let versions = table.list_versions().await.unwrap();
            found.versions.push(versions.len());
            for version in versions {
                table.checkout(version.version).await.unwrap();
                let rows = table.query().execute().await.unwrap();
                rows.try_collect::<Vec<_>>().await.unwrap().iter().for_each(|batch| found.take(batch));
            }
        }
        found
    })
}
