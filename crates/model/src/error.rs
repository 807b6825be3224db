//! What can go wrong between a text and its vector.

use std::path::PathBuf;
use std::time::Duration;

use mindfile_fault::Fault;
use thiserror::Error;

/// Texts of providers are scrubbed of keys before they get here.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Error {
    #[error("value {position} of the vector is {value}, which is not a finite number")]
    NotFinite { position: usize, value: f32 },
    #[error("all {dims} values of the vector are zero, so it has no direction")]
    Zero { dims: usize },
    #[error("there is no key for {provider}")]
    NoKey { provider: String, variable: &'static str },
    #[error("\"{address}\" is not the address of an embedding service: {why}")]
    BadAddress { address: String, why: &'static str },
    #[error("{at} cannot be reached: {why}")]
    Unreachable { at: String, why: String },
    #[error("{at} has a certificate that is not trusted: {why}")]
    Untrusted { at: String, why: String },
    #[error("the authorities in {} cannot be used: {why}", path.display())]
    Authorities { path: PathBuf, why: String },
    #[error("{at} did not answer within {} s", seconds(*after))]
    TimedOut { at: String, after: Duration },
    #[error("{at} failed with status {status}: {message}")]
    Failed { at: String, status: u16, message: String },
    #[error("{at} wants fewer requests (status 429): {message}")]
    Busy { at: String, message: String, again_in: Option<Duration> },
    #[error("{at} says that the account has no quota left: {message}")]
    Quota { at: String, message: String },
    #[error("{at} does not accept the key (status {status}): {message}")]
    Denied { at: String, status: u16, message: String },
    #[error("{at} does not have what was asked for (status 404): {message}")]
    NotThere { at: String, message: String },
    #[error("{at} refused the request (status {status}): {message}")]
    Refused { at: String, status: u16, message: String },
    #[error("{at} says that the conversation is too long for the model: {message}")]
    Overflow { at: String, message: String },
    #[error("{at} gave no whole answer: {what}")]
    Broken { at: String, what: String },
    #[error("{at} answered with something else than embeddings: {what}")]
    Malformed { at: String, what: String },
    #[error("{at} answered with more than {limit} bytes")]
    TooLarge { at: String, limit: u64 },
    #[error("{at} redirects to {to}, which is not followed: {why}")]
    Redirected { at: String, to: String, why: &'static str },
    #[error("the time for it ran out")]
    Deadline,
    #[error("stopped before it was finished")]
    Stopped,
    #[error("the batch job {job} of {at} came to nothing: {why}")]
    Job { at: String, job: String, why: String },
    #[error("this build of mindfile cannot run GGUF models")]
    NoGguf,
    #[error("there is no model file {}", path.display())]
    NoModelFile { path: PathBuf },
    #[error("{} is not a model that can be run: {why}", path.display())]
    NotAModel { path: PathBuf, why: &'static str },
    #[error("the model {uri} is not on this machine yet")]
    NotFetched { uri: String },
    #[error("\"{uri}\" is not the address of a model: {why}")]
    BadModelUri { uri: String, why: &'static str },
    #[error("{} is not the file that was announced: {why}", path.display())]
    Download { path: PathBuf, why: String },
    #[error("{}: {what}", path.display())]
    ModelFile { path: PathBuf, what: String },
}

impl Error {
    /// Vectors come from a model: one that cannot be used is the model's failure.
    pub fn fault(&self) -> Fault {
        self.nature().fault
    }

    /// What to do about it, if anything can be done.
    pub fn hint(&self) -> Option<String> {
        if let Self::NoKey { variable, provider } = self
            && !variable.is_empty()
        {
            return Some(format!(
                "set {variable} in the environment, or remote.apiKey in mindfile.json (for a fallback beside another \
                 service: models.providers.{provider}.apiKey)"
            ));
        }
        self.nature().hint.map(str::to_owned)
    }

    /// Whether the same request may succeed a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        self.nature().passes
    }

    fn nature(&self) -> Nature {
        match self {
            Self::NoKey { .. } => {
                caller("set remote.apiKey: keys for other addresses are not sent to this one")
            }
            Self::BadAddress { .. } => {
                caller("write it as https://host/path, for example https://api.example.com/v1")
            }
            Self::Authorities { .. } => caller(
                "remote.caFile, chat.caFile and SSL_CERT_FILE name a PEM file of certificates that is there",
            ),
            Self::NoGguf => caller("build it with the cargo feature gguf, or set fallback"),
            Self::NoModelFile { .. } => {
                caller("set local.modelPath to a GGUF file, or to hf:OWNER/REPOSITORY/FILE.gguf")
            }
            Self::NotAModel { .. } => caller(
                "set local.modelPath to a whole GGUF file of an embedding model; one that was fetched is fetched again \
                 when it is deleted",
            ),
            Self::BadModelUri { .. } => caller("write it as hf:OWNER/REPOSITORY/FILE.gguf"),
            Self::Unreachable { .. } | Self::TimedOut { .. } => passing(
                "check the network and remote.baseUrl; words are searched meanwhile, and what is missing is embedded \
                 by the next mindfile index",
            ),
            Self::Failed { .. } | Self::Malformed { .. } | Self::Busy { .. } => passing(IN_TROUBLE),
            Self::Broken { .. } => passing("try again; what was said is in the transcript"),
            Self::TooLarge { .. } => lasting(Some(IN_TROUBLE)),
            Self::NotFinite { .. } | Self::Zero { .. } => lasting(Some(
                "the embedding model answered with a broken vector: try again, or choose another model",
            )),
            Self::Untrusted { .. } => lasting(Some(
                "if an authority of your own signed it, put that authority's certificate into a PEM file and name the \
                 file in remote.caFile, chat.caFile or SSL_CERT_FILE",
            )),
            Self::Quota { .. } => lasting(Some("look at the account's billing, or choose another provider")),
            Self::Denied { .. } => lasting(Some("check the key; it is sent to this address only")),
            Self::NotThere { .. } => lasting(Some("check the name of the model and remote.baseUrl")),
            Self::Refused { .. } => lasting(Some("check the name of the model and outputDimensionality")),
            Self::Redirected { .. } => {
                lasting(Some("set remote.baseUrl to the address itself, if you trust it"))
            }
            Self::NotFetched { .. } => lasting(Some("mindfile index fetches it")),
            Self::Download { .. } => {
                lasting(Some("run it again: what is on the disk is checked and the rest fetched"))
            }
            Self::Job { .. } => {
                lasting(Some("run mindfile index again, or set remote.batch.enabled to false"))
            }
            // How a conversation gets shorter, whoever holds it knows.
            Self::Overflow { .. } | Self::Deadline | Self::Stopped | Self::ModelFile { .. } => lasting(None),
        }
    }
}

const IN_TROUBLE: &str = "the provider is in trouble: run mindfile index later, it goes on where it stopped";

/// What follows from an error, whatever it is about.
struct Nature {
    fault: Fault,
    /// Whether the same request may succeed a moment later.
    passes: bool,
    hint: Option<&'static str>,
}

/// A person reads hundredths of a second at most.
fn seconds(time: Duration) -> f32 {
    (time.as_secs_f32() * 100.0).round() / 100.0
}

fn caller(hint: &'static str) -> Nature {
    Nature { fault: Fault::Caller, passes: false, hint: Some(hint) }
}

fn passing(hint: &'static str) -> Nature {
    Nature { fault: Fault::Environment, passes: true, hint: Some(hint) }
}

fn lasting(hint: Option<&'static str>) -> Nature {
    Nature { fault: Fault::Environment, passes: false, hint }
}
