//! Secrets on their way from a file to the request they are for: never shown, and only looked up when they are needed.

use std::io::Read;
use std::path::PathBuf;

use mindfile_model::provider::Secret;
use serde_json::Value;

use crate::declare::Reader;
use crate::error::Error;
use crate::origin::{ConcealedSecret, Origin};
use crate::paths::expand;

/// The longest file that can hold a key.
const LONGEST: u64 = 64 << 10;

impl Reader<'_> {
    /// The secret of a key, if there is one.
    pub(crate) fn secret(&self, key: &str) -> Result<Option<Secret>, Error> {
        self.merged.concealed(key).map_or(Ok(None), |concealed| self.open(key, concealed))
    }

    /// The names and secret values of a key, such as HTTP headers.
    pub(crate) fn secrets(&self, key: &str) -> Result<Vec<(String, Secret)>, Error> {
        self.merged.concealed(key).map_or_else(|| Ok(Vec::new()), |concealed| self.open_all(key, concealed))
    }

    /// The secret itself: as written, from a variable, or from a file. None where the variable is not set.
    pub(crate) fn open(&self, key: &str, concealed: &ConcealedSecret) -> Result<Option<Secret>, Error> {
        let ConcealedSecret { value, origin } = concealed;
        if let Value::String(text) = value {
            return Ok(match text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
                Some(variable) => self.variable(variable),
                None => Secret::new(text),
            });
        }
        let named = |name: &str| value.get(name).and_then(Value::as_str);
        let (variable, file) = match named("source") {
            Some("env") => (named("id"), None),
            Some("file") => (None, named("path").or_else(|| named("id"))),
            Some(_) => (None, None),
            None => (named("env"), named("file")),
        };
        match (variable, file) {
            (Some(variable), _) => Ok(self.variable(variable)),
            (None, Some(file)) => self.secret_in(file, origin),
            (None, None) => Err(Error::BadValue {
                origin: origin.clone(),
                key: key.to_owned(),
                value: "an object".to_owned(),
                allowed: "a string, { env: \"NAME\" } or { file: \"PATH\" }".to_owned(),
            }),
        }
    }

    pub(crate) fn open_all(
        &self,
        key: &str,
        concealed: &ConcealedSecret,
    ) -> Result<Vec<(String, Secret)>, Error> {
        let mut all = Vec::new();
        for (name, value) in concealed.value.as_object().into_iter().flatten() {
            let one = ConcealedSecret { value: value.clone(), origin: concealed.origin.clone() };
            all.extend(self.open(&format!("{key}.{name}"), &one)?.map(|secret| (name.clone(), secret)));
        }
        Ok(all)
    }

    pub(crate) fn variable(&self, name: &str) -> Option<Secret> {
        Secret::new(&self.env.variable(name)?)
    }

    /// The authorities that the environment names for every program.
    pub(crate) fn authorities(&self) -> Option<PathBuf> {
        self.env.variable("SSL_CERT_FILE").map(PathBuf::from)
    }

    fn secret_in(&self, file: &str, origin: &Origin) -> Result<Option<Secret>, Error> {
        let file = expand(file.as_ref(), self.state_dir, self.home, origin)?;
        let mut text = String::new();
        let read =
            std::fs::File::open(&file).and_then(|opened| opened.take(LONGEST).read_to_string(&mut text));
        read.map_err(|source| Error::Read { file, source })?;
        Ok(Secret::new(&text))
    }
}
