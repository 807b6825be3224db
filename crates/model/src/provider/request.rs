//! From many texts to few requests: packing them by items and tokens, sending several requests at a time, and finding
//! the one text that a service refuses without giving up the others.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::catalog::Limits;
use super::remote::Remote;
use super::tokens;
use crate::{Error, Outcome, Role, Sink};

/// A text that no service has a reason to refuse: if one does, the texts are not at fault.
const HARMLESS: &str = "memory";
/// A text this short is not refused for its length.
const SHORTEST_CUT: usize = 64;

/// A text as it is sent.
pub(super) struct PreparedText<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) tokens: usize,
    /// How many characters of the original are in it, if not all.
    kept: Option<usize>,
}

impl<'a> PreparedText<'a> {
    pub(super) fn new(prefix: &str, text: &'a str, most_tokens: usize) -> Self {
        let room = most_tokens.saturating_sub(if prefix.is_empty() { 0 } else { tokens::estimate(prefix) });
        let beginning = tokens::beginning(text, room);
        let kept = (beginning.len() < text.len()).then(|| beginning.chars().count());
        let text = if prefix.is_empty() {
            Cow::Borrowed(beginning)
        } else {
            Cow::Owned(format!("{prefix}{beginning}"))
        };
        Self { tokens: tokens::estimate(&text), text, kept }
    }
}

/// The positions of the texts, request by request. A text that is too large for any request is alone in one.
pub(super) fn pack(texts: &[PreparedText<'_>], limits: &Limits) -> Vec<Vec<usize>> {
    let mut packs: Vec<Vec<usize>> = Vec::new();
    let mut weight = 0_usize;
    for (at, text) in texts.iter().enumerate() {
        weight = weight.saturating_add(text.tokens);
        match packs.last_mut() {
            Some(pack) if pack.len() < limits.items && weight <= limits.tokens => pack.push(at),
            Some(_) | None => {
                packs.push(vec![at]);
                weight = text.tokens;
            }
        }
    }
    packs
}

type Answers = Vec<(usize, Outcome)>;

/// What the threads of one run share.
struct EmbeddingRun<'a> {
    remote: &'a Remote,
    texts: Vec<PreparedText<'a>>,
    originals: &'a [&'a str],
    packs: Mutex<VecDeque<Vec<usize>>>,
    stop: AtomicBool,
    until: Option<Instant>,
    /// How long the slowest request took, in milliseconds.
    slowest: AtomicU64,
}

pub(super) fn embed_each(
    remote: &Remote,
    texts: &[&str],
    until: Option<Instant>,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    let prepared: Vec<PreparedText<'_>> =
        texts.iter().map(|text| remote.prepare(Role::Document, text)).collect();
    let packs = VecDeque::from(remote.pack(&prepared));
    let threads = remote.service.concurrency.clamp(1, packs.len().max(1));
    let run = EmbeddingRun {
        remote,
        texts: prepared,
        originals: texts,
        packs: Mutex::new(packs),
        stop: AtomicBool::new(false),
        until,
        slowest: AtomicU64::new(0),
    };
    thread::scope(|scope| {
        let (sender, answers) = mpsc::channel();
        for _ in 0..threads {
            let run = &run;
            let sender = sender.clone();
            scope.spawn(move || run.work(&sender));
        }
        drop(sender);
        let mut failure = None;
        for answer in answers {
            let came = answer.and_then(|answers| match sink(answers) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(Error::Stopped),
            });
            if let Err(error) = came {
                run.stop.store(true, Ordering::Relaxed);
                failure.get_or_insert(error);
            }
        }
        failure.map_or(Ok(()), Err)
    })
}

