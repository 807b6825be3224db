//! Many chunks by the batch jobs of a provider. The names of jobs are in the index before anybody waits for them: a kill
//! costs nothing, the next run goes on with the same jobs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use mindfile_index::{Change, Index};
use mindfile_model::provider::tokens;
use mindfile_model::{Embedder, Error as ModelError, JobProgress, Jobs, Outcome, Spending};
use serde::{Deserialize, Serialize};

use super::{EmbeddingRun, Text, keep, pending, take_known};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::fallback::is_down;
use crate::report::Problem;

/// The key in the index's table `meta`.
const KEY: &str = "batch_jobs";
/// After so many failures the rest of the run is embedded in the ordinary way.
const MOST_FAILURES: u32 = 2;
/// A few chunks are embedded sooner than a job is made.
const FEWEST: usize = 100;

/// A job that was handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SubmittedJob {
    job: String,
    model: String,
    endpoint: String,
    at_ms: i64,
}

/// Hands in, waits and collects. What is left over is for the ordinary way.
pub(super) fn run(
    corpus: &Corpus,
    embedder: &dyn Embedder,
    index: &dyn Index,
    run: &mut EmbeddingRun<'_, '_>,
) -> Result<(), Error> {
    let wanted = corpus.space().by_jobs;
    let Some(jobs) = embedder.jobs().filter(|_| wanted) else { return Ok(()) };
    let submitted = known(index, embedder)?;
    if run.until.is_some() {
        // Who is in a hurry neither makes jobs nor pays again for what is in them.
        run.made.waiting_jobs = submitted.len();
        return Ok(());
    }
    let mut work = BatchWork { corpus, embedder, index, jobs, failures: 0, is_away: false, submitted };
    if work.submitted.is_empty() {
        work.submit(run)?;
    }
    while work.failures < MOST_FAILURES && !work.submitted.is_empty() {
        work.collect(run)?;
        if !work.submitted.is_empty() && (work.is_away || !corpus.settings.embedding.jobs.wait) {
            run.made.waiting_jobs = work.submitted.len();
            return Ok(());
        }
        if work.submitted.is_empty() {
            work.submit(run)?;
        } else {
            corpus.pace.sleep(corpus.settings.embedding.jobs.poll_interval);
        }
        if run.go_on() == ControlFlow::Break(()) {
            return Err(Error::Interrupted);
        }
    }
    work.give_up(run)?;
    run.made.waiting_jobs = work.submitted.len();
    Ok(())
}

struct BatchWork<'a> {
    corpus: &'a Corpus,
    embedder: &'a dyn Embedder,
    index: &'a dyn Index,
    jobs: &'a dyn Jobs,
    failures: u32,
    /// Whether the provider could not be asked about a job, which may go on all the same.
    is_away: bool,
    submitted: Vec<SubmittedJob>,
}

