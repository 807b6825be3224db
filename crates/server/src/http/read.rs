//! What a request says: the words of its path together with those of its query or its body.

use axum::extract::RawPathParams;
use axum::http::{HeaderMap, header};
use serde_json::{Map, Number, Value};

use crate::failure::Failure;

/// From the path and the query string, each word as what its field takes.
pub(crate) fn query(
    schema: &Map<String, Value>,
    params: &RawPathParams,
    query: &str,
) -> Result<Value, Failure> {
    let params = params.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    let given = form_urlencoded::parse(query.as_bytes());
    let given = given.map(|(name, value)| (name.into_owned(), value.into_owned()));
    let mut object = Map::new();
    for (name, text) in params.chain(given) {
        let value = typed(&schema["properties"][&name], text);
        if object.insert(name.clone(), value).is_some() {
            return Err(Failure::usage(format!("the query: {name} is given twice")));
        }
    }
    Ok(Value::Object(object))
}

/// A word that is no number where one is wanted stays a text, and is refused by name.
fn typed(field: &Value, text: String) -> Value {
    match field["type"].as_str() {
        Some("integer" | "number") => text.parse::<Number>().map_or(Value::String(text), Value::Number),
        Some("boolean") => text.parse::<bool>().map_or(Value::String(text), Value::Bool),
        Some("array") => text.split(',').filter(|item| !item.is_empty()).map(Value::from).collect(),
        Some(_) | None => Value::String(text),
    }
}

/// From the path and a JSON object; an empty body is an empty object. A field that is left out is not null.
pub(crate) fn body(params: &RawPathParams, body: &[u8]) -> Result<Value, Failure> {
    let mut object: Map<String, Value> = if body.trim_ascii().is_empty() {
        Map::new()
    } else {
        serde_json::from_slice(body).map_err(|error| Failure::usage(format!("the body: {error}")))?
    };
    if let Some(name) = object.iter().find_map(|(name, value)| null_in(name, value)) {
        return Err(Failure::usage(format!("the body: {name} is null")).hint("leave out what is not said"));
    }
    for (name, value) in params {
        if object.insert(name.to_owned(), value.into()).is_some() {
            return Err(Failure::usage(format!("the body: {name} stands in the path already")));
        }
    }
    Ok(Value::Object(object))
}

/// What `If-Match` says is a field of whatever changes what was read.
pub(crate) fn with_match(
    schema: &Map<String, Value>,
    headers: &HeaderMap,
    mut given: Value,
) -> Result<Value, Failure> {
    const FIELD: &str = "ifMatch";
    let header = headers.get(header::IF_MATCH).filter(|_| schema["properties"].get(FIELD).is_some());
    let (Some(header), Some(fields)) = (header, given.as_object_mut()) else { return Ok(given) };
    let hash = header.to_str().ok().map(|text| text.trim().trim_start_matches("W/").trim_matches('"'));
    let hash = hash.filter(|hash| !hash.is_empty() && !hash.contains(['*', ',']));
    let hash = hash.ok_or_else(|| {
        Failure::usage("the header If-Match is not one hash").hint("send the hash that reading the note gave")
    })?;
    if fields.get(FIELD).is_some_and(|field| field != hash) {
        return Err(Failure::usage("ifMatch and the header If-Match are two hashes"));
    }
    fields.insert(FIELD.to_owned(), Value::from(hash));
    Ok(given)
}

/// The name of a field that is null, at any depth.
fn null_in<'a>(name: &'a str, value: &'a Value) -> Option<&'a str> {
    match value {
        Value::Null => Some(name),
        Value::Array(items) => items.iter().find_map(|item| null_in(name, item)),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| null_in(name, value)),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}
