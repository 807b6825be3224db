//! Every operation of the HTTP interface, once: the router is built from this table, and so is the document that
//! describes it.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::read;
use crate::desk::Desk;
use crate::failure::{Failure, json};
use crate::{ask, ops, schema, wire};

/// One operation: how it is called, what it takes and what it answers.
pub(crate) struct Operation {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) asked: Map<String, Value>,
    pub(crate) answered: Map<String, Value>,
    pub(crate) status: StatusCode,
    router: Router<Arc<Desk>>,
}

pub(crate) fn operations() -> Vec<Operation> {
    let mut all = vec![
        get("/v1/search", "search", "Find notes by words and by meaning", ops::search),
        get("/v1/notes", "listNotes", "The memory files", ops::notes),
        get("/v1/notes/{path}", "readNote", "Exact lines of a memory file", ops::get),
        get(
            "/v1/recall",
            "recall",
            "Facts that answer, then facts that hang together with those",
            ops::recall,
        ),
        get("/v1/facts", "listFacts", "Facts, filtered and in an order", ops::facts),
        post("/v1/facts", "retain", "Keep a fact: one line in today's note", ops::retain),
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
        get("/v1/context", "context", "What an agent would be given now", ops::context),
        get("/v1/status", "status", "What is indexed, and how", ops::status),
        get("/v1/doctor", "doctor", "Check notes, index, settings and disk", ops::doctor),
        get("/v1/index", "indexState", "Whether the index is being brought up to date", ops::index_state),
        post("/v1/embeddings", "embeddings", "Vectors of the model inside the program", ops::embeddings),
    ];
    all.extend(sessions());
    all.extend(controls());
    all.extend(trust());
    all.push(start_index());
    all
}

fn sessions() -> [Operation; 8] {
    [
        get("/v1/sessions", "listSessions", "Conversations, the newest first", ops::sessions),
        get("/v1/sessions/{id}", "readSession", "What was said in a conversation", ops::session),
        post("/v1/sessions/{id}/messages", "appendMessages", "Write turns down", ops::append),
        get("/v1/sessions/{id}/candidates", "candidates", "What may be worth keeping", ops::candidates),
        get(
            "/v1/sessions/{id}/context",
            "sessionContext",
            "What a model would be given next",
            ops::session_context,
        ),
        get(
            "/v1/sessions/{id}/flush-check",
            "flushCheck",
            "Whether memories are to be saved now",
            ops::flush_check,
        ),
        post("/v1/sessions/{id}/flush", "flush", "Save what the rules find, before a compaction", ops::flush),
        post("/v1/sessions/{id}/compact", "compact", "Replace old turns by a summary", ops::compact),
    ]
}

fn controls() -> [Operation; 3] {
    [
        patch(
            "/v1/facts/{id}",
            "editFact",
            "Say a fact in other words: its line changes, and nothing else",
            ops::edit,
        ),
        delete(
            "/v1/facts/{id}",
            "deleteFact",
            "Forget one fact, or all values of a key; dryRun says what would go",
            ops::delete,
        ),
        post("/v1/forget", "forget", "Forget; dryRun says what would go", ops::forget),
    ]
}

fn trust() -> [Operation; 4] {
    [
        get("/v1/audit", "audit", "Who wrote what, and who saw what is sensitive", ops::audit),
        get("/v1/audit/verify", "verifyAudit", "Whether the audit log is whole", ops::verify_audit),
        get("/v1/policy", "policy", "What may be stored and shown", ops::policy),
        post("/v1/policy/check", "checkPolicy", "What the policy finds in a text", ops::check_policy),
    ]
}

pub(crate) fn router(operations: Vec<Operation>) -> Router<Arc<Desk>> {
    operations.into_iter().fold(Router::new(), |all, operation| all.merge(operation.router))
}

/// What an operation is asked with.
trait Asked: DeserializeOwned + JsonSchema + Send + 'static {}
impl<A: DeserializeOwned + JsonSchema + Send + 'static> Asked for A {}

