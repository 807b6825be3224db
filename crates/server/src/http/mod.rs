//! The HTTP interface: a router over the table of operations, behind one guard.

mod connections;
pub(crate) mod events;
mod mem0;
pub(crate) mod metrics;
pub(crate) mod openapi;
pub(crate) mod read;
pub(crate) mod table;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::runtime::Builder;
use tokio_util::sync::CancellationToken;

use crate::desk::Desk;
use crate::error::Error;
use crate::failure::{Failure, Refusal, json};
use crate::guard::{self, Guard};
use crate::listen::{Entrance, Place};
use crate::room::Room;
use crate::token::Token;
use crate::{beat, mcp, page, rest, watch};
use connections::Patience;
use metrics::Metrics;

/// How often the wish to stop is looked for, and how long answers under way may take after it.
const GLANCE: Duration = Duration::from_millis(50);
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// What is told when the server listens.
#[derive(Debug)]
pub struct Listening {
    /// None: at the socket.
    pub address: Option<SocketAddr>,
    pub tls: bool,
    pub token: Token,
}

/// What is said at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub place: Place,
    /// The time between two passes of upkeep; none without any.
    pub heartbeat: Option<Duration>,
    /// What agents are offered at `/mcp`.
    pub offer: mcp::Offer,
}

/// Serves until `stop` is set: HTTP from `desk`, and MCP under it from `agents`, whose word counts as an agent's. `on` is
/// called once, when requests are answered.
pub fn serve(
    desk: &Arc<Desk>,
    agents: &Arc<Desk>,
    terms: &Terms,
    stop: &AtomicBool,
    on: impl FnOnce(&Listening),
) -> Result<(), Error> {
    let state_dir = &desk.memory.settings().state_dir;
    let token =
        Token::of(state_dir).map_err(|source| Error::Token { path: Token::path(state_dir), source })?;
    let workspace = desk.memory.settle_in().and_then(|()| desk.memory.workspace()).map_err(Error::Memory)?;
    let runtime =
        Builder::new_multi_thread().enable_all().build().map_err(|source| Error::Runtime { source })?;
    mindfile_qmd::boot(&desk.memory);
    let keeper = keeper(desk);
    let watcher = watch::start(desk, workspace);
    let every = terms.heartbeat.filter(|_| desk.memory.check_on().is_ok());
    let heart = every.map(|every| beat::start(desk, every));
    let rest = rest::start([desk, agents]);
    let came = runtime.block_on(run(desk, agents, (terms, token), stop, on));
    desk.hub.stop();
    agents.hub.stop();
    runtime.shutdown_timeout(LAST_ANSWERS);
    for thread in watcher.into_iter().chain(heart).chain([keeper, rest]) {
        // A panic of it has ended the program already.
        drop(thread.join());
    }
    came
}

/// Keeps another engine than the built-in one ready until the hub is stopped.
fn keeper(desk: &Arc<Desk>) -> JoinHandle<()> {
    let desk = Arc::clone(desk);
    std::thread::spawn(move || mindfile_qmd::keep(&desk.memory, true, desk.hub.stopping()))
}

async fn run(
    desk: &Arc<Desk>,
    agents: &Arc<Desk>,
    (terms, token): (&Terms, Token),
    stop: &AtomicBool,
    on: impl FnOnce(&Listening),
) -> Result<(), Error> {
    let settings = &desk.memory.settings().server;
    let entrance = Entrance::open(&terms.place, settings)?;
    let listening = Listening { address: entrance.address(), tls: entrance.is_tls(), token: token.clone() };
    let guard = Arc::new(Guard::new(token, settings, entrance.ip()));
    let ending = CancellationToken::new();
    let app = router(desk, (agents, terms.offer), &guard, &ending);
    on(&listening);
    let serving =
        connections::serve(entrance, app, (Room::of_this_process(), Patience::USUAL), ending.clone());
    let asked_to_stop = async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(GLANCE).await;
        }
        desk.hub.stop();
        ending.cancel();
        tokio::time::sleep(LAST_ANSWERS).await;
    };
    tokio::select! {
        () = serving => {}
        () = asked_to_stop => {}
    }
    Ok(())
}

fn router(
    desk: &Arc<Desk>,
    (agents, offer): (&Arc<Desk>, mcp::Offer),
    guard: &Arc<Guard>,
    ending: &CancellationToken,
) -> Router {
    let counts = Arc::new(Metrics::default());
    let document = Arc::new(openapi::document());
    let events = get(events::events).with_state((Arc::clone(desk), ending.clone()));
    let numbers = get(metrics::metrics).with_state((Arc::clone(desk), Arc::clone(&counts)));
    let most = desk.memory.settings().server.max_body;
    let whole_body = || middleware::from_fn_with_state((most, Patience::USUAL), connections::with_whole_body);
    let described = move || async move { json(StatusCode::OK, &*document) };
    let guarded = Router::new()
        .merge(table::router().with_state(Arc::clone(desk)))
        .merge(mem0::router().with_state(Arc::clone(desk)))
        .route("/v1/events", events)
        .route("/metrics", numbers)
        .route("/openapi.json", get(described))
        .route_service("/mcp", mcp::over_http(agents, offer, guard, ending))
        .layer(whole_body())
        .layer(middleware::from_fn_with_state(Arc::clone(guard), guard::authenticate));
    guarded
        .merge(page::routes(guard).layer(whole_body()))
        .route("/healthz", get(async || json(StatusCode::OK, &serde_json::json!({"ok": true}))))
        .fallback(async || {
            Refusal::new(StatusCode::NOT_FOUND, Failure::usage("there is nothing at this path"))
        })
        .layer(DefaultBodyLimit::max(most))
        .layer(from_fn(finish))
        .layer(middleware::from_fn_with_state(Arc::clone(guard), guard::admit))
        .layer(middleware::from_fn_with_state(counts, metrics::count))
}

/// What every answer has: nothing of it is kept by others, and every failure is JSON.
async fn finish(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let mut response = match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => replaced(response, "this path does not take that method"),
        StatusCode::PAYLOAD_TOO_LARGE => replaced(response, "the request is too long"),
        _ => response,
    };
    const ALWAYS: [(HeaderName, &str); 4] = [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in ALWAYS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// A failure of the router in our words; what else it says stays.
fn replaced(response: Response, message: &str) -> Response {
    let mut ours = Refusal::new(response.status(), Failure::usage(message)).into_response();
    if let Some(allowed) = response.headers().get(header::ALLOW) {
        ours.headers_mut().insert(header::ALLOW, allowed.clone());
    }
    ours
}
