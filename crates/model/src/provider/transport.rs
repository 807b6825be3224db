//! One request to a service and its answer: bounded in time and in size, sent to one host, with errors that say
//! who did what and never what the key is.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::http::{Response, StatusCode};
use ureq::{Agent, Body, RequestBuilder};

use super::endpoint::{Endpoint, same_host};
use super::pace::Pace;
use super::retry;
use super::secret::{Secret, scrub};
use super::trust;
use crate::Error;

/// The largest answer that is accepted, after decompression.
const MOST_BYTES: u64 = 64 << 20;
/// The longest line of an answer that is read line by line.
const LONGEST_LINE: u64 = 4 << 20;
/// What is read of an answer that says what went wrong.
const MOST_ERROR_BYTES: u64 = 16 << 10;
const LONGEST_MESSAGE: usize = 300;
const MOST_REDIRECTS: usize = 3;

/// How long a service may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// For a request as a whole, the reading of its answer included.
    pub whole: Duration,
}

impl Timeouts {
    pub const REMOTE: Self = Self { connect: Duration::from_secs(10), whole: Duration::from_secs(60) };
    /// A model that is loaded for the first request takes its time.
    pub const LOCAL: Self = Self { connect: Duration::from_secs(10), whole: Duration::from_secs(300) };
}

/// What is sent, or asked for.
pub(super) struct HttpCall<'a> {
    path: &'a str,
    /// What is sent, and its type.
    body: Option<(Cow<'a, [u8]>, &'a str)>,
}

impl<'a> HttpCall<'a> {
    pub(super) fn get(path: &'a str) -> Self {
        Self { path, body: None }
    }

    pub(super) fn post(path: &'a str, body: &'a [u8], content_type: &'a str) -> Self {
        Self { path, body: Some((Cow::Borrowed(body), content_type)) }
    }

    pub(super) fn json(path: &'a str, body: &Value) -> Self {
        Self { path, body: Some((Cow::Owned(body.to_string().into_bytes()), "application/json")) }
    }
}

pub(super) struct Transport {
    pub(super) endpoint: Endpoint,
    pub(super) pace: Arc<dyn Pace>,
    agent: Agent,
    headers: Vec<(String, Secret)>,
    secrets: Vec<Secret>,
    timeouts: Timeouts,
    /// When the service wants the next request; all threads wait until then.
    not_before: Mutex<Option<Instant>>,
}

impl Transport {
    pub(super) fn new(
        endpoint: Endpoint,
        headers: Vec<(String, Secret)>,
        timeouts: Timeouts,
        ca_file: Option<&Path>,
        pace: Arc<dyn Pace>,
    ) -> Result<Self, Error> {
        let agent = agent(ca_file.filter(|_| endpoint.is_encrypted()))?;
        let secrets = headers.iter().map(|(_, secret)| bare(secret)).collect();
        Ok(Self { endpoint, pace, agent, headers, secrets, timeouts, not_before: Mutex::default() })
    }

    /// Sends the call and reads the answer; retries failures that may pass.
    pub(super) fn ask<T>(
        &self,
        call: &HttpCall<'_>,
        until: Option<Instant>,
        read: impl Fn(&[u8]) -> Result<T, String>,
    ) -> Result<T, Error> {
        retry::retrying(&*self.pace, until, || self.once(call, until, &read))
    }

    /// One attempt.
    pub(super) fn once<T>(
        &self,
        call: &HttpCall<'_>,
        until: Option<Instant>,
        read: impl Fn(&[u8]) -> Result<T, String>,
    ) -> Result<T, Error> {
        self.wait_turn(until)?;
        let response = self.answer(call, until).inspect_err(|error| self.put_off(error))?;
        let bytes = self.bytes(response, MOST_BYTES)?;
        read(&bytes).map_err(|what| self.malformed(&what))
    }

    fn wait_turn(&self, until: Option<Instant>) -> Result<(), Error> {
        let turn = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(turn) = turn.filter(|turn| *turn > self.pace.now()) else { return Ok(()) };
        if until.is_some_and(|until| turn >= until) {
            return Err(Error::Deadline);
        }
        self.pace.sleep(turn.saturating_duration_since(self.pace.now()));
        Ok(())
    }