/// What it answers with.
trait Told: Serialize + JsonSchema + 'static {}
impl<T: Serialize + JsonSchema + 'static> Told for T {}

type Work<A, T> = fn(&Desk, &A) -> Result<T, Failure>;

fn get<A: Asked, T: Told>(
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: Work<A, T>,
) -> Operation {
    in_query(Method::GET, MethodFilter::GET, path, name, about, work)
}

fn delete<A: Asked, T: Told>(
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: Work<A, T>,
) -> Operation {
    in_query(Method::DELETE, MethodFilter::DELETE, path, name, about, work)
}

fn post<A: Asked, T: Told>(
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: Work<A, T>,
) -> Operation {
    in_body(Method::POST, MethodFilter::POST, path, name, about, work)
}

fn patch<A: Asked, T: Told>(
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: Work<A, T>,
) -> Operation {
    in_body(Method::PATCH, MethodFilter::PATCH, path, name, about, work)
}

fn in_query<A: Asked, T: Told>(
    method: Method,
    filter: MethodFilter,
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: Work<A, T>,
) -> Operation {
    let answer = move |State(desk): State<Arc<Desk>>, params: RawPathParams, RawQuery(query): RawQuery| async move {
        let asked = read::query::<A>(&params, query.as_deref().unwrap_or_default());
        answered(&desk, asked, work).await
    };
    let router = Router::new().route(&wildcard(path), on(filter, answer));
    operation(method, path, name, about, router, schema::asked::<A>(), schema::answered::<T>())
}

fn in_body<A: Asked, T: Told>(
    method: Method,
    filter: MethodFilter,
    path: &'static str,
    name: &'static str,
    about: &'static str,
    work: Work<A, T>,
) -> Operation {
    let answer = move |State(desk): State<Arc<Desk>>, params: RawPathParams, body: Bytes| async move {
        let asked = read::body::<A>(&params, &body);
        answered(&desk, asked, work).await
    };
    let router = Router::new().route(path, on(filter, answer));
    operation(method, path, name, about, router, schema::asked::<A>(), schema::answered::<T>())
}

fn start_index() -> Operation {
    let answer = |State(desk): State<Arc<Desk>>, params: RawPathParams, body: Bytes| async move {
        match read::body::<ask::Index>(&params, &body) {
            Ok(asked) => json(StatusCode::ACCEPTED, &ops::start_index(&desk, asked)),
            Err(failure) => failure.into_response(),
        }
    };
    let router = Router::new().route("/v1/index", on(MethodFilter::POST, answer));
    let about = "Begin to bring the index up to date; /v1/events tells how far it is";
    let (asked, told) = (schema::asked::<ask::Index>(), schema::answered::<wire::Started>());
    let operation = operation(Method::POST, "/v1/index", "startIndex", about, router, asked, told);
    Operation { status: StatusCode::ACCEPTED, ..operation }
}

#[expect(clippy::too_many_arguments, reason = "they are the columns of the table")]
fn operation(
    method: Method,
    path: &'static str,
    name: &'static str,
    about: &'static str,
    router: Router<Arc<Desk>>,
    asked: Map<String, Value>,
    answered: Map<String, Value>,
) -> Operation {
    Operation { method, path, name, about, asked, answered, status: StatusCode::OK, router }
}

async fn answered<A, T>(desk: &Arc<Desk>, asked: Result<A, Failure>, work: Work<A, T>) -> Response
where
    A: Send + 'static,
    T: Serialize + 'static,
{
    let asked = match asked {
        Ok(asked) => asked,
        Err(failure) => return failure.into_response(),
    };
    // The answer becomes bytes on the thread that made it.
    let done = desk.run(move |desk| {
        let value = work(desk, &asked)?;
        serde_json::to_vec(&value).map_err(|error| Failure::bug(error.to_string()))
    });
    match done.await {
        Ok(bytes) => ([(axum::http::header::CONTENT_TYPE, "application/json")], bytes).into_response(),
        Err(failure) => failure.into_response(),
    }
}

/// A note's path has slashes of its own.
fn wildcard(path: &str) -> String {
    path.replace("{path}", "{*path}")
}
