//! JSON schemas of what is asked and answered, for OpenAPI and for tools: one source for both.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// The schema of what is answered.
pub fn answered<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    made::<T>(settings, plain)
}

/// The schema of what is asked. A field that may be left out is not null.
pub fn asked<T: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let mut schema = made::<T>(settings, |schema| {
        plain(schema);
        without_null(schema);
    });
    // A tool without arguments still has an object of them.
    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    schema
}

fn made<T: JsonSchema>(mut settings: SchemaSettings, transform: fn(&mut Schema)) -> Map<String, Value> {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(transform).transform(&mut schema);
    schema.remove("title");
    match schema.to_value() {
        Value::Object(object) => object,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    }
}

/// Formats such as `uint32` are not JSON Schema's, and some clients complain about them.
fn plain(schema: &mut Schema) {
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| {
        format.starts_with("uint") || format.starts_with("int") || matches!(format, "float" | "double")
    }) {
        schema.remove("format");
    }
}

fn without_null(schema: &mut Schema) {
    let is_null = |value: &Value| {
        value.as_str() == Some("null") || value.get("type").and_then(Value::as_str) == Some("null")
    };
    let Some(object) = schema.as_object_mut() else { return };
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| !is_null(kind));
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(words)) = object.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    merge_single(object, is_null);
}

/// `anyOf` of something and null is that something.
fn merge_single(object: &mut Map<String, Value>, is_null: impl Fn(&Value) -> bool) {
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else { return };
    choices.retain(|choice| !is_null(choice));
    let [Value::Object(only)] = choices.as_slice() else { return };
    let only = only.clone();
    object.remove("anyOf");
    for (key, value) in only {
        object.entry(key).or_insert(value);
    }
}
