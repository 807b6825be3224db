//! Every operation of the HTTP interface, once: the router is built from this table, and so is the document that
//! describes it.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, on};
use mindfile_operations::{Entry, Http, Method, OPERATIONS};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::read;
use crate::desk::Desk;
use crate::failure::{Failure, Refusal, raw_json};
use crate::{ops, schema};

/// One operation: how it is called, what it takes and what it answers.
pub(crate) struct Operation {
    pub(crate) http: Http,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) asked: Map<String, Value>,
    pub(crate) answered: Map<String, Value>,
    pub(crate) status: StatusCode,
    router: Router<Arc<Desk>>,
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all: Vec<Operation> = OPERATIONS.iter().filter_map(listed).collect();
    all.extend([
        get("/v1/notes", "listNotes", "The memory files", ops::notes),
        get("/v1/facts", "listFacts", "Facts, filtered and in an order", ops::facts),
        get(
            "/v1/facts/{id}",
            "inspectFact",
            "One fact with its state, its use and its history",
            ops::inspect,
        ),
        get("/v1/entities", "listEntities", "Whom and what the facts are about", ops::entities),
        get("/v1/entities/{name}", "readEntity", "One entity with its facts and neighbours", ops::entity),
        post("/v1/reflect", "reflect", "Consolidate the facts that matter into core memory", ops::reflect),
        post("/v1/reflect/undo", "undoReflection", "Undo the last reflection", ops::undo_reflection),
    ]);
    all.extend(controls());
    all
}

fn controls() -> [Operation; 3] {
    [
        unlisted(
            Http::patch("/v1/facts/{id}"),
            "editFact",
            "Say a fact in other words: its line changes, and nothing else",
            ops::edit,
        ),
        unlisted(
            Http::delete("/v1/facts/{id}"),
            "deleteFact",
            "Forget one fact, or all values of a key; dryRun says what would go",
            ops::delete,
        ),
        post("/v1/forget", "forget", "Forget; dryRun says what would go", ops::forget),
    ]
}

pub(crate) fn router(operations: Vec<Operation>) -> Router<Arc<Desk>> {
    operations.into_iter().fold(Router::new(), |all, operation| all.merge(operation.router))
}

type Work = Arc<dyn Fn(&Desk, Value, &str) -> Result<Vec<u8>, Failure> + Send + Sync>;

/// An operation of the table.
fn listed(entry: &'static Entry) -> Option<Operation> {
    let work =
        move |desk: &Desk, given: Value, what: &str| (entry.by_json)(&desk.caller(), given, what)?.json();
    let (http, row) = (entry.row.http?, entry.row);
    Some(operation(http, row.name, row.about, ((entry.asked)(), (entry.answered)()), Arc::new(work)))
}

fn get<A: DeserializeOwned + JsonSchema + 'static, T: Serialize + JsonSchema + 'static>(
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: fn(&Desk, &A) -> Result<T, Failure>,
) -> Operation {
    unlisted(Http::get(path), name, about, work)
}

fn post<A: DeserializeOwned + JsonSchema + 'static, T: Serialize + JsonSchema + 'static>(
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: fn(&Desk, &A) -> Result<T, Failure>,
) -> Operation {
    unlisted(Http::post(path), name, about, work)
}

fn unlisted<A: DeserializeOwned + JsonSchema + 'static, T: Serialize + JsonSchema + 'static>(
    http: Http,
    name: &'static str,
    about: &'static str,
    work: fn(&Desk, &A) -> Result<T, Failure>,
) -> Operation {
    let asked = schema::asked::<A>();
    let fields = asked.clone();
    let work = move |desk: &Desk, given: Value, what: &str| {
        schema::check(&fields, &given).map_err(|wrong| Failure::usage(format!("{what}: {wrong}")))?;
        let asked =
            serde_json::from_value(given).map_err(|error| Failure::usage(format!("{what}: {error}")))?;
        serde_json::to_vec(&work(desk, &asked)?).map_err(|error| Failure::bug(error.to_string()))
    };
    operation(http, name, about, (asked, schema::answered::<T>()), Arc::new(work))
}

fn operation(
    http: Http,
    name: &'static str,
    about: &'static str,
    (asked, answered): (Map<String, Value>, Map<String, Value>),
    work: Work,
) -> Operation {
    let fields = Arc::new(asked.clone());
    let status = if http.begins { StatusCode::ACCEPTED } else { StatusCode::OK };
    let answer = move |State(desk): State<Arc<Desk>>,
                       params: RawPathParams,
                       RawQuery(query): RawQuery,
                       body: Bytes| async move {
        let (given, what) = if http.is_in_query() {
            (read::query(&fields, &params, query.as_deref().unwrap_or_default()), "the query")
        } else {
            (read::body(&params, &body), "the body")
        };
        // The answer becomes bytes on the thread that made it.
        let done = match given {
            Ok(given) => desk.run(move |desk| work(desk, given, what)).await,
            Err(failure) => Err(failure),
        };
        match done {
            Ok(bytes) => raw_json(status, bytes),
            Err(failure) => Refusal::from(failure).into_response(),
        }
    };
    let router = Router::new().route(&wildcard(http), on(filter(http.method), answer));
    Operation { http, name, about, asked, answered, status, router }
}

fn filter(method: Method) -> MethodFilter {
    match method {
        Method::Get => MethodFilter::GET,
        Method::Post => MethodFilter::POST,
        Method::Patch => MethodFilter::PATCH,
        Method::Delete => MethodFilter::DELETE,
    }
}

/// A note's path has slashes of its own.
fn wildcard(http: Http) -> String {
    if http.method == Method::Get { http.path.replace("{path}", "{*path}") } else { http.path.to_owned() }
}
