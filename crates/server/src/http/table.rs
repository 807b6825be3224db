//! The routes: one for each operation of the table that can be asked over HTTP.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};
use mindfile_operations::{Entry, Http, Method, OPERATIONS};

use super::read;
use crate::desk::Desk;
use crate::failure::{Refusal, raw_json};
use crate::guard;

/// The operations that have a path.
pub(crate) fn served() -> impl Iterator<Item = (&'static Entry, Http)> {
    OPERATIONS.iter().filter_map(|entry| Some((entry, entry.row.http?)))
}

pub(crate) fn router() -> Router<Arc<Desk>> {
    served().fold(Router::new(), |all, (entry, http)| all.route(&wildcard(http), route(entry, http)))
}

pub(crate) fn status(http: Http) -> StatusCode {
    if http.begins { StatusCode::ACCEPTED } else { StatusCode::OK }
}

fn route(entry: &'static Entry, http: Http) -> MethodRouter<Arc<Desk>> {
    let fields = Arc::new((entry.asked)());
    let answer = move |State(desk): State<Arc<Desk>>,
                       params: RawPathParams,
                       RawQuery(query): RawQuery,
                       headers: HeaderMap,
                       body: Bytes| async move {
        if let Err(refusal) = guard::check_type(&headers, &body) {
            return refusal.into_response();
        }
        let (given, what) = if http.is_in_query() {
            (read::query(&fields, &params, query.as_deref().unwrap_or_default()), "the query")
        } else {
            (read::body(&params, &body), "the body")
        };
        let given = given.and_then(|given| read::with_match(&fields, &headers, given));
        // The answer becomes bytes on the thread that made it.
        let done = match given {
            Ok(given) => desk.run(move |desk| (entry.by_json)(&desk.caller(), given, what)?.json()).await,
            Err(failure) => Err(failure),
        };
        match done {
            Ok(bytes) => raw_json(status(http), bytes),
            Err(failure) => Refusal::from(failure).into_response(),
        }
    };
    on(filter(http.method), answer)
}

fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Put => MethodFilter::PUT,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
    }
}

/// A note's path has slashes of its own.
fn wildcard(http: Http) -> String {
    http.path.replace("{path}", "{*path}")
}
