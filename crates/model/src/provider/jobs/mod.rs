//! Batch jobs: many documents handed over at once and fetched later, at half the price. A job outlives the process that
//! began it; whoever keeps its name can go on with it.

mod gemini;
mod openai;

use super::Protocol;
use super::remote::Remote;
use crate::{Error, Outcome};

pub trait Jobs: Send + Sync {
    /// The most texts, and the most bytes of text, that one job takes.
    fn capacity(&self) -> (usize, usize);

    /// Hands over documents, each under a name of its own, and returns the name of the job.
    fn submit(&self, documents: &[(String, &str)]) -> Result<String, Error>;

    fn look(&self, job: &str) -> Result<Progress, Error>;

    /// Everything that a finished job made, one document at a time.
    fn collect(&self, job: &str, sink: &mut dyn FnMut(&str, Outcome)) -> Result<(), Error>;
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    Waiting,
    Done,
    Failed(String),
}

impl Jobs for Remote {
    fn capacity(&self) -> (usize, usize) {
        match self.service.spec.protocol {
            Protocol::Gemini => gemini::CAPACITY,
            Protocol::OpenAi | Protocol::Ollama => openai::CAPACITY,
        }
    }

    fn submit(&self, documents: &[(String, &str)]) -> Result<String, Error> {
        match self.service.spec.protocol {
            Protocol::Gemini => gemini::submit(self, documents),
            Protocol::OpenAi | Protocol::Ollama => openai::submit(self, documents),
        }
    }

    fn look(&self, job: &str) -> Result<Progress, Error> {
        match self.service.spec.protocol {
            Protocol::Gemini => gemini::look(self, job),
            Protocol::OpenAi | Protocol::Ollama => openai::look(self, job),
        }
    }

    fn collect(&self, job: &str, sink: &mut dyn FnMut(&str, Outcome)) -> Result<(), Error> {
        match self.service.spec.protocol {
            Protocol::Gemini => gemini::collect(self, job, sink),
            Protocol::OpenAi | Protocol::Ollama => openai::collect(self, job, sink),
        }
    }
}

impl Remote {
    fn job_failed(&self, job: &str, why: &str) -> Error {
        Error::Job { at: self.transport.at(), job: job.to_owned(), why: self.transport.clean(why) }
    }
}
