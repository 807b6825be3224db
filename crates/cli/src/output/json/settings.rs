//! `config --json`

use serde::Serialize;
use serde_json::Value;

/// One key of `config show`.
#[derive(Debug, Serialize)]
pub(crate) struct Setting<'a> {
    pub(crate) key: &'a str,
    pub(crate) value: &'a Value,
    pub(crate) origin: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<&'a str>,
}

/// What `config set` did.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Changed {
    pub(crate) ok: bool,
    pub(crate) file: String,
    pub(crate) key: &'static str,
    pub(crate) at: String,
    pub(crate) value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) overruled_by: Option<String>,
}

/// One line of `config path`.
#[derive(Debug, Serialize)]
pub(crate) struct Path {
    pub(crate) what: &'static str,
    pub(crate) path: String,
    pub(crate) why: String,
}