    fn put_off(&self, error: &Error) {
        if let Error::Busy { again_in: Some(time), .. } = error
            && *time <= retry::LONGEST_ASKED
        {
            let turn = self.pace.now() + *time;
            let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
            *not_before = (*not_before).max(Some(turn));
        }
    }

    /// The lines of a long answer, one after the other: it is never in memory as a whole. One attempt.
    pub(super) fn lines(
        &self,
        call: &HttpCall<'_>,
        mut take: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let response = self.answer(call, None)?;
        let mut reader = BufReader::new(response.into_body().into_reader());
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            match read.map_err(|error| self.broken(&error))? {
                0 => return Ok(()),
                length if length as u64 == LONGEST_LINE => {
                    return Err(Error::TooLarge { at: self.at(), limit: LONGEST_LINE });
                }
                _ => take(&line)?,
            }
        }
    }

    pub(super) fn at(&self) -> String {
        self.endpoint.shown().to_owned()
    }

    pub(super) fn malformed(&self, what: &str) -> Error {
        Error::Malformed { at: self.at(), what: self.clean(what) }
    }

    /// A provider's words, short and without keys.
    pub(super) fn clean(&self, text: &str) -> String {
        let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut clean = scrub(&line, &self.secrets);
        if let Some((end, _)) = clean.char_indices().nth(LONGEST_MESSAGE) {
            clean.truncate(end);
            clean.push('…');
        }
        clean
    }

    fn answer(&self, call: &HttpCall<'_>, until: Option<Instant>) -> Result<Response<Body>, Error> {
        let mut url = self.endpoint.at(call.path);
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&url, call, until)?;
            if !response.status().is_redirection() {
                return self.judged(response);
            }
            url = self.redirect(&url, &response)?;
        }
        Err(Error::Redirected { at: self.at(), to: url, why: "there are too many redirects" })
    }

    fn send(&self, url: &str, call: &HttpCall<'_>, until: Option<Instant>) -> Result<Response<Body>, Error> {
        let whole = self.time_left(until)?;
        let sent = match &call.body {
            Some((bytes, kind)) => {
                let request = self.agent.post(url).header("content-type", *kind);
                self.prepared(request, whole).send(&bytes[..])
            }
            None => self.prepared(self.agent.get(url), whole).call(),
        };
        sent.map_err(|error| self.unsent(&error, whole))
    }

    fn prepared<B>(&self, mut request: RequestBuilder<B>, whole: Duration) -> RequestBuilder<B> {
        for (name, value) in &self.headers {
            request = request.header(name.as_str(), value.reveal());
        }
        let config = request.config().timeout_global(Some(whole));
        config.timeout_connect(Some(self.timeouts.connect.min(whole))).build()
    }

    fn time_left(&self, until: Option<Instant>) -> Result<Duration, Error> {
        let left = until.map_or(Duration::MAX, |until| until.saturating_duration_since(self.pace.now()));
        if left.is_zero() {
            return Err(Error::Deadline);
        }
        Ok(left.min(self.timeouts.whole))
    }

    fn redirect(&self, from: &str, response: &Response<Body>) -> Result<String, Error> {
        let to = header(response, "location").unwrap_or_default();
        let refuse = |why| Error::Redirected { at: self.at(), to: self.clean(to), why };
        let keeps_method =
            [StatusCode::TEMPORARY_REDIRECT, StatusCode::PERMANENT_REDIRECT].contains(&response.status());
        if !keeps_method {
            return Err(refuse("it would not pass on what was asked"));
        }
        same_host(from, to).map_err(refuse)
    }

    fn judged(&self, response: Response<Body>) -> Result<Response<Body>, Error> {
        let status = response.status().as_u16();
        if response.status().is_success() {
            return Ok(response);
        }
        let again_in =
            header(&response, "retry-after").and_then(|text| retry::again_in(text, self.pace.unix_seconds()));
        let text = match self.bytes(response, MOST_ERROR_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(_unread) => String::new(),
        };
        Err(self.judge(status, &text, again_in))
    }

    fn judge(&self, status: u16, text: &str, again_in: Option<Duration>) -> Error {
        let at = self.at();
        let message = self.clean(&message(text));
        match status {
            401 | 403 => Error::Denied { at, status, message },
            404 => Error::NotThere { at, message },
            402 => Error::Quota { at, message },
            429 if is_quota(text) => Error::Quota { at, message },
            429 => Error::Busy { at, message, again_in },
            400 | 413 | 422 => Error::Refused { at, status, message },
            408 | 500.. => match again_in {
                Some(_) if status == 503 || status == 529 => Error::Busy { at, message, again_in },
                Some(_) | None => Error::Failed { at, status, message },
            },
            _ => Error::Refused { at, status, message },
        }
    }

    fn bytes(&self, response: Response<Body>, limit: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let mut reader = response.into_body().into_reader().take(limit + 1);
        reader.read_to_end(&mut bytes).map_err(|error| self.broken(&error))?;
        if bytes.len() as u64 > limit {
            return Err(Error::TooLarge { at: self.at(), limit });
        }
        Ok(bytes)
    }

    /// The answer broke off.
    fn broken(&self, error: &std::io::Error) -> Error {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ureq::Error>());
        match inner {
            Some(ureq::Error::Timeout(_)) => Error::TimedOut { at: self.at(), after: self.timeouts.whole },
            Some(ureq::Error::Decompress(_, why)) => self.malformed(&format!("it cannot be unpacked: {why}")),
            _ if error.kind() == std::io::ErrorKind::TimedOut => {
                Error::TimedOut { at: self.at(), after: self.timeouts.whole }
            }
            _ => self.malformed(&format!("it broke off: {error}")),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "another library's errors, most of which mean the same here"
    )]
    fn unsent(&self, error: &ureq::Error, whole: Duration) -> Error {
        match error {
            ureq::Error::Timeout(_) => Error::TimedOut { at: self.at(), after: whole },
            ureq::Error::HostNotFound => {
                Error::Unreachable { at: self.at(), why: "its name is not known".to_owned() }
            }
            ureq::Error::Protocol(_) | ureq::Error::LargeResponseHeader(..) => {
                self.malformed(&error.to_string())
            }
            ureq::Error::Http(_) | ureq::Error::BadUri(_) => {
                Error::BadAddress { address: self.at(), why: "a header or the path cannot be sent" }
            }
            other => match trust::distrust(other) {
                Some(why) => Error::Untrusted { at: self.at(), why: self.clean(&why) },
                None => Error::Unreachable { at: self.at(), why: self.clean(&other.to_string()) },
            },
        }
    }
}

