//! `config --json`

use serde::Serialize;
use serde_json::Value;

/// One key of `config show`.
#[derive(Debug, Serialize)]
pub struct Setting<'a> {
    pub key: &'a str,
    pub value: &'a Value,
    pub origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

/// What `config set` did.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub ok: bool,
    pub file: String,
    pub key: &'static str,
    pub at: String,
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overruled_by: Option<String>,
}

/// One line of `config path`.
#[derive(Debug, Serialize)]
pub struct Path {
    pub what: &'static str,
    pub path: String,
    pub why: String,
}
