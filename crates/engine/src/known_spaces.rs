//! The vector spaces that an index has known: what the cache holds is found again when a model comes back, and is not
//! taken for that of another model under the same name.

use mindfile_index::{Change, Error as IndexError, Snapshot};
use mindfile_note::hash::Digest;

use crate::error::Error;
use crate::fingerprint::Fingerprint;

/// The key in the index's table `meta`.
const KEY: &str = "embedding_spaces";
/// Who changes models more often than this pays for it.
const MOST: usize = 12;

/// The spaces that are known, the latest last.
pub(crate) fn listed(snapshot: &dyn Snapshot) -> Result<Vec<Fingerprint>, IndexError> {
    let text = snapshot.meta(KEY)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
}

/// The fingerprint with the known text's vector as it was first seen: services round a little differently each time.
pub(crate) fn recognised(print: Fingerprint, known: &[Fingerprint]) -> Fingerprint {
    match known.iter().find(|known| known.is_of_space(&print)) {
        Some(same) => Fingerprint { canary: same.canary.clone(), ..print },
        None => print,
    }
}

/// The change that writes the list with one more space, if it is a new one.
pub(crate) fn remember(print: &Fingerprint, mut known: Vec<Fingerprint>) -> Result<Change, Error> {
    known.retain(|known| !known.is_of_space(print));
    known.push(print.clone());
    let from = known.len().saturating_sub(MOST);
    let value = serde_json::to_string(&known[from..])
        .map_err(|source| Error::Bug { what: format!("spaces: {source}") })?;
    Ok(Change::Meta { key: KEY.to_owned(), value })
}

/// What stands for a space in the keys of the cache.
pub(crate) fn cache_name(print: &Fingerprint) -> String {
    let Fingerprint { endpoint, recipe, canary, .. } = print;
    Digest::of(format!("{endpoint}\n{recipe}\n{canary}").as_bytes()).to_string()
}
