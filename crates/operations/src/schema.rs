//! JSON schemas of what is asked and answered, for OpenAPI and for tools: one source for both.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

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
        bounded(schema);
        plain(schema);
        without_null(schema);
    });
    // A tool without arguments still has an object of them.
    schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    schema
}

/// The same for a model, which reads the descriptions: without patterns, and without limits that only types have.
pub(crate) fn brief<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = asked::<T>();
    schema.remove("oneOf");
    schema.remove("dependentRequired");
    for field in
        schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut)
    {
        let Some(field) = field.as_object_mut() else { continue };
        field.remove("pattern");
        if let Some(items) = field.get_mut("items").and_then(Value::as_object_mut) {
            items.remove("pattern");
        }
        if field.get("maximum").and_then(Value::as_u64).is_some_and(|most| most >= u64::from(u32::MAX)) {
            field.remove("maximum");
        }
    }
    schema
}

/// The same with some of its fields.
pub(crate) fn briefest<T: JsonSchema>(fields: &[&str]) -> Map<String, Value> {
    let mut schema = brief::<T>();
    if let Some(all) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        all.retain(|name, _| fields.contains(&name.as_str()));
    }
    schema
}

type Schemas = HashMap<TypeId, Arc<Map<String, Value>>>;

/// The same, made once for each type.
pub(crate) fn of<T: JsonSchema + 'static>() -> Arc<Map<String, Value>> {
    static MADE: LazyLock<Mutex<Schemas>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(made.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(asked::<T>())))
}

/// What is wrong with a field that is given, by its type and its range. Fields that are missing or not known, and what is
/// inside of lists, are left to who reads them.
pub fn check(schema: &Map<String, Value>, given: &Value) -> Result<(), String> {
    let fields = schema.get("properties").and_then(Value::as_object);
    let (Some(fields), Some(given)) = (fields, given.as_object()) else { return Ok(()) };
    for (name, value) in given {
        let allowed = fields.get(name).filter(|_| !value.is_null()).and_then(|field| allowed(field, value));
        if let Some(allowed) = allowed {
            let shown: String = value.to_string().chars().take(SHOWN).collect();
            return Err(format!("{name} is {shown}; it must be {allowed}"));
        }
    }
    Ok(())
}

/// How much of a value is repeated where it is refused.
const SHOWN: usize = 80;

/// What a value would have to be, if it is something else.
fn allowed(field: &Value, value: &Value) -> Option<String> {
    if let Some(words) = field["enum"].as_array() {
        let all: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        return (!words.contains(value)).then(|| all.join(", "));
    }
    let (is_so, kind) = match field["type"].as_str()? {
        "integer" => (value.is_u64() || value.is_i64(), "a whole number"),
        "number" => (value.is_number(), "a number"),
        "string" => (value.is_string(), "a text"),
        "boolean" => (value.is_boolean(), "true or false"),
        "array" => (value.is_array(), "a list"),
        _ => return None,
    };
    let (least, most) = (field["minimum"].as_f64(), field["maximum"].as_f64());
    // A limit that only the type has is said where it is passed.
    let passes =
        |most: &f64| *most < f64::from(u32::MAX) || value.as_f64().is_some_and(|number| number > *most);
    let most = most.filter(passes);
    match (is_so, value.as_f64(), least, most) {
        (false, ..) => Some(kind.to_owned()),
        (true, Some(number), Some(least), Some(most)) if !(least..=most).contains(&number) => {
            Some(format!("between {least} and {most}"))
        }
        (true, Some(number), Some(least), None) if number < least => Some(format!("{least} or more")),
        (true, ..) => None,
    }
}

