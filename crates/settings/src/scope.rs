//! The chats in which QMD may answer, as settings spell them.

use mindfile_trust::speaker::ChatType;
use serde::Deserialize;
use serde_json::Value;

/// One rule: `{ action, match }`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeRule {
    pub action: Action,
    #[serde(rename = "match", default)]
    pub chats: Chats,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Allow,
    Deny,
}

/// What a conversation must be like; an absent field matches any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Chats {
    pub chat_type: Option<ChatWord>,
    pub channel: Option<String>,
    pub key_prefix: Option<String>,
    pub raw_key_prefix: Option<String>,
}

/// A type of chat by any of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ChatWord(pub ChatType);

impl TryFrom<String> for ChatWord {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        ChatType::parse(&text).map(Self).ok_or_else(|| format!("{text:?} is no type of chat"))
    }
}

/// Whether a value of the settings is a list of rules.
pub(crate) fn is_rules(value: &Value) -> bool {
    serde_json::from_value::<Vec<ScopeRule>>(value.clone()).is_ok()
}

impl ScopeRule {
    /// Direct chats are answered.
    pub fn direct() -> Self {
        Self {
            action: Action::Allow,
            chats: Chats { chat_type: Some(ChatWord(ChatType::Direct)), ..Chats::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_rule_with_a_typing_error_is_none() {
        for rule in [
            json!([{ "action": "alow" }]),
            json!([{ "action": "allow", "match": { "chattype": "direct" } }]),
            json!([{ "action": "allow", "match": { "chatType": "dirct" } }]),
            json!([{ "match": {} }]),
            json!({ "action": "allow" }),
        ] {
            assert!(!is_rules(&rule), "{rule}");
        }
        assert!(is_rules(
            &json!([{ "action": "allow", "match": { "chatType": "dm", "rawKeyPrefix": "agent:" } }])
        ));
    }
}
