//! A GGUF model file, run in the process by llama.cpp where that is built in.

use std::path::{Path, PathBuf};

use super::download::{self, HostedModel};
use crate::{Embedder, Error};

/// A model file, and where downloads are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// A path, or `hf:OWNER/REPOSITORY/FILE.gguf`.
    pub model: String,
    pub cache: PathBuf,
    /// The hub, or a mirror of it.
    pub endpoint: String,
    /// A PEM file with the certificate authorities to trust, instead of the public ones.
    pub ca_file: Option<PathBuf>,
}

impl Local {
    /// The default model.
    pub const MODEL: &'static str =
        "hf:ggml-org/embeddinggemma-300m-qat-q8_0-GGUF/embeddinggemma-300m-qat-Q8_0.gguf";

    /// The file on the disk; fetched if it is an address whose file is not in the cache yet.
    pub fn file(&self) -> Result<PathBuf, Error> {
        match HostedModel::parse(&self.model)? {
            Some(hosted) => download::fetch(&hosted, self),
            None => {
                let path = PathBuf::from(&self.model);
                if path.is_file() { Ok(path) } else { Err(Error::NoModelFile { path }) }
            }
        }
    }

    /// Whether the file is on the disk.
    pub fn is_there(&self) -> bool {
        match HostedModel::parse(&self.model) {
            Ok(Some(hosted)) => hosted.place(&self.cache).is_file(),
            Ok(None) => Path::new(&self.model).is_file(),
            Err(_unusable) => false,
        }
    }

    /// The name that the model goes by.
    pub fn name(&self) -> String {
        self.model.rsplit('/').next().unwrap_or(&self.model).to_owned()
    }
}

/// Whether this build can run model files.
pub const IS_BUILT_IN: bool = cfg!(feature = "gguf");

/// The embedder of a file. It is loaded when it is asked for the first time.
#[cfg(not(feature = "gguf"))]
pub fn open(local: &Local) -> Box<dyn Embedder> {
    super::unavailable("local", &local.name(), Error::NoGguf)
}

/// The embedder of a file. It is loaded when it is asked for the first time.
#[cfg(feature = "gguf")]
pub fn open(local: &Local) -> Box<dyn Embedder> {
    Box::new(super::gguf::Gguf::new(local))
}
