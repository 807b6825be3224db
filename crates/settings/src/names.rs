//! Finding a key by its name.

use crate::error::Error;
use crate::key::{Key, closest};
use crate::origin::shown_key;
use crate::settings::KEYS;

/// The key of that name; the places where files keep it are accepted as prefixes.
pub fn find(name: &str) -> Option<&'static Key> {
    let short = canonical(name);
    KEYS.iter().find(|key| key.path == short)
}

/// The known key that a person most likely meant.
pub fn nearest(name: &str) -> Option<&'static str> {
    let name = canonical(name);
    let group = format!("{name}.");
    let below = KEYS.iter().map(|key| key.path).find(|path| path.starts_with(&group));
    below.or_else(|| closest(name, KEYS.iter().map(|key| key.path)))
}

/// The error for a name that is no key.
pub(crate) fn missing(name: &str) -> Error {
    Error::NoSuchKey { key: shown_key(name), nearest: nearest(name) }
}

/// The name without the place that a file keeps it in.
pub(crate) fn canonical(name: &str) -> &str {
    const PLACES: [&str; 4] =
        ["agents.defaults.memorySearch.", "agents.defaults.", "memorySearch.", "memory.search."];
    PLACES.iter().find_map(|place| name.strip_prefix(place)).unwrap_or(name)
}
