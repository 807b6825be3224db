//! Traces by OpenTelemetry: one span for each request, sent in batches to the collector that the settings name (OTLP over
//! HTTP, as JSON). A collector that is away or slow costs spans, never an answer.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Value, json};

use crate::desk::Desk;

/// Spans that wait to be sent; more are dropped.
const WAITING: usize = 2048;
const BATCH: usize = 512;
const EVERY: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_secs(5);

/// The side of the requests.
pub(crate) struct Traces {
    desk: Arc<Desk>,
    spans: SyncSender<Span>,
}

struct Span {
    trace: String,
    parent: String,
    id: String,
    name: String,
    method: String,
    path: String,
    status: u16,
    began_ns: i128,
    ended_ns: i128,
}

/// Begins to send to `collector`; the thread ends when nobody can have spans for it any more.
pub(crate) fn start(desk: &Arc<Desk>, collector: &str) -> (Arc<Traces>, JoinHandle<()>) {
    let (spans, waiting) = sync_channel(WAITING);
    let address = format!("{}/v1/traces", collector.trim_end_matches('/'));
    let sender = std::thread::spawn(move || send_all(&waiting, &address));
    (Arc::new(Traces { desk: Arc::clone(desk), spans }), sender)
}

/// Makes a span of every request.
pub(crate) async fn record(State(traces): State<Arc<Traces>>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str).to_owned();
    let method = request.method().to_string();
    let (trace, parent) = parent(request.headers()).unwrap_or_else(|| (random(16), String::new()));
    let (began_ns, clock) = (traces.desk.memory.clock().now().as_nanosecond(), Instant::now());
    let response = next.run(request).await;
    let took = i128::try_from(clock.elapsed().as_nanos()).unwrap_or(i128::MAX);
    let span = Span {
        trace,
        parent,
        id: random(8),
        name: format!("{method} {route}"),
        method,
        path: route,
        status: response.status().as_u16(),
        began_ns,
        ended_ns: began_ns.saturating_add(took),
    };
    // Too many wait already: this one is not sent.
    drop(traces.spans.try_send(span));
    response
}

/// The trace that the caller is part of: `00-TRACE-PARENT-FLAGS`.
fn parent(headers: &HeaderMap) -> Option<(String, String)> {
    let text = headers.get("traceparent")?.to_str().ok()?;
    let parts: Vec<&str> = text.split('-').collect();
    let is_hex = |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_hexdigit());
    match parts.as_slice() {
        ["00", trace, span, _] if is_hex(trace, 32) && is_hex(span, 16) => {
            Some(((*trace).to_owned(), (*span).to_owned()))
        }
        _ => None,
    }
}

fn random(bytes: usize) -> String {
    let mut id = vec![0; bytes];
    // Without randomness spans cannot be told apart, and nothing else is lost.
    match getrandom::fill(&mut id) {
        Ok(()) | Err(_) => {}
    }
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn send_all(waiting: &Receiver<Span>, address: &str) {
    let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).build();
    let agent = ureq::Agent::new_with_config(config);
    let mut batch = Vec::new();
    loop {
        let ended = collect(waiting, &mut batch);
        if !batch.is_empty() {
            let body = export(&batch).to_string();
            let sent = agent.post(address).header("content-type", "application/json").send(body);
            // The collector's trouble is not the server's.
            drop(sent);
            batch.clear();
        }
        if ended {
            return;
        }
    }
}

/// Waits for a batch; says whether no more will come.
fn collect(waiting: &Receiver<Span>, batch: &mut Vec<Span>) -> bool {
    let until = Instant::now() + EVERY;
    while batch.len() < BATCH {
        match waiting.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(span) => batch.push(span),
            Err(RecvTimeoutError::Timeout) => return false,
            Err(RecvTimeoutError::Disconnected) => return true,
        }
    }
    false
}

fn export(spans: &[Span]) -> Value {
    let text = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
    let spans: Vec<Value> = spans.iter().map(one).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": [
            text("service.name", "mindfile"),
            text("service.version", env!("CARGO_PKG_VERSION")),
        ]},
        "scopeSpans": [{"scope": {"name": "mindfile-server"}, "spans": spans}]
    }]})
}

fn one(span: &Span) -> Value {
    /// The codes of the protocol.
    const SERVER: u8 = 2;
    const FAILED: u8 = 2;
    let failed = if span.status >= 500 { FAILED } else { 0 };
    json!({
        "traceId": span.trace,
        "spanId": span.id,
        "parentSpanId": span.parent,
        "name": span.name,
        "kind": SERVER,
        "startTimeUnixNano": span.began_ns.to_string(),
        "endTimeUnixNano": span.ended_ns.to_string(),
        "attributes": [
            {"key": "http.request.method", "value": {"stringValue": span.method}},
            {"key": "http.route", "value": {"stringValue": span.path}},
            {"key": "http.response.status_code", "value": {"intValue": span.status.to_string()}},
        ],
        "status": {"code": failed}
    })
}
