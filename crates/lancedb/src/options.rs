//! Where the tables are, parsed from the settings.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use mindfile_index::Error;

use crate::error::{ENGINE, Place};

/// The options of an agent's index.
#[derive(Clone)]
pub struct Options {
    /// A folder, or `s3://BUCKET/PREFIX`.
    pub uri: String,
    pub agent: String,
    /// Options of the object store, in addition to the environment's.
    pub storage_options: HashMap<String, String>,
    /// How long to wait for an object store.
    pub timeout: Duration,
}

/// The agent's folder, and how to reach it.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) uri: String,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) options: HashMap<String, String>,
    pub(crate) timeout: Duration,
    pub(crate) place: Place,
}

impl Target {
    pub(crate) fn of(options: &Options) -> Result<Self, Error> {
        let cloud = options.uri.strip_prefix("s3://").map(|rest| !rest.is_empty() && !rest.starts_with('/'));
        let root = options.uri.trim_end_matches('/');
        let (cloud, root) = match cloud {
            Some(true) => (true, root),
            None if !root.is_empty() && !root.contains("://") => (false, root),
            Some(false) | None => return Err(refused(&options.uri)),
        };
        let uri = format!("{root}/{}", options.agent);
        let place = Place { text: uri.clone(), cloud };
        let folder = (!cloud).then(|| PathBuf::from(&uri));
        let storage = if cloud { with_limits(options) } else { HashMap::new() };
        Ok(Self { uri, folder, options: storage, timeout: options.timeout, place })
    }

    pub(crate) fn part(&self, name: &str) -> String {
        format!("{}/{name}", self.uri)
    }
}

fn refused(uri: &str) -> Error {
    Error::Unusable {
        engine: ENGINE,
        place: "memory.lancedb.uri".to_owned(),
        why: format!("\"{uri}\" is neither a folder nor s3://BUCKET/PREFIX"),
        hint: "mindfile config set memory.lancedb.uri memory/lancedb, or s3://BUCKET/PREFIX".to_owned(),
    }
}

/// By default the store's client retries for minutes. Settings come first.
fn with_limits(options: &Options) -> HashMap<String, String> {
    let seconds = options.timeout.as_secs().max(1);
    let mut all = HashMap::from([
        ("client_max_retries".to_owned(), "2".to_owned()),
        ("client_retry_timeout".to_owned(), seconds.to_string()),
        ("connect_timeout".to_owned(), format!("{}ms", options.timeout.as_millis())),
    ]);
    let named =
        |key: &str| options.storage_options.get(key).or(options.storage_options.get(&format!("aws_{key}")));
    if named("endpoint").is_some_and(|endpoint| is_loopback(endpoint)) {
        all.insert("allow_http".to_owned(), "true".to_owned());
    }
    all.extend(options.storage_options.clone());
    all
}

fn is_loopback(endpoint: &str) -> bool {
    let host = endpoint.strip_prefix("http://").unwrap_or_default();
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
        host.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(uri: &str) -> Options {
        let agent = "main".to_owned();
        let storage_options = HashMap::new();
        Options { uri: uri.to_owned(), agent, storage_options, timeout: Duration::from_secs(1) }
    }

    #[test]
    fn an_agent_has_a_folder_of_its_own() {
        assert_eq!(Target::of(&options("/notes/")).unwrap().uri, "/notes/main");
        assert_eq!(Target::of(&options("s3://notes/of/ann")).unwrap().uri, "s3://notes/of/ann/main");
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        for uri in ["", "/", "s3://", "s3:///x", "db://cloud", "http://127.0.0.1/x"] {
            assert!(Target::of(&options(uri)).is_err(), "{uri}");
        }
    }

    #[test]
    fn http_is_allowed_to_this_machine_alone() {
        for (endpoint, allowed) in [
            ("http://127.0.0.1:5000", true),
            ("http://localhost", true),
            ("http://127.0.0.1.example", false),
            ("http://store.example", false),
        ] {
            let mut one = options("s3://b");
            one.storage_options.insert("endpoint".to_owned(), endpoint.to_owned());
            let made = Target::of(&one).unwrap().options;
            assert_eq!(made.contains_key("allow_http"), allowed, "{endpoint}");
        }
    }
}
