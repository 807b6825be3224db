//! Who may ask: the token of this server, called by a name that is its own, from its own page or from no page at all,
//! and not too often.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mindfile::config::Server;

use crate::failure::{Failure, Refusal};
use crate::listen::Peer;
use crate::room::Visit;
use crate::token::Token;

pub(crate) const COOKIE: &str = "mindfile";
/// Where a browser says whose page asks.
const SITE: &str = "sec-fetch-site";
/// Addresses whose pace is remembered.
const REMEMBERED: usize = 4096;

pub(crate) struct Guard {
    pub(crate) token: Token,
    hosts: Vec<String>,
    origins: Vec<String>,
    pace: f64,
    /// Who has the token is counted apart: strangers of the same address do not use up its pace.
    buckets: Mutex<HashMap<(IpAddr, bool), Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Guard {
    pub(crate) fn new(token: Token, settings: &Server, bound: Option<IpAddr>) -> Self {
        let mut hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
        hosts.extend(bound.filter(|ip| !ip.is_unspecified()).map(|ip| ip.to_string()));
        hosts.extend(settings.allowed_hosts.iter().map(|host| host.to_lowercase()));
        Self {
            token,
            hosts,
            origins: settings.allowed_origins.iter().map(|origin| tidy(origin)).collect(),
            pace: f64::from(settings.requests_per_second),
            buckets: Mutex::new(HashMap::new()),
        }
    }

    pub(crate) fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// Against DNS rebinding: a page of another site calls this server by that site's name.
    fn check_names(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let text =
            |name| headers.get(name).map(|value: &header::HeaderValue| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        if headers.get_all(header::HOST).iter().nth(1).is_some() {
            let two = Failure::usage("the request names two hosts").hint("send one header Host");
            return Err(Refusal::new(StatusCode::BAD_REQUEST, two));
        }
        if !self.hosts.iter().any(|known| known == &name_of(host)) {
            let message = format!("this server is not called \"{}\"", shown(host));
            return Err(forbidden(message, "add the name to memory.server.allowedHosts"));
        }
        match text(header::ORIGIN) {
            Some(origin) if !is_own(origin, host) && !self.origins.contains(&tidy(origin)) => {
                let message = format!("pages of \"{}\" may not ask", shown(origin));
                Err(forbidden(message, "add the origin to memory.server.allowedOrigins"))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// A bucket that fills as fast as requests are allowed, and holds twice that.
    fn check_pace(&self, ip: IpAddr, headers: &HeaderMap) -> Result<(), Refusal> {
        let of = (ip, self.check_caller(headers).is_ok());
        let now = Instant::now();
        let most = self.pace * 2.0;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= REMEMBERED && !buckets.contains_key(&of) {
            buckets.retain(|_, bucket| (now - bucket.at).as_secs_f64() < 2.0);
        }
        let bucket = buckets.entry(of).or_insert(Bucket { left: most, at: now });
        bucket.left = (bucket.left + (now - bucket.at).as_secs_f64() * self.pace).min(most);
        bucket.at = now;
        if bucket.left < 1.0 {
            let many = Failure::environment("too many requests")
                .hint("wait a moment; memory.server.requestsPerSecond sets the pace");
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, many));
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// By the token, or by the cookie of the page: a browser sends that for pages of other ports of this machine, too.
    fn check_caller(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        if let Some((scheme, token)) = bearer.and_then(|value| value.split_once(' ')) {
            // The clients of mem0 say "Token".
            let is_scheme = ["bearer", "token"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
            let is_known = is_scheme && self.token.is(token.trim());
            return if is_known { Ok(()) } else { Err(unauthorized()) };
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        if !pairs.any(|(name, value)| name == COOKIE && self.token.is_cookie(value)) {
            return Err(unauthorized());
        }
        match headers.get(SITE).map(header::HeaderValue::as_bytes) {
            // Old browsers do not say it.
            None | Some(b"same-origin" | b"none") => Ok(()),
            Some(_) => Err(forbidden(
                "another page may not ask with the cookie of this one".to_owned(),
                "open the page of this server itself, or send the token",
            )),
        }
    }
}

/// Names and pace, for every request.
pub(crate) async fn admit(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = match peer {
        Peer::Address(address) => {
            let headers = request.headers();
            guard.check_pace(address.ip(), headers).and_then(|()| guard.check_names(headers))
        }
        // No browser speaks to a socket in the file system.
        Peer::Socket => Ok(()),
    };
    match allowed {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// The token, for every request that sees or changes anything. Over the socket the system has vouched for the caller.
pub(crate) async fn authenticate(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(peer): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let allowed = match peer {
        Peer::Socket => Ok(()),
        Peer::Address(_) => guard.check_caller(request.headers()),
    };
    if allowed.is_ok()
        && let Some(visit) = request.extensions().get::<Arc<Visit>>()
    {
        visit.becomes_known();
    }
    match allowed {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// A page of another site may send a text or a form without asking, and JSON only after it asked.
pub(crate) fn check_type(headers: &HeaderMap, body: &[u8]) -> Result<(), Refusal> {
    let Some(named) = headers.get(header::CONTENT_TYPE).filter(|_| !body.is_empty()) else { return Ok(()) };
    let named = named.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if named.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let other =
        Failure::usage("the body is said to be no JSON").hint("send \"Content-Type: application/json\"");
    Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, other))
}

pub(crate) fn unauthorized() -> Refusal {
    let failure = Failure::usage("the token is missing or wrong")
        .code("unauthorized")
        .hint("send \"Authorization: Bearer TOKEN\"; the token is in server.token in the state directory");
    Refusal::new(StatusCode::UNAUTHORIZED, failure)
}

fn forbidden(message: String, hint: &'static str) -> Refusal {
    let failure = Failure::usage(message).code("forbidden").hint(hint);
    Refusal::new(StatusCode::FORBIDDEN, failure)
}

/// Whether a page is the one that the request goes to.
fn is_own(origin: &str, host: &str) -> bool {
    let origin = tidy(origin);
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| authority == host.to_lowercase())
}

/// `localhost:7377` and `[::1]:7377` without their ports.
fn name_of(host: &str) -> String {
    let host = host.to_lowercase();
    match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, _)) => name.to_owned(),
        None => host.split(':').next().unwrap_or_default().to_owned(),
    }
}

fn tidy(origin: &str) -> String {
    origin.trim_end_matches('/').to_lowercase()
}

/// What a stranger sent, fit to be shown.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_known_by_its_name_without_the_port() {
        for (host, name) in
            [("localhost:7377", "localhost"), ("[::1]:80", "::1"), ("LOCALHOST", "localhost"), ("", "")]
        {
            assert_eq!(name_of(host), name);
        }
    }
}
