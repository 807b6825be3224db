//! What a request says: the words of its path together with those of its query or its body.

use axum::extract::RawPathParams;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::failure::Failure;

/// From the path and the query string.
pub(crate) fn query<A: DeserializeOwned>(params: &RawPathParams, query: &str) -> Result<A, Failure> {
    let mut text = form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(params);
    let mut text = text.finish();
    if !query.is_empty() {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(query);
    }
    serde_urlencoded::from_str(&text).map_err(|error| Failure::usage(format!("the query: {error}")))
}

/// A text with its percent signs resolved; none if that is no UTF-8.
pub(crate) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = after.get(..2).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = hex.and_then(|pair| u8::from_str_radix(pair, 16).ok()).filter(|_| *first == b'%');
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// From the path and a JSON object; an empty body is an empty object.
pub(crate) fn body<A: DeserializeOwned>(params: &RawPathParams, body: &[u8]) -> Result<A, Failure> {
    let wrong = |error: serde_json::Error| Failure::usage(format!("the body: {error}"));
    let mut object: Map<String, Value> = if body.trim_ascii().is_empty() {
        Map::new()
    } else {
        serde_json::from_slice(body).map_err(wrong)?
    };
    for (name, value) in params {
        if object.insert(name.to_owned(), value.into()).is_some() {
            return Err(Failure::usage(format!("the body: {name} stands in the path already")));
        }
    }
    serde_json::from_value(Value::Object(object)).map_err(wrong)
}
