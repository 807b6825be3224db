//! How the server is doing, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use mindfile_care::status::{self, Status};

use crate::desk::Desk;
use crate::failure::Refusal;

/// Upper bounds in seconds.
const BOUNDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

#[derive(Default)]
pub(crate) struct Metrics {
    under_way: AtomicI64,
    routes: Mutex<BTreeMap<Route, Counts>>,
}

/// Routes are those of the table, so that there are only so many.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Route {
    path: String,
    method: String,
    status: u16,
}

#[derive(Default)]
struct Counts {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

/// Counts every request.
pub(crate) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = known(request.method());
    metrics.under_way.fetch_add(1, Ordering::Relaxed);
    let under_way = UnderWay(&metrics);
    let began = Instant::now();
    let response = next.run(request).await;
    drop(under_way);
    metrics.note(Route { path, method, status: response.status().as_u16() }, began.elapsed());
    response
}

struct UnderWay<'a>(&'a Metrics);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

fn known(method: &Method) -> String {
    let standard = [
        Method::GET,
        Method::POST,
        Method::PATCH,
        Method::DELETE,
        Method::PUT,
        Method::HEAD,
        Method::OPTIONS,
    ];
    if standard.contains(method) { method.to_string() } else { "other".to_owned() }
}

pub(crate) async fn metrics(State((desk, metrics)): State<(Arc<Desk>, Arc<Metrics>)>) -> Response {
    let status = desk.run(|desk| Ok(status::of(&desk.memory, false)?)).await;
    match status {
        Ok(status) => {
            let text = metrics.text() + &gauges(&status);
            (StatusCode::OK, [(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
        }
        Err(failure) => Refusal::from(failure).into_response(),
    }
}

impl Metrics {
    fn note(&self, route: Route, took: Duration) {
        let seconds = took.as_secs_f64();
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = routes.entry(route).or_default();
        for (bound, bucket) in BOUNDS.iter().zip(&mut counts.buckets) {
            *bucket += u64::from(seconds <= *bound);
        }
        counts.count += 1;
        counts.seconds += seconds;
    }

    fn text(&self) -> String {
        let mut text = String::from("# TYPE mindfile_http_requests_in_flight gauge\n");
        line(
            &mut text,
            "mindfile_http_requests_in_flight",
            "",
            self.under_way.load(Ordering::Relaxed) as f64,
        );
        text.push_str("# TYPE mindfile_http_request_duration_seconds histogram\n");
        let name = "mindfile_http_request_duration_seconds";
        for (route, counts) in self.routes.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let labels =
                format!("route=\"{}\",method=\"{}\",status=\"{}\"", route.path, route.method, route.status);
            for (bound, bucket) in BOUNDS.iter().zip(counts.buckets) {
                line(
                    &mut text,
                    &format!("{name}_bucket"),
                    &format!("{labels},le=\"{bound}\""),
                    bucket as f64,
                );
            }
            line(&mut text, &format!("{name}_bucket"), &format!("{labels},le=\"+Inf\""), counts.count as f64);
            line(&mut text, &format!("{name}_sum"), &labels, counts.seconds);
            line(&mut text, &format!("{name}_count"), &labels, counts.count as f64);
        }
        text
    }
}

fn gauges(status: &Status) -> String {
    let files: u64 = status.counts.sources.iter().map(|source| source.indexed).sum();
    let all = [
        ("mindfile_notes", files),
        ("mindfile_chunks", status.counts.chunks.total),
        ("mindfile_chunks_without_vector", status.counts.chunks.pending),
        ("mindfile_facts", status.counts.facts.facts),
        ("mindfile_entities", status.counts.facts.entities),
        ("mindfile_index_bytes", status.index.sizes.index),
        ("mindfile_index_stale", u64::from(status.is_dirty())),
    ];
    let mut text = String::new();
    for (name, value) in all {
        text.push_str(&format!("# TYPE {name} gauge\n"));
        line(&mut text, name, "", value as f64);
    }
    text
}

fn line(text: &mut String, name: &str, labels: &str, value: f64) {
    let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    text.push_str(&format!("{name}{labels} {value}\n"));
}