impl BatchWork<'_> {
    /// Hands in what is pending, as many jobs as may be under way.
    fn submit(&mut self, run: &mut EmbeddingRun<'_, '_>) -> Result<(), Error> {
        let (most_texts, most_bytes) = self.jobs.capacity();
        let concurrency = self.corpus.settings.embedding.jobs.concurrency;
        let chunks = pending(self.index, most_texts.saturating_mul(concurrency), run)?;
        if chunks.len() < FEWEST {
            return Ok(());
        }
        let texts = take_known(self.corpus, self.embedder, self.index, chunks, run)?;
        let mut rest = texts.as_slice();
        while !rest.is_empty() && self.submitted.len() < concurrency && self.failures < MOST_FAILURES {
            let count = fitting(rest, most_texts, most_bytes);
            let (job, later) = rest.split_at(count);
            self.hand_in(job, run)?;
            rest = later;
        }
        Ok(())
    }

    fn hand_in(&mut self, texts: &[Text], run: &mut EmbeddingRun<'_, '_>) -> Result<(), Error> {
        let named: Vec<(String, &str)> =
            texts.iter().map(|text| (text.key.hash.to_string(), text.text.as_str())).collect();
        match self.jobs.submit(&named) {
            Ok(job) => {
                let space = self.embedder.space();
                self.submitted.push(SubmittedJob {
                    job,
                    model: space.model.clone(),
                    endpoint: space.endpoint.clone(),
                    at_ms: self.corpus.clock.now().as_millisecond(),
                });
                run.made.by_jobs.requests += 1;
                self.write()
            }
            Err(error) => {
                self.failed(&error, run);
                Ok(())
            }
        }
    }

    /// Looks at every job once, and takes in what is done.
    fn collect(&mut self, run: &mut EmbeddingRun<'_, '_>) -> Result<(), Error> {
        for submitted in std::mem::take(&mut self.submitted) {
            let job = submitted.job.clone();
            match self.jobs.look(&job) {
                Ok(JobProgress::Waiting) if self.is_overdue(&submitted) => {
                    // Another one would take as long.
                    self.failures = MOST_FAILURES;
                    self.cancel(submitted, "it took too long", run);
                }
                Ok(JobProgress::Waiting) => self.submitted.push(submitted),
                Ok(JobProgress::Failed(why)) => self.failed(&self.over(&job, &why), run),
                Ok(JobProgress::Done) => {
                    if let Err(error) = self.take(&job, run)? {
                        self.not_had(submitted, &error, run);
                    }
                }
                Err(error) => self.not_had(submitted, &error, run),
            }
        }
        self.write()
    }

    /// A job of a provider that is away may be done all the same: it is asked about by the next run.
    fn not_had(&mut self, submitted: SubmittedJob, error: &ModelError, run: &mut EmbeddingRun<'_, '_>) {
        if !is_down(error) {
            return self.failed(error, run);
        }
        run.problems.push(problem(error));
        self.is_away = true;
        self.submitted.push(submitted);
    }

    /// Ends what is still under way, so that nothing is paid for twice, once nothing is expected of jobs any more.
    fn give_up(&mut self, run: &mut EmbeddingRun<'_, '_>) -> Result<(), Error> {
        if self.failures < MOST_FAILURES || self.is_away {
            return Ok(());
        }
        for submitted in std::mem::take(&mut self.submitted) {
            self.cancel(submitted, "others came to nothing", run);
        }
        self.write()
    }

    /// A job that cannot be cancelled may still be done, and is asked about by the next run.
    fn cancel(&mut self, submitted: SubmittedJob, why: &str, run: &mut EmbeddingRun<'_, '_>) {
        match self.jobs.cancel(&submitted.job) {
            Ok(()) | Err(ModelError::NotThere { .. }) => {
                let why = format!("{why}, and it was cancelled");
                run.problems.push(problem(&self.over(&submitted.job, &why)));
            }
            Err(error) => {
                let why = format!("{why}, and it could not be cancelled: {error}");
                run.problems.push(problem(&self.over(&submitted.job, &why)));
                self.is_away = true;
                self.submitted.push(submitted);
            }
        }
    }

    fn is_overdue(&self, submitted: &SubmittedJob) -> bool {
        let waited = self.corpus.clock.now().as_millisecond() - submitted.at_ms;
        let waited = Duration::from_millis(u64::try_from(waited).unwrap_or(0));
        waited > self.corpus.settings.embedding.jobs.timeout
    }

    fn over(&self, job: &str, why: &str) -> ModelError {
        let at = self.embedder.space().endpoint.clone();
        ModelError::Job { at, job: job.to_owned(), why: why.to_owned() }
    }

    /// Chunks that changed since the job was handed in are not among the pending ones any more, and wait their turn.
    fn take(&self, job: &str, run: &mut EmbeddingRun<'_, '_>) -> Result<Result<(), ModelError>, Error> {
        let chunks = pending(self.index, usize::MAX >> 1, run)?;
        let texts = super::grouped(self.embedder, &run.space, chunks);
        let by_name: HashMap<String, &Text> =
            texts.iter().map(|text| (text.key.hash.to_string(), text)).collect();
        let mut answers: Vec<(&Text, Outcome)> = Vec::new();
        let mut failure = Ok(());
        let mut counted = Spending::default();
        let came = self.jobs.collect(job, &mut |name, outcome, told| {
            let text = by_name.get(name).map_or("", |text| text.text.as_str());
            counted.texts += 1;
            counted.tokens += told.unwrap_or_else(|| tokens::estimate(text) as u64);
            if let Some(text) = by_name.get(name).filter(|_| failure.is_ok()) {
                answers.push((text, outcome));
            }
            if answers.len() >= super::WAVE {
                failure = keep(self.corpus, self.embedder, self.index, answers.drain(..), run);
            }
        });
        run.made.by_jobs += counted;
        failure?;
        keep(self.corpus, self.embedder, self.index, answers.into_iter(), run)?;
        Ok(came)
    }

    fn failed(&mut self, error: &ModelError, run: &mut EmbeddingRun<'_, '_>) {
        self.failures += 1;
        run.problems.push(problem(error));
    }

    fn write(&self) -> Result<(), Error> {
        let value = serde_json::to_string(&self.submitted)
            .map_err(|source| Error::Bug { what: format!("batch jobs: {source}") })?;
        self.corpus.apply(self.index, vec![Change::Meta { key: KEY.to_owned(), value }])
    }
}

fn problem(error: &ModelError) -> Problem {
    Problem { path: "batch job".to_owned(), what: error.to_string() }
}

/// Jobs of this model that an earlier run handed in.
fn known(index: &dyn Index, embedder: &dyn Embedder) -> Result<Vec<SubmittedJob>, Error> {
    let text = index.snapshot()?.meta(KEY)?;
    let mut all: Vec<SubmittedJob> =
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let space = embedder.space();
    all.retain(|submitted| submitted.model == space.model && submitted.endpoint == space.endpoint);
    Ok(all)
}

fn fitting(texts: &[Text], most_texts: usize, most_bytes: usize) -> usize {
    let mut bytes = 0;
    let fits = texts.iter().take(most_texts).take_while(|text| {
        bytes += text.text.len() + 200;
        bytes <= most_bytes
    });
    fits.count().max(1)
}
