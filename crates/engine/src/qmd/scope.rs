//! The chats in which QMD may answer. Pure: the first rule that matches counts, and where none does, the default.

use serde::Deserialize;
use serde_json::Value;

use crate::session::ChatType;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// What holds where no rule matches.
    pub allow: bool,
    pub rules: Vec<Rule>,
}

/// One rule as the settings write it: `{ action, match }`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    action: Action,
    #[serde(rename = "match", default)]
    wanted: Wanted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Allow,
    Deny,
}

/// What a conversation must be like; what is not said does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Wanted {
    chat_type: Option<Chat>,
    channel: Option<String>,
    key_prefix: Option<String>,
    raw_key_prefix: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct Chat(ChatType);

impl TryFrom<String> for Chat {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        ChatType::parse(&text).map(Self).ok_or_else(|| format!("{text:?} is no type of chat"))
    }
}

/// Who asks: the type of chat, and the key that a host knows the conversation by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker<'a> {
    pub chat: ChatType,
    pub key: Option<&'a str>,
}

/// Whether a value of the settings is a list of rules.
pub(crate) fn is_rules(value: &Value) -> bool {
    serde_json::from_value::<Vec<Rule>>(value.clone()).is_ok()
}

impl Rule {
    /// Direct chats are answered.
    pub(crate) fn direct() -> Self {
        let wanted = Wanted { chat_type: Some(Chat(ChatType::Direct)), ..Wanted::default() };
        Self { action: Action::Allow, wanted }
    }
}

impl Scope {
    pub fn admits(&self, asker: Asker<'_>) -> bool {
        let known = Known::of(asker);
        let first = self.rules.iter().find(|rule| rule.wanted.matches(&known));
        first.map_or(self.allow, |rule| rule.action == Action::Allow)
    }
}

/// A conversation as rules see it.
struct Known {
    chat: ChatType,
    channel: Option<String>,
    /// Without `agent:ID:`.
    key: String,
    raw: String,
}

impl Known {
    fn of(asker: Asker<'_>) -> Self {
        let raw = asker.key.unwrap_or_default().trim().to_lowercase();
        let key = own_part(&raw).to_owned();
        let mut parts = key.split(':');
        let channel = parts.next().filter(|first| !first.is_empty() && key.contains(':')).map(str::to_owned);
        Self { chat: asker.chat.or_wider(ChatType::of_key(&raw)), channel, key, raw }
    }
}

/// `agent:main:telegram:group:42` without the agent.
fn own_part(key: &str) -> &str {
    let rest = key.strip_prefix("agent:").and_then(|rest| rest.split_once(':'));
    rest.map_or(key, |(_, rest)| rest)
}

impl Wanted {
    fn matches(&self, known: &Known) -> bool {
        let begins = |prefix: &Option<String>, key: &str| {
            prefix.as_ref().is_none_or(|prefix| key.starts_with(&prefix.trim().to_lowercase()))
        };
        // A prefix that names the agent is meant for the whole key.
        let whole = self.key_prefix.as_ref().is_some_and(|prefix| prefix.trim().starts_with("agent:"));
        self.chat_type.is_none_or(|chat| chat.0 == known.chat)
            && self
                .channel
                .as_ref()
                .is_none_or(|channel| known.channel.as_deref() == Some(&channel.trim().to_lowercase()))
            && begins(&self.key_prefix, if whole { &known.raw } else { &known.key })
            && begins(&self.raw_key_prefix, &known.raw)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn admits(allow: bool, rules: Value, chat: ChatType, key: Option<&str>) -> bool {
        Scope { allow, rules: serde_json::from_value(rules).unwrap() }.admits(Asker { chat, key })
    }

    #[test]
    fn by_default_direct_chats_are_answered_and_no_others() {
        let scope = Scope { allow: false, rules: vec![Rule::direct()] };
        let answered = [ChatType::Direct, ChatType::Group, ChatType::Channel]
            .map(|chat| scope.admits(Asker { chat, key: None }));
        assert_eq!(answered, [true, false, false]);
        let key = Some("agent:main:telegram:group:42");
        assert!(!scope.admits(Asker { chat: ChatType::Direct, key }), "the key says that it is a group");
    }

    #[test]
    fn the_first_rule_that_matches_counts() {
        let rules = json!([
            { "action": "deny", "match": { "channel": "discord" } },
            { "action": "allow", "match": { "chatType": "group", "keyPrefix": "telegram:group:-100" } },
            { "action": "deny", "match": { "keyPrefix": "agent:main:telegram" } },
            { "action": "allow" },
        ]);
        for (key, expected) in [
            ("agent:main:discord:channel:7", false),
            ("agent:main:telegram:group:-1001", true),
            ("agent:main:telegram:group:55", false),
            ("agent:work:telegram:group:55", true),
            ("main", true),
        ] {
            assert_eq!(admits(false, rules.clone(), ChatType::Direct, Some(key)), expected, "{key}");
        }
    }

    #[test]
    fn without_rules_the_default_holds() {
        assert!(admits(true, json!([]), ChatType::Channel, None));
        assert!(!admits(false, json!([]), ChatType::Direct, None));
    }

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
