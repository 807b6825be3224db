//! The document that describes the HTTP interface, made from the same table as the router.

use mindfile_operations::{Entry, Failed, Http, Method, schema};
use serde_json::{Map, Value, json};

use super::table;

struct Operation {
    http: Http,
    asked: Map<String, Value>,
}

pub(crate) fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for (entry, http) in table::served() {
        let path = paths.entry(http.path).or_insert_with(|| json!({}));
        path[word(http.method)] = one(entry, &Operation { http, asked: (entry.asked)() });
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "mindfile",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Plain-Markdown memory for AI agents.",
            "license": {"name": "MIT OR Apache-2.0"}
        },
        "paths": paths,
        "components": {
            "schemas": {"Failed": schema::answered::<Failed>()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}
        },
        "security": [{"token": []}]
    })
}

fn word(method: Method) -> &'static str {
    match method {
        Method::Get => "get",
        Method::Post => "post",
        Method::Put => "put",
        Method::Patch => "patch",
        Method::Delete => "delete",
    }
}

fn one(entry: &Entry, operation: &Operation) -> Value {
    let failed = json!({
        "description": "It was not done; `error.hint` says what helps",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failed"}}}
    });
    let mut value = json!({
        "operationId": entry.row.name,
        "summary": entry.row.about,
        "parameters": parameters(operation),
        "responses": {
            table::status(operation.http).as_str(): {
                "description": "Done",
                "content": {"application/json": {"schema": (entry.answered)()}}
            },
            "400": failed, "401": failed, "404": failed, "default": failed
        }
    });
    if !operation.http.is_in_query() {
        value["requestBody"] = body(operation);
    }
    value
}

/// The words of the path, and for a request without a body all others.
fn parameters(operation: &Operation) -> Vec<Value> {
    let in_query = operation.http.is_in_query();
    let fields = operation.asked.get("properties").and_then(Value::as_object).into_iter().flatten();
    let wanted = |name: &&String| in_query || is_in_path(operation, name);
    let fields = fields.filter(|(name, _)| wanted(name));
    fields.map(|(name, schema)| parameter(operation, name, schema)).collect()
}

fn parameter(operation: &Operation, name: &str, schema: &Value) -> Value {
    let place = if is_in_path(operation, name) { "path" } else { "query" };
    let mut schema = schema.clone();
    let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
    if place == "path" {
        schema["minLength"] = json!(1);
    }
    let mut value = json!({
        "name": name,
        "in": place,
        "required": place == "path" || is_required(operation, name),
        "schema": schema
    });
    if let Some(about) = about {
        value["description"] = about;
    }
    if value["schema"]["type"] == "array" {
        value["style"] = json!("form");
        value["explode"] = json!(false);
    }
    value
}

fn body(operation: &Operation) -> Value {
    let mut schema = operation.asked.clone();
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        fields.retain(|name, _| !is_in_path(operation, name));
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| !name.as_str().is_some_and(|name| is_in_path(operation, name)));
    }
    let required = schema.get("required").and_then(Value::as_array).is_some_and(|all| !all.is_empty());
    let required = required || schema.contains_key("oneOf");
    json!({"required": required, "content": {"application/json": {"schema": schema}}})
}

fn is_in_path(operation: &Operation, name: &str) -> bool {
    operation.http.path.contains(&format!("{{{name}}}"))
}

fn is_required(operation: &Operation, name: &str) -> bool {
    let required = operation.asked.get("required").and_then(Value::as_array);
    required.is_some_and(|all| all.iter().any(|one| one == name))
}