fn made<T: JsonSchema>(mut settings: SchemaSettings, transform: fn(&mut Schema)) -> Map<String, Value> {
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(transform).transform(&mut schema);
    schema.remove("title");
    schema.remove("description");
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

/// The largest whole number that every reader of JSON keeps.
const LARGEST: u64 = (1 << 53) - 1;

/// A whole number has an end, by its type or by what JSON can say.
fn bounded(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    let most = match format {
        "uint8" => u64::from(u8::MAX),
        "uint16" => u64::from(u16::MAX),
        "uint32" => u64::from(u32::MAX),
        "uint" | "uint64" => LARGEST,
        _ => return,
    };
    if schema.get("maximum").is_none() {
        schema.insert("maximum".to_owned(), Value::from(most));
    }
}

/// JSON has no whole numbers of their own: 860.0 is one where one is wanted.
pub(crate) fn settle(schema: &Map<String, Value>, given: &mut Value) {
    let fields = schema.get("properties").and_then(Value::as_object);
    let (Some(fields), Some(given)) = (fields, given.as_object_mut()) else { return };
    for (name, value) in given {
        let wants_whole = fields.get(name).is_some_and(|field| field["type"] == "integer");
        let whole = value.as_f64().filter(|number| wants_whole && number.fract() == 0.0 && !value.is_u64());
        if let Some(whole) = whole.filter(|whole| (0.0..=LARGEST as f64).contains(whole)) {
            *value = Value::from(whole as u64);
        }
    }
}

fn without_null(schema: &mut Schema) {
    let is_null = |value: &Value| {
        value.as_str() == Some("null") || value.get("type").and_then(Value::as_str) == Some("null")
    };
    let Some(object) = schema.as_object_mut() else { return };
    let says_nothing = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    if object.get("default").is_some_and(says_nothing) {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::recall::Recall;

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let mut given = json!({"k": 3.0, "budget": 860.0, "minSalience": 1.0, "query": "x"});
        settle(&asked::<Recall>(), &mut given);
        assert_eq!(given, json!({"k": 3, "budget": 860, "minSalience": 1.0, "query": "x"}));
        let budget = &asked::<Recall>()["properties"]["budget"];
        assert_eq!((&budget["minimum"], &budget["maximum"]), (&json!(0), &json!(9_007_199_254_740_991_u64)));
    }

    #[test]
    fn a_model_is_told_no_patterns_and_no_limits_of_types() {
        let (full, brief) = (asked::<Recall>(), brief::<Recall>());
        let field = |schema: &Map<String, Value>, name: &str| schema["properties"][name].clone();
        assert!(field(&full, "since")["pattern"].is_string() && field(&full, "budget")["maximum"].is_u64());
        assert!(field(&brief, "since")["pattern"].is_null() && field(&brief, "budget")["maximum"].is_null());
        assert_eq!(field(&brief, "k"), field(&full, "k"));
    }

    #[test]
    fn a_pattern_of_days_has_the_days_of_the_calendar() {
        let pattern = asked::<Recall>()["properties"]["since"]["pattern"].as_str().unwrap().to_owned();
        assert!(
            pattern.starts_with("^([0-9]{4}-") && pattern.ends_with("|[0-9]{1,3}(h|d|w|mo|y))$"),
            "{pattern}"
        );
    }

    #[test]
    fn what_is_not_of_its_type_or_range_is_refused_by_name() {
        let schema = asked::<Recall>();
        for (given, wrong) in [
            (json!({"k": "3"}), Some("k is \"3\"; it must be a whole number")),
            (json!({"k": 3.5}), Some("k is 3.5; it must be a whole number")),
            (json!({"k": 0}), Some("k is 0; it must be between 1 and 1000")),
            (json!({"budget": -1}), Some("budget is -1; it must be 0 or more")),
            (json!({"kind": "X"}), Some("kind is \"X\"; it must be W, B, O, S")),
            (json!({"past": "yes"}), Some("past is \"yes\"; it must be true or false")),
            (json!({"entities": "Sarah"}), Some("entities is \"Sarah\"; it must be a list")),
            (json!({"query": ["a"]}), Some("query is [\"a\"]; it must be a text")),
            (json!({"k": 3, "query": "x", "kind": null, "unknown": 1}), None),
            (json!({"budget": 1e30}), Some("budget is 1e+30; it must be a whole number")),
        ] {
            assert_eq!(check(&schema, &given).err().as_deref(), wrong, "{given}");
        }
    }
}
