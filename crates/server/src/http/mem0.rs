//! The requests of mem0's clients, for those who switch: what speaks to its hosted service speaks to this one by another
//! address. Every memory is a fact; a user, an agent, an app or a run is an entity that its facts name, and a question is
//! answered with facts that name all it asks for, and with no others.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use mindfile_operations::{Caller, OPERATIONS};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::desk::Desk;
use crate::failure::{Failure, Refusal, json as answer};
use crate::guard::check_type;

/// How many a search gives that does not say it, and how many facts are looked through for the rest.
const USUAL: usize = 10;
const PAGE: usize = 1000;
/// Whom a memory can belong to, with how the entity's name begins.
const OWNERS: [(&str, &str); 4] =
    [("user_id", "user"), ("agent_id", "agent"), ("app_id", "app"), ("run_id", "run")];

pub(super) fn router() -> Router<Arc<Desk>> {
    // The client wants to know to whom its key belongs.
    let told = json!({"status": "ok", "org_id": "mindfile", "project_id": "mindfile", "user_email": null});
    let ping = get(async move || answer(StatusCode::OK, &told));
    Router::new()
        .route("/v1/ping/", ping)
        .route("/v3/memories/add/", post(added))
        .route("/v3/memories/search/", post(searched))
        .route("/v3/memories/", post(listed))
        .route("/v1/memories/", delete(remove_all))
        .route("/v1/memories/{id}/", get(read).put(update).delete(remove))
}

/// Ids of owners, each under its name.
#[derive(Debug, Default, Deserialize)]
struct Owners {
    #[serde(flatten)]
    fields: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
struct Added {
    messages: Vec<Message>,
    #[serde(flatten)]
    owners: Owners,
}

#[derive(Debug, Deserialize)]
struct Message {
    role: String,
    content: String,
}

#[derive(Debug, Deserialize)]
struct Asked {
    query: String,
    top_k: Option<usize>,
    #[serde(default)]
    filters: Value,
}

#[derive(Debug, Deserialize)]
struct Listed {
    #[serde(default)]
    filters: Value,
}

#[derive(Debug, Deserialize)]
struct Changed {
    text: String,
}

impl Owners {
    /// The entities that stand for them. A name says neither letters' case nor what a tag cannot hold, so that they are
    /// spelled out: no two ids are one entity.
    fn entities(&self) -> Result<Vec<String>, Failure> {
        let mut entities = Vec::new();
        for (field, start) in OWNERS {
            let id = match self.fields.get(field) {
                None | Some(Value::Null) => continue,
                Some(Value::String(id)) if !id.is_empty() => id.clone(),
                Some(Value::Number(id)) => id.to_string(),
                Some(other) => return Err(Failure::usage(format!("{field} is {other}; it must be a text"))),
            };
            let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            let spelled = id
                .bytes()
                .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("_{byte:02x}") });
            entities.push(format!("{start}-{}", spelled.collect::<String>()));
        }
        if entities.is_empty() {
            let names = OWNERS.map(|(field, _)| field).join(", ");
            return Err(Failure::usage(format!("whose memory it is, is not said: {names}")));
        }
        Ok(entities)
    }

    /// Those of a filter: `{"user_id": …}`, or several under `AND`.
    fn of_filter(filters: &Value) -> Result<Self, Failure> {
        let parts = match filters.get("AND") {
            Some(Value::Array(parts)) => parts.clone(),
            Some(_) | None => vec![filters.clone()],
        };
        let mut fields = Map::new();
        for part in parts {
            for (name, value) in part.as_object().into_iter().flatten() {
                if !OWNERS.iter().any(|(field, _)| field == name) {
                    return Err(Failure::usage(format!("the filter {name} is not understood")));
                }
                fields.insert(name.clone(), value.clone());
            }
        }
        Ok(Self { fields })
    }
}