/// No proxy from the environment, no redirects and no verdicts of its own.
pub(super) fn agent(ca_file: Option<&Path>) -> Result<Agent, Error> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .tls_config(trust::authorities(ca_file)?)
        .user_agent(concat!("mindfile/", env!("CARGO_PKG_VERSION")))
        .max_idle_connections_per_host(8);
    Ok(config.build().into())
}

/// What a header holds without the word that says how it is used.
fn bare(secret: &Secret) -> Secret {
    secret.reveal().strip_prefix("Bearer ").and_then(Secret::new).unwrap_or_else(|| secret.clone())
}

pub(super) fn header<'a>(response: &'a Response<Body>, name: &str) -> Option<&'a str> {
    response.headers().get(name)?.to_str().ok()
}

/// What the answer says went wrong: `{"error": {"message": …}}` and its relatives, or the text itself.
fn message(text: &str) -> String {
    let Ok(json) = serde_json::from_str::<Value>(text) else { return plain(text) };
    let places = ["/error/message", "/error", "/message", "/detail", "/0/error/message"];
    let found = places.iter().find_map(|place| json.pointer(place)?.as_str());
    found.map_or_else(|| plain(text), str::to_owned)
}

fn plain(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() {
        return "no reason given".to_owned();
    }
    if text.starts_with('<') { "a web page".to_owned() } else { text.to_owned() }
}

/// A 429 that no waiting helps against.
fn is_quota(text: &str) -> bool {
    ["insufficient_quota", "billing_hard_limit", "exceeded your current quota", "credit balance"]
        .iter()
        .any(|words| text.contains(words))
}
