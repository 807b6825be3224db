//! The chats in which an engine of other folders may answer. Pure: the first rule that matches counts, and where none does, the default.

use mindfile_settings::{Action, Chats, Scope};

use mindfile_trust::speaker::ChatType;

/// Who asks: the type of chat, and the key that a host knows the conversation by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asker<'a> {
    pub chat: ChatType,
    pub key: Option<&'a str>,
}

/// Whether it answers there.
pub fn admits(scope: &Scope, asker: Asker<'_>) -> bool {
    let conversation = Conversation::of(asker);
    let first = scope.rules.iter().find(|rule| matches(&rule.chats, &conversation));
    first.map_or(scope.allow, |rule| rule.action == Action::Allow)
}

/// A conversation as rules see it.
struct Conversation {
    chat: ChatType,
    channel: Option<String>,
    /// Without `agent:ID:`.
    key: String,
    raw: String,
}

impl Conversation {
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

/// OpenClaw knows no rooms of their own: what a rule says of channels holds for them.
fn is_such(meant: ChatType, chat: ChatType) -> bool {
    meant == chat || (meant, chat) == (ChatType::Channel, ChatType::Room)
}

fn matches(chats: &Chats, conversation: &Conversation) -> bool {
    let begins = |prefix: &Option<String>, key: &str| {
        prefix.as_ref().is_none_or(|prefix| key.starts_with(&prefix.trim().to_lowercase()))
    };
    // A prefix that names the agent is meant for the whole key.
    let whole = chats.key_prefix.as_ref().is_some_and(|prefix| prefix.trim().starts_with("agent:"));
    chats.chat_type.is_none_or(|chat| is_such(chat.0, conversation.chat))
        && chats
            .channel
            .as_ref()
            .is_none_or(|channel| conversation.channel.as_deref() == Some(&channel.trim().to_lowercase()))
        && begins(&chats.key_prefix, if whole { &conversation.raw } else { &conversation.key })
        && begins(&chats.raw_key_prefix, &conversation.raw)
}

#[cfg(test)]
mod tests {
    use mindfile_settings::ScopeRule;
    use serde_json::{Value, json};

    use super::*;

    fn admits(allow: bool, rules: Value, chat: ChatType, key: Option<&str>) -> bool {
        super::admits(&Scope { allow, rules: serde_json::from_value(rules).unwrap() }, Asker { chat, key })
    }

    #[test]
    fn by_default_direct_chats_are_answered_and_no_others() {
        let scope = Scope { allow: false, rules: vec![ScopeRule::direct()] };
        let answered = [ChatType::Direct, ChatType::Group, ChatType::Channel, ChatType::Room]
            .map(|chat| super::admits(&scope, Asker { chat, key: None }));
        assert_eq!(answered, [true, false, false, false]);
        let key = Some("agent:main:telegram:group:42");
        assert!(
            !super::admits(&scope, Asker { chat: ChatType::Direct, key }),
            "the key says that it is a group"
        );
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
}