impl EmbeddingRun<'_> {
    /// One thread: a request after the other, until there are none, one failed, or the caller has enough.
    fn work(&self, sender: &Sender<Result<Answers, Error>>) {
        while let Some(pack) = self.next() {
            let answers = if self.is_too_late() { Err(Error::Deadline) } else { self.timed(&pack) };
            let failed = answers.is_err();
            // The receiver goes away only after all threads.
            if sender.send(answers).is_err() || failed {
                return;
            }
        }
    }

    fn timed(&self, pack: &[usize]) -> Result<Answers, Error> {
        let pace = &self.remote.transport.pace;
        let begun = pace.now();
        let answers = self.answers(pack);
        let took = pace.now().saturating_duration_since(begun).as_millis();
        self.slowest.fetch_max(u64::try_from(took).unwrap_or(u64::MAX), Ordering::Relaxed);
        answers
    }

    /// Whether a request would not be answered in time: one that is cut off is paid for all the same.
    fn is_too_late(&self) -> bool {
        let expected = Duration::from_millis(self.slowest.load(Ordering::Relaxed));
        self.until.is_some_and(|until| self.remote.transport.pace.now() + expected >= until)
    }

    /// The next request, cut in two if the service turned out to take fewer texts at once.
    fn next(&self) -> Option<Vec<usize>> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        let mut pack = packs.pop_front()?;
        let most = self.remote.most_items();
        if pack.len() > most {
            packs.push_front(pack.split_off(most));
        }
        Some(pack)
    }

    fn answers(&self, pack: &[usize]) -> Result<Answers, Error> {
        let texts: Vec<&str> = pack.iter().map(|&at| &*self.texts[at].text).collect();
        match (self.remote.ask(Role::Document, &texts, self.until), pack) {
            (Ok(vectors), _) => Ok(pack
                .iter()
                .zip(vectors)
                .map(|(&at, vector)| (at, Outcome::of(vector, self.texts[at].kept)))
                .collect()),
            (Err(refused @ Error::Refused { .. }), [one]) => Ok(vec![(*one, self.alone(*one, refused)?)]),
            (Err(refused @ Error::Refused { .. }), _) => self.halves(pack, refused),
            (Err(error), _) => Err(self.or_deadline(error)),
        }
    }

    /// A request that was cut short because the caller's time ran out says nothing about the service.
    fn or_deadline(&self, error: Error) -> Error {
        let over = self.until.is_some_and(|until| self.remote.transport.pace.now() >= until);
        if over && matches!(error, Error::TimedOut { .. }) { Error::Deadline } else { error }
    }

    /// A refused request in two: one bad text is found in a few steps, and a service that takes fewer texts at once
    /// shows how many.
    fn halves(&self, pack: &[usize], refused: Error) -> Result<Answers, Error> {
        if pack.is_empty() || self.stop.load(Ordering::Relaxed) {
            return Err(refused);
        }
        let half = pack.len().div_ceil(2);
        let mut answers = self.answers(&pack[..half])?;
        answers.extend(self.answers(&pack[half..])?);
        if answers.iter().all(|(_, outcome)| !matches!(outcome, Outcome::Refused(_))) {
            self.remote.learn_items(half);
        }
        Ok(answers)
    }

    /// A text that is refused although nothing is with it, twice, and while another one is taken: cut where it is too
    /// long, else named.
    fn alone(&self, at: usize, refused: Error) -> Result<Outcome, Error> {
        self.remote.ask(Role::Document, &[HARMLESS], self.until).map_err(|_same| refused)?;
        let text = &self.texts[at];
        match self.remote.ask(Role::Document, &[&text.text], self.until) {
            Ok(vectors) => {
                Ok(vectors.into_iter().next().map_or(Outcome::Blank, |v| Outcome::of(v, text.kept)))
            }
            Err(Error::Refused { message, .. }) if is_about_length(&message) => self.shorter(at, message),
            Err(Error::Refused { message, .. }) => Ok(Outcome::Refused(message)),
            Err(error) => Err(error),
        }
    }

    /// The longest beginning, by halves, that the service takes.
    fn shorter(&self, at: usize, message: String) -> Result<Outcome, Error> {
        let mut tokens = self.texts[at].tokens / 2;
        while tokens >= SHORTEST_CUT {
            let prefix = self.remote.family.map_or("", |family| family.prefix(Role::Document));
            let cut = PreparedText::new(prefix, self.originals[at], tokens);
            match self.remote.ask(Role::Document, &[&cut.text], self.until) {
                Ok(vectors) => {
                    let vector = vectors.into_iter().next();
                    return Ok(vector.map_or(Outcome::Blank, |vector| Outcome::of(vector, cut.kept)));
                }
                Err(Error::Refused { .. }) => tokens /= 2,
                Err(error) => return Err(error),
            }
        }
        Ok(Outcome::Refused(message))
    }
}

fn is_about_length(message: &str) -> bool {
    let message = message.to_lowercase();
    ["token", "too long", "too large", "context length", "maximum", "length", "batch size"]
        .iter()
        .any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(texts: &[&str], limits: &Limits, expected: &[&[usize]]) {
        let prepared: Vec<PreparedText<'_>> =
            texts.iter().map(|text| PreparedText::new("", text, 100)).collect();
        assert_eq!(pack(&prepared, limits), expected);
    }

    #[test]
    fn requests_hold_what_the_limits_allow() {
        let four = ["aaaa bbb", "cccc ddd", "eeee fff", "gggg hhh"];
        let limits = |items, tokens| Limits { items, tokens, text_tokens: 100 };
        check(&four, &limits(10, 100), &[&[0, 1, 2, 3]]);
        check(&four, &limits(3, 100), &[&[0, 1, 2], &[3]]);
        check(&four, &limits(10, 4), &[&[0, 1], &[2, 3]]);
        check(&four, &limits(10, 1), &[&[0], &[1], &[2], &[3]]);
        check(&[], &limits(10, 10), &[]);
    }

    #[test]
    fn a_prefix_counts_and_a_long_text_is_cut() {
        let long = "word ".repeat(100);
        let cut = PreparedText::new("query: ", &long, 10);
        assert!(cut.tokens <= 10 && cut.text.starts_with("query: word word"));
        assert_eq!(cut.kept, Some(cut.text.len() - "query: ".len()));
    }
}
