//! Batch jobs: many documents handed over at once and fetched later, at half the price. A job outlives the process that
//! began it; whoever keeps its name can go on with it.

mod gemini;
mod openai;

use serde::Deserialize;

use super::Protocol;
use super::answer::vector;
use super::remote::Remote;
use super::transport::HttpCall;
use crate::{Error, Outcome};

pub trait Jobs: Send + Sync {
    /// The most texts, and the most bytes of text, that one job takes.
    fn capacity(&self) -> (usize, usize);

    /// Hands over documents, and returns the name of the job.
    fn submit(&self, documents: &Documents<'_>) -> Result<String, Error>;

    fn look(&self, job: &str) -> Result<Progress, Error>;

    /// Ends a job before it is done: from then on it costs nothing more.
    fn cancel(&self, job: &str) -> Result<(), Error>;

    /// Everything that a finished job made, one document at a time.
    fn collect(&self, job: &str, sink: &mut JobSink<'_>) -> Result<(), Error>;
}

/// Documents, each under a name of its own.
pub type Documents<'a> = [(String, &'a str)];

/// Takes what became of a document, by its name, and the tokens that the provider counted for it, if it says so.
pub type JobSink<'a> = dyn FnMut(&str, Outcome, Option<u64>) + 'a;

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    Waiting,
    Done,
    Failed(String),
}

/// How a provider is asked for jobs.
struct BatchApi {
    capacity: (usize, usize),
    submit: fn(&Remote, &Documents<'_>) -> Result<String, Error>,
    look: fn(&Remote, &str) -> Result<Progress, Error>,
    /// The path of a job to which its end is posted.
    cancel: fn(&str) -> String,
    collect: fn(&Remote, &str, &mut JobSink<'_>) -> Result<(), Error>,
}

impl Jobs for Remote {
    fn capacity(&self) -> (usize, usize) {
        self.batch_api().capacity
    }

    fn submit(&self, documents: &Documents<'_>) -> Result<String, Error> {
        (self.batch_api().submit)(self, documents)
    }

    fn look(&self, job: &str) -> Result<Progress, Error> {
        (self.batch_api().look)(self, job)
    }

    fn cancel(&self, job: &str) -> Result<(), Error> {
        let path = (self.batch_api().cancel)(job);
        let call = HttpCall::json(&path, &serde_json::json!({}));
        self.transport.ask(&call, None, |_| Ok(()))
    }

    fn collect(&self, job: &str, sink: &mut JobSink<'_>) -> Result<(), Error> {
        (self.batch_api().collect)(self, job, sink)
    }
}

impl Remote {
    fn batch_api(&self) -> &'static BatchApi {
        match self.service.spec.protocol {
            Protocol::Gemini => &gemini::API,
            Protocol::OpenAi | Protocol::Ollama => &openai::API,
        }
    }

    fn job_failed(&self, job: &str, why: &str) -> Error {
        Error::Job { at: self.transport.at(), job: job.to_owned(), why: self.transport.clean(why) }
    }

    /// What a job made of a document.
    fn embedded(&self, values: Vec<f32>) -> Result<Outcome, Error> {
        let dims = if self.dims() > 0 { self.dims() } else { values.len() };
        vector(values, dims).map(Outcome::Vector).map_err(|what| self.transport.malformed(&what))
    }

    /// Why a job did not make anything of a document.
    fn refused(&self, why: Option<&str>) -> Outcome {
        Outcome::Refused(self.transport.clean(why.unwrap_or("no reason given")))
    }
}

fn parse<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, String> {
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}