/// Asks an operation of the table.
fn ask(caller: &Caller<'_>, name: &str, fields: Value) -> Result<Value, Failure> {
    let entry = OPERATIONS.iter().find(|entry| entry.row.name == name);
    let entry = entry.ok_or_else(|| Failure::bug(format!("there is no operation {name}")))?;
    let bytes = (entry.by_json)(caller, fields, "the request")?.json()?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::bug(error.to_string()))
}

/// What the person says is kept as it is; what the assistant says is its own. Nothing is compared with what others said.
fn add(caller: &Caller<'_>, asked: Added) -> Result<Value, Failure> {
    let entities = asked.owners.entities()?;
    let mut results = Vec::new();
    for Message { role, content } in asked.messages {
        if role != "user" || content.trim().is_empty() {
            continue;
        }
        let id = mem0_id(&entities, &content);
        let fields = json!({"text": content, "entities": entities, "id": id, "force": true});
        let kept = ask(caller, "retain", fields)?;
        let event = if kept["outcome"] == "known" { "NONE" } else { "ADD" };
        results.push(json!({"id": kept["id"], "memory": kept["text"], "event": event}));
    }
    Ok(json!({ "results": results }))
}

/// The same words of the same owners are one memory.
fn mem0_id(entities: &[String], text: &str) -> String {
    let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let digest = Sha256::digest(format!("{}\0{said}", entities.join("\0")));
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What answers first, then the rest: whoever asks for ten gets ten, if there are so many.
fn search(caller: &Caller<'_>, asked: Asked) -> Result<Value, Failure> {
    let entities = Owners::of_filter(&asked.filters)?.entities()?;
    let most = asked.top_k.unwrap_or(USUAL);
    let fields = json!({
        "query": asked.query, "entities": [entities[0]], "k": PAGE, "associativeDepth": 0
    });
    let recalled = ask(caller, "recall", fields)?;
    let mut scores: BTreeMap<String, f64> = BTreeMap::new();
    let mut found: Vec<Value> = owned(&recalled["results"], &entities);
    for fact in &found {
        scores.insert(id_of(fact), fact["score"].as_f64().unwrap_or(0.0));
    }
    let rest = facts(caller, &entities)?.into_iter();
    found.extend(rest.filter(|fact| !scores.contains_key(&id_of(fact))));
    let memories = found.iter().take(most).map(|fact| {
        let mut memory = memory(fact);
        memory["score"] = json!(scores.get(&id_of(fact)).copied().unwrap_or(0.0));
        memory
    });
    Ok(json!({"results": memories.collect::<Vec<_>>()}))
}

fn list(caller: &Caller<'_>, asked: Listed) -> Result<Value, Failure> {
    let facts = facts(caller, &Owners::of_filter(&asked.filters)?.entities()?)?;
    let results: Vec<Value> = facts.iter().map(memory).collect();
    Ok(json!({"count": results.len(), "next": null, "previous": null, "results": results}))
}

/// Every fact that names all of them, and holds.
fn facts(caller: &Caller<'_>, entities: &[String]) -> Result<Vec<Value>, Failure> {
    let mut all = Vec::new();
    loop {
        let fields = json!({"entity": entities[0], "state": "current", "limit": PAGE, "offset": all.len()});
        let page = ask(caller, "listFacts", fields)?;
        let facts = page["facts"].as_array().cloned().unwrap_or_default();
        let is_last = facts.len() < PAGE;
        all.extend(facts);
        if is_last {
            return Ok(owned(&Value::Array(all), entities));
        }
    }
}

fn owned(facts: &Value, entities: &[String]) -> Vec<Value> {
    let names = |fact: &Value, entity: &String| {
        let tags = fact["entities"].as_array().into_iter().flatten();
        tags.filter_map(Value::as_str).any(|tag| tag.eq_ignore_ascii_case(entity))
    };
    let facts = facts.as_array().into_iter().flatten();
    facts.filter(|fact| entities.iter().all(|entity| names(fact, entity))).cloned().collect()
}

fn id_of(fact: &Value) -> String {
    fact["id"].as_str().unwrap_or_default().to_owned()
}

/// A fact as a memory of mem0's, with the ids of whom it belongs to.
fn memory(fact: &Value) -> Value {
    let seen = fact["seen"].as_str().map(|day| format!("{day}T00:00:00Z"));
    let mut memory = json!({"id": fact["id"], "memory": fact["text"], "created_at": seen, "metadata": null});
    for tag in fact["entities"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        for (field, start) in OWNERS {
            if let Some(id) = tag.strip_prefix(start).and_then(|rest| rest.strip_prefix('-')) {
                memory[field] = Value::from(unspelled(id));
            }
        }
    }
    memory
}

/// An id as it was before it became the name of an entity.
fn unspelled(id: &str) -> String {
    let mut bytes = Vec::new();
    let mut parts = id.split('_');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        bytes.extend(u8::from_str_radix(digits, 16).ok());
        bytes.extend(rest.bytes());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn read(State(desk): State<Arc<Desk>>, Path(id): Path<String>) -> Response {
    told(desk.run(move |desk| Ok(memory(&ask(&desk.caller(), "inspectFact", json!({"id": id}))?))).await)
}

async fn update(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(refusal) = check_type(&headers, &body) {
        return refusal.into_response();
    }
    let done = desk.run(move |desk| {
        let Changed { text } = parsed(&body)?;
        Ok(memory(&ask(&desk.caller(), "editFact", json!({"id": id, "text": text}))?))
    });
    told(done.await)
}

async fn remove(State(desk): State<Arc<Desk>>, Path(id): Path<String>) -> Response {
    let done = desk.run(move |desk| {
        ask(&desk.caller(), "deleteFact", json!({"id": id}))?;
        Ok(json!({"message": "Memory deleted successfully!"}))
    });
    told(done.await)
}

/// Of one owner: every fact that names it, one by one, so that others who are named as well lose nothing else.
async fn remove_all(State(desk): State<Arc<Desk>>, RawQuery(query): RawQuery) -> Response {
    let done = desk.run(move |desk| {
        let query = query.unwrap_or_default();
        let given = form_urlencoded::parse(query.as_bytes());
        let fields =
            given.map(|(name, value)| (name.into_owned(), Value::from(value.into_owned()))).collect();
        let caller = desk.caller();
        for fact in facts(&caller, &Owners { fields }.entities()?)? {
            ask(&caller, "deleteFact", json!({"id": fact["id"]}))?;
        }
        Ok(json!({"message": "Memories deleted successfully!"}))
    });
    told(done.await)
}

async fn added(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    with_body(&desk, (headers, body), add).await
}

async fn searched(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    with_body(&desk, (headers, body), search).await
}

async fn listed(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: Bytes) -> Response {
    with_body(&desk, (headers, body), list).await
}

async fn with_body<T: DeserializeOwned + 'static>(
    desk: &Arc<Desk>,
    (headers, body): (HeaderMap, Bytes),
    work: fn(&Caller<'_>, T) -> Result<Value, Failure>,
) -> Response {
    if let Err(refusal) = check_type(&headers, &body) {
        return refusal.into_response();
    }
    told(desk.run(move |desk| work(&desk.caller(), parsed(&body)?)).await)
}

fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|error| Failure::usage(format!("the body: {error}")))
}

fn told(done: Result<Value, Failure>) -> Response {
    match done {
        Ok(value) => answer(StatusCode::OK, &value),
        Err(failure) => Refusal::from(failure).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_ids_are_one_entity_and_each_comes_back() {
        let entity = |id: &str| {
            let fields = [("user_id".to_owned(), Value::from(id))].into_iter().collect();
            Owners { fields }.entities().unwrap().remove(0)
        };
        let ids = ["bob", "Bob", "b b", "b-b", "b_b", "bö", "user@x.org"];
        let entities: std::collections::BTreeSet<String> = ids.map(|id| entity(id).to_lowercase()).into();
        assert_eq!(entities.len(), ids.len());
        for id in ids {
            assert_eq!(unspelled(entity(id).strip_prefix("user-").unwrap()), id);
        }
    }
}
