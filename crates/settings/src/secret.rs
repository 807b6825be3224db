//! Secrets on their way from a file to the request they are for: never shown, and only looked up when they are needed.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

use mindfile_model::provider::Secret;
use serde_json::Value;

use crate::error::Error;
use crate::origin::Origin;
use crate::paths::{Env, expand};

/// The longest file that can hold a key.
const LONGEST: u64 = 64 << 10;

/// A value as it was written, which may be a secret or say where one is.
#[derive(Clone, PartialEq)]
pub(crate) struct ConcealedSecret {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

impl fmt::Debug for ConcealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(crate::kind::SECRET_SHOWN)
    }
}

/// What secrets are looked up with.
pub(crate) struct Vault<'a> {
    pub(crate) env: &'a Env,
    pub(crate) state_dir: &'a Path,
    pub(crate) home: Option<&'a Path>,
}

impl Vault<'_> {
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
            (None, Some(file)) => self.file(file, origin),
            (None, None) => Err(Error::BadValue {
                origin: origin.clone(),
                key: key.to_owned(),
                value: "an object".to_owned(),
                allowed: "a string, { env: \"NAME\" } or { file: \"PATH\" }".to_owned(),
            }),
        }
    }

    /// The values of an object of secrets, such as HTTP headers.
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

    pub(crate) fn path(&self, path: &str, origin: &Origin) -> Result<PathBuf, Error> {
        expand(path.as_ref(), self.state_dir, self.home, origin)
    }

    fn file(&self, path: &str, origin: &Origin) -> Result<Option<Secret>, Error> {
        let path = self.path(path, origin)?;
        let mut text = String::new();
        let read = std::fs::File::open(&path).and_then(|file| file.take(LONGEST).read_to_string(&mut text));
        read.map_err(|source| Error::Read { file: path, source })?;
        Ok(Secret::new(&text))
    }
}
