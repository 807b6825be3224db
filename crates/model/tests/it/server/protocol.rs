//! What each provider answers to a request that is in order, and how it complains about one that is not.

use serde_json::{Value, json};

use super::http::{Answer, Request};
use super::{KEY, UNWANTED, Ways};

/// The texts of a request, in its protocol.
pub(super) fn texts(request: &Request) -> Vec<String> {
    let body = request.json();
    let string = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(requests) = body["requests"].as_array() {
        return requests.iter().map(|one| string(&one["content"]["parts"][0]["text"])).collect();
    }
    match &body["input"] {
        Value::Array(input) => input.iter().map(string).collect(),
        Value::String(one) => vec![one.clone()],
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

pub(super) fn answer(request: &Request, texts: &[String], ways: &Ways) -> Answer {
    match complaint(request, texts, ways) {
        Some(answer) => answer,
        None => embeddings(request, texts, ways),
    }
}

fn complaint(request: &Request, texts: &[String], ways: &Ways) -> Option<Answer> {
    let key = match (request.header("authorization"), request.header("x-goog-api-key")) {
        (Some(bearer), _) => bearer.trim_start_matches("Bearer "),
        (None, Some(key)) => key,
        (None, None) => "",
    };
    let refuse = |status: u16, message: String| Some(refusal(request, status, &message));
    if key != KEY && !request.path.starts_with("/api/") {
        return refuse(401, format!("Incorrect API key provided: {key}. You can find your key elsewhere."));
    }
    let model = model(request);
    if model.contains("no-such-model") {
        return refuse(404, format!("The model `{model}` does not exist or you do not have access to it."));
    }
    if texts.is_empty() || texts.iter().any(String::is_empty) {
        return refuse(400, "'$.input' is invalid.".to_owned());
    }
    if texts.len() > ways.most_items {
        return refuse(400, format!("too many inputs: at most {} are allowed", ways.most_items));
    }
    if texts.iter().any(|text| text.chars().count() > ways.longest_text) {
        return refuse(400, "This model's maximum context length is exceeded by an input.".to_owned());
    }
    if texts.iter().any(|text| text.contains(UNWANTED)) {
        return refuse(400, "an input was rejected by the content filter".to_owned());
    }
    None
}

fn model(request: &Request) -> String {
    let body = request.json();
    let named = body["model"].as_str().or_else(|| body["requests"][0]["model"].as_str());
    named.unwrap_or_default().to_owned()
}

fn refusal(request: &Request, status: u16, message: &str) -> Answer {
    let body = if request.path.starts_with("/api/") {
        json!({ "error": message })
    } else if request.path.contains(":batchEmbedContents") {
        json!({ "error": { "code": status, "message": message, "status": "INVALID_ARGUMENT" } })
    } else {
        json!({ "error": { "message": message, "type": "invalid_request_error", "param": null, "code": null } })
    };
    Answer::json(status, &body)
}

fn embeddings(request: &Request, texts: &[String], ways: &Ways) -> Answer {
    let body = request.json();
    let asked = ["dimensions", "output_dimension"].iter().find_map(|name| body[*name].as_u64());
    let asked = asked.or_else(|| body["requests"][0]["outputDimensionality"].as_u64());
    let dims = asked.map_or(ways.dims, |dims| dims as usize);
    let vectors: Vec<Vec<f32>> = texts.iter().map(|text| vector(text, dims, ways.salt)).collect();
    let tokens: usize = texts.iter().map(|text| text.split_whitespace().count()).sum();
    let body = if request.path.ends_with("/api/embed") {
        json!({ "model": model(request), "embeddings": vectors, "total_duration": 1, "load_duration": 1,
                "prompt_eval_count": tokens })
    } else if request.path.contains(":batchEmbedContents") {
        let values: Vec<Value> = vectors.iter().map(|values| json!({ "values": values })).collect();
        json!({ "embeddings": values })
    } else {
        let data: Vec<Value> = vectors
            .iter()
            .enumerate()
            .map(
                |(index, embedding)| json!({ "object": "embedding", "index": index, "embedding": embedding }),
            )
            .collect();
        json!({ "object": "list", "data": data, "model": model(request),
                "usage": { "prompt_tokens": tokens, "total_tokens": tokens } })
    };
    Answer::json(200, &body)
}

/// A vector in which texts with common words are near each other.
pub(crate) fn vector(text: &str, dims: usize, salt: u64) -> Vec<f32> {
    let mut values = vec![0.001_f32; dims];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash = word.to_lowercase().bytes().fold(0xcbf2_9ce4_8422_2325 ^ salt, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let place = (hash >> 8) as usize % dims;
        values[place] += if hash >> 63 == 0 { 1.0 } else { -1.0 };
    }
    values
}
